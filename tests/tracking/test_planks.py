"""Guadalete: a pawn that is only taken up may have become a plank, or be on its way."""

from __future__ import annotations

from arbiterd.rules.guadalete import GUADALETE
from arbiterd.rules.ruleset import Colour

from .hands import SECOND, Hands


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
