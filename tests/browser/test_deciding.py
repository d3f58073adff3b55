"""An alert is decided: what is asked before, what is sent, and how it is taken back."""

from __future__ import annotations

import asyncio

import pytest
from playwright.async_api import Page, expect

from browser.seen import first_alert, known, signed
from paper.hall import move

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_where_nothing_is_to_be_changed_one_tap_confirms(hall, page: Page) -> None:
    await known(page)
    await first_alert(page).get_by_role("button", name="Confirm").click()
    await expect(page.locator(".undo")).to_contain_text("Confirmed: Illegal move by White")

    ((table, command, _),) = hall.desk.commands
    assert (table, command.action, command.ruling) == ("3", "confirm", "3-0017")
    assert (command.by, command.changes) == ("Ana", None)
    assert command.id


async def test_a_name_is_asked_for_once_and_goes_on_the_record(hall, page: Page) -> None:
    await first_alert(page).get_by_role("button", name="Confirm").click()
    await signed(page, "Ana Belmonte")
    await expect(page.locator(".undo")).to_be_visible()
    await first_alert(page).get_by_role("button", name="Dismiss").click()
    await expect(page.locator(".undo")).to_contain_text("Dismissed")

    assert [said.by for _, said, _ in hall.desk.commands] == ["Ana Belmonte", "Ana Belmonte"]


async def test_without_a_name_nothing_is_sent(hall, page: Page) -> None:
    await first_alert(page).get_by_role("button", name="Dismiss").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_role("button", name="Go on").click()
    await expect(dialog).to_be_visible()
    await dialog.get_by_role("button", name="Cancel").click()

    await expect(dialog).to_have_count(0)
    assert hall.desk.commands == []


async def test_what_a_confirmation_withdraws_is_shown_and_asked_once_more(hall, page: Page) -> None:
    hall.desk.withdrawn = [
        {"ply": 45, "number": 23, "color": "white", "san": "Rd1", "uci": "a1d1"},
        {"ply": 46, "number": 23, "color": "black", "san": "Nf6", "uci": "g8f6"},
        {"ply": 47, "number": 24, "color": "white", "san": "Qe2", "uci": "d1e2"},
    ]
    await known(page)
    await first_alert(page).get_by_role("button", name="Confirm").click()
    dialog = page.get_by_role("dialog")
    await expect(dialog).to_contain_text("Withdraws 3 half-moves: 23.Rd1 … 24.Qe2")
    await expect(dialog).to_contain_text("Illegal move by White")
    await expect(dialog).not_to_contain_text("Confirmed")
    await dialog.get_by_role("button", name="Cancel").click()
    await expect(dialog).to_have_count(0)
    assert hall.desk.commands == []

    await first_alert(page).get_by_role("button", name="Confirm").click()
    await dialog.get_by_role("button", name="Confirm, withdraw 3").click()
    await expect(dialog).to_have_count(0)
    await expect(page.locator(".undo")).to_be_visible()
    assert [command.action for _, command, _ in hall.desk.commands] == ["confirm"]
    assert {command.action for command in hall.desk.previews} == {"confirm"}


async def test_nobody_confirms_before_it_is_known_what_would_go(hall, page: Page) -> None:
    async def held(route) -> None:
        if '"preview":true' in (route.request.post_data or ""):
            return  # It is never answered.
        await route.continue_()

    await known(page)
    await page.route("**/commands", held)
    await first_alert(page).get_by_role("button", name="Confirm").click()
    await page.goto(hall.address + "#/table/3/3-0017")
    steps = page.locator(".steps")
    await expect(steps).to_contain_text("is being asked")
    await expect(steps.get_by_role("button", name="Done – confirm")).to_be_disabled()

    assert hall.desk.commands == []


@pytest.mark.parametrize("otherwise", [False, True], ids=["the same", "something else"])
async def test_a_tap_while_the_table_goes_on_is_not_lost(hall, page: Page, otherwise: bool) -> None:
    """What is done is what was shown; where the table has changed that, nothing is done."""
    asked, answered = asyncio.Event(), asyncio.Event()

    async def slow(route) -> None:
        if '"preview":true' in (route.request.post_data or ""):
            asked.set()
            await answered.wait()
        await route.continue_()

    await known(page)
    await page.goto(hall.address + "#/table/3/3-0017")
    confirm = page.locator(".steps").get_by_role("button", name="Done – confirm")
    await expect(confirm).to_be_enabled()
    await page.route("**/commands", slow)
    state = hall.live.decoded("tables/3/state")
    if otherwise:
        hall.desk.withdrawn = [
            {"ply": 45, "number": 23, "color": "white", "san": "Rd1", "uci": "a1d1"}
        ]
    hall.live.retain("tables/3/state", state | {"ply": state["ply"] + 1})
    await asyncio.wait_for(asked.wait(), 30)
    await expect(confirm).to_be_enabled()
    await confirm.click()
    assert hall.desk.commands == []
    answered.set()
    if otherwise:
        await expect(page.locator(".undo.wrong")).to_contain_text("it would do something else now")
        assert hall.desk.commands == []
        await expect(confirm).to_be_enabled()
        await confirm.click()
        await page.get_by_role("dialog").get_by_role("button", name="Confirm, withdraw 1").click()
    await expect(page.locator(".undo:not(.wrong)")).to_be_visible()
    assert [command.action for _, command, _ in hall.desk.commands] == ["confirm"]


