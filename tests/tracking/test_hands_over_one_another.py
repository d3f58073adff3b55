"""Scrambles: replies before the half-move is finished, and pieces that stop and go on."""

from __future__ import annotations

from arbiterd.rules.ruleset import Colour
from arbiterd.tracking.facts import MoveReplaced, PlyCertainty, Pressed
from arbiterd.tracking.settings import TrackingSettings
from arbiterd.tracking.tracker import Tracker

from .hands import MS, SECOND, Hands


def test_a_piece_that_stood_and_went_on_has_moved_twice_if_the_next_move_says_so() -> None:
    """Ra1-d1 stands; while Black's rook is in the air it goes on to c1. Black moves next."""
    hands = Hands("r4rk1/pp1b1ppp/1q2p3/3pP3/8/1PN1P2P/P3Q1P1/R4RK1 w - - 0 16")
    hands.move("a1", "d1").wait(0.6).lift("a8").show("c1", "R").lift("d1").show("c8", "r")
    hands.wait(0.6).move("b6", "a5").press("black")

    assert hands.moves == ["a1d1", "a8c8", "d1c1", "b6a5"]
    assert hands.quiet


def test_a_piece_that_stood_and_went_on_was_on_its_way_if_the_next_move_says_so() -> None:
    """The same hands, and White moves next: the rook had only stopped on d1."""
    hands = Hands("r4rk1/pp1b1ppp/1q2p3/3pP3/8/1PN1P2P/P3Q1P1/R4RK1 w - - 0 16")
    hands.move("a1", "d1").wait(0.6).lift("a8").show("c1", "R").lift("d1").show("c8", "r")
    hands.wait(0.6).move("e2", "d3").press("white")

    assert hands.moves == ["a1c1", "a8c8", "e2d3"]
    assert hands.quiet


def test_a_victim_beside_its_square_is_no_half_move_of_its_own() -> None:
    """The bishop taken on c7 is set down on d6 as White's late press is heard: no line is believed
    in which Black's queen went somewhere first and came back unseen."""
    hands = Hands("r2qk2r/1pp1ppb1/p1n3p1/3b3p/3P1B1P/2N1Q1P1/PPP5/2KR1BR1 w kq - 0 17")
    hands.move("f4", "c7").lift("d8").show("c7", "q").show("d6", "B").press("white")
    hands.lift("d6").press("black")

    assert hands.moves == ["f4c7", "d8c7"]
    assert hands.quiet
    assert not hands.of(MoveReplaced)


def test_three_captures_on_one_square_with_the_second_piece_never_alone_on_it() -> None:
    """Bxg3 hxg3 Qxg3: the bishop is never seen on g3."""
    hands = Hands("r3k2r/ppqn1pp1/2pbpnp1/3p4/2PPP3/1Q3PP1/PP1N2BP/R1B2RK1 b kq - 0 12")
    hands.lift("d6").lift("g3").lift("h2").lift("c7").show("g3", "P").show("g3", "q")

    assert hands.press("black").moves == ["d6g3", "h2g3", "c7g3"]
    assert hands.quiet


def test_a_pawn_never_seen_was_taken_where_it_stood_or_in_passing() -> None:
    """g2 clears, h4 clears, a black pawn stands on g3: one step is the commoner story, and the
    other is told with it."""
    hands = Hands("r4rk1/pp1qbpp1/2n1p3/2p1Pn2/3p1P1p/3P1N1P/PPPBN1P1/R3QRK1 w - - 0 14")
    hands.lift("g2").lift("h4").show("g3", "p").press("black")

    assert hands.moves == ["g2g3", "h4g3"]
    first = hands.tracker.record.plies[0]
    assert (first.sureness, first.alternatives) == (PlyCertainty.LIKELY, ("g2g4",))
    assert hands.quiet


def test_what_a_dump_shows_may_have_been_so_before_what_was_seen() -> None:
    """h4-h5 was lost, ...f6 was seen; the dump that shows h5 comes after it."""
    hands = Hands("r1b1rbk1/ppp2ppp/2p1q3/2n1pNB1/4P1PP/2NP4/PPP2P2/R2QK2R w KQ - 1 14")
    hands.move("f7", "f6").wait(0.5)
    hands.scan("r1b1rbk1/ppp3pp/2p1qp2/2n1pNBP/4P1P1/2NP4/PPP2P2/R2QK2R")

    assert hands.press("black").moves == ["h4h5", "f7f6"]
    assert hands.quiet


def test_a_piece_lifted_before_the_half_move_it_replies_to_was_made_is_seen_to_leave() -> None:
    """The king leaves g7 before White's pawn is down, stops on e6, and White has moved again
    before it is on f6."""
    hands = Hands("8/pp3pk1/2p3pp/8/7P/2P5/PPQ2PPK/4q3 w - - 3 29")
    hands.lift("g2").lift("g7").show("g3", "P").show("e6", "k").press("white")
    hands.lift("h2").lift("e6").show("g2", "K").show("f6", "k").press("white").wait(5)

    assert hands.moves == ["g2g3", "g7f6", "h2g2"]
    assert hands.quiet


