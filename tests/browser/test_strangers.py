"""The programs of the docs that show others how: as they stand there, against a running service
whose people log in, from another origin than its own.
"""

from __future__ import annotations

import asyncio
import re
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from aiohttp import ClientSession, encode_basic_auth, web
from playwright.async_api import Browser, Page, expect

from arbiterd.outlets.http.server import serving
from browser.test_other_games import free_port

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.timeout(180)]

DOCS = Path(__file__).parents[2] / "docs"
ARBITERD = (sys.executable, "-c", "from arbiterd.cli import main; main()")
PASSWORD = "queen"
WAIT_MS = 30_000


@dataclass(frozen=True)
class House:
    """A running service with one table, and where the strangers' pages are served."""

    pages: str
    mqtt: int
    sockets: int
    http: int
    public: int
    folder: Path

    async def act(self, **said: object) -> str:
        """Ana at another tablet; the ruling that her act led to, or nothing."""
        url = f"http://127.0.0.1:{self.http}/api/v1/tables/1/commands"
        ana = {"Authorization": encode_basic_auth("ana", PASSWORD)}
        async with ClientSession(headers=ana) as http, http.post(url, json=said) as answer:
            told = await answer.json()
        assert told["ok"], told
        return str(told.get("ruling", ""))

    async def is_accused(self) -> str:
        return await self.act(action="report", kind="conduct-device", side="white")


@asynccontextmanager
async def served(folder: Path, allowed: bool) -> AsyncIterator[House]:
    """`allowed`: the pages' origin stands in the configuration."""
    app = web.Application()
    app.router.add_static("/", DOCS)
    async with serving(app, "127.0.0.1", 0) as pages:
        mqtt, sockets, http, public = (free_port() for _ in range(4))
        origins = f'origins = ["{pages.rstrip("/") if allowed else "http://127.0.0.1:1"}"]'
        lines = [
            '[hall]\nname = "main"',
            '[journal]\npath = "journal.db"',
            f'[http]\nlisten = "127.0.0.1:{http}"\n{origins}',
            f'[public]\nlisten = "127.0.0.1:{public}"\n{origins}',
            '[broadcast]\ndelay = "2s"',
            f'[mqtt]\nlisten = "127.0.0.1:{mqtt}"\nwebsocket = "127.0.0.1:{sockets}"\n{origins}',
            '[[people]]\nname = "ana"\npassword_file = "password"',
            '[[people]]\nname = "tv"\nrole = "viewer"\npassword_file = "password.2"',
            '[[tables]]\ntable = "1"\nruleset = "chess"\nwhite = "Lasker"\nblack = "Tarrasch"',
        ]
        (folder / "arbiterd.toml").write_text("\n".join(lines) + "\n")
        for name in ("password", "password.2"):
            (folder / name).write_text(f"{PASSWORD}\n")
            (folder / name).chmod(0o600)
        service = await asyncio.create_subprocess_exec(
            *ARBITERD, "run", "--config", folder / "arbiterd.toml", stdout=PIPE, stderr=DEVNULL
        )
        try:
            assert service.stdout is not None
            async for line in service.stdout:
                if line.startswith(b"more"):
                    break
            yield House(pages, mqtt, sockets, http, public, folder)
        finally:
            service.terminate()
            await service.wait()


async def tablet(browser: Browser, house: House, user: str) -> Page:
    page = await browser.new_page()
    page.on("dialog", lambda asked: asyncio.ensure_future(asked.accept(PASSWORD)))
    broker = f"ws://127.0.0.1:{house.sockets}/mqtt"
    await page.goto(f"{house.pages}tablet.html?broker={broker}&user={user}")
    return page


async def test_a_tablet_a_bot_and_an_overlay_do_their_work(
    browser: Browser, tmp_path: Path
) -> None:
    async with served(tmp_path, allowed=True) as house:
        await a_tablet_lists_confirms_and_is_refused(browser, house)
        await a_bot_says_rulings_and_hears_of_answers_and_refusals(house)
        await an_overlay_shows_what_the_delay_has_let_through(browser, house)


