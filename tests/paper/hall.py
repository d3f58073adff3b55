"""Messages of a hall that a test says, in the shapes of the contract."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from arbiterd.journal.live import NumberedEvent
from arbiterd.journal.roster import Match
from arbiterd.messages.commands import Command

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
SPANISH = {
    "Illegal move by White: Bf1–e3, a bishop cannot move so.":
        "Jugada ilegal de las blancas: Af1–e3, un alfil no se mueve así.",
    "White touched the knight c3 and moved the queen.":
        "Las blancas tocaron el caballo de c3 y movieron la dama.",
    "White took a move back before the press.":
        "Las blancas retiraron una jugada antes de pulsar.",
    "The clock is not heard any more.": "Ya no se oye el reloj.",
    "The board is not heard any more.": "Ya no se oye el tablero.",
    "White’s flag is down": "Ha caído la bandera de las blancas",
    "Black completed an illegal move (Rf8-e7)": "Jugada ilegal de las negras (Tf8-e7)",
    "White never pressed for Nf3": "Las blancas no pulsaron tras Cf3",
    "Threefold claim of White is correct":
        "Reclamación de triple repetición de las blancas: correcta",
}  # fmt: skip
DETAILS = {
    "Illegal move by White: Bf1–e3, a bishop cannot move so.": (
        "White has pressed the clock. The bishop is to be moved, if it has a legal move.",
        "Las blancas han pulsado el reloj. Debe moverse el alfil, si tiene jugada legal.",
    ),
    "White touched the knight c3 and moved the queen.": (
        "The knight was off its square for 2.1 s and was put back; then the queen was moved.",
        "El caballo estuvo 2,1 s fuera de su casilla y volvió a ella; después se movió la dama.",
    ),
    "The clock is not heard any more.": (
        "The board answers, and its clock does not: look at the cable between them.",
        "El tablero responde y su reloj no: mire el cable que los une.",
    ),
    "Threefold claim of White is correct": (
        "The same position with the same side to move stood on the board three times.",
        "La misma posición, con el mismo bando en turno, estuvo tres veces en el tablero.",
    ),
}
"""What is said below the line, where it is more."""
AT = "2026-11-21T14:03:22.118Z"
AT_NS = 1_795_269_802_118_000_000


class PaperReader:
    """A reader of one audience; `retain` and `tell` are what a broker would be sent."""

    def __init__(self) -> None:
        self._retained: dict[str, bytes] = {}
        self._events: list[NumberedEvent] = []
        self._mark = 0
        self._changed = asyncio.Event()

    def retain(self, topic: str, payload: Mapping[str, Any]) -> bytes:
        body = msgspec.json.encode(payload)
        self._retained[topic] = body
        self._turn()
        return body

    def decoded(self, topic: str) -> dict[str, Any]:
        said: dict[str, Any] = msgspec.json.decode(self._retained[topic])
        return said

    def clear(self, topic: str) -> None:
        del self._retained[topic]
        self._turn()

    def tell(self, topic: str, payload: Mapping[str, Any]) -> bytes:
        body = msgspec.json.encode(payload)
        self._events.append(NumberedEvent(len(self._events) + 1, topic, body))
        self._turn()
        return body

    def _turn(self) -> None:
        self._mark += 1
        self._changed.set()
        self._changed = asyncio.Event()

    # The face.

    def retained(self) -> Mapping[str, bytes]:
        return dict(self._retained)

    @property
    def last(self) -> int:
        return len(self._events)

    @property
    def mark(self) -> int:
        return self._mark

    async def after(self, number: int, limit: int) -> Sequence[NumberedEvent]:
        return self._events[number : number + limit]

    async def timeline(self, table: str, after_seq: int, limit: int) -> Sequence[NumberedEvent]:
        found = [
            event
            for event in self._events
            if f"tables/{table}/" in event.topic
            and msgspec.json.decode(event.payload)["seq"] > after_seq
        ]
        return found[:limit]

    async def changed(self, mark: int) -> None:
        while self._mark == mark:
            await self._changed.wait()


class PaperDesk:
    """Answers every command with yes, or with the refusal a test has put there."""

    def __init__(self) -> None:
        self.commands: list[tuple[str, Command, str]] = []
        self.refusal = ""
        self.previews: list[Command] = []
        self.would_end: str | None = None
        """The result that each act would lead to."""
        self.withdrawn: list[dict[str, Any]] = []
        """What a preview says."""
        self.restore: str | None = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
        """What it puts back."""

    async def submit(self, table: str, command: Command, user: str) -> bytes:
        if command.preview:
            self.previews.append(command)
        else:
            self.commands.append((table, command, user))
        reply: dict[str, Any] = {
            "v": 1, "hall": "main", "table": table, "game": f"3-{table}", "seq": 7, "at": AT,
            "simulated": False, "ok": not self.refusal, "id": command.id,
            "action": command.action,
        }  # fmt: skip
        if self.refusal:
            reply["error"] = self.refusal
        elif command.preview:
            reply["preview"] = self._preview(table)
        return msgspec.json.encode(reply)

    async def submit_round(self, command: Command, user: str) -> bytes:
        return await self.submit("", command, user)

    def _preview(self, table: str) -> dict[str, Any]:
        return {
            "withdrawn": self.withdrawn, "entered": [], "times": {"before": None, "after": None},
            "restore": self.restore, "rulings_closed": [], "rulings_opened": [],
            "game": f"3-{table}", "result": self.would_end, "status": "playing",
        }  # fmt: skip


class PaperEvidence:
    def match(self, table: str, number: int) -> Match | None:
        """From the hundredth on inputs are of a game of round 2."""
        if number < 100:
            return None
        return Match("paper", table, table, "Paulsen", "Blackburne", 2, "chess", "", (), False)

    async def inputs(self, table: str, first: int, last: int) -> Sequence[bytes]:
        return [
            msgspec.json.encode(
                {
                    "number": n,
                    "table": table,
                    "at": AT,
                    "kind": "SquareChange",
                    "said": {"square": 45},
                }
            )
            for n in range(first, last + 1)
        ]


class PaperScores:
    def __init__(self, told: str) -> None:
        self._told = told

    async def of_round(self, number: int) -> str | None:
        return f'[Round "{number}"]\n\n{self._told} *\n' if number == 3 else None

    async def of_table(self, table: str) -> str | None:
        return f'[Board "{table}"]\n\n{self._told} *\n' if table == "1" else None


class PaperClock:
    speed = 1.0

    async def rest(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    def now_ns(self) -> int:
        return AT_NS


def head(table: str, seq: int, **more: Any) -> dict[str, Any]:
    return {
        "v": 1, "hall": "main", "table": table, "game": f"3-{table}", "seq": seq, "at": AT,
        "simulated": True, **more,
    }  # fmt: skip


def state(table: str, seq: int = 0, **more: Any) -> dict[str, Any]:
    """A table's state; what a test does not say is a game that waits to begin."""
    said: dict[str, Any] = {
        "ruleset": "chess", "white": "Ana Belmonte", "black": "Boris Quist", "round": 3,
        "fen": START, "placement": START.split(" ", 1)[0], "ply": 0, "turn": "white",
        "last_move": None, "status": "waiting", "attention": False, "device": "ok",
        "clock": {"white_ms": 5_400_000, "black_ms": 5_400_000, "running": None, "flag": None},
        "result": None, "open_rulings": [], "muted": False, "extras": {},
    }  # fmt: skip
    return head(table, seq) | said | more


