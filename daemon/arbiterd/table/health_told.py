"""What facts say of a board's coils, and what people are told of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arbiterd.messages import payloads
from arbiterd.table.health import words
from arbiterd.tracking.facts import Fact, Pressed, SquareSuspect
from eboards.events import EMPTY

if TYPE_CHECKING:
    from arbiterd.table.table import Table

TOLD_MAX = 12
"""So many coils and pieces are named at most, the worst first."""


def note_health(table: Table, fact: Fact) -> None:
    """A piece that showed after its press, and a square that was not believed."""
    board, rules = table.board, table.rules
    match fact:
        case SquareSuspect():
            board.health.was_wrong(board.coil(rules, fact.square))
        case Pressed() if fact.move is not None and fact.ply <= len(table.tracker.record.plies):
            made_ns = table.tracker.record.plies[fact.ply - 1].made_at_ns
            if made_ns <= fact.at_ns:
                return
            for change in fact.turn.changes:
                if change.at_ns == made_ns and change.after != EMPTY and not change.pictured:
                    board.health.came_late(board.coil(rules, change.square))
        case _:
            pass


def sensors(table: Table) -> list[payloads.Sensor]:
    """The coils and pieces that are read wrongly, the worst first."""
    board, rules = table.board, table.rules
    health, names = board.health, rules.geometry.names
    hours = round(health.hours, 1)
    coils = [
        payloads.Sensor(
            square=names[board.square(rules, square)],
            piece=None,
            times=counts.all,
            hours=hours,
            weak=square in health.weak,
            words=words(counts),
        )
        for square, counts in health.worst()
        if square < len(names)
    ]
    pieces = [
        payloads.Sensor(
            square=None,
            piece=piece,
            times=counts.all,
            hours=hours,
            weak=False,
            words="read wrongly on several squares: its chip",
        )
        for piece, counts in health.odd_pieces()
    ]
    return [*coils, *pieces][:TOLD_MAX]
