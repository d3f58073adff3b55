"""A program written for LiveChess beside a service that plays: both ends on real sockets."""

from __future__ import annotations

import asyncio
import json
import socket as sockets
import sys
from asyncio.subprocess import DEVNULL
from dataclasses import replace
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from arbiterd.cli.boards import configuration, plug_in
from arbiterd.edges.real import WallClock
from arbiterd.rules.registry import ruleset
from arbiterd.simulation.famous import FAMOUS
from arbiterd.simulation.hall import hall
from arbiterd.simulation.profiles import PROFILES

OPENING = replace(FAMOUS[0], moves=FAMOUS[0].moves[:8], clock_ms=FAMOUS[0].clock_ms[:8], result="*")
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
SPEED = 8.0


def free_port() -> int:
    with sockets.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


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


@pytest.mark.timeout(120)
async def test_a_livechess_client_follows_a_game(tmp_path: Path) -> None:
    (seat,) = hall(1, PROFILES["clean"], seed=1, games=[OPENING])
    clock, port = WallClock(SPEED), free_port()
    (board,) = plug_in([seat], clock, None)
    config = tmp_path / "arbiterd.toml"
    config.write_text(
        configuration([seat], [f"serial:{board.port}"], SPEED, 1)
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
        async with aiohttp.ClientSession() as session, asyncio.timeout(90):
            socket = await connected(session, port)
            boards: list[Any] = []
            while not boards:
                boards = (await ask(socket, id=1, call="eboards"))["param"]
            serial = boards[0]["serialnr"]
            wanted = {"feed": "eboardevent", "id": 1, "param": {"serialnr": serial}}
            await ask(socket, id=2, call="subscribe", param=wanted)
            whole = json.loads(await socket.receive_str())
            assert set(whole["param"]) == {"serialnr", "flipped", "board", "clock"}
            setup = {"id": 1, "method": "setup", "param": {"fen": START}}
            await socket.send_str(json.dumps({"id": 3, "call": "call", "param": setup}))
            san: list[str] = []
            while san != san_of(OPENING.moves):
                frame = json.loads(await socket.receive_str())
                san = frame["param"].get("san", san) if frame["response"] == "feed" else san
            foreign = {"Origin": "https://elsewhere.example"}
            with pytest.raises(aiohttp.WSServerHandshakeError):
                await session.ws_connect(f"ws://127.0.0.1:{port}/api/v1.0", headers=foreign)
            rest = await session.get(f"http://127.0.0.1:{port}/api/v1.0/eboards")
            assert len(await rest.json()) == 1
    finally:
        service.terminate()
        await service.wait()
        board.close()