def test_a_knight_its_coil_misses_has_taken_what_was_lifted_and_nothing_else() -> None:
    """...Nxb3 with b3 slow to see the knight: not ...Nxa4 bxa4, which would look the same."""
    hands = Hands("r4rk1/5ppp/2Np4/p1n5/Pp6/1P5P/1P3PP1/3RR1K1 b - - 1 22")
    hands.lift("c5").wait(0.8).lift("b3").wait(0.6).press("black").show("b3", "n").wait(6)

    assert hands.moves == ["c5b3"]
    assert hands.quiet


def test_what_stood_while_hands_were_still_is_not_told_anew_for_two_half_moves_in_one() -> None:
    """Bd6-f4 stood for five seconds. Black makes two half-moves and presses: White's bishop was
    not somewhere else in between, where nobody saw it."""
    hands = Hands("r1r3k1/3n1p1p/ppqBp1p1/3b4/P2Q4/6R1/1PP1BPPP/3R2K1 w - - 0 21")
    hands.move("d6", "f4").wait(5).move("d7", "f6").move("c6", "b7").wait(3.5)
    hands.press("black").wait(5)

    assert hands.moves[:1] == ["d6f4"]
    assert not hands.of(MoveReplaced)
    assert hands.empty_presses


def test_a_piece_that_stood_for_long_and_was_replied_to_had_made_its_half_move() -> None:
    """The rook rests on d5 and c5 before it stands on a5; after the reply it goes back to c5."""
    hands = Hands("8/6k1/8/5Rp1/6Pp/7P/5P2/2q2BK1 w - - 45 100")
    hands.move("f5", "d5", "c5").wait(0.3).lift("c5").wait(0.4).show("a5", "R")
    hands.lift("c1").wait(0.7).show("d2", "q").move("a5", "c5").press("white").wait(5)

    assert hands.moves == ["f5a5", "c1d2", "a5c5"]
    assert hands.quiet


def test_a_pawn_that_went_on_to_its_next_square_is_not_taken_in_passing_by_a_later_capture() -> (
    None
):
    """...a7-a6 with a rest on a5, pressed; White takes on a6, and not the pawn of a5."""
    hands = Hands("rnbqkb1r/p2ppppp/5n2/1Ppp4/8/8/PP2PPPP/RNBQKBNR b KQkq - 0 4")
    hands.lift("a7").show("a5", "p").wait(0.2).lift("a5").show("a6", "p").press("black")
    hands.wait(0.6).lift("b5").show("a7", "P").lift("a7").show("a6", "P").press("white").wait(5)

    assert hands.moves == ["a7a6", "b5a6"]
    assert hands.quiet


def test_a_piece_taken_and_its_taker_taken_by_the_like_of_it_within_one_scan() -> None:
    """Nxd8 Rxd8: a black rook shows on d8 all the time, and the board sees two pieces leave."""
    hands = Hands("3rn1k1/3r3p/2p1N1p1/pp2Pp1P/3P4/1P4P1/P6K/3R1R2 w - - 2 38")
    hands.lift("e6").lift("d7").wait(1).move("d1", "c1").wait(0.5).move("d8", "d4")
    hands.press("black").wait(5)

    assert hands.moves == ["e6d8", "d7d8", "d1c1", "d8d4"]
    assert hands.quiet


def test_a_piece_that_turned_back_to_where_it_had_rested_has_moved_there() -> None:
    """...Kg8 with a rest on h7, pressed; after the reply the king goes to h7 by itself."""
    hands = Hands("5r1k/1R3bp1/2p2p1p/p4q2/5B1Q/7P/6PK/8 b - - 0 39")
    hands.lift("h8").show("h7", "k").wait(0.2).lift("h7").show("g8", "k").press("black")
    hands.lift("h4").wait(0.2).lift("g8").show("g3", "Q").show("h7", "k").press("black").wait(5)

    assert hands.moves == ["h8g8", "h4g3", "g8h7"]
    assert hands.quiet


def test_a_piece_on_its_way_while_the_reply_is_begun_has_not_moved_again_at_once() -> None:
    """The bishop rests on e6 for a moment on its way to f7; it had stood on b3 for long."""
    hands = Hands("5r2/1pk2pp1/p1n2n1p/8/2B2PP1/2N4P/PP5K/3R4 b - - 0 22")
    hands.move("b7", "b5").press("black").move("c4", "b3").wait(0.4)
    hands.lift("f8").lift("b3").show("d8", "r").show("e6", "B").lift("e6").press("black")
    hands.show("f7", "B").press("white").wait(5)

    assert hands.moves == ["b7b5", "c4b3", "f8d8", "b3f7"]
    assert hands.quiet


