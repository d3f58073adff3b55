"""Devices behind a TCP port: a serial port server, or an emulator in another process."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Sequence
from typing import Any, TypeAlias

from eboards.transport import DeviceTrouble, NowNs, WireError
from eboards.transport.descriptor import DescriptorWire

CONNECT_SECONDS = 5.0
"""For all addresses of a name together."""
Place: TypeAlias = tuple[int, int, int, str, Any]
"""As `getaddrinfo` has it."""


async def open_tcp(host: str, port: int, now_ns: NowNs) -> DescriptorWire:
    """Raises `WireError` where nobody answers."""
    name = f"{host}:{port}"
    loop = asyncio.get_running_loop()
    try:
        places = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise WireError(DeviceTrouble.MISSING, f"{name} is not known: {error.strerror}") from error
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            door = await _connected(places)
    except TimeoutError as error:
        raise WireError(
            DeviceTrouble.MISSING, f"{name} does not answer; is it switched on?"
        ) from error
    except OSError as error:
        sentence = f"{name} refuses: {error.strerror}; start what should listen there"
        raise WireError(DeviceTrouble.MISSING, sentence) from error
    return DescriptorWire(door.fileno(), name, now_ns, door.close)


async def _connected(places: Sequence[Place]) -> socket.socket:
    """To the first that answers: a name may stand for several. Raises OSError of the last."""
    for number, (family, kind, protocol, _, address) in enumerate(places, 1):
        door = socket.socket(family, kind, protocol)
        door.setblocking(False)
        try:
            await asyncio.get_running_loop().sock_connect(door, address)
            door.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except BaseException as error:
            door.close()
            if isinstance(error, OSError) and number < len(places):
                continue
            raise
        return door
    raise OSError(errno.EHOSTUNREACH, "it has no address")
