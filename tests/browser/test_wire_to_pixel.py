"""How long after the last byte on the wire an illegal move is seen on the page, among 64 tables.

    pytest -m slow -s tests/browser/test_wire_to_pixel.py

An illegal move is pressed at one table after another, while the others play on at blitz pace:

    last byte of the press ─▶ its row in the service ─▶ the ruling may be told
        ─▶ it is at the tablet: by the table, the disk, the stream ─▶ in the frame that shows it

What is waited before it may be told is waited on purpose (`tracking/press_waits.py`): here until
the board, asked for the whole of itself, has shown that nothing more can come.
"""

from __future__ import annotations

import asyncio
from datetime import datetime
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import pytest
from playwright.async_api import Browser

from browser.floor import Floor, floor
from browser.test_at_the_board import LYING, illegal_move, opened, tablet

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.slow,
    pytest.mark.timeout(400),
]

TABLES = 64
ASKED = 32
"""Tables with an illegal move; the others play on."""
TARGET_MS = 300
LATE_MS = 500
THINK_S = 1.0
"""At the others, between two half-moves of a table; a hand is on its way for a moment besides."""

# When a ruling came to the tablet, and the frame in which it was drawn: looked for in every frame
# before it is painted.
WATCH = """() => {
    window.came = {};
    window.first = {};
    const Plain = window.EventSource;
    window.EventSource = class extends Plain {
        constructor(...all) {
            super(...all);
            this.addEventListener("rulings", (event) => {
                window.came[JSON.parse(event.data).id] ??= Date.now();
            });
        }
    };
    const look = () => {
        for (const link of document.querySelectorAll(".alert header a"))
            window.first[link.getAttribute("href").split("/").at(-1)] ??= Date.now();
        requestAnimationFrame(look);
    };
    look();
}"""
STATIONS = (
    "last byte of the press to its row",
    "its row to the moment from which it may be told",
    "that moment to the tablet: table, disk, stream",
    "at the tablet, to the frame that shows it",
)


async def play_on(hall: Floor, tables: range) -> None:
    """Knights go out and back at each of these tables, and each clock is pressed."""

    async def play(table: str) -> None:
        board = hall.boards[table]
        await asyncio.sleep(THINK_S * int(table) / len(tables))
        await board.begin()
        for turn in range(1000):
            await board.move((("b1c3", "c3b1"), ("b8c6", "c6b8"))[turn % 2][turn // 2 % 2])
            await asyncio.sleep(THINK_S)

    await asyncio.gather(*(play(str(table)) for table in tables))


def ms(at: str) -> float:
    return datetime.fromisoformat(at).timestamp() * 1000


async def read_ms(hall: Floor, table: str, ruling: dict[str, Any]) -> float:
    """When the service had read the newest message of the clock that the ruling rests on."""
    first, last = ruling["evidence"]["from"], ruling["evidence"]["to"]
    inputs = (await hall.ask(f"tables/{table}/inputs?from={first}&to={last}"))["inputs"]
    return ms([one for one in inputs if one["kind"] == "ClockReading"][-1]["at"])


def told(what: str, times: list[float]) -> None:
    print(f"{what}: median {median(times):.0f} ms, 95th percentile {late(times):.0f} ms")


def late(times: list[float]) -> float:
    """The 95th percentile."""
    return quantiles(times, n=20)[-1]


async def test_an_illegal_move_is_seen_soon_after_its_last_byte(
    browser: Browser, tmp_path: Path
) -> None:
    async with floor(tmp_path, TABLES) as hall:
        page = await tablet(browser, hall.address, "Ana", LYING)
        await page.add_init_script(f"({WATCH})()")
        await page.reload()
        await page.wait_for_selector(".link.live")
        others = asyncio.create_task(play_on(hall, range(ASKED + 1, TABLES + 1)))
        ways: list[tuple[float, ...]] = []
        for table in map(str, range(1, ASKED + 1)):
            board = hall.boards[table]
            await illegal_move(board)
            id_ = await opened(hall, table)
            await page.wait_for_function("id => window.first[id]", arg=id_)
            came, drawn = await page.evaluate("id => [window.came[id], window.first[id]]", id_)
            ruling = next(one for one in hall.told(f"tables/{table}/rulings") if one["id"] == id_)
            read = await read_ms(hall, table, ruling)
            ways.append((board.line.turned_ms, read, ms(ruling["at"]), came, drawn))
        others.cancel()
        await page.context.close()

    for station, what in enumerate(STATIONS):
        told(what, [way[station + 1] - way[station] for way in ways])
    whole = [way[-1] - way[0] for way in ways]
    told("last byte of the press to the page", whole)
    assert median(whole) < TARGET_MS
    assert late(whole) < LATE_MS
