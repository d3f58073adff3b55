"""An arbiter's round on a real hall: boards on emulated wires, the service, its broker's payloads,
two tablets. From an illegal move on the wire to what became of it in the journal."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from browser.picture import hall as simulated_hall
from browser.test_times import says, started

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.slow, pytest.mark.timeout(400)]

WAIT_MS = 180_000
ILLEGAL = ".alert:not(.together):has(.line:text-matches('illegal move', 'i')):has-text('Go now')"


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def address() -> AsyncIterator[str]:
    async with simulated_hall() as found:
        yield found


async def tablet(browser: Browser, address: str, name: str, size: tuple[int, int]) -> Page:
    context = await browser.new_context(
        viewport={"width": size[0], "height": size[1]}, has_touch=True
    )
    await context.add_init_script(f"localStorage.setItem('arbiterd.name', '{name}')")
    page = await context.new_page()
    await page.goto(address)
    await page.wait_for_selector(".alerts")
    return page


def told(address: str, table: str, ruling: str) -> list[dict[str, Any]]:
    """Every revision of a ruling, out of the journal."""
    found: list[dict[str, Any]] = []
    after = 0
    while True:
        url = f"{address}api/v1/tables/{table}/timeline?after={after}"
        events = json.load(urlopen(url))["events"]
        if not events:
            return found
        after = events[-1]["payload"]["seq"]
        found += [one["payload"] for one in events if one["payload"].get("id") == ruling]


def act(address: str, table: str, command: dict[str, Any]) -> dict[str, Any]:
    body = json.dumps({"by": "Ana", **command}).encode()
    url = f"{address}api/v1/tables/{table}/commands"
    request = Request(url, body, {"Content-Type": "application/json"})
    answer: dict[str, Any] = json.load(urlopen(request))
    return answer


async def test_an_illegal_move_is_decided_by_touch_with_one_step_changed(
    browser: Browser, address: str
) -> None:
    ana = await tablet(browser, address, "Ana", (768, 1024))
    luis = await tablet(browser, address, "Luis", (390, 844))
    alert = ana.locator(ILLEGAL).first
    await alert.wait_for(timeout=WAIT_MS)
    link = alert.locator("header a")
    _, _, table, ruling = (await link.get_attribute("href") or "").split("/")
    other = luis.locator(f'.alert a[href="#/table/{table}/{ruling}"]')
    await expect(other).to_have_count(1)

    await link.tap()
    steps = ana.locator(".steps")
    await expect(steps.get_by_role("button", name="confirm")).to_be_enabled(timeout=20_000)
    await expect(steps.locator(".restore .diagram").first).to_be_visible()
    time = steps.get_by_role("button", name="30 s more").last
    changes = await time.count() > 0
    if changes:
        await time.tap()
        await expect(steps.get_by_role("button", name="Done so – confirm")).to_be_enabled()
    else:
        await steps.get_by_role("button", name="Leave out").first.tap()
    await steps.get_by_label("Reason").fill("seen myself")
    await steps.get_by_role("button", name="Done so – confirm").tap()
    sure = ana.get_by_role("dialog").get_by_role("button", name="Confirm, withdraw")
    undo = ana.locator(".undo")
    await expect(sure.or_(undo)).to_be_visible()
    if await sure.count():
        await sure.tap()
    await expect(undo).to_contain_text("Confirmed")
    await expect(other).to_have_count(0)

    *_, last = told(address, table, ruling)
    assert last["state"] == "confirmed"
    assert (last["ack"]["by"], last["ack"]["reason"]) == ("Ana", "seen myself")
    first = told(address, table, ruling)[0]
    if changes:
        before, after = (one["proposal"]["clock_delta_ms"] for one in (first, last))
        assert sum(after.values()) == sum(before.values()) + 30_000
    await ana.context.close()
    await luis.context.close()


async def test_a_claim_of_repetition_shows_the_positions(browser: Browser, tmp_path: Path) -> None:
    """A table without a board: knights go out and back, then White claims."""
    file = tmp_path / "arbiterd.toml"
    file.write_text(
        '[journal]\npath = "journal.db"\n[mqtt]\nlisten = "127.0.0.1:0"\n'
        '[http]\nlisten = "127.0.0.1:0"\n[[tables]]\ntable = "1"\nruleset = "chess"\n'
    )
    async with started("run", "--config", file) as service:
        address = await says(service, "page")
        page = await tablet(browser, address, "Ana", (1024, 768))
        await page.wait_for_selector(".card")
        for number, move in enumerate(["Nf3", "Nf6", "Ng1", "Ng8"] * 2):
            said = {"action": "set-move", "op": "insert", "move": move, "id": f"m{number}"}
            assert (await asyncio.to_thread(act, address, "1", said))["ok"], move
        await page.goto(f"{address}#/table/1")
        await page.get_by_role("button", name="Act …").tap()
        sheet = page.get_by_role("dialog")
        await sheet.get_by_role("button", name="Claim", exact=True).tap()
        await sheet.get_by_role("button", name="Threefold repetition").tap()
        await sheet.get_by_role("button", name="White", exact=True).tap()
        await sheet.get_by_role("button", name="Do it").tap(timeout=20_000)
        await expect(page.locator(".undo")).to_be_visible(timeout=20_000)
        await page.locator(".ruling", has_text="Threefold").first.tap()
        await expect(page.locator(".evidence .occurrences li")).to_have_count(3)
        await page.context.close()
