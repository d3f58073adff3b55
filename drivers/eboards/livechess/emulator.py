"""A LiveChess with boards of its own, as its clients see it: text frames, one a line.

Answers the calls of its API in LiveChess's order (the result, then the feed's full state), and
publishes what changed within 0.3 s, as the recorded one does.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

EVENT_NS = 300_000_000
MS = 1_000_000


@dataclass
class ServedBoard:
    """What LiveChess knows of one board."""

    serial: str
    pieces: list[str]
    """Letters of FEN and dots, from a8."""
    state: str = "ACTIVE"
    battery: str | None = None
    clock: tuple[int, int, bool | None] | None = None
    """White's and Black's seconds, and whose run."""
    told: dict[str, Any] = field(default_factory=dict)

    def fen(self) -> str:
        ranks = ("".join(self.pieces[n : n + 8]) for n in range(0, 64, 8))
        text = "/".join(ranks)
        for gap in range(8, 0, -1):
            text = text.replace("." * gap, str(gap))
        return text

    def shown(self, at_ns: int) -> dict[str, Any]:
        if self.clock is None:
            return {"board": self.fen(), "clock": None}
        white, black, run = self.clock
        clock = {"white": white, "black": black, "run": run, "time": at_ns // MS}
        return {"board": self.fen(), "clock": clock}


START = list("rnbqkbnrpppppppp" + "." * 32 + "PPPPPPPPRNBQKBNR")


class LiveChessEmulator:
    """One end of the socket."""

    def __init__(self, boards: list[ServedBoard] | None = None) -> None:
        self.boards = boards if boards is not None else [ServedBoard("12345", list(START))]
        self._feeds: list[tuple[Any, ServedBoard]] = []
        self._in = b""
        self._out: list[str] = []
        self._looked_ns = 0
        self._now_ns = 0

    # Hands.

    def set_square(self, square: int, piece: str, at_ns: int) -> None:
        """The first board's square shows another piece."""
        self._now_ns = at_ns
        self.boards[0].pieces[square] = piece

    def set_clock(self, white: int, black: int, run: bool | None, at_ns: int) -> None:
        self._now_ns = at_ns
        self.boards[0].clock = (white, black, run)

    # The wire.

    @property
    def due_at_ns(self) -> int | None:
        if self._out:
            return self._now_ns
        return self._looked_ns + EVENT_NS if self._changed() else None

    def receive(self, data: bytes, at_ns: int) -> None:
        self._now_ns = at_ns
        *lines, self._in = (self._in + data).split(b"\n")
        for line in lines:
            self._call(json.loads(line), at_ns)

    def advance(self, at_ns: int) -> bytes:
        self._now_ns = at_ns
        if at_ns >= self._looked_ns + EVENT_NS:
            self._looked_ns = at_ns - at_ns % EVENT_NS
            self._publish(at_ns)
        out, self._out = self._out, []
        return "".join(frame + "\n" for frame in out).encode()

    def _changed(self) -> bool:
        return any(_untimed(b.shown(0)) != _untimed(b.told) for _, b in self._feeds)

    def _publish(self, at_ns: int) -> None:
        for number, board in self._feeds:
            shown = board.shown(at_ns)
            new = {
                k: v
                for k, v in shown.items()
                if _untimed({k: v}) != _untimed({k: board.told.get(k)})
            }
            if new:
                board.told = shown
                self._feed(number, board, new, at_ns)

    def _feed(self, number: Any, board: ServedBoard, new: dict[str, Any], at_ns: int) -> None:
        self._say("feed", number, {"serialnr": board.serial, "flipped": False, **new}, at_ns)

    def _say(self, response: str, number: Any, param: Any, at_ns: int) -> None:
        frame = {"response": response, "id": number, "param": param, "time": at_ns // MS}
        self._out.append(json.dumps(frame, separators=(",", ":")))

    def _call(self, said: dict[str, Any], at_ns: int) -> None:
        number, param = said.get("id"), said.get("param") or {}
        if said["call"] == "eboards":
            self._say("call", number, [self._eboard(b, at_ns) for b in self.boards], at_ns)
            return
        if said["call"] == "subscribe":
            serial = param["param"]["serialnr"]
            for board in (b for b in self.boards if b.serial == serial):
                self._feeds = [feed for feed in self._feeds if feed[0] != param["id"]]
                self._feeds.append((param["id"], board))
                self._say("call", number, None, at_ns)
                board.told = board.shown(at_ns)
                self._feed(param["id"], board, board.told, at_ns)
                return
        error = {"message": "Unknown call", "stacktrace": "java.lang.Exception\n\tat LiveChess\n"}
        self._say("error", number, error, at_ns)

    def _eboard(self, board: ServedBoard, at_ns: int) -> dict[str, Any]:
        return {
            "serialnr": board.serial,
            "source": "caissa",
            "state": board.state,
            "battery": board.battery,
            "comment": None,
            **board.shown(at_ns),
            "flipped": False,
        }


def _untimed(shown: dict[str, Any]) -> dict[str, Any]:
    """A reading's own time is no news."""
    clock = shown.get("clock")
    return shown | {"clock": clock and {k: v for k, v in clock.items() if k != "time"}}