async def a_tablet_lists_confirms_and_is_refused(browser: Browser, house: House) -> None:
    page = await tablet(browser, house, "ana")
    await house.is_accused()
    alert, said = page.locator("#alerts li"), page.locator("#said")
    await expect(alert).to_contain_text("Table 1:", timeout=WAIT_MS)
    await alert.get_by_role("button").click()
    await expect(alert).to_have_count(0, timeout=WAIT_MS)
    await expect(said).to_have_text("Done.", timeout=WAIT_MS)

    await page.close()

    watching = await tablet(browser, house, "tv")
    ruling, alert = await house.is_accused(), watching.locator("#alerts li")
    await expect(alert).to_contain_text("Table 1:", timeout=WAIT_MS)
    await alert.get_by_role("button").click()
    await expect(watching.locator("#said")).to_contain_text("No answer yet", timeout=WAIT_MS)
    await house.act(action="dismiss", ruling=ruling)
    await expect(alert).to_have_count(0, timeout=WAIT_MS)
    await watching.close()


async def bot(house: House, user: str) -> Process:
    return await asyncio.create_subprocess_exec(
        sys.executable, DOCS / "bot.py", "--port", f"{house.mqtt}", "--user", user,
        "--password-file", house.folder / "password", stdin=PIPE, stdout=PIPE,
    )  # fmt: skip


async def until(chat: Process, words: str) -> str:
    """The line of the bot that has these words."""
    assert chat.stdout is not None
    async with asyncio.timeout(60):
        async for line in chat.stdout:
            if re.search(words, line.decode()):
                return line.decode()
    raise AssertionError(f"the bot never said {words!r}")


async def a_bot_says_rulings_and_hears_of_answers_and_refusals(house: House) -> None:
    chat = await bot(house, "ana")
    assert chat.stdin is not None
    ruling = await house.is_accused()
    await until(chat, f"^{ruling}: table 1, ")
    chat.stdin.write(f"confirm {ruling}\n".encode())
    said = {await until(chat, "^(done|decided)"), await until(chat, "^(done|decided)")}
    assert said == {"done\n", f"decided {ruling}\n"}
    chat.stdin.write(f"dismiss {ruling} it rang\n".encode())
    assert "refused: " in await until(chat, "^refused")
    chat.stdin.close()
    assert await asyncio.wait_for(chat.wait(), 30) == 0


async def an_overlay_shows_what_the_delay_has_let_through(browser: Browser, house: House) -> None:
    page = await browser.new_page()
    await page.goto(f"{house.pages}overlay.html?public=http://127.0.0.1:{house.public}")
    await expect(page.locator("#white")).to_have_text("Lasker", timeout=WAIT_MS)
    await expect(page.locator("#age")).to_have_text("2 s ago")
    await house.act(action="start-game", white="Lasker", black="Tarrasch")
    for ply, move in enumerate(("e4", "e5", "Nf3"), start=1):
        await house.act(action="set-move", op="insert", ply=ply, move=move)
    last = page.locator("#last")
    await expect(last).to_have_text(re.compile(r"^\s*2\.\s*Nf3\s*$"), timeout=WAIT_MS)
    await house.act(action="set-clock", white_ms=5_000_000, black_ms=61_000, running="black")
    await expect(page.locator("#white_ms")).to_have_text("1:23:20", timeout=WAIT_MS)
    await expect(page.locator("#black_ms")).to_have_text(re.compile("0:00:5"), timeout=WAIT_MS)
    # Its number is that of the position, and not of the entry: a game may begin anywhere.
    await house.act(action="start-game", fen="8/8/3k4/8/8/4K3/4P3/8 b - - 0 61")
    await house.act(action="set-move", op="insert", ply=1, move="Ke5")
    await expect(last).to_have_text(re.compile(r"^\s*61…\s*Ke5\s*$"), timeout=WAIT_MS)
    await house.act(action="start-game", ruleset="shogi")
    await house.act(action="set-move", op="insert", ply=1, move="7g7f")
    await expect(last).to_have_text(re.compile(r"^\s*1\.\s*P-7f\s*$"), timeout=WAIT_MS)
    await page.close()


async def test_from_an_origin_that_nobody_named_nothing_is_read(
    browser: Browser, tmp_path: Path
) -> None:
    async with served(tmp_path, allowed=False) as house:
        await house.is_accused()
        page = await tablet(browser, house, "ana")
        await expect(page.locator("#said")).to_contain_text("[mqtt] origins", timeout=WAIT_MS)
        await expect(page.locator("#alerts li")).to_have_count(0)
        await page.goto(f"{house.pages}overlay.html?public=http://127.0.0.1:{house.public}")
        await asyncio.sleep(3)
        assert await page.locator("#white").text_content() == ""
        await page.close()
