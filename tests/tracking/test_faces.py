"""A board that tells pieces but not their faces: what a piece does later tells what it was."""

from __future__ import annotations

import pytest

from arbiterd.rules.registry import ruleset
from arbiterd.tracking.facts import MoveReplaced, PlyCertainty
from eboards.events import SensingClass

from .hands import Hands

SHOGI = ruleset("shogi")
SILVER = "8k/9/9/p3S4/9/9/9/9/8K b - 1"
"""A silver before the zone, and a pawn for gote to move."""


def entered() -> Hands:
    """The silver has gone into the zone, turned over or not."""
    hands = Hands(SILVER, kind=SensingClass.KIND, rules=SHOGI)
    hands.move("5d", "5c").press("black").move("9d", "9e").press("white").wait(5)
    first = hands.tracker.record.plies[0]
    assert (first.sureness, len(first.alternatives)) == (PlyCertainty.LIKELY, 1)
    assert {first.move, *first.alternatives} == {"5d5c", "5d5c+"}
    return hands


@pytest.mark.parametrize(
    ("onward", "first"),
    [("6c", "5d5c+"), ("5d", "5d5c+"), ("6d", "5d5c"), ("4d", "5d5c")],
    ids=["sideways", "straight back", "back left", "back right"],
)
def test_a_move_that_only_one_face_can_make_settles_which_it_was(onward: str, first: str) -> None:
    """With its press: until then a silver of the other face may be on its way there."""
    hands = entered()
    before, told = len(hands.facts), hands.tracker.record.plies[0].move

    hands.move("5c", onward)
    entry = hands.tracker.record.plies[0]
    assert (entry.move, entry.sureness) == (first, PlyCertainty.LIKELY)
    hands.press("black").wait(5)

    entry = hands.tracker.record.plies[0]
    assert (entry.move, entry.sureness) == (first, PlyCertainty.CERTAIN)
    later = hands.facts[before:]
    corrected = [fact for fact in later if isinstance(fact, MoveReplaced) and fact.ply == 1]
    other = [(first, PlyCertainty.LIKELY)] * (told != first)
    assert [(fact.move, fact.sureness) for fact in corrected] == [
        *other,
        (first, PlyCertainty.CERTAIN),
    ]


def test_a_move_that_either_face_can_make_settles_nothing() -> None:
    hands = entered().move("5c", "5b").press("black").wait(5)

    assert hands.tracker.record.plies[0].sureness is PlyCertainty.LIKELY


def test_a_doubt_that_outlives_many_moves_is_still_settled() -> None:
    hands = entered()
    for _ in range(10):
        hands.move("1i", "1h").press("black").move("1a", "1b").press("white")
        hands.move("1h", "1i").press("black").move("1b", "1a").press("white")
    hands.move("5c", "6d").press("black").wait(5)

    assert hands.tracker.record.plies[0].move == "5d5c"
    before_it = hands.tracker.record.plies[:-1]  # Leaving the zone it may have turned again.
    assert {ply.sureness for ply in before_it} == {PlyCertainty.CERTAIN}
