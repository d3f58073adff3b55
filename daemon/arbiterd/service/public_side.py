"""The public's side, in a process of its own: what spectators ask takes no time from arbiters.

The socket is ours and stays open: while the process is started anew, who asks waits. It runs
behind everything else on the machine, is told what is public and nothing more, and ends with us.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from contextlib import suppress

import msgspec

from arbiterd.edges.children import ends_with_parent
from arbiterd.outlets.http.apart import BEAT_S, Settings
from arbiterd.outlets.http.server import address_of
from arbiterd.outlets.http.source import PageClock
from arbiterd.outlets.pgn.book import ScoreBook
from arbiterd.outlets.public.gate import DelayGate
from arbiterd.outlets.public.mirror import Beat, Frame, MirrorFeed, Renew, framed

NEWS_S = 0.2
"""So often it is told what is new."""
TEXTS = 10
"""Each so many of these, the games."""
NICE = 5
STOP_S = 2.0


class EndedError(Exception):
    """The process is no more."""


def _behind_us() -> None:
    """In the child: it ends with its parent, and everything else comes first."""
    ends_with_parent(signal.SIGKILL)
    os.nice(NICE)


class PublicSide:
    """One process, as long as it runs; `run` starts another."""

    def __init__(
        self,
        listening: socket.socket,
        gate: DelayGate,
        book: ScoreBook,
        clock: PageClock,
        ill: Callable[[], str],
        settings: Settings,
    ) -> None:
        self._socket, self._gate, self._book = listening, gate, book
        self._clock, self._ill, self._settings = clock, ill, settings
        self._renewed = False
        self.beats = 0
        """How often it has said that it works."""

    @property
    def address(self) -> str:
        return address_of(self._socket.getsockname(), tls=bool(self._settings.tls_cert))

    def renew(self) -> None:
        """The certificate's files are to be read again."""
        self._renewed = True

    def close(self) -> None:
        """Nobody is answered any more."""
        self._socket.close()

    async def run(self) -> None:
        """Until cancelled. Raises EndedError, OSError."""
        settings = msgspec.structs.replace(self._settings, socket=self._socket.fileno())
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "arbiterd.outlets.http.apart"),
            msgspec.json.encode(settings).decode(),
            stdin=PIPE,
            stdout=PIPE,
            pass_fds=(settings.socket,),
            start_new_session=True,
            preexec_fn=_behind_us,
        )
        feeding = asyncio.ensure_future(self._feed(process))
        listening = asyncio.ensure_future(self._listen(process))
        try:
            await asyncio.wait({feeding, listening}, return_when=asyncio.FIRST_COMPLETED)
            if feeding.done() and not feeding.cancelled() and feeding.exception():
                await feeding
            raise EndedError("its process ended")
        finally:
            feeding.cancel()
            listening.cancel()
            await asyncio.gather(feeding, listening, return_exceptions=True)
            await _ended(process)

    async def _listen(self, process: Process) -> None:
        assert process.stdout is not None, "its beats are ours"
        while await process.stdout.read(100):
            self.beats += 1

    async def _feed(self, process: Process) -> None:
        assert process.stdin is not None, "its frames are ours"
        feed, turn = MirrorFeed(self._gate), 0
        while True:
            frames: list[Frame] = [*feed.news()]
            if turn % TEXTS == 0:
                frames += feed.texts(await self._book.texts())
            if turn % round(BEAT_S / NEWS_S) == 0:
                ill = bool(self._ill())
                frames.append(Beat(self._clock.now_ns(), self._clock.speed, ill))
            if self._renewed:
                self._renewed = False
                frames.append(Renew())
            try:
                process.stdin.write(b"".join(map(framed, frames)))
                await process.stdin.drain()
            except ConnectionError:
                raise EndedError("its process ended") from None
            turn += 1
            await self._clock.rest(NEWS_S)


async def _ended(process: Process) -> None:
    """However it stands: nothing of it is needed any more."""
    with suppress(ProcessLookupError):
        process.kill()
    with suppress(TimeoutError):
        async with asyncio.timeout(STOP_S):
            await process.wait()
