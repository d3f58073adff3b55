"""The clock model: what readings, presses and flags mean, and what is odd about them."""

from __future__ import annotations

import pytest

from arbiterd.rules.ruleset import Colour
from arbiterd.timing.clock import ClockModel
from arbiterd.timing.control import Kind, Rate, read_periods
from arbiterd.timing.face import MS
from arbiterd.timing.facts import (
    ClockBack,
    ClockLost,
    CreditOdd,
    Edited,
    FlagFell,
    Paused,
    Press,
    Restarted,
    SettingRight,
    SettingWrong,
    TimeJumped,
)

from .desk import BLACK, BLITZ, CLASSICAL, WHITE, Desk, kinds


def test_the_running_side_ticks_and_the_other_stands() -> None:
    desk = Desk()
    desk.reads(0, 60_000, 50_000, WHITE)

    assert desk.times(0) == (60_000, 50_000)
    assert desk.times(2_500) == (57_500, 50_000)
    assert desk.times(90_000) == (0, 50_000)


def test_a_press_is_a_lever_that_changed_and_carries_the_increment() -> None:
    desk = Desk()
    desk.reads(0, 60_000, 50_000, WHITE, late=1000)
    (press,) = desk.reads(1000, 61_000, 50_000, BLACK, late=1000)

    assert isinstance(press, Press)
    assert (press.side, press.late_ns, press.restart) == (WHITE, 1000 * MS, False)
    assert (press.shown.white_ms, press.shown.running) == (61_000, BLACK)


def test_the_time_of_a_move_told_late_is_that_of_its_own_moment() -> None:
    desk = Desk()
    for second in range(5):
        desk.reads(1000 * second, 60_000 - 1000 * second, 50_000, WHITE)
    desk.presses(4_200, WHITE, 57_800, 50_000)
    desk.reads(6_000, 57_800, 48_200, BLACK)

    assert desk.times(2_400) == (57_600, 50_000)
    assert desk.times(4_200) == (57_800, 50_000)
    assert desk.times(6_500) == (57_800, 47_700)


def test_a_press_told_without_times_credits_what_the_time_control_says() -> None:
    desk = Desk()
    desk.reads(0, 60_000, 50_000, WHITE)

    assert kinds(desk.presses(900, WHITE)) == [Press]
    assert desk.times(900) == (61_100, 50_000)
    assert kinds(desk.reads(2_000, 61_000, 49_000, BLACK)) == []
    assert desk.times(2_000) == (61_000, 49_000)


def test_without_any_reading_times_are_unknown_and_presses_still_count() -> None:
    desk = Desk()
    assert kinds(desk.presses(900, WHITE)) == [Press]
    assert kinds(desk.presses(1900, BLACK)) == [Press]
    assert desk.times(2000) == (None, None)
    assert desk.model.shown(2000 * MS).running is WHITE
    assert kinds(desk.presses(2500, BLACK)) == [], "their clock does not run"


def test_a_press_from_a_standing_start_is_a_restart() -> None:
    desk = Desk(in_progress=False)
    desk.reads(0, 182_000, 182_000, None)
    (press,) = desk.presses(500, BLACK)

    assert isinstance(press, Press)
    assert press.restart
    assert desk.model.presses(BLACK) == 0
    assert desk.times(1500) == (181_000, 182_000)


def test_two_presses_between_readings_show_in_the_times_alone() -> None:
    desk = Desk()
    desk.reads(0, 60_000, 50_000, WHITE, late=1000)
    facts = desk.reads(1000, 62_000, 51_000, WHITE, late=1000)

    assert [(type(fact), fact.side) for fact in facts if isinstance(fact, Press)] == [
        (Press, WHITE),
        (Press, BLACK),
    ]


def test_a_clock_without_increment_shows_two_presses_by_the_time_both_used() -> None:
    desk = Desk(Rate(Kind.BLITZ, True, read_periods(["5:00"])))
    desk.reads(0, 60_000, 50_000, WHITE, late=1000)

    assert kinds(desk.reads(3000, 58_000, 49_000, WHITE, late=1000)) == [Press, Press]


