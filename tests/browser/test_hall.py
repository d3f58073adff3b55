"""What an arbiter sees of the hall: its tables and clocks, as they change."""

from __future__ import annotations

import json

import pytest
from playwright.async_api import Browser, Page, expect

from browser.seen import card, first_alert
from paper.hall import START, state

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_the_hall_shows_every_table_with_its_clocks(hall, page: Page) -> None:
    await expect(page.locator(".card")).to_have_count(6)
    await expect(card(page, "1")).to_contain_text("Morphy")
    await expect(card(page, "1").locator(".clock.running")).to_have_count(1)
    await expect(card(page, "4")).to_contain_text("Board lost")
    await expect(card(page, "6")).to_contain_text("Not begun")
    await expect(page.locator(".top")).to_contain_text("6 tables, 5 playing")


AGAIN = "table 6 is being made again from its rows of the journal"


@pytest.mark.parametrize(("comes_back", "word"), [(True, "Catching up"), (False, "Stopped")])
async def test_a_table_that_does_not_follow_its_board_says_so_and_takes_no_acts(
    hall, page: Page, comes_back: bool, word: str
) -> None:
    clock = {"white_ms": 900_000, "black_ms": 800_000, "running": "white", "flag": None}
    playing = {"status": "playing", "clock": clock}
    still = state("6", attention=True, standing=AGAIN, comes_back=comes_back, **playing)
    hall.live.retain("tables/6/state", still)

    await expect(card(page, "6")).to_contain_text(word)
    await expect(card(page, "6").locator(".note")).to_contain_text("What its board shows is kept")
    await expect(card(page, "6").locator("svg.diagram")).to_have_count(0)
    await page.get_by_role("button", name="Tiles").click()
    await expect(page.locator('a.tile[href="#/table/6"]')).to_contain_text(word)

    await page.locator('a.tile[href="#/table/6"]').click()
    await expect(page.locator(".view.table .board .note")).to_contain_text(AGAIN)
    await expect(page.get_by_role("button", name="Act …")).to_have_count(0)
    # Nobody follows it, so its clock stands, with the age of what it shows.
    await expect(page.locator(".view.table .clock.running")).to_have_count(0)
    await expect(page.locator(".view.table .clock .old")).to_have_count(1)

    hall.live.retain("tables/6/state", state("6", **playing))
    await expect(page.locator(".view.table .clock.running")).to_have_count(1)
    await expect(page.get_by_role("button", name="Act …")).to_be_visible()
    await expect(page.locator(".view.table .board .note.still")).to_have_count(0)


async def test_a_simulated_hall_says_so_and_a_real_one_does_not(hall, page: Page) -> None:
    await expect(page.locator(".top .simulated")).to_be_visible()

    for table in "123456":
        said = hall.live.decoded(f"tables/{table}/state") | {"simulated": False}
        hall.live.retain(f"tables/{table}/state", said)

    await expect(page.locator(".top .simulated")).to_have_count(0)


async def test_a_move_arrives_while_one_looks(hall, page: Page) -> None:
    after = START.replace("PPPPPPPP/R", "PPPP1PPP/R").replace("8 w", "8 b")
    hall.live.retain(
        "tables/6/state",
        state("6", 1, fen=after, ply=1, turn="black", last_move="e2e4", status="playing"),
    )

    await expect(card(page, "6")).to_contain_text("e2–e4")
    await expect(page.locator(".top")).to_contain_text("6 playing")


async def test_a_running_clock_ticks_and_a_standing_one_does_not(hall, page: Page) -> None:
    running = card(page, "1").locator(".clock.running time")
    standing = card(page, "1").locator(".clock:not(.running) time")
    first, stood = await running.text_content(), await standing.text_content()

    await expect(running).not_to_have_text(first or "")

    assert (await running.text_content() or "") < (first or "")
    assert await standing.text_content() == stood


