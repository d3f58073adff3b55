"""In what a table's set-up differs from the one before, and which of it begins no game anew."""

from __future__ import annotations

from dataclasses import fields, replace

from arbiterd.table.inputs import Labelled
from arbiterd.table.setup import TableSetup

DELAY, ZONE = "public_delay_ns", "time_zone"
BESIDE = frozenset({"label", DELAY, ZONE})
"""They alone change no game."""


def differing(before: TableSetup, setup: TableSetup) -> frozenset[str]:
    """The names of the fields in which they differ."""
    here = setup.laws.time_zone
    there = before if before.laws.time_zone == here else _in_zone(before, here)
    changed = (
        field.name
        for field in fields(TableSetup)
        if getattr(there, field.name) != getattr(setup, field.name)
    )
    return frozenset(changed) if there is before else frozenset({*changed, ZONE})


def relabelled(now: TableSetup, setup: TableSetup, at_ns: int) -> Labelled | None:
    """What a table in play as `now` is to hear, where nothing but what is beside has changed."""
    beside = setup.label, setup.laws.time_zone
    return None if (now.label, now.laws.time_zone) == beside else Labelled(at_ns, *beside)


def _in_zone(setup: TableSetup, zone: str) -> TableSetup:
    return replace(setup, laws=replace(setup.laws, time_zone=zone))


def words(names: frozenset[str]) -> str:
    """For people: `black, white`."""
    return ", ".join(sorted(name.removesuffix("_ns").replace("_", " ") for name in names))
