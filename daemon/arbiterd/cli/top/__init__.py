"""`arbiterd top`: the hall in a terminal, for a technician over SSH."""

from __future__ import annotations

import asyncio
import os
import ssl
import sys
import termios
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

import aiohttp
import click
from rich.console import Console, RenderableType
from rich.live import Live

from arbiterd.access.people import SecretError, read_secret
from arbiterd.cli import CONFIG_OF, FailedError, WrongError
from arbiterd.cli.asking import its_own, reached_at, refused_by, trusting
from arbiterd.cli.check import checked
from arbiterd.cli.top.event import TopEvent
from arbiterd.cli.top.hall import EventLines, TopHall
from arbiterd.cli.top.screen import View, screen
from arbiterd.edges.real import WallClock
from arbiterd.laws.languages import LANGUAGES
from eboards.bounds import readable

FRAMES_PER_S = 4
RETRY_S = 1.0
ANSWER_S = 5.0
LINE_MAX = 1 << 20
"""No message of the stream is longer."""
WORDS_MAX = 300
PAGE = 10
UP, DOWN = ("\x1b[A", "k"), ("\x1b[B", "j")


@click.command()
@click.argument("url", required=False)
@click.option(
    "--config",
    "file",
    type=click.Path(path_type=Path),
    envvar=CONFIG_OF,
    help="Whose page, without URL.",
)
@click.option(
    "--authority",
    type=click.Path(path_type=Path),
    help="Vouches for a page with TLS: the hall's authority.pem.",
)
@click.option("--user", help="The login, where the hall has accounts.")
@click.option("--password-file", type=click.Path(path_type=Path), help="Its first line is used.")
@click.option(
    "--language", type=click.Choice(tuple(LANGUAGES)), default="en", help="Of the alerts."
)
@click.option("--once", is_flag=True, help="Print the hall as it stands, and leave.")
def top(
    url: str | None,
    file: Path | None,
    authority: Path | None,
    user: str | None,
    password_file: Path | None,
    language: str,
    once: bool,
) -> None:
    """Show the hall in a terminal: who calls, clocks, results, lost boards.

    URL is the arbiter's page; without it and without a configuration http://127.0.0.1:8480.
    Nothing can be decided here.
    """
    login = _login(user, password_file)
    page = _page(url, file, authority)
    console = Console()
    if not once and not console.is_terminal:
        raise WrongError("top needs a terminal; --once prints the hall and leaves")
    try:
        asyncio.run(_Top(page, login, View(language), console).show(once))
    except KeyboardInterrupt:
        return


class _NotNowError(Exception):
    """The page is there and lets nobody more in for now; the message says why."""


@dataclass(frozen=True, slots=True)
class _Page:
    """An address without a slash at its end, and whom its certificate has to be vouched for by."""

    url: str
    trust: ssl.SSLContext | None = None
    """None: whoever this machine trusts."""


def _page(url: str | None, file: Path | None, authority: Path | None) -> _Page:
    """Raises WrongError."""
    trust = trusting(authority) if authority is not None else None
    if url is not None:
        return _Page((url if "://" in url else f"http://{url}").rstrip("/"), trust)
    if file is None:
        return _Page("http://127.0.0.1:8480", trust)
    config = checked(file)
    place, certificate = reached_at(config, file.parent), config.http.tls_cert
    if not certificate:
        return _Page(f"http://{place}", trust)
    return _Page(f"https://{place}", trust or its_own(file.parent / certificate))


def _login(user: str | None, password_file: Path | None) -> aiohttp.BasicAuth | None:
    if user is None:
        return None
    if password_file is None:
        raise WrongError("--user needs --password-file, whose first line is the password")
    try:
        return aiohttp.BasicAuth(user, read_secret(password_file), encoding="utf-8")
    except SecretError as error:
        raise WrongError(str(error)) from None


