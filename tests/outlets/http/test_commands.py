"""Acts go in whole or not at all, and are always answered."""

from __future__ import annotations

import pytest
from aiohttp import ClientSession

from paper.hall import state

PAUSE = {"action": "pause", "by": "Ana", "id": "a1"}


async def test_a_command_is_answered_with_the_reply(hall, http: ClientSession) -> None:
    answer = await http.post(
        hall.address + "api/v1/tables/1/commands",
        json={"action": "confirm", "by": "Ana", "id": "a1", "ruling": "1-0004"},
    )

    reply = await answer.json()
    assert (answer.status, reply["ok"], reply["id"], reply["action"]) == (
        200,
        True,
        "a1",
        "confirm",
    )
    assert [(table, c.ruling) for table, c, _ in hall.desk.commands] == [("1", "1-0004")]


async def test_a_refusal_says_why(hall, http: ClientSession) -> None:
    hall.desk.refusal = "1-0004 is closed already"

    answer = await http.post(hall.address + "api/v1/tables/1/commands", json=PAUSE)

    assert answer.status == 409
    assert (await answer.json())["error"] == "1-0004 is closed already"


@pytest.mark.parametrize(
    ("tables", "reached"), [("all", ["1", "2", "3"]), (["3", "1"], ["3", "1"])]
)
async def test_one_act_at_several_tables(
    hall, http: ClientSession, tables: object, reached: list[str]
) -> None:
    hall.live.retain("tables/2/state", state("2"))
    hall.live.retain("tables/3/state", state("3"))

    answer = await http.post(hall.address + "api/v1/commands", json=PAUSE | {"tables": tables})

    told = await answer.json()
    assert told["ok"] is True
    assert [reply["table"] for reply in told["replies"]] == reached
    assert [table for table, _, _ in hall.desk.commands] == reached


@pytest.mark.parametrize(
    ("path", "body", "status", "sentence"),
    [
        ("tables/1/commands", "{", 400, "cannot be read"),
        ("tables/1/commands", '{"action":"pause"}', 400, "by"),
        ("tables/1/commands", '{"action":"explode","by":"Ana"}', 400, "action"),
        ("tables/1/commands", '{"action":"confirm","by":"Ana"}', 400, "needs 'ruling'"),
        ("tables/1/commands", '{"action":"pause","by":"Ana","tables":"all"}', 400, "leave it out"),
        ("tables/9/commands", '{"action":"pause","by":"Ana"}', 404, "no table '9'"),
        ("commands", '{"action":"pause","by":"Ana"}', 400, "names no tables"),
        ("commands", '{"action":"pause","by":"Ana","tables":[]}', 400, "names no tables"),
        ("commands", '{"action":"pause","by":"Ana","tables":["1","9"]}', 404, "no table '9'"),
    ],
)
async def test_what_cannot_be_done_changes_nothing(
    hall, http: ClientSession, path: str, body: str, status: int, sentence: str
) -> None:
    answer = await http.post(
        hall.address + "api/v1/" + path,
        data=body,
        headers={"Content-Type": "application/json"},
    )

    assert answer.status == status
    assert sentence in (await answer.json())["error"]
    assert hall.desk.commands == []


async def test_a_book_is_no_command(hall, http: ClientSession) -> None:
    answer = await http.post(
        hall.address + "api/v1/tables/1/commands", json=PAUSE | {"reason": "x" * 100_000}
    )

    assert answer.status == 413
    assert "send less at once" in (await answer.json())["error"]
    assert hall.desk.commands == []


@pytest.mark.parametrize("depth", [9, 2_000, 30_000])
async def test_no_depth_ends_anything(hall, http: ClientSession, depth: int) -> None:
    for path in ("tables/1/commands", "commands"):
        answer = await http.post(
            hall.address + "api/v1/" + path,
            data='{"action":"pause","by":"Ana","changes":{"a":' + "[" * depth + "]" * depth + "}}",
            headers={"Content-Type": "application/json"},
        )
        assert answer.status == 400
        assert "nested" in (await answer.json())["error"]


async def test_ten_megabytes_are_refused_unread(hall, http: ClientSession) -> None:
    answer = await http.post(
        hall.address + "api/v1/commands",
        data=b"[" * 10_000_000,
        headers={"Content-Type": "application/json"},
    )
    assert answer.status == 413


async def test_who_sends_too_much_is_told_to_wait(hall, http: ClientSession) -> None:
    statuses = [
        (await http.post(hall.address + "api/v1/tables/1/commands", json=PAUSE)).status
        for _ in range(61)
    ]
    assert statuses == [200] * 60 + [429], "the time of this hall stands still"
