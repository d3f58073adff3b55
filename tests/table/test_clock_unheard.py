"""A clock whose cable is out while play goes on, and in again: nobody is accused by its silence."""

from __future__ import annotations

from typing import Any

import pytest

from arbiterd.table.setup import TableSetup
from arbiterd.table.table import Table
from arbiterd.timing.control import Kind, Rate, read_periods
from eboards.dgt.emulated_clock import EmulatedClock
from eboards.dgt.emulator import DgtEmulator

from .hands import OPERA
from .wired import SECOND, Hall

MINUTE_MS = 60_000
THIRTY_NS = 30 * MINUTE_MS * 1_000_000


def unheard(
    missed: int, *, added_ns: tuple[int, int] = (0, 0), period: int = 40
) -> list[dict[str, Any]]:
    """The rulings of a game in which so many half-moves were played and pressed while the clock
    was not heard; `added_ns` came to White's and Black's time meanwhile."""
    hall = Hall()
    clock = EmulatedClock(5_430_000, 5_430_000, increment_ms=30_000)
    hall.board = DgtEmulator(clock=clock)
    periods = read_periods((f"{period}/90:00+30", "30:00+30"))
    hall.table = Table(TableSetup(rate=Rate(Kind.STANDARD, periods=periods)))
    hall.plug_in()
    for move in OPERA[:4]:
        hall.play(move)
    hall.board.plug_clock(connected=False, at_ns=hall.now_ns)
    hall.wait(3 * SECOND)
    for move in OPERA[4 : 4 + missed]:
        hall.play(move)
    for half, ns in zip(("left", "right"), added_ns, strict=True):
        clock.sides[half].left_ns += ns
    hall.board.plug_clock(connected=True, at_ns=hall.now_ns)
    for move in OPERA[4 + missed : 14]:
        hall.play(move)
    hall.wait(10 * SECOND)
    assert [told["san"] for told in hall.moves if "replaces" not in told] == OPERA[:14]
    return hall.rulings


@pytest.mark.parametrize("missed", [1, 2, 3, 6, 8])
def test_presses_that_could_not_be_heard_are_held_against_nobody(missed: int) -> None:
    assert [one["text"]["en"]["line"] for one in unheard(missed) if one["against"]] == []


@pytest.mark.parametrize("missed", [1, 2, 3, 6, 8])
def test_what_many_presses_brought_unheard_is_no_other_clock(missed: int) -> None:
    told = [(one["kind"], one["state"]) for one in unheard(missed)]
    assert told == [("clock-lost", "expired")]


def test_the_time_of_the_next_period_may_come_unheard() -> None:
    rulings = unheard(6, added_ns=(THIRTY_NS, THIRTY_NS), period=4)
    assert "clock-defect-replaced" not in {one["kind"] for one in rulings}


@pytest.mark.parametrize("added_ns", [(THIRTY_NS, 0), (0, THIRTY_NS)])
def test_more_than_the_presses_can_have_brought_is_another_clock(added_ns: tuple[int, int]) -> None:
    assert "clock-defect-replaced" in {one["kind"] for one in unheard(6, added_ns=added_ns)}
