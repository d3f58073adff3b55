"""How long after the last byte on the wire an illegal move is seen on the page, among 64 tables.

    pytest -m slow -s tests/browser/test_wire_to_pixel.py

The service waits on purpose before it accuses anybody: a piece set down just before the press may
arrive after it. That wait (`tracking/tracker.py`) is the same on any machine, and is printed apart.
"""

from __future__ import annotations

import asyncio
from datetime import datetime
from pathlib import Path
from statistics import median, quantiles

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

# In every frame: which alerts are drawn that were not in the frame before.
WATCH = """() => {
    window.first = {};
    const look = () => {
        for (const link of document.querySelectorAll(".alert header a"))
            window.first[link.getAttribute("href")] ??= Date.now();
        requestAnimationFrame(look);
    };
    look();
}"""


async def play_on(hall: Floor, tables: range) -> None:
    """Knights go out and back, at one table after another."""
    white, black = ("b1c3", "c3b1"), ("b8c6", "c6b8")
    boards = [hall.boards[str(table)] for table in tables]
    for board in boards:
        await board.begin()
    for turn in range(1000):
        for board in boards:
            await board.move((white, black)[turn % 2][turn // 2 % 2])


async def test_an_illegal_move_is_seen_soon_after_its_last_byte(
    browser: Browser, tmp_path: Path
) -> None:
    async with floor(tmp_path, TABLES) as hall:
        page = await tablet(browser, hall.address, "Ana", LYING)
        await page.evaluate(WATCH)
        others = asyncio.create_task(play_on(hall, range(ASKED + 1, TABLES + 1)))
        waited, seen = [], []
        for table in map(str, range(1, ASKED + 1)):
            board = hall.boards[table]
            await illegal_move(board)
            ruling = await opened(hall, table)
            link = f"#/table/{table}/{ruling}"
            await page.wait_for_function("link => window.first[link]", arg=link)
            drawn_ms: float = await page.evaluate("link => window.first[link]", link)
            told = hall.told(f"tables/{table}/rulings")[0]
            told_ms = datetime.fromisoformat(told["at"]).timestamp() * 1000
            waited.append(told_ms - board.line.turned_ms)
            seen.append(drawn_ms - told_ms)
        others.cancel()
        await page.context.close()

    whole = [wait + then for wait, then in zip(waited, seen, strict=True)]
    for what, times in (
        ("last byte of the press to the page", whole),
        ("of that, waited on purpose", waited),
        ("from the moment it may be told to the page", seen),
    ):
        print(f"{what}: median {median(times):.0f} ms, 95th percentile"
              f" {quantiles(times, n=20)[-1]:.0f} ms")  # fmt: skip
    assert median(seen) < TARGET_MS
