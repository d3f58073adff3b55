"""What HTTP shows is what MQTT carries, byte for byte."""

from __future__ import annotations

import pytest
from aiohttp import ClientSession
from prometheus_client import Counter

from paper.hall import START, head, move, ruling, state


@pytest.mark.parametrize("leaf", ["state", "device", "result"])
async def test_a_snapshot_is_the_same_bytes(hall, http: ClientSession, leaf: str) -> None:
    said = hall.live.retain(f"tables/1/{leaf}", state("1", 12, white="Nuñez, Íñigo"))

    answer = await http.get(hall.address + f"api/v1/tables/1/{leaf}")

    assert await answer.read() == said
    assert answer.content_type == "application/json"


async def test_all_tables_at_once(hall, http: ClientSession) -> None:
    hall.live.retain("tables/2/state", state("2"))

    listed = await (await http.get(hall.address + "api/v1/tables")).json()

    assert [table["table"] for table in listed["tables"]] == ["1", "2"]


async def test_moves_are_those_of_the_present_game(hall, http: ClientSession) -> None:
    hall.live.tell("tables/1/moves", move("1", 1, 1, "d4", "d2d4", START, game="3-0"))
    e4 = move("1", 2, 1, "e4", "e2e4", START)
    hall.live.tell("tables/1/moves", e4)
    hall.live.tell("tables/2/moves", move("2", 1, 1, "c4", "c2c4", START, game="3-1"))

    told = await (await http.get(hall.address + "api/v1/tables/1/moves")).json()

    assert told == {"moves": [e4]}


async def test_a_game_that_comes_back_is_told_whole(hall, http: ClientSession) -> None:
    """Where the act that began another was undone, only what followed was there."""
    e4 = move("1", 1, 1, "e4", "e2e4", START)
    e5 = move("1", 4, 2, "e5", "e7e5", START)
    hall.live.tell("tables/1/moves", e4)
    hall.live.tell("tables/1/moves", move("1", 2, 1, "d4", "d2d4", START, game="3-2"))
    hall.live.tell("tables/1/moves", move("1", 3, 1, None, None, START, game="3-2", replaces=2))
    hall.live.tell("tables/1/moves", e5)

    told = await (await http.get(hall.address + "api/v1/tables/1/moves")).json()

    assert told == {"moves": [e4, e5]}


async def test_a_long_game_is_told_whole(hall, http: ClientSession) -> None:
    for ply in range(1, 2203):
        hall.live.tell("tables/1/moves", move("1", ply, ply, "Nf3", "g1f3", START))

    told = await (await http.get(hall.address + "api/v1/tables/1/moves")).json()

    assert [m["ply"] for m in told["moves"]] == list(range(1, 2203))


async def test_the_timeline_is_read_in_pages(hall, http: ClientSession) -> None:
    for seq in range(1, 6):
        hall.live.tell("tables/1/moves", move("1", seq, seq, "e4", "e2e4", START))

    page = hall.address + "api/v1/tables/1/timeline?after=2&limit=2"
    told = await (await http.get(page)).json()

    assert [(e["topic"], e["payload"]["seq"]) for e in told["events"]] == [
        ("tables/1/moves", 3),
        ("tables/1/moves", 4),
    ]


async def test_open_rulings_of_the_hall_and_of_a_table(hall, http: ClientSession) -> None:
    hall.live.retain("tables/2/state", state("2"))
    one = ruling("1", 4, "illegal-move", 1, "Illegal move.")
    two = ruling("2", 9, "touch-own-then-other", 2, "Touched the knight.")
    hall.live.retain("tables/1/rulings/1-0004", one)
    hall.live.retain("tables/2/rulings/2-0009", two)

    everywhere = await (await http.get(hall.address + "api/v1/rulings")).json()
    there = await (await http.get(hall.address + "api/v1/tables/2/rulings")).json()
    single = await (await http.get(hall.address + "api/v1/tables/2/rulings/2-0009")).json()

    assert everywhere == {"rulings": [one, two]}
    assert there == {"rulings": [two]}
    assert single == two


async def test_evidence_is_the_inputs_a_ruling_rests_on(hall, http: ClientSession) -> None:
    told = await (await http.get(hall.address + "api/v1/tables/1/inputs?from=10&to=14")).json()

    assert [line["number"] for line in told["inputs"]] == [10, 11, 12, 13, 14]
    assert told["of"] is None


async def test_evidence_says_in_whose_game_it_was_seen(hall, http: ClientSession) -> None:
    told = await (await http.get(hall.address + "api/v1/tables/1/inputs?from=99&to=100")).json()
    assert told["of"] == {"round": 2, "white": "Paulsen", "black": "Blackburne"}


@pytest.mark.parametrize(
    ("path", "status", "sentence"),
    [
        ("tables/77/state", 404, "there is no table '77'"),
        ("tables/1/result", 404, "table '1' has no result yet"),
        ("tables/1/rulings/1-9", 404, "'1-9' is not open at table '1'"),
        ("tables/1/timeline?after=-1", 400, "after is '-1'; write a whole number"),
        ("tables/1/timeline?limit=x", 400, "limit is 'x'; write a whole number"),
        ("tables/1/inputs", 400, "say which inputs"),
        ("tables/1/inputs?from=9&to=3", 400, "say which inputs"),
    ],
)
async def test_a_wrong_question_is_told_what_is_wrong(
    hall, http: ClientSession, path: str, status: int, sentence: str
) -> None:
    answer = await http.get(hall.address + "api/v1/" + path)

    assert answer.status == status
    assert sentence in (await answer.json())["error"]


async def test_live_games_and_delayed_games_are_different_files(hall, http: ClientSession) -> None:
    async def text(path: str) -> str:
        return await (await http.get(hall.address + path)).text()

    assert "Nf3" in await text("live/pgn/1.pgn")
    assert "Nf3" in await text("live/pgn/round-3.pgn")
    assert "Nf3" not in await text("pgn/1.pgn")
    assert "Nf3" not in await text("pgn/round-3.pgn")
    assert (await http.get(hall.address + "pgn/round-4.pgn")).status == 404


async def test_health_says_why(hall, http: ClientSession) -> None:
    assert (await http.get(hall.address + "healthz")).status == 200

    hall.ill = "the journal cannot be written: no space left"
    answer = await http.get(hall.address + "healthz")

    assert answer.status == 503
    assert await answer.text() == "the journal cannot be written: no space left\n"


async def test_metrics_are_those_of_the_service(hall, http: ClientSession) -> None:
    Counter("moves_read", "Half-moves.", registry=hall.metrics).inc(57)

    assert "moves_read_total 57.0" in await (await http.get(hall.address + "metrics")).text()


async def test_the_page_comes_whole_and_then_not_again(hall, http: ClientSession) -> None:
    page = await http.get(hall.address)
    again = await http.get(hall.address, headers={"If-None-Match": page.headers["ETag"]})

    assert page.content_type == "text/html"
    assert again.status == 304


@pytest.mark.parametrize("path", ["web/../live.py", "web/%2e%2e/cli/main.py", "web//etc/passwd"])
async def test_nothing_but_the_pages_files_is_served(hall, http: ClientSession, path: str) -> None:
    assert (await http.get(hall.address + path)).status == 404


async def test_status_is_the_retained_one(hall, http: ClientSession) -> None:
    assert (await http.get(hall.address + "api/v1/status")).status == 404

    said = hall.live.retain("status", head("1", 0, state="online"))

    assert await (await http.get(hall.address + "api/v1/status")).read() == said
