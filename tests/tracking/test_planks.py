"""Guadalete: a pawn that is only taken up may have become a plank, or be on its way."""

from __future__ import annotations

from arbiterd.rules.guadalete import GUADALETE
from arbiterd.rules.ruleset import Colour
from arbiterd.tracking.facts import IrregularEntered

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


def test_a_plank_is_made_before_the_half_move_it_replies_to_has_been_set_down() -> None:
    """The pawn of h2 is off before that of h7 has come down on h6; that of e7 follows it into the
    river, and a knight of each side goes out. Only lifts tell of the two planks."""
    hands = Hands(moves=("e2e4t", "d7d5t"), rules=GUADALETE)
    hands.play((1.83, "d2", "."), (2.01, "e4", "P"), (2.23, "e4", "."), (2.48, "d3", "P"))
    hands.play((3.06, "h7", "."), (3.2, "h2", "."), (3.54, "h6", "p"), (4.18, "white", "presses"))
    hands.play((4.4, "e7", "."), (4.57, "g1", "."), (4.81, "b8", "."), (5.07, "d7", "n"))
    hands.play(
        (5.18, "black", "presses"), (5.19, "h3", "N"), (6.18, "white", "presses"), (6.36, "c1", ".")
    )
    hands.play((6.53, "e3", "B"), (7.18, "black", "presses"), (7.18, "white", "presses")).wait(5)

    expected = ["d2d3", "h7h6", "h2h4t", "e7e5t", "g1h3", "b8d7", "c1e3"]
    assert hands.moves[2:] == expected
    assert hands.quiet


def test_a_plank_is_made_while_the_king_it_replies_to_is_on_its_way() -> None:
    """The pawn of a2 is off before the king has come back to g6, which goes on before the white one
    has come down."""
    fen = "8/Q7/6k1/8/8/1N2PP2/P4K2/6NB w - - 7 47 a5,b4,b5,c4,c5,d4,d5,e5,f5,h4,h5 4/7"
    hands = Hands(fen, rules=GUADALETE).move("a7", "b7").press("white")
    hands.play((1.73, "g6", "."), (1.87, "h1", "."), (1.92, "g7", "k"), (2.06, "g2", "B"))
    hands.play((2.37, "g7", "."), (2.4, "h6", "k")).wait(0.33).press_of_two("black")
    hands.play((2.85, "h6", "."), (2.94, "a2", "."), (3.3, "g6", "k"), (3.73, "black", "presses"))
    hands.play((4.43, "g6", "."), (4.54, "f2", "."), (4.76, "e2", "K"), (4.87, "f6", "k"))
    hands.play((5.32, "f6", "."), (5.73, "white", "presses"), (5.78, "g6", "k"), (6.63, "b7", "."))
    hands.play((6.73, "black", "presses"), (6.83, "c8", "Q"), (7.73, "white", "presses")).wait(5)

    expected = ["a7b7", "g6h6", "h1g2", "h6g6", "a2a4t", "g6f6", "f2e2", "f6g6", "b7c8"]
    assert hands.moves == expected


def test_a_pawn_is_pressed_for_while_the_reply_takes_it() -> None:
    """It stood on c6 and is off again when both presses are heard: it has not gone on to the
    river."""
    fen = "2k3nr/2pn1pq1/rp2p2p/8/3N4/2P1P3/PPK1B3/R1B4R w - - 0 19 a5,d4,d5,f4,g4,g5,h4 4/3"
    hands = Hands(fen, rules=GUADALETE)
    hands.play((1.27, "c2", "."), (1.43, "a4", "K"), (1.58, "c7", "."), (1.61, "c6", "p"))
    hands.play((1.88, "a4", "."), (2.14, "b3", "K"), (2.96, "c6", ".")).wait(0.17)
    hands.press_of_two("white")
    hands.play((3.24, "d4", "."), (3.41, "c6", "N"), (4.13, "white", "presses")).wait(5)

    assert hands.moves == ["c2b3", "c7c6", "d4c6"]


