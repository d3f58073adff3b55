"""Before the first move and after the last: arrays, turned boards, kings in the centre."""

from __future__ import annotations

import pytest

from arbiterd.rules.registry import ruleset
from arbiterd.rules.ruleset import read_board_field
from arbiterd.table.orientation import detect, square, turned
from arbiterd.tracking.facts import GameBegun, KingsInCentre, MoveMade, PlyCertainty, StartArray
from eboards.events import CHESS_BOARD, SensingClass

MIDDLE = "8/5k2/3p4/8/8/4P3/3K4/8 w - - 0 1"
"""White's king may go to e2, d3, c3 ...; no king can be on a centre square in one move."""
NEAR = "8/8/3pk3/8/8/3KP3/8/8 w - - 0 40"
"""Here a king step to the centre is a legal move."""


def kings(table, white: str, black: str) -> None:
    """Both kings are lifted and set down in the centre."""
    table.lift("d2", after=1).place(white, after=0.8).lift("f7", after=1).place(black, after=0.8)


SIGNALS = [
    ("e4", "d5", "1-0"),
    ("d5", "e4", "1-0"),
    ("d4", "e5", "0-1"),
    ("e5", "d4", "0-1"),
    ("e4", "e5", "1/2-1/2"),
    ("e4", "d4", "1/2-1/2"),
    ("d5", "d4", "1/2-1/2"),
    ("d5", "e5", "1/2-1/2"),
]

RULING = {"1-0": "result-kings-white", "0-1": "result-kings-black", "1/2-1/2": "result-kings-draw"}


BOARDS = [
    (SensingClass.IDENTITY, True),
    (SensingClass.IDENTITY, False),
    (SensingClass.COLOUR, True),
    (SensingClass.COLOUR, False),
    (SensingClass.OCCUPANCY, True),
]
"""What the board senses, and whether a clock is there."""


@pytest.mark.parametrize(("sensing", "clock"), BOARDS)
@pytest.mark.parametrize(("white", "black", "result"), SIGNALS)
def test_kings_in_the_centre_are_a_result_and_no_moves(
    table_with, white: str, black: str, result: str, sensing: SensingClass, clock: bool
) -> None:
    """A board that does not tell kings from other pieces knows where they stood."""
    table = table_with(MIDDLE, sensing=sensing)
    if not clock:
        table.no_clock().calls("clock-lost")
    table.make("e3e4", "d6d5", press=clock)
    if clock:
        table.pause(after=2)
    else:
        table.wait(5)
    table.lift("e4").lift("d5")
    kings(table, white, black)
    table.calls(RULING[result])
    assert table.moves == ["e3e4", "d6d5"]
    assert [fact.result for fact in table.said(KingsInCentre)] == [result]
    assert set(table.alarms) == {"kings-in-centre"}


def test_a_piece_that_makes_room_for_a_king_captures_nothing(table_with) -> None:
    """Where pieces are only counted, a knight that is taken off may have taken a pawn."""
    table = table_with("6k1/8/2p4p/8/3N4/8/7P/6K1 w - - 0 1", sensing=SensingClass.OCCUPANCY)
    table.no_clock().calls("clock-lost", "result-kings-black")
    table.make("h2h3", "h6h5", press=False).wait(8).lift("d4").lift("g8", after=1)
    table.place("e5", after=1).lift("g1", after=2).place("d4", after=0.5)
    table.wait(8)
    assert table.moves == ["h2h3", "h6h5"]
    assert [fact.result for fact in table.said(KingsInCentre)] == ["0-1"]


def test_a_king_that_is_taken_up_for_the_signal_captures_nothing(table_with) -> None:
    """Where pieces are only counted, it may have taken what stood beside it."""
    table = table_with("3k4/8/8/8/8/7p/7P/2R3K1 w - - 0 1", sensing=SensingClass.OCCUPANCY)
    table.no_clock().calls("clock-lost", "result-kings-white")
    table.make("c1c7", press=False).wait(8).lift("d8").place("d5", after=1)
    table.lift("g1", after=1).place("e4", after=0.5).wait(8)
    assert table.moves == ["c1c7"]
    assert [fact.result for fact in table.said(KingsInCentre)] == ["1-0"]


