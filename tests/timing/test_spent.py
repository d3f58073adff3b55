"""Time used and a time control give the clock, as feeds that count time mean it."""

from __future__ import annotations

import pytest

from arbiterd.timing.control import Rate, read_periods
from arbiterd.timing.spent import left_after

S, MIN = 1_000, 60_000


@pytest.mark.parametrize(
    ("time", "spent_s", "left_ms"),
    [
        (["10:00"], (60, 30), 510 * S),
        (["10:00"], (600,), 0),
        (["5:00+10"], (10, 4), 316 * S),
        (["3:00d2"], (1, 5), 177 * S),
        (["40/90:00+30", "30:00+30"], (60,) * 39, 90 * MIN + 40 * 30 * S - 39 * MIN),
        (["2/1:00", "1:00"], (20, 20), 80 * S),
        (["2/1:00", "1:00"], (20, 41), 0),
    ],
)
def test_what_is_left_of_a_main_time(
    time: list[str], spent_s: tuple[int, ...], left_ms: int
) -> None:
    assert left_after(Rate(periods=read_periods(time)), [s * S for s in spent_s]) == left_ms


@pytest.mark.parametrize(
    ("spent_s", "left_s"),
    [
        ((500,), 100),
        ((500, 100), 60),
        ((500, 130), 60),
        ((500, 160), 0),
        ((600, 59, 1, 30), 60),
        ((600, 60), 0),
        ((600, 61), 0),
    ],
)
@pytest.mark.parametrize("time", [["10:00b60"], ["10:00", "0:00b60"]])
def test_a_period_is_full_again_after_each_move(
    time: list[str], spent_s: tuple[int, ...], left_s: int
) -> None:
    assert left_after(Rate(periods=read_periods(time)), [s * S for s in spent_s]) == left_s * S


def test_a_canadian_period_is_full_again_after_its_moves_and_so_on() -> None:
    rate = Rate(periods=read_periods(["1:00", "3/0:00b300"]))
    shown = [
        left_after(rate, [s * S for s in (50, 110, 90, 80, 10, 200, 89, 1)][: n + 1])
        for n in range(8)
    ]

    assert shown == [10 * S, 200 * S, 110 * S, 300 * S, 290 * S, 90 * S, 300 * S, 299 * S]
    assert left_after(rate, [s * S for s in (50, 110, 90, 111)]) == 0


def test_nothing_is_said_without_a_time_control() -> None:
    assert left_after(Rate(), [1000]) is None


@pytest.mark.parametrize(
    ("spent_s", "left_s"),
    [((59, 59, 59), 600), ((119,), 540), ((540, 61, 59), 60), ((600, 59), 60), ((600, 60), 0)],
)
def test_by_the_stopwatch_only_whole_minutes_of_main_time_count(
    spent_s: tuple[int, ...], left_s: int
) -> None:
    rate = Rate(periods=read_periods(["10:00b60"]), whole_minutes=True)

    assert left_after(rate, [s * S for s in spent_s]) == left_s * S
