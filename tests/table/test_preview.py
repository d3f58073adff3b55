"""What an act would do is said before it is done, and nothing of the asking stays."""

from __future__ import annotations

import json
from typing import Any

import pytest

from arbiterd.messages.commands import read_command
from arbiterd.table.inputs import act_said

from .test_commands import Desk
from .test_confirming import ILLEGAL, PLAYED_ON, PUT_BACK, Line, Told, confirm

REPLY = [
    {"t": 4000, "lift": "b8"},
    {"t": 4500, "place": "c6", "piece": "n"},
    {"t": 5000, "press": "black"},
]


def preview(desk: Desk, action: str, **fields: Any) -> dict[str, Any]:
    """The answer; nothing else was said."""
    command = read_command({"action": action, "by": "Arbiter", "preview": True, **fields})
    (answer,) = desk.take(act_said(command, desk.table.at_ns + 1_000_000))
    assert not desk.commands
    return answer


ACTS: list[tuple[str, dict[str, Any]]] = [
    ("set-move", {"op": "take-back", "ply": 4}),
    ("set-move", {"op": "replace", "ply": 6, "move": "Be6"}),
    ("set-move", {"op": "insert", "move": "a3"}),
    ("set-position", {"fen": "8/8/4k3/8/8/4K3/8/8 w - - 0 1"}),
    ("set-result", {"result": "1-0", "reason": "arbiter"}),
    ("set-clock", {"white_ms": 60_000, "black_ms": 61_000}),
    ("start-game", {"white": "A", "black": "B"}),
    ("resign", {"side": "white"}),
    ("draw-offer", {"side": "white"}),
    ("claim", {"claim": "threefold", "side": "white"}),
    ("penalty", {"side": "white", "kind": "warning"}),
    ("pause", {}),
    ("mute", {}),
]


@pytest.mark.parametrize(("action", "fields"), ACTS)
def test_a_preview_says_what_the_act_then_does_and_leaves_no_trace(
    action: str, fields: dict[str, Any]
) -> None:
    asked, never = Desk(), Desk()
    state = asked.table.state(0)

    answer = preview(asked, action, id="1", **fields)
    assert asked.table.state(0) == state
    never.table.due(asked.table.at_ns)
    never.take(act_said(read_command({"action": "mute", "by": "x", "preview": True}),
                        asked.table.at_ns))  # fmt: skip
    done, said = asked.order(action, id="1", **fields)
    plain, said_plain = never.order(action, id="1", **fields)

    assert (answer["ok"], answer.get("error")) == (done["ok"], done.get("error"))
    assert (done, said) == (plain, said_plain), "the same bytes as if nobody had asked"
    if answer["ok"]:
        gone = {one["ply"] for one in answer["preview"]["withdrawn"]}
        told = [one for one in said if one["topic"] == "moves"]
        assert gone == {one["ply"] for one in told if "replaces" in one}
        new = {one["ply"]: one["san"] for one in told if one["uci"] or one.get("irregular")}
        assert {one["ply"]: one["san"] for one in answer["preview"]["entered"]} == new or (
            action == "start-game" and not answer["preview"]["entered"]
        )
        assert answer["preview"]["result"] == asked.table.state(0).result


def test_a_preview_of_what_is_refused_is_refused_with_the_same_sentence() -> None:
    desk = Desk()
    answer = preview(desk, "set-move", op="take-back", ply=99)

    assert not answer["ok"]
    assert "99" in answer["error"]
    assert "preview" not in answer


def asked(*lines: list[Line]) -> Line:
    return Told(*lines).replies[-1]["preview"]


def test_the_half_moves_that_a_confirmation_withdraws_are_named_before() -> None:
    said = asked(ILLEGAL, REPLY, [confirm(8000, "illegal-found-later", preview=True)])

    assert [(one["ply"], one["number"], one["color"]) for one in said["withdrawn"]] == [
        (1, 1, "white"), (2, 1, "black")
    ]  # fmt: skip
    assert [one["uci"] for one in said["withdrawn"]] == ["g1g3", "b8c6"]
    assert said["rulings_closed"][0]["kind"] == "illegal-found-later"
    assert said["rulings_closed"][0]["state"] == "confirmed"
    assert said["status"] == "paused"
    assert said["restore"] == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    before, after = said["times"]["before"], said["times"]["after"]
    assert after["black_ms"] - before["black_ms"] == 120_000


def test_what_was_only_put_back_is_still_to_stand_there() -> None:
    """Nobody has played from it: the board is watched until it shows it."""
    said = asked(ILLEGAL, PUT_BACK[:2], [confirm(12_000, preview=True)])

    assert said["restore"] == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    assert said["withdrawn"] == []


def test_nothing_is_withdrawn_where_it_was_put_right() -> None:
    told = Told(ILLEGAL, PUT_BACK, PLAYED_ON, [confirm(30_000, preview=True)])

    assert told.replies[-1]["preview"]["withdrawn"] == []
    assert told.replies[-1]["preview"]["restore"] is None
    assert told.rulings("confirmed") == [], "and nothing is done"
    json.dumps(told.replies[-1])