@pytest.mark.parametrize(("white", "black", "result"), SIGNALS[:2])
def test_both_kings_are_lifted_before_the_first_is_set_down(
    table_with, white: str, black: str, result: str
) -> None:
    table = table_with(MIDDLE).make("e3e4", "d6d5").pause(after=2).lift("e4", "d5", "f7", "d2")
    table.place(black, "k", after=2).place(white, "K", after=2)
    table.calls(RULING[result])
    assert table.moves == ["e3e4", "d6d5"]
    assert [fact.result for fact in table.said(KingsInCentre)] == [result]


def test_kings_in_the_centre_while_the_clock_still_runs(table_with) -> None:
    table = table_with(MIDDLE).make("e3e4", "d6d5").lift("e4", "d5", after=3)
    kings(table, "e4", "d5")
    table.calls("result-kings-white")
    assert table.moves == ["e3e4", "d6d5"]
    assert [fact.result for fact in table.said(KingsInCentre)] == ["1-0"]


def test_a_king_that_steps_legally_into_the_centre_is_a_move(table_with) -> None:
    table = table_with(NEAR).make("d3e4", "d6d5")
    assert (table.moves, table.alarms) == (["d3e4", "d6d5"], [])


def test_a_kings_last_step_into_the_centre_is_withdrawn_once_the_other_follows(table_with) -> None:
    table = table_with(NEAR).make("e3e4").pause(after=3)
    table.lift("e4", after=2).lift("e6", after=1).place("d5", after=1)
    table.lift("d3", after=2).place("e4", "K", after=1)
    table.calls("result-kings-white")
    assert table.moves == ["e3e4"]
    assert [fact.result for fact in table.said(KingsInCentre)] == ["1-0"]


def test_one_king_comes_late(table_with) -> None:
    table = table_with(MIDDLE).make("e3e4", "d6d5").pause(after=2).lift("e4", "d5")
    table.lift("d2").place("e4", "K").wait(25).lift("f7").place("d5", "k")
    table.calls("paused-board-changes", "result-kings-white")
    assert table.moves == ["e3e4", "d6d5"]
    assert [fact.result for fact in table.said(KingsInCentre)] == ["1-0"]


def test_a_king_one_square_off_is_no_result_until_it_is_put_right(table_with) -> None:
    table = table_with(MIDDLE).make("e3e4", "d6d5").pause(after=2).lift("e4", "d5")
    table.lift("d2").place("e4", "K").lift("f7").place("d6", "k").wait(12)
    table.calls("paused-board-changes", "result-kings-white")
    assert not table.said(KingsInCentre)
    table.lift("d6").place("d5", "k")
    assert table.moves == ["e3e4", "d6d5"]
    assert [fact.result for fact in table.said(KingsInCentre)] == ["1-0"]


def test_both_kings_off_the_board_are_no_result_and_no_moves(table_with) -> None:
    table = table_with(MIDDLE).make("e3e4", "d6d5").pause(after=2).lift("d2", "f7").wait(30)
    assert table.moves == ["e3e4", "d6d5"]
    assert not table.said(KingsInCentre)


def test_analysis_after_the_end_is_no_play(table) -> None:
    table.make("f2f3", "e7e5", "g2g4", "d8h4").pause(after=3)
    table.tracker.end_game(table.at_ns)
    table.lift("h4", after=10).place("d8", "q").lift("g4").place("g2").lift("g2").place("g3")
    table.lift("d7").place("d5").wait(20)
    table.calls("end-checkmate")
    assert (table.moves, table.alarms) == (["f2f3", "e7e5", "g2g4", "d8h4"], [])


PLAYED = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 c2c3".split()
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"


def set_up(table, array: str = START) -> None:
    """Every piece that stands wrong is put where the array has it."""
    wanted = read_board_field(CHESS_BOARD, array)
    names = CHESS_BOARD.names
    for number, piece in enumerate(wanted):
        if table.pieces[number] not in (piece, "."):
            table.lift(names[number], after=0.4)
    for number, piece in enumerate(wanted):
        if table.pieces[number] != piece:
            table.place(names[number], piece, after=0.5)


def test_the_pieces_are_set_up_for_the_next_game_while_the_clock_still_runs(table) -> None:
    table.make("e2e4", "e7e5", "g1f3", "b8c6").wait(30).ends()
    set_up(table)
    table.calls("displaced-on-opp-time", "result-board-reset")
    assert table.moves == ["e2e4", "e7e5", "g1f3", "b8c6"]
    assert set(table.alarms) <= {"board-reset"}


