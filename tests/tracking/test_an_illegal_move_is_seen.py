"""A move no rule allows, seen square by square, is told as such.

It is never explained away by half-moves nobody saw: those need a sign that something was lost (a
link that was down, a fault, a picture that contradicts the changes before it). And what was
completed is never written anew by a search alone.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from arbiterd.table.playback import play
from arbiterd.table.scenario import read_scenario
from arbiterd.table.table import Table

from .hands import Hands

HEAD = {"scenario": "s", "moves": ["e2e4", "e7e5"]}
BLITZ = {"rate": {"kind": "blitz", "supervised": False, "time": ["3:00+2"]}}
KNIGHT = [{"t": 1000, "lift": "g1"}, {"t": 1500, "place": "g3", "piece": "N"}]
PRESS = [{"t": 2000, "press": "white"}]


def told(lines: list[dict[str, Any]], **head: Any) -> list[tuple[int, str, str]]:
    """Each event's time in milliseconds, topic, and its move or kind."""
    text = "\n".join(json.dumps(line) for line in [HEAD | head, *lines])
    scenario = read_scenario(text)
    found = []
    for at_ns, step in play(Table(scenario.setup), enumerate(scenario.inputs, 1)):
        for output in step.outputs:
            if output.seq is not None:
                body = json.loads(output.payload)
                what = body.get("uci") or body.get("kind") or body.get("result")
                found.append((at_ns // 1_000_000, output.topic, what))
    return found


def test_a_knight_to_where_it_cannot_go_is_an_illegal_move_and_nothing_else() -> None:
    events = told(KNIGHT + PRESS)

    assert [(topic, what) for _, topic, what in events] == [("rulings", "illegal-first")]
    assert events[0][0] <= 3000, "a second after the press at the latest"


def test_play_goes_on_from_an_illegal_move_that_was_replied_to() -> None:
    reply = [
        {"t": 4000, "lift": "b8"},
        {"t": 4500, "place": "c6", "piece": "n"},
        {"t": 5000, "press": "black"},
        {"t": 8000, "lift": "d2"},
        {"t": 8500, "place": "d4", "piece": "P"},
        {"t": 9000, "press": "white"},
    ]

    events = told(KNIGHT + PRESS + reply, **BLITZ)

    assert [what for _, topic, what in events if topic == "moves"] == ["g1g3", "b8c6", "d2d4"]
    assert "illegal-a5-replied" in [what for _, _, what in events]


ATTEMPTS = [
    ("a2", "a5", "P"),
    ("a1", "b3", "R"),
    ("f1", "f4", "B"),
    ("d1", "c3", "Q"),
    ("e1", "e3", "K"),
    ("b1", "b3", "N"),
    ("e4", "d5", "P"),
]


@pytest.mark.parametrize(("origin", "target", "piece"), ATTEMPTS)
def test_any_piece_that_goes_where_it_cannot(origin: str, target: str, piece: str) -> None:
    lines = [{"t": 1000, "lift": origin}, {"t": 1500, "place": target, "piece": piece}]

    events = told(lines + PRESS)

    assert [what for _, topic, what in events if topic == "moves"] == []
    assert [what for _, topic, what in events if topic == "rulings"] == ["illegal-first"]


def test_the_restored_game_goes_on_after_the_arbiters_word() -> None:
    lines = [
        *KNIGHT, *PRESS,
        {"t": 4000, "pause": True},
        {"t": 8000, "act": {"action": "confirm", "ruling": "illegal-first", "by": "A"}},
        {"t": 12000, "lift": "g3"},
        {"t": 12500, "place": "g1", "piece": "N"},
        {"t": 14000, "clock": {"white_ms": 600000, "black_ms": 720000, "running": "white"}},
        {"t": 15000, "lift": "g1"},
        {"t": 15500, "place": "f3", "piece": "N"},
        {"t": 16000, "press": "white"},
    ]  # fmt: skip

    events = told(lines)

    assert [what for _, topic, what in events if topic == "moves"] == ["g1f3"]


@pytest.mark.parametrize("lifted", ["b8", "d2", "f3"])
def test_a_clock_set_going_again_leaves_nothing_behind(lifted: str) -> None:
    """Whoever sets it going presses for nobody; and a piece in the hand is no irregular ply."""
    hands = Hands(moves=("e2e4", "e7e5"))
    hands.press("black").wait(2)
    hands.move("g1", "f3").press("white").wait(2)
    hands.lift(lifted).wait(6)
    assert hands.moves == ["e2e4", "e7e5", "g1f3"]


@pytest.mark.parametrize("lifted", ["b8", "d2", "f3"])
def test_nor_where_the_next_move_is_made_at_once(lifted: str) -> None:
    hands = Hands(moves=("e2e4", "e7e5"))
    hands.press("black").move("g1", "f3").wait(1).press("white").wait(2)
    hands.move("b8", "c6").press("black").wait(2)
    hands.lift(lifted).wait(6)
    assert hands.moves == ["e2e4", "e7e5", "g1f3", "b8c6"]


@pytest.mark.parametrize("lifted", ["b8", "d2", "c3"])
def test_what_was_put_right_from_where_it_stood_is_past(lifted: str) -> None:
    """The knight goes on from its illegal square to a legal one, and play goes on from there."""
    hands = Hands(moves=("e2e4", "e7e5"))
    hands.move("b1", "b3").press("white").wait(2)
    hands.move("b3", "c3").press("white").wait(2)
    hands.move("g8", "f6").press("black").wait(2)
    hands.lift(lifted).wait(6)
    assert hands.moves == ["e2e4", "e7e5", "b1c3", "g8f6"]


def test_who_presses_for_a_pawn_taken_in_passing_and_left_there_has_the_turn() -> None:
    """...f7-f5 was not pressed for, White puts e5 on f6, leaves f5, and presses within two seconds:
    the half-move before was made, and it is White who has played what is none."""
    hands = Hands("4k3/5p2/8/4P3/8/8/8/4K3 b - - 0 1")
    hands.lift("f7").wait(1.2).show("f5", "p").wait(1.3).lift("e5").wait(0.4).show("f6", "P")
    hands.press("white").wait(1.5)

    assert hands.moves == ["f7f5"]
    assert [(press.turn.ply, press.turn.side) for press in hands.empty_presses] == [(2, "white")]


@pytest.mark.parametrize("rested_ms", [600, 5000])
def test_a_pawn_that_only_steps_where_one_is_owed_is_told_as_that(rested_ms: int) -> None:
    """Guadalete: a lift alone would have been its transformation. Nothing before it is told anew,
    as e3 and e4=T where a pawn could do both, for no pawn was ever seen on e3."""
    at = 2000 + rested_ms
    hands = [
        {"t": 1000, "lift": "e2"},
        {"t": 1500, "press": "white"},
        {"t": at, "lift": "d7"},
        {"t": at + 300, "place": "d6", "piece": "p"},
        {"t": at + 700, "press": "black"},
        {"t": at + 20_000, "scan": "rnbqkbnr/ppp1pppp/3p4/8/8/8/PPPP1PPP/RNBQKBNR"},
    ]

    events = told(hands, ruleset="guadalete", moves=[])

    assert [(topic, what) for _, topic, what in events] == [
        ("moves", "e2e4t"),
        ("rulings", "gu-obligation"),
        ("rulings", "gu-obligation-ignored"),
    ]
