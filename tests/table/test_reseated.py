"""A new round at a table: another game, and the board that stands there."""

from __future__ import annotations

import pytest

from arbiterd.rules.registry import ruleset
from arbiterd.table.setup import TableSetup
from arbiterd.table.table import Table
from eboards.events import LinkUp, Scan, Sensing, SensingClass

SECOND_NS = 1_000_000_000
CHESS = ruleset("chess")
START = CHESS.placement(CHESS.start())
HALF_WAY = tuple(reversed(START))
"""The start array as a board shows it that lies the other way round."""


def heard(orientation: int | None) -> Table:
    """A table whose board answers, and shows the start array from where it lies."""
    table = Table(TableSetup(hall="main", table="1", orientation=orientation))
    sensing = Sensing(SensingClass.IDENTITY, SECOND_NS // 5)
    table.take(1, LinkUp(SECOND_NS, "dgt", "/dev/board", sensing))
    table.take(2, Scan(SECOND_NS, HALF_WAY if orientation == 180 else START))
    return table


@pytest.mark.parametrize("before", [None, 0, 180])
@pytest.mark.parametrize("after", [None, 0, 180])
def test_the_board_is_there_in_the_next_round_however_it_lies(
    before: int | None, after: int | None
) -> None:
    """Where the configuration says how it lies, it was told as lost, with no driver and no port,
    until its line was begun again."""
    table = heard(before).reseated(TableSetup(hall="main", table="1", orientation=after, round=2))
    board, state = table.view.board, table.state(2 * SECOND_NS)
    assert (state.device, board.driver, board.port) == ("ok", "dgt", "/dev/board")
    assert board.fixed is (after is not None)
    assert board.degrees == ((before or 0) if after is None else after)
    turned = (before == 180) != (board.degrees == 180)
    assert board.placement(CHESS) == (HALF_WAY if turned else START)