def test_a_piece_already_lifted_as_the_reply_is_made_is_on_its_way() -> None:
    """The king is in the air when ...Ng4+ is made, and rests on e3, where it may not stay."""
    hands = Hands("8/8/p1kP2p1/2P5/P7/3K4/7n/8 w - - 0 44")
    hands.move("d3", "e4").wait(1).lift("h2").lift("e4").show("g4", "n").show("e3", "K")
    hands.lift("e3").show("f4", "K").press("white").wait(5)

    assert hands.moves == ["d3e4", "h2g4", "e4f4"]
    assert hands.quiet


def test_a_piece_just_lifted_was_not_taken_where_nobody_saw_it() -> None:
    """White's bishop rests on c3 while Black's rook is on its way to c7: no rook was on c3."""
    hands = Hands("2r3k1/pb3q1p/1b4p1/3p1p2/8/1Q1BP2P/1Br2PP1/R2R2K1 b - - 4 29")
    hands.lift("c2").show("c3", "B", 0.2).lift("b2", 0).press("black").show("c7", "r", 0)
    hands.lift("c3", 0.1).show("e5", "B").press("white").wait(5)

    assert hands.moves == ["c2c7", "b2e5"]
    assert hands.quiet


def test_two_pieces_that_rest_on_their_ways_seen_on_two_squares_each() -> None:
    """Both pawns rest half way, and the white one shows before its square is clear."""
    hands = Hands("rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2")
    hands.lift("c2").show("c3", "P", 0.2).lift("c7", 0.1).show("c5", "p", 0.1)
    hands.show("c4", "P", 0).lift("c3", 0).lift("c5", 0.4).show("c6", "p", 0.2)
    hands.move("g1", "f3").press("white").wait(5)

    assert hands.moves == ["c2c4", "c7c6", "g1f3"]


def test_both_pieces_rest_on_the_way_while_no_clock_is_pressed() -> None:
    """Qe8-h5 by way of g6 and ...Kh7-g8 by way of h8, one over the other, and then both presses:
    two half-moves, not four of which two were never pressed."""
    hands = Hands("4Q3/6pk/p1p5/8/P7/7P/2q2PP1/6K1 w - - 3 36")
    hands.lift("e8").show("g6", "Q").lift("g6", after=0.25).lift("h7", after=0.45)
    hands.show("h8", "k", after=0.25).show("h5", "Q", after=0.35).lift("h8", after=0.4)
    hands.show("g8", "k", after=0.25).press("white").press("black").wait(5)

    assert hands.moves == ["e8h5", "h7g8"]
    assert not hands.empty_presses


def test_both_sides_moving_back_in_one_overlap_have_moved_and_taken_nothing_back() -> None:
    """...Kg7 Rg8 ...Kf7 Rf8: each time one is taken up before the other is down."""
    hands = Hands("2rR1R2/p4k2/1pr2p2/5b2/8/P1B2PK1/1P6/8 b - - 17 56")
    hands.lift("f7").lift("f8", 0.19).show("g7", "k", 0.04).show("g8", "R", 0.19)
    hands.lift("g8", 0.68).lift("g7", 0.03).show("f8", "R", 0.19).show("f7", "k", 0.03)
    hands.wait(5)

    assert hands.moves == ["f7g7", "f8g8", "g7f7", "g8f8"]
    assert hands.quiet


def test_what_was_dear_when_nothing_else_explained_the_board_is_not_forgotten_for_that() -> None:
    """Rd1-d2 with a stop on e1 while ...Rc6 is made. Re4 and ...Qe6 overlap, the queen stops on d5:
    for one placement only Re1-d2 ...Qd5 Re2-e1 would lead there."""
    hands = Hands("8/1p3bQ1/1rkp1P2/2b1p3/p1q5/P1P3N1/1P2R2K/3R4 w - - 9 44")
    hands.move("g7", "h7").lift("c6", 0.9).show("b5", "k", 0.02)
    hands.lift("d1", 1.02).show("e1", "R", 0.23).lift("b6", 0.07).lift("e1", 0.15)
    hands.show("c6", "r", 0.08).show("d2", "R", 0.12)
    hands.lift("e2", 0.9).show("d5", "q", 0.36).lift("c4", 0.03).show("e4", "R", 0.0)
    hands.lift("d5", 0.42).show("e6", "q", 0.2).wait(5)

    assert hands.moves == ["g7h7", "c6b5", "d1d2", "b6c6", "e2e4", "c4e6"]
    assert hands.quiet
    assert "d1e1" not in [told.move for told in hands.of(MoveReplaced)]


def test_two_pieces_that_went_on_over_one_another_had_each_moved_twice_where_they_stood() -> None:
    """...Rd4 stands for two seconds and Kc5 for one; then ...Rd5 and Kb6 overlap, and no press is
    heard: four half-moves."""
    hands = Hands("8/8/2K1pR2/4P3/5Pk1/8/8/3r4 b - - 12 70")
    hands.move("d1", "d4").lift("c6", 0.62).show("c5", "K", 0.25)
    hands.lift("d4", 0.93).lift("c5", 0.2).show("d5", "r", 0.0).show("b6", "K", 0.19)
    hands.lift("d5", 1.16).show("d2", "r", 0.1).press("black").wait(5)

    assert hands.moves == ["d1d4", "c6c5", "d4d5", "c5b6", "d5d2"]
    assert hands.quiet


