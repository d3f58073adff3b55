"""Scrambles: which half-move a press is for, while hands are over one another."""

from __future__ import annotations

import pytest

from arbiterd.rules.ruleset import Colour
from arbiterd.tracking.facts import Pressed

from .hands import MS, SECOND, Hands


def test_a_press_that_came_while_the_piece_stood_was_for_that_half_move() -> None:
    """White's queen stood on c2 when the clock spoke; it then went on to c8 with a stop on c3."""
    hands = Hands("8/p3q1p1/1pQ1p1k1/1P2P1p1/6P1/8/5P2/6K1 w - - 5 43")
    hands.move("c6", "c2").wait(0.6).lift("g6").lift("c2").press("white")
    hands.show("f7", "k").show("c3", "Q").lift("c3").show("c8", "Q").press("white").wait(5)

    assert hands.moves == ["c6c2", "g6f7", "c2c8"]
    assert hands.quiet


def test_a_press_waits_while_the_piece_it_would_be_for_is_in_the_air_again() -> None:
    """The knight stops on c4 on its way to b3; Black has replied, and White's press is heard."""
    hands = Hands("r4rk1/pp1qnppp/1bn1p3/3pP3/1P1P4/P2Q1N2/3N1PPP/R1B2RK1 w - - 5 14")
    hands.lift("d2").show("c4", "N").lift("c4").lift("f7").show("f6", "p").press("white")
    hands.show("b3", "N").press("black").wait(5)

    assert hands.moves == ["d2b3", "f7f6"]
    assert hands.quiet


def test_a_press_counts_though_both_sides_have_lifted_their_next_pieces() -> None:
    """...b6; White's king is castling, Black's queen is in the air, and ...b6 is pressed."""
    hands = Hands("3q1rk1/ppr1n1b1/2nNb1p1/2Pp1p1p/1P2pB1P/3P2P1/4PPBN/1RQ1K2R b K - 5 19")
    hands.lift("b7").lift("e1").show("b6", "p").show("g1", "K").lift("d8").press("black")
    hands.lift("h1").show("d7", "q").show("f1", "R").press("black").wait(5)

    assert hands.moves == ["b7b6", "e1g1", "d8d7"]
    assert hands.quiet


def test_a_press_that_may_be_the_half_move_before_s_does_not_say_that_a_piece_had_stopped() -> None:
    """The bishop rests on h3 while Black replies; the press heard then was for Black's ...Nf6."""
    hands = Hands("rnbqkbnr/ppp2ppp/4p3/3p4/2P5/5N2/PP1PPPPP/RNBQKB1R w KQkq - 0 3")
    hands.move("g2", "g3").press("white").move("g8", "f6").lift("f1").show("h3", "B")
    hands.lift("f8").lift("h3").show("d6", "b")
    hands.facts += hands.tracker.pressed(hands.now_ns + 50_000_000, Colour.BLACK, 1_000_000_000)
    hands.show("g2", "B").wait(0.6).move("b1", "c3").press("white").wait(5)

    assert hands.moves == ["g2g3", "g8f6", "f1g2", "f8d6", "b1c3"]
    assert hands.quiet


def test_a_press_heard_while_its_piece_lies_beside_the_square_where_it_was_taken() -> None:
    """...a6, and White takes on c6 before Black has pressed: the knight shows on b6 for a while."""
    hands = Hands("r4rk1/pppqbpp1/2npbn1p/1B2p3/P3P3/3P1N1P/1PPN1PP1/R1BQR1K1 b - - 1 10")
    hands.lift("a7").lift("b5").show("a6", "p").show("b6", "n").show("c6", "B")
    hands.press("black").wait(1).lift("b6").press("white").wait(5)

    assert hands.moves == ["a7a6", "b5c6"]
    assert hands.quiet


