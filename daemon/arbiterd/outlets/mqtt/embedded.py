"""A broker of our own: a child process that is started, watched, and stopped with the service.

nats-server comes with the package. Where there is no wheel of it, Mosquitto from the
distribution does the same, and the log says so.
"""

from __future__ import annotations

import asyncio
import logging
import os
import select
import shutil
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from aiomqtt import ProtocolVersion

from arbiterd.access.people import People
from arbiterd.config.values import BrokerUrl, Listen
from arbiterd.edges import BrokerError, ServiceClock
from arbiterd.edges.children import ends_with_parent
from arbiterd.outlets.mqtt.access_lists import mosquitto_passwords, mosquitto_rights
from arbiterd.outlets.mqtt.embedded_config import (
    Wanted,
    known_logins,
    mosquitto_config,
    nats_config,
)
from arbiterd.outlets.mqtt.kept import bound
from arbiterd.outlets.mqtt.logins import Logins

log = logging.getLogger(__name__)

PORTS_TRIED = 100
STARTS_MAX = 4
"""So many tries to begin where others take the ports that were free a moment ago."""
TAKEN = "address already in use"
"""What either program says then."""
START_S = 10.0
STOP_S = 5.0
LOOK_S = 5.0
ANSWER_S = 5.0
DEAF_MAX = 2
"""So many looks in a row without an answer, and it is ended."""
HELLO = b"\x10\x12\x00\x04MQTT\x04\x02\x00\x0a\x00\x06lookup"
"""A CONNECT of MQTT 3.1.1 with a name of its own, which subscribes to nothing."""
TOO_NEW = "unacceptable protocol version of 5"
"""In nats-server's log."""
UNSTORED = "failed to store a msg"
"""In nats-server's log: from then on it stores nothing more there until it is started again."""
ROOM_MIN = 4 * 1024**2
"""Bytes that are free again before it is."""
RESTART_S = (0.2, 1.0, 5.0)


@dataclass(frozen=True, slots=True)
class Program:
    """A broker that is installed."""

    name: str
    path: str

    @property
    def asks_us(self) -> bool:
        """It asks us about each login; Mosquitto has passwords of its own, and brakes nobody."""
        return self.name == "nats-server"


def find_program() -> Program:
    """The broker to run. Raises BrokerError with the mend."""
    beside = Path(sys.executable).with_name("nats-server")
    nats = str(beside) if beside.exists() else shutil.which("nats-server")
    if nats is not None:
        return Program("nats-server", nats)
    mosquitto = shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if mosquitto is not None:
        log.warning("the embedded broker is Mosquitto: nats-server is not installed here")
        return Program("mosquitto", mosquitto)
    raise BrokerError(
        "there is no broker to embed; install mosquitto (apt-get install mosquitto),"
        " or name one in [mqtt] url"
    )


def free(wanted: Listen, others: frozenset[int] = frozenset()) -> Listen:
    """The address itself, or the next port that is free and none of the others'.

    Raises BrokerError.
    """
    family = socket.AF_INET6 if ":" in wanted.host else socket.AF_INET
    last = wanted.port + PORTS_TRIED if wanted.port else 1
    for port in range(wanted.port, min(last, 65536)):
        if port and port in others:
            continue
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((wanted.host, port))
            except OSError:
                continue
            return replace(wanted, port=probe.getsockname()[1])
    raise BrokerError(f"no port from {wanted} on is free; set [mqtt] listen to another")


def _on_free_ports(wanted: Wanted) -> Wanted:
    """No two doors on one port: none stands open yet while they are looked for, so each would be
    found free for the other. Raises BrokerError.
    """
    asked = wanted.websocket
    listen = free(wanted.listen, frozenset() if asked is None else frozenset({asked.port}))
    return replace(
        wanted,
        listen=listen,
        websocket=None if asked is None else free(asked, frozenset({listen.port})),
        native_port=free(Listen("127.0.0.1", 0)).port,
    )


