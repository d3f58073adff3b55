"""What people are told of a board's coils and pieces; `health` has learnt it."""

from __future__ import annotations

from arbiterd.messages import payloads
from arbiterd.table.health import words
from arbiterd.table.state import TableState

TOLD_MAX = 12
"""So many coils and pieces are named at most, the worst first."""


def sensors(view: TableState) -> list[payloads.Sensor]:
    """The coils and pieces that are read wrongly, the worst first."""
    board, rules = view.board, view.rules
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
