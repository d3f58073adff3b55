"""What was believed too soon: pieces on their way, presses whose piece is in the air again,
kings."""

from __future__ import annotations

from tests.tracking.hands import MS, SECOND, Hands

from arbiterd.rules.ruleset import Colour
from arbiterd.tracking.facts import (
    Gap,
    KingsInCentre,
    MoveCompleted,
    MoveReplaced,
    MoveWithdrawn,
    OutOfTurn,
    PlyCertainty,
    Pressed,
)


def accused(hands: Hands) -> bool:
    return bool(hands.empty_presses or hands.of(OutOfTurn))


def test_a_press_is_for_what_stood_and_not_for_where_the_piece_goes_next() -> None:
    """The queen stood on h8; the king has replied, the queen is up again, the press is heard."""
    hands = Hands("4rk2/1p1q1rp1/p1p5/4P3/P2bpP1Q/1B4R1/1P3PK1/2B5 w - - 7 34")
    hands.lift("h4").lift("f8", 0.6).show("h8", "Q", 0.01).lift("h8", 0.75).show("e7", "k", 0.02)
    hands.press("white").show("h5", "Q").press("white").wait(5)

    assert hands.moves == ["h4h8", "f8e7", "h8h5"]
    assert not accused(hands)


def test_a_late_press_counts_though_its_piece_is_held_for_long() -> None:
    hands = Hands("rnbqkb1r/pppp1ppp/8/4p3/3Pn3/3B1N2/PPP2PPP/RNBQK2R b KQkq - 0 4")
    hands.move("b8", "c6").move("f3", "e5").wait(0.8).lift("c6").press("black").wait(8)
    hands.show("c6", "n").wait(6)

    assert hands.moves == ["b8c6", "f3e5"]
    assert not accused(hands)
    assert [fact.ply for fact in hands.of(MoveCompleted)] == [1]


def test_who_captures_has_two_pieces_in_the_air_when_the_press_is_heard() -> None:
    """f6 is pressed while Black's knight and the pawn of e5 that it takes are off the board."""
    hands = Hands("rq3r1k/1pbn2pb/2p4p/p3PP2/P7/2NN2B1/1PQ1B1PK/5R2 w - - 3 27")
    hands.lift("f5").lift("e5", 0.9).show("f6", "P", 0.5).lift("d7", 0.2).press("white")
    hands.show("e5", "n").press("black").wait(5)

    assert hands.moves == ["f5f6", "d7e5"]
    assert not accused(hands)


def test_a_piece_that_has_just_moved_is_not_in_the_air_for_ever() -> None:
    """Bd5-b3 with a rest on c4; the knight takes it there before a scan has come by."""
    hands = Hands("1rbqkbnr/3p1ppp/p3p3/1ppB4/3nP3/2NP4/PPP1NPPP/R1BQK2R w KQk - 0 8")
    hands.lift("d5").show("c4", "B").lift("c4", 0.25).wait(0.6).press("white").lift("d4")
    hands.wait(0.5).show("b3", "n").press("black").wait(5)

    assert hands.moves == ["d5b3", "d4b3"]
    assert not accused(hands)


def test_a_square_that_was_doubted_is_believed_once_nothing_else_explains_the_board() -> None:
    """g1=Q is seen before g2 is clear: not the queen of f2, who still stands there."""
    hands = Hands("8/1p6/2p5/Pk2n3/8/7K/5qp1/8 b - - 1 56")
    hands.show("g1", "q").wait(0.8).lift("a5").lift("g2", 0.1).press("black")
    hands.show("a6", "P", 0.1).press("white").wait(5)

    assert hands.moves == ["g2g1q", "a5a6"]
    assert not accused(hands)


def test_a_victim_set_down_beside_its_square_has_taken_nobody() -> None:
    """Nc7xe6, the pawn set down on d5 first: not Nc7-d5 and ...exd5."""
    hands = Hands("r4r1k/1pN4p/4p3/p1p1n2q/Pb2P3/4B2P/1P4Q1/R4RK1 w - - 1 25")
    hands.lift("c7").lift("e6", 0.8).show("d5", "p", 0.03).show("e6", "N", 0.5)
    hands.lift("d5", 0.03).press("white").wait(5)

    assert hands.moves == ["c7e6"]
    assert not accused(hands)


def test_what_stood_for_a_minute_is_not_told_anew_for_a_picture() -> None:
    """...e7-e6 is lost; White then presses for a knight that goes from e5 to f5, as none does."""
    hands = Hands("r1bq1rk1/pp2ppbp/2n2np1/3p4/3P4/2N2NP1/PP2PPBP/R1BQ1RK1 w - - 3 9")
    hands.move("f3", "e5").wait(60).lift("e5")
    for square, piece in (("e7", "."), ("e6", "p")):
        hands.pieces[hands.rules.geometry.square(square)] = piece
    hands.scan().show("f5", "N").wait(0.8).press("white").wait(5)

    assert hands.moves == ["f3e5", "e7e6"]
    assert len(hands.empty_presses) == 1


