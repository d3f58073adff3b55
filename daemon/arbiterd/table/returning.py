"""A table whose board was away: what its pieces, then its memory, say when it is back
(`absence`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from arbiterd.rules.ruleset import Colour
from arbiterd.table.absence import MEMORY_NS, Absence, Memory, Recovered, continuations
from arbiterd.table.record_told import recovered
from arbiterd.tracking.facts import Gap, GapFilled
from eboards.codec import AskLog
from eboards.events import Remembered, Scan, Side, SquareChange

if TYPE_CHECKING:
    from arbiterd.table.table import Table


def went(table: Table, at_ns: int) -> None:
    """The board was heard for the last time: this is what its memory is joined to."""
    if table.books.absence is not None:
        # Lost again before its memory came: what was known before is known still.
        table.books.absence = replace(table.books.absence, until_ns=None)
        return
    begun = table.in_play or (table.books.status == "waiting" and _stands_at_start(table))
    if not begun or table.board.raw is None:
        return
    shown = table.clock.shown(at_ns)
    stood = None if shown.running is None else shown.running.other
    stood_ms = shown.white_ms if stood is Colour.WHITE else shown.black_ms
    table.books.absence = Absence(
        raw=table.board.raw,
        tracker=table.tracker.checkpoint(),
        plies=len(table.tracker.record.plies),
        stopped=None if stood is None else table.board.side(stood),
        stopped_ms=None if stood is None else stood_ms,
    )


def awaits_memory(table: Table, event: Scan | SquareChange) -> bool:
    """The board is seen again: if it shows something else, its memory says what happened."""
    gone = table.books.absence
    if gone is None:
        return False
    if not table.sensing.remembers or table.board.raw == gone.raw:
        table.books.absence = None
        return False
    if gone.until_ns is None and isinstance(event, Scan):
        table.books.absence = replace(gone, until_ns=event.at_ns + MEMORY_NS)
        table.command(AskLog())
    return True


def look_now(table: Table, at_ns: int) -> None:
    """What the board shows counts, with or without its memory."""
    table.books.absence = None
    if table.board.raw is not None:
        table.show_tracking(Scan(at_ns, tuple(table.board.raw)))


def remembered(table: Table, event: Remembered) -> None:
    """The board's memory came: what it alone explains is put on the record."""
    gone, raw = table.books.absence, table.board.raw
    if gone is None:
        return
    memory = Memory(
        table.rules,
        table.setup.tracking,
        table.board.degrees,
        white_left=table.board.colour(Side.LEFT) is Colour.WHITE,
    )
    now = None if raw is None else tuple(raw)
    found = continuations(memory, event.lines, gone, now, event.at_ns)
    if not found and now is None:
        # A part of it came by itself; the whole is asked for once the board shows its pieces.
        return
    if len(found) == 1:
        _record(table, event.at_ns, gone, found[0])
    look_now(table, event.at_ns)
    if len(found) > 1:
        candidates = tuple(way.moves for way in found)
        table.hear(Gap(event.at_ns, table.tracker.turn, candidates))


def _record(table: Table, at_ns: int, gone: Absence, found: Recovered) -> None:
    """The record follows the memory; what was inferred rightly is told again, as recovered."""
    line = (*table.line[: gone.plies], *found.moves)
    table.recovering = dict(enumerate(found.shown, gone.plies + 1))
    for ply in range(gone.plies + 1, len(line) + 1):
        if table.line[:ply] != line[:ply]:
            break
        table.tell(at_ns, recovered(table, at_ns, ply))
    if line != table.line:
        table.facts(table.tracker.set_line(at_ns, line))
    table.recovering = {}
    table.hear(GapFilled(at_ns))


def _stands_at_start(table: Table) -> bool:
    """The pieces are up, and nobody has moved."""
    return table.board.placement(table.rules) == table.rules.placement(table.tracker.position)
