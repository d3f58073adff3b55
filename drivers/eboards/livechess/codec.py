"""LiveChess 2 read as a client. On the wire one JSON object a line (a WebSocket's text frame).

    > {"id":1,"call":"eboards"}
    < {"response":"call","id":1,"param":[{"serialnr","state","battery","board", …}],"time":ms}
    > {"id":2,"call":"subscribe","param":{"feed":"eboardevent","id":1,"param":{"serialnr":"…"}}}
    < {"response":"call","id":2,"param":null,…}
    < {"response":"feed","id":1,"param":{"serialnr","flipped","board","clock"},"time":ms}

An event carries `board` (the placement part of a FEN) and `clock` only when they changed; a clock
is whole seconds, `run` null stopped, true White's, false Black's, and no flag: 0 where there was
time before. LiveChess turns the board itself and publishes a board within 0.3 s, also with a piece
in the air: shorter touches are not seen. No set-up is asked for: moves are ours to find, kings in
the centre are no moves.

Sources and doubts: firmware_notes/livechess.md
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, TypeGuard

from eboards.bounds import CLOCK_MAX_MS, NAME_MAX, START_MAX
from eboards.codec import AskBoard, AskClock, DeviceCommand, Standing
from eboards.events import (
    CHESS_BOARD,
    EMPTY,
    Battery,
    ClockGone,
    ClockReading,
    DeviceEvent,
    Fault,
    Identity,
    Noise,
    Placement,
    Scan,
    Sensing,
    SensingClass,
    Side,
)
from eboards.lines import LineBuffer

SECOND: Final = 1_000_000_000
EVENT_NS: Final = 300_000_000
"""Events of the recorded session follow each other within so long where the board does."""
ASK_NS: Final = 10 * SECOND
"""The list of boards is asked for again: battery, and whether the board still answers."""
ANSWER_NS: Final = 3 * SECOND
"""Without an answer for so long the connection counts as silent."""
OVERDUE_NS: Final = 30 * SECOND
"""An answer that comes no later than this is one still, and the next may take twice as long."""
BATTERY_MAX: Final = 8
"""Characters."""
LINE_MAX: Final = 1 << 20
"""A longer frame is none of LiveChess's."""

FEED: Final = 1
_PIECES: Final = frozenset("PNBRQKpnbrqk")


