"""The boards as LiveChess shows them, made from the hall's retained messages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from arbiterd.messages import topics
from arbiterd.messages.payloads import Clock, Device, State
from arbiterd.messages.times import from_rfc3339
from arbiterd.rules.customs import Custom
from arbiterd.rules.registry import ruleset
from arbiterd.rules.ruleset import Provable

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


def readable(name: str) -> bool:
    """Whether LiveChess's clients can read this game: its positions are those of chess."""
    return isinstance(ruleset(name), Provable)


def shuffled(name: str) -> bool:
    """What LiveChess's field `chess960` says of a game."""
    return Custom.SHUFFLED in ruleset(name).customs


STATES = {"ok": "ACTIVE", "degraded": "ACTIVE", "lost": "NOTRESPONDING", "none": "INACTIVE"}


def live_clock(clock: Clock | None, at: str) -> LiveClock | None:
    """Null where there is no clock or a time is not known."""
    if clock is None or clock.white_ms is None or clock.black_ms is None:
        return None
    run = None if clock.running is None else clock.running == "white"
    return LiveClock(clock.white_ms // 1000, clock.black_ms // 1000, run, from_rfc3339(at) // MS)


class EBoards:
    """The boards of the hall as clients may ask for them; what did not change is not read again."""

    def __init__(self, retained: Callable[[], Mapping[str, bytes]]) -> None:
        """Topics of `retained` are relative to the hall."""
        self._retained = retained
        self._read: dict[str, tuple[bytes, bytes, EBoard | None]] = {}
        """By table: what was read, and what it says."""

    def __call__(self) -> dict[str, EBoard]:
        """By serial number: those that answer first, then in the order of the tables.

        A board has its table's name until it told its number, and answers to that name
        afterwards. Boards of games that no client can read are left out.
        """
        found = [(t, b) for t, (_, _, b) in self._up_to_date().items() if b is not None]
        found.sort(key=lambda pair: (pair[1].state != "ACTIVE", topics.place_of(pair[0])))
        boards: dict[str, EBoard] = {}
        for _, board in found:
            boards.setdefault(board.serialnr, board)
        return boards | {table: board for table, board in found if table not in boards}

    def table_of(self, serial: str) -> str | None:
        """The table of this board, by its number or by its table's name."""
        board = self().get(serial)
        return next((t for t, (_, _, b) in self._read.items() if b is board), None)

    def _up_to_date(self) -> Mapping[str, tuple[bytes, bytes, EBoard | None]]:
        retained = self._retained()
        tables = topics.tables_in(retained)
        for table in tables:
            state = retained[topics.table(table, topics.STATE)]
            device = retained.get(topics.table(table, topics.DEVICE), b"")
            known = self._read.get(table)
            if known is None or known[0] is not state or known[1] is not device:
                self._read[table] = state, device, _read(state, device)
        for table in self._read.keys() - set(tables):
            del self._read[table]
        return self._read


def _read(state_body: bytes, device_body: bytes) -> EBoard | None:
    state = msgspec.json.decode(state_body, type=State)
    device = msgspec.json.decode(device_body, type=Device) if device_body else None
    return _eboard(state, device) if readable(state.ruleset) else None


def listed(boards: Mapping[str, EBoard]) -> list[Any]:
    """Each board once, as JSON objects with all fields."""
    return [plain(board) for board in dict.fromkeys(boards.values())]


def _eboard(state: State, device: Device | None) -> EBoard:
    battery = None if device is None or device.battery is None else f"{device.battery}%"
    port = device.port.rsplit("/", 1)[-1] if device is not None and device.port else None
    return EBoard(
        serialnr=device.identity if device is not None and device.identity else state.table,
        source=None if state.device in ("lost", "none") else port,
        state=STATES[state.device],
        battery=battery,
        comment=None,
        # Where there is no board, half-moves come by hand and no sensor shows them.
        board=state.fen.split()[0] if state.device == "none" else state.placement,
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
