"""The picture of the README, taken of the product as it runs.

    PYTHONPATH=tests python -m browser.picture FILE

Starts the simulated hall, waits in Chromium until there is something to see (games under way, an
illegal move to go to at once and another alert), takes the picture, and prints what the alerts say.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from playwright.async_api import TimeoutError as PlaywrightTimeout
from playwright.async_api import async_playwright

from browser.chromium import FLAGS, program

ARBITERD = (sys.executable, "-c", "from arbiterd.cli import main; main()")
SPEEDS = (5, 3, 2)
"""At 20 a busy machine that stalls for a sixth of a second is a board that says nothing for three:
boards are lost, clock times jump, and the games are over before there is anything else to see.
A busier one may miss the moment at 5 as well; then another, slower hall begins."""
WIDTH, HEIGHT = 1440, 900
GAMES_MS = 400_000
"""After so much of its own time most games of a hall are over."""
WORTH_SEEING = """() => {
    const count = (where) => document.querySelectorAll(where).length;
    const urgent = [...document.querySelectorAll('.alert.u1 .line')].map((one) => one.textContent);
    return urgent.some((text) => text.includes('illegal move'))
        && count('.alert') >= 3
        && count('.card .clock.running') >= 5 && count('.ill') === 0
        && !document.body.textContent.includes('Board lost');
}"""


@asynccontextmanager
async def hall(speed: int) -> AsyncIterator[str]:
    """A simulated hall of its own; gives the address of its page."""
    with tempfile.TemporaryDirectory() as state:
        process = await asyncio.create_subprocess_exec(
            *ARBITERD, "run", "--speed", str(speed),
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
            env=os.environ | {"XDG_STATE_HOME": state},
        )  # fmt: skip
        assert process.stdout is not None
        try:
            async for line in process.stdout:
                if line.startswith(b"page"):
                    yield line.split()[1].decode()
                    break
        finally:
            process.send_signal(signal.SIGTERM)
            await process.communicate()


async def take(file: str) -> list[str]:
    """Writes the picture; gives what the alerts on it say."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=program(), args=FLAGS)
        page = await browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        for speed in SPEEDS:
            async with hall(speed) as address:
                await page.goto(address)
                with suppress(PlaywrightTimeout):
                    await page.wait_for_function(WORTH_SEEING, timeout=GAMES_MS / speed, polling=50)
                    await page.screenshot(path=file)
                    return await page.locator(".alert .line").all_text_contents()
    raise AssertionError(f"no moment worth seeing in {len(SPEEDS)} halls")


if __name__ == "__main__":
    print("\n".join(asyncio.run(take(sys.argv[1]))))