class EmbeddedBroker:
    """If it dies, it is started again on the same address."""

    def __init__(self, wanted: Wanted, clock: ServiceClock) -> None:
        self._program = find_program()
        self._clock = clock
        _prepare(wanted.folder)
        self._asked = wanted
        self.wanted = _on_free_ports(wanted)
        self._logins = Logins(self.wanted, clock)
        self._answering: asyncio.Task[None] | None = None
        for asked, had in (
            (wanted.listen, self.wanted.listen),
            (wanted.websocket, self.wanted.websocket),
        ):
            if asked is not None and asked.port and asked != had:
                log.warning("%s is taken: the broker listens on %s", asked, had)
        self._process: asyncio.subprocess.Process | None = None
        self._too_new = 0
        """So many were refused for the version they speak."""
        self._unstored = False

    @property
    def url(self) -> BrokerUrl:
        return self._url("mqtt", self.wanted.listen)

    @property
    def websocket_url(self) -> BrokerUrl | None:
        """Where pages find it; None where it has no WebSocket."""
        listen = self.wanted.websocket
        return None if listen is None else self._url("ws", listen)

    def _url(self, scheme: str, listen: Listen) -> BrokerUrl:
        tls = bool(self.wanted.tls_cert) and not listen.on_loopback
        host = "127.0.0.1" if listen.is_unspecified else listen.host
        return BrokerUrl(f"{scheme}s" if tls else scheme, host, listen.port, "/mqtt")

    @property
    def newest(self) -> ProtocolVersion:
        """The newest MQTT it speaks."""
        return ProtocolVersion.V311 if self._program.asks_us else ProtocolVersion.V5

    async def let_in(self, people: People) -> None:
        """These and nobody else from now on; who is connected by another login is thrown off.

        nats-server throws off everybody but us, and asks about each who comes back.
        """
        self.wanted = replace(self.wanted, people=people, changes=self.wanted.changes + 1)
        self._logins.let_in(people)
        if self._process is None or self._process.returncode is not None:
            return
        try:
            self._command()
        except OSError as error:
            log.error("the embedded broker hears nothing of that: %s", error.strerror)
            return
        self._process.send_signal(signal.SIGHUP)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Started, and watched for as long as the block runs. Raises BrokerError.

        Where the disk refuses its files it is started as soon as they can be written.
        """
        try:
            await self._start_at_first()
        except OSError as error:
            log.error("the embedded broker cannot be started: %s", error.strerror)
        watching = asyncio.create_task(self._watch())
        try:
            yield
        finally:
            answering = [] if self._answering is None else [self._answering]
            for task in (watching, *answering):
                task.cancel()
            await asyncio.gather(watching, *answering, return_exceptions=True)
            await self._stop()

    async def _start_at_first(self) -> None:
        """On other ports where one was taken since they were free. Raises BrokerError."""
        for tries_left in reversed(range(STARTS_MAX)):
            try:
                await self._start()
            except BrokerError as error:
                if not tries_left or TAKEN not in str(error).lower():
                    raise
                log.warning("%s; it is started on other ports", error)
                self.wanted = _on_free_ports(self._asked)
                self._logins = Logins(self.wanted, self._clock)
            else:
                return

    async def _start(self) -> None:
        """Returns once it listens. Raises BrokerError."""
        self._unstored = False
        self._process = await asyncio.create_subprocess_exec(
            *self._command(),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            # A Ctrl-C on the terminal is for the service; it stops the broker last.
            start_new_session=True,
            preexec_fn=partial(ends_with_parent, signal.SIGTERM),
        )
        (self.wanted.folder / "broker.pid").write_text(f"{self._process.pid}\n")
        try:
            async with asyncio.timeout(START_S):
                while not await self._listens():
                    if self._process.returncode is not None:
                        raise BrokerError(f"the embedded broker ended: {await self._last_words()}")
                    await self._clock.rest(0.02)
                if self._program.asks_us:
                    await bound(self.wanted)
                self._keep_answering()
                if self._answering is not None:
                    await self._logins.ready.wait()
        except TimeoutError:
            raise BrokerError(f"the embedded broker does not listen on {self.url}") from None

    def _keep_answering(self) -> None:
        """Who logs in is ours to say where there are accounts; without it nobody else gets in."""
        if not (self.wanted.own_secret and self._program.asks_us):
            return
        if self._answering is not None and self._answering.done():
            log.error("logins at the broker were not answered (%r)", self._answering.exception())
        if self._answering is None or self._answering.done():
            self._answering = asyncio.create_task(self._logins.run())

    async def _watch(self) -> None:
        """Starts it again whenever it ends."""
        failures = 0
        while True:
            if self._process is not None:
                words = await self._ended(self._process)
                log.error("the embedded broker ended (%s); starting it again", words)
            await self._clock.rest(RESTART_S[min(failures, len(RESTART_S) - 1)])
            failures += 1
            try:
                await self._start()
            except (BrokerError, OSError) as error:
                log.error("%s", error)

    async def _ended(self, process: asyncio.subprocess.Process) -> str:
        """Its last words. One that runs is ended if it answers nobody any more, or if it could not
        store a message and there is room again."""
        words, deaf = asyncio.ensure_future(self._last_words()), 0
        try:
            while not words.done():
                await asyncio.wait({words}, timeout=LOOK_S)
                self._keep_answering()
                deaf = 0 if words.done() or await self._answers() else deaf + 1
                stuck = "" if deaf < DEAF_MAX else "does not answer any more"
                if self._unstored and shutil.disk_usage(self.wanted.folder).free >= ROOM_MIN:
                    stuck = "could not store a message, and there is room again"
                if stuck and not words.done():
                    log.error("the embedded broker %s; ending it", stuck)
                    with suppress(ProcessLookupError):
                        process.kill()
            return words.result()
        finally:
            words.cancel()

    async def _answers(self) -> bool:
        """It takes a connection and says something to it, if only no."""
        try:
            async with asyncio.timeout(ANSWER_S):
                reader, writer = await asyncio.open_connection(self.url.host, self.url.port)
                try:
                    if not self.url.tls:
                        writer.write(HELLO)
                        await reader.read(1)
                finally:
                    writer.close()
        except (OSError, TimeoutError):
            return False
        return True

    async def _stop(self) -> None:
        process = self._process
        if process is None or process.returncode is not None:
            return
        with suppress(ProcessLookupError):
            process.terminate()
        try:
            async with asyncio.timeout(STOP_S):
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()

    def _command(self) -> list[str]:
        folder, wanted = self.wanted.folder, self.wanted
        file = folder / "broker.conf"
        if self._program.asks_us:
            _write(file, nats_config(wanted))
            return [self._program.path, "-c", str(file)]
        _write(file, mosquitto_config(wanted))
        if wanted.own_secret:
            _write(folder / "passwords", mosquitto_passwords(known_logins(wanted)))
            _write(folder / "rights", mosquitto_rights(known_logins(wanted)))
        return [self._program.path, "-c", str(file)]

    async def _listens(self) -> bool:
        try:
            _, writer = await asyncio.open_connection(self.url.host, self.url.port)
        except OSError:
            return False
        writer.close()
        return True

    async def _last_words(self) -> str:
        """Reads its log to the end; the last line that names a fault."""
        assert self._process is not None
        assert self._process.stderr is not None, "its log is ours"
        words = ""
        async for line in self._process.stderr:
            said = line.decode(errors="replace").strip()
            grave = any(mark in said for mark in ("[ERR]", "[FTL]", "Error"))
            log.debug("broker: %s", said)
            self._unstored |= UNSTORED in said
            if TOO_NEW in said:
                self._came_too_new()
            words = said if grave or not words else words
        await self._process.wait()
        return words or f"exit status {self._process.returncode}"

    def _came_too_new(self) -> None:
        """Over WebSocket the client itself is told nothing, so its owner asks us."""
        self._too_new += 1
        if self._too_new.bit_count() == 1:
            log.warning(
                "a client came to the embedded broker with MQTT 5, which it does not speak"
                " (%d times);"
                " set that program to MQTT 3.1.1, or see MQTT 5 in docs/integrators.md",
                self._too_new,
            )


def _write(file: Path, text: str) -> None:
    """For our eyes only: there are secrets in it."""
    file.unlink(missing_ok=True)
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
        out.write(text)


def _prepare(folder: Path) -> None:
    """Makes the folder, and ends a broker that an earlier run of ours left behind in it.

    Raises BrokerError.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise BrokerError(
            f"{folder} cannot be made for the embedded broker ({error.strerror});"
            " give [journal] path in a folder the service may write to"
        ) from None
    try:
        pid = int((folder / "broker.pid").read_text())
        said = Path(f"/proc/{pid}/cmdline").read_bytes()
    except (OSError, ValueError):
        return
    if str(folder / "broker.conf").encode() not in said.split(b"\0"):
        return
    log.warning("ending the broker that an earlier run left behind")
    with suppress(ProcessLookupError):
        handle = os.pidfd_open(pid)
        try:
            os.kill(pid, signal.SIGTERM)
            _wait_for_end(handle)
        finally:
            os.close(handle)


def _wait_for_end(handle: int) -> None:
    ended, _, _ = select.select([handle], [], [], STOP_S)
    if not ended:
        signal.pidfd_send_signal(handle, signal.SIGKILL)
        select.select([handle], [], [], STOP_S)
