"""The record as it is told: each entry with its notation, its position and its clock.

What readers hold (`Numbering.moves`) and the record are compared after every change, so that
events, state and files agree whatever led there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeAlias

from msgspec.structs import replace

from arbiterd.messages import payloads
from arbiterd.rules.ruleset import Colour
from arbiterd.table.announcer import MoveTold
from arbiterd.tracking.facts import How, MoveCompleted, MoveMade, MoveReplaced, MoveWithdrawn
from arbiterd.tracking.record import RecordedPly

if TYPE_CHECKING:
    from arbiterd.table.table import Table

MoveFact: TypeAlias = MoveMade | MoveReplaced | MoveCompleted | MoveWithdrawn


def colour_name(colour: Colour) -> payloads.ColourName:
    return "white" if colour is Colour.WHITE else "black"


def move_told(table: Table, fact: MoveFact) -> MoveTold | None:
    """What a fact of tracking makes known. None: a withdrawn one of which nothing was told."""
    if isinstance(fact, MoveWithdrawn):
        return withdrawn(table, fact.at_ns, fact.ply)
    told = entry_told(table, fact.at_ns, fact.ply)
    how: payloads.HowName = "recovered" if told.ply in table.recovering else fact.how.value
    if isinstance(fact, MoveCompleted):
        return replace(told, how=how)
    return replace(told, how=how, alternatives=fact.alternatives)


def entry_told(table: Table, at_ns: int, ply: int) -> MoveTold:
    """An entry as it stands on the record.

    The clock is the reading at the move's completion, the increment included, else the one
    when it was made.
    """
    record, rules = table.tracker.record, table.rules
    positions = record.positions(rules)
    before, entry = positions[ply - 1], record.plies[ply - 1]
    irregular = entry.irregular_fen is not None
    made_at_ns = entry.made_at_ns if entry.made_at_ns is not None else at_ns
    read_at_ns = entry.completed_at_ns if entry.completed_at_ns is not None else made_at_ns
    # A recovered one has the times of the memory, or none: what the clock shows now is later.
    remembered = ply in table.recovering
    return MoveTold(
        ply=ply,
        colour=colour_name(entry.side if irregular else rules.turn(before)),
        uci=_tried(table, ply, entry) if irregular else entry.move,
        san=None if irregular else rules.san(before, rules.parse(before, entry.move)),
        fen=rules.fen(positions[ply]),
        made_at_ns=made_at_ns,
        completed_at_ns=entry.completed_at_ns,
        shown=table.recovering[ply] if remembered else table.clock.shown(read_at_ns),
        how=entry.how.value,
        certainty=entry.sureness.value,
        probability=entry.probability,
        alternatives=entry.alternatives,
        irregular=irregular,
        start=_start(table) if ply == 1 else "",
    )


def _start(table: Table) -> str:
    """The position of the game's start; empty: that of the set-up."""
    start, rules = table.tracker.record.start, table.rules
    return "" if start == rules.fen(rules.start(table.setup.start)) else start


def _tried(table: Table, ply: int, entry: RecordedPly) -> str | None:
    """What one side seems to have played, where the board tells; an arbiter's word is no move."""
    if entry.how is How.ARBITER:
        return None
    before, after = table.tracker.record.positions(table.rules)[ply - 1 : ply + 1]
    attempt = table.rules.read_attempt(before, table.rules.placement(after), entry.side)
    return attempt.wire or None if attempt is not None else None


def withdrawn(table: Table, at_ns: int, ply: int) -> MoveTold | None:
    """The record has forgotten it already: what was told of it says whose it was.

    None: nothing was told of it.
    """
    on_air = table.announcer.numbering.moves
    if ply not in on_air:
        return None
    before = on_air.get(ply - 1)
    return MoveTold(
        ply=ply,
        colour=on_air[ply].told.colour,
        uci=None,
        san=None,
        fen=table.tracker.record.start if before is None else before.told.fen,
        made_at_ns=at_ns,
        completed_at_ns=None,
        shown=table.shown(),
        how="arbiter" if table.acting else "inferred",
        certainty="certain",
    )


def recovered(table: Table, at_ns: int, ply: int) -> MoveTold:
    """A half-move that was inferred rightly, as the board's memory confirms it."""
    told = entry_told(table, at_ns, ply)
    return replace(told, how="recovered", certainty="certain", probability=1.0, alternatives=())


def untold(table: Table, at_ns: int, changed: int) -> Iterator[MoveTold]:
    """Where readers hold something else than the record, last first what is gone.

    Positions are compared from half-move `changed` on: nothing before it is other than it was.
    """
    record, numbering, rules = table.tracker.record, table.announcer.numbering, table.rules
    for ply in sorted(numbering.moves, reverse=True):
        if ply > len(record.plies):
            gone = withdrawn(table, at_ns, ply)
            assert gone is not None, "what is on the air can be withdrawn"
            yield gone
    for ply, entry in enumerate(record.plies, 1):
        held = numbering.moves.get(ply)
        if held is None:
            if ply > numbering.laid:
                yield entry_told(table, at_ns, ply)
            continue
        told = held.told
        same = (entry.irregular_fen is not None) == told.irregular
        same = same and (told.irregular or told.uci == entry.move)
        if not same or (ply >= changed and told.fen != rules.fen(record.positions(rules)[ply])):
            yield entry_told(table, at_ns, ply)