def test_a_press_of_before_the_reply_is_for_what_stood_before_it() -> None:
    """White pressed for h7 and has the pawn in hand again as Black's king arrives on d7."""
    hands = Hands("4k3/2p5/7P/1p1P4/P7/2N1p3/1PP5/1K6 w - - 0 36")
    hands.move("h6", "h7").wait(0.5).lift("e8").lift("h7").press("white")
    hands.show("d7", "k").show("h8", "P").wait(0.2).show("h8", "Q").wait(5)

    assert hands.moves == ["h6h7", "e8d7", "h7h8q"]
    assert hands.quiet


def test_an_illegal_move_is_no_press_for_a_half_move_of_before_the_reply() -> None:
    """c2-c4 with a rest on c3, the reply at once, and both presses between two messages. A bishop
    then steps where it cannot: its press was for that, and not for the pawn."""
    hands = Hands("rnbqkb1r/ppp1pppp/5n2/3p4/3P4/5N2/PPP1PPPP/RNBQKB1R w KQkq - 0 3")
    hands.move("c2", "c3").lift("c3").lift("e7").show("e6", "p").show("c4", "P").wait(3)
    hands.move("c1", "c2").press("white").wait(8)

    assert len(hands.empty_presses) == 1
    assert hands.moves == ["c2c4", "e7e6"]


def test_a_press_with_two_half_moves_to_be_for_is_for_the_one_that_stood() -> None:
    """White's bishop stood on b6 for a second when the clock spoke, the king came to c2 just then,
    and Black's rook was on its way to e1: it had only stopped on e3."""
    hands = Hands("7k/2R4p/5b2/1p2p3/4rp2/4B1P1/PP3P1P/1K6 w - - 0 35", scan_ns=28 * MS)
    hands.lift("e3").show("b6", "B").lift("e4", 0.75).show("e3", "r", 0.03).lift("b1", 0.05)
    hands.lift("e3", 0.18).show("c2", "K", 0.02)
    hands.facts += hands.tracker.pressed(hands.now_ns, Colour.WHITE, SECOND)
    hands.show("e1", "r", 0.26).wait(0.4).press("black").wait(5)

    assert hands.moves == ["e3b6", "e4e1", "b1c2"]
    assert hands.quiet


def test_a_press_with_the_next_piece_in_the_hand_waits_for_the_next_scan() -> None:
    """Black forgot to press for the rook; its pawn was down before the press, and shows after."""
    hands = Hands("7r/3R2p1/2P2k2/8/8/8/8/K7 b - - 0 50")
    hands.move("h8", "f8").wait(3).move("c6", "c7").wait(0.6).lift("g7").wait(0.5)
    hands.press("black").show("g5", "p", 0.1).wait(5)

    assert [fact.move for fact in hands.facts if isinstance(fact, Pressed)] == ["g7g5"]


def test_where_that_piece_does_not_come_the_press_was_for_what_stands() -> None:
    hands = Hands("7r/3R2p1/2P2k2/8/8/8/8/K7 b - - 0 50")
    hands.move("h8", "f8").wait(3).move("c6", "c7").wait(0.6).lift("g7").wait(0.5)
    hands.press("black").wait(2)

    assert [fact.move for fact in hands.facts if isinstance(fact, Pressed)] == ["h8f8"]
    assert hands.show("g5", "p").wait(5).moves == ["h8f8", "c6c7", "g7g5"]


def test_presses_heard_together_wait_for_the_piece_that_had_only_rested() -> None:
    """The pawn stood on d6 for a moment, in the way of White's reply; it shows on d5 after both."""
    hands = Hands(moves=("d2d4", "g8f6", "c2c4", "e7e6", "g1f3"))
    hands.wait(1).lift("d7").show("d6", "p", 0.1).lift("g2", 0.12).lift("d6", 0.1)
    hands.show("g3", "P", 0.3).wait(0.1).press_of_two("black").show("d5", "p", 0.02).wait(5)

    assert hands.moves[5:] == ["d7d5", "g2g3"]
    assert [fact.move for fact in hands.facts if isinstance(fact, Pressed)] == ["d7d5", "g2g3"]


