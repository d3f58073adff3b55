"""Every action of the contract's command table, sent once to a game of each kind, and a board and a
clock unplugged in each. `pytest -s` prints the answers in one table."""

from __future__ import annotations

import json
from typing import Any

import pytest

from arbiterd.laws.catalogue import ROWS
from arbiterd.rules.registry import ruleset
from arbiterd.table.playback import play
from arbiterd.table.scenario import read_scenario
from arbiterd.table.table import Table

GAMES = {
    "chess": (["e2e4", "e7e5", "g1f3", "b8c6"], "f1b5", "1K5k/8/8/8/8/8/8/R7 w - - 0 1"),
    "chess960": (["e2e4", "e7e5", "g1f3", "b8c6"], "f1b5", "1K5k/8/8/8/8/8/8/R7 w - - 0 1"),
    "guadalete": (["e2e4t", "e7e5t", "d1e2", "d8e7"], "e2e4", "1K5k/8/8/8/8/8/8/R7 w - - 0 1"),
    "shogi": (["7g7f", "3c3d", "2g2f", "8c8d"], "2f2e", "4k4/9/9/9/9/9/9/9/4K4 b 2P 1"),
}
"""Half-moves on the record, the next one, and a position to be set up."""

ACTS: dict[str, dict[str, Any]] = {
    "confirm": {"ruling": "clock-paused-by-player"},
    "dismiss": {"ruling": "clock-paused-by-player"},
    **{
        f"claim {claim}": {"claim": claim, "side": "black"}
        for claim in (
            "threefold",
            "fifty-move",
            "flag",
            "illegal-move",
            "touched-piece",
            "checkmate",
            "stalemate",
            "dead-position",
            "quickplay",
            "declaration",
        )
    },
    "draw-offer": {"side": "white"},
    "resign": {"side": "white"},
    "set-move insert": {"op": "insert", "ply": 5},
    "set-move take-back": {"op": "take-back", "ply": 4},
    "set-move replace": {"op": "replace", "ply": 4, "move": "?"},
    "set-position": {},
    "set-clock": {"white_ms": 60_000, "black_ms": 60_000, "running": "white"},
    "set-result": {"result": "1-0", "reason": "arbiter"},
    "penalty": {"side": "white", "kind": "warning", "clock_delta_ms": 60_000},
    "report conduct": {"kind": "conduct-distraction", "side": "white"},
    "report touch-refusal": {"kind": "touch-refusal", "side": "white"},
    "report sh-found-later": {"kind": "sh-found-later", "side": "white"},
    "assign-device": {"device": "auto"},
    "start-game": {},
    "undo": {"of": "nothing"},
    "coming": {"ruling": "clock-paused-by-player"},
    "shelve": {"ruling": "clock-paused-by-player", "minutes": 2},
    "pause": {},
    "resume": {},
    "mute": {},
    "unmute": {},
}

IN_THE_STATE = {
    "set-position", "set-clock", "assign-device", "start-game", "resume", "mute", "unmute", "pause",
    "set-move take-back",
}  # fmt: skip
"""What these change stands in the state of the table, which is no event. Half-moves given with the
table are no events either, so that one of them is taken back is none."""


