"""nats-server's own protocol, as far as it is spoken here: lines of text, on loopback.

The NATS documentation has it under "client protocol".
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgspec

from arbiterd.outlets.mqtt.embedded_config import SERVICE, Wanted

ANSWERS = "_INBOX.arbiterd"
ASKED_S = 5.0


@asynccontextmanager
async def native(
    wanted: Wanted,
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A connection in our own name. Raises OSError."""
    reader, writer = await asyncio.open_connection("127.0.0.1", wanted.native_port)
    try:
        ours: dict[str, object] = {"verbose": False}
        if wanted.own_secret:
            ours |= {"user": SERVICE, "pass": wanted.own_secret}
        writer.write(b"CONNECT %s\r\n" % msgspec.json.encode(ours))
        yield reader, writer
    finally:
        writer.close()


async def asked(wanted: Wanted, subject: str, said: object) -> dict[str, Any]:
    """What the server answers to a request. Raises OSError, EOFError, ValueError, TimeoutError."""
    body = msgspec.json.encode(said)
    async with asyncio.timeout(ASKED_S), native(wanted) as (reader, writer):
        writer.write(b"SUB %s 1\r\n" % ANSWERS.encode())
        writer.write(
            b"PUB %s %s %d\r\n%s\r\n" % (subject.encode(), ANSWERS.encode(), len(body), body)
        )
        while line := await reader.readline():
            if line.startswith(b"MSG "):
                answer = await reader.readexactly(int(line.split()[-1]))
                return msgspec.json.decode(answer, type=dict[str, Any])
        raise EOFError(f"{subject} was not answered")