def test_the_first_of_two_presses_was_for_what_stood_though_its_piece_has_moved_on_early() -> None:
    """The rook stood on h3 for nine tenths of a second, and goes on while the bishop replies."""
    hands = Hands("7r/2B3k1/8/8/8/8/8/6K1 b - - 0 50")
    hands.wait(1).lift("h8").show("h3", "r", 0.37).lift("c7", 0.54).lift("h3", 0.36)
    hands.show("h5", "r", 0.17).press_of_two("black").show("g3", "B", 0.04).wait(5)

    assert hands.moves == ["h8h3", "c7g3", "h3h5"]
    assert [fact.move for fact in hands.facts if isinstance(fact, Pressed)] == ["h8h3", "c7g3"]


def test_a_bishop_taken_back_while_the_reply_is_in_the_air_was_not_pressed_for_in_vain() -> None:
    """Bd5-c6 is pressed for as Black takes up the king, and White goes back to d5 before that is
    down: where the king lands tells that White had moved."""
    hands = Hands("3r4/p5k1/3PR3/2pB3p/2Pb2p1/6P1/P5K1/8 w - - 0 44", scan_ns=225 * MS)
    hands.move("d5", "c6").lift("g7", 0.66).lift("c6", 0.015).press("white")
    hands.show("e4", "B").lift("e4").show("d5", "B").show("f7", "k", 0.4).wait(0.6)
    hands.press_of_two("black").wait(5)

    assert hands.moves == ["d5c6", "g7f7", "c6d5"]
    assert hands.quiet


def test_a_half_move_pressed_for_while_the_reply_rests_on_its_way_is_seen_once_that_is_up() -> None:
    """Rc4 and its press come while White's king stops on e2; the rook goes on to c7 before the
    king is down on d1. It moved twice, and the second time before the reply was made."""
    hands = Hands("8/8/8/p5p1/P6p/3k4/2r5/4K3 b - - 3 85", scan_ns=225 * MS)
    hands.wait(5).lift("c2").show("e2", "K", 0.46).lift("e1", 0.03).show("c4", "r", 0.13)
    hands.wait(0.05).facts += hands.tracker.pressed(hands.now_ns, Colour.BLACK, SECOND)
    hands.lift("e2", 0.01).lift("c4", 0.61).show("c7", "r", 0.14).show("d1", "K", 0.17)
    hands.wait(0.06).facts += hands.tracker.pressed(hands.now_ns, Colour.WHITE, SECOND)
    hands.lift("d1", 0.84).show("e1", "K", 0.45).wait(0.71).press_of_two("black")
    hands.lift("c7", 0.02).show("c2", "r", 0.37).wait(5)

    assert hands.moves == ["c2c4", "e1d1", "c4c7", "d1e1", "c7c2"]
    assert hands.quiet


def test_a_press_just_after_an_unlawful_move_is_for_that_and_no_press_forgotten_before() -> None:
    """...Bf7 was not pressed for, nor was Qg4. ...Be7 is no move, and pressed for within 0.2 s."""
    hands = Hands("r4r1k/1p4p1/2p2pQp/p2b1P2/P4B2/2q5/6PP/3R1R1K b - - 1 31", scan_ns=250 * MS)
    hands.wait(5).move("d5", "f7").wait(20).move("g6", "g4").lift("f7", 3.9).show("e7", "b", 0.5)
    hands.wait(0.21).facts += hands.tracker.pressed(hands.now_ns, Colour.BLACK, SECOND)
    hands.wait(5)

    assert hands.moves[:2] == ["d5f7", "g6g4"]
    assert [press.side for press in hands.empty_presses] == [Colour.BLACK]


