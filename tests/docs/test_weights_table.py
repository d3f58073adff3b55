"""docs/tracking.md, *What speaks against a line*: the figures are those that count."""

from __future__ import annotations

import re
from pathlib import Path

from arbiterd.tracking import weights

PAGE = (Path(__file__).parents[2] / "docs" / "tracking.md").read_text(encoding="utf-8")
TABLE = {
    name: float(nats.replace("−", "-"))
    for name, nats in re.findall(r"^\| `([A-Z_]+)` \| ([−.\d]+)(?: /s)? \|", PAGE, re.MULTILINE)
}
BOUNDS = {
    "AT_ONCE",
    "AT_REST",
    "CERTAIN_LEAST",
    "FORGOTTEN",
    "HURRIED_MOST",
    "LEAD",
    "MARGIN",
    "PLAYED",
    "RIVALS",
}
"""What may speak against a line at most, and what follows from it: no items."""


def test_every_weight_is_in_the_table_with_its_figure() -> None:
    items = {
        name: nats
        for name, nats in vars(weights).items()
        if isinstance(nats, float) and name not in BOUNDS
    }
    spoken_for = {name: abs(nats) for name, nats in TABLE.items()}
    assert spoken_for == items


def test_the_bounds_that_the_page_tells_are_those_that_hold() -> None:
    told = re.findall(r"`([A-Z_]+)`\s\(([.\d]+)", PAGE)
    named = {name for name, _ in told}
    assert {"FORGOTTEN", "SOMETHING_ELSE", "MARGIN", "CERTAIN_LEAST", "LEAD", "RIVALS"} <= named
    for name, figure in told:
        assert getattr(weights, name) == float(figure), name