def test_a_pause_ends_with_a_reading_or_a_press() -> None:
    desk = Desk()
    desk.reads(0, 60_000, 50_000, WHITE)
    (paused,) = desk.model.pause(5_000 * MS)

    assert isinstance(paused, Paused)
    assert paused.ran is WHITE
    assert desk.times(20_000) == (55_000, 50_000)
    (again,) = desk.reads(30_000, 55_000, 50_000, WHITE)
    assert isinstance(again, Restarted)
    assert again.runs is WHITE


def test_a_stop_is_a_pause_and_a_press_just_before_it_is_not_lost() -> None:
    desk = Desk()
    desk.reads(0, 60_000, 50_000, WHITE, lever=WHITE, late=1000)
    press, paused = desk.reads(1000, 61_000, 50_000, None, lever=BLACK, late=1000)

    assert isinstance(press, Press)
    assert press.side is WHITE
    assert isinstance(paused, Paused)
    assert paused.ran is BLACK


def test_times_set_while_both_stand_are_an_edit_and_no_jump() -> None:
    desk = Desk()
    desk.reads(0, 60_000, 50_000, WHITE)
    desk.model.pause(1000 * MS)
    (edited,) = desk.reads(40_000, 59_000, 170_000, None)

    assert isinstance(edited, Edited)
    assert (edited.white_delta_ms, edited.black_delta_ms) == (0, 120_000)


@pytest.mark.parametrize(("white", "told"), [(57_000, [Restarted]), (55_000, [Edited, Restarted])])
def test_a_clock_that_runs_again_has_used_no_more_than_the_time_since(
    white: int, told: list[type]
) -> None:
    """It stood at 59 s two seconds ago, and its display may be a second behind."""
    desk = Desk()
    desk.reads(0, 60_000, 50_000, WHITE)
    desk.model.pause(1000 * MS)

    assert kinds(desk.reads(3_000, white, 50_000, WHITE)) == told


def test_what_the_arbiter_says_the_clock_shows_is_neither_edit_nor_jump() -> None:
    desk = Desk()
    desk.reads(0, 60_000, 50_000, WHITE)
    desk.model.corrected(1000 * MS, 60_000, 110_000, WHITE)

    assert desk.times(2000) == (59_000, 110_000)
    assert kinds(desk.reads(3000, 50_000, 50_000, WHITE)) == []


@pytest.mark.parametrize(
    ("white", "black", "side"),
    [(20_000, 50_000, WHITE), (115_000, 50_000, WHITE), (59_000, 20_000, BLACK)],
    ids=["runs down too fast", "has more than before", "moved though it stood"],
)
def test_a_time_that_changed_by_more_than_what_elapsed_is_a_jump_told_once(
    white: int, black: int, side: Colour
) -> None:
    desk = Desk()
    desk.reads(0, 60_000, 50_000, WHITE)
    (jump,) = desk.reads(1000, white, black, WHITE)
    assert isinstance(jump, TimeJumped)
    assert jump.side is side
    assert desk.reads(2000, white - 1000, black, WHITE) == []


def test_a_jump_is_told_beside_what_the_clock_had_come_to_by_then() -> None:
    desk = Desk()
    desk.reads(0, 60_000, 50_000, WHITE)
    (jump,) = desk.reads(5_000, 20_000, 50_000, WHITE)

    assert isinstance(jump, TimeJumped)
    assert (jump.expected_ms, jump.shown_ms) == (55_000, 20_000)


def test_messages_lost_and_late_are_no_jump() -> None:
    desk = Desk()
    desk.reads(0, 60_000, 50_000, WHITE, late=1000)
    assert desk.reads(12_000, 48_000, 50_000, WHITE, late=1000) == []
    assert desk.reads(14_000, 47_000, 50_000, WHITE, late=1000) == []
    assert desk.reads(14_100, 46_000, 50_000, WHITE, late=1000) == []


def test_a_wrong_increment_is_told_with_how_often_it_was_seen() -> None:
    desk = Desk(Rate(Kind.RAPID, False, read_periods(["15:00+10"])))
    desk.reads(0, 900_000, 900_000, WHITE)
    (first,) = (f for f in desk.presses(4_000, WHITE, 901_000, 900_000) if f.__class__ is CreditOdd)
    (second,) = (
        f for f in desk.presses(7_000, BLACK, 901_000, 902_000) if f.__class__ is CreditOdd
    )

    assert isinstance(first, CreditOdd)
    assert isinstance(second, CreditOdd)
    assert (first.credited_ms, first.expected_ms, first.times_running) == (5_000, 10_000, 1)
    assert (second.side, second.times_running) == (BLACK, 2)


