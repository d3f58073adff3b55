"""What people see of a table: its state, its device, a half-move as it is told."""

from __future__ import annotations

import msgspec

from arbiterd.laws.ruling import GO_NOW, LOOK_SOON, Ruling
from arbiterd.messages import payloads
from arbiterd.messages.times import rfc3339
from arbiterd.rules.ruleset import board_field
from arbiterd.table.announcer import clock_of
from arbiterd.table.health_told import sensors
from arbiterd.table.record_told import colour_name
from arbiterd.table.state import TableState


def device(view: TableState, at_ns: int) -> payloads.Device:
    """The board and clock, as they say of themselves."""
    board = view.board
    return payloads.Device(
        **view.announcer.head(at_ns),
        driver=board.driver,
        identity=board.serial,
        port=board.port,
        firmware=board.firmware,
        battery=board.battery,
        state="lost" if board.state == "none" else board.state,
        since=rfc3339(board.since_ns),
        faults=[*board.missed, *board.faults],
        sensors=sensors(view) or msgspec.UNSET,
    )


def _calls(ruling: Ruling) -> bool:
    """An arbiter is wanted; one that is shelved waits."""
    return ruling.urgency in (GO_NOW, LOOK_SOON) and ruling.shelved_until_ns is None


def state(view: TableState, at_ns: int) -> payloads.State:
    """The whole live state."""
    record, rules = view.tracker.record, view.rules
    position = view.tracker.position
    rulings = view.docket.open
    return payloads.State(
        **view.announcer.head(at_ns),
        label=view.setup.label or msgspec.UNSET,
        ruleset=view.setup.ruleset,
        white=view.setup.white,
        black=view.setup.black,
        round=view.setup.round,
        fen=view.tracker.turn.fen,
        placement=board_field(rules.geometry, view.tracker.placement),
        ply=len(record.plies),
        turn=colour_name(rules.turn(position)),
        last_move=(record.plies[-1].move or None) if record.plies else None,
        clock=clock_of(view.clock.shown(at_ns)),
        status=view.books.status,
        attention=not view.books.muted and (bool(view.board.missed) or any(map(_calls, rulings))),
        device=view.board.state,
        result=view.books.result,  # type: ignore[arg-type]
        open_rulings=[view.announcer.ruling_id(ruling) for ruling in rulings],
        muted=view.books.muted,
        extras=dict(rules.facts(position)),
    )
