"""Half-moves nobody saw, placements no rule explains, and what the arbiter says of them."""

from __future__ import annotations

import pytest

from arbiterd.rules.registry import ruleset
from arbiterd.rules.ruleset import Colour
from arbiterd.simulation.benchmarks.trial import make_trial, tracked
from arbiterd.simulation.famous import FAMOUS
from arbiterd.simulation.game import follow
from arbiterd.simulation.profiles import BLITZ_SCRAMBLE
from arbiterd.tracking.facts import (
    BoardBack,
    BoardLost,
    BoardReset,
    Explained,
    GameBegun,
    Gap,
    How,
    IrregularEntered,
    MoveMade,
    MoveReplaced,
    OutOfTurn,
    PlyCertainty,
    Settled,
    StartArray,
    TookBack,
)
from eboards.events import SensingClass

from .hands import MS, Hands

OPENING = ("e2e4", "e7e5", "g1f3", "b8c6")


def test_a_game_that_ended_while_nobody_heard_the_board_has_a_gap() -> None:
    hands = Hands(moves=(*OPENING, "f1c4", "g8f6"))
    hands.move("d2", "d3").wait(5)
    hands.facts += hands.tracker.link(hands.now_ns, False, None, "no answer")
    hands.wait(60)
    hands.facts += hands.tracker.link(hands.now_ns, True, None)
    hands.scan("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR").wait(5)

    assert hands.told == ["d2d3"]
    assert [gap.candidates for gap in hands.of(Gap)] == [()]
    assert len(hands.of(BoardReset)) == 1


def test_pieces_put_back_while_the_board_is_heard_leave_no_gap() -> None:
    hands = Hands(moves=(*OPENING[:2], "g1f3"))
    hands.move("b8", "c6").wait(5)
    for square, piece in (("c6", "."), ("b8", "n"), ("f3", "."), ("g1", "N")):
        hands.show(square, piece)
    for square, piece in (("e4", "."), ("e2", "P"), ("e5", "."), ("e7", "p")):
        hands.show(square, piece)
    hands.wait(5)

    assert hands.of(Gap) == []
    assert len(hands.of(BoardReset)) == 1


def test_a_capture_that_was_lost_is_found_where_pieces_may_come_back_to_the_board() -> None:
    """Shogi: R5e takes the silver of 2e, and the king answers, while the link is down."""
    hands = Hands("3k5/9/4p4/9/4R2s1/9/9/9/3K5 b P 1", rules=ruleset("shogi"))
    hands.facts += hands.tracker.link(hands.now_ns, False, None, "no answer")
    hands.wait(30)
    hands.facts += hands.tracker.link(hands.now_ns, True, hands.tracker._belief.sensors.sensing)
    hands.scan("9/3k5/4p4/9/7R1/9/9/9/3K5").wait(10)

    assert hands.moves == ["5e2e", "6a6b"]


def test_one_two_or_three_lost_half_moves_are_found_when_the_board_is_back() -> None:
    boards = [
        "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R",
        "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R",
        "r1bqkbnr/1ppp1ppp/p1n5/4p3/B3P3/5N2/PPPP1PPP/RNBQK2R",
    ]
    played = ["f1b5", "a7a6", "b5a4"]
    for number, board in enumerate(boards[:2], start=1):
        hands = Hands(moves=OPENING)
        hands.facts += hands.tracker.link(hands.now_ns, False, None, "no answer")
        hands.wait(30)
        hands.facts += hands.tracker.link(hands.now_ns, True, hands.tracker._belief.sensors.sensing)
        hands.scan(board).wait(10)

        assert hands.moves == [*OPENING, *played[:number]]
        assert hands.of(BoardLost)
        assert hands.of(BoardBack)[0].lost_ns > 0

    # The bishop went by b5: of three, its first stop is a guess, and it is said to be one.
    hands = Hands(moves=OPENING)
    hands.facts += hands.tracker.link(hands.now_ns, False, None, "no answer")
    hands.facts += hands.tracker.link(hands.now_ns, True, None)
    hands.scan(boards[2]).wait(10)
    assert hands.moves[-1] != "b5a4" or hands.tracker.record.plies[4].how is How.INFERRED


