"""The boards as LiveChess shows them, made from the hall's retained messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from arbiterd.messages.payloads import Clock, Device, State
from arbiterd.messages.times import from_rfc3339

MS = 1_000_000


class LiveClock(Struct, frozen=True):
    """Seconds; `run` is null stopped, true for White's, false for Black's."""

    white: int
    black: int
    run: bool | None
    time: int
    """Unix milliseconds of the reading."""


class EBoard(Struct, frozen=True):
    """All fields are always there."""

    serialnr: str
    source: str | None
    state: str | None
    battery: str | None
    comment: str | None
    board: str | None
    flipped: bool
    clock: LiveClock | None


class Source(Struct, frozen=True):
    """A port as the client may list it."""

    type: str
    device: str
    name: str | None
    present: bool
    active: bool
    status: str | None


STATES = {"ok": "ACTIVE", "degraded": "ACTIVE", "lost": "NOTRESPONDING", "none": "INACTIVE"}


def live_clock(clock: Clock | None, at: str) -> LiveClock | None:
    """Null where there is no clock or a time is not known."""
    if clock is None or clock.white_ms is None or clock.black_ms is None:
        return None
    run = None if clock.running is None else clock.running == "white"
    return LiveClock(clock.white_ms // 1000, clock.black_ms // 1000, run, from_rfc3339(at) // MS)


def eboards(retained: Mapping[str, bytes]) -> dict[str, EBoard]:
    """By serial number, in the order of the tables. Topics are relative to the hall.

    A board has its table's name until it told its number, and answers to that name afterwards.
    """
    boards: dict[str, EBoard] = {}
    tables: dict[str, EBoard] = {}
    for topic in sorted(retained, key=_natural):
        if not (topic.startswith("tables/") and topic.endswith("/state")):
            continue
        state = msgspec.json.decode(retained[topic], type=State)
        body = retained.get(topic.removesuffix("state") + "device")
        device = msgspec.json.decode(body, type=Device) if body else None
        board = _eboard(state, device)
        boards.setdefault(board.serialnr, board)
        tables[state.table] = board
    return tables | boards


def listed(boards: Mapping[str, EBoard]) -> list[Any]:
    """Each board once, as JSON objects with all fields."""
    return [plain(board) for board in dict.fromkeys(boards.values())]


def _natural(topic: str) -> tuple[int, str]:
    """Table 2 before table 10."""
    return len(topic), topic


def _eboard(state: State, device: Device | None) -> EBoard:
    battery = None if device is None or device.battery is None else f"{device.battery}%"
    port = device.port.rsplit("/", 1)[-1] if device is not None and device.port else None
    return EBoard(
        serialnr=device.identity if device is not None and device.identity else state.table,
        source=None if state.device in ("lost", "none") else port,
        state=STATES[state.device],
        battery=battery,
        comment=None,
        board=state.placement,
        flipped=False,
        clock=live_clock(state.clock, state.at),
    )


def sources(boards: Mapping[str, EBoard]) -> list[Source]:
    return [
        Source("SERIAL", board.source, None, True, board.state == "ACTIVE", None)
        for board in dict.fromkeys(boards.values())
        if board.source is not None
    ]


def plain(value: Any) -> Any:
    """As JSON objects, all fields present."""
    return msgspec.to_builtins(value)
