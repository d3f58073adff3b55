"""Pieces that come from beside the board: no square tells that they were taken up."""

from __future__ import annotations

import pytest

from arbiterd.rules.registry import ruleset
from arbiterd.rules.ruleset import Colour
from arbiterd.rules.shogi import ShogiRules
from arbiterd.tracking.facts import OutOfTurn, PlyCertainty
from eboards.events import SensingClass

from .hands import MS, Hands

SHOGI = ruleset("shogi")
KINGS = "4k4/9/9/9/9/9/9/9/4K4 b {} 1"
SHOWS_LATE = 1.2
"""Seconds after its press: the coil had missed it."""


def at(in_hand: str) -> Hands:
    return Hands(KINGS.format(in_hand), rules=SHOGI)


def test_a_dropped_piece_may_show_well_after_its_press() -> None:
    hands = at("GP").press("black").wait(SHOWS_LATE).show("5e", "G").wait(5)

    assert hands.moves == ["G*5e"]
    assert not hands.empty_presses


def test_who_has_nothing_in_hand_has_dropped_nothing() -> None:
    hands = at("-").press("black").wait(SHOWS_LATE)

    assert len(hands.empty_presses) == 1


@pytest.mark.parametrize(("lies_there", "said"), [("GP", 1), ("P", 0)])
def test_a_stand_tells_whether_a_piece_was_dropped(lies_there: str, said: int) -> None:
    """The gold lies on it yet, or has gone."""
    assert isinstance(SHOGI, ShogiRules)
    hands = at("GP")
    pieces = SHOGI.read_beside(lies_there)[Colour.BLACK]
    hands.facts += hands.tracker.beside(hands.now_ns, Colour.BLACK, pieces)
    hands.press("black").wait(SHOWS_LATE)

    assert len(hands.empty_presses) == said


def test_who_moved_a_piece_on_the_board_where_it_may_not_go_has_dropped_none() -> None:
    hands = at("GP").move("5i", "5g").press("black").wait(SHOWS_LATE)

    assert len(hands.empty_presses) == 1


def test_a_reply_may_stand_before_the_drop_that_it_replies_to() -> None:
    """The pawn steps on before the bishop is down. Nobody sees when the bishop was taken up; it was
    no gold dropped before, taken by the pawn."""
    hands = Hands("4k4/9/9/9/p5p2/6P2/9/9/4K4 b BG 1", rules=SHOGI)
    hands.lift("9e").show("9f", "p", 0.25).show("9a", "B", 0.1)
    hands.wait(0.6).press_of_two("black").lift("3e").lift("3f").show("3e", "P").press("black")

    assert hands.moves == ["B*9a", "9e9f", "3f3e"]
    assert not hands.empty_presses


def dropped_on(squares: list[str]) -> Hands:
    """One of five kinds on each of these, on a board that only counts; White's king steps."""
    hands = Hands(KINGS.format("2G2S2N2L2P"), rules=SHOGI, kind=SensingClass.OCCUPANCY)
    hands.pieces = ["?" if piece != "." else piece for piece in hands.pieces]
    for square, step in zip(squares, ("5a5b", "5b5a", "5a5b"), strict=False):
        hands.show(square, "?").press("black").wait(5)
        hands.lift(step[:2]).show(step[2:], "?").press("white").wait(5)
    return hands


@pytest.mark.parametrize(("squares", "accused"), [(["5f", "4f"], 1), (["5f", "4f", "3f"], 0)])
def test_where_more_was_likely_than_is_held_nobody_is_accused(
    squares: list[str], accused: int
) -> None:
    """Two drops are held in all their ways, and a king that leaps has leapt; three drops are not:
    what leapt may be another piece."""
    hands = dropped_on(squares).lift("5i").show("7g", "?").press("black").wait(9)

    assert len(hands.empty_presses) == accused


def test_where_more_was_likely_than_is_held_no_half_move_is_certain_any_more() -> None:
    """Nor is one later, when what follows has been played."""
    hands = dropped_on(["5f", "4f", "3f"])
    hands.lift("5i").show("5h", "?").press("black").wait(5)
    hands.lift("5b").show("5a", "?").press("white").wait(5)

    sure = [ply.sureness is PlyCertainty.CERTAIN for ply in hands.tracker.record.plies]
    assert sure == [False, True, False, True, False, False, False, False]