def test_presses_heard_together_are_for_nothing_that_came_down_after_them() -> None:
    """...Ne4 and d4 are pressed for; Bxc6 is down before ...Nd6, whose press comes next."""
    hands = Hands("r1bqkb1r/pppp1ppp/2n2n2/1B2p3/4P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4")
    hands.wait(5).lift("f6").lift("d2", 0.11).show("d4", "P", 0.39).show("e4", "n", 0.01)
    hands.lift("e4", 1.12).lift("b5", 0.19).wait(0.02).press_of_two("black")
    hands.show("c6", "B", 0.18).show("d6", "n", 0.23).wait(0.6)
    hands.facts += hands.tracker.pressed(hands.now_ns, Colour.BLACK, SECOND)
    hands.lift("c8", 0.02).show("c8", "b", 0.9).wait(0.5).move("d7", "c6").press("black").wait(5)

    assert hands.moves == ["f6e4", "d2d4", "e4d6", "b5c6", "d7c6"]
    assert hands.quiet


def test_a_press_that_a_rival_explains_about_as_well_is_no_accusation() -> None:
    """White took on f5 as Black was still at ...g6, and on a5 at once; the press may have come
    before the queen was down there."""
    hands = Hands("r4rk1/1b2qppp/p3p3/p4P2/2P3n1/3B4/1P2Q1PP/3R1R1K w - - 0 25")
    hands.lift("e2").lift("g4").show("g4", "Q")
    hands.play((2.22, "f5", "."), (2.41, "e6", "."), (2.67, "f5", "p"), (3.82, "g4", "."))
    hands.play((4.19, "g7", "."), (4.22, "g6", "p"), (4.24, "f5", "Q"), (5.14, "f5", "."))
    hands.play((5.57, "a5", "."), (5.8, "a5", "Q"), (5.88, "white", "presses"), (6.84, "a8", "."))
    hands.play((7.07, "d8", "r"), (7.88, "black", "presses")).wait(5)

    assert hands.moves == ["e2g4", "e6f5", "g4f5", "g7g6", "f5a5", "a8d8"]
    assert not hands.empty_presses


@pytest.mark.parametrize("forgotten", [True, False])
def test_a_press_with_no_move_is_none_for_a_half_move_of_before_the_replys_press(
    forgotten: bool,
) -> None:
    """Black had begun to take the rook before that press can have come: it was for this, whether
    or not the half-move before was pressed for. White's clock has run since then."""
    hands = Hands("4r1k1/pp3ppp/1Q6/8/8/7P/P5PK/3n3R b - - 0 27")
    hands.play((0.34, "d1", "."), (1.07, "f2", "n"), (1.36, "h1", "."), (1.85, "e1", "R"))
    hands.play(*[] if forgotten else [(2.0, "black", "presses")])
    hands.play((2.13, "e8", "."), (2.6, "e1", "."), (3.35, "e1", "r"), (3.38, "black", "presses"))
    hands.wait(3).press("white").wait(2)

    assert hands.moves == ["d1f2", "h1e1", "e8e1"]
    assert [press.side for press in hands.empty_presses] == ["white"]


def test_a_press_heard_as_another_line_shows_exactly_what_stands_is_for_that_one() -> None:
    """The king has stopped on d6 while the rook replies, and stands on d7 when both are heard."""
    hands = Hands("1R6/4kp2/6p1/1pr1p1P1/p3P3/P1P5/1PKr4/8 w - - 0 46").move("c2", "d2")
    hands.play((1.01, "white", "presses"), (1.52, "e7", "."), (1.7, "b8", "."), (1.77, "d6", "k"))
    hands.play((1.95, "a7", "R"), (1.99, "d6", "."), (2.18, "a7", "."), (2.41, "b7", "R"))
    hands.play((2.64, "d7", "k"), (3.01, "black", "both"), (3.31, "d7", "."), (3.45, "d2", "."))
    hands.play((3.65, "e3", "K"), (3.79, "e6", "k")).wait(5)

    assert hands.moves == ["c2d2", "e7d7", "b8b7", "d7e6", "d2e3"]


