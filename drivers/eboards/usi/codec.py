"""USI lines, as a program sends them to an engine, and perhaps its answers. Nothing is sent.

    < usinewgame                                     a game begins
    < position startpos moves 7g7f 3c3d …            the whole game so far, each time
    < position sfen lnsg… b - 1 moves …              from another start
    < go btime 50000 wtime 42000 byoyomi 10000       times left; sente is b, gote w
    < go ponder btime …                              thought about beforehand: not played yet
    < bestmove 7g7f ponder 3c3d | resign | win       the answer of the side to move
    < gameover win | lose | draw                     how it ended for that side

A position is told once `go` follows, or nothing for a while: what an engine ponders on is a
guess. Sources: firmware_notes/csa-usi.md
"""

from __future__ import annotations

import re
from typing import Final

from eboards.codec import DeviceCommand, Standing
from eboards.events import (
    SHOGI_BOARD,
    DeviceEvent,
    Ending,
    EndReported,
    Fault,
    LineReported,
    Noise,
    Sensing,
    SensingClass,
    TimesReported,
)
from eboards.lines import LineBuffer

SECOND: Final = 1_000_000_000
LINE_MAX: Final = 1 << 14
DIGITS_MAX: Final = 9
"""A longer number is no time."""
GO_FOLLOWS_NS: Final = 500_000_000
"""So long a position waits for the `go` that says whether it is pondered on."""
SENSING: Final = Sensing(SensingClass.MOVES, SECOND, SHOGI_BOARD)

_MOVE: Final = re.compile(r"[1-9][a-i][1-9][a-i]\+?|[PLNSGBR]\*[1-9][a-i]")
_QUIET: Final = frozenset(
    "usi isready setoption stop quit info id option usiok readyok checkmate".split()
)
_START_FIELDS: Final = 4
"""Board, side, hands, number."""


class UsiCodec:
    """One feed on one socket. It may be silent for an hour: silence means nothing."""

    driver = "usi"
    standing = Standing.WRITTEN
    sensing = SENSING

    def __init__(self) -> None:
        self._lines = LineBuffer(LINE_MAX)
        self._start = ""
        self._moves: tuple[str, ...] = ()
        self._told: tuple[str, tuple[str, ...]] | None = None
        self._untold_ns: int | None = None
        """When the newest position was read, while it may still be one to ponder on."""
        self._times: tuple[int, int] | None = None
        self._asked = False
        """The side to move thinks: what it answers is its move."""
        self._engine: str | None = None
        """The side that was asked last."""
        self._ended = False

    def receive(self, data: bytes, at_ns: int) -> list[DeviceEvent]:
        return self._lines.feed(data, at_ns, self._heard)

    def _heard(self, line: bytes, at_ns: int) -> list[DeviceEvent]:
        match line.decode("ascii", "replace").split():
            case ["position", "startpos", *rest]:
                return self._position("", rest, line, at_ns)
            case ["position", "sfen", *rest]:
                start, rest = rest[:_START_FIELDS], rest[_START_FIELDS:]
                return self._position(" ".join(start), rest, line, at_ns)
            case ["go", *rest]:
                return self._go(rest, at_ns)
            case ["ponderhit", *_]:
                self._asked = True
                self._engine = self._mover
                return self._tell(at_ns)
            case ["bestmove", answer, *_]:
                return self._answered(answer, at_ns)
            case ["gameover", outcome]:
                return [*self._settled(at_ns), *self._over(outcome, at_ns)]
            case ["usinewgame"]:
                told = self._settled(at_ns)
                self._told, self._moves, self._ended = None, (), False
                return [*told, LineReported(at_ns, "", ())]
            case []:
                return []
            case [word, *_] if word in _QUIET:
                return []
        return [Fault(at_ns, Noise.UNKNOWN_MESSAGE, line[:64])]

    @property
    def _mover(self) -> str:
        """Sente is black and moves first, but for handicaps."""
        black_first = self._start.split()[1:2] != ["w"]
        return "black" if black_first is (len(self._moves) % 2 == 0) else "white"

    # Positions.

    def _position(self, start: str, rest: list[str], line: bytes, at_ns: int) -> list[DeviceEvent]:
        moves = tuple(rest[1:])
        known = rest[:1] in ([], ["moves"]) and all(map(_MOVE.fullmatch, moves))
        if not known or (start and len(start.split()) != _START_FIELDS):
            return [Fault(at_ns, Noise.RANGE, line[:64])]
        told = self._settled(at_ns)
        self._start, self._moves = start, moves
        self._untold_ns, self._times, self._asked = at_ns, None, False
        return told

    def _go(self, said: list[str], at_ns: int) -> list[DeviceEvent]:
        if said[:1] == ["mate"]:
            return []  # A problem to be solved, and no game.
        if "ponder" in said:
            self._untold_ns = None
            return []
        black, white, period = (_number(said, n) for n in ("btime", "wtime", "byoyomi"))
        if black is not None and white is not None:
            self._times = black or period or 0, white or period or 0
        self._asked, self._engine = True, self._mover
        return self._tell(at_ns)

    def _settled(self, at_ns: int) -> list[DeviceEvent]:
        """What still waited is what was played."""
        return [] if self._untold_ns is None else self._tell(at_ns)

    def _tell(self, at_ns: int) -> list[DeviceEvent]:
        self._untold_ns = None
        now, times = (self._start, self._moves), self._times
        self._times = None
        events: list[DeviceEvent] = []
        if times is not None:
            events.append(TimesReported(at_ns, times[1], times[0], self._mover))
        if now != self._told and self._moves:
            self._told, self._ended = now, False
            events.append(LineReported(at_ns, *now))
        return events

    # Answers and ends.

    def _answered(self, answer: str, at_ns: int) -> list[DeviceEvent]:
        """What it says of a position it only pondered on is no move."""
        if not self._asked:
            return []
        self._asked = False
        if _MOVE.fullmatch(answer):
            self._moves = (*self._moves, answer)
            return self._tell(at_ns)
        ending = {"resign": Ending.RESIGNED, "win": Ending.DECLARED}.get(answer)
        return [] if ending is None else self._end(EndReported(at_ns, ending, self._mover))

    def _over(self, outcome: str, at_ns: int) -> list[DeviceEvent]:
        if outcome == "draw":
            return self._end(EndReported(at_ns, Ending.DRAWN))
        if outcome not in ("win", "lose") or self._engine is None:
            return []
        other = "white" if self._engine == "black" else "black"
        winner = self._engine if outcome == "win" else other
        return self._end(EndReported(at_ns, Ending.WON, winner))

    def _end(self, end: EndReported) -> list[DeviceEvent]:
        """Told once a game."""
        told, self._ended = self._ended, True
        return [] if told else [end]

    # Out.

    def send(self, _command: DeviceCommand, _at_ns: int) -> bytes:
        """It is only listened to."""
        return b""

    @property
    def due_at_ns(self) -> int | None:
        return None if self._untold_ns is None else self._untold_ns + GO_FOLLOWS_NS

    def due(self, at_ns: int) -> tuple[bytes, list[DeviceEvent]]:
        due_ns = self.due_at_ns
        return b"", [] if due_ns is None or at_ns < due_ns else self._tell(at_ns)


def _number(said: list[str], name: str) -> int | None:
    """The number after this word."""
    if name not in said[:-1]:
        return None
    text = said[said.index(name) + 1]
    return int(text) if text.isdecimal() and len(text) <= DIGITS_MAX else None
