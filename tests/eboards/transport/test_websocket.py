"""A LiveChess on a real socket, read through the WebSocket wire."""

from __future__ import annotations

import asyncio
import time

import pytest
from aiohttp import WSMsgType, web

from eboards.events import DeviceEvent, Identity, Scan
from eboards.livechess.codec import LiveChessCodec
from eboards.livechess.emulator import LiveChessEmulator
from eboards.transport import DeviceTrouble, Wire, WireError, websocket
from eboards.transport.websocket import open_websocket


async def served(request: web.Request) -> web.WebSocketResponse:
    """The emulator behind a socket; it ends after the second call is answered."""
    emulator, socket, calls = LiveChessEmulator(), web.WebSocketResponse(), 0
    await socket.prepare(request)
    async for message in socket:
        assert message.type is WSMsgType.TEXT
        emulator.receive(message.data.encode() + b"\n", time.time_ns())
        for frame in emulator.advance(time.time_ns()).decode().splitlines():
            await socket.send_str(frame)
        calls += 1
        if calls == 2:
            await socket.close()
    return socket


async def talk(codec: LiveChessCodec, wire: Wire, events: list[DeviceEvent]) -> None:
    """Until the other side is gone."""
    while True:
        if codec.due_at_ns is not None and codec.due_at_ns <= time.time_ns():
            wire.write(codec.due(time.time_ns())[0])
        chunk = await wire.read()
        events += codec.receive(chunk.data, chunk.at_ns)


async def test_frames_are_lines_both_ways_and_the_end_is_named() -> None:
    app = web.Application()
    app.router.add_get("/api/v1.0", served)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    codec: LiveChessCodec = LiveChessCodec()
    events: list[DeviceEvent] = []
    wire = await open_websocket(f"ws://127.0.0.1:{port}/api/v1.0", time.time_ns)
    try:
        with pytest.raises(WireError) as gone:
            await talk(codec, wire, events)
        assert gone.value.trouble is DeviceTrouble.GONE
        assert [type(event) for event in events][:2] == [Identity, Scan]
    finally:
        wire.close()
        await runner.cleanup()


async def test_where_nobody_listens_the_mend_is_named() -> None:
    with pytest.raises(WireError, match="start LiveChess") as wrong:
        await open_websocket("ws://127.0.0.1:9/api/v1.0", time.time_ns)

    assert wrong.value.trouble is DeviceTrouble.MISSING


async def test_a_program_that_takes_the_connection_and_says_nothing_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(websocket, "CONNECT_S", 0.2)
    over = asyncio.Event()

    async def mute(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await over.wait()
        writer.close()

    server = await asyncio.start_server(mute, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]

    with pytest.raises(WireError, match="not a word for") as wrong:
        async with asyncio.timeout(5):
            await open_websocket(f"ws://127.0.0.1:{port}/api/v1.0", time.time_ns)

    assert wrong.value.trouble is DeviceTrouble.MISSING
    over.set()
    server.close()