class LiveChessCodec:
    """One board of one LiveChess. `serial` chooses it; empty: the first in its list."""

    driver = "livechess"
    standing = Standing.WRITTEN

    def __init__(self, serial: str = "") -> None:
        self._serial = serial
        self._lines = LineBuffer(LINE_MAX, b"\n")
        self._next_id = 1
        self._asked: dict[int, tuple[str, int]] = {}
        self._overdue: dict[int, tuple[str, int]] = {}
        """Asked, given up waiting for, and perhaps answered yet."""
        self._patience_ns = ANSWER_NS
        self._subscribed = False
        self._due_at_ns: int | None = 0
        self._silent = False
        self._to_subscribe = False
        self._had_time: frozenset[Side] = frozenset()
        """Sides of this clock that have shown time."""
        self._away = ""
        """Why there is no board although LiveChess answers, in words; empty: there is one."""

    @property
    def sensing(self) -> Sensing:
        return Sensing(SensingClass.IDENTITY, EVENT_NS)

    # In.

    def receive(self, data: bytes, at_ns: int) -> list[DeviceEvent]:
        return self._lines.feed(data, at_ns, self._frame)

    def _frame(self, line: bytes, at_ns: int) -> list[DeviceEvent]:
        try:
            frame = json.loads(line)
        except (ValueError, RecursionError):
            return [Fault(at_ns, Noise.STRAY, line[:64])]
        if not isinstance(frame, dict):
            return [Fault(at_ns, Noise.UNKNOWN_MESSAGE, line[:64])]
        match frame.get("response"):
            case "call":
                return self._answer(frame.get("id"), frame.get("param"), at_ns)
            case "feed":
                return self._event(frame.get("param"), at_ns)
            case "error":
                # An answer as well: LiveChess is there, and says no.
                self._asked_by(frame.get("id"), at_ns)
                return [Fault(at_ns, Noise.UNEXPECTED_REPLY, note=_message(frame.get("param")))]
        return [Fault(at_ns, Noise.UNKNOWN_MESSAGE, line[:64])]

    def _answer(self, number: object, param: object, at_ns: int) -> list[DeviceEvent]:
        call, after_ns = self._asked_by(number, at_ns)
        if call == "eboards":
            return [*self._boards(param, at_ns), *_slow(after_ns, at_ns)]
        if call == "subscribe":
            self._subscribed = True
            return []
        return [Fault(at_ns, Noise.UNEXPECTED_REPLY)]

    def _asked_by(self, number: object, at_ns: int) -> tuple[str, int]:
        """The call that is answered under this number, and how long that took. Empty: none of
        ours, or one of long ago."""
        self._silent = False
        if not isinstance(number, int):
            return "", 0
        waits = self._asked if number in self._asked else self._overdue
        call, asked_ns = waits.pop(number, ("", at_ns))
        after_ns = at_ns - asked_ns
        if call:
            self._patience_ns = max(ANSWER_NS, min(2 * after_ns, OVERDUE_NS))
        return call, after_ns

    def _boards(self, param: object, at_ns: int) -> list[DeviceEvent]:
        boards = [board for board in param if _is_board(board)] if isinstance(param, list) else []
        ours = [b for b in boards if b.get("serialnr") == self._serial or not self._serial]
        if away := _away(ours, self._serial):
            told, self._away, self._subscribed = self._away, away, False
            return [] if told == away else [Fault(at_ns, Noise.SILENT, note=away)]
        board = ours[0]
        events: list[DeviceEvent] = []
        self._away = ""
        if not self._subscribed:
            # Of a board that is back, too: nothing comes until something on it changes.
            self._serial = board["serialnr"]
            self._to_subscribe, self._due_at_ns = True, at_ns
            events.append(Identity(at_ns, self.driver, self._serial))
        return [*events, *_late(board, at_ns), *_battery(board.get("battery"), at_ns)]

    def _event(self, param: object, at_ns: int) -> list[DeviceEvent]:
        if not isinstance(param, dict) or param.get("serialnr") != self._serial:
            return [Fault(at_ns, Noise.UNEXPECTED_REPLY)]
        self._away = ""
        events: list[DeviceEvent] = []
        if param.get("board") is not None:
            placement = read_board(param["board"])
            if placement is None:
                events.append(Fault(at_ns, Noise.RANGE, note=f"no board: {_shown(param['board'])}"))
            else:
                events.append(Scan(at_ns, placement))
        if "clock" in param:
            events.append(self._flagged(_clock(param["clock"], at_ns)))
        return events

    def _flagged(self, event: DeviceEvent) -> DeviceEvent:
        """LiveChess tells of no flag: it is down where there is no time, and there was some."""
        if isinstance(event, ClockGone):
            self._had_time = frozenset()
        if not isinstance(event, ClockReading):
            return event
        times = {Side.LEFT: event.left_ms, Side.RIGHT: event.right_ms}
        self._had_time |= {side for side, ms in times.items() if ms}
        fallen = {side for side in self._had_time if not times[side]}
        return replace(event, left_flag=Side.LEFT in fallen, right_flag=Side.RIGHT in fallen)

    # Out.

    def send(self, command: DeviceCommand, at_ns: int) -> bytes:
        """The board and clock are asked for by subscribing anew; nothing else can be said."""
        if isinstance(command, AskBoard | AskClock) and self._subscribed:
            return self._subscribe(at_ns)
        return b""

    @property
    def due_at_ns(self) -> int | None:
        waits = [asked_ns + self._patience_ns for _, asked_ns in self._asked.values()]
        return min([*waits, *([] if self._due_at_ns is None else [self._due_at_ns])], default=None)

    def due(self, at_ns: int) -> tuple[bytes, list[DeviceEvent]]:
        events: list[DeviceEvent] = []
        late = {
            number: asked
            for number, asked in self._asked.items()
            if asked[1] + self._patience_ns <= at_ns
        }
        if late:
            self._asked = {n: asked for n, asked in self._asked.items() if n not in late}
            overdue = {**self._overdue, **late}
            since_ns = at_ns - OVERDUE_NS
            self._overdue = {n: asked for n, asked in overdue.items() if asked[1] >= since_ns}
            # Asked until it answers; then its board is shown again, moved or not.
            self._subscribed, self._due_at_ns = False, at_ns
            if not self._silent:
                self._silent = True
                events.append(Fault(at_ns, Noise.SILENT, note="LiveChess does not answer"))
        out = b""
        if self._due_at_ns is not None and self._due_at_ns <= at_ns:
            self._due_at_ns = at_ns + ASK_NS
            ready, self._to_subscribe = self._to_subscribe, False
            out = self._subscribe(at_ns) if ready else self._say("eboards", None, at_ns)
        return out, events

    def _subscribe(self, at_ns: int) -> bytes:
        board = {"serialnr": self._serial}
        return self._say("subscribe", {"feed": "eboardevent", "id": FEED, "param": board}, at_ns)

    def _say(self, call: str, param: Mapping[str, Any] | None, at_ns: int) -> bytes:
        number = self._next_id
        self._next_id += 1
        self._asked[number] = (call, at_ns)
        said: dict[str, Any] = {"id": number, "call": call}
        if param is not None:
            said["param"] = param
        return json.dumps(said, separators=(",", ":")).encode() + b"\n"