def told(game: str, *lines: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """What leaves the table, by topic, after the half-moves on the record."""
    moves, _, _ = GAMES[game]
    rules = ruleset(game)
    position = rules.start()
    for text in moves:
        position = rules.play(position, rules.parse(position, text))
    head = {
        "scenario": game,
        "ruleset": game,
        "moves": moves,
        "rate": {"kind": "standard", "supervised": True, "time": ["90:00+30"]},
        "clock": {
            "white_ms": 3_000_000,
            "black_ms": 3_000_000,
            "running": rules.turn(position).value,
        },
    }
    scenario = read_scenario("\n".join(json.dumps(line) for line in (head, *lines)))
    outputs = (
        output
        for _, step in play(Table(scenario.setup), enumerate(scenario.inputs, 1))
        for output in step.outputs
    )
    return [(output.topic, json.loads(output.payload)) for output in outputs if output.payload]


def answer(game: str, name: str) -> tuple[dict[str, Any], list[tuple[str, dict[str, Any]]]]:
    """The answer to one act, and all that left the table."""
    _, next_move, fen = GAMES[game]
    fields = dict(ACTS[name])
    action = name.split(" ")[0]
    if action == "set-position":
        fields["fen"] = fen
    if fields.get("op") == "insert":
        fields["move"] = next_move
    if fields.get("op") == "replace":
        rules, moves = ruleset(game), GAMES[game][0]
        position = rules.start()
        for text in moves[:3]:
            position = rules.play(position, rules.parse(position, text))
        fields["move"] = rules.wire(position, rules.legal_moves(position)[-1])
    act = {"t": 1000, "act": {"action": action, "by": "An arbiter", "id": "one", **fields}}
    # There is a ruling to be decided where the act is about one.
    before = [{"t": 500, "pause": True}] if "ruling" in fields else []
    heard = told(game, *before, act)
    (reply,) = (body for topic, body in heard if topic.startswith("reply"))
    return reply, heard


@pytest.mark.parametrize("game", GAMES)
def test_every_act_leads_to_something_or_is_refused_in_a_sentence(game: str) -> None:
    silent = []
    for name in ACTS:
        reply, heard = answer(game, name)
        if not reply["ok"]:
            assert len(reply["error"].split()) > 3, (name, reply)
            continue
        if not {"rulings", "log", "result", "moves"} & {topic for topic, _ in heard}:
            silent.append(name)
    assert set(silent) <= IN_THE_STATE


@pytest.mark.parametrize("game", GAMES)
def test_a_half_move_that_was_taken_back_is_not_told_because_it_stands(game: str) -> None:
    """Once tracking put it back on the record four seconds later."""
    reply, heard = answer(game, "set-move take-back")
    assert reply["ok"]
    assert [body for topic, body in heard if topic == "moves"] == []


@pytest.mark.parametrize("game", GAMES)
def test_an_unplugged_board_and_clock_are_told_in_every_game(game: str) -> None:
    heard = told(
        game, {"t": 1000, "link": "down"}, {"t": 2000, "clock": None}, {"t": 30_000, "pause": True}
    )
    kinds = [body["kind"] for topic, body in heard if topic == "rulings"]
    assert {"tech-board-lost", "clock-lost"} <= set(kinds)


@pytest.mark.parametrize("game", GAMES)
def test_clocks_that_stand_call_the_arbiter_in_every_game(game: str) -> None:
    heard = told(game, {"t": 1000, "pause": True})
    kinds = [body["kind"] for topic, body in heard if topic == "rulings"]
    assert "clock-paused-by-player" in kinds


def test_what_only_another_game_knows_is_refused() -> None:
    assert "no claim of this game" in answer("shogi", "claim touched-piece")[0]["error"]
    assert "no claim of this game" in answer("chess", "claim declaration")[0]["error"]
    assert "no matter of this game" in answer("shogi", "report touch-refusal")[0]["error"]
    assert "this game" in answer("chess", "report sh-found-later")[0]["error"]
    assert answer("shogi", "penalty")[0]["ruling"]
    assert answer("shogi", "draw-offer")[0]["ruling"]


def test_the_answers_in_one_table() -> None:
    lines = [f"{'':22} {'shogi':60} guadalete"]
    for name in ACTS:
        cells = [_cell(game, name) for game in ("shogi", "guadalete")]
        lines.append(f"{name:22} {cells[0]:60} {cells[1]}")
        assert all(cells)
    print("\n" + "\n".join(lines))


def _cell(game: str, name: str) -> str:
    reply, heard = answer(game, name)
    if not reply["ok"]:
        return f"no: {reply['error']}"[:58]
    kinds = [body["kind"] for topic, body in heard if topic in ("rulings", "log")]
    results = [str(body["result"]) for topic, body in heard if topic == "result"]
    told_of = [kind for kind in kinds if kind in ROWS]
    return f"ok {' '.join([*told_of[-1:], *results[-1:]])}".strip()
