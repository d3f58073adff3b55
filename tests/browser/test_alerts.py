"""The list of what waits for an arbiter: its order, and what it takes a tap for."""

from __future__ import annotations

import asyncio

import pytest
from playwright.async_api import Page, expect

from arbiterd.messages.commands import Command
from browser.seen import known
from paper.hall import ruling
from paper.trouble import calm

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_alerts_stand_by_urgency_and_then_the_newest_first(hall, page: Page) -> None:
    tables = page.locator(".alert header a")

    await expect(tables).to_have_text(["Table 3", "Table 5", "Table 2"])

    said = ruling("1", 15, "flag-last-period", 1, "Flag.", at="2026-11-21T14:09:00.000Z")
    hall.live.retain("tables/1/rulings/1-0015", said)
    await expect(tables).to_have_text(["Table 1", "Table 3", "Table 5", "Table 2"])


async def test_notes_are_counted_apart_from_what_calls(hall, page: Page) -> None:
    title = page.locator(".alerts h2")
    await expect(title).to_have_text("Alerts 2 + 1 note")
    for table, number in (("3", "0017"), ("5", "0015")):
        hall.live.clear(f"tables/{table}/rulings/{table}-{number}")
    await expect(title).to_have_text("Alerts 1 note")
    calm(hall.live)
    await expect(title).to_have_text("Alerts 0")


async def test_many_notes_do_not_hide_what_is_urgent(hall, page: Page) -> None:
    for number in range(40, 43):
        said = ruling("1", number, "move-next-without-press", 3, "Note.")
        hall.live.retain(f"tables/1/rulings/{said['id']}", said)

    notes = page.get_by_role("button", name="Show 4 notes")
    await notes.click()
    await expect(page.locator(".alert")).to_have_count(6)
    await page.get_by_role("button", name="Fold 4 notes").click()
    await expect(page.locator(".alert")).to_have_count(2)
    await expect(page.locator(".alerts .count")).to_have_text("2")

    for _ in range(3):
        await page.keyboard.press("j")
    await expect(page.locator(".alert.chosen.u3")).to_have_count(1)


async def test_boards_that_fail_together_are_one_entry_and_what_players_do_is_not(
    hall, page: Page
) -> None:
    for table in "124":
        for number, kind in ((50, "tech-board-lost"), (60, "clock-paused-by-player")):
            said = ruling(table, number, kind, 2, f"{kind} {table}")
            hall.live.retain(f"tables/{table}/rulings/{said['id']}", said)

    together = page.locator(".alert.together")
    await expect(together).to_have_count(1)
    await expect(together).to_contain_text("3 tables")
    await expect(page.locator(".alert:has-text('clock-paused')")).to_have_count(3)

    await known(page)
    await together.get_by_role("button", name="Dismiss all").click()
    await expect(page.locator(".undo")).to_be_visible()
    async with asyncio.timeout(60):  # One after the other, as the tables answer.
        while len(hall.desk.commands) < 3:  # noqa: ASYNC110 (it is on paper)
            await asyncio.sleep(0.02)
    told = {(table, said.action) for table, said, _ in hall.desk.commands}
    assert told == {("1", "dismiss"), ("2", "dismiss"), ("4", "dismiss")}

    # What one tap did, one tap undoes: at every table, and not at the last alone.
    await page.locator(".undo").get_by_role("button", name="Undo").click()
    await expect(page.locator(".undo")).to_have_count(0)
    done = {(table, said.id) for table, said, _ in hall.desk.commands if said.action == "dismiss"}
    undone = [(table, said.of) for table, said, _ in hall.desk.commands if said.action == "undo"]
    assert sorted(undone) == sorted(done)