def _away(ours: list[dict[str, Any]], serial: str) -> str:
    """Why none of these boards can be read; empty: the first can."""
    if not ours:
        return f"LiveChess has no board {serial}" if serial else "LiveChess has no board"
    state = ours[0].get("state")
    if state not in ("NOTRESPONDING", "INACTIVE"):
        return ""
    return f"LiveChess says that board {ours[0]['serialnr']} is {state}"


def _late(board: dict[str, Any], at_ns: int) -> list[DeviceEvent]:
    """A wireless board's data may be behind. Told with each list: what is not told again counts as
    mended."""
    if board.get("state") != "DELAYED":
        return []
    what = f"LiveChess says that board {board['serialnr']} is DELAYED: what it shows comes late"
    return [Fault(at_ns, Noise.LATE, note=f"{what}; look at its battery and its radio")]


def _slow(after_ns: int, at_ns: int) -> list[DeviceEvent]:
    """An answer that took so long. Told with each list, as above."""
    if after_ns <= ANSWER_NS:
        return []
    note = "LiveChess answers late, and so comes what it shows; look at its computer and network"
    return [Fault(at_ns, Noise.LATE, note=note)]


def _is_board(board: object) -> bool:
    serial = board.get("serialnr") if isinstance(board, dict) else None
    return isinstance(serial, str) and len(serial) <= NAME_MAX and serial.isprintable()


def read_board(text: object) -> Placement | None:
    """The placement part of a FEN; None where it is none."""
    rows = text.split("/") if isinstance(text, str) and len(text) <= START_MAX else []
    pieces: list[str] = []
    for row in rows:
        for letter in row:
            if letter in _PIECES:
                pieces.append(letter)
            elif letter in "12345678":
                pieces += [EMPTY] * int(letter)
            else:
                return None
        if len(pieces) % CHESS_BOARD.files:
            return None
    return tuple(pieces) if len(pieces) == len(CHESS_BOARD) else None


def _clock(clock: object, at_ns: int) -> DeviceEvent:
    if clock is None:
        return ClockGone(at_ns)
    if not isinstance(clock, dict):
        return Fault(at_ns, Noise.RANGE, note=f"no clock: {_shown(clock)}")
    white, black, run = clock.get("white"), clock.get("black"), clock.get("run")
    if not (_is_seconds(white) and _is_seconds(black)):
        return Fault(at_ns, Noise.RANGE, note=f"no clock: {_shown(clock)}")
    if not (run is None or isinstance(run, bool)):
        return Fault(at_ns, Noise.RANGE, note=f"no clock: {_shown(clock)}")
    running = None if run is None else Side.LEFT if run else Side.RIGHT
    return ClockReading(at_ns, white * 1000, black * 1000, running, running, late_ns=2 * SECOND)


def _battery(text: object, at_ns: int) -> list[DeviceEvent]:
    """`84%` or `3.9V`."""
    if not isinstance(text, str):
        return []
    number = text[:-1].strip()
    if len(text) > BATTERY_MAX:
        return []
    if text.endswith("%") and number.isdecimal() and int(number) <= 100:
        return [Battery(at_ns, int(number))]
    if text.endswith("V") and number.replace(".", "", 1).isdecimal():
        return [Battery(at_ns, None, volts=float(number))]
    return []


def _message(param: object) -> str:
    message = param.get("message") if isinstance(param, dict) else None
    return message[:200] if isinstance(message, str) else ""


def _is_seconds(value: object) -> TypeGuard[int]:
    if not isinstance(value, int) or isinstance(value, bool):
        return False
    return 0 <= value <= CLOCK_MAX_MS // 1000


def _shown(value: object) -> str:
    """A value that is none of ours may be as deep and as long as it likes."""
    return repr(value[:40]) if isinstance(value, str) else type(value).__name__
