"""A hall of any size on paper, every state of a table in it."""

from __future__ import annotations

from typing import Any

from paper.famous import LINES, played
from paper.hall import AT, PaperReader, head, ruling, state

RESULTS = {17: "1-0", 29: "1/2-1/2", 41: "0-1"}


def fill_many(reader: PaperReader, count: int, calls: int = 3) -> None:
    """`count` tables; `calls` of them with an alert."""
    reader.retain("status", head("", 0, state="online", version="1.0.0", tables=count))
    games = [LINES[str(1 + number % 5)] for number in range(count)]
    for number, (white, black, sans) in enumerate(games, 1):
        table = str(number)
        said = _playing(reader, table, sans, number)
        said |= {"white": f"{white} {number}", "black": black}
        if number in RESULTS:
            said |= {"result": RESULTS[number], "status": "ended"}
        elif number % 23 == 0:
            said["device"] = "lost"
        elif number % 31 == 0:
            said["status"] = "paused"
        reader.retain(f"tables/{table}/state", state(table, 1, **said))
    for call in range(calls):
        _call(reader, 1 + (call * 7) % count, call)


def _playing(reader: PaperReader, table: str, sans: str, number: int) -> dict[str, Any]:
    board, seq = played(reader, table, sans)
    side = "white" if board.turn else "black"
    clock = {
        "white_ms": 60_000 + number * 61_000 % 7_000_000,
        "black_ms": 45_000 + number * 97_000 % 7_000_000,
        "running": side,
        "flag": None,
    }
    return {
        "fen": board.fen(), "placement": board.board_fen(), "ply": seq, "turn": side,
        "last_move": board.peek().uci(), "status": "playing", "clock": clock, "at": AT,
    }  # fmt: skip


def _call(reader: PaperReader, number: int, call: int) -> None:
    urgency = (1, 2, 2, 3)[call % 4]
    said = ruling(
        str(number), 30 + call, "touch-own-then-other", urgency,
        "White touched the knight c3 and moved the queen.",
        at=f"2026-11-21T14:0{call % 4}:10.000Z",
    )  # fmt: skip
    reader.retain(f"tables/{number}/rulings/{said['id']}", said)
