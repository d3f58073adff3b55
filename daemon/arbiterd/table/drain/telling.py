"""What readers are told: each message takes the next number of its table as it is put.

What readers hold (`Numbering`) and what was put to them are one: neither is changed alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from arbiterd.messages import topics
from arbiterd.messages.step import Output
from arbiterd.table.effects import (
    CatchUp,
    Effects,
    Occasion,
    PutOut,
    TellDevice,
    TellMove,
    TellRest,
    TellResult,
    TellRuling,
)
from arbiterd.table.record_told import untold
from arbiterd.table.state import TableState
from arbiterd.table.undoing import caught_up
from arbiterd.table.views import device


def _tell_move(state: TableState, _: Occasion, effect: TellMove) -> Effects:
    return (PutOut(state.announcer.move(effect.at_ns, effect.told)),)


def _tell_rest(state: TableState, occasion: Occasion, effect: TellRest) -> Effects:
    rest = untold(state, state.at_ns, effect.changed, occasion)
    return tuple(TellMove(state.at_ns, told) for told in rest)


def _tell_ruling(state: TableState, _: Occasion, effect: TellRuling) -> Effects:
    ruling = effect.ruling
    if state.recent.newer is not None and ruling.urgency:
        state.announcer.numbering.rulings[ruling.number] = ruling
    evidence = state.books.evidence(ruling.cause_from_ns, ruling.cause_to_ns)
    return tuple(map(PutOut, state.announcer.ruling(state.at_ns, ruling, evidence)))


def _tell_result(state: TableState, _: Occasion, effect: TellResult) -> Effects:
    told = state.announcer.result(
        effect.at_ns, effect.result, effect.reason, effect.article, effect.certainty
    )
    return (PutOut(told),)


def _tell_device(state: TableState, _: Occasion, effect: TellDevice) -> Effects:
    body = msgspec.json.encode(device(state, effect.at_ns))
    return (PutOut(Output(topics.DEVICE, body, retained=True)),)


def _catch_up(state: TableState, occasion: Occasion, effect: CatchUp) -> Effects:
    return caught_up(state, effect.theirs, effect.rulings, occasion)


APPLIED: Mapping[type, Callable[[TableState, Occasion, Any], Effects]] = {
    TellMove: _tell_move,
    TellRest: _tell_rest,
    TellRuling: _tell_ruling,
    TellResult: _tell_result,
    TellDevice: _tell_device,
    CatchUp: _catch_up,
}