async def test_the_steps_of_a_ruling_stand_in_the_order_of_doing(hall, page: Page) -> None:
    await known(page)
    await page.goto(hall.address + "#/table/3/3-0017")
    steps = page.locator(".steps")
    await expect(steps.locator("li b").first).to_have_text("1. stop the clocks")
    said = await steps.locator(".step b").all_text_contents()
    assert [text.split(". ")[1] for text in said] == [
        "stop the clocks", "put the position back", "have the piece moved or taken",
        "set the times",
    ]  # fmt: skip
    await expect(steps).to_contain_text("Still different: e3, f1")
    await expect(steps.locator(".arrow")).to_have_count(2)

    shown = hall.live.decoded("tables/3/state")
    right = hall.live.decoded("tables/3/rulings/3-0017")["proposal"]["restore"].split()[0]
    hall.live.retain("tables/3/state", shown | {"placement": right})
    await expect(steps).to_contain_text("The board shows it.")


async def test_what_the_players_put_back_themselves_is_not_asked_for_again(
    hall, page: Page
) -> None:
    """Who comes ten moves later must not put the board back to where the ruling began."""
    await known(page)
    hall.desk.restore = None
    await page.goto(hall.address + "#/table/3/3-0017")
    steps = page.locator(".steps")
    await expect(steps).to_contain_text("It stood again, and play has gone on: nothing is put back")
    await expect(steps).not_to_contain_text("Put this")
    fen = "r1bq1rk1/pp1nppbp/2p2np1/8/2QPPB2/2N2N2/PP2BPPP/R3K2R b KQ - 2 9"
    hall.live.tell("tables/3/moves", move("3", 18, 17, "Be2", "f1e2", fen))
    await expect(steps).to_contain_text("Played in its place: 9.Be2")

    await steps.get_by_label("Another position").select_option(index=1)
    await expect(steps).to_contain_text("Put this")


async def test_a_step_is_changed_or_left_out_and_only_that_is_sent(hall, page: Page) -> None:
    await known(page)
    await page.goto(hall.address + "#/table/3/3-0017")
    steps = page.locator(".steps")
    await steps.get_by_role("button", name="Black: 30 s less").click()
    await expect(steps.locator("output").last).to_have_text("+1:30")
    await steps.get_by_role("button", name="Leave out").first.click()
    await steps.get_by_label("Reason").fill("seen myself")
    await steps.get_by_role("button", name="Done so – confirm").click()
    await expect(page.locator(".undo")).to_be_visible()

    ((_, command, _),) = hall.desk.commands
    assert (command.action, command.reason) == ("confirm", "seen myself")
    assert command.changes == {
        "actions": ["restore", "enforce-move", "add-time"],
        "clock_delta_ms": {"black": 90_000},
    }


async def test_what_was_confirmed_is_undone_with_one_tap(hall, page: Page) -> None:
    await known(page)
    await first_alert(page).get_by_role("button", name="Confirm").click()
    await page.locator(".undo").get_by_role("button", name="Undo").click()
    await expect(page.locator(".undo")).to_have_count(0)

    done, undone = [command for _, command, _ in hall.desk.commands]
    assert (undone.action, undone.of, undone.by) == ("undo", done.id, "Ana")


async def test_a_refusal_is_shown(hall, page: Page) -> None:
    hall.desk.refusal = "3-0017 is closed already"
    await known(page)
    await first_alert(page).get_by_role("button", name="Confirm").click()

    await expect(page.locator(".undo.wrong")).to_contain_text("3-0017 is closed already")


async def test_a_command_is_sent_until_it_is_answered_under_one_id(hall, page: Page) -> None:
    sent: list[str] = []

    async def cut(route) -> None:
        sent.append(route.request.post_data)
        if len(sent) < 3:
            await route.abort()
        else:
            await route.continue_()

    await page.route("**/commands", cut)
    await known(page)
    await first_alert(page).get_by_role("button", name="Dismiss").click()
    await expect(page.locator(".undo")).to_contain_text("Dismissed")

    assert len(sent) == 3
    assert len(set(sent)) == 1


