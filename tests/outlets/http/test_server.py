from __future__ import annotations

import pytest
from aiohttp import web

from arbiterd.outlets.http.server import ListenError, serving


async def test_a_taken_port_is_named_with_the_mend() -> None:
    async with serving(web.Application(), "127.0.0.1", 0) as address:
        port = int(address.rstrip("/").rsplit(":", 1)[1])

        with pytest.raises(ListenError, match=rf"cannot listen on 127\.0\.0\.1:{port} .*'listen'"):
            async with serving(web.Application(), "127.0.0.1", port):
                pass


async def test_a_stopped_listener_is_free_again() -> None:
    async with serving(web.Application(), "127.0.0.1", 0) as address:
        port = int(address.rstrip("/").rsplit(":", 1)[1])

    async with serving(web.Application(), "127.0.0.1", port) as again:
        assert again == address