def test_two_stops_and_a_reply_are_counted_again_before_anybody_is_out_of_turn() -> None:
    """Bf1-c4 with rests on e2 and d3, ...Nf6 during the second; both presses go unheard."""
    hands = Hands("rnbqk1nr/ppp1ppbp/3p2p1/8/3PP3/5N2/PPP2PPP/RNBQKB1R w KQkq - 0 4")
    hands.lift("f1").show("e2", "B", 0.45).lift("e2", 0.5).show("d3", "B", 0.2)
    hands.lift("g8", 0.1).show("f6", "n", 0.3).lift("d3", 0.45).show("c4", "B", 0.45).wait(20)
    hands.move("d1", "e2").press("white").wait(6)

    assert hands.moves == ["f1c4", "g8f6", "d1e2"]
    assert not accused(hands)


def test_a_king_who_goes_to_the_centre_by_a_legal_step_has_not_moved_once_the_clocks_stand() -> (
    None
):
    """Black resigns: ...Kf6-e5 is told after four seconds, and White's king comes to e4."""
    hands = Hands("8/p7/1b1R1k2/5p1b/1P5P/5pP1/5P2/6K1 b - - 50 67")
    hands.tracker.clock(0, Colour.BLACK, True)
    hands.wait(5)
    hands.tracker.clock(hands.now_ns, None, True)
    hands.move("f6", "e5").wait(6)
    hands.move("g1", "e4").wait(8)

    assert hands.of(KingsInCentre)
    assert hands.moves == []


def test_presses_heard_of_together_are_for_one_half_move_each() -> None:
    hands = Hands().move("e2", "e4").move("e7", "e5").move("g1", "f3")
    sides = (Colour.WHITE, Colour.BLACK, Colour.WHITE)
    for after, side in zip((2, 1, 0), sides, strict=True):
        hands.facts += hands.tracker.pressed(hands.now_ns, side, SECOND, after, seen=False)

    assert [ply.completed_at_ns for ply in hands.tracker.record.plies] == [hands.now_ns] * 3
    assert not hands.empty_presses


def test_a_press_that_only_the_times_tell_of_accuses_nobody() -> None:
    hands = Hands(moves=("e2e4",))
    for after, side in ((1, Colour.BLACK), (0, Colour.WHITE)):
        hands.facts += hands.tracker.pressed(hands.now_ns, side, SECOND, after, seen=False)
    hands.wait(20)

    assert not hands.empty_presses
    assert not hands.of(Gap), "nothing says that a message was lost"


def test_who_presses_after_the_other_side_did_has_not_pressed_for_the_move_before_that() -> None:
    """Kc2 and Rc7 are not pressed for, ...Kf7 goes unheard, Rc4 and ...Ke7 lead back: the presses
    that the times tell of then are for two of these, and the record lacks them all."""
    hands = Hands("8/3k4/4p2p/4B1b1/1PR1P1P1/4r3/8/1K6 w - - 1 39", scan_ns=250 * MS)
    hands.move("b1", "c2").move("d7", "e7").wait(1).press("black").wait(1.2)
    hands.move("c4", "c7").wait(1.5).move("c7", "c4").lift("f7", 0.8).wait(0.2)
    for followed, side in ((1, Colour.WHITE), (0, Colour.BLACK)):
        hands.facts += hands.tracker.pressed(hands.now_ns, side, SECOND, followed, seen=False)
    hands.wait(8)

    assert [fact.ply for fact in hands.of(Pressed)] == [2]
    assert not hands.empty_presses
    assert len(hands.of(Gap)) == 1


def test_a_press_for_an_illegal_move_is_none_for_the_move_made_in_its_place() -> None:
    """Bb2-b1 is pressed for and taken back. Half a minute later White castles while Black does:
    both are found at once, after White's press."""
    fen = "rnb1k2r/pp2bppp/2pp1n2/8/8/1P1N4/PBPPNPPP/R3KB1R w KQkq - 1 10"
    hands = Hands(fen, scan_ns=250 * MS)
    hands.wait(5).move("b2", "b1").press("white").wait(10).move("b1", "b2").wait(30)
    hands.move("e1", "c1").lift("a1", 0.4).lift("e8", 0.1).show("g8", "k", 0.5)
    hands.show("d1", "R", 0.2).lift("h8", 0.3).press("white").show("f8", "r", 0.6)
    hands.wait(1).press("black").wait(8)

    assert hands.moves == ["e1c1", "e8g8"]
    assert [fact.move for fact in hands.of(Pressed)] == [None, "e1c1", "e8g8"]


