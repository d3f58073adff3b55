"""A board that only counts pieces, and no clock: a capture is a piece that is gone."""

from __future__ import annotations

from arbiterd.rules.ruleset import Colour
from arbiterd.tracking.facts import Gap, How, MoveMade, MoveReplaced, PlyCertainty, Settled
from eboards.events import CHESS_BOARD, SensingClass

from .hands import Hands

TWO_PAWNS = "4k3/8/5n2/3p1p2/4P3/8/8/4K3 w - - 0 1"
"""The pawn of e4 may take d5 or f5; the knight of f6 may take it back on d5."""


def counted(fen: str) -> Hands:
    hands = Hands(fen, kind=SensingClass.OCCUPANCY)
    hands.pieces = list(hands.tracker._belief.image.shown)
    return hands


def test_a_piece_that_stays_away_has_taken_one_of_those_it_could() -> None:
    hands = counted(TWO_PAWNS).lift("e4").wait(5)

    (made,) = hands.of(MoveMade)
    assert {made.move, *made.alternatives} == {"e4d5", "e4f5"}
    assert (made.sureness, made.how) == (PlyCertainty.LIKELY, How.INFERRED)


def test_a_piece_that_comes_back_has_taken_nobody() -> None:
    hands = counted(TWO_PAWNS).lift("e4").wait(1).show("e4", "?").wait(5)

    assert hands.moves == []
    assert hands.of(MoveMade) == []


def test_two_captures_in_a_hurry_are_two_captures() -> None:
    """Nobody waits four seconds before taking back."""
    hands = counted(TWO_PAWNS).lift("e4").wait(1).lift("f6").wait(5)

    assert hands.moves == ["e4d5", "f6d5"]
    assert hands.of(Settled) == []


def test_a_capture_that_could_be_no_other_is_sure_once_it_is_answered() -> None:
    hands = counted("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1").lift("e4").wait(5)
    assert hands.of(MoveMade)[0].sureness is PlyCertainty.LIKELY, "a hand may still hold it"

    hands.move("e8", "e7").wait(5)
    assert hands.moves == ["e4d5", "e8e7"]
    (sure,) = hands.of(MoveReplaced)
    assert (sure.ply, sure.sureness, sure.alternatives) == (1, PlyCertainty.CERTAIN, ())


def test_who_was_taken_may_show_many_moves_later() -> None:
    """White took on d5 or f5; both kings walk about; then a pawn leaves d5: it is still there."""
    hands = counted("4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1").lift("e4").wait(5)
    assert hands.moves == ["e4d5"]
    for _ in range(6):
        hands.move("e8", "e7").wait(5).move("e1", "f1").wait(5)
        hands.move("e7", "e8").wait(5).move("f1", "e1").wait(5)

    hands.move("d5", "d4").wait(5)
    assert (hands.moves[0], hands.moves[-1]) == ("e4f5", "d5d4")


def test_nothing_is_searched_for_an_irregular_move() -> None:
    """A piece that jumps where none can: the board is lost, and nobody has played out of turn."""
    hands = counted("").move("e2", "e4").wait(5).move("b8", "b5").wait(5)

    assert hands.moves == ["e2e4"]
    (lost,) = hands.of(Settled)
    assert [CHESS_BOARD.names[square] for square in lost.squares] == ["b8", "b5"]
    assert hands.of(Gap) == []


def test_who_was_lifted_and_set_down_again_is_the_one_that_was_taken() -> None:
    """The queen leaves d4, then a piece leaves g4 and one is set down there: not Qxd5 or Qxc4."""
    fen = "1K4k1/2Q2p2/8/3B2n1/2Pq2P1/8/8/8 b - - 6 58"
    hands = counted(fen)
    hands.tracker.clock(0, Colour.BLACK, True)
    hands.lift("d4").lift("g4").show("g4", "?").press("black").wait(5)

    assert hands.moves == ["d4g4"]
    assert not hands.empty_presses
