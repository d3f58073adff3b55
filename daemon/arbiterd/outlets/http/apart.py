"""The public's pages in a process of their own: python -m arbiterd.outlets.http.apart SETTINGS

    frames on standard input ─▶ Mirror ─▶ public_app on a socket that was handed over
    a byte on standard output ◀─ each second, as long as it works

It knows nothing but what the frames tell, which is public, and ends when they end.
"""

from __future__ import annotations

import asyncio
import socket
import sys
from ssl import PROTOCOL_TLS_SERVER, SSLContext

import msgspec

from arbiterd.edges.real import WallClock
from arbiterd.outlets.http.public import Public, public_app
from arbiterd.outlets.http.server import met, runner_of
from arbiterd.outlets.public.mirror import FRAME_MAX, LENGTH, Beat, Mirror, Renew, read_frame

BEAT_S = 1.0
SILENT_S = 15.0
"""Nothing was heard of the service for so long: it is not well."""


class Settings(msgspec.Struct, frozen=True):
    """What the service says at the start."""

    names: tuple[str, ...]
    socket: int = -1
    """The descriptor of one that listens."""
    tls_cert: str = ""
    tls_key: str = ""
    origins: tuple[str, ...] = ()


class Followed:
    """The public's clock, as the last beat told it."""

    def __init__(self, mirror: Mirror, own: WallClock) -> None:
        self._own, self._beat, self._heard_ns = own, mirror.beat, own.now_ns()

    def heard(self, beat: Beat) -> None:
        self._beat, self._heard_ns = beat, self._own.now_ns()

    @property
    def silent(self) -> bool:
        """The service has said nothing for too long."""
        return self._own.now_ns() - self._heard_ns > SILENT_S * 1e9

    @property
    def speed(self) -> float:
        return self._beat.speed

    def now_ns(self) -> int:
        passed_ns = self._own.now_ns() - self._heard_ns
        return self._beat.now_ns + int(passed_ns * self._beat.speed)

    async def rest(self, seconds: float) -> None:
        await self._own.rest(seconds)


class PublicCertificate:
    """What the files hold; whoever connects after `renew` is shown what they hold then."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.context = SSLContext(PROTOCOL_TLS_SERVER) if settings.tls_cert else None
        self.renew()

    def renew(self) -> None:
        """The service has looked at them before."""
        if self.context is not None:
            self.context.load_cert_chain(self._settings.tls_cert, self._settings.tls_key)


async def serve(settings: Settings) -> None:
    """Until standard input ends."""
    frames, tls = await _pipe(), PublicCertificate(settings)
    mirror = Mirror()
    clock = Followed(mirror, WallClock())

    def ill() -> str:
        return "silent" if clock.silent else "ill" if mirror.beat.ill else ""

    runner = runner_of(
        public_app(
            Public(
                mirror,
                mirror,
                clock,
                ill,
                frozenset(settings.names),
                frozenset(settings.origins),
            )
        )
    )
    await runner.setup()
    beating = asyncio.create_task(_beat(clock))
    try:
        # Who comes before the first beat waits in the socket's own line.
        await _hear(frames, mirror, clock, tls, until_beat=True)
        await met(runner, tls.context, sock=_socket(settings.socket))
        await _hear(frames, mirror, clock, tls)
    finally:
        beating.cancel()
        await runner.cleanup()


async def _pipe() -> asyncio.StreamReader:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    return reader


async def _hear(
    frames: asyncio.StreamReader,
    mirror: Mirror,
    clock: Followed,
    tls: PublicCertificate,
    *,
    until_beat: bool = False,
) -> None:
    """Until they end, or the first beat has come."""
    while True:
        try:
            length = int.from_bytes(await frames.readexactly(LENGTH))
            assert length <= FRAME_MAX, "the pipe carries frames"
            frame = read_frame(await frames.readexactly(length))
        except asyncio.IncompleteReadError:
            return
        mirror.take(frame)
        if isinstance(frame, Renew):
            tls.renew()
        if isinstance(frame, Beat):
            clock.heard(frame)
            if until_beat:
                return


async def _beat(clock: Followed) -> None:
    while True:
        sys.stdout.write(".")
        sys.stdout.flush()
        await clock.rest(BEAT_S)


def _socket(number: int) -> socket.socket:
    return socket.socket(fileno=number)


if __name__ == "__main__":
    asyncio.run(serve(msgspec.json.decode(sys.argv[1], type=Settings)))
