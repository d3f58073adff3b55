"""The check list after a round, in sentences."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from arbiterd.hall.round.round_check import after


@dataclass
class Shown:
    """What the check list asks of a table's state."""

    open_rulings: tuple[str, ...]
    white: str = "Ada"
    black: str = "Bea"
    result: str | None = "1-0"


@pytest.mark.parametrize(
    ("open_rulings", "said"),
    [
        ((), []),
        (("7-0001",), ["table 7: 1 alert is not decided"]),
        (("7-0001", "7-0002"), ["table 7: 2 alerts are not decided"]),
    ],
)
def test_alerts_that_are_open_are_counted(open_rulings: tuple[str, ...], said: list[str]) -> None:
    assert after({"7": Shown(open_rulings)}, {}) == said  # type: ignore[dict-item]