def test_a_victim_seen_beside_its_square_before_its_taker_is_no_half_move() -> None:
    """...gxh5 pushes the pawn to g5; of one scan the square beside is read first."""
    hands = Hands("4k3/pp1b1p1p/2pb1Bp1/3p4/6PP/1PPB1P2/P2P4/2K5 b - - 0 26")
    hands.move("h7", "h5").wait(0.5).lift("h5").lift("g4").show("h5", "P").wait(1)
    hands.lift("g6").show("g5", "P", after=0.9).show("h5", "p", after=0.0)
    hands.lift("g5", after=0.45).press("black").wait(5)

    assert hands.moves == ["h7h5", "g4h5", "g6h5"]
    assert hands.quiet


def test_what_was_tried_and_taken_back_before_says_nothing_of_a_rest_on_the_way() -> None:
    """...Rd6 stood and was taken back; ...Rf8 then rests on e8, and White replies meanwhile."""
    hands = Hands("r1br2k1/ppB3b1/6pp/2pp2N1/1PP1p3/8/3K1PPP/1BR4R b - - 1 21")
    hands.move("d8", "d6").wait(3).move("d6", "d8").wait(3).lift("d8").show("e8", "r", after=0.75)
    hands.lift("e8", after=0.5).lift("c4", after=0.37).show("d5", "P", after=0.7)
    hands.show("f8", "r", after=0.65).wait(5)

    assert hands.moves == ["d8f8", "c4d5"]
    assert hands.quiet


def test_a_half_move_is_told_though_a_sleeve_shifts_pieces_of_the_other_side_at_once() -> None:
    hands = Hands("3qR1k1/R1p2pp1/7p/1NQn4/2pb4/3b2P1/2r2PBP/2B3K1 b - - 0 24")
    hands.lift("d8").show("e8", "q", after=0.75).show("c6", "Q", after=0.55).lift("c5", after=0.03)
    hands.show("g4", "P", after=0.05).lift("g3", after=0.03).wait(5)
    hands.lift("c6").lift("g4").show("c5", "Q").show("g3", "P").wait(6)

    assert hands.moves == ["d8e8"]
    assert "d8e8" in hands.told


def test_a_capture_begins_with_the_piece_it_takes_off() -> None:
    """...Qxf3: f3 is taken off, White's queen goes d2-g5 while Black's is still on its way."""
    hands = Hands("r4qk1/p5pp/1p2P3/1b1pB3/8/2P2P2/PP1Q3P/4R1K1 b - - 0 29")
    hands.lift("f3").lift("d2", 0.25).lift("f8", 0.06).show("g5", "Q", 0.09)
    hands.show("f3", "q", 0.28).press("black").press("white").wait(5)

    assert hands.moves == ["f8f3", "d2g5"]
    assert hands.quiet


def test_a_piece_in_the_air_has_not_been_taken_where_the_reply_stands() -> None:
    """...Rc1 and Kxe3? No: Ke3, set down while the rook of c3 was in the air."""
    hands = Hands("8/6p1/2R2pk1/7p/2p2K1P/2r3P1/8/8 b - - 1 49")
    hands.lift("f4").lift("c3", 0.01).show("d3", "K", 0.23).lift("d3", 0.23).show("e3", "K", 0.23)
    hands.show("c1", "r", 0.27).press("black").press("white").wait(5)

    assert hands.moves == ["c3c1", "f4e3"]
    assert hands.quiet


def test_two_half_moves_over_one_another_tell_that_a_stop_before_them_was_none() -> None:
    """Qc2-d2 with a stop on c1 while ...Bh6 is set down; then ...Ne5 before Nd1 is down."""
    hands = Hands("n4rk1/1p1nqpbp/p2p2p1/2pP4/P1P5/1PN1P1PP/2Q1BRK1/5R2 w - - 5 27")
    hands.lift("c2").show("c1", "Q", 0.25).lift("g7", 0.07).show("h6", "b", 0.03)
    hands.lift("c1", 0.13).show("d2", "Q", 0.42).press("white").press("black")
    hands.lift("c3", 0.9).lift("d7", 0.12).show("e5", "n", 0.28).show("d1", "N", 0.11)
    hands.press("white").press("black").wait(5)

    assert hands.moves == ["c2d2", "g7h6", "c3d1", "d7e5"]
    assert hands.quiet


def test_a_half_move_replied_to_in_no_time_is_likely_until_it_is_pressed_for() -> None:
    """Nf3, and ...e5 a fifth of a second later: the knight may be on its way to h4 yet."""
    hands = Hands()
    hands.lift("g1").lift("e7", 0.2).show("f3", "N", 0.1).show("e5", "p", 0.2)

    assert [(ply.move, ply.sureness) for ply in hands.tracker.record.plies] == [
        ("g1f3", PlyCertainty.LIKELY)
    ]
    hands.press("white")
    assert hands.tracker.record.plies[0].sureness is PlyCertainty.CERTAIN