class _Top:
    def __init__(
        self, page: _Page, login: aiohttp.BasicAuth | None, view: View, console: Console
    ) -> None:
        self._page, self._url, self._login, self._console = page, page.url, login, console
        self._view = view
        self._clock = WallClock()
        self._hall = TopHall()
        self._others = TopEvent()
        self._whole = asyncio.Event()
        self._left = asyncio.Event()

    async def show(self, once: bool) -> None:
        hearing = asyncio.create_task(self._hear(once))
        others = None if once else asyncio.create_task(self._hear_others())
        try:
            if once:
                whole = asyncio.create_task(self._whole.wait())
                await asyncio.wait({whole, hearing}, return_when=asyncio.FIRST_COMPLETED)
                if hearing.done():
                    hearing.result()
                await self._others_told()
                tables, more = len(self._hall.tables), len(self._others.halls)
                self._console.print(self._screen(tables + len(self._hall.rulings) + 6 + more))
                return
            await self._live(hearing)
        finally:
            hearing.cancel()
            if others is not None:
                others.cancel()

    async def _live(self, hearing: asyncio.Task[None]) -> None:
        """Draws until somebody leaves."""
        with (
            Live(console=self._console, screen=True, auto_refresh=False) as live,
            _keys(self._key),
        ):
            while not self._left.is_set():
                live.update(self._screen(self._console.height), refresh=True)
                if hearing.done():
                    hearing.result()
                await self._clock.rest(1 / FRAMES_PER_S)

    def _screen(self, height: int) -> RenderableType:
        width = self._console.width
        now_ns, others = self._clock.now_ns(), self._others.halls
        return screen(self._hall, self._view, now_ns, width, height, others)

    def _key(self, key: str) -> None:
        first = self._view.first
        if key in ("q", "\x03"):
            self._left.set()
        elif key == "n":
            self._view = replace(self._view, notes=not self._view.notes)
        elif key == "h":
            self._view = replace(self._view, hall=self._view.hall + 1, first=0)
        elif key in UP:
            self._view = replace(self._view, first=max(0, first - PAGE))
        elif key in DOWN:
            most = max(0, len(self._hall.tables) - 1)
            self._view = replace(self._view, first=min(first + PAGE, most))

    def _session(self, timeout: aiohttp.ClientTimeout) -> aiohttp.ClientSession:
        return aiohttp.ClientSession(
            auth=self._login,
            timeout=timeout,
            read_bufsize=LINE_MAX,
            connector=aiohttp.TCPConnector(ssl=self._page.trust or True),
        )

    async def _hear(self, once: bool) -> None:
        """Reads the stream and comes back to it as long as somebody looks."""
        timeout = aiohttp.ClientTimeout(total=None, connect=ANSWER_S, sock_read=3 * ANSWER_S)
        async with self._session(timeout) as session:
            while True:
                try:
                    await self._read(session)
                except aiohttp.ClientConnectorCertificateError as error:
                    raise FailedError(
                        f"{self._url} shows a certificate that is not trusted"
                        f" ({error.certificate_error}); name the hall's authority.pem by"
                        " --authority, or an address that the certificate is for"
                    ) from None
                except _NotNowError as error:
                    if once:
                        raise FailedError(str(error)) from None
                except (aiohttp.ClientError, TimeoutError):
                    if once:
                        raise FailedError(
                            f"nothing answers at {self._url}; name the address of the arbiter's"
                            " page, as `arbiterd run` prints it"
                        ) from None
                await self._clock.rest(RETRY_S)

    async def _others_told(self) -> None:
        """The other halls as they stand now; none where this one is alone."""
        timeout = aiohttp.ClientTimeout(total=ANSWER_S)
        with suppress(aiohttp.ClientError, TimeoutError):
            async with self._session(timeout) as session:
                await self._read_others(session, once=True)

    async def _read_others(self, session: aiohttp.ClientSession, *, once: bool = False) -> None:
        lines = EventLines()
        async with session.get(f"{self._url}/api/v1/halls/events") as answer:
            if answer.status == 404:
                return
            answer.raise_for_status()
            async for line in answer.content:
                message = lines.line(line.decode("utf-8", "replace").rstrip("\r\n"))
                if message is not None:
                    self._others.take(*message, self._clock.now_ns())
                    if once and message[0] == "ready":
                        return

    async def _hear_others(self) -> None:
        """Reads their stream and comes back to it as long as somebody looks."""
        timeout = aiohttp.ClientTimeout(total=None, connect=ANSWER_S, sock_read=3 * ANSWER_S)
        async with self._session(timeout) as session:
            while True:
                with suppress(aiohttp.ClientError, TimeoutError):
                    await self._read_others(session)
                await self._clock.rest(RETRY_S)

    async def _let_in(self, answer: aiohttp.ClientResponse) -> None:
        """Raises FailedError, _NotNowError for what refuses us in its own words, ClientError."""
        if answer.status == 401:
            if self._login is None:
                raise FailedError(f"{self._url} asks for a login: --user NAME --password-file FILE")
            raise FailedError(
                f"{self._url} does not take the login {self._login.login!r} with this password;"
                " see that --user and --password-file are as [[people]] has them"
            )
        if answer.status in (403, 503):
            words = refused_by(answer.status, answer.reason or "", await answer.read())
            kind = FailedError if answer.status == 403 else _NotNowError
            raise kind(f"{self._url}: {readable(words, WORDS_MAX)}")
        answer.raise_for_status()

    async def _read(self, session: aiohttp.ClientSession) -> None:
        lines = EventLines()
        async with session.get(f"{self._url}/api/v1/events") as answer:
            await self._let_in(answer)
            async for line in answer.content:
                message = lines.line(line.decode("utf-8", "replace").rstrip("\r\n"))
                if message is None:
                    continue
                self._hall.take(*message, self._clock.now_ns())
                if message[0] == "ready":
                    self._whole.set()


@contextmanager
def _keys(heard: Callable[[str], None]) -> Iterator[None]:
    """Keys as they are struck, without Enter."""
    door = sys.stdin.fileno()
    before = termios.tcgetattr(door)
    loop = asyncio.get_running_loop()
    loop.add_reader(door, lambda: heard(os.read(door, 16).decode("utf-8", "replace")))
    tty.setcbreak(door)
    try:
        yield
    finally:
        loop.remove_reader(door)
        termios.tcsetattr(door, termios.TCSADRAIN, before)
