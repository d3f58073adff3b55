"""Devices behind a TCP port: a serial port server, or an emulator in another process."""

from __future__ import annotations

import asyncio
import socket

from eboards.transport import DeviceTrouble, NowNs, WireError
from eboards.transport.descriptor import DescriptorWire

CONNECT_SECONDS = 5.0


async def open_tcp(host: str, port: int, now_ns: NowNs) -> DescriptorWire:
    """Raises `WireError` where nobody answers."""
    name = f"{host}:{port}"
    loop = asyncio.get_running_loop()
    try:
        places = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        family, kind, protocol, _, address = places[0]
        door = socket.socket(family, kind, protocol)
    except OSError as error:
        raise WireError(DeviceTrouble.MISSING, f"{name} is not known: {error.strerror}") from error
    door.setblocking(False)
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            await loop.sock_connect(door, address)
        door.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except TimeoutError as error:
        door.close()
        raise WireError(
            DeviceTrouble.MISSING, f"{name} does not answer; is it switched on?"
        ) from error
    except OSError as error:
        door.close()
        sentence = f"{name} refuses: {error.strerror}; start what should listen there"
        raise WireError(DeviceTrouble.MISSING, sentence) from error
    return DescriptorWire(door.fileno(), name, now_ns, door.close)