@pytest.mark.parametrize(
    ("gives_s", "told"), [(0, [(0, 2_000, 8)]), (1, [(1_000, 2_000, 8)]), (2, []), (3, [])]
)
def test_what_one_press_hides_ten_presses_tell(
    gives_s: int, told: list[tuple[int, int, int]]
) -> None:
    """3:00 and nothing for each move where 3:00+2 was announced, read once a second."""
    desk = Desk(BLITZ)
    left, side = {WHITE: 180_000, BLACK: 180_000}, WHITE
    facts = desk.reads(0, left[WHITE], left[BLACK], side, late=1000)
    for second in range(1, 45):
        left[side] -= 1000
        if second % 4 == 0:
            left[side] += gives_s * 1000
            side = side.other
        facts += desk.reads(second * 1000, left[WHITE], left[BLACK], side, late=1000)

    odd = [f for f in facts if isinstance(f, CreditOdd)]
    assert [(f.credited_ms, f.expected_ms, f.times_running) for f in odd] == told


@pytest.mark.parametrize(
    ("credited_s", "told"),
    [
        ((5, 10, 5), [(5, 1), (5, 1)]),
        ((5, 5, 20), [(5, 1), (5, 2), (20, 1)]),
        ((5, 20, 20), [(5, 1), (20, 1), (20, 2)]),
        ((0, 0, 0), [(0, 1), (0, 2), (0, 3)]),
        ((9, 11, 10), []),
    ],
)
def test_only_presses_running_that_credit_the_same_are_counted_together(
    credited_s: tuple[int, ...], told: list[tuple[int, int]]
) -> None:
    """One that credits what it should, or another amount, begins the count anew."""
    desk = Desk(Rate(Kind.RAPID, False, read_periods(["15:00+10"])))
    desk.reads(0, 900_000, 900_000, WHITE)
    left, odd = {WHITE: 900_000, BLACK: 900_000}, []
    for number, seconds in enumerate(credited_s):
        side = BLACK if number % 2 else WHITE
        left[side] += 1000 * seconds - 3_000
        facts = desk.presses(3_000 * (number + 1), side, left[WHITE], left[BLACK])
        odd += [fact for fact in facts if isinstance(fact, CreditOdd)]

    assert [(fact.credited_ms // 1000, fact.times_running) for fact in odd] == told


def test_a_flag_stops_both_unless_a_later_reading_shows_a_clock_running() -> None:
    desk = Desk(CLASSICAL)
    desk.reads(0, 3_000, 50_000, WHITE)
    (flag,) = desk.model.flag(3_000 * MS, WHITE)

    assert isinstance(flag, FlagFell)
    assert (flag.side, flag.ran, flag.stopped, flag.standing, flag.period) == (
        WHITE,
        WHITE,
        True,
        False,
        0,
    )
    assert desk.times(9_000) == (0, 50_000)
    assert desk.model.shown(9_000 * MS).flag is WHITE
    desk.reads(10_000, 1_800_000, 50_000, WHITE)
    assert desk.model.shown(11_000 * MS).flag is None
    assert desk.times(11_000) == (1_799_000, 50_000)


def test_flags_of_two_readings_have_an_order_and_of_one_reading_none() -> None:
    def flags(desk: Desk, *shown: tuple[int, int, int]) -> list[FlagFell]:
        desk.reads(0, 2_000, 2_000, WHITE)
        facts = [fact for t, w, b in shown for fact in desk.reads(t, w, b, None)]
        return [fact for fact in facts if isinstance(fact, FlagFell)]

    one, two = flags(Desk(), (2_000, 0, 2_000), (4_000, 0, 0))
    assert (one.side, one.second, one.order_known) == (WHITE, False, True)
    assert (two.side, two.second, two.order_known) == (BLACK, True, True)
    both = flags(Desk(), (4_000, 0, 0))
    assert [(flag.side, flag.order_known) for flag in both] == [(WHITE, False), (BLACK, False)]


def test_a_flag_that_is_shown_again_and_again_is_one_flag() -> None:
    """A DGT clock repeats it each second; two flags are another matter (III.3.1)."""
    desk = Desk()
    desk.reads(0, 2_000, 50_000, WHITE)
    told = [fact for t in (2_000, 3_000, 4_000) for fact in desk.reads(t, 0, 50_000, None)]
    shown = desk.model.shown(5_000 * MS)

    assert [fact.side for fact in told if isinstance(fact, FlagFell)] == [WHITE]
    assert (shown.flag, shown.both_flags) == (WHITE, False)


@pytest.mark.parametrize(("ran", "standing"), [(WHITE, False), (None, True)])
def test_a_flag_that_a_reading_shows_tells_whether_a_clock_ran_until_then(
    ran: Colour | None, standing: bool
) -> None:
    desk = Desk()
    desk.reads(0, 1_000, 50_000, ran, WHITE)
    fell = desk.reads(1_000, 0, 50_000, None, WHITE)[-1]

    assert isinstance(fell, FlagFell)
    assert (fell.side, fell.ran, fell.standing, fell.stopped) == (WHITE, ran, standing, True)


def test_a_flag_on_the_first_reading_ever_is_not_said_to_have_stood() -> None:
    fell = Desk().reads(1_000, 0, 50_000, None, WHITE)[-1]

    assert isinstance(fell, FlagFell)
    assert not fell.standing


def test_every_press_counts_once() -> None:
    desk = Desk()
    desk.reads(0, 60_000, 50_000, WHITE)
    desk.reads(1_000, 61_000, 50_000, BLACK)
    desk.reads(2_000, 61_000, 51_000, WHITE)
    desk.reads(3_000, 62_000, 51_000, BLACK)

    assert (desk.model.presses(WHITE), desk.model.presses(BLACK)) == (2, 1)


def test_a_flag_on_a_clock_that_stood_says_so() -> None:
    desk = Desk()
    desk.reads(0, 60_000, 50_000, WHITE)
    desk.model.pause(1000 * MS)
    (flag,) = desk.model.flag(2000 * MS, WHITE)
    assert isinstance(flag, FlagFell)
    assert flag.standing


def test_a_clock_that_is_gone_is_told_with_its_last_times_and_comes_back() -> None:
    desk = Desk()
    desk.reads(0, 60_000, 50_000, WHITE)
    (lost,) = desk.model.gone(5_000 * MS)

    assert isinstance(lost, ClockLost)
    assert (lost.shown.white_ms, lost.shown.black_ms) == (60_000, 50_000)
    assert desk.model.gone(6_000 * MS) == []
    assert not desk.model.shown(7_000 * MS).known
    facts = desk.reads(20_000, 41_000, 50_000, WHITE)
    assert ClockBack in kinds(facts)
    assert TimeJumped not in kinds(facts)


@pytest.mark.parametrize(
    ("white", "black", "running", "wrong"),
    [
        (182_000, 182_000, None, False),
        (182_000, 182_000, WHITE, False),
        (170_000, 182_000, WHITE, False),
        (180_000, 180_000, None, False),
        (300_000, 300_000, WHITE, True),
        (182_000, 180_000, WHITE, False),
        (182_000, 175_000, WHITE, True),
        (190_000, 190_000, None, True),
        (34_000, 12_000, None, False),
    ],
    ids=[
        "set",
        "running",
        "some time on",
        "credited only at the start",
        "other",
        "credited at each side's start",
        "uneven",
        "twice the increments",
        "the last game's",
    ],
)
def test_before_the_first_press_the_clock_shows_what_the_control_says(
    white: int, black: int, running: Colour | None, wrong: bool
) -> None:
    desk = Desk(in_progress=False)
    facts = desk.reads(0, white, black, running) + desk.reads(500, white, black, running)
    assert (kinds(facts).count(SettingWrong)) == int(wrong)


@pytest.mark.parametrize("running", [None, WHITE])
def test_a_clock_that_was_set_wrong_is_set_right_before_the_first_press(
    running: Colour | None,
) -> None:
    """The call to set it stood there to the end of the game, and a second one was never told."""
    desk = Desk(CLASSICAL, in_progress=False)
    facts = desk.reads(0, 3_000_000, 5_000_000, WHITE)
    facts += desk.reads(1000, 2_999_000, 5_000_000, None)
    facts += desk.reads(5000, 5_430_000, 5_000_000, None)
    assert SettingRight not in kinds(facts), "one side only"
    facts = desk.reads(8000, 5_430_000, 5_430_000, running)
    facts += desk.reads(9000, 5_430_000, 5_430_000, running)
    assert kinds(facts).count(SettingRight) == 1
    assert SettingWrong in kinds(desk.reads(20_000, 600_000, 600_000, None))


def test_where_an_arbiter_has_said_other_times_the_time_control_is_no_measure() -> None:
    """A player comes late, or the round does: the page is told first, then the clock is set."""
    desk = Desk(CLASSICAL, in_progress=False)
    facts = desk.reads(0, 5_430_000, 5_430_000, None)
    desk.model.corrected(1000 * MS, 4_200_000, 4_200_000, None)
    for t, ms in ((2000, 5_430_000), (3000, 4_200_000), (4000, 4_200_000)):
        facts += desk.reads(t, ms, ms, None)
    facts += desk.reads(5000, 4_199_000, 4_200_000, WHITE)
    assert SettingWrong not in kinds(facts)


def test_a_flag_that_the_arbiter_has_corrected_does_not_fall_again() -> None:
    """The clock shows it until it is set by hand."""
    desk = Desk()
    desk.reads(0, 1_000, 50_000, WHITE)
    assert FlagFell in kinds(desk.reads(1000, 0, 50_000, None))
    desk.model.corrected(5000 * MS, 60_000, 50_000, None)
    facts = desk.reads(6000, 0, 50_000, None) + desk.reads(7000, 0, 50_000, None)
    facts += desk.reads(8000, 60_000, 50_000, None)
    assert FlagFell not in kinds(facts)
    desk.reads(9000, 60_000, 50_000, WHITE)
    assert FlagFell in kinds(desk.reads(69_000, 0, 50_000, None)), "this is another one"


def test_nothing_is_said_of_settings_in_a_game_under_way() -> None:
    assert SettingWrong not in kinds(Desk(CLASSICAL).reads(0, 5_000, 6_000, WHITE))


def test_another_game_begins_with_fresh_counts() -> None:
    desk = Desk()
    desk.reads(0, 60_000, 50_000, WHITE)
    desk.presses(1000, WHITE, 61_000, 50_000)
    desk.model.begin_game(2000 * MS)
    assert desk.model.presses(WHITE) == 0
    assert kinds(desk.reads(3000, 182_000, 182_000, None)) == [Paused]


def test_clocks_that_stop_show_no_presses_that_nobody_made() -> None:
    """Without an increment two empty clocks could be two presses; somebody stopped or set them."""
    desk = Desk(Rate(Kind.RAPID, True, read_periods(["30:00"])))
    desk.reads(0, 2_000, 2_000, WHITE)
    facts = desk.reads(5_000, 0, 0, None)
    assert Press not in kinds(facts)
    assert kinds(facts).count(FlagFell) == 2


def test_a_clock_keeps_when_it_was_started_and_stopped_and_no_ticking() -> None:
    """The public learns of a pause after its delay, though the service was started again since."""
    desk = Desk()
    desk.model.begin_game(0)
    for t in range(1_000, 60_000, 1_000):
        desk.reads(t, 181_000 - t, 180_000, WHITE)
    for t in range(60_000, 300_000, 1_000):
        desk.reads(t, 121_000, 180_000, None)
    later = ClockModel.restored(BLITZ, desk.model.checkpoint())

    turns = [(shown.at_ns // MS, shown.running) for shown in later.turns()]
    assert turns == [(0, None), (1_000, WHITE), (60_000, None)]


@pytest.mark.parametrize("late_s", [0, 3, 8, 12])
@pytest.mark.parametrize(("gives_s", "told"), [(30, False), (28, True), (0, True)])
def test_readings_that_lay_behind_a_memory_on_the_line_are_no_wrong_increment(
    gives_s: int, told: bool, late_s: int
) -> None:
    """They come together when it has come; a clock was set wrong by what it had lost meanwhile."""
    desk = Desk(CLASSICAL)
    left, side = {WHITE: 5_400_000, BLACK: 5_400_000}, WHITE
    facts = []
    for second in range(150):
        left[side] -= 1000 * (second > 0)
        if second % 15 == 14:
            left[side] += gives_s * 1000
            side = side.other
        at_ms = max(second, late_s) * 1000
        facts += desk.reads(at_ms, left[WHITE], left[BLACK], side, late=1000)

    assert any(isinstance(fact, CreditOdd) and fact.times_running > 7 for fact in facts) is told