async def test_an_undo_that_was_refused_can_be_tapped_again(hall, page: Page) -> None:
    """The button was gone, with its minute running: the reason stood in its place."""
    await known(page)
    await first_alert(page).get_by_role("button", name="Dismiss").click()
    bar = page.locator(".undo")
    await expect(bar).to_contain_text("Dismissed")
    hall.desk.refusal = "table 3 is being made again from the journal; wait a moment"
    await bar.get_by_role("button", name="Undo", exact=True).click()
    await expect(bar.get_by_role("alert")).to_contain_text("being made again")
    hall.desk.refusal = ""
    await bar.get_by_role("button", name="Undo", exact=True).click(timeout=5000)

    await expect(bar).to_have_count(0)
    assert [said.action for _, said, _ in hall.desk.commands] == ["dismiss", "undo", "undo"]


async def test_an_act_that_is_undone_at_the_second_try_is_offered_no_more(hall, page: Page) -> None:
    """While it was sent again that was told; then the act stood there as if it still held."""
    await known(page)
    await first_alert(page).get_by_role("button", name="Dismiss").click()
    await expect(page.locator(".undo")).to_contain_text("Dismissed")
    await page.route("**/commands", lambda route: route.abort(), times=1)
    await page.locator(".undo").get_by_role("button", name="Undo", exact=True).click()
    await expect(page.locator(".undo")).to_contain_text("sent again")

    await expect(page.locator(".undo")).to_have_count(0, timeout=5000)
    assert [said.action for _, said, _ in hall.desk.commands] == ["dismiss", "undo"]


async def test_what_was_done_can_be_undone_though_the_page_was_read_anew(hall, page: Page) -> None:
    """A telephone reads a page anew that was out of sight for a moment: the wrong tap stood."""
    await known(page)
    for text in ("Confirmed", "Dismissed"):
        await first_alert(page).get_by_role("button", name=text.removesuffix("ed")).click()
        await expect(page.locator(".undo")).to_contain_text(text)
    await page.reload()
    bar = page.locator(".undo")
    await expect(bar).to_contain_text("Dismissed")
    await bar.get_by_role("button", name="Undo", exact=True).click()
    await page.get_by_role("button", name="Undo: Confirmed").click()
    await bar.get_by_role("button", name="Undo", exact=True).click()
    await expect(bar).to_have_count(0)

    confirm, dismiss, *undone = [command for _, command, _ in hall.desk.commands]
    assert [(said.action, said.of) for said in undone] == [
        ("undo", dismiss.id),
        ("undo", confirm.id),
    ]

    await page.reload()
    await page.wait_for_selector(".card")
    await expect(page.locator(".undo")).to_have_count(0)


async def test_what_was_done_is_offered_to_nobody_else_in_the_same_browser(
    hall, page: Page
) -> None:
    await known(page)
    await first_alert(page).get_by_role("button", name="Dismiss").click()
    await expect(page.locator(".undo")).to_be_visible()
    me = {"login": "luis", "role": "arbiter", "acts": True, "does": ["undo"], "reads": ["rulings"]}
    await page.route("**/api/v1/me", lambda route: route.fulfill(json=me))
    await page.reload()
    await expect(page.locator(".top .who")).to_contain_text("luis")
    await expect(page.locator(".undo")).to_have_count(0)


async def test_what_was_filled_in_stays_when_somebody_is_on_the_way(hall, page: Page) -> None:
    """The ticks, the reason and what was left out were gone with each revision that is told."""
    await page.goto(hall.address + "#/table/3/3-0017")
    steps = page.locator(".steps")
    await steps.get_by_label("Reason").fill("The bishop stood on e3")
    await steps.get_by_role("checkbox").first.check()
    await steps.get_by_role("button", name="Leave out").last.click()
    said = hall.live.decoded("tables/3/rulings/3-0017")
    luis = {"by": "Luis", "at": said["at"]}
    hall.live.retain("tables/3/rulings/3-0017", {**said, "revision": 2, "coming": luis})
    await expect(page.get_by_role("heading", name="Luis is on the way")).to_be_visible()

    await expect(steps.get_by_label("Reason")).to_have_value("The bishop stood on e3")
    await expect(steps.get_by_role("checkbox").first).to_be_checked()
    await expect(steps.get_by_role("button", name="Take in again")).to_have_count(1)

    other = {**said["proposal"], "actions": ["ask"]}
    hall.live.retain("tables/3/rulings/3-0017", {**said, "revision": 3, "proposal": other})
    await expect(steps.get_by_role("checkbox").first).not_to_be_checked()
