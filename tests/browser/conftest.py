"""The page in Debian's Chromium, over a hall on paper."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field

import pytest
import pytest_asyncio
from aiohttp import web
from playwright.async_api import Browser, Page, async_playwright, expect
from prometheus_client import CollectorRegistry

from arbiterd.outlets.http.live import Live, live_app
from arbiterd.outlets.http.public import Public, public_app
from arbiterd.outlets.http.server import serving
from arbiterd.outlets.http.source import BoardSeen, Others
from browser.chromium import FLAGS, program
from paper.famous import fill
from paper.hall import PaperClock, PaperDesk, PaperEvidence, PaperReader, PaperScores

# How long a page may take says something of the machine; what is slow has tests of its own.
expect.set_options(timeout=30_000)


@dataclass
class Hall:
    live: PaperReader = field(default_factory=PaperReader)
    gate: PaperReader = field(default_factory=PaperReader)
    desk: PaperDesk = field(default_factory=PaperDesk)
    ill: str = ""
    others: Others | None = None
    boards: Callable[[], Awaitable[Sequence[BoardSeen]]] | None = None
    zone: str = ""
    address: str = ""
    public_address: str = ""

    def live_side(self) -> Live:
        scores = PaperScores("")
        return Live(
            reader=self.live,
            desk=self.desk,
            evidence=PaperEvidence(),
            scores=scores,
            games=scores,
            delayed=scores,
            clock=PaperClock(),
            metrics=CollectorRegistry(),
            ill=lambda: self.ill,
            others=self.others,
            boards=self.boards,
            public=lambda: self.public_address,
            zone=lambda: self.zone,
        )

    def live_app(self) -> web.Application:
        return live_app(self.live_side())

    def public_app(self) -> web.Application:
        return public_app(Public(self.gate, PaperScores(""), PaperClock(), ill=lambda: ""))


@pytest_asyncio.fixture(loop_scope="module")
async def hall() -> AsyncIterator[Hall]:
    hall = Hall()
    fill(hall.live)
    async with (
        serving(hall.live_app(), "127.0.0.1", 0) as hall.address,
        serving(hall.public_app(), "127.0.0.1", 0) as hall.public_address,
    ):
        yield hall


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=program(), args=FLAGS)
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="module")
async def page(browser: Browser, hall: Hall) -> AsyncIterator[Page]:
    """The page, open on the hall. Anything the browser complains of fails the test."""
    complaints: list[str] = []
    context = await browser.new_context(viewport={"width": 1440, "height": 900})
    page = await context.new_page()
    page.set_default_timeout(60_000)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "console",
        lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None,
    )
    await page.goto(hall.address)
    await page.wait_for_selector(".card")
    yield page
    await context.close()
    # The browser notes each connection a test cuts and each refusal it provokes.
    assert [said for said in complaints if "Failed to load resource" not in said] == []


@pytest_asyncio.fixture(loop_scope="module")
async def handheld(
    browser: Browser, hall: Hall, request: pytest.FixtureRequest
) -> AsyncIterator[Page]:
    """The page under Ana's thumb, on a touch screen: its module's `SCREEN` says which."""
    context = await browser.new_context(has_touch=True, **request.module.SCREEN)
    await context.add_init_script("localStorage.setItem('arbiterd.name', 'Ana')")
    page = await context.new_page()
    await page.goto(hall.address)
    await page.wait_for_selector(".link.live")
    yield page
    await context.close()