@pytest.mark.parametrize(
    ("flag", "says"), [("black", "Black’s flag down"), ("both", "Both flags down")]
)
async def test_where_a_flag_lies_nobody_plays(hall, page: Page, flag: str, says: str) -> None:
    said = hall.live.decoded("tables/1/state")
    said["clock"] |= {"flag": flag, "running": None}
    hall.live.retain("tables/1/state", said)

    await expect(card(page, "1").locator(".status")).to_have_text(says)
    await expect(page.locator(".top")).to_contain_text("6 tables, 4 playing")
    await page.goto(hall.address + "#/table/1")
    await expect(page.locator(".table .status")).to_have_text(says)


async def test_a_name_full_of_tags_is_only_a_name(hall, page: Page) -> None:
    tags = "<img src=x onerror=document.title='owned'>"
    hall.live.retain("tables/1/state", state("1", 4, white=tags))

    await expect(card(page, "1")).to_contain_text(tags)
    assert await page.locator(".card img").count() == 0


async def test_tiles_of_tables_with_labels_are_told_apart(hall, page: Page) -> None:
    """Board 1 and Board 2 had both been cut to Boa…"""
    await page.set_viewport_size({"width": 390, "height": 844})
    for table, label in (("1", "Board 1, stage"), ("2", "Bundesliga-Nord_0190")):
        told = json.loads(hall.live.retained()[f"tables/{table}/state"])
        hall.live.retain(f"tables/{table}/state", told | {"label": label})
    await page.locator(".tabs button").last.click()
    numbers = page.locator(".tile .number")
    await expect(numbers.nth(0)).to_have_text("Board 1, stage")
    await expect(numbers.nth(1)).to_have_text("Bundesliga-Nord_0190")

    cut = await numbers.evaluate_all(
        "all => all.filter(one => one.scrollWidth > one.clientWidth"
        " || one.scrollHeight > one.clientHeight + 1).map(one => one.textContent)"
    )

    assert cut == []


async def test_it_fits_a_tablet_held_upright(hall, browser: Browser) -> None:
    page = await browser.new_page(viewport={"width": 768, "height": 1024}, has_touch=True)
    await page.goto(hall.address)
    await first_alert(page).get_by_role("button", name="Confirm").tap()
    await expect(page.get_by_role("dialog")).to_be_visible()
    await page.get_by_role("button", name="Cancel").tap()

    for place in ("", "#/table/3"):
        await page.goto(hall.address + place)
        await page.wait_for_selector(".diagram")
        wide = await page.evaluate("document.documentElement.scrollWidth")
        assert wide <= 768
        small = await page.locator("button:visible").evaluate_all(
            "all => all.filter(b => b.getBoundingClientRect().height < 32).map(b => b.textContent)"
        )
        assert small == []
    await page.close()


@pytest.mark.parametrize("said", ["null", "[]", '{"1": 5}', '{"1": [5, "8px;"]}', "no plan"])
async def test_a_file_that_is_no_seating_plan_leaves_the_hall_as_it_stands(
    hall, page: Page, said: str
) -> None:
    await page.get_by_role("button", name="Plan").click()
    await page.get_by_role("button", name="Move the tables").click()
    plan, seat = page.locator(".seating input[type=file]"), page.locator(".seat")
    good = {"name": "good.json", "mimeType": "application/json", "buffer": b'{"1": [40, 60]}'}
    await plan.set_input_files([good])
    await expect(seat.first).to_have_attribute("style", "left: 40%; top: 60%;")

    await plan.set_input_files([{**good, "name": "bad.json", "buffer": said.encode()}])

    await expect(page.locator(".undo")).to_contain_text("bad.json is no seating plan")
    await page.reload()
    await expect(seat).to_have_count(6)
    await expect(seat.first).to_have_attribute("style", "left: 40%; top: 60%;")


async def test_times_of_the_day_are_those_of_the_halls_wall(hall, browser: Browser) -> None:
    """A tablet set to another zone told its own, beside sentences that have the hall's."""
    hall.zone = "Europe/Madrid"
    context = await browser.new_context(timezone_id="Asia/Tokyo")
    page = await context.new_page()
    await page.goto(hall.address + "#/table/3/3-0017")

    await expect(page.locator(".rulings .ruling small").first).to_have_text("15:03:22")
    hall.zone = ""  # Nobody says: then it is the tablet's.
    await page.reload()
    await expect(page.locator(".rulings .ruling small").first).to_have_text("23:03:22")
    await context.close()
