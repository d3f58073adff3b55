"""An organiser runs a round on the page of a real service, with a file beside its configuration."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, Route, expect

from arbiterd.config.model import Http
from arbiterd.config.values import Listen
from browser.seen import known
from service.conftest import CONFIG, _running

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture
def pairings(tmp_path: Path) -> str:
    (tmp_path / "round3.csv").write_text("table,white,black\n1,Ana,Bob\n2,Cy,Dee\n", "utf-8")
    return "round3.csv"


async def test_a_round_begins_changes_and_ends_on_the_page(
    tmp_path: Path, pairings: str, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    wanted = replace(CONFIG, http=Http(listen=Listen("127.0.0.1", 0)))
    async with _running(tmp_path / "journal.db", wanted) as house:
        context = await browser.new_context(viewport={"width": 400, "height": 860})
        page = await context.new_page()
        page.set_default_timeout(60_000)
        await page.goto(f"{house.service.addresses.page}#/round")
        acts, status = page.locator(".roundacts"), page.locator(".roundacts [role=status]")
        await acts.get_by_label("Round", exact=True).fill("3")
        await acts.get_by_placeholder("round3.trf").fill(pairings)
        await acts.get_by_role("button", name="Begin the round").click()
        # Under whose name: asked once.
        await page.locator("dialog input, [role=dialog] input").first.fill("ana")
        await page.keyboard.press("Enter")
        await status.locator("li, .good").first.wait_for()
        await house.until(lambda: house.broker.last("tables/1/state").get("white") == "Ana")

        await acts.get_by_label("Both tables").fill("1 2")
        await acts.get_by_role("button", name="Change it").click()
        await status.get_by_text("table 1: Cy – Dee").wait_for()

        await acts.get_by_label("Late change").select_option("delay")
        await acts.get_by_label("Minutes").fill("20")
        await acts.get_by_label("Tables (none: all)").fill("2")
        await acts.get_by_role("button", name="Change it").click()
        await status.get_by_text("table 2: what is public is 20 minutes behind").wait_for()

        await acts.get_by_role("button", name="End the round").click()
        await status.get_by_text("table 1: no result").wait_for()
        await acts.get_by_label("Why it is done all the same").fill("broken off")
        await acts.get_by_role("button", name="End the round").click()
        await status.locator("li").first.wait_for()
        assert await page.evaluate("document.documentElement.scrollWidth") <= 400
        await page.screenshot(path=str(tmp_path / "round.png"), full_page=True)
        await context.close()


async def test_results_that_are_missing_are_named_with_their_players(hall, page: Page) -> None:
    await page.goto(hall.address + "#/round")
    missing = page.locator(".findings li", has=page.locator('a[href="#/table/1"]'))
    await expect(missing).to_have_text("Table 1 Morphy – Duke of Brunswick · Playing")


async def test_a_reason_goes_with_what_it_was_asked_for_alone(hall, page: Page) -> None:
    """Of a round begun all the same it ended the round too, at one tap and with games open."""
    await known(page)
    await page.goto(hall.address + "#/round")
    acts, why = page.locator(".roundacts"), page.get_by_label("Why it is done all the same")
    begin = acts.get_by_role("button", name="Begin the round")
    end = acts.get_by_role("button", name="End the round")
    hall.desk.refusal = "play goes on at tables 1, 2"
    await begin.click()
    await why.fill("The wrong pairings")
    await end.click()
    await expect(end).to_be_enabled()
    await expect(why).to_have_value("")
    await begin.click()
    await expect(begin).to_be_enabled()
    await why.fill("The wrong pairings")
    hall.desk.refusal = ""
    await begin.click()
    await expect(why).to_have_count(0)
    await end.click()
    await expect(end).to_be_enabled()

    said = [(command.op, command.reason) for _, command, _ in hall.desk.commands]
    no = None
    assert said == [
        ("begin", no), ("end", no), ("begin", no), ("begin", "The wrong pairings"), ("end", no),
    ]  # fmt: skip


async def tables_come_late(page: Page) -> asyncio.Event:
    """The page's stream begins once this is set."""
    late = asyncio.Event()

    async def held(route: Route) -> None:
        await late.wait()
        await route.continue_()

    await page.route("**/api/v1/events", held)
    return late


async def test_a_page_that_is_opened_at_the_round_knows_which_it_is(hall, browser: Browser) -> None:
    """Where the tables came after the page it said 1, and so it would have been ended or begun."""
    for table in "12":
        now = hall.live.decoded(f"tables/{table}/state")
        hall.live.retain(f"tables/{table}/state", {**now, "round": 5})
    page = await browser.new_page()
    late = await tables_come_late(page)
    await page.goto(hall.address + "#/round")
    number = page.get_by_label("Round", exact=True)
    await number.wait_for()
    late.set()

    await expect(number).to_have_value("5")
    await number.fill("")
    await expect(number).to_have_value("")
    await page.close()


async def test_a_page_that_is_opened_at_the_alerts_of_an_hour_counts_them(
    hall, browser: Browser
) -> None:
    """Where the tables came after the page it said that there had been none."""
    page = await browser.new_page()
    late = await tables_come_late(page)
    await page.goto(hall.address + "#/load")
    await expect(page.get_by_role("heading", name="Alerts an hour")).to_be_visible()
    late.set()
    await page.locator(".link.live").wait_for()

    await expect(page.get_by_role("row", name="Go now")).to_have_text("Go now2")
    await page.close()
