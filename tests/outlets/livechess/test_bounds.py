"""One program that never stops asking, or holds sockets open, takes nobody else's turn."""

from __future__ import annotations

from time import monotonic

import pytest
from aiohttp import ClientSession, TCPConnector, WSServerHandshakeError

from arbiterd.access.pace import RateLimit
from arbiterd.edges.real import WallClock
from arbiterd.outlets.http.server import serving
from arbiterd.outlets.livechess.server import CLIENTS_OF_ONE, LiveChess
from paper.hall import PaperReader

ELSEWHERE = ("127.0.0.2", 0)
CALL = '{"id":1,"call":"eboards"}'


@pytest.fixture
def server() -> LiveChess:
    return LiveChess(PaperReader(), WallClock(), "main", frozenset())


async def test_calls_beyond_the_pace_are_read_later_and_others_are_answered(
    server: LiveChess,
) -> None:
    server._pace = RateLimit(10, 5)
    async with (
        serving(server.app(), "127.0.0.1", 0) as address,
        ClientSession() as session,
        ClientSession(connector=TCPConnector(local_addr=ELSEWHERE)) as other,
        session.ws_connect(address + "api/v1.0") as greedy,
        other.ws_connect(address + "api/v1.0") as modest,
    ):
        began = monotonic()
        for _ in range(15):
            await greedy.send_str(CALL)
        await modest.send_str(CALL)
        await modest.receive_str(timeout=30)
        served = monotonic() - began
        for _ in range(15):
            await greedy.receive_str(timeout=30)
        assert monotonic() - began >= 0.9
        assert served < monotonic() - began


async def test_one_address_leaves_sockets_to_the_others(server: LiveChess) -> None:
    async with (
        serving(server.app(), "127.0.0.1", 0) as address,
        ClientSession(connector=TCPConnector(limit=0)) as session,
        ClientSession(connector=TCPConnector(local_addr=ELSEWHERE)) as other,
    ):
        url = address + "api/v1.0"
        held = [await session.ws_connect(url) for _ in range(CLIENTS_OF_ONE)]
        with pytest.raises(WSServerHandshakeError):
            await session.ws_connect(url)
        async with other.ws_connect(url) as modest:
            await modest.send_str(CALL)
            await modest.receive_str(timeout=30)
        await held[0].close()
        async with session.ws_connect(url):
            pass