def move(
    table: str, seq: int, ply: int, san: str, uci: str, fen: str, **more: Any
) -> dict[str, Any]:
    said: dict[str, Any] = {
        "prev": None, "ply": ply, "color": "white" if ply % 2 else "black", "san": san,
        "uci": uci, "fen": fen, "made_at": AT, "completed_at": AT, "how": "pressed",
        "clock": {"white_ms": 5_390_000, "black_ms": 5_391_000, "running": None, "flag": None},
        "certainty": "certain", "alternatives": [],
    }  # fmt: skip
    return head(table, seq) | said | more


def ruling(table: str, seq: int, kind: str, urgency: int, line: str, **more: Any) -> dict[str, Any]:
    spanish = SPANISH.get(line, "ES " + line)
    detail, spanish_detail = DETAILS.get(line, (line, spanish))
    said: dict[str, Any] = {
        "prev": None, "id": f"{table}-{seq:04d}", "kind": kind, "state": "open", "revision": 1,
        "articles": ["4.3.1"], "laws": "FIDE-2023", "rate": "standard", "supervised": True,
        "certainty": "probable", "urgency": urgency, "against": "white", "ply": 31,
        "position": START, "placement": START.split(" ", 1)[0],
        "facts": {"certainty": "fact", "touched": [], "obligation": []},
        "proposal": {"actions": ["ask"], "clock_delta_ms": {}, "restore": None, "result": None},
        "window": {"closes_on": "opponent-touches"},
        "text": {"en": {"line": line, "detail": detail},
                 "es": {"line": spanish, "detail": spanish_detail}},
        "evidence": {"from": 10, "to": 14}, "ack": None,
    }  # fmt: skip
    return head(table, seq) | said | more