def test_what_only_a_picture_brings_may_have_come_before_what_was_heard() -> None:
    """...Rc8 is lost, gxh6 is answered by ...Kh8 before it is down, and a picture shows the rook:
    which of Black's two half-moves came first nothing tells."""
    hands = Hands("rn3r2/pp1b1pk1/4p2p/6P1/1q1N4/4P1P1/2Q1K1P1/2R2B1R b - - 0 19")
    hands.lift("g5").lift("g7", 0.17).show("h8", "k", 0.2).show("h6", "P", 0.06)
    hands.scan("rnr4k/pp1b1p2/4p2P/8/1q1N4/4P1P1/2Q1K1P1/2R2B1R").wait(5)

    told = hands.tracker.record.plies
    assert sorted(ply.move for ply in told) == ["f8c8", "g5h6", "g7h8"]
    assert told[0].sureness is PlyCertainty.LIKELY
    assert {told[0].move, *told[0].alternatives} == {"f8c8", "g7h8"}


def test_a_piece_that_came_by_twice_is_weighed_from_when_it_stood_there_last() -> None:
    """White's queen stops on d3, stands on d4, and comes by d3 again on its way home."""
    hands = Hands("r3k2r/ppp2ppp/8/1bB3q1/8/8/PPP2PPP/RN1QK2R w KQkq - 0 12", scan_ns=28 * MS)
    hands.lift("d1").lift("g5", 0.12).show("d3", "Q", 0.05).lift("d3", 0.22).show("d4", "Q", 0.2)
    hands.lift("d4", 0.45).show("d3", "Q", 0.03).lift("d3", 0.22).show("d1", "Q", 0.28)
    hands.show("c1", "q", 0.22).wait(5)

    assert hands.moves == ["d1d4", "g5c1", "d4d1"]
    assert hands.quiet


def test_both_pieces_go_back_over_one_another_and_both_sides_have_moved_twice() -> None:
    """Nd4 and ...Bc3 are answered by Nf3 and ...Bb4 within half a second: nobody took back."""
    hands = Hands("4B3/6k1/4ppp1/p1n4p/Pb3P1P/4PN2/4KP2/8 w - - 1 41")
    hands.lift("f3").lift("b4", 0.2).show("c3", "b", 0.25).show("d4", "N", 0.2).press("white")
    hands.lift("d4", 0.6).lift("c3", 0.25).show("b4", "b", 0.2).show("f3", "N", 0.04)
    hands.press("black").wait(5)

    assert hands.moves == ["f3d4", "b4c3", "d4f3", "c3b4"]
    assert hands.quiet


def test_whoever_saw_the_reply_come_moves_the_same_piece_on_at_once() -> None:
    """...Re7 is set down after White's Qf2, and goes on to e5 half a second later, by way of e6."""
    hands = Hands("3rr2k/Q5p1/3q1p1p/3B4/2P5/6R1/6PK/8 b - - 9 50")
    hands.lift("e8").lift("a7", 0.01).show("f2", "Q", 0.39).show("e7", "r", 0.3)
    hands.lift("e7", 0.45).show("e6", "r", 0.03).press_of_two("black")
    hands.lift("e6", 0.43).show("e5", "r", 0.25).press("black").wait(5)

    assert hands.moves == ["e8e7", "a7f2", "e7e5"]
    assert {ply.sureness for ply in hands.tracker.record.plies} == {PlyCertainty.CERTAIN}
    assert hands.quiet


def test_a_victim_that_was_adjusted_before_is_not_taken_up_since_then() -> None:
    """Black sets the pawn of b6 right; ...Qg6 and Qxb6 come together two seconds later."""
    hands = Hands("8/2Q3pk/1p2pq1p/1P1p1p2/3P1P1P/3BP1P1/5K2/8 b - - 2 37")
    hands.lift("b6", 1).show("b6", "p", 0.9)
    hands.lift("f6", 0.9).lift("c7", 0.2).show("b6", "Q", 0.25).show("g6", "q", 0.24)

    assert hands.told == ["f6g6"]
    assert hands.press_of_two("black").moves == ["f6g6", "c7b6"]
    assert hands.quiet


def test_a_reply_that_stands_before_its_half_move_may_be_a_castling() -> None:
    """...d5 with a rest on d6, so that one line has Black move where the other has White. While
    ...c6 is on its way White castles: either line explains what is seen until then."""
    hands = Hands(moves=("g1f3",), scan_ns=225 * MS)
    hands.wait(5).lift("d7").show("d6", "p", 0.03).lift("g2", 0.35).lift("d6", 0.1)
    hands.show("d5", "p", 0.25).show("g3", "P", 0.07)
    hands.facts += hands.tracker.pressed(hands.now_ns, Colour.BLACK, SECOND)
    hands.lift("g8", 0.98)
    hands.facts += hands.tracker.pressed(hands.now_ns, Colour.WHITE, SECOND)
    hands.lift("f1", 0.2).show("g2", "B", 0.2).show("f6", "n", 0.11).wait(0.23)
    hands.press("black").lift("c7", 0.1).lift("e1", 0.18).show("g1", "K", 0.46)
    hands.lift("h1", 0.01).show("f1", "R", 0.22).show("c6", "p", 0.07).wait(0.7)
    hands.press("white").move("c8", "f5").press("black").wait(6)

    assert hands.moves == ["g1f3", "d7d5", "g2g3", "g8f6", "f1g2", "c7c6", "e1g1", "c8f5"]
    assert hands.quiet