def test_a_press_for_what_stood_is_not_for_where_its_piece_rests_next() -> None:
    """The queen came to d6, was replied to, and rests on f5 on its way to e5 when Black's press is
    heard: she has not gone from e6 to f5."""
    fen = "5r1k/2p1r1pp/p3qn2/1p6/5R2/N2P2Q1/2P4P/1K4R1 b - - 3 32"
    hands = Hands(fen, scan_ns=500 * MS)
    hands.play((0.5, "e6", "."), (1.5, "d6", "q"), (1.5, "b1", "."), (2.0, "b2", "K"))
    hands.play((2.5, "d6", "."), (3.0, "f5", "q"), (3.47, "black", "presses"), (3.5, "f5", "."))
    hands.play((3.5, "e5", "q")).wait(5)

    assert hands.told == hands.moves == ["e6d6", "b1b2", "d6e5"]


def test_a_press_that_cannot_have_been_heard_yet_is_not_missing() -> None:
    """...Rh6 and ...Rh8, each a half-move: both were pressed for within the second in which the
    clock says nothing, and so was Ke5 between them."""
    hands = Hands("1R6/8/4P3/5K2/3k1P2/8/1p5r/8 b - - 0 58", scan_ns=250 * MS)
    hands.play((0.46, "d4", "."), (0.94, "c3", "k"), (1.34, "f5", "."), (1.45, "black", "presses"))
    hands.play((1.76, "f6", "K"), (2.33, "h2", "."), (2.44, "f6", "."), (2.45, "white", "presses"))
    hands.play((2.67, "h6", "r"), (2.89, "h6", "."), (2.91, "e5", "K"), (3.29, "h8", "r")).wait(
        0.16
    )
    for side, followed in ((Colour.BLACK, 2), (Colour.WHITE, 1), (Colour.BLACK, 0)):
        hands.facts += hands.tracker.pressed(hands.now_ns, side, SECOND, followed, False)
    hands.play((4.34, "b2", "."), (4.62, "b8", "."), (4.79, "b2", "R"), (5.45, "white", "presses"))
    hands.wait(5)

    assert hands.moves == ["d4c3", "f5f6", "h2h6", "f6e5", "h6h8", "b8b2"]


def test_a_press_that_came_with_the_piece_in_the_hand_was_not_forgotten_before() -> None:
    """...Nc6 and Bc4 were not pressed for. Black had the next knight in the hand all the while in
    which the press can have come before it stood: White's with the queen in hand is for nothing."""
    hands = Hands(moves=("e2e4", "e7e5", "g1f3")).wait(30).move("b8", "c6").move("f1", "c4")
    hands.lift("g8", 1.5).show("f6", "n", 1.5).wait(0.14)
    hands.facts += hands.tracker.pressed(hands.now_ns, Colour.BLACK, SECOND)
    hands.lift("d1", 3.2).wait(0.8).facts += hands.tracker.pressed(
        hands.now_ns, Colour.WHITE, SECOND
    )
    hands.wait(8)

    assert [fact.move for fact in hands.facts if isinstance(fact, Pressed)] == ["g8f6", None]
    assert [press.side for press in hands.empty_presses] == [Colour.WHITE]


def test_a_clock_set_going_again_is_no_press_for_what_is_moved_after_that() -> None:
    """White pressed with nothing moved; an arbiter sets its clock going, and both move at once."""
    hands = Hands(moves=("e2e4", "e7e5")).wait(5).press("white").wait(2)
    hands.tracker.clock(hands.now_ns, None, known=True)
    hands.wait(5).facts += hands.tracker.pressed(hands.now_ns, Colour.BLACK, SECOND)
    hands.lift("g1", 0.05).lift("b8", 0.1).show("f3", "N", 0.25).show("c6", "n", 0.05)
    hands.wait(0.5).facts += hands.tracker.pressed(hands.now_ns, Colour.WHITE, SECOND)
    hands.move("f1", "b5").press("black").press("white").wait(8)

    told = [fact for fact in hands.of(Pressed) if fact.move]
    assert [fact.move for fact in told] == ["g1f3", "b8c6", "f1b5"]
    assert hands.moves[2:] == ["g1f3", "b8c6", "f1b5"]


