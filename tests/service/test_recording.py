"""A real board's recording, played by the emulator on a pseudo-terminal into a whole service, and
heard by a subscriber of its own at a real broker."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from asyncio.subprocess import DEVNULL, PIPE
from pathlib import Path
from typing import Any

import pytest

from arbiterd.cli.boards import Asleep
from arbiterd.edges.real import WallClock
from eboards.dgt.codec import DgtCodec
from eboards.dgt.emulator import DgtPlayer
from eboards.transport.paced import PacedLine
from eboards.transport.pty import PtyServer
from eboards.transport.replay import heard
from kept_beside import RECORDED_GAME, RECORDED_MOVES, kept_beside

CONFIG = """
[hall]
name = "main"
[mqtt]
url = "{url}"
[http]
listen = ""
[journal]
path = "{journal}"
[simulation]
speed = {speed}
[[tables]]
table = "1"
device = "serial:{port}"
driver = "dgt"
"""

SPEEDS = [
    pytest.param(8.0, id="8 times as fast"),
    pytest.param(20.0, id="20 times as fast", marks=pytest.mark.slow),
    pytest.param(1.0, id="true speed", marks=pytest.mark.slow),
]


@pytest.mark.timeout(420)
@pytest.mark.parametrize("speed", SPEEDS)
async def test_a_subscriber_hears_each_move_once_and_in_order(
    speed: float, mosquitto: Any, tmp_path: Path
) -> None:
    played = re.findall(r"[a-h][1-8][a-h][1-8][qrbn]?", kept_beside(RECORDED_MOVES).read_text())
    player = DgtPlayer(heard(kept_beside(RECORDED_GAME).read_text(), DgtCodec()))
    clock = WallClock(speed)
    board = PtyServer(Asleep(PacedLine(player), 0), clock.now_ns, speed=speed)
    config = tmp_path / "arbiterd.toml"
    config.write_text(
        CONFIG.format(
            url=mosquitto.url, journal=tmp_path / "journal.db", speed=speed, port=board.port
        )
    )
    listener = await asyncio.create_subprocess_exec(
        *("mosquitto_sub", "-h", "127.0.0.1", "-p", str(mosquitto.port), "-q", "1"),
        *("-t", "arbiterd/main/tables/1/moves"),
        stdout=PIPE,
    )
    service = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", "from arbiterd.cli import main; main()"),
        *("run", "--config", str(config)),
        stdout=DEVNULL,
    )
    told: list[dict[str, Any]] = []
    try:
        assert listener.stdout is not None
        async with asyncio.timeout(60 + 330 / speed):
            while len(told) < len(played):
                told.append(json.loads(await listener.stdout.readline()))
    finally:
        service.terminate()
        assert await asyncio.wait_for(service.wait(), 60) == 0
        listener.terminate()
        rest = await listener.stdout.read() if listener.stdout else b""
        await listener.wait()
        board.close()

    assert [move["uci"] for move in told] == played
    assert [move["ply"] for move in told] == list(range(1, len(played) + 1)), "none twice"
    assert all(move["clock"] is not None for move in told)
    assert rest == b""