def test_nobody_is_accused_while_the_reply_is_on_its_way() -> None:
    """Rd1-c1 stands for most of a second. White's king is up when Black's press is heard, and then
    the rook is back on d1 for the half-move after: where the king goes tells that c1 was one."""
    hands = Hands("8/8/3B1k2/2K5/8/4R3/8/3r4 b - - 2 78", scan_ns=225 * MS)
    hands.wait(5).move("d1", "c1").lift("c5", 0.79).lift("c1", 0.12).wait(0.03)
    hands.facts += hands.tracker.pressed(hands.now_ns, Colour.BLACK, SECOND)
    hands.show("d2", "r", 0.17).lift("d2", 0.22).show("d1", "r", 0.25).wait(0.2)
    hands.show("d5", "K", 0.1).wait(6)

    assert hands.moves == ["d1c1", "c5d5", "c1d1"]
    assert hands.quiet


def test_the_victim_of_a_reply_that_stands_early_is_laid_beside_it_for_a_moment() -> None:
    """Black takes on c3 while White's bishop is in the air, and puts the pawn down on b4."""
    hands = Hands("7k/8/8/8/3b4/5B2/2P5/3R1K2 w - - 0 50")
    hands.wait(1).lift("c2").lift("d4", 0.17).show("e5", "b", 0.2).show("c3", "P", 0.27)
    hands.lift("e5", 0.63).lift("f3", 0.06).show("c3", "b", 0.21)
    hands.show("b4", "P", 0.2).lift("b4", 0.45).show("d5", "B", 0.2).wait(0.68)
    hands.press_of_two("white").wait(5)

    assert hands.moves == ["c2c3", "d4e5", "f3d5", "e5c3"]


def test_the_queen_that_comes_for_a_pawn_is_not_the_pawn_set_down_elsewhere() -> None:
    """Of two presses heard together the first was for the queen, and not for the pawn's step."""
    hands = Hands("8/8/8/8/4R1K1/R2p4/2k5/8 b - - 0 60")
    hands.wait(1).lift("d3").show("d2", "p", 0.25).lift("a3", 0.41).show("d1", "q", 0.07)
    hands.show("a1", "R", 0.21).lift("d2", 0.21).lift("a1", 0.69).press_of_two("black")

    assert [fact.move for fact in hands.facts if isinstance(fact, Pressed)] == []


def test_a_queen_put_on_before_the_rook_that_takes_it_has_landed() -> None:
    """Black takes a queen to d1 while Ra3-a1 is in the air, and its pawn off after that; the rook
    is pressed for, takes it, and is taken. No rook that its side has pressed for is on its way."""
    hands = Hands("1r6/8/8/8/1P2R1Kp/R2p1n2/2k5/8 b - - 5 68", scan_ns=225 * MS)
    hands.lift("d3").show("d2", "p").lift("a3", 0.4).show("d1", "q", 0.07).show("a1", "R", 0.2)
    hands.lift("d2", 0.2).lift("a1", 0.7).wait(0.18).press_of_two("black").show("d1", "R", 0.05)
    hands.lift("c2", 0.65).show("d1", "k", 0.03).move("g4", "f3").press("white").wait(5)

    assert hands.moves == ["d3d2", "a3a1", "d2d1q", "a1d1", "c2d1", "g4f3"]
    assert hands.quiet


def test_what_speaks_against_each_line_is_known_after_a_restart() -> None:
    """The knight came by on c4 on its way to b3: the lines taken up again say so too."""
    hands = Hands("r4rk1/pp1qnppp/1bn1p3/3pP3/1P1P4/P2Q1N2/3N1PPP/R1B2RK1 w - - 5 14")
    hands.lift("d2").show("c4", "N").lift("c4").lift("f7").show("f6", "p").show("b3", "N")
    held = hands.tracker.hypotheses()
    again = Tracker.restored(hands.rules, TrackingSettings(), hands.tracker.checkpoint())

    assert "pieces showed where it has none" in [item.name for item in held[0].items]
    assert again.hypotheses() == held


