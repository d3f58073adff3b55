"""A phone in one hand: what lies where, and where one stands after a tap."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from arbiterd.outlets.http.server import serving
from browser.conftest import Hall
from browser.seen import first_alert
from paper.hall import AT
from paper.many import fill_many

pytestmark = pytest.mark.asyncio(loop_scope="module")

READ = [
    ("1:23:45", "1 h 23 min 45 s"),
    ("1.02.03", "1 h 2 min 3 s"),
    ("4,05", "4 min 5 s"),
    ("90", "1 min 30 s"),
    ("90:00", "1 h 30 min"),
    ("0:00", "0 s"),
    ("99:59:59", "99 h 59 min 59 s"),
]
"""What may be written for a time of a clock, and how it is read."""
UNREAD = ["-5", "1:60", "5:", "1:2:3:4", "100:00:00", "one hour"]
SCREEN = {"viewport": {"width": 390, "height": 844}, "is_mobile": True}

COVERED = """() => {
    const small = document.querySelector(".undo.small");
    const { left, right, top, bottom } = small.getBoundingClientRect();
    small.style.visibility = "hidden";
    const found = new Set();
    for (const x of [left, (left + right) / 2, right])
        for (const y of [top, (top + bottom) / 2, bottom])
            found.add(document.elementFromPoint(x, y)?.closest("button, a, input, label, select"));
    small.style.visibility = "";
    return [...found].filter(Boolean).map((one) => one.textContent.trim() || one.name);
}"""
"""What could be tapped where the small button lies that undoes."""

WORDS_CUT = r"""(all) => all.flatMap((one) => {
    const text = one.querySelector("a")?.firstChild ?? one.firstChild;
    return [...(text?.data ?? "").matchAll(/\S+/g)].filter(({ 0: word, index }) => {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
    }).map(([word]) => word);
})"""
"""Words that stand on two lines."""

RING_CUT = """(field) => {
    const { outlineWidth, outlineOffset } = getComputedStyle(field);
    const ring = parseFloat(outlineWidth) + parseFloat(outlineOffset);
    const { left, right } = field.getBoundingClientRect();
    const within = field.closest(".asks").getBoundingClientRect();
    return Math.max(0, within.left - (left - ring), right + ring - within.right);
}"""
"""So many pixels of the line round a field that is typed into lie outside of what scrolls."""


async def test_the_small_button_that_undoes_covers_nothing_that_is_tapped(
    hall, handheld: Page
) -> None:
    await first_alert(handheld).get_by_role("button", name="On my way").tap()
    await expect(handheld.locator(".undo")).to_be_visible()
    await first_alert(handheld).locator("header a").tap()
    await expect(handheld.locator(".steps .yes")).to_be_enabled()
    await expect(handheld.locator(".undo.small")).to_be_visible()
    last = await handheld.evaluate("document.documentElement.scrollHeight - innerHeight")
    for at in range(0, last, 200):
        await handheld.evaluate("at => scrollTo(0, at)", at)
        assert await handheld.evaluate(COVERED) == [], f"scrolled to {at}"


async def test_who_has_decided_stands_at_the_top_again(hall, handheld: Page) -> None:
    await first_alert(handheld).locator("header a").tap()
    done = handheld.locator(".steps .yes")
    await expect(done).to_be_enabled()
    await handheld.evaluate("scrollTo(0, 600)")
    await done.tap()
    await expect(handheld.locator(".undo")).to_contain_text("Confirmed")
    assert await handheld.evaluate("scrollY") == 0


async def test_what_is_put_off_says_when_it_comes_back(hall, handheld: Page) -> None:
    await first_alert(handheld).get_by_role("button", name="Put off").tap()
    await expect(handheld.locator(".undo")).to_contain_text("Table 3 put off for 5 min")
    until = datetime.fromisoformat(AT) + timedelta(minutes=5)
    ruling = hall.live.decoded("tables/3/rulings/3-0017")
    hall.live.retain("tables/3/rulings/3-0017", ruling | {"shelved_until": until.isoformat()})

    await handheld.get_by_role("button", name="1 put off").tap()
    shelf = handheld.locator(".lane .alert")
    at = await handheld.evaluate(
        "at => new Date(at).toLocaleTimeString('en', { hourCycle: 'h23', timeStyle: 'medium' })",
        until.isoformat(),
    )
    await expect(shelf).to_contain_text(f"Comes back at {at}")


async def test_a_table_begins_at_its_top_and_the_hall_is_found_where_it_was(
    browser: Browser,
) -> None:
    hall = Hall()
    fill_many(hall.live, 64)
    page = await browser.new_page(viewport={"width": 390, "height": 844})
    async with serving(hall.live_app(), "127.0.0.1", 0) as address:
        await page.goto(address)
        await page.locator(".tabs button").last.click()
        await page.get_by_role("button", name="Boards", exact=True).click()
        card = page.locator('a.card[href="#/table/20"]')
        await card.scroll_into_view_if_needed()
        was = await page.evaluate("scrollY")
        assert was > 844
        await card.click()
        await expect(page.locator(".table h1")).to_have_text("Table 20")
        assert await page.evaluate("scrollY") == 0
        await page.locator("a.back").click()
        await expect(card).to_be_in_viewport()
    await page.close()


async def test_what_decides_stays_where_it_is_while_an_act_is_filled_in(
    hall, handheld: Page
) -> None:
    """A thumb above *Do it* does not land beside it: what it would do comes a moment later."""
    await handheld.goto(f"{hall.address}#/table/3")
    await handheld.get_by_role("button", name="Act …").tap()
    await handheld.get_by_role("button", name="Claim", exact=True).tap()
    sheet = handheld.get_by_role("dialog")
    does = sheet.get_by_role("button", name="Do it")
    first = await does.bounding_box()
    await handheld.get_by_role("button", name="Fifty moves").tap()
    await handheld.get_by_role("button", name="Black", exact=True).tap()
    await expect(sheet.locator(".preview")).to_contain_text("No half-move is withdrawn.")
    assert await does.bounding_box() == first
    await handheld.get_by_role("button", name="Other acts").tap()
    await handheld.get_by_role("button", name="Position", exact=True).tap()
    assert await does.bounding_box() == first, "the longest of the sheets"


async def test_a_long_name_without_a_break_stays_on_the_page(hall, handheld: Page) -> None:
    state = hall.live.decoded("tables/3/state")
    hall.live.retain("tables/3/state", state | {"white": "Wolfeschlegelsteinhausenbergerdorff" * 2})
    await handheld.goto(f"{hall.address}#/players")
    await expect(handheld.locator("th", has_text="Wolfe")).to_be_visible()
    wide = "all => all.filter(one => one.scrollWidth > one.clientWidth).length"
    assert await handheld.locator(".scrolls, html").evaluate_all(wide) == 0


async def test_a_long_name_of_the_hall_takes_one_line(hall, browser: Browser) -> None:
    """It took two on a Spanish phone, and the bar over every page was 103 px high."""
    for topic in hall.live.retained():
        if topic.endswith("/state"):
            name = {"hall": "campeonato-provincial-de-santiago-2026-b"}
            hall.live.retain(topic, hall.live.decoded(topic) | name)
    page = await browser.new_page(viewport={"width": 390, "height": 844}, locale="es-ES")
    await page.goto(hall.address)
    await expect(page.locator(".link")).to_have_text("En directo")

    name = await page.locator(".top .hall").bounding_box()
    sums = await page.locator(".top .sums").bounding_box()
    assert name is not None
    assert sums is not None
    assert name["height"] < 30
    assert name["x"] + name["width"] <= 390
    assert sums["y"] >= name["y"] + name["height"]
    await page.close()


async def test_a_result_that_stands_is_not_told_as_one_that_would_come(
    hall, handheld: Page
) -> None:
    """Setting a clock after the game was said to lead to the result that had long been there."""
    hall.live.retain("tables/1/state", hall.live.decoded("tables/1/state") | {"result": "1-0"})
    sheet = handheld.locator(".acts-sheet")
    for would, told in (("1-0", 0), ("0-1", 1)):
        hall.desk.would_end = would
        await handheld.goto(f"{hall.address}#/table/1")
        await handheld.reload()
        await handheld.get_by_role("button", name="Act …").click()
        await sheet.get_by_role("button", name="Clock").click()
        await expect(sheet.locator(".preview")).to_contain_text("No half-move is withdrawn.")
        await expect(sheet.get_by_text("The result would be")).to_have_count(told)


async def test_the_list_of_boards_breaks_no_word(hall, handheld: Page) -> None:
    """The heads of its columns, and the tables' names, were cut in two where it is narrow."""
    await handheld.set_viewport_size({"width": 360, "height": 640})
    await handheld.goto(f"{hall.address}?lang=es#/devices")
    heads = handheld.locator(".list th")
    await expect(heads.first).to_be_visible()

    assert await heads.evaluate_all(WORDS_CUT) == []