def test_what_leads_to_the_same_pieces_is_held_and_told_as_such() -> None:
    """...a6, c3, ...a5 and ...a5, c3: the pieces are the same, and the other side has the move."""
    hands = Hands(moves=("e2e4",))
    hands.facts += hands.tracker.link(hands.now_ns, False, None)
    hands.wait(5)
    hands.facts += hands.tracker.link(hands.now_ns, True, None)
    hands.scan("rnbqkbnr/1ppppppp/8/p7/4P3/2P5/PP1P1PPP/RNBQKBNR")

    (gap,) = hands.of(Gap)
    assert set(gap.candidates) == {("a7a5", "c2c3"), ("a7a6", "c2c3", "a6a5")}
    assert hands.of(MoveMade)[0].sureness is PlyCertainty.LIKELY

    # White moves next: it was the longer line.
    hands.move("d2", "d4").press("white").wait(5)

    assert hands.moves == ["e2e4", "a7a6", "c2c3", "a6a5", "d2d4"]
    assert [fact.move for fact in hands.of(MoveReplaced)][:1] == ["a7a6"]


def test_an_illegal_move_that_is_replied_to_stands_and_play_goes_on() -> None:
    hands = Hands(moves=OPENING).move("f1", "e3").press("white").wait(2)
    assert len(hands.empty_presses) == 1

    hands.move("a7", "a6").press("black").move("e3", "d4").press("white")

    (entered,) = hands.of(IrregularEntered)
    assert (entered.ply, entered.side, entered.pressed) == (5, Colour.WHITE, True)
    assert hands.moves[4:] == ["", "a7a6", "e3d4"]


def test_an_illegal_move_never_rewrites_what_was_pressed() -> None:
    """Nf3-f4 would be legal if the knight had gone to h3 or e2 before."""
    hands = Hands(moves=OPENING).move("f3", "f4").press("white").wait(3)

    assert hands.moves == list(OPENING)
    assert len(hands.empty_presses) == 1


def test_an_illegal_move_rewrites_no_pressed_half_move_of_another_piece() -> None:
    """Rd1-c2 would be nothing wrong if Ra2 had gone there, and Rd1 to a1: but Ra1 was pressed."""
    hands = Hands("8/5k2/8/7p/8/8/R6P/3R2K1 w - - 0 1", scan_ns=250_000_000)
    hands.wait(5).move("a2", "a1").press("white").wait(5).move("h5", "h4").press("black").wait(3)
    hands.move("d1", "c2").wait(0.5).press("white").wait(5)

    assert hands.moves == ["a2a1", "h5h4"]
    assert len(hands.empty_presses) == 1


def test_an_illegal_move_that_is_restored_leaves_no_trace_on_the_record() -> None:
    hands = Hands(moves=OPENING).move("f1", "e3").press("white").wait(5)
    hands.move("e3", "f1").wait(1).move("f1", "b5").press("white")

    assert hands.moves == [*OPENING, "f1b5"]
    assert not hands.of(IrregularEntered)


def test_a_displaced_piece_is_told_when_the_hands_have_left_and_when_it_is_back() -> None:
    hands = Hands(moves=OPENING).move("a2", "a5").wait(5)
    (settled,) = hands.of(Settled)
    assert settled.squares == (24, 48)

    hands.move("a5", "a2")

    assert len(hands.of(Explained)) == 1
    assert hands.move("f1", "b5").press("white").moves == [*OPENING, "f1b5"]


def test_a_move_by_the_side_that_has_not_the_move() -> None:
    hands = Hands(moves=OPENING).move("a7", "a6").wait(5)

    (fact,) = hands.of(OutOfTurn)
    assert (fact.side, fact.move) == (Colour.BLACK, "a7a6")


def test_a_completed_move_that_is_taken_back_by_both_is_told() -> None:
    hands = Hands(moves=("e2e4",)).move("e7", "e5").press("black")
    hands.move("e5", "e7").wait(5)

    (fact,) = hands.of(TookBack)
    assert (fact.ply, fact.withdrawn) == (1, ("e7e5",))
    assert hands.moves == ["e2e4"]


