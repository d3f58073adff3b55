"""What people see of a table: its state, its device, a half-move as it is told."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from arbiterd.messages import payloads
from arbiterd.messages.times import rfc3339
from arbiterd.rules.ruleset import Colour, board_field
from arbiterd.table.announcer import MoveTold, clock_of
from arbiterd.tracking.facts import (
    How,
    MoveCompleted,
    MoveMade,
    MoveReplaced,
    MoveWithdrawn,
    Sureness,
)

if TYPE_CHECKING:
    from arbiterd.table.table import Table


def colour_name(colour: Colour) -> payloads.ColourName:
    return "white" if colour is Colour.WHITE else "black"


MoveFact: TypeAlias = MoveMade | MoveReplaced | MoveCompleted | MoveWithdrawn


def move_told(table: Table, fact: MoveFact) -> MoveTold | None:
    """A half-move with its notation, its position and the clock it goes with.

    The clock is the reading at the move's completion, the increment included, else the one
    when it was made. None: a withdrawn one of which nothing was told.
    """
    record, rules = table.tracker.record, table.rules
    if isinstance(fact, MoveWithdrawn):
        return withdrawn(table, fact.at_ns, fact.ply)
    positions = record.positions(rules)
    before = positions[fact.ply - 1]
    ply = record.plies[fact.ply - 1]
    made_at_ns = ply.made_at_ns if ply.made_at_ns is not None else fact.at_ns
    read_at_ns = ply.completed_at_ns if ply.completed_at_ns is not None else made_at_ns
    # A recovered one has the times of the memory, or none: what the clock shows now is later.
    remembered = fact.ply in table.recovering
    shown = table.recovering[fact.ply] if remembered else table.clock.shown(read_at_ns)
    return MoveTold(
        ply=fact.ply,
        colour=colour_name(rules.turn(before)),
        uci=ply.move,
        san=rules.san(before, rules.parse(before, ply.move)),
        fen=rules.fen(positions[fact.ply]),
        made_at_ns=made_at_ns,
        completed_at_ns=ply.completed_at_ns,
        shown=shown,
        how="recovered" if remembered else fact.how.value,
        certainty=ply.sureness.value,
        alternatives=ply.alternatives if isinstance(fact, MoveCompleted) else fact.alternatives,
    )


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
        colour=on_air[ply].colour,
        uci=None,
        san=None,
        fen=table.tracker.record.start if before is None else before.fen,
        made_at_ns=at_ns,
        completed_at_ns=None,
        shown=table.shown(),
        how="arbiter" if table.acting else "inferred",
        certainty="certain",
    )


def recovered(table: Table, at_ns: int, ply: int) -> MoveTold:
    """A half-move that was inferred rightly, as the board's memory confirms it."""
    on_record = table.tracker.record.plies[ply - 1]
    fact = MoveReplaced(
        at_ns,
        ply,
        on_record.move,
        at_ns,
        on_record.completed_at_ns,
        How.RECOVERED,
        Sureness.CERTAIN,
        (),
    )
    told = move_told(table, fact)
    assert told is not None, "only a withdrawn one may have nothing to tell"
    return replace(told, certainty="certain")


def device(table: Table, at_ns: int) -> payloads.Device:
    """The board and clock, as they say of themselves."""
    board = table.board
    return payloads.Device(
        **table.announcer.head(at_ns),
        driver=board.driver,
        identity=board.serial,
        port=board.port,
        firmware=board.firmware,
        battery=board.battery,
        state="lost" if board.state == "none" else board.state,
        since=rfc3339(board.since_ns),
        faults=list(board.faults),
    )


def state(table: Table, at_ns: int) -> payloads.State:
    """The whole live state."""
    record, rules = table.tracker.record, table.rules
    position = table.tracker.position
    rulings = table.docket.open
    moves = table.moves
    return payloads.State(
        **table.announcer.head(at_ns),
        label=table.setup.label or msgspec.UNSET,
        ruleset=table.setup.ruleset,
        white=table.setup.white,
        black=table.setup.black,
        round=table.setup.round,
        fen=rules.fen(position),
        placement=board_field(rules.geometry, table.tracker.placement),
        ply=len(record.plies),
        turn=colour_name(rules.turn(position)),
        last_move=(moves[-1] or None) if moves else None,
        clock=clock_of(table.clock.shown(at_ns)),
        status=table.books.status,
        attention=not table.books.muted and any(r.urgency in (1, 2) for r in rulings),
        device=table.board.state,
        result=table.books.result,  # type: ignore[arg-type]
        open_rulings=[table.announcer.ruling_id(ruling) for ruling in rulings],
        muted=table.books.muted,
        extras=dict(rules.facts(position)),
    )