def test_a_reply_that_stood_before_its_half_move_rivals_what_looks_plainer() -> None:
    """...Kxc7 is down before Nd1; a queen that stops on b1 would have it that Qc2 came between."""
    hands = Hands("Nn2kbnr/pp1b1pp1/8/2ppp3/3PPB1p/2P2P2/P3BNPP/R2Q1RK1 w - - 0 15")
    hands.wait(5).lift("a8").lift("e8", 0.24).show("d8", "k", 0.22).show("c7", "N", 0.02)
    hands.show("b1", "Q", 0.62).lift("d1", 0.01).lift("f4", 0.15).lift("e5", 0.19)
    hands.lift("b1", 0.1).wait(0.03).press_of_two("white").show("f4", "p", 0.12)
    hands.show("c2", "Q", 0.27).wait(0.61).press_of_two("white").lift("f2", 0.08)
    hands.lift("d8", 0.27).show("c7", "k", 0.25).show("d1", "N", 0.17).wait(0.22)
    hands.press_of_two("white").move("d1", "f2").wait(5)

    assert hands.moves == ["a8c7", "e8d8", "d1c2", "e5f4", "f2d1", "d8c7", "d1f2"]
    assert "d1b1" not in [fact.move for fact in hands.of(MoveReplaced)]
    assert hands.quiet


def test_of_rivals_each_is_asked_what_it_makes_of_a_piece_seen_on_two_squares() -> None:
    """...Ba5, Rh5, ...Bc7 by way of b6; or ...Bb6, Rh5, ...Bc7. The bishop shows on b6 and c7 for a
    moment, and nothing tells which it was: neither half-move of it is certain."""
    hands = Hands("3b4/7R/8/8/8/n2K4/4N3/3k4 b - - 28 73", scan_ns=225 * MS)
    hands.wait(5).move("d1", "e1").press("black").move("h7", "h8").press("white")
    hands.show("a5", "b", 0.85).lift("d8", 0.15).lift("h8", 0.01).show("h5", "R", 0.08)
    hands.lift("a5", 0.43).show("b6", "b", 0.2).show("c7", "b", 0.2).lift("b6", 0.02)
    hands.wait(0.05).press_of_two("black").wait(1).press("black").wait(5)

    told = hands.tracker.record.plies
    assert {told[4].move, *told[4].alternatives} == {"a5c7", "b6c7"}
    assert told[4].sureness is PlyCertainty.LIKELY
    assert hands.quiet


def test_a_capture_whose_taker_was_taken_is_seen_when_that_one_is_out_of_the_way() -> None:
    """...Nxa1, Rxa1: the rook is down before the other left h1, and the knight lies on b1 till
    after the press."""
    hands = Hands("r3kb2/8/1p2P1p1/p1p2n1p/5B2/5P2/PPn2KPP/R6R b - - 4 24", scan_ns=225 * MS)
    hands.wait(5).lift("c2").show("a1", "n", 0.02).show("a1", "R", 0.9).lift("h1", 0.02)
    hands.show("b1", "n", 0.2).wait(0.03)
    hands.facts += hands.tracker.pressed(hands.now_ns, Colour.BLACK, SECOND)
    hands.lift("b1", 0.19).lift("a5", 0.56).wait(0.25)
    hands.facts += hands.tracker.pressed(hands.now_ns, Colour.WHITE, SECOND)
    hands.show("a4", "p", 0.01).press("black").wait(5)

    assert hands.moves == ["c2a1", "h1a1", "a5a4"]
    assert hands.quiet


def test_a_queen_is_set_down_before_its_pawn_is_off_and_the_king_before_it_has_come_down() -> None:
    """The pawn leaves last, and ends both half-moves: what had come before it was explained by
    none of them."""
    hands = Hands("8/4n1p1/8/p1k5/8/p4b2/7K/3q4 b - - 2 67").move("a3", "a2")
    hands.play((1.02, "black", "presses"), (1.53, "h2", "."), (1.76, "a1", "q"), (1.95, "g3", "K"))
    hands.play((1.96, "a2", "."), (2.62, "g3", "."), (3.02, "white", "both"), (3.08, "h3", "K"))
    hands.wait(5)

    assert hands.moves == ["a3a2", "h2g3", "a2a1q", "g3h3"]


def test_a_piece_that_came_before_another_was_taken_is_not_that_one_laid_down() -> None:
    """A bishop goes to g2 while the other stands on f4 yet, where it is taken next."""
    fen = "r1r3k1/ppP2p2/3p1q1b/P2Pp3/4Pnb1/2P1BN2/3N4/R2QRBK1 w - - 0 23"
    hands = Hands(fen, scan_ns=100 * MS)
    hands.play((0.74, "e3", "."), (0.94, "f4", "B"), (1.2, "g3", "n"), (1.42, "g3", "."))
    hands.play((2.02, "h6", "."), (2.04, "g5", "b"), (2.15, "f1", "."), (2.26, "g5", "."))
    hands.play((2.35, "g2", "B"), (2.44, "white", "presses"), (2.74, "f4", "b"))
    hands.play((3.44, "black", "both"), (3.74, "c8", "."), (3.88, "c3", "."), (4.08, "c4", "P"))
    hands.play((4.22, "c7", "r"), (4.44, "black", "both"), (5.33, "g8", "."), (5.53, "g1", "."))
    hands.play((5.78, "f8", "k"), (6.23, "f8", "."), (6.25, "e7", "k"), (6.4, "f2", "K"))
    hands.play((6.44, "black", "both"), (6.44, "black", "presses")).wait(5)

    expected = ["e3f4", "h6f4", "f1g2", "c8c7", "c3c4", "g8f8", "g1f2", "f8e7"]
    assert hands.moves == expected
    assert hands.quiet


