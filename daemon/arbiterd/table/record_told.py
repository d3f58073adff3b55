"""The record as it is told: each entry with its notation, its position and its clock.

What readers hold (`Numbering.moves`) and the record are compared after every change, so that
events, state and files agree whatever led there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from msgspec.structs import replace

from arbiterd.messages import payloads
from arbiterd.rules.ruleset import Colour
from arbiterd.table.announcer import MoveTold
from arbiterd.table.effects import PLAY, Occasion
from arbiterd.table.state import TableState
from arbiterd.tracking.facts import How, MoveCompleted, MoveMade, MoveReplaced, MoveWithdrawn
from arbiterd.tracking.record import RecordedPly

MoveFact: TypeAlias = MoveMade | MoveReplaced | MoveCompleted | MoveWithdrawn


def colour_name(colour: Colour) -> payloads.ColourName:
    return "white" if colour is Colour.WHITE else "black"


def move_told(view: TableState, fact: MoveFact, occasion: Occasion = PLAY) -> MoveTold | None:
    """What a fact of tracking makes known. None: a withdrawn one of which nothing was told."""
    if isinstance(fact, MoveWithdrawn):
        return withdrawn(view, fact.at_ns, fact.ply, occasion)
    told = entry_told(view, fact.at_ns, fact.ply, occasion)
    how: payloads.HowName = "recovered" if told.ply in occasion.memory else fact.how.value
    if isinstance(fact, MoveCompleted):
        return replace(told, how=how)
    return replace(told, how=how, alternatives=fact.alternatives)


def entry_told(view: TableState, at_ns: int, ply: int, occasion: Occasion = PLAY) -> MoveTold:
    """An entry as it stands on the record.

    The clock is the reading at the move's completion, the increment included, else the one
    when it was made.
    """
    record, rules = view.tracker.record, view.rules
    positions = record.positions(rules)
    before, entry = positions[ply - 1], record.plies[ply - 1]
    irregular = entry.irregular_fen is not None
    made_at_ns = entry.made_at_ns if entry.made_at_ns is not None else at_ns
    read_at_ns = entry.completed_at_ns if entry.completed_at_ns is not None else made_at_ns
    # A recovered one has the times of the memory, or none: what the clock shows now is later.
    remembered = ply in occasion.memory
    return MoveTold(
        ply=ply,
        colour=colour_name(entry.side if irregular else rules.turn(before)),
        uci=_tried(view, ply, entry) if irregular else entry.move,
        san=None if irregular else rules.san(before, rules.parse(before, entry.move)),
        fen=rules.fen(positions[ply]),
        made_at_ns=made_at_ns,
        completed_at_ns=entry.completed_at_ns,
        shown=occasion.memory[ply] if remembered else view.clock.shown(read_at_ns),
        how=entry.how.value,
        certainty=entry.sureness.value,
        probability=entry.probability,
        alternatives=entry.alternatives,
        irregular=irregular,
        start=_start(view) if ply == 1 else "",
    )


def _start(view: TableState) -> str:
    """The position of the game's start; empty: that of the set-up."""
    start, rules = view.tracker.record.start, view.rules
    return "" if start == rules.fen(rules.start(view.setup.start)) else start


def _tried(view: TableState, ply: int, entry: RecordedPly) -> str | None:
    """What one side seems to have played, where the board tells; an arbiter's word is no move."""
    if entry.how is How.ARBITER:
        return None
    before, after = view.tracker.record.positions(view.rules)[ply - 1 : ply + 1]
    attempt = view.rules.read_attempt(before, view.rules.placement(after), entry.side)
    return attempt.wire or None if attempt is not None else None


def withdrawn(view: TableState, at_ns: int, ply: int, occasion: Occasion = PLAY) -> MoveTold | None:
    """The record has forgotten it already: what was told of it says whose it was.

    None: nothing was told of it.
    """
    on_air = view.announcer.numbering.moves
    if ply not in on_air:
        return None
    before = on_air.get(ply - 1)
    return MoveTold(
        ply=ply,
        colour=on_air[ply].told.colour,
        uci=None,
        san=None,
        fen=_untold_fen(view, ply - 1) if before is None else before.told.fen,
        made_at_ns=at_ns,
        completed_at_ns=None,
        shown=view.shown(),
        how="arbiter" if occasion.by_arbiter else "inferred",
        certainty="certain",
    )


def _untold_fen(view: TableState, ply: int) -> str:
    """Where the game stood after a half-move that readers were never told: it was played before
    they listened, or is the start."""
    record = view.tracker.record
    ply = min(ply, len(record.plies))
    return view.rules.fen(record.positions(view.rules)[ply]) if ply else record.start


def recovered(view: TableState, at_ns: int, ply: int, occasion: Occasion) -> MoveTold:
    """A half-move that was inferred rightly, as the board's memory confirms it."""
    told = entry_told(view, at_ns, ply, occasion)
    return replace(told, how="recovered", certainty="certain", probability=1.0, alternatives=())


def untold(
    view: TableState, at_ns: int, changed: int, occasion: Occasion = PLAY
) -> Iterator[MoveTold]:
    """Where readers hold something else than the record, last first what is gone.

    Positions are compared from half-move `changed` on: nothing before it is other than it was.
    """
    record, numbering, rules = view.tracker.record, view.announcer.numbering, view.rules
    for ply in sorted(numbering.moves, reverse=True):
        if ply > len(record.plies):
            gone = withdrawn(view, at_ns, ply, occasion)
            assert gone is not None, "what is on the air can be withdrawn"
            yield gone
    for ply, entry in enumerate(record.plies, 1):
        held = numbering.moves.get(ply)
        if held is None:
            if ply > numbering.laid:
                yield entry_told(view, at_ns, ply, occasion)
            continue
        told = held.told
        same = (entry.irregular_fen is not None) == told.irregular
        same = same and (told.irregular or told.uci == entry.move)
        if not same or (ply >= changed and told.fen != rules.fen(record.positions(rules)[ply])):
            yield entry_told(view, at_ns, ply, occasion)