async def test_the_line_round_the_field_that_is_typed_into_is_whole(hall, handheld: Page) -> None:
    await handheld.goto(hall.address + "#/table/2")
    await handheld.get_by_role("button", name="Act …").tap()
    sheet = handheld.get_by_role("dialog")
    await sheet.get_by_role("button", name="Clock", exact=True).tap()
    for side in ("White", "Black"):
        field = sheet.get_by_label(side, exact=True)
        await field.focus()
        assert await field.evaluate("(field) => getComputedStyle(field).outlineStyle") == "solid"
        assert await field.evaluate(RING_CUT) == 0


async def clock_form(hall: Hall, page: Page) -> Locator:
    await page.goto(hall.address + "#/table/3")
    await page.get_by_role("button", name="Act …").tap()
    sheet = page.locator("dialog, [role=dialog]").last
    await sheet.get_by_role("button", name="Clock", exact=True).tap()
    await sheet.get_by_label("Black", exact=True).fill("10:00")
    return sheet


async def test_a_time_is_written_with_the_keys_a_telephone_has_and_shown_as_it_is_read(
    hall, handheld: Page
) -> None:
    """Keys for numbers have no colon, and who meant 90 minutes set a minute and a half unseen."""
    sheet = await clock_form(hall, handheld)
    white = sheet.get_by_label("White", exact=True)
    assert await white.get_attribute("inputmode") == "decimal"
    for written, shown in READ:
        await white.fill(written)
        await expect(sheet.get_by_role("status").first).to_have_text(shown)
        await expect(sheet.get_by_role("button", name="Do it")).to_be_enabled()
    await white.fill("1.02.03")
    await sheet.get_by_role("button", name="Do it").tap()
    await expect(handheld.locator(".undo")).to_be_visible()
    ((_, command, _),) = hall.desk.commands
    assert (command.white_ms, command.black_ms) == (3_723_000, 600_000)


