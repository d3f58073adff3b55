"""A WebSocket of text frames as a wire: each frame is a line."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import aiohttp

from eboards.transport import Chunk, DeviceTrouble, NowNs, WireError

CONNECT_S = 5.0


async def open_websocket(url: str, now_ns: NowNs) -> WebSocketWire:
    """Raises `WireError` where nobody answers, or answers otherwise."""
    session = aiohttp.ClientSession()
    try:
        # Another program at this port may take the connection and say nothing.
        async with asyncio.timeout(CONNECT_S):
            socket = await session.ws_connect(url, max_msg_size=1 << 20)
    except BaseException as error:
        await session.close()
        if not isinstance(error, aiohttp.ClientError | OSError):
            raise
        why = str(error) or f"not a word for {CONNECT_S:.0f} s"
        raise WireError(
            DeviceTrouble.MISSING, f"{url} does not answer ({why}); start LiveChess there"
        ) from None
    return WebSocketWire(url, session, socket, now_ns)


class WebSocketWire:
    """An open connection. What is written is cut into frames at its line ends."""

    def __init__(
        self,
        url: str,
        session: aiohttp.ClientSession,
        socket: aiohttp.ClientWebSocketResponse,
        now_ns: NowNs,
    ) -> None:
        self.port = url
        self._session, self._socket, self._now_ns = session, socket, now_ns
        self._sending: set[asyncio.Task[None]] = set()

    async def read(self) -> Chunk:
        """One frame with its line end. Raises `WireError` once the other side is gone."""
        while True:
            message = await self._socket.receive()
            if message.type is aiohttp.WSMsgType.TEXT:
                return Chunk(self._now_ns(), message.data.encode() + b"\n")
            if message.type in (
                aiohttp.WSMsgType.CLOSE,
                aiohttp.WSMsgType.CLOSING,
                aiohttp.WSMsgType.CLOSED,
                aiohttp.WSMsgType.ERROR,
            ):
                raise WireError(DeviceTrouble.GONE, f"{self.port} closed the connection")

    def write(self, data: bytes) -> None:
        """Frames leave in order, without waiting."""
        if self._socket.closed:
            raise WireError(DeviceTrouble.GONE, f"{self.port} closed the connection")
        task = asyncio.ensure_future(self._send(data.decode().splitlines()))
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    async def _send(self, frames: list[str]) -> None:
        with suppress(ConnectionError, aiohttp.ClientError):
            for frame in frames:
                await self._socket.send_str(frame)

    def close(self) -> None:
        task = asyncio.ensure_future(self._shut())
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    async def _shut(self) -> None:
        await self._socket.close()
        await self._session.close()