def test_the_next_game_begins_on_its_start_array(table) -> None:
    table.make("e2e4", "e7e5", "g1f3").pause(after=2).result("1-0")
    set_up(table)
    table.wait(10)
    table.next_game().start_clock("white").make("d2d4", "d7d5")
    assert table.record == ("d2d4", "d7d5")


def test_who_starts_the_clock_of_the_next_game_has_pressed_for_nothing_in_this_one(table) -> None:
    """Nobody said that the game before was over, and it was Black's turn in it."""
    table.make("e2e4", "e7e5", "g1f3").pause(after=30).ends()
    set_up(table)
    table.calls("result-board-reset", "paused-board-changes")
    table.wait(60).press("black").wait(5)
    assert set(table.alarms) <= {"board-reset"}
    table.next_game().make("d2d4", "d7d5")
    assert table.record == ("d2d4", "d7d5")


@pytest.mark.parametrize("clock", [True, False], ids=["clock", "no clock"])
@pytest.mark.parametrize(
    "sensing", [SensingClass.IDENTITY, SensingClass.COLOUR, SensingClass.OCCUPANCY]
)
def test_the_next_game_begins_on_every_board_though_nobody_has_ended_the_one_before(
    table_with, sensing: SensingClass, clock: bool
) -> None:
    """Boards that do not tell pieces never knew the array again; and without a clock a game that
    began like the one before was that one, taken back."""
    table = table_with(sensing=sensing)
    if not clock:
        table.no_clock()
    table.make(*PLAYED, press=clock).wait(20)
    if clock:
        table.pause()
    set_up(table)
    table.wait(20)
    if clock:
        table.start_clock("white")
    table.position = table.rules.start()
    again = (*PLAYED[:3], "d7d6", "d2d4", "c8g4")
    table.make(*again, press=clock)
    assert table.record == again
    table.calls("result-board-reset")
    if not clock:
        table.calls("clock-lost")
    if not clock and sensing is not SensingClass.OCCUPANCY:
        table.calls("displaced-board-knocked")  # Until the array stands it looks like that.


def test_pieces_that_are_set_up_anew_ask_one_question(table) -> None:
    """That the clocks stand, and for how long, and that pieces changed then, is the same news."""
    table.make("e2e4", "e7e5", "g1f3").pause().wait(90).ends()
    set_up(table)
    table.calls("clock-paused-by-player", "paused-board-changes", "result-board-reset")
    table.wait(900).scan()
    assert table.standing() == {"result-board-reset/None"}


@pytest.mark.parametrize("said", [True, False], ids=["cable out", "messages lost"])
@pytest.mark.parametrize("lost", [1, 2, 3, 4])
def test_the_next_game_begins_while_nobody_hears(table, lost: int, said: bool) -> None:
    """Its first half-moves were told as an irregular one of the game before, or not at all."""
    table.make(*PLAYED).pause(after=30).ends()
    set_up(table)
    table.calls("result-board-reset").wait(60)
    moves = ("d2d4", "g8f6", "c1g5", "f6e4", "g5f4", "d7d5")
    table.position = table.rules.start()
    if said:
        table.calls("tech-board-lost").link(False)
    table.lost = True
    table.press("black").make(*moves[:lost])
    (table.link(True) if said else table.dump()).make(*moves[lost:])
    assert table.record == moves
    if lost == 4 and not said:
        table.calls("press-burst")  # Four presses of a board that shows nothing for them.


def test_the_next_game_begins_without_a_full_start_array(table) -> None:
    """A piece is late: a pawn stands on its square only after the first moves."""
    table.make("e2e4", "e7e5", "g1f3").pause(after=2).result("1-0")
    set_up(table, "rnbqkbnr/ppppppp1/8/8/8/8/PPPPPPPP/RNBQKBNR")
    table.wait(10)
    table.next_game().start_clock("white").make("d2d4").place("h7", "p", after=2).make(
        "d7d5", "c2c4"
    )
    assert [kind for kind in table.alarms if kind not in ("board-reset", "knocked")] == []
    assert table.record == ("d2d4", "d7d5", "c2c4")


