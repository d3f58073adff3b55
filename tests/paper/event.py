"""The other halls of an event, on paper: one that plays, one that is cut off, one never heard."""

from __future__ import annotations

from collections.abc import Sequence

from arbiterd.messages.commands import Command
from arbiterd.outlets.http.source import BoardSeen
from paper.famous import LINES, played
from paper.hall import AT, PaperDesk, PaperReader, ruling, state

NAMES = ("north", "castle-stage", "youth")
BEFORE = "2026-11-21T13:51:07.000Z"
"""When the hall was heard last that is cut off."""


class PaperOthers(PaperReader):
    """What the other halls tell; each takes every act."""

    def __init__(self) -> None:
        super().__init__()
        self._desk = PaperDesk()

    def names(self) -> Sequence[str]:
        return NAMES

    async def submit_at(self, _hall: str, table: str, command: Command, user: str) -> bytes:
        return await self._desk.submit(table, command, user)


def event() -> PaperOthers:
    """Two halls that were heard, with an alert each, a board lost and a player short of time."""
    others = PaperOthers()
    _heard(others, "north", "live", AT, "https://192.0.2.20:8480")
    _heard(others, "castle-stage", "silent", BEFORE, "https://192.0.2.21:8480")
    _heard(others, "youth", "never", None, "")
    for hall in NAMES[:2]:
        for table, (white, black, sans) in LINES.items():
            board, seq = played(PaperReader(), table, sans)
            clock = {"white_ms": 4_912_000, "black_ms": 47_000 if table == "2" else 1_234_000,
                     "running": "black" if seq else None, "flag": None}  # fmt: skip
            told = state(table, seq, hall=hall, white=white, black=black, fen=board.fen(),
                         placement=board.board_fen(), ply=seq, clock=clock,
                         status="playing" if seq else "waiting",
                         device="lost" if table == "4" else "ok")  # fmt: skip
            others.retain(f"{hall}/tables/{table}/state", told)
    touched = "White touched the knight c3 and moved the queen."
    _calls(others, "north", ruling("2", 41, "touch-own-then-other", 1, touched))
    gone = ruling("4", 40, "tech-board-lost", 2, "The board is not heard any more.", at=BEFORE,
                  articles=["8.5"], certainty="fact")  # fmt: skip
    _calls(others, "castle-stage", gone)
    return others


def _heard(others: PaperOthers, hall: str, link: str, at: str | None, page: str) -> None:
    silent_s = 735 if link == "silent" else None
    said = {"hall": hall, "page": page, "link": link, "heard": at, "silent_s": silent_s}
    others.retain(f"{hall}/heard", said)


def _calls(others: PaperOthers, hall: str, told: dict[str, object]) -> None:
    others.retain(f"{hall}/tables/{told['table']}/rulings/{told['id']}", told | {"hall": hall})


async def boards() -> Sequence[BoardSeen]:
    """One that is free, three that tables have."""
    bus = "dgt-bus:/dev/serial/by-path/pci-0000:00:14.0-usb-0:2.4:1.0#17"
    free = BoardSeen(bus, "dgt", "", None)
    return [free, *(BoardSeen(f"serial:/dev/ttyACM{table}", "dgt", f"300{table}", table)
                    for table in "123")]  # fmt: skip


async def no_boards() -> Sequence[BoardSeen]:
    return []
