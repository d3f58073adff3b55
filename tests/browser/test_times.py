"""The times people see, from a real hall: live, behind the delay, and while nothing is heard.

Four boards on emulated wires at twice their speed, the service, its page and its overlays in
Chromium. Between the browser and the service lies a wire that can be cut.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page

from arbiterd.outlets.http.public import STREAM_GAP_S

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.timeout(300)]

ARBITERD = (sys.executable, "-c", "from arbiterd.cli import main; main()")
BOARDS = 4
SPEED = 2
DELAY_S = 20
"""On the service's clock."""
NEAR_MS = 1000 * STREAM_GAP_S + 500
"""So near a press nothing is compared: the public hears of it up to one gap of its stream later, by
the machine's clock, and each page draws it up to a quarter of a second after that. Between presses
a clock's value and its age tell all."""
OFF_S = 3
"""On the service's clock. Each page draws its clocks four times a second, and shows whole ones."""
FRESH_S = 7
"""So long the page waits for a word before it stops its clocks."""

# Every 50 ms: when, and what each clock shows.
RECORDER = """(where) => {
    window.seen = [];
    setInterval(() => window.seen.push([Date.now(),
        where.flatMap((one) => [...document.querySelectorAll(one)])
        .map((clock) => [clock.querySelector("time").textContent,
                         clock.classList.contains("running"),
                         clock.querySelector(".old")?.textContent ?? ""])]), 50);
}"""