def test_a_press_without_a_move_is_told_of_the_record_as_it_is_believed_by_then() -> None:
    """Nf1-g3 with a rest on h2, answered meanwhile and told as Nh2. White presses once more and has
    moved nothing: that is no knight's move from h2 to g3."""
    fen = "r2qr1k1/1pp1bppp/p1np1nb1/4p3/B3P1P1/2PP1N1P/PP3P2/R1BQRNK1 w - - 1 13"
    hands = Hands(fen, scan_ns=250 * MS)
    hands.lift("f1").show("h2", "N", 0.48).lift("b7", 0.82).lift("h2", 0.18)
    hands.show("b5", "p", 0.38).show("g3", "N", 0.08).wait(1.17)
    for followed, side in ((1, Colour.WHITE), (0, Colour.BLACK)):
        hands.facts += hands.tracker.pressed(hands.now_ns, side, SECOND, followed, seen=False)
    hands.wait(1.7).press("white").wait(6)

    assert hands.moves == ["f1g3", "b7b5"]
    assert [fact.turn.fen.split()[0] for fact in hands.empty_presses] == [
        hands.rules.fen(hands.tracker.position).split()[0]
    ]
    newest = [fact for fact in hands.facts if isinstance(fact, MoveReplaced | Pressed)][-1]
    assert isinstance(newest, Pressed), "the record is put right before anybody is accused"


def test_a_press_with_the_last_piece_in_hand_is_none_for_before_a_reply_that_was_pressed() -> None:
    """Kd4 and ...f2 were not pressed; Rh1 was, soon after it stood. Black's next press comes with
    the pawn of f2 in the hand: whatever Rh1's was for, nothing has been placed."""
    hands = Hands("8/2r3k1/7R/1p2K1P1/p3P3/P1P2p2/1P6/8 w - - 0 58", scan_ns=250 * MS)
    hands.move("e5", "d4").move("f3", "f2").lift("h6", 0.6).show("h1", "R", 1.4)
    hands.wait(0.2)
    hands.facts += hands.tracker.pressed(hands.now_ns, Colour.WHITE, SECOND)
    hands.wait(2).lift("f2").wait(1).press("black").wait(8)

    assert hands.moves == ["e5d4", "f3f2", "h6h1"]
    assert [(fact.ply, fact.side) for fact in hands.empty_presses] == [(4, Colour.BLACK)]


def test_who_forgot_to_press_long_ago_does_not_press_for_it_while_making_the_next_move() -> None:
    """h3 and ...h6 were not pressed. Minutes later Bb5 is, at once: that is for Bb5, and what Black
    presses with a pawn in the hand is for no half-move of before."""
    fen = "r4rk1/pppqbppp/2npbn2/4p3/P1B1P3/3P1N2/1PPN1PPP/R1BQR1K1 w - - 3 9"
    hands = Hands(fen, scan_ns=250 * MS)
    hands.move("h2", "h3").wait(20).move("h7", "h6").wait(100).move("c4", "b5").wait(0.2)
    hands.facts += hands.tracker.pressed(hands.now_ns, Colour.WHITE, SECOND)
    hands.wait(2).lift("d6").wait(0.5).press("black").wait(9)

    assert hands.moves == ["h2h3", "h7h6", "c4b5"]
    assert [(fact.ply, fact.side) for fact in hands.empty_presses] == [(4, Colour.BLACK)]


def test_a_line_is_not_given_up_for_a_far_worse_one_whose_piece_hangs_in_the_air() -> None:
    """Three presses are heard together as a rook is lifted, the third for where it stands a moment
    later: nothing is taken back for that, and what is played twice is told twice."""
    fen = "q5k1/3n1pp1/2p1p2p/rpPp4/3PnPP1/1R2P2P/6K1/1RQ1B3 b - - 3 29"
    hands = Hands(fen, scan_ns=225 * MS)
    hands.play((0.16, "a5", "."), (0.27, "b1", "."), (0.47, "b2", "R"), (0.69, "a2", "r"))
    hands.play((0.99, "black", "both"), (1.59, "a2", "."), (2.07, "a1", "r"), (2.72, "b2", "."))
    hands.play((2.74, "a1", "."), (2.99, "black", "presses"), (3.16, "a2", "r"), (3.42, "b1", "R"))
    hands.play((3.87, "b1", "."), (3.99, "white", "again"), (4.07, "b2", "R"), (4.96, "a2", "."))
    hands.play((5.19, "b2", "."), (5.44, "a1", "r"), (5.45, "b1", "R"), (5.99, "black", "both"))
    hands.play((6.12, "a1", "."), (6.54, "a2", "r"), (6.99, "black", "presses")).wait(5)

    assert hands.moves == ["a5a2", *["b1b2", "a2a1", "b2b1", "a1a2"] * 2]
    assert not hands.of(MoveWithdrawn)
    assert hands.quiet


