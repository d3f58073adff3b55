"""A shogi board that tells pieces and faces: what came from the hand and what was turned over is no
error of a coil, whether it was allowed or not."""

from __future__ import annotations

import pytest

from arbiterd.rules.registry import ruleset
from arbiterd.rules.ruleset import Reason
from arbiterd.tracking.facts import Pressed, SquareSuspect

from .hands import Hands

SHOGI = ruleset("shogi")


def pressed_for(hands: Hands) -> Reason | None:
    """Why what stood there at the newest press is no move."""
    assert hands.of(SquareSuspect) == []
    turn = hands.of(Pressed)[-1].turn
    attempt = SHOGI.read_attempt(SHOGI.start(turn.fen), turn.placement, turn.side)
    return attempt and attempt.reason


def test_a_pawn_dropped_before_an_own_pawn_is_no_move_of_that_pawn() -> None:
    """Nifu where it is easily read as a pawn that still shows on the square it left."""
    hands = Hands("4k4/9/9/9/4p4/9/4P4/9/4K4 b P 1", rules=SHOGI)

    hands.show("5f", "P").press("black").wait(5)

    assert pressed_for(hands) is Reason.TWO_PAWNS
    assert hands.moves == []


@pytest.mark.parametrize(
    ("fen", "face"),
    [("4k4/9/9/9/9/9/4P4/9/4K4 b - 1", "+P"), ("4k4/9/9/9/9/9/4+S4/9/4K4 b - 1", "S")],
)
def test_a_piece_turned_over_where_it_may_not_is_told_as_it_stands(fen: str, face: str) -> None:
    hands = Hands(fen, rules=SHOGI)

    hands.lift("5g").show("5f", face).press("black").wait(5)

    assert pressed_for(hands) is Reason.CANNOT_PROMOTE
    assert hands.moves == []


def test_a_bishop_of_gote_is_told_as_one_of_sente_is() -> None:
    """It rests where it may go, and goes on to where it may not."""
    bishops = "4k4/7b1/9/9/9/9/9/1B7/4K4"
    sente = Hands(f"{bishops} b - 1", rules=SHOGI).lift("8h").show("7g", "B").wait(3)
    gote = Hands(f"{bishops} w - 1", rules=SHOGI).lift("2b").show("3c", "b").wait(3)

    sente.lift("7g").show("6h", "B").press("black").wait(5)
    gote.lift("3c").show("4b", "b").press("white").wait(5)

    assert [type(fact) for fact in gote.facts] == [type(fact) for fact in sente.facts]
