"""The check list after a round, in sentences."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from arbiterd.hall.round.round_check import after
from arbiterd.table import Table, TableSetup


@pytest.mark.parametrize(
    ("open_rulings", "said"),
    [
        ((), []),
        (("7-0001",), ["table 7: 1 alert is not decided"]),
        (("7-0001", "7-0002"), ["table 7: 2 alerts are not decided"]),
    ],
)
def test_alerts_that_are_open_are_counted(open_rulings: tuple[str, ...], said: list[str]) -> None:
    table = Table(TableSetup(hall="main", table="7", white="Ada", black="Bea"))
    state = replace(table.state(0), result="1-0", open_rulings=list(open_rulings))
    assert after({"7": state}, {}) == said