def test_a_wrong_start_array_is_named_and_no_move_is_made_of_putting_it_right(table_with) -> None:
    table = table_with(shows="rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR")
    table.wait(10)
    (told, *_) = table.said(StartArray)
    assert [CHESS_BOARD.names[square] for square, _, _ in told.wrong] == ["d1", "e1"]
    table.calls("start-king-queen-swapped").wait(5)
    table.lift("d1", "e1").place("d1", "Q").place("e1", "K").make("e2e4", "e7e5")
    assert (table.moves, table.alarms) == (["e2e4", "e7e5"], [])


@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
def test_a_board_that_lies_turned_is_read_as_white_sees_it(degrees: int) -> None:
    rules = ruleset("chess")
    array = rules.placement(rules.start())
    back = (360 - degrees) % 360
    as_the_board_has_it = turned(CHESS_BOARD, back, array)
    assert detect(rules, as_the_board_has_it) == degrees
    assert turned(CHESS_BOARD, degrees, as_the_board_has_it) == array
    for number in range(64):
        there = square(CHESS_BOARD, back, number)
        assert square(CHESS_BOARD, degrees, there) == number


def test_pieces_are_adjusted_before_the_first_move(table) -> None:
    for name in ("a1", "d1", "e8"):
        table.lift(name).place(name)
    table.make("e2e4", "e7e5")
    assert (table.moves, table.alarms) == (["e2e4", "e7e5"], [])


def test_a_move_is_made_while_the_arbiter_has_paused_the_clocks(table) -> None:
    table.make("e2e4", "e7e5").pause(after=5).make("g1f3", press=False).wait(10)
    table.start_clock("black").make("b8c6")
    table.calls("paused-board-changes")
    assert (table.moves, table.alarms) == (["e2e4", "e7e5", "g1f3", "b8c6"], [])


def test_an_arbiter_sets_the_position_and_play_goes_on_from_it(table) -> None:
    table.make("e2e4", "e7e5").lift("d1").place("d5", "Q").wait(10)
    fen = "rnbqkbnr/pppp1ppp/8/3Qp3/4P3/8/PPPP1PPP/RNB1KBNR b KQkq - 1 2"
    table.set_position(fen).start_clock("black").make("b8c6", "d5c4")
    assert [fact.move for fact in table.said(MoveMade)][-2:] == ["b8c6", "d5c4"]


def test_an_arbiter_corrects_a_move_and_play_goes_on(table) -> None:
    table.make("e2e4", "e7e5", "f1c4")
    table.replace_move(3, "f1b5").lift("c4", after=3).place("b5").wait(5).make("a7a6")
    assert table.record == ("e2e4", "e7e5", "f1b5", "a7a6")


def test_an_arbiter_takes_back_and_play_goes_on(table) -> None:
    table.make("e2e4", "e7e5", "f1c4", "d7d6").pause(after=1)
    table.take_back(3).lift("d6", after=3).place("d7").lift("c4").place("f1").wait(5)
    table.start_clock("white").make("g1f3", "b8c6")
    assert table.record == ("e2e4", "e7e5", "g1f3", "b8c6")


def test_a_game_begun_is_said_once(table) -> None:
    table.make("e2e4").wait(30)
    assert len(table.said(GameBegun)) <= 1


def test_what_is_moved_once_both_clocks_stand_is_hardly_the_game(table) -> None:
    """A player stops the clocks and resigns; they look at the position. The first half-move may be
    what the clocks were stopped with. No piece was shifted, either."""
    table.make("e2e4", "e7e5", "g1f3", "b8c6").wait(5).pause().wait(5)
    table.make("f1b5", press=False).wait(1).make("a7a6", press=False).wait(4)
    table.make("b5a4", "g8f6", press=False).wait(30)
    told = {fact.ply: fact.sureness for fact in table.said(MoveMade)}
    assert [told[ply] for ply in (4, 5)] == [PlyCertainty.CERTAIN] * 2
    assert [told[ply] for ply in (6, 7, 8)] == [PlyCertainty.LIKELY] * 3


def test_a_game_goes_on_once_a_clock_runs_again(table) -> None:
    table.make("e2e4", "e7e5", "g1f3", "b8c6").wait(5).pause().wait(5)
    table.make("f1b5", "a7a6", press=False).wait(6).start_clock("white").make("b5a4", "g8f6")
    table.wait(10)
    assert [ply.sureness for ply in table.tracker.record.plies] == [PlyCertainty.CERTAIN] * 8
