"""A hall that is killed in mid-game, or whose broker is: boards, hearer, service, and its proof."""

from __future__ import annotations

import asyncio
import json
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from arbiterd.edges.real import FileStore, WallClock
from arbiterd.journal.reader import JournalReader
from arbiterd.journal.verify import verify

EVENTS = ("moves", "rulings", "result")
PATIENCE_S = 150.0


class World(WallClock):
    """The time of hands and boards, which can be held: how long a start takes on a busy machine
    is no part of the claim. How much happens while nobody listens, the dice say."""

    def __init__(self, speed: float) -> None:
        super().__init__(speed)
        self._held_ns = 0
        self._since_ns: int | None = None

    def now_ns(self) -> int:
        now_ns = super().now_ns() if self._since_ns is None else self._since_ns
        return now_ns - self._held_ns

    def hold(self) -> None:
        self._since_ns = super().now_ns()

    def go(self) -> None:
        assert self._since_ns is not None
        self._held_ns += super().now_ns() - self._since_ns
        self._since_ns = None


@dataclass
class Subscriber:
    """A `mosquitto_sub` of its own that writes down what it hears."""

    moves: list[dict[str, object]] = field(default_factory=list)
    raw: dict[int, bytes] = field(default_factory=dict)
    news: asyncio.Event = field(default_factory=asyncio.Event)
    starts: int = 0
    asked: int = 0

    def hear(self, line: bytes) -> None:
        topic, _, payload = line.rstrip(b"\n").partition(b" ")
        self.news.set()
        if topic.endswith(b"/status"):
            self.starts += b'"online"' in payload
            return
        if payload == b"(null)":
            return  # A retained result of nobody's is cleared.
        said = json.loads(payload)
        before = self.raw.setdefault(said["seq"], payload)
        assert before == payload, f"seq {said['seq']} was told as two different events"
        self.moves.append(said)

    async def more(self) -> None:
        """Returns with the next message."""
        self.news.clear()
        async with asyncio.timeout(PATIENCE_S):
            await self.news.wait()

    async def online(self) -> None:
        """Returns when the service has said so as often as it was asked for."""
        self.asked += 1
        while self.starts < self.asked:
            await self.more()

    def result(self) -> object:
        """The newest."""
        return next((said["result"] for said in reversed(self.moves) if "result" in said), "*")

    def record(self) -> list[str]:
        """The moves as they stand after all corrections."""
        by_seq = {said["seq"]: said for said in self.moves if "uci" in said}
        line: dict[object, object] = {}
        for _, said in sorted(by_seq.items()):
            line[said["ply"]] = said["uci"]
        return [str(uci) for _, uci in sorted(line.items()) if uci is not None]


async def arbiterd(*words: str, stdout: int, stderr: int | IO[bytes]) -> Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", "from arbiterd.cli import main; main()", *words),
        stdout=stdout,
        stderr=stderr,
    )


async def run(config: Path) -> Process:
    """The service; what it logs is beside its configuration, over all its lives."""
    with config.with_suffix(".log").open("ab") as log:
        return await arbiterd("run", "--config", str(config), stdout=DEVNULL, stderr=log)


async def prove(folder: Path, events: dict[int, bytes]) -> str:
    """Nothing lost and nothing told twice; what was checked, in a line."""
    assert sorted(events) == list(range(1, max(events) + 1)), "numbers have no gaps"
    told = [json.loads(payload) for _, payload in sorted(events.items())]
    plies = [said["ply"] for said in told if said.get("uci") and "replaces" not in said]
    assert len(plies) == len(set(plies)), "no move is told twice under another number"
    db = FileStore(folder / "journal.db").connect_for_reading()
    assert verify(db).whole
    kept = {row.seq: row.payload for row in JournalReader(db).outputs() if row.seq is not None}
    assert kept == events, "what was heard is what the journal has, byte for byte"
    replayed = await arbiterd("replay", str(folder / "journal.db"), stdout=PIPE, stderr=PIPE)
    printed, said_besides = await replayed.communicate()
    assert b"all as recorded" in said_besides
    assert [json.loads(line)["seq"] for line in printed.splitlines()] == sorted(events)
    return (
        f"{len(events)} events heard are those of the journal byte for byte, seq 1 to {max(events)}"
        f" without a gap, {len(plies)} half-moves none under two numbers, seals whole,"
        " a replay gives the same"
    )
