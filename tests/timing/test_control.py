"""Time controls: what they say, what they are called, where a side stands in them."""

from __future__ import annotations

import pytest

from arbiterd.timing.control import Kind, Period, Rate, kind_of, read_period, read_periods

CLASSICAL = Rate(Kind.STANDARD, True, read_periods(["40/90:00+30", "30:00+30"]))


@pytest.mark.parametrize(
    ("time", "kind"),
    [
        (["30:00+30"], Kind.STANDARD),
        (["50:00+10"], Kind.STANDARD),
        (["15:00+10"], Kind.RAPID),
        (["10:00+5"], Kind.RAPID),
        (["12:00+3"], Kind.RAPID),
        (["7:00+3"], Kind.BLITZ),
        (["5:00+5"], Kind.BLITZ),
        (["3:00+2"], Kind.BLITZ),
        (["10:00"], Kind.BLITZ),
        (["10:01"], Kind.RAPID),
        (["5:00d5"], Kind.BLITZ),
        (["25:00d10"], Kind.RAPID),
        (["59:59"], Kind.RAPID),
        (["60:00"], Kind.STANDARD),
        (["40/90:00+30", "30:00+30"], Kind.STANDARD),
        (["40/20:00", "5:00+60"], Kind.RAPID),
        (["40/20:00+15", "20:00+15"], Kind.RAPID),
        (["80/20:00+30", "5:00+30"], Kind.RAPID),
        (["10:00d1"], Kind.RAPID),
        (["10:00b1"], Kind.RAPID),
    ],
)
def test_the_kind_follows_from_the_time_for_sixty_moves(time: list[str], kind: Kind) -> None:
    assert kind_of(read_periods(time)) is kind


@pytest.mark.parametrize(
    ("time", "initial_ms"),
    [
        (["90:00+30"], 5_430_000),
        (["3:00+2"], 182_000),
        (["5:00d3"], 300_000),
        (["60:00"], 3_600_000),
        (["0:00+30"], 30_000),
    ],
)
def test_the_first_increment_is_credited_before_the_game(time: list[str], initial_ms: int) -> None:
    assert Rate(periods=read_periods(time)).initial_ms == initial_ms


def test_nothing_is_expected_where_the_time_control_is_not_known() -> None:
    assert Rate().initial_ms is None
    assert Rate().required_moves(0) is None
    assert Rate().period(0) is None


def test_moves_required_count_from_the_first_move_of_the_game() -> None:
    rate = Rate(periods=read_periods(["40/120:00", "20/60:00", "15:00+30"]))
    assert [rate.required_moves(n) for n in range(3)] == [40, 60, None]
    assert [rate.period_of_move(n) for n in (0, 39, 40, 59, 60, 200)] == [0, 0, 1, 1, 2, 2]


def test_a_press_credits_the_increment_or_at_most_the_delay() -> None:
    assert read_period("3:00+2").credit_ms == (2000, 2000)
    assert read_period("3:00d2").credit_ms == (0, 2000)
    assert read_period("0:00b30").credit_ms == (0, 30_000)
    assert read_period("0:00b30") == Period(None, 0, byoyomi_ms=30_000)


@pytest.mark.parametrize(
    "time",
    [
        ["90"],
        ["90:60"],
        ["40/"],
        ["3:00+"],
        ["-3:00"],
        ["0/90:00", "30:00"],
        ["0:00"],
        ["3:00+2d2"],
    ],
)
def test_a_text_that_is_no_period_is_named_with_the_mend(time: list[str]) -> None:
    with pytest.raises(ValueError, match=r"write|leave") as error:
        read_periods(time)
    assert time[0] in str(error.value)


def test_a_period_after_the_last_one_is_refused() -> None:
    with pytest.raises(ValueError, match="90:00' is for all moves"):
        read_periods(["90:00", "30:00"])
    with pytest.raises(ValueError, match="leave its number of moves out"):
        read_periods(["40/90:00"])


def test_only_unsupervised_rapid_and_blitz_have_the_window_of_a_5() -> None:
    open_window = {
        (kind, supervised): Rate(kind, supervised).open_window
        for kind in Kind
        for supervised in (True, False)
    }
    assert [key for key, is_open in open_window.items() if is_open] == [
        (Kind.RAPID, False),
        (Kind.BLITZ, False),
    ]
    assert CLASSICAL.required_moves(0) == 40