async def test_what_was_done_before_one_was_refused_is_undone_with_one_tap(
    hall, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    for table in "124":
        said = ruling(table, 50, "tech-board-lost", 2, "The board is lost.")
        hall.live.retain(f"tables/{table}/rulings/{said['id']}", said)
    submit = hall.desk.submit

    async def refuses(table: str, command: Command, user: str) -> bytes:
        closed = table == "2" and command.action == "dismiss"
        hall.desk.refusal = "the ruling is closed already" if closed else ""
        return await submit(table, command, user)

    monkeypatch.setattr(hall.desk, "submit", refuses)
    await known(page)
    await page.get_by_role("button", name="Dismiss all").click()

    bar = page.locator(".undo.wrong")
    await expect(bar).to_contain_text("closed already")
    done = [(table, said.id) for table, said, _ in hall.desk.commands if table != "2"]
    assert done
    await expect(bar).to_contain_text(f"({', '.join(table for table, _ in done)})")
    await bar.get_by_role("button", name="Undo").click()
    await expect(page.locator(".undo")).to_have_count(0)
    undone = [(table, said.of) for table, said, _ in hall.desk.commands if said.action == "undo"]
    assert undone == done


async def test_an_address_that_is_none_breaks_nothing(hall, page: Page) -> None:
    await page.evaluate("location.hash = '#/table/%'")
    await expect(page.locator("main")).to_contain_text("%")
    await page.evaluate("location.hash = '#/table/3'")
    await expect(page.locator(".table h1")).to_have_text("Table 3")


async def test_a_ruling_closed_elsewhere_is_gone_from_the_list(hall, page: Page) -> None:
    await page.goto(hall.address + "#/table/3/3-0017")
    await expect(page.locator(".steps")).to_be_visible()
    hall.live.clear("tables/3/rulings/3-0017")

    await expect(page.locator(".steps")).to_have_count(0)
    await expect(page.locator(".alert")).to_have_count(2)


async def test_everything_can_be_done_by_keys(hall, page: Page) -> None:
    await known(page)
    await expect(page.get_by_role("button", name="Confirm")).to_have_count(3)  # It may act.
    for key in ("j", "j", "c"):
        await page.keyboard.press(key)
    await expect(page.locator(".undo")).to_contain_text("Confirmed: White touched the knight")

    await page.keyboard.press("k")
    await page.keyboard.press("d")
    await expect(page.locator(".undo")).to_contain_text("Dismissed: Illegal move by White")

    await page.keyboard.press("o")
    await expect(page.locator("h1")).to_have_text("Table 3")
    await page.keyboard.press("h")
    await expect(page.locator(".card")).to_have_count(6)
    told = [(table, command.action) for table, command, _ in hall.desk.commands]
    assert told == [("5", "confirm"), ("3", "dismiss")]


async def test_keys_decide_nothing_that_is_not_shown(hall, page: Page) -> None:
    """Alerts of other arbiters' tables, and what was put off, are not in the list."""
    await known(page)
    await page.evaluate("localStorage.setItem('arbiterd.mine', '5')")
    await page.evaluate("localStorage.setItem('arbiterd.minealone', 'yes')")
    await page.reload()
    await expect(page.locator(".alert")).to_have_count(1)
    await expect(page.get_by_role("button", name="Confirm")).to_have_count(1)
    for key in ("j", "c"):
        await page.keyboard.press(key)
    await expect(page.locator(".undo")).to_contain_text("Confirmed: White touched the knight")

    put_off = {**ruling("5", 15, "touch-own-then-other", 1, "Put off."), "revision": 2}
    hall.live.retain(
        f"tables/5/rulings/{put_off['id']}",
        {**put_off, "shelved_until": "2099-01-01T00:00:00.000Z"},
    )
    await expect(page.locator(".alert")).to_have_count(0)
    for key in ("j", "c", "d"):
        await page.keyboard.press(key)
    await page.keyboard.press("?")
    await expect(page.get_by_role("dialog")).to_be_visible()

    assert [(table, said.action) for table, said, _ in hall.desk.commands] == [("5", "confirm")]


@pytest.mark.parametrize(
    ("wide", "place", "seen"),
    [
        (1440, "#/wall", ".wall .card"),
        (1440, "#/appeal/3/3-0017", ".appeal header"),
        (640, "#/table/1", ".table h1"),
    ],
    ids=["wall", "appeal", "two hundred per cent"],
)
async def test_keys_decide_nothing_where_no_list_is_seen(
    hall, page: Page, wide: int, place: str, seen: str
) -> None:
    """The alert that was chosen on the page before was confirmed or dismissed there."""
    await known(page)
    await expect(page.get_by_role("button", name="Confirm")).to_have_count(3)
    await page.keyboard.press("j")
    await expect(page.locator(".alert.chosen")).to_have_count(1)
    await page.set_viewport_size({"width": wide, "height": 450})
    await page.evaluate("place => { location.hash = place; }", place)
    await page.locator(seen).first.wait_for()
    for key in ("c", "d", "j", "c", "d"):
        await page.keyboard.press(key)
    await page.keyboard.press("?")
    await page.get_by_role("dialog").get_by_role("button", name="Close").click()

    assert [(table, command.action) for table, command, _ in hall.desk.commands] == []


async def test_the_menu_opens_on_the_wall(hall, page: Page) -> None:
    await page.goto(hall.address + "#/wall")
    await page.locator(".wall .card").first.wait_for()
    await page.get_by_role("button", name="More").click()

    await expect(page.get_by_role("dialog").get_by_label("Language")).to_be_visible()


async def test_a_tap_meant_for_what_stood_there_before_decides_nothing(hall, page: Page) -> None:
    """Another arbiter has decided the first one; the second moves up under the finger."""
    await expect(page.locator(".alert")).to_have_count(3)
    under_the_finger = page.evaluate("""async () => {
        const { x, y, width, height } =
          document.querySelector(".alert .yes").getBoundingClientRect();
        const hit = () =>
          document.elementFromPoint(x + width / 2, y + height / 2)?.closest("button");
        const before = hit();
        await new Promise((changed) => {
          const list = document.querySelector(".alerts ol");
          new MutationObserver(changed).observe(list, { childList: true });
        });
        const then = hit();
        await new Promise((done) => setTimeout(done, 1500));
        return [before, then, hit()].map((button) => Boolean(button));
    }""")
    looking = asyncio.ensure_future(under_the_finger)
    await page.evaluate("1")  # What was sent before it has begun.
    hall.live.clear("tables/3/rulings/3-0017")

    assert await looking == [True, False, True]


@pytest.mark.parametrize("said", ["3-4, 2", "3-4; 2", "3 – 4 2", "3—4,2"])
async def test_my_tables_are_understood_however_they_are_set_apart(
    hall, page: Page, said: str
) -> None:
    """With any but a comma they were none: no alert was shown, and "Nothing waits for you"."""
    await page.evaluate("said => localStorage.setItem('arbiterd.mine', said)", said)
    await page.evaluate("localStorage.setItem('arbiterd.minealone', 'yes')")
    await page.reload()

    await expect(page.locator(".alert header a")).to_have_text(["Table 3", "Table 2"], timeout=5000)
