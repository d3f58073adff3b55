"""A clock's next period: what its time, its zero and its flag say, and byo-yomi."""

from __future__ import annotations

import pytest

from arbiterd.rules.ruleset import Colour
from arbiterd.timing.control import Kind, Rate, read_periods
from arbiterd.timing.face import MS, Reading
from arbiterd.timing.facts import (
    ClockFact,
    CreditOdd,
    FlagFell,
    PeriodAdded,
    Press,
    TimeJumped,
)

from .desk import BLACK, CLASSICAL, WHITE, Desk, kinds


@pytest.mark.parametrize("used", [0, 1_000, 4_000])
def test_a_delay_gives_back_at_most_itself(used: int) -> None:
    desk = Desk(Rate(Kind.BLITZ, True, read_periods(["5:00d3"])))
    desk.reads(0, 300_000, 300_000, WHITE)
    left = 300_000 - max(0, used - 3_000)

    assert kinds(desk.presses(used, WHITE, left, 300_000)) == [Press]


@pytest.mark.parametrize("at_zero", [False, True])
def test_the_next_periods_time_is_no_jump(at_zero: bool) -> None:
    desk = Desk(CLASSICAL)
    if at_zero:
        desk.reads(0, 1_000, 50_000, WHITE, late=1000)
        facts = desk.reads(1000, 1_800_000, 50_000, WHITE, late=1000)
    else:
        desk.reads(0, 60_000, 50_000, WHITE, late=1000)
        facts = desk.reads(1000, 1_889_000, 50_000, BLACK, late=1000)

    added = [fact for fact in facts if isinstance(fact, PeriodAdded)]
    assert [(fact.side, fact.added_ms, fact.at_zero) for fact in added] == [
        (WHITE, 1_800_000, at_zero)
    ]
    assert not any(isinstance(fact, TimeJumped) for fact in facts)


@pytest.mark.parametrize(
    ("before", "after", "runs", "told"),
    [
        (1_000, 1_800_000, WHITE, [WHITE]),
        (1_000, 1_830_000, BLACK, [WHITE]),
        (60_000, 1_889_000, BLACK, []),
    ],
    ids=["at zero", "at zero, and pressed", "at the press"],
)
def test_where_the_next_periods_time_came_at_zero_the_one_before_ran_out(
    before: int, after: int, runs: Colour, told: list[Colour]
) -> None:
    """Its moves are to be counted then (6.4), also where a source shows neither flag nor zero."""
    desk = Desk(CLASSICAL)
    desk.reads(0, before, 50_000, WHITE, late=1000)
    facts = desk.reads(1000, after, 50_000, runs, late=1000)
    facts += desk.reads(2000, after - 1000, 50_000, runs, late=1000)

    added = [fact for fact in facts if isinstance(fact, PeriodAdded)]
    fell = [fact.ran_out for fact in added if fact.ran_out is not None]
    assert len(added) == 1
    assert [fact.side for fact in fell] == told
    assert not any(fact.second or fact.standing or fact.shown.flag for fact in fell)


def test_a_zero_that_was_read_is_not_told_again_with_the_next_periods_time() -> None:
    desk = Desk(CLASSICAL)
    desk.reads(0, 1_000, 50_000, WHITE, late=1000)
    facts = desk.reads(1000, 0, 50_000, WHITE, late=1000)
    assert FlagFell in kinds(facts)
    facts = desk.reads(2000, 1_800_000, 50_000, WHITE, late=1000)

    assert [fact.ran_out for fact in facts if isinstance(fact, PeriodAdded)] == [None]


@pytest.mark.parametrize("at_zero", [False, True])
def test_each_period_is_known_by_its_own_time(at_zero: bool) -> None:
    """The third period gives other time than the second, and neither is a jump."""
    desk = Desk(Rate(Kind.STANDARD, True, read_periods(["40/100:00+30", "20/50:00+30", "15:00"])))
    told = []
    for number, minutes in enumerate([50, 15]):
        at, then = 10_000 * number, 1_000 if at_zero else 60_000
        credit = 0 if at_zero else 30_000
        desk.model.corrected(at * MS, then, 50_000, WHITE)
        desk.reads(at + 1, then, 50_000, WHITE, late=1000)
        left = then - 1000 + credit + 60_000 * minutes
        told += desk.reads(at + 1001, left, 50_000, WHITE if at_zero else BLACK, late=1000)

    added = [fact for fact in told if isinstance(fact, PeriodAdded)]
    assert [(fact.side, fact.added_ms) for fact in added] == [(WHITE, 3_000_000), (WHITE, 900_000)]
    assert not any(isinstance(fact, TimeJumped | CreditOdd) for fact in told)


