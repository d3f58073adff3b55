"""The pictures of the page in `docs/pages`, taken of the page as it stands.

    PYTHONPATH=tests python -m browser.pictures FOLDER

Overlays are taken over a busy background, as a broadcast has one. Where `pngquant` is installed the
pictures are a third as heavy.
"""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.async_api import Browser, async_playwright

from arbiterd.outlets.http.server import serving
from browser.chromium import FLAGS, program
from browser.conftest import Hall
from browser.floor import floor
from browser.test_at_the_board import UPRIGHT, illegal_move, opened, tablet
from browser.test_looks import PLACES, shown
from browser.test_overlay import public_game
from paper.famous import LINES, played

BOARDS, PLAN = (".over .choice button:nth-child(2)",), (".over .choice button:nth-child(3)",)
TILES = (".over .choice button:nth-child(1)",)
PLACES |= {
    "hall-8-tiles": (8, "", TILES),
    "hall-8-boards": (8, "", BOARDS),
    "hall-8-plan": (8, "", PLAN),
    "hall-64-tiles": (64, "", TILES),
    "hall-64-boards": (64, "", BOARDS),
    "hall-64-plan": (64, "", PLAN),
    "hall-200-tiles": (200, "", TILES),
    "hall-200-boards": (200, "", BOARDS),
    "hall-200-plan": (200, "", PLAN),
}
PICTURES = {
    "hall-8-tiles": ("hall-8-tiles", "phone", "light", "es"),
    "hall-8-boards": ("hall-8-boards", "desk", "light", "en"),
    "hall-8-plan": ("hall-8-plan", "lying", "dark", "en"),
    "hall-64-tiles": ("hall-64-tiles", "upright", "dark", "es"),
    "hall-64-boards": ("hall-64-boards", "lying", "dark", "en"),
    "hall-64-plan": ("hall-64-plan", "lying", "hall", "en"),
    "hall-200-tiles": ("hall-200-tiles", "desk", "dark", "en"),
    "hall-200-boards": ("hall-200-boards", "desk", "light", "es"),
    "hall-200-plan": ("hall-200-plan", "desk", "dark", "en"),
    "inbox-calm": ("calm", "phone", "light", "en"),
    "inbox-busy": ("busy", "upright", "light", "en"),
    "inbox-busy-phone": ("busy", "phone", "dark", "es"),
    "inbox": ("inbox", "desk", "dark", "en"),
    "undo-phone": ("undo", "phone", "dark", "en"),
    "touched": ("touched", "upright", "dark", "en"),
    "ruling": ("ruling", "desk", "light", "en"),
    "ruling-phone": ("ruling", "phone", "dark", "es"),
    "claim": ("claim", "lying", "light", "en"),
    "fault": ("fault", "upright", "dark", "es"),
    "report": ("report", "phone", "light", "es"),
    "appeal": ("appeal", "desk", "light", "es"),
    "halls": ("halls", "desk", "dark", "en"),
    "halls-phone": ("halls", "phone", "light", "es"),
    "board": ("board", "phone", "dark", "en"),
    "cut": ("cut", "upright", "light", "en"),
    "stopped": ("stopped", "lying", "dark", "es"),
}
"""By the name of the file: the place, the size, the theme, the language."""
BUSY = "repeating-conic-gradient(#c33 0 9deg,#fc3 0 18deg,#295 0 27deg,#27c 0 36deg,#eee 0 45deg)"


def three_games() -> Hall:
    """Three games as the public sees them."""
    hall = Hall()
    for table in "123":
        board, _ = played(hall.live, table, LINES[table][2])
        public_game(hall, table, board.fen())
        topic = f"public/tables/{table}/state"
        clock = {"white_ms": 4_912_000, "black_ms": 1_234_000, "running": None, "flag": None}
        hall.gate.retain(topic, hall.gate.decoded(topic) | {"clock": clock, "simulated": False})
    return hall


async def overlay(browser: Browser, file: Path) -> None:
    """Three boards in a corner, over a background that has every colour."""
    hall = three_games()
    page = await browser.new_page(viewport={"width": 1280, "height": 720})
    async with serving(hall.public_app(), "127.0.0.1", 0) as address:
        await page.goto(
            f"{address}overlay/1,2,3?across=3&width=260&corner=bottom-right&margin=24&frame=yes"
            "&lang=es&show=clock,material"
        )
        await page.wait_for_selector(".overlay use")
        await page.evaluate("all => { document.documentElement.style.background = all }", BUSY)
        await page.screenshot(path=str(file))
    await page.close()


async def maker(browser: Browser, file: Path) -> None:
    """The page that writes the address of such an overlay."""
    page = await browser.new_page(viewport={"width": 1440, "height": 1000})
    async with serving(three_games().public_app(), "127.0.0.1", 0) as address:
        await page.goto(f"{address}overlays")
        for table in "23":
            await page.get_by_role("checkbox", name=table, exact=True).check()
        await page.get_by_label("in a frame").check()
        await page.get_by_label("Where").select_option("bottom-right")
        await page.locator(".shown .overlay").nth(2).wait_for()
        await page.wait_for_timeout(300)
        await page.screenshot(path=str(file))
    await page.close()


async def evidence(browser: Browser, file: Path) -> None:
    """What the sensors of an emulated board told of an illegal move, and the inputs under it."""
    with tempfile.TemporaryDirectory() as folder:
        async with floor(Path(folder), 1) as hall:
            await illegal_move(hall.boards["1"])
            ruling = await opened(hall, "1")
            page = await tablet(browser, hall.address, "Ana", UPRIGHT)
            await page.goto(f"{hall.address}#/table/1/{ruling}")
            await page.locator(".slider").wait_for()
            await page.locator(".evidence details").last.locator("summary").click()
            await page.locator(".slider h4").evaluate("it => it.scrollIntoView()")
            await page.mouse.wheel(0, -80)
            await page.wait_for_timeout(300)
            await page.screenshot(path=str(file))


async def take(folder: Path) -> None:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=program(), args=FLAGS)
        for name, (place, size, theme, language) in PICTURES.items():
            async with shown(browser, place, size, theme, language) as page:
                await page.screenshot(path=str(folder / f"{name}.png"))
        await overlay(browser, folder / "overlay.png")
        await maker(browser, folder / "overlay-maker.png")
        await evidence(browser, folder / "evidence.png")
        await browser.close()


def make_small(folder: Path) -> None:
    """With 64 colours each, if there is a program for it."""
    if shutil.which("pngquant"):
        command = ["pngquant", "--force", "--strip", "--ext", ".png", "64"]
        subprocess.run([*command, *folder.glob("*.png")], check=True)


if __name__ == "__main__":
    Path(sys.argv[1]).mkdir(parents=True, exist_ok=True)
    asyncio.run(take(Path(sys.argv[1])))
    make_small(Path(sys.argv[1]))