def test_a_pawn_taken_up_while_the_reply_takes_is_no_plank_yet() -> None:
    """White's press is for Ra3, which Black takes off with the rook of a5 in the air, and the pawn
    of d2 up already for d3."""
    fen = "2bq1bnr/4pkp1/1n1p1p1p/r7/7R/6Q1/1PPPNPB1/RNBK4 w - - 1 12 a4,a5,b5,c5,e4,g4,h4 4/3"
    hands = Hands(fen, rules=GUADALETE)
    hands.play((0.37, "a1", "."), (0.76, "a3", "R"), (1.44, "a3", "."), (1.61, "a5", "."))
    hands.play((1.7, "d2", "."), (1.75, "white", "presses"), (1.89, "a3", "r"), (1.9, "d3", "P"))
    hands.play((2.69, "f7", "."), (2.75, "black", "both"), (2.97, "e5", "k"), (3.2, "e5", "."))
    hands.play((3.62, "e6", "k"), (3.75, "black", "presses")).wait(5)

    assert hands.moves == ["a1a3", "a5a3", "d2d3", "f7e6"]
    assert hands.quiet


def test_a_king_that_is_held_over_its_square_was_pressed_for_and_no_pawn_became_a_plank() -> None:
    """Black holds the king while the rook takes the pawn of e6, and both presses are heard before
    it shows on a7: it sets down what a pawn would not."""
    fen = "k7/6pB/2R1p3/7b/8/P2K2PN/7P/7R w - - 1 51 a5,b4,b5,c4,c5,d4,d5,e4,f4,f5,h5 5/6"
    hands = Hands(fen, rules=GUADALETE, scan_ns=225 * MS)
    hands.play((1.09, "c6", "."), (1.31, "b6", "R"), (2.04, "white", "presses"))
    hands.play((2.15, "a8", "."), (2.21, "b6", "."), (2.45, "e6", "."), (2.9, "e6", "R"))
    hands.play((3.04, "black", "both"), (3.08, "a7", "k"), (3.76, "a7", "."), (3.95, "a8", "k"))

    assert hands.wait(5).moves == ["c6b6", "a8a7", "b6e6", "a7a8"]
    assert hands.quiet


def test_a_pawn_on_its_way_is_not_misread_while_the_reply_makes_a_plank() -> None:
    """The pawn of e7 is off already as that of f2 shows on g3, on its way to f3."""
    hands = Hands(rules=GUADALETE, scan_ns=225 * MS)
    hands.play((0.62, "f2", "."), (0.7, "e7", "."), (0.82, "g3", "P"), (1.04, "g3", "."))
    hands.play((1.26, "f3", "P"), (2.18, "d2", "."), (2.24, "white", "both"))
    hands.play((3.24, "white", "presses"), (3.4, "g7", "."), (4.24, "black", "presses"))
    hands.play((4.67, "h2", "."), (5.24, "white", "presses"), (5.61, "d8", "."), (5.87, "e7", "q"))

    assert hands.wait(5).moves == ["f2f3", "e7e5t", "d2d4t", "g7g5t", "h2h4t", "d8e7"]
    assert hands.quiet


def test_a_pawn_that_is_put_right_after_its_press_is_no_plank() -> None:
    """b6 was pressed for ten seconds before it is lifted and put back, and g4 before that."""
    fen = "rnb1kb1r/ppp4n/4p3/7R/8/Q6N/PP1BPPP1/3RKB2 w kq - 2 11 c4,d4,d5,f5,g5,h4,h5 3/4"
    hands = Hands(fen, rules=GUADALETE, scan_ns=250 * MS)
    hands.play((1.21, "g2", "."), (1.96, "white", "presses"), (23.03, "b7", "."))
    hands.play((23.56, "b6", "p"), (23.96, "black", "presses"), (33.81, "b6", "."))
    hands.play((34.31, "b6", "p"), (48.31, "h7", "."), (49.37, "h5", "."), (50.31, "h7", "R"))
    hands.play((50.96, "white", "presses")).wait(5)

    assert hands.moves == ["g2g4t", "b7b6", "h5h7"]
    assert hands.quiet


def test_a_pawn_that_is_put_right_after_it_was_shifted_is_no_plank() -> None:
    """Two pawns of Black's are shifted on White's time, and stay for six seconds: the first one to
    be lifted again was a reply to something that White had played."""
    hands = Hands(moves=("h2h3", "d7d5t"), rules=GUADALETE)
    hands.play((3.35, "a7", "."), (3.38, "a6", "p"), (3.61, "b7", "."), (3.64, "b6", "p"))
    hands.wait(5).play((9.88, "a6", "."), (10.14, "b6", "."), (11.1, "a7", "p"), (11.9, "b7", "p"))
    hands.wait(5)

    assert hands.moves == ["h2h3", "d7d5t"]
    assert not hands.of(IrregularEntered)