def test_a_wrong_start_array_is_told_at_the_first_picture() -> None:
    swapped = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR"
    hands = Hands().scan(swapped)

    (array,) = hands.of(StartArray)
    assert array.wrong == ((59, "Q", "K"), (60, "K", "Q"))
    assert hands.move("e2", "e4").press("white").moves == ["e2e4"]


def test_a_game_that_runs_already_is_taken_up_where_it_is() -> None:
    hands = Hands().scan("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R").wait(5)
    hands.facts += hands.tracker.clock(hands.now_ns, Colour.WHITE, True)

    hands.move("f1", "b5").press("white").move("a7", "a6").press("black")

    assert hands.moves == ["f1b5", "a7a6"]
    assert hands.of(GameBegun)[-1].fen.split()[1] == "w"


def test_the_arbiters_line_is_the_record_and_play_goes_on_from_it() -> None:
    hands = Hands().move("e2", "e4").press("white").move("e7", "e5").press("black")

    hands.facts += hands.tracker.set_line(hands.now_ns, ["d2d4", "e7e5"])
    assert [fact.move for fact in hands.of(MoveReplaced)] == ["d2d4"]
    assert hands.tracker.record.plies[0].how is How.ARBITER

    hands.show("e4", ".").show("e2", "P").show("d2", ".").show("d4", "P")
    assert hands.move("d4", "e5").press("white").moves == ["d2d4", "e7e5", "d4e5"]


def test_the_arbiters_line_must_be_legal() -> None:
    hands = Hands()
    with pytest.raises(ValueError, match="e2e5"):
        hands.tracker.set_line(0, ["e2e5"])