async def test_what_is_no_time_of_a_clock_says_how_one_is_written(hall, handheld: Page) -> None:
    """The button was dead and nothing said why; beyond 99 hours the reason was a programmer's."""
    sheet = await clock_form(hall, handheld)
    for written in UNREAD:
        await sheet.get_by_label("White", exact=True).fill(written)
        await expect(sheet.get_by_role("status").first).to_have_text(
            "Write it as 1:23:45, 23:45 or 45"
        )
        await expect(sheet.get_by_role("button", name="Do it")).to_be_disabled()


async def test_an_address_that_is_no_page_shows_the_hall(hall, handheld: Page) -> None:
    """A mistyped one, or a bookmark of a page that is no more, showed nothing at all."""
    await handheld.goto(hall.address + "#/rounds")

    await expect(handheld.locator(".card, .tile").first).to_be_visible()


async def test_why_an_undo_was_refused_breaks_no_word(hall, handheld: Page) -> None:
    """It stood in a column of three letters beside what was done and the buttons."""
    await first_alert(handheld).get_by_role("button", name="Dismiss").tap()
    hall.desk.refusal = "table 3 is being made again from the journal"
    bar = handheld.locator(".undo")
    await bar.get_by_role("button", name="Undo", exact=True).tap()
    await expect(bar.get_by_role("alert")).to_have_text(hall.desk.refusal)

    for text in (bar.locator("span").first, bar.get_by_role("alert")):
        box, whole = await text.bounding_box(), await bar.bounding_box()
        assert box is not None
        assert whole is not None
        assert box["width"] > 0.8 * whole["width"]
        assert whole["x"] >= 0
