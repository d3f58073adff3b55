"""The service is killed in mid-game, five half-moves are played, it is started again.

`pytest tests/service/test_absence.py -s` prints what was put on the record, and from where.
"""

from __future__ import annotations

import asyncio
import json
import sys
from asyncio.subprocess import DEVNULL, Process
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from arbiterd.edges import StoreError
from arbiterd.edges.real import FileStore, WallClock
from arbiterd.journal.reader import JournalReader
from arbiterd.journal.verify import verify
from arbiterd.rules.registry import ruleset
from arbiterd.rules.ruleset import Colour
from conftest import free_port
from eboards.dgt.bus_emulator import DgtBusEmulator
from eboards.dgt.emulated_clock import EmulatedClock
from eboards.dgt.emulator import Badge, DgtEmulator
from eboards.events import EMPTY
from eboards.transport.paced import PacedLine
from eboards.transport.pty import PtyServer

OPERA = "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7".split()
BEFORE, MISSED = 6, 5
SPEED = 4.0
CHESS = ruleset("chess")
PROGRAM = (sys.executable, "-c", "from arbiterd.cli import main; main()")


class Player:
    """Both hands and the clock of one board, at their own pace."""

    def __init__(self, board: DgtEmulator, server: PtyServer, clock: WallClock) -> None:
        self._board, self._server, self._clock = board, server, clock
        self._position = CHESS.start()
        self._played = 0

    async def play(self, until: int) -> None:
        for text in OPERA[self._played : until]:
            await self._move(text)
        self._played = until

    async def _move(self, text: str) -> None:
        move, side = CHESS.parse(self._position, text), CHESS.turn(self._position)
        changes = dict(CHESS.footprint(self._position, move))
        for square in CHESS.touched(self._position, move):
            if square in changes:
                await self._put(square, EMPTY)
        for square, piece in changes.items():
            if piece != EMPTY:
                await self._put(square, piece)
        if self._position == CHESS.start():
            self._board.start(self._clock.now_ns())
        self._board.press("left" if side is Colour.WHITE else "right", self._clock.now_ns())
        self._server.stir()
        self._position = CHESS.play(self._position, move)
        await self._clock.rest(2 / SPEED)

    async def _put(self, square: int, piece: str) -> None:
        self._board.set_square(square, piece, self._clock.now_ns())
        self._server.stir()
        await self._clock.rest(0.5 / SPEED)


async def started(config: Path) -> Process:
    return await asyncio.create_subprocess_exec(
        *PROGRAM, "run", "--config", str(config), stdout=DEVNULL, stderr=DEVNULL
    )


class Kept:
    """What the journal has of the table."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def told(self, topic: str) -> list[dict[str, Any]]:
        """Every event, with its number; none while there is no journal yet."""
        try:
            rows = JournalReader(FileStore(self._path).connect_for_reading()).outputs("1")
        except StoreError:
            return []
        return [json.loads(row.payload) for row in rows if row.topic == topic and row.payload]

    def record(self) -> list[dict[str, Any]]:
        """The half-moves as they were told last."""
        newest = {told["ply"]: told for told in self.told("moves")}
        return [newest[ply] for ply in sorted(newest) if newest[ply]["uci"]]

    async def until(self, enough: Callable[[], bool]) -> None:
        try:
            async with asyncio.timeout(90):
                while not enough():
                    await WallClock().rest(0.1)
        except TimeoutError:
            raise AssertionError(f"kept only {[move['san'] for move in self.record()]}") from None


def one_board(clock: WallClock) -> tuple[DgtEmulator, PtyServer, str]:
    board = DgtEmulator(clock=EmulatedClock(600_000, 600_000), at_ns=clock.now_ns())
    server = PtyServer(PacedLine(board), clock.now_ns, speed=SPEED)
    return board, server, f"serial:{server.port}"


def on_a_bus(clock: WallClock) -> tuple[DgtEmulator, PtyServer, str]:
    boards = [
        DgtEmulator(
            clock=EmulatedClock(600_000, 600_000),
            badge=Badge(serial=f"{address:05}"),
            at_ns=clock.now_ns(),
        )
        for address in (1025, 77)
    ]
    server = PtyServer(DgtBusEmulator(boards, Random(1)), clock.now_ns, speed=SPEED)
    return boards[0], server, f"dgt-bus:{server.port}#1025"


@pytest.mark.timeout(180)
@pytest.mark.parametrize("plugged", [one_board, on_a_bus])
async def test_what_was_played_while_the_service_was_dead_is_on_the_record(
    tmp_path: Path, plugged: Callable[[WallClock], tuple[DgtEmulator, PtyServer, str]]
) -> None:
    clock = WallClock(SPEED)
    board, server, device = plugged(clock)
    config, kept = tmp_path / "arbiterd.toml", Kept(tmp_path / "journal.db")
    config.write_text(
        f'[simulation]\nspeed = {SPEED}\n[journal]\npath = "journal.db"\n'
        f'[http]\nlisten = ""\n[mqtt]\nlisten = "127.0.0.1:{free_port()}"\n'
        f'[[tables]]\ntable = "1"\ndevice = "{device}"\n'
    )
    player = Player(board, server, clock)
    service = await started(config)
    try:
        await kept.until(lambda: any(said["state"] == "ok" for said in kept.told("device")))
        await clock.rest(10 / SPEED)
        await player.play(BEFORE)
        await kept.until(lambda: len(kept.record()) == BEFORE)
        service.kill()
        await service.wait()
        await player.play(BEFORE + MISSED)

        service = await started(config)
        await kept.until(lambda: len(kept.record()) == BEFORE + MISSED)
        await clock.rest(5 / SPEED)
        await player.play(len(OPERA))
        await kept.until(lambda: len(kept.record()) == len(OPERA))
    finally:
        service.terminate()
        await service.wait()
        server.close()

    record = kept.record()
    for told in record:
        print(
            f"{told['ply']:3} {told['san']:6} {told['how']:9} {told['certainty']} {told['clock']}"
        )
    assert [told["san"] for told in record] == OPERA
    missed = record[BEFORE : BEFORE + MISSED]
    assert {(told["how"], told["certainty"]) for told in missed} == {("recovered", "certain")}
    times = [told["clock"][f"{side}_ms"] for told in missed for side in ("white", "black")]
    assert all(isinstance(ms, int) and 540_000 < ms < 600_000 for ms in times)
    assert {told["how"] for told in record[:BEFORE]} <= {"pressed", "settled"}

    numbers = sorted(said["seq"] for topic in ("moves", "rulings") for said in kept.told(topic))
    assert numbers == list(range(1, len(numbers) + 1)), "without a gap, over both runs"
    newest = {said["id"]: said for said in kept.told("rulings")}
    assert [said["kind"] for said in newest.values() if said["state"] == "open"] == []
    assert verify(FileStore(tmp_path / "journal.db").connect_for_reading()).whole