def test_a_pawn_where_another_goes_is_not_the_one_that_was_taken_laid_there() -> None:
    """...f3 and Rxa2: the rook stands on a2 before the pawn has come from f4, where it is at rest;
    it is no piece beside the board's play, and the press that follows is White's for the capture.
    """
    hands = Hands("3R4/8/3k1Kp1/R6p/2bP1p1P/8/p7/6r1 b - - 1 61", scan_ns=225 * MS)
    hands.play((1.02, "d6", "."), (1.22, "c7", "k"), (1.94, "black", "presses"), (2.09, "d8", "."))
    hands.play((2.44, "f4", "."), (2.53, "a8", "R"), (2.84, "a5", "."), (3.15, "a2", "R"))
    hands.play((3.18, "a1", "p"), (3.4, "a1", "."), (3.59, "f3", "p"), (3.94, "white", "presses"))
    hands.wait(5)

    assert hands.moves == ["d6c7", "d8a8", "f4f3", "a5a2"]
    assert hands.quiet


def test_a_pawn_taken_and_retaken_is_no_take_back_though_the_first_taker_is_laid_where_it_was() -> (
    None
):
    """...fxg5, hxg5 at once: White's pawn is on g5 again before h4 is seen to be empty, and Black's
    is laid on f6, where it had come from, till after Black's press."""
    hands = Hands("3r3k/2r4p/5pp1/6P1/1p2PP1P/1Bb1R3/3pKP2/3R4 b - - 0 49", scan_ns=225 * MS)
    hands.play((1.62, "g5", "."), (2.03, "f6", "."), (2.52, "g5", "p"), (2.74, "g5", "P"))
    hands.play((2.77, "h4", "."), (2.93, "f6", "p"), (3.37, "black", "presses"), (3.38, "f6", "."))
    hands.play((4.37, "white", "presses"), (4.67, "d8", "."), (4.9, "f8", "r"))
    hands.play((5.37, "black", "presses")).wait(5)

    assert hands.moves == ["f6g5", "h4g5", "d8f8"]
    assert hands.quiet


def test_a_reply_is_down_first_and_has_laid_its_victim_where_that_could_go_by_itself() -> None:
    """Nd4 and ...Nxd5: the knight takes before White's is down, and the pawn lies on d6 till after
    White's press. It was no half-move of White's."""
    fen = "r3kb1r/2qp1pp1/1p2pn2/pp1P3p/1Pb2P1P/B1N2NPK/P2Q4/4R2R w kq - 0 20"
    hands = Hands(fen, scan_ns=100 * MS)
    hands.play((1.38, "f3", "."), (1.73, "d6", "P"), (1.74, "f6", "."), (1.76, "d5", "n"))
    hands.play((1.79, "d4", "N"), (2.1, "white", "presses"), (2.18, "d6", "."))
    hands.play((3.1, "black", "presses")).wait(5)

    assert hands.moves == ["f3d4", "f6d5"]
    assert hands.told == ["f3d4", "f6d5"]
    assert hands.quiet


def test_a_press_gives_up_no_line_for_one_in_which_its_side_has_not_moved_either() -> None:
    """Bh7 and Bd3 with a king's move between; the next bishop's move stands while Black's king is
    in the hand. Black's press is for the king, whichever way the bishop came to d3."""
    hands = Hands("8/p7/P1kpb1B1/K2p2p1/3P4/2P3p1/2P2P2/8 w - - 0 40", scan_ns=225 * MS)
    hands.play((0.47, "g3", "."), (0.6, "c6", "."), (0.72, "f2", "."), (0.79, "c7", "k"))
    hands.play((0.92, "g3", "P"), (1.74, "g6", "."), (1.83, "white", "both"), (1.94, "h7", "B"))
    hands.play((2.59, "c7", "."), (2.61, "h7", "."), (2.83, "white", "presses"), (2.93, "d3", "B"))
    hands.play((3.3, "c6", "k"), (3.83, "black", "both"), (3.98, "e6", "."), (5.33, "e6", "b"))
    hands.play((5.74, "b7", "k"), (5.77, "c6", "."), (6.31, "d3", "."), (6.41, "b7", "."))
    hands.play((6.69, "g6", "B"), (6.83, "black", "both"), (6.87, "c7", "k"), (7.77, "c7", "."))
    hands.play((7.81, "g6", "."), (7.97, "e8", "B"), (8.25, "c6", "k"), (8.83, "black", "both"))

    expected = ["f2g3", "c6c7", "g6h7", "c7c6", "h7d3", "c6c7", "d3g6", "c7c6", "g6e8"]
    assert hands.moves == expected