@dataclass
class Wire:
    """Between browser and service. While it is cut nothing passes, and nobody is told."""

    target: int
    port: int = 0
    cut: bool = False
    _open: set[asyncio.StreamWriter] = field(default_factory=set)

    @asynccontextmanager
    async def laid(self) -> AsyncIterator[None]:
        server = await asyncio.start_server(self._take, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        yield
        server.close()
        for writer in self._open:
            writer.close()

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", self.target)
        self._open |= {writer, back}
        await asyncio.gather(self._pass(reader, back), self._pass(there, writer))

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(65536):
                if not self.cut:
                    writer.write(data)
        except OSError:
            pass
        writer.close()


@asynccontextmanager
async def started(*words: object) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        *ARBITERD, *map(str, words), stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    yield process
    process.send_signal(signal.SIGTERM)
    await process.communicate()


async def says(process: asyncio.subprocess.Process, word: str) -> str:
    assert process.stdout is not None
    async for line in process.stdout:
        if line.startswith(word.encode()):
            return line.decode().removeprefix(word).strip()
    raise AssertionError(f"it ended without {word!r}")


def with_doors(file: Path) -> None:
    free = 'listen = "127.0.0.1:0"\n'
    doors = f'[mqtt]\n{free}[http]\n{free}[public]\n{free}[broadcast]\ndelay = "{DELAY_S}s"\n'
    file.write_text(doors + file.read_text())


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def doors(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[tuple[int, int]]:
    """The arbiter's port and the public's, of a hall that plays."""
    folder = tmp_path_factory.mktemp("hall")
    words = ("simulate", "--boards", BOARDS, "--speed", SPEED, "--pty-dir", folder)
    async with started(*words) as simulation:
        file = Path(await says(simulation, "now run: arbiterd run --config"))
        with_doors(file)
        async with started("run", "--config", file) as service:
            pages = [await says(service, word) for word in ("page", "public")]
            yield tuple(int(page.split(":")[2].strip("/")) for page in pages)


async def opened(browser: Browser, address: str, *clocks: str) -> Page:
    page = await browser.new_page()
    await page.goto(address)
    for each in clocks:
        await page.wait_for_selector(f"{each}.running")
    await page.evaluate(RECORDER, clocks)
    return page


Clocks = list[tuple[str, bool, str]]
"""White's and Black's: what it shows, whether it runs, how old it says it is."""
Sample = tuple[float, Clocks]


async def seen(page: Page) -> list[Sample]:
    return await page.evaluate("window.seen")


async def seen_of_each(page: Page) -> list[list[Sample]]:
    """Table by table."""
    samples = await seen(page)
    assert all(len(clocks) == 2 * BOARDS for _, clocks in samples)
    return [[(at, clocks[n : n + 2]) for at, clocks in samples] for n in range(0, 2 * BOARDS, 2)]


def seconds(face: str) -> int:
    parts = re.findall(r"\d+", face)
    assert parts, face
    return sum(int(part) * 60**place for place, part in enumerate(reversed(parts)))


def running(clocks: Clocks) -> list[bool]:
    return [runs for _, runs, _ in clocks]


def turns(samples: list[Sample]) -> list[float]:
    """When another clock ran, or none."""
    return [at for (_, before), (at, now) in pairwise(samples) if running(before) != running(now)]


def compare(live: list[Sample], late: list[Sample]) -> set[int]:
    """One moment beside the other; the seconds in which there were such moments."""
    presses, times = turns(live), [at for at, _ in live]
    compared = set()
    for at, shown in late:
        then = at - DELAY_S / SPEED * 1000
        nearest = min(range(len(times)), key=lambda n: abs(times[n] - then))
        was = live[nearest][1]
        if abs(times[nearest] - then) > 50 or any(abs(then - press) < NEAR_MS for press in presses):
            continue
        compared.add(int(at) // 1000)
        assert running(shown) == running(was)
        for (face, _, old), (face_then, _, _) in zip(shown, was, strict=True):
            assert old == ""
            off = seconds(face) - seconds(face_then)
            assert abs(off) <= OFF_S, f"{face} on the overlay, live it was {face_then}"
    return compared


async def test_the_overlay_shows_what_was_live_one_delay_ago(
    browser: Browser, doors: tuple[int, int]
) -> None:
    """Moment by moment: each clock, and which of them runs."""
    tables = range(1, BOARDS + 1)
    async with asyncio.timeout(170):
        cards = [f'[href="#/table/{table}"] .clock' for table in tables]
        live = await opened(browser, f"http://127.0.0.1:{doors[0]}/", *cards)
        overlays = [
            await opened(browser, f"http://127.0.0.1:{doors[1]}/overlay/{table}", ".overlay .clock")
            for table in tables
        ]
        await asyncio.sleep(float(os.environ.get("SECONDS_COMPARED", 45)))
        lately = [await seen(page) for page in overlays]
        then = await seen_of_each(live)
    for page in (live, *overlays):
        await page.close()

    compared = [len(compare(was, shown)) for was, shown in zip(then, lately, strict=True)]
    print(f"{sum(compared)} seconds compared: {compared}")
    assert sum(compared) >= 40


async def cut_for(browser: Browser, port: int, cut_s: float) -> tuple[list[Sample], float, Page]:
    """What the page shows while nothing passes, from the moment the wire was cut."""
    wire = Wire(port)
    async with wire.laid():
        page = await opened(browser, f"http://127.0.0.1:{wire.port}/", ".card .clock")
        await asyncio.sleep(1)
        at: float = await page.evaluate("Date.now()")
        wire.cut = True
        await asyncio.sleep(cut_s)
        samples = [sample for sample in await seen(page) if sample[0] >= at]
        wire.cut = False
        await page.wait_for_selector(".link.live", timeout=60_000)
        await page.wait_for_selector(".card .clock.running", timeout=60_000)
        assert await page.locator(".old").count() == 0
        await page.close()
    return samples, at, page


def check_cut(samples: list[Sample], cut_at: float) -> int:
    """Once nothing was heard for seven seconds every clock stands, and says how old it is."""
    before = samples[0][1]
    silent = [clocks for at, clocks in samples if at > cut_at + (FRESH_S + 0.5) * 1000]
    assert silent
    stood = [face for face, _, _ in silent[0]]
    for clocks in silent:
        assert [face for face, _, _ in clocks] == stood, "none moves"
        assert not any(running(clocks))
    for (face, ran, _), shown in zip(before, stood, strict=True):
        # It stands at what was heard last: at most the five seconds before the cut.
        ran_on = seconds(face) - seconds(shown)
        assert -5 * SPEED - 1 <= ran_on <= 2 if ran else face == shown
    ages = [old for clocks in silent for _, _, old in clocks if old]
    assert ages[0] != ages[-1], "and the age grows"
    return len(silent) // 20


async def test_a_cut_connection_stops_the_clocks(browser: Browser, doors: tuple[int, int]) -> None:
    samples, at, _ = await cut_for(browser, doors[0], 14)

    assert check_cut(samples, at) >= 5


@pytest.mark.slow
async def test_a_connection_cut_for_a_minute(browser: Browser, doors: tuple[int, int]) -> None:
    samples, at, _ = await cut_for(browser, doors[0], 60)

    print(f"{check_cut(samples, at)} seconds in which no clock moved")
