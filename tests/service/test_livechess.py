"""A program written for LiveChess beside a service that plays: both ends on real sockets."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from asyncio.subprocess import DEVNULL
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

import aiohttp
import pytest

from arbiterd.cli.boards import Asleep, configuration
from arbiterd.edges.real import WallClock
from arbiterd.rules.registry import ruleset
from arbiterd.rules.ruleset import board_field
from arbiterd.simulation.famous import FAMOUS
from arbiterd.simulation.game import StagedGame
from arbiterd.simulation.hall import hall
from arbiterd.simulation.profiles import PROFILES
from conftest import free_port
from eboards.dgt.codec import DgtCodec
from eboards.emulator import Emulator
from eboards.events import CHESS_BOARD, Scan, SquareChange
from eboards.transport.paced import PacedLine
from eboards.transport.pty import PtyServer

OPENING = replace(FAMOUS[0], moves=FAMOUS[0].moves[:8], clock_ms=FAMOUS[0].clock_ms[:8], result="*")
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
SPEED = 8.0
SECOND = 1_000_000_000
SEATED_S = 15
"""Nobody plays for so long once the board is on: a client has to be there first."""


def san_of(moves: tuple[str, ...]) -> list[str]:
    rules = ruleset("chess")
    position, told = rules.start(), []
    for text in moves:
        move = rules.parse(position, text)
        told.append(rules.san(position, move))
        position = rules.play(position, move)
    return told


async def connected(session: aiohttp.ClientSession, port: int) -> aiohttp.ClientWebSocketResponse:
    """As soon as the service listens."""
    async with asyncio.timeout(60):
        while True:
            try:
                return await session.ws_connect(f"ws://127.0.0.1:{port}/api/v1.0")
            except aiohttp.ClientError:
                await asyncio.sleep(0.1)


async def ask(socket: aiohttp.ClientWebSocketResponse, **call: Any) -> dict[str, Any]:
    await socket.send_str(json.dumps(call))
    answer: dict[str, Any] = json.loads(await socket.receive_str())
    assert answer["response"] == "call"
    assert answer["id"] == call["id"]
    return answer


@asynccontextmanager
async def beside_a_game(
    game: StagedGame, speed: float, folder: Path
) -> AsyncIterator[tuple[PtyServer, int]]:
    """A service that reads one board on which this game is played, and its LiveChess port."""
    seated_ns = int(SEATED_S * speed * SECOND)
    (seat,) = hall(1, PROFILES["clean"], seed=1, games=[game], begin_ns=seated_ns)
    clock, port = WallClock(speed), free_port()
    switched_on = Asleep(PacedLine(seat.emulated(0)), 0)
    board = PtyServer(switched_on, clock.now_ns, speed=speed)
    config = folder / "arbiterd.toml"
    config.write_text(
        configuration([seat], [f"serial:{board.port}"], speed, 1)
        + f'[http]\nlisten = ""\n[mqtt]\nlisten = "127.0.0.1:{free_port()}"\n'
        + f'[livechess]\nenabled = true\nlisten = "127.0.0.1:{port}"\n'
    )
    service = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", "from arbiterd.cli import main; main()"),
        *("run", "--config", str(config)),
        stdout=DEVNULL,
        stderr=DEVNULL,
    )
    try:
        yield board, port
    finally:
        service.terminate()
        await service.wait()
        board.close()


async def set_up(socket: aiohttp.ClientWebSocketResponse) -> str:
    """Follows the first board from the start; its serial number."""
    boards: list[Any] = []
    while not boards:
        boards = (await ask(socket, id=1, call="eboards"))["param"]
    serial = str(boards[0]["serialnr"])
    wanted = {"feed": "eboardevent", "id": 1, "param": {"serialnr": serial}}
    await ask(socket, id=2, call="subscribe", param=wanted)
    whole = json.loads(await socket.receive_str())
    assert set(whole["param"]) == {"serialnr", "flipped", "board", "clock"}
    setup = {"id": 1, "method": "setup", "param": {"fen": START}}
    await socket.send_str(json.dumps({"id": 3, "call": "call", "param": setup}))
    return serial


@pytest.mark.timeout(120)
async def test_a_livechess_client_follows_a_game(tmp_path: Path) -> None:
    async with (
        beside_a_game(OPENING, SPEED, tmp_path) as (_, port),
        aiohttp.ClientSession() as session,
        asyncio.timeout(90),
    ):
        socket = await connected(session, port)
        await set_up(socket)
        san: list[str] = []
        while san != san_of(OPENING.moves):
            frame = json.loads(await socket.receive_str())
            san = frame["param"].get("san", san) if frame["response"] == "feed" else san
        foreign = {"Origin": "https://elsewhere.example"}
        with pytest.raises(aiohttp.WSServerHandshakeError):
            await session.ws_connect(f"ws://127.0.0.1:{port}/api/v1.0", headers=foreign)
        rest = await session.get(f"http://127.0.0.1:{port}/api/v1.0/eboards")
        assert len(await rest.json()) == 1


class Overheard:
    """A board whose bytes are read along, with the time at which each picture was whole."""

    def __init__(self, emulator: Emulator) -> None:
        self._emulator, self._codec = emulator, DgtCodec()
        self._shown = ["."] * 64
        self.pictures: list[tuple[float, str]] = []

    @property
    def due_at_ns(self) -> int | None:
        return self._emulator.due_at_ns

    def receive(self, data: bytes, at_ns: int) -> None:
        self._emulator.receive(data, at_ns)

    def advance(self, at_ns: int) -> bytes:
        data = self._emulator.advance(at_ns)
        for event in self._codec.receive(data, at_ns):
            if isinstance(event, Scan):
                self._shown = list(event.placement)
            elif isinstance(event, SquareChange):
                self._shown[event.square] = event.piece
            else:
                continue
            self.pictures.append((time.monotonic(), board_field(CHESS_BOARD, self._shown)))
        return data


@pytest.mark.slow
@pytest.mark.timeout(300)
async def test_a_half_move_is_on_the_feed_at_once(tmp_path: Path) -> None:
    """From the last byte of the picture that shows it, at true speed."""
    moves = FAMOUS[0].moves[:30]
    # Three seconds a half-move, of a clock that adds thirty.
    hurried = tuple(5_457_000 + 27_000 * (n // 2) for n in range(len(moves)))
    game = replace(FAMOUS[0], moves=moves, clock_ms=hurried, result="*")
    late: list[float] = []
    async with (
        beside_a_game(game, 1.0, tmp_path) as (board, port),
        aiohttp.ClientSession() as session,
        asyncio.timeout(280),
    ):
        board.emulator = overheard = Overheard(board.emulator)
        socket = await connected(session, port)
        await set_up(socket)
        san: list[str] = []
        while san != san_of(moves):
            frame = json.loads(await socket.receive_str())
            heard_at = time.monotonic()
            if frame["response"] == "feed" and len(frame["param"].get("san", ())) > len(san):
                san, shown = frame["param"]["san"], frame["param"]["board"]
                late.append(
                    heard_at - next(at for at, b in reversed(overheard.pictures) if b == shown)
                )
    print(f"{len(late)} half-moves: median {median(late):.3f} s, worst {max(late):.3f} s")
    assert len(late) == len(moves)
    assert median(late) < 0.3
