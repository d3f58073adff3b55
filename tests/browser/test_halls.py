"""The page of one hall shows the others of its event: two real services at one real broker."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from conftest import MOSQUITTO
from halls.event import Event, event

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.timeout(240)]
SOON_MS = 60_000
SignIn = Callable[[str], AbstractAsyncContextManager[Page]]


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Event]:
    if MOSQUITTO is None:
        pytest.skip("mosquitto is not installed; ./test installs it")
    with event(tmp_path_factory.mktemp("event")) as found:
        yield found


@pytest_asyncio.fixture(loop_scope="module")
async def at_main(browser: Browser, both: Event) -> AsyncIterator[SignIn]:
    @asynccontextmanager
    async def sign_in(name: str) -> AsyncIterator[Page]:
        said: Any = {"username": name, "password": f"of-{name}"}
        context = await browser.new_context(http_credentials=said)
        page = await context.new_page()
        page.set_default_timeout(SOON_MS)
        await page.goto(f"{both.halls['main'].page}/")
        await page.wait_for_selector(".top .who")
        yield page
        await context.close()

    yield sign_in


async def test_an_alert_next_door_is_seen_and_decided_here(both: Event, at_main: SignIn) -> None:
    north = both.halls["north"]
    async with at_main("ana") as page:
        await expect(page.locator(".elsewhere .count")).to_have_text("0")
        await asyncio.to_thread(north.reports, "2", 1)
        await expect(page.locator(".elsewhere .count")).to_have_text("1", timeout=SOON_MS)
        await page.locator(".elsewhere").click()

        card = page.locator(".halls .alert")
        await expect(card.locator("header a")).to_have_text("north · Table 2")
        address = await card.locator("header a").get_attribute("href")
        assert address is not None
        assert address.startswith(f"{north.page}/#/table/2/")
        await card.get_by_role("button", name="Confirm").click()
        await expect(page.locator(".undo")).to_contain_text("north · Confirmed", timeout=SOON_MS)
        await expect(card).to_have_count(0, timeout=SOON_MS)
        assert await asyncio.to_thread(north.rulings) == []

        await page.locator(".undo .back").click()
        await expect(card).to_have_count(1, timeout=SOON_MS)
        assert len(await asyncio.to_thread(north.rulings)) == 1


async def test_a_technician_sees_the_boards_of_all_halls_and_no_alert(
    both: Event, at_main: SignIn
) -> None:
    async with at_main("tom") as page:
        await page.locator(".elsewhere").click()
        await expect(page.locator(".one-hall h2")).to_contain_text("Live", timeout=SOON_MS)
        await expect(page.locator(".one-hall .sums")).to_contain_text("2 tables")
        await expect(page.locator(".alert")).to_have_count(0)
        await expect(page.get_by_text("Alerts of the other halls")).to_have_count(0)


async def test_a_hall_that_is_cut_off_is_old_and_says_since_when(
    both: Event, at_main: SignIn
) -> None:
    # An act is done once for its id, so this waits there whether or not the first test ran.
    await asyncio.to_thread(both.halls["north"].reports, "2", 1)
    async with at_main("ana") as page:
        await page.goto(f"{both.halls['main'].page}/#/halls")
        card = page.locator(".halls .alert")
        await expect(card.get_by_role("button", name="Dismiss")).to_be_visible(timeout=SOON_MS)
        await asyncio.to_thread(both.broker.stop)
        try:
            told = page.locator(".one-hall h2 .link")
            await expect(told).to_contain_text("Cut off; last heard at", timeout=SOON_MS)
            await expect(card).to_have_count(1)
            await expect(card.get_by_role("button")).to_have_count(0)
            await expect(page.get_by_text("this may be decided already")).to_be_visible()
            await expect(page.locator(".top .link").first).to_have_text("Live")
        finally:
            await asyncio.to_thread(both.broker.start)
        await expect(told).to_contain_text("Live, heard", timeout=SOON_MS)
        await expect(card.get_by_role("button", name="Dismiss")).to_be_visible(timeout=SOON_MS)
