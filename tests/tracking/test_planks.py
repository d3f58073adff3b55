"""Guadalete: a pawn that is only taken up may have become a plank, or be on its way."""

from __future__ import annotations

from arbiterd.rules.guadalete import GUADALETE
from arbiterd.rules.ruleset import Colour

from .hands import MS, SECOND, Hands


def test_a_reply_that_shows_twice_for_a_moment_makes_no_plank_of_a_pawn_in_the_air() -> None:
    """The queen stands on b8, and d8 shows it too until the next message: a doubt. The pawn of h2
    comes down on h3; that of g2 becomes a plank, and three presses are heard of at once."""
    hands = Hands("3q4/6k1/8/8/8/8/6PP/4K3 w - - 0 30 - 4/4", rules=GUADALETE)
    hands.lift("h2").show("b8", "q", 0.26).lift("d8", 0.01).show("h3", "P", 0.15)
    hands.lift("g2", 0.47)
    for followed, side in ((2, Colour.WHITE), (1, Colour.BLACK), (0, Colour.WHITE)):
        hands.facts += hands.tracker.pressed(hands.now_ns, side, SECOND, followed, False)
    hands.move("g7", "h7").press("black").wait(5)

    assert hands.moves == ["h2h3", "d8b8", "g2g4t", "g7h7"]
    assert not hands.empty_presses


def test_a_pawn_that_was_taken_up_and_pressed_for_has_become_a_plank_and_is_in_no_hand() -> None:
    """Two presses heard together are for the half-moves before those of g6 and f2; so the next one,
    with a pawn and a rook up, is for f2 and no press before a pawn comes down."""
    fen = "4k2r/4n3/4p1p1/8/8/3P4/2R1K3/8 w - - 0 41 a4,a5,b4,b5,c4,d5,e4,f5,g4,h4,h5 6/5"
    hands = Hands(fen, rules=GUADALETE, scan_ns=225 * MS)
    hands.lift("c2", 0.65).show("c3", "R", 0.42).lift("h8", 0.78).show("h1", "r", 0.42)
    hands.lift("e2", 0.86).lift("g6", 0.34).show("f2", "K", 0.11).wait(0.41).press_of_two("white")
    hands.lift("d3", 1.35).lift("h1", 0.22).press("white").show("e1", "r", 0.54).press("black")
    hands.lift("f2", 0.41).show("e1", "K", 0.25).press("white")
    hands.lift("e7", 0.17).show("c8", "n", 0.41).press("black").wait(5)

    expected = ["c2c3", "h8h1", "e2f2", "g6g5t", "d3d4t", "h1e1", "f2e1", "e7c8"]
    assert hands.moves == expected
    assert not hands.empty_presses
