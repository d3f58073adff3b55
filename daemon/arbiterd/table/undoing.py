"""An act of the last minute is undone: the fold is done again without it, and readers are told.

What had been told stays told: what is different now comes as new events with the next numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from arbiterd.laws.act import Act, Answer
from arbiterd.laws.case.casefile import CaseFile, Closed, OpenRuling
from arbiterd.laws.ruling import Ruling
from arbiterd.table.announcer import Announcer, Numbering
from arbiterd.table.recent import Deed, Stood
from arbiterd.table.record_told import withdrawn
from arbiterd.table.renumbering import merged

if TYPE_CHECKING:
    from arbiterd.table.table import Table


def undo(table: Table, act: Act) -> Answer:
    """Refused only where something has left the house."""
    deed = table.recent.deed(act.of, act.user)
    if deed is None:
        return Answer(False, f"no act of the last minute that was done has the id {act.of!r}")
    if deed.left:
        return Answer(False, f"it cannot be undone: {deed.left}")
    stood = table.recent.before(deed)
    other = _without(table, stood, deed)
    public = _made_public(table, other)
    if public:
        return Answer(False, f"it cannot be undone: {public}; give another result")
    table.recent.undone(deed)
    _turn_to(table, other, stood)
    return Answer(ok=True)


def _without(table: Table, stood: Stood, deed: Deed) -> Table:
    """The table as it would be now."""
    other = table.from_kept(stood.table)
    for came in table.recent.inputs:
        if came.number >= stood.number and came.number != deed.number:
            other.take(came.number, came.item(other))
    other.due(table.at_ns)
    return other


def _made_public(table: Table, other: Table) -> str:
    """The result that cannot be taken back; empty: none."""
    told, delay = table.announcer.numbering.result, table.setup.public_delay
    same_game = other.announcer.numbering.began_ns == table.announcer.numbering.began_ns
    if told is None or delay is None or (same_game and told.result == other.books.result):
        return ""
    return (
        f"the result {told.result} has been made public"
        if delay.due_ns(told.at_ns) <= table.at_ns
        else ""
    )


def _turn_to(table: Table, other: Table, stood: Stood) -> None:
    """The table is the other one from now on, and whoever reads it hears of it."""
    numbering, theirs = table.announcer.numbering, other.announcer.numbering
    if theirs.began_ns != numbering.began_ns:
        _leave_game(table)
        table.announcer.turn_to(theirs.began_ns)
    heard = _rulings(table.from_kept(stood.table).docket.file) | numbering.rulings
    file, news = merged(table.docket.file, other.docket.file, stood.next_ruling, heard)
    table.setup, table.rules, table.sensing = other.setup, other.rules, other.sensing
    table.tracker, table.clock, table.board = other.tracker, other.clock, other.board
    table.docket = other.docket
    table.docket.file = file
    books = table.books
    other.books.answered = books.answered
    other.books.input_blocks = books.input_blocks
    other.books.input_times, other.books.input_numbers = books.input_times, books.input_numbers
    table.books = other.books
    table.announcer = Announcer(table.setup, table.rules, numbering)
    _tell_moves(table, theirs)
    for ruling in news:
        table.tell_ruling(ruling)
    _tell_result(table, theirs)


def _rulings(file: CaseFile) -> dict[int, Ruling]:
    every: list[OpenRuling | Closed] = [*file.closed, *file.open]
    return {one.ruling.number: one.ruling for one in every}


def _leave_game(table: Table) -> None:
    """The game that would not have begun is taken off the record."""
    numbering = table.announcer.numbering
    for ply in sorted(numbering.moves, reverse=True):
        table.tell(table.at_ns, withdrawn(table, table.at_ns, ply))
    if numbering.result is not None:
        table.put(table.announcer.result(table.at_ns, None, "undone", "8.7", "human"))


def _tell_moves(table: Table, theirs: Numbering) -> None:
    """What readers would hold, where they hold something else; the last withdrawn first."""
    mine = table.announcer.numbering.moves
    for ply in sorted(mine, reverse=True):
        if ply not in theirs.moves:
            table.tell(table.at_ns, withdrawn(table, table.at_ns, ply))
    for ply in sorted(theirs.moves):
        held = mine.get(ply)
        if held is None or held.told != theirs.moves[ply].told:
            table.tell(table.at_ns, theirs.moves[ply].told)


def _tell_result(table: Table, theirs: Numbering) -> None:
    told, would = table.announcer.numbering.result, theirs.result
    if (told and told.result) == (would and would.result):
        return
    announce = table.announcer.result
    if would is None:
        table.put(announce(table.at_ns, None, "undone", "8.7", "human"))
    else:
        table.put(announce(table.at_ns, would.result, would.reason, would.article, would.certainty))