def test_a_piece_that_shows_where_it_goes_before_it_has_left_was_not_dropped() -> None:
    """A gold is in hand too; the reply is begun before the square it left reads empty."""
    hands = Hands("4k4/9/9/9/4+b4/5P3/9/9/2G1K4 b G 1", rules=SHOGI)
    hands.show("7h", "G").lift("5e", 0.17).lift("7i", 0.1).wait(0.6).press("black")
    hands.show("4f", "+b", 0.08).wait(0.9).press("white")
    assert hands.moves == ["7i7h", "5e4f"]

    hands.lift("5i").show("4h", "K", 0.5).press("black").wait(5)
    assert hands.moves == ["7i7h", "5e4f", "5i4h"]
    assert hands.quiet


def test_a_drop_that_shows_after_the_reply_to_it_is_found_before_that() -> None:
    """Gold takes on 3a, and the bishop shows on 2b for a while; the lance of 6i is noticed after
    the rook has come to 2b, and a silver and a bishop are dropped right after."""
    fen = "1n1g2Bn1/2r3g2/1ppk1p1pl/3p2p1p/9/2P6/+lP2PPPPP/3SGKR2/LN3GSNL w B2S2P2p 22"
    hands = Hands(fen, rules=SHOGI, moves=("P*9b", "8i9g"))
    hands.play((0.94, "3b", "."), (1.14, "3a", "g"), (1.17, "2b", "B"), (1.62, "2b", "."))
    hands.play((1.99, "white", "presses"), (2.51, "7b", "."), (2.74, "2b", "r"), (2.91, "6i", "L"))
    hands.play((2.99, "black", "presses"), (3.74, "2f", "S"), (3.86, "7b", "b"))
    hands.play((3.99, "white", "both"), (4.62, "2e", "S"), (4.99, "white", "both"))
    hands.wait(5)

    assert hands.moves[2:] == ["3b3a", "L*6i", "7b2b", "S*2f", "B*7b", "S*2e"]


def test_a_piece_laid_beside_the_square_where_it_was_taken_was_not_dropped() -> None:
    """A gold takes the pawn of 3g, which lies on 3h for a moment: Black pressed for ...8f, and has
    taken nothing back."""
    fen = "ln2k1s2/rs3g2l/+B1pp1pppn/1p3P2p/9/P2g2g2/1PP1S1PPP/3K3SL/LNBG2RN1 b 3Pp 55"
    hands = Hands(fen, rules=SHOGI)
    hands.play((0.75, "8g", "."), (1.24, "3f", "."), (1.47, "8f", "P"), (2.01, "3g", "g"))
    hands.play((2.29, "3h", "P"), (2.79, "black", "presses"), (3.04, "3h", "."))
    hands.play((3.79, "white", "presses")).wait(10)

    assert hands.moves == ["8g8f", "3f3g"]
    assert hands.quiet


def test_a_dropped_piece_may_stand_before_what_it_replies_to() -> None:
    """The pawn comes to 2i while the bishop is in the air over the knight of 6f, and the silver to
    7c while the pawn of 1f is up."""
    fen = "bnk6/lr6l/6+Ss1/1pg2G3/2ppLPP2/2P1nS2p/1G2P1N2/p4G2L/+b3K4 w SN6Pr3p 116"
    hands = Hands(fen, rules=SHOGI)
    hands.play((0.54, "2g", "p"), (1.18, "6f", "N"), (1.7, "white", "both"), (2.53, "6f", "."))
    hands.play((2.62, "2i", "P"), (3.05, "9i", "."), (3.21, "6f", "+b"), (3.7, "white", "both"))
    hands.play((3.9, "1f", "."), (4.03, "7c", "S"), (4.15, "1g", "p")).wait(5)

    assert hands.moves == ["P*2g", "N*6f", "9i6f", "P*2i", "1f1g", "S*7c"]
    assert hands.quiet


