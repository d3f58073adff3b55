"""What people see of a table: its state, its device, a half-move as it is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from arbiterd.laws.ruling import Ruling
from arbiterd.messages import payloads
from arbiterd.messages.times import rfc3339
from arbiterd.rules.ruleset import board_field
from arbiterd.table.announcer import clock_of
from arbiterd.table.health_told import sensors
from arbiterd.table.record_told import colour_name

if TYPE_CHECKING:
    from arbiterd.table.table import Table


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
        faults=[*board.missed, *board.faults],
        sensors=sensors(table) or msgspec.UNSET,
    )


def _calls(ruling: Ruling) -> bool:
    """An arbiter is wanted; one that is shelved waits."""
    return ruling.urgency in (1, 2) and ruling.shelved_until_ns is None


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
        attention=not table.books.muted and (bool(table.board.missed) or any(map(_calls, rulings))),
        device=table.board.state,
        result=table.books.result,  # type: ignore[arg-type]
        open_rulings=[table.announcer.ruling_id(ruling) for ruling in rulings],
        muted=table.books.muted,
        extras=dict(rules.facts(position)),
    )
