"""A table that was left as it stood for a month costs a start nothing."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from arbiterd.rules.registry import ruleset
from arbiterd.table.inputs import ServiceStarted
from arbiterd.table.setup import TableSetup
from arbiterd.table.table import Table
from arbiterd.timing.control import Rate, read_period
from eboards.events import ClockReading, LinkUp, Scan, Sensing, SensingClass, Side, SquareChange

SECOND = 1_000_000_000
MONTH = 30 * 86_400 * SECOND
CHESS = ruleset("chess")
MATE = "f2f3 e7e5 g2g4 d8h4".split()
OPENING = "e2e4 e7e5 g1f3".split()


class Left:
    """A game that is played to some point, and then nobody comes."""

    def __init__(self, moves: Sequence[str]) -> None:
        self.table = Table(TableSetup(rate=Rate(periods=(read_period("90:00+30"),))))
        self.at_ns, self._number = 1_700_000_000 * SECOND, 0
        self.wakes = 0
        due = self.table.view.docket.due

        def counted(*said):
            self.wakes += 1
            return due(*said)

        self.table.view.docket.due = counted  # type: ignore[method-assign]
        sensing = Sensing(SensingClass.IDENTITY, SECOND // 4)
        self.take(LinkUp(self.at_ns, "dgt", "p", sensing))
        position = CHESS.start()
        self.take(Scan(self.at_ns, CHESS.placement(position)))
        self.reads(Side.LEFT)
        for ply, move in enumerate(moves):
            before = CHESS.placement(position)
            position = CHESS.play(position, CHESS.parse(position, move))
            after = CHESS.placement(position)
            changed = [n for n in range(64) if before[n] != after[n]]
            for square in sorted(changed, key=lambda n: after[n] != "."):
                self.at_ns += 2 * SECOND
                self.take(SquareChange(self.at_ns, square, after[square]))
            self.reads(Side.RIGHT if ply % 2 == 0 else Side.LEFT)

    def take(self, item) -> None:
        self._number += 1
        self.at_ns = max(self.at_ns, item.at_ns)
        self.table.take(self._number, item)

    def reads(self, runs: Side | None) -> None:
        self.at_ns += 2 * SECOND
        self.take(ClockReading(self.at_ns, 5_390_000, 5_390_000, runs, runs))

    def month(self) -> int:
        """How often the Laws are asked in it."""
        before = self.wakes
        self.take(ServiceStarted(self.at_ns + MONTH, "next"))
        return self.wakes - before


def test_a_mate_that_nobody_confirmed() -> None:
    left = Left(MATE)
    left.reads(None)
    assert left.month() < 60


def test_a_pause_with_the_kings_off_their_squares() -> None:
    left = Left(OPENING)
    left.reads(None)
    for square in (60, 4, 0, 7):
        left.at_ns += SECOND
        left.take(SquareChange(left.at_ns, square, "."))
    assert left.month() < 60


@pytest.mark.parametrize("moves", [OPENING, MATE, ()], ids=["opening", "mate", "start"])
@pytest.mark.parametrize("runs", [None, Side.LEFT], ids=["standing", "running"])
@pytest.mark.parametrize("lifted", [(), (62,), (60,), (60, 4), (62, 6, 1, 57)], ids=str)
def test_wherever_it_was_left(
    moves: Sequence[str], runs: Side | None, lifted: tuple[int, ...]
) -> None:
    left = Left(moves)
    left.reads(runs)
    for square in lifted:
        left.at_ns += SECOND
        left.take(SquareChange(left.at_ns, square, "."))
    assert left.month() < 60