def test_a_reply_may_stand_before_a_drop_though_nothing_else_is_in_the_air() -> None:
    """The rook comes to 3a while the lance is in the hand. The silver of 3h was tried elsewhere
    before, and put back."""
    fen = "+P8/2gs5/1psr4L/2p6/P2pkpp2/6g2/N5P1L/L2G+BSS2/5KNNB b GLPrn9p 129"
    hands = Hands(fen, rules=SHOGI)
    hands.play((0.65, "5h", "."), (0.86, "4g", "n"), (0.97, "black", "presses"), (1.05, "7f", "+B"))
    hands.play((1.97, "white", "presses"), (3.13, "3h", "."), (3.31, "1f", "S"), (3.76, "1f", "."))
    hands.play((4.01, "2g", "S"), (6.49, "2g", "."), (6.73, "3h", "S"), (8.58, "3a", "r"))
    hands.play((8.62, "9c", "L"), (8.97, "black", "both"), (9.76, "1c", "."), (9.94, "1a", "+L"))
    hands.wait(5)

    assert hands.moves == ["5h7f", "N*4g", "L*9c", "R*3a", "1c1a+"]
    assert hands.quiet


def test_a_piece_that_was_tried_elsewhere_replies_to_no_drop() -> None:
    """The king went to 5a and back, and shows on 4a before it has left 5b. Sente has a bishop in
    hand, and has dropped none."""
    fen = "1n4s2/lr1sk1g1l/p2p3pn/P1p2+B2p/1p1g2p2/1P2P4/L2P1PPPP/3G1K1R1/SN2G1SNL b B2Pp 39"
    hands = Hands(fen, rules=SHOGI, scan_ns=225 * MS)
    hands.play((1.02, "2h", "."), (1.25, "3h", "R"), (1.77, "black", "presses"), (3.57, "5b", "."))
    hands.play((3.99, "5a", "k"), (6.02, "5a", "."), (6.27, "5b", "k"), (7.59, "4a", "k"))
    hands.play((7.62, "5b", "."), (8.45, "3h", "."), (8.45, "1h", "R"), (8.77, "white", "both"))

    assert hands.wait(5).moves == ["2h3h", "5b4a", "3h1h"]
    assert hands.quiet


def test_two_moves_in_a_row_are_no_reply_to_a_drop_that_never_comes() -> None:
    """Gote has a gold in hand, and sente moves again: once the hands have left, it is said."""
    hands = Hands("4k4/9/9/9/9/9/9/7R1/4K4 b g 1", rules=SHOGI)
    hands.move("2h", "6h").press("black").wait(1).move("5i", "5h").wait(9)

    assert hands.moves == ["2h6h"]
    assert [fact.side for fact in hands.of(OutOfTurn)] == [Colour.BLACK]


def test_a_press_is_for_what_stands_while_the_other_sides_piece_is_in_the_hand() -> None:
    """Sente pressed for S*5c, and takes up the gold of 8a for its reply to R*1a before the clock
    has told: nobody sees the rook in gote's hand."""
    fen = "1Gn2s3/P+r2g2B1/1P1k3pl/4sP1Pp/1bp1G4/1L7/2npN1+plP/9/2G1K3L b 2S4Prn4p 169"
    hands = Hands(fen, rules=SHOGI, scan_ns=225 * MS)
    hands.play((1.13, "5c", "S"), (1.53, "8a", "."), (1.75, "black", "presses"), (1.78, "8b", "G"))
    hands.play((2.0, "7b", "+r"), (2.45, "7b", "."), (2.67, "1a", "r"), (2.75, "white", "both"))

    assert hands.wait(5).moves == ["S*5c", "R*1a", "8a8b"]
    assert not hands.empty_presses


def test_a_captured_piece_laid_down_after_the_reply_to_its_capture_was_not_dropped() -> None:
    """Sente's lance came to 9d before the silver took the promoted knight of 1c, which is laid on
    2b then, where a lance of gote's hand had been held for a moment before."""
    fen = "3sk2n1/1P1gp3p/n2G3pl/2pp2BsP/l3PpPN1/2S6/1+p1PSK1n1/L1RRG2+p1/3G3+p1 b Pbl3p 117"
    hands = Hands(fen, rules=SHOGI, scan_ns=250 * MS)
    hands.play((1.18, "2e", "."), (1.37, "1c", "+N"), (1.59, "2b", "l"), (1.84, "2b", "."))
    hands.play((3.05, "black", "presses"), (24.15, "2d", "."), (25.38, "9d", "L"))
    hands.play((25.62, "1c", "s"), (25.84, "2b", "+N"), (26.09, "2b", "."))

    assert hands.wait(5).moves == ["2e1c+", "2d1c", "L*9d"]
    assert hands.quiet