def test_a_position_set_by_the_arbiter_begins_the_record_anew() -> None:
    hands = Hands(moves=OPENING)
    position = hands.rules.start("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    hands.facts += hands.tracker.set_position(hands.now_ns, position)

    hands.scan("4k3/8/8/8/8/8/4P3/4K3").move("e2", "e4").press("white")

    assert hands.moves == ["e2e4"]


def test_what_is_moved_after_the_end_is_no_part_of_the_game() -> None:
    hands = Hands(moves=OPENING)
    hands.tracker.end_game(hands.now_ns)
    hands.move("f1", "b5").press("white").wait(10)

    assert hands.moves == list(OPENING)

    hands.scan("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR")
    assert hands.move("d2", "d4").press("white").moves == ["d2d4"]


def test_pieces_set_up_while_the_game_has_no_result_are_a_reset() -> None:
    hands = Hands(moves=OPENING).scan("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR").wait(5)

    assert len(hands.of(BoardReset)) == 1
    assert hands.moves == list(OPENING)
    assert hands.move("d2", "d4").press("white").moves == ["d2d4"]


def test_what_occupancy_cannot_tell_is_told_as_alternatives() -> None:
    """e4 takes d5 or f5, and the taken piece's square never clears."""
    fen = "4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1"
    hands = Hands(fen, kind=SensingClass.OCCUPANCY)
    hands.pieces = list(hands.tracker._belief.image.shown)
    hands.lift("e4").press("white").wait(1)

    (made,) = hands.of(MoveMade)
    assert {made.move, *made.alternatives} == {"e4d5", "e4f5"}
    assert made.sureness is PlyCertainty.LIKELY

    # Black's king takes nothing on d5, but the piece on f5 walks on: it is still there.
    hands.lift("f5").show("f4", "?").press("black")
    assert hands.moves[0] == "e4d5"


def test_a_promoted_piece_is_not_guessed_from_occupancy() -> None:
    hands = Hands("7k/4P3/8/8/8/8/8/K7 w - - 0 1", kind=SensingClass.OCCUPANCY)
    hands.pieces = list(hands.tracker._belief.image.shown)
    hands.move("e7", "e8").press("white")

    (made,) = hands.of(MoveMade)
    assert made.sureness is PlyCertainty.LIKELY
    assert made.move == "e7e8q"
    assert set(made.alternatives) == {"e7e8r", "e7e8b", "e7e8n"}
    # Of 34 promotions in recorded games 33 were to a queen.
    assert made.probability == pytest.approx(33 / 34, abs=0.005)


@pytest.mark.parametrize("kind", [SensingClass.OCCUPANCY, SensingClass.COLOUR])
@pytest.mark.parametrize("piece", ["r", "b", "n"])
def test_a_promoted_piece_that_moves_as_no_queen_is_known_by_that(
    kind: SensingClass, piece: str
) -> None:
    """The knight goes as none else; a rook and a bishop go where a queen may, and stay rivals."""
    target = {"r": "e7", "b": "d7", "n": "c7"}[piece]
    hands = Hands("7k/4P3/8/8/8/8/8/K7 w - - 0 1", kind=kind)
    hands.pieces = list(hands.tracker._belief.image.shown)
    hands.move("e7", "e8").press("white").wait(5).move("h8", "h7").press("black").wait(5)
    hands.move("e8", target).press("white").wait(5)

    made = hands.tracker.record.plies[0]
    assert made.move == ("e7e8n" if piece == "n" else "e7e8q")
    assert set(made.alternatives) == {"r": {"e7e8r"}, "b": {"e7e8b"}, "n": set()}[piece]
    assert (made.sureness is PlyCertainty.CERTAIN) == (piece == "n")


@pytest.mark.parametrize("kind", [SensingClass.OCCUPANCY, SensingClass.COLOUR])
@pytest.mark.parametrize("stop", ["e7", "d7"])
def test_a_promoted_knight_is_known_though_it_stops_where_a_queen_may_go(
    kind: SensingClass, stop: str
) -> None:
    """It rests there on its way: the queen would have moved, and the knight is on its way yet."""
    hands = Hands("7k/4P3/8/8/8/8/8/K7 w - - 0 1", kind=kind)
    hands.pieces = list(hands.tracker._belief.image.shown)
    hands.move("e7", "e8").press("white").wait(5).move("h8", "h7").press("black").wait(5)
    shown = "?" if kind is SensingClass.OCCUPANCY else "w"
    hands.lift("e8").show(stop, shown).lift(stop).show("c7", shown).press("white").wait(5)

    assert hands.moves == ["e7e8n", "h8h7", "e8c7"]
    assert not hands.empty_presses


def test_a_king_in_the_hand_makes_no_rook_of_a_new_queen() -> None:
    """Kxh5 would be legal if e8 were a rook: it guards nothing there. The king is only lifted."""
    hands = Hands("8/4P3/7k/7P/8/8/8/K7 w - - 0 1", kind=SensingClass.OCCUPANCY)
    hands.pieces = list(hands.tracker._belief.image.shown)
    hands.move("e7", "e8").press("white").wait(5).lift("h6").wait(6)
    assert hands.moves == ["e7e8q"]

    hands.show("g7", "?").press("black").wait(5)
    assert hands.moves == ["e7e8q", "h6g7"]
    assert not hands.empty_presses


def test_a_lost_message_leaves_a_piece_on_two_squares_and_the_game_goes_on() -> None:
    """d2 never reads empty."""
    hands = Hands(moves=OPENING).show("d4", "P").press("white").wait(1)
    assert hands.moves[-1] == "d2d4"

    assert hands.move("e5", "d4").press("black").moves[-1] == "e5d4"


def test_an_exchange_too_quick_for_the_scan_is_two_half_moves() -> None:
    """The capturing knight on e5 is taken before a scan has come by: e5 never shows it."""
    hands = Hands(moves=OPENING).lift("f3").lift("c6").show("e5", "n").press("black")

    assert hands.moves == [*OPENING, "f3e5", "c6e5"]
    assert not hands.empty_presses


def test_pieces_adjusted_before_an_overlapped_reply_do_not_hide_it() -> None:
    """Both pieces that move had been lifted and put back before, in the other order."""
    hands = Hands(moves=OPENING).lift("d7").show("d7", "p").lift("f1").show("f1", "B").wait(2)
    hands.lift("f1").lift("d7").show("d6", "p").show("c4", "B").press("black")

    assert hands.moves == [*OPENING, "f1c4", "d7d6"]
    assert not hands.empty_presses


def test_a_piece_that_stood_while_it_was_replied_to_was_no_stop() -> None:
    """The king goes back and forth and is set down beside on its way: what stood, stands."""
    fen = "8/8/3k4/8/8/3K4/P7/8 w - - 0 1"
    hands = Hands(fen).move("d3", "c4").wait(1).move("d6", "c6").wait(1).move("c4", "d4")
    hands.wait(1).move("c6", "b7", "c7").press("black").wait(5)

    assert hands.moves == ["d3c4", "d6c6", "c4d4", "c6c7"]


def test_a_half_move_whose_piece_is_set_down_before_it_is_lifted_ends_with_the_lift() -> None:
    """White's f1 and Black's d7 cross; the last thing seen is a square that clears."""
    hands = Hands(moves=OPENING).show("c4", "B").lift("d7").show("d6", "p").lift("f1")

    assert hands.press("black").wait(5).moves == [*OPENING, "f1c4", "d7d6"]
    assert not hands.empty_presses


@pytest.mark.parametrize(("number", "seed"), [(1, 1), (4, 6), (3, 7)])
def test_half_moves_over_one_another_are_no_offence(number: int, seed: int) -> None:
    """Scrambles in which a press comes while nothing explains the board."""
    trial = make_trial(follow(FAMOUS[number]), BLITZ_SCRAMBLE, f"blitz-scramble/{seed}/{number}")
    assert tracked(trial).score.false_alarms == ()


def test_a_square_that_says_again_what_it_showed_tells_where_a_piece_had_been() -> None:
    """Qd1-a4 is lost, and only heard of as the queen leaves a4 for c4; d3 and b3 would do else."""
    hands = Hands("rnbqkb1r/ppp2ppp/4pn2/3p4/2PP4/2N2N2/PP2PPPP/R1BQKB1R b KQkq - 1 4")
    hands.move("d5", "c4").press("black").wait(1)
    hands.move("c8", "d7").lift("a4").show("c4", "Q").press("white")
    hands.pieces[hands.rules.geometry.square("d1")] = "."
    hands.scan().wait(5)

    assert hands.moves == ["d5c4", "d1a4", "c8d7", "a4c4"]
    assert not hands.empty_presses


def test_a_message_that_crosses_a_picture_of_the_board_is_no_sign_of_a_loss() -> None:
    """The picture shows the pawn's square empty, and just then its own message says so too."""
    hands = Hands(moves=OPENING)
    hands.pieces[hands.rules.geometry.square("a2")] = "."
    hands.scan().lift("a2")
    hands.show("a5", "P").press("white").wait(5)

    assert hands.moves == list(OPENING)
    assert len(hands.empty_presses) == 1


def test_a_lost_half_move_taken_back_by_the_next_is_known_by_what_its_square_said() -> None:
    """...Rf8 is lost; f8 says that it is empty as the rook goes back to f7."""
    hands = Hands("8/5rkp/4Q3/3K2P1/8/8/6P1/8 b - - 8 59")
    hands.wait(1).lift("d5").lift("f8").show("e5", "K").press("black")
    hands.pieces[hands.rules.geometry.square("f7")] = "."
    hands.scan().show("f7", "r").wait(0.6).move("e6", "f6").press("white").wait(5)

    assert hands.moves == ["f7f8", "d5e5", "f8f7", "e6f6"]
    assert not hands.empty_presses


def test_half_moves_found_with_a_loss_are_told_in_the_order_in_which_pieces_were_taken_up() -> None:
    """Ra1-c1 is lost. ...a7-a6 came before Nc3-a4, and the picture shows what came before both."""
    hands = Hands("r2qr1k1/pp1n1p1p/3bbpp1/3p4/3P4/1PN1PN2/P3BPPP/R2Q1RK1 w - - 0 12")
    hands.wait(1).lift("a7").show("a6", "p", 0.2).show("a4", "N", 0.1).lift("c3", 0)
    hands.show("a3", "b").lift("d6", 0.2)
    hands.pieces[hands.rules.geometry.square("a1")] = "."
    hands.pieces[hands.rules.geometry.square("c1")] = "R"
    hands.scan().wait(5)

    assert hands.moves == ["a1c1", "a7a6", "c3a4", "d6a3"]
    assert not hands.empty_presses


def test_a_picture_that_shows_one_half_move_more_may_show_what_came_before_the_others() -> None:
    """...Qd7-c6 is lost; Nf3-e5 is pressed and ...Rd8-e8 made before a picture shows the queen."""
    hands = Hands("3r2k1/1p1q2p1/p5p1/2br3p/3nQP2/1P3NPP/P3R1K1/2BR4 w - - 2 33")
    hands.move("e2", "d2").wait(1.5).lift("f3").lift("d8", 0.1).show("e5", "N", 0.1)
    hands.show("e8", "r", 0.15).press("white")
    hands.pieces[hands.rules.geometry.square("d7")] = "."
    hands.pieces[hands.rules.geometry.square("c6")] = "q"
    hands.scan().wait(5)

    assert hands.moves == ["e2d2", "d7c6", "f3e5", "d8e8"]
    assert not hands.empty_presses


def test_a_half_move_and_its_reply_are_found_though_what_came_after_them_stood() -> None:
    """Kf3 stands for half a minute and is not pressed for; ...h6-h5 is lost, and Kf2 pressed. The
    picture has the reply, and the next half-move tells that there were two by the king."""
    hands = Hands("6k1/1p4p1/5n1p/rb6/8/8/6K1/8 w - - 0 55")
    hands.wait(5).move("g2", "f3").wait(27).move("f3", "f2").press("white")
    hands.pieces[hands.rules.geometry.square("h6")] = "."
    hands.pieces[hands.rules.geometry.square("h5")] = "p"
    hands.scan().wait(12).move("g7", "g5").press("black").wait(5)

    assert hands.moves == ["g2f3", "h6h5", "f3f2", "g7g5"]
    assert not hands.empty_presses


def test_a_pressed_half_move_was_not_made_before_a_reply_that_was_begun_before_it() -> None:
    """...g7-g6 is lost. White's d4 is down before ...Bc5 is even taken up, so ...g6 came first."""
    hands = Hands("1nbqk1nr/rpp1b1pp/p4p2/3pP3/8/4P3/PPPP2PP/R1BQKBNR b KQk - 0 7")
    hands.wait(5).move("d2", "d4").lift("e7", 0.6).show("c5", "b").lift("d4", 0.7).press("black")
    hands.pieces[hands.rules.geometry.square("g7")] = "."
    hands.pieces[hands.rules.geometry.square("g6")] = "p"
    hands.scan().show("b5", "b", 0.2).show("c5", "P", 0.02).lift("b5", 0.2).press("white").wait(5)

    assert hands.moves == ["g7g6", "d2d4", "e7c5", "d4c5"]
    assert not hands.empty_presses


def test_what_was_pressed_for_may_have_another_half_move_before_it_than_was_believed() -> None:
    """Be3 is lost. ...Qe5 is pressed for, and c3 and c4 are told before it for two half-moves; the
    picture has the bishop, and the pawn had gone to c4 at once."""
    hands = Hands(
        "k2r4/1p1r1pp1/p3pbp1/3n4/3q3P/PR4P1/1PPB1PB1/1KR1Q3 w - - 6 27", scan_ns=225_000_000
    )
    hands.play((1.35, "c2", "."), (1.49, "d5", "."), (1.54, "c3", "P"), (1.77, "c3", "."))
    hands.play((1.89, "e7", "n"), (1.97, "c4", "P"), (2.01, "white", "presses"))
    hands.play((3.77, "d4", "."), (3.97, "e5", "q"), (4.01, "black", "again"))
    hands.pieces[hands.rules.geometry.square("d2")] = "."
    hands.pieces[hands.rules.geometry.square("e3")] = "B"
    hands.scan().wait(5)

    assert hands.moves == ["c2c4", "d5e7", "d2e3", "d4e5"]
    assert not hands.empty_presses


def test_two_lost_half_moves_came_before_the_newest_one_which_was_pressed_for_and_stands() -> None:
    """...Qxb2 and Kd2 are lost; ...Rd8 is pressed for and the king up again as a picture tells of
    the queen. Where the king goes next tells of all of them."""
    fen = "1r4k1/2p2ppp/p7/1q4P1/2p1RPP1/2P5/PBP1Q3/1K6 w - - 1 28"
    hands = Hands(fen, scan_ns=225_000_000)
    hands.play((1.59, "c1", "K"), (1.82, "b1", "."), (1.97, "white", "presses"), (3.62, "c1", "."))
    hands.play((3.88, "d8", "r"), (4.09, "b8", "."), (4.27, "d2", "K"), (4.95, "d2", "."))
    hands.play((4.97, "black", "presses"))
    hands.pieces[hands.rules.geometry.square("b5")] = "."
    hands.pieces[hands.rules.geometry.square("b2")] = "q"
    hands.scan().play((5.4, "e1", "K"), (5.97, "white", "presses")).wait(5)

    assert hands.moves == ["b1c1", "b5b2", "c1d2", "b8d8", "d2e1"]
    assert not hands.empty_presses


def test_a_square_that_repeats_itself_for_hours_takes_no_more_room() -> None:
    hands = Hands()
    hands.move("e2", "e4")
    sizes = []
    for _ in range(3):
        for _ in range(400):
            hands.show("a1", "R", after=1)
        sizes.append(len(hands.tracker.checkpoint()))

    assert sizes[1] == sizes[2]
    assert hands.moves == ["e2e4"]


def test_a_rook_put_back_was_touched_before_a_king_that_only_a_picture_shows_gone() -> None:
    hands = Hands("r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4")
    hands.lift("h1").show("h1", "R", 2).wait(20)
    hands.scan("r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1").press("white").wait(3)

    assert hands.moves == ["e1g1"]
    (made,) = hands.of(MoveMade)
    names = hands.rules.geometry.names
    order = [(names[touch.square], touch.order_known) for touch in made.turn.touches]
    assert order == [("h1", True), ("e1", True), ("h1", False)]


def test_of_a_king_and_a_rook_that_a_picture_shows_gone_nobody_knows_the_order() -> None:
    hands = Hands("r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4")
    hands.lift("h1").show("f1", "R", 2)
    hands.scan("r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1").press("white").wait(3)

    (made,) = hands.of(MoveMade)
    assert [touch.order_known for touch in made.turn.touches] == [True, False]


def test_a_half_move_more_that_explains_a_loss_about_as_well_is_held_beside_the_shorter_line() -> (
    None
):
    """Qc2 is lost but for what c2 says as she goes on to c1, over ...Be4: Qc1 in one is likelier,
    until Black moves again."""
    hands = Hands("r2qkb1r/pp1n1ppp/4pn2/2Pb4/2Q5/4BNP1/PP2PPBP/RN2K2R w KQkq - 5 10")
    hands.play((0.6, "d5", "."), (0.86, "e4", "b"), (0.91, "c2", "."), (0.94, "c1", "Q"))
    hands.pieces[hands.rules.geometry.square("c4")] = "."
    hands.scan()
    assert [ply.alternatives for ply in hands.tracker.record.plies] == [("c4c2",)]
    hands.play((2.02, "white", "presses"), (2.16, "f6", "."), (2.4, "d5", "n"))
    hands.play((3.02, "black", "presses"), (3.75, "c5", "."), (3.95, "c6", "P"))
    hands.play((5.02, "white", "presses")).wait(5)

    assert hands.moves == ["c4c2", "d5e4", "c2c1", "f6d5", "c5c6"]
    assert not hands.empty_presses


def test_a_reply_that_was_lost_is_found_with_the_five_half_moves_after_it() -> None:
    """...Bb4 is lost in both its messages, and nothing explains the board until a picture shows it:
    by then both sides have moved twice more, and White's knight has gone to d5."""
    fen = "r1bqkbnr/pppp1ppp/6n1/4P3/3P4/2N2Q2/PPP2PPP/R1B1KB1R b KQkq - 1 7"
    hands = Hands(fen, scan_ns=225 * MS)
    hands.play((2.4, "f1", "."), (2.53, "c4", "B"), (3.52, "e1", "."), (3.55, "d8", "."))
    hands.play((3.98, "g1", "K"), (4.21, "h1", "."), (4.65, "f1", "R"), (4.7, "e7", "q"))
    hands.play((5.6, "d7", "."), (5.71, "c3", "."), (5.8, "black", "both"), (5.85, "d6", "p"))
    hands.play((5.88, "d5", "N"))
    square = hands.rules.geometry.square
    hands.pieces[square("f8")], hands.pieces[square("b4")] = ".", "b"
    hands.scan()

    assert hands.tracker.believed == ("f8b4", "f1c4", "d8e7", "e1g1", "d7d6", "c3d5")
    assert not hands.empty_presses