def test_a_piece_that_may_only_have_stopped_takes_no_press_while_it_is_in_the_air() -> None:
    """...Be7 by way of d6, where it rests for 0.45 s; White replies with cxd5 as it stands there.
    Two presses are heard together before it has come down: what they were for shows then."""
    fen = "rnbqkb1r/ppp2ppp/4pn2/3p4/2PP4/2N2N2/PP2PPPP/R1BQKB1R b KQkq - 1 4"
    hands = Hands(fen, scan_ns=225 * MS)
    hands.play((1.27, "f8", "."), (1.32, "d6", "b"), (1.37, "c4", "."), (1.77, "d6", "."))
    hands.play((1.8, "d5", "P"), (2.18, "black", "both"), (2.19, "e7", "b"))

    told = [(ply.move, *ply.alternatives) for ply in hands.tracker.record.plies]
    assert {"f8e7", "f8d6"} <= set(told[0])
    assert hands.tracker.record.plies[0].sureness is PlyCertainty.LIKELY


def test_a_piece_on_the_way_to_its_next_square_leaves_the_press_to_the_half_move_that_stood() -> (
    None
):
    """Rxe6, ...Rf1, Re1, ...Rxh1: White's rook rests on e4 on its way back and Black's is up again
    as both first half-moves are pressed for."""
    hands = Hands("5r1k/ppp5/2qpb2p/3n3P/3P4/1B4Q1/PPP2rP1/1K2R2R w - - 0 28", scan_ns=225 * MS)
    hands.play((1.52, "e1", "."), (1.72, "f2", "."), (1.97, "f1", "r"), (2.05, "e6", "R"))
    hands.play((2.5, "e6", "."), (2.56, "e4", "R"), (2.65, "f1", "."), (2.66, "white", "both"))
    hands.play((2.88, "h1", "r"), (3.01, "e4", "."), (3.32, "e1", "R"), (3.66, "white", "both"))
    hands.wait(5)

    assert hands.moves == ["e1e6", "f2f1", "e6e1", "f1h1"]
    assert hands.quiet


def test_what_was_taken_back_and_is_made_again_was_made_then() -> None:
    """...c6 stands for three seconds and is taken back; made again, the pawn goes on to c5 after
    0.67 s, and c4 has come meanwhile: that was one half-move of each, as likely as two of Black's.
    """
    fen = "rn1qkbnr/1bpp2pp/pp2pp2/8/4P1P1/1P3P1B/P1PP3P/RNBQ1KNR b kq - 0 6"
    hands = Hands(fen, scan_ns=225 * MS)
    hands.play((2.29, "c7", "."), (2.54, "c6", "p"), (5.47, "c6", "."), (5.67, "c7", "p"))
    hands.play((7.24, "c7", "."), (7.27, "c6", "p"), (7.38, "c2", "."), (7.55, "c4", "P"))
    hands.play((7.94, "c6", "."), (8.42, "c5", "p"), (8.68, "black", "both"), (8.83, "h7", "."))
    hands.play((8.99, "d1", "."), (9.22, "e1", "Q"), (9.34, "h5", "p"), (9.68, "black", "both"))
    hands.play((10.24, "h5", "."), (10.68, "black", "presses"), (10.71, "g4", "p"))
    hands.play((11.42, "h3", "."), (11.61, "g4", "B"), (12.68, "white", "presses")).wait(5)

    assert hands.moves == ["c7c5", "c2c4", "h7h5", "d1e1", "h5g4", "h3g4"]
    assert hands.quiet


def test_a_stop_is_seen_though_the_square_that_the_reply_left_still_shows_its_piece() -> None:
    """...Bh6 by way of g7, and Rxf7 meanwhile: f1 reads empty only after the bishop is down."""
    fen = "1k1r1b2/pbp1n2q/4Q3/1B4p1/3NP3/P1P5/1P4PP/R1B2RK1 b - - 0 23"
    hands = Hands(fen, scan_ns=100 * MS)
    hands.play((1.53, "f8", "."), (1.79, "g7", "b"), (2.01, "f7", "R"), (2.01, "g7", "."))
    hands.play((2.27, "h6", "b"), (2.4, "f1", "."), (2.74, "black", "both")).wait(5)

    assert hands.moves == ["f8h6", "f1f7"]
    assert hands.quiet
