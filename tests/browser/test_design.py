"""The page of the parts: each part in each state, and only for whoever asked for it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from aiohttp.test_utils import TestClient, TestServer
from playwright.async_api import Browser, expect

from arbiterd.outlets.http.live import live_app
from arbiterd.outlets.http.server import serving
from browser.test_looks import OVERFLOW, barred

pytestmark = pytest.mark.asyncio(loop_scope="module")

PARTS = ["signs", "buttons", "clocks", "tiles", "cards", "inbox", "halls", "steps", "preview",
         "diagrams", "moves", "undo"]  # fmt: skip


async def test_every_part_is_shown_in_its_states(hall, browser: Browser, tmp_path: Path) -> None:
    app = live_app(replace(hall.live_side(), design=True))
    page = await browser.new_page(viewport={"width": 1280, "height": 900})
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    async with serving(app, "127.0.0.1", 0) as address:
        await page.goto(address + "design")
        await expect(page.locator(".part")).to_have_count(len(PARTS))
        parts = page.locator(".part > h2")
        assert await parts.all_text_contents() == PARTS
        await expect(page.locator("#tiles .tile")).to_have_count(14)
        await expect(page.locator("#inbox .together")).to_contain_text("4 tables")
        await expect(page.locator("#inbox .lane h3")).to_contain_text("Luis is on the way")
        await expect(page.locator("#inbox .age.standing")).to_have_count(1)
        heard = page.locator("#halls .one-hall h2 .link")
        told = [
            (await one.inner_text()).replace(";", ",").split(",")[0] for one in await heard.all()
        ]
        assert told[:2] == ["Live", "Live"]
        assert told[2:] == ["Cut off", "Its service is gone", "Never heard: not started"]
        await expect(page.locator("#halls .alert")).to_have_count(2)
        await expect(page.locator("#halls .alert .acts button")).to_have_count(4)
        await page.screenshot(path=str(tmp_path / "design.png"), full_page=True)
        assert await barred(page) == []
        await page.get_by_role("button", name="es", exact=True).click()
        await expect(page.locator("#inbox .lane h3")).to_contain_text("Luis va de camino")
        await expect(page.locator("#inbox .alert .line").first).to_contain_text("Jugada ilegal")
        assert await page.evaluate(OVERFLOW) == []
        await page.close()
    assert wrong == []


async def test_it_is_not_there_unless_asked_for(hall) -> None:
    async with TestClient(TestServer(live_app(hall.live_side()))) as client:
        assert (await client.get("/design")).status == 404