@pytest.mark.parametrize(("after_s", "in_vain"), [(1.4, False), (3.0, True)])
def test_who_was_replied_to_and_pressed_against_presses_soon_or_for_nothing(
    after_s: float, in_vain: bool
) -> None:
    """White forgot to press for Nf3, so that Black's press for Nc6 stopped no clock; Bc4 was begun
    as early as White's press can have come. Black notices soon, or has pressed with no move."""
    hands = Hands(moves=("e2e4", "e7e5"))
    hands.play((2.0, "g1", "."), (2.8, "f3", "N"), (22.81, "b8", "."), (23.58, "c6", "n"))
    hands.play((24.51, "f1", "."), (24.94, "c4", "B"), (25.23, "white", "presses"))
    hands.play((25.23 + after_s, "black", "presses")).wait(5)

    assert hands.moves[2:] == ["g1f3", "b8c6", "f1c4"]
    assert [press.side for press in hands.empty_presses] == [Colour.BLACK] * in_vain


def test_a_king_goes_there_and_back_and_is_pressed_for_while_another_line_was_believed() -> None:
    """...Ra3, Kg4, ...Ra4, Kg3: the rook seemed to rest on a3, and the king never to have moved.
    That line shows the board again when the king is back; in the true one it has moved twice, so
    White's press was for the first of that."""
    hands = Hands("1R3k2/5p1p/6p1/8/8/6KP/r7/8 b - - 1 34", scan_ns=225 * MS)
    hands.play((0.36, "f8", "."), (0.41, "white", "presses"), (0.58, "b8", "."), (0.62, "g7", "k"))
    hands.play((0.83, "b7", "R"), (1.41, "black", "both"), (2.32, "a2", "."), (2.53, "g3", "."))
    hands.play((2.74, "a3", "r"), (3.19, "a3", "."), (3.38, "a4", "r"), (3.41, "g4", "K"))
    hands.play((3.41, "black", "presses"), (4.31, "g4", "."), (4.41, "white", "presses"))
    hands.play((4.56, "g3", "K"), (5.41, "black", "both"), (5.57, "h7", "."), (6.28, "h6", "p"))
    hands.play((6.41, "black", "presses"), (7.03, "g3", "."), (7.29, "g2", "K"))
    hands.play((7.41, "white", "presses"))

    expected = ["f8g7", "b8b7", "a2a3", "g3g4", "a3a4", "g4g3", "h7h6", "g3g2"]
    assert hands.moves == expected
    assert hands.quiet


def test_a_pawn_taken_back_at_once_and_laid_where_it_came_from_was_pressed_for() -> None:
    """...axb4 and axb4 within a second; Black's pawn lies on a5 for a moment, where it had stood.
    Black's press was for its capture, and White's is for the retaking."""
    hands = Hands("8/5b2/3k1p2/p7/4n2P/PP6/2K3R1/2B5 w - - 1 60", scan_ns=225 * MS)
    hands.play((1.04, "b3", "."), (1.24, "b4", "P"), (1.88, "a5", "."), (2.05, "white", "presses"))
    hands.play((2.14, "b4", "."), (2.36, "b4", "p"), (3.04, "b4", "P"), (3.05, "black", "presses"))
    hands.play((3.06, "a3", "."), (3.46, "a5", "p"), (3.89, "d6", "."), (3.91, "a5", "."))
    hands.play((4.05, "white", "presses"), (4.14, "d5", "k"), (5.05, "black", "presses"))

    assert hands.moves == ["b3b4", "a5b4", "a3b4", "d6d5"]
    assert hands.quiet
