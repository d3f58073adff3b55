"""USI lines, as a program sends them to an engine. We listen as the engine would; nothing is sent.

    < usinewgame                                     a game begins
    < position startpos moves 7g7f 3c3d …            the whole game so far, each time
    < position sfen lnsg… b - 1 moves …              from another start
    < go btime 0 wtime 0 byoyomi 10000   gameover …  not read: nothing of the position

Sources: firmware_notes/csa-usi.md
"""

from __future__ import annotations

import re
from typing import Final

from eboards.codec import Command, Standing
from eboards.events import (
    SHOGI_BOARD,
    DeviceEvent,
    Fault,
    LineReported,
    Noise,
    Sensing,
    SensingClass,
)
from eboards.lines import Lines

SECOND: Final = 1_000_000_000
LINE_MAX: Final = 1 << 14
SENSING: Final = Sensing(SensingClass.MOVES, SECOND, SHOGI_BOARD)

_MOVE: Final = re.compile(r"[1-9][a-i][1-9][a-i]\+?|[PLNSGBR]\*[1-9][a-i]")
_QUIET: Final = frozenset(
    "usi isready setoption go stop ponderhit gameover quit bestmove info id option usiok readyok"
    " checkmate".split()
)
_START_FIELDS: Final = 4
"""Board, side, hands, number."""


class UsiCodec:
    """One feed on one socket. It may be silent for an hour: silence means nothing."""

    driver = "usi"
    standing = Standing.WRITTEN
    sensing = SENSING

    def __init__(self) -> None:
        self._lines = Lines(LINE_MAX)
        self._told: tuple[str, tuple[str, ...]] | None = None

    def receive(self, data: bytes, at_ns: int) -> list[DeviceEvent]:
        return self._lines.feed(data, at_ns, self._heard)

    def _heard(self, line: bytes, at_ns: int) -> list[DeviceEvent]:
        match line.decode("ascii", "replace").split():
            case ["position", "startpos", *rest]:
                return self._position("", rest, line, at_ns)
            case ["position", "sfen", *rest]:
                start, rest = rest[:_START_FIELDS], rest[_START_FIELDS:]
                return self._position(" ".join(start), rest, line, at_ns)
            case ["usinewgame"]:
                self._told = None
                return [LineReported(at_ns, "", ())]
            case []:
                return []
            case [word, *_] if word in _QUIET:
                return []
        return [Fault(at_ns, Noise.UNKNOWN_MESSAGE, line[:64])]

    def _position(self, start: str, rest: list[str], line: bytes, at_ns: int) -> list[DeviceEvent]:
        moves = tuple(rest[1:])
        known = rest[:1] in ([], ["moves"]) and all(map(_MOVE.fullmatch, moves))
        if not known or (start and len(start.split()) != _START_FIELDS):
            return [Fault(at_ns, Noise.RANGE, line[:64])]
        if (start, moves) == self._told or not moves:
            return []
        self._told = start, moves
        return [LineReported(at_ns, start, moves)]

    # Out.

    def send(self, _command: Command, _at_ns: int) -> bytes:
        """It is only listened to."""
        return b""

    @property
    def due_at_ns(self) -> int | None:
        return None

    def due(self, _at_ns: int) -> tuple[bytes, list[DeviceEvent]]:
        return b"", []
