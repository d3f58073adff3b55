"""The rulings catalogue as data: one row a situation, one file a section.

`ROWS` holds them all by id, in the order of the sections. Which row holds is decided beside its
article (`articles/`, `games/`), never here.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from arbiterd.laws.catalogue.row import Group, Row

__all__ = ["ALIASES", "EDITION", "ROWS", "SECTIONS", "Row", "of_group", "row"]

EDITION = "FIDE-2023"
"""The Laws taking effect from 1 January 2023. Rulings carry it."""

SECTIONS = {
    1: "Before and at the start",
    2: "Touching and adjusting",
    3: "Making and completing moves",
    4: "Castling",
    5: "Promotion",
    6: "Captures and en passant",
    7: "Completed illegal moves",
    8: "Clock handling",
    9: "Flags",
    10: "End of the game, results, draws and claims",
    11: "Displaced pieces and technical faults",
    12: "Conduct",
    13: "Shogi",
    14: "Ajedrez del Guadalete",
}
"""Titles, and which files `section_NN.py` there are."""

ALIASES = {
    "9.2.1.1": "9.2.1",
    "9.2.1.2": "9.2.2",
    "9.2.2.1": "9.2.3.1",
    "9.2.2.2": "9.2.3.2",
    "6.12.1": "6.11.1",
    "6.12.2": "6.11.2",
    "3.7.5.1": "3.7.3.3",
    "3.7.5.2": "3.7.3.4",
    "3.7.5.3": "3.7.3.5",
    "3.7.4.1": "3.7.3.1",
    "3.7.4.2": "3.7.3.2",
}
"""Numbers of older editions, to the number in force where that one is not in use itself."""


def _gather() -> dict[str, Row]:
    rows: dict[str, Row] = {}
    for section in SECTIONS:
        module = import_module(f"arbiterd.laws.catalogue.section_{section:02}")
        for row in module.ROWS:
            assert row.id not in rows, f"{row.id} stands twice in the catalogue"
            assert row.section == section, f"{row.id} stands in the wrong section"
            rows[row.id] = row
    return rows


ROWS = _gather()


@cache
def of_group(*groups: Group) -> tuple[str, ...]:
    """Ids of all rows of these groups."""
    return tuple(entry.id for entry in ROWS.values() if entry.group in groups)


def row(kind: str) -> Row:
    """The row of this id. A kind that no row has is our own mistake."""
    assert kind in ROWS, f"{kind} is no row of the catalogue"
    return ROWS[kind]