@pytest.mark.parametrize(
    ("white", "black", "runs", "expected"),
    [
        (2_428_000, 529_000, WHITE, [(PeriodAdded, WHITE), (Press, WHITE), (Press, BLACK)]),
        (627_000, 2_328_000, WHITE, [(PeriodAdded, BLACK), (Press, WHITE), (Press, BLACK)]),
        (
            2_457_000,
            2_329_000,
            BLACK,
            [
                (PeriodAdded, WHITE),
                (PeriodAdded, BLACK),
                (Press, WHITE),
                (Press, BLACK),
                (Press, WHITE),
            ],
        ),
    ],
)
def test_presses_between_two_readings_may_bring_the_next_periods_time(
    white: int, black: int, runs: Colour, expected: list[tuple[type, Colour]]
) -> None:
    desk = Desk(CLASSICAL)
    desk.reads(0, 600_000, 500_000, WHITE, late=1000)
    facts = desk.reads(3_000, white, black, runs, late=1000)

    assert [(type(f), f.side) for f in facts if isinstance(f, PeriodAdded | Press)] == expected
    assert len(facts) == len(expected), "no jump, no odd credit"


@pytest.mark.parametrize("shown", [1_000, 0])
def test_byo_yomi_that_begins_after_the_main_time_is_a_period_and_no_press(shown: int) -> None:
    desk = Desk(Rate(Kind.RAPID, True, read_periods(["10:00b30"])))
    desk.reads(0, 50_000, shown, BLACK, late=1000)

    (began,) = desk.reads(1_000, 50_000, 30_000 - (1_000 - shown), BLACK, late=1000)
    assert isinstance(began, PeriodAdded)
    assert (began.side, began.added_ms, began.at_zero) == (BLACK, 30_000, True)
    assert kinds(desk.reads(5_000, 50_000, 30_000, WHITE, late=1000)) == [Press]
    desk.reads(54_000, 1_000, 30_000, WHITE, late=1000)
    assert kinds(desk.reads(55_000, 30_000, 30_000, WHITE, late=1000)) == [PeriodAdded]


@pytest.mark.parametrize(("gained", "told"), [(1_800_000, [PeriodAdded]), (120_000, [CreditOdd])])
def test_after_a_press_without_times_only_the_next_periods_time_is_taken_for_it(
    gained: int, told: list[type]
) -> None:
    desk = Desk(CLASSICAL)
    desk.reads(0, 60_000, 50_000, WHITE)
    desk.presses(1_000, WHITE)

    assert kinds(desk.reads(2_000, 89_000 + gained, 49_000, BLACK)) == told


@pytest.mark.parametrize("runs", [WHITE, None])
def test_a_flag_that_is_shown_still_when_the_next_period_is_over_falls_again(
    runs: Colour | None,
) -> None:
    desk = Desk(CLASSICAL)

    def shows(second: int, white: int, running: Colour | None) -> list[ClockFact]:
        at_ns = second * 1000 * MS
        flags = {"white_flag": second > 0, "black_flag": False}
        return desk.model.read(
            Reading(at_ns, white, 500_000, running, lever=WHITE, late_ns=1000 * MS, **flags)
        )

    shows(0, 1_000, WHITE)
    assert kinds(shows(1, 0, WHITE)) == [FlagFell]
    assert kinds(shows(2, 1_799_000, WHITE)) == [PeriodAdded]
    for second in range(3, 1_801):
        assert shows(second, 1_801_000 - second * 1000, WHITE) == []

    (fell,) = shows(1_801, 0, runs)
    assert isinstance(fell, FlagFell)
    assert (fell.side, fell.period, fell.second, fell.stopped) == (WHITE, 1, False, runs is None)
    assert shows(1_802, 0, runs) == []


@pytest.mark.parametrize("side", [WHITE, BLACK])
def test_a_flag_that_the_clock_says_is_down_beside_time_of_the_next_period(side: Colour) -> None:
    desk = Desk(CLASSICAL)
    desk.reads(0, 1_000, 1_000, side, side)
    times = {"white_ms": 1_000, "black_ms": 1_000} | {f"{side.value}_ms": 1_800_000}
    flags = {"white_flag": side is WHITE, "black_flag": side is BLACK}
    facts = desk.model.read(Reading(1_000 * MS, running=side, lever=side, **times, **flags))

    assert [fact.side for fact in facts if isinstance(fact, FlagFell)] == [side]
