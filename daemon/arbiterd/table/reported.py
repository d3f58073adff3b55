"""Half-moves of a source that knows the game: a feed, an old computer, the arbiter's page.

What is not legal is a fault of the source, and changes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from arbiterd.tracking.facts import How
from eboards.events import Fault, LineReported, Noise, SensingClass

if TYPE_CHECKING:
    from arbiterd.table.table import Table


def played(table: Table, at_ns: int, move: str) -> None:
    """One half-move more."""
    try:
        table.rules.parse(table.tracker.position, move)
    except ValueError as wrong:
        _refused(table, at_ns, wrong)
        return
    _play_on(table, at_ns, (*table.moves, move))


def line_told(table: Table, told: LineReported) -> None:
    """The whole game. A part of what is known already is no news."""
    rules = table.rules
    try:
        position = start = rules.start(told.start)
        for text in told.moves:
            position = rules.play(position, rules.parse(position, text))
    except ValueError as wrong:
        _refused(table, told.at_ns, wrong)
        return
    moves = table.moves
    same = rules.fen(start) == table.tracker.record.start
    if same and told.moves == moves[: len(told.moves)] and (told.moves or not moves):
        return
    if not same or not told.moves or table.books.status == "ended":
        table.facts(table.tracker.begin_game(told.at_ns, start))
    _play_on(table, told.at_ns, told.moves)


def _play_on(table: Table, at_ns: int, moves: tuple[str, ...]) -> None:
    """The record as the source tells it: finished moves, seen by nobody else."""
    if moves != table.moves:
        table.facts(table.tracker.set_line(at_ns, moves, how=How.SETTLED))
    if table.sensing.kind is SensingClass.MOVES:
        # Such a device shows no squares: what it reports is what stands on it.
        shown = table.rules.placement(table.tracker.position)
        table.facts(table.tracker.scanned(at_ns, shown))


def _refused(table: Table, at_ns: int, wrong: ValueError) -> None:
    table.device_says(Fault(at_ns, note=str(wrong), noise=Noise.UNEXPECTED_REPLY))
