"""In what a table's set-up differs from the one before, and which of it begins no game anew."""

from __future__ import annotations

from dataclasses import fields

from arbiterd.table.setup import TableSetup

DELAY = "public_delay_ns"
BESIDE = frozenset({"label", DELAY})
"""They alone change no game."""


def differing(before: TableSetup, setup: TableSetup) -> frozenset[str]:
    """The names of the fields in which they differ."""
    return frozenset(
        field.name
        for field in fields(TableSetup)
        if getattr(before, field.name) != getattr(setup, field.name)
    )


def words(names: frozenset[str]) -> str:
    """For people: `black, white`."""
    return ", ".join(sorted(name.removesuffix("_ns").replace("_", " ") for name in names))
