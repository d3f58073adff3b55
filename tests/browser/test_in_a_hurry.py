"""One thumb, in a hurry: a button tapped twice, a second act before the first is looked at."""

from __future__ import annotations

import asyncio
import time

import pytest
from playwright.async_api import Locator, Page, expect

from arbiterd.messages.commands import Command
from browser.conftest import Hall
from browser.seen import first_alert
from paper.hall import PaperClock, ruling, state

pytestmark = pytest.mark.asyncio(loop_scope="module")

SCREEN = {"viewport": {"width": 768, "height": 1024}}

TWICE = """async (button) => {
    const { left, right, top, bottom } = button.getBoundingClientRect();
    const [clientX, clientY] = [(left + right) / 2, (top + bottom) / 2];
    const at = performance.now();
    for (const timeStamp of [at, at + 150]) {
        const tap = new MouseEvent("click", {
            bubbles: true, cancelable: true, detail: 1, clientX, clientY,
        });
        Object.defineProperty(tap, "timeStamp", { value: timeStamp });
        document.elementFromPoint(clientX, clientY).dispatchEvent(tap);
        await new Promise((resolve) => setTimeout(resolve, 800));
    }
}"""
"""Two taps where a button stands at the first, 150 ms apart; the page has longer to draw what the
first one did, so that a busy machine makes no slower thumb of it."""


async def twice(button: Locator) -> None:
    await expect(button).to_be_enabled()
    await button.scroll_into_view_if_needed()
    await button.evaluate(TWICE)


def told(hall: Hall) -> list[str]:
    return [command.action for _, command, _ in hall.desk.commands]


def answers(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table is paused and its half-moves are taken back as it is told."""
    submit = hall.desk.submit

    async def follows(table: str, command: Command, user: str) -> bytes:
        now = hall.live.decoded(f"tables/{table}/state")
        if command.action in ("pause", "resume") and not command.preview:
            now["status"] = {"pause": "paused", "resume": "playing"}[command.action]
        if command.action == "set-move" and not command.preview and command.ply:
            now["ply"] = command.ply - 1
        hall.live.retain(f"tables/{table}/state", {**now, "seq": now["seq"] + 1})
        return await submit(table, command, user)

    monkeypatch.setattr(hall.desk, "submit", follows)


async def test_a_table_paused_by_a_double_tap_stays_paused(
    hall, handheld: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall.live.retain("tables/1/state", state("1", 4, status="playing"))
    answers(hall, monkeypatch)
    await handheld.goto(hall.address + "#/table/1")
    await twice(handheld.get_by_role("button", name="Pause", exact=True))

    assert told(hall) == ["pause"]
    await handheld.get_by_role("button", name="Resume", exact=True).tap()
    await expect(handheld.get_by_role("button", name="Pause", exact=True)).to_be_visible()
    assert told(hall) == ["pause", "resume"]


async def test_a_double_tap_takes_one_half_move_back(
    hall, handheld: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall.live.retain("tables/1/state", state("1", 4, ply=17))
    answers(hall, monkeypatch)
    await handheld.goto(hall.address + "#/table/1")
    await handheld.locator(".entry summary").tap()
    await twice(handheld.get_by_role("button", name="Take back half-move 17"))

    assert [command.ply for _, command, _ in hall.desk.commands] == [17]
    await expect(handheld.locator(".undo")).to_contain_text("Half-move 17 is taken back")
    await expect(handheld.get_by_role("button", name="Take back half-move 16")).to_be_visible()


async def test_a_double_tap_does_not_pause_the_hall(hall, handheld: Page) -> None:
    await twice(handheld.get_by_role("button", name="Pause …"))

    assert told(hall) == []
    await handheld.get_by_role("button", name="Pause 6 tables").tap()
    await expect(handheld.locator(".undo")).to_be_visible()
    assert set(told(hall)) == {"pause"}


async def test_a_pause_of_all_tables_is_undone_by_one_tap(
    hall, handheld: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It could not be undone at all."""
    submit = hall.desk.submit

    async def over_at_one(table: str, command: Command, user: str) -> bytes:
        hall.desk.refusal = "the game is over" if table == "2" else ""
        return await submit(table, command, user)

    monkeypatch.setattr(hall.desk, "submit", over_at_one)
    await handheld.get_by_role("button", name="Pause …").tap()
    await handheld.wait_for_timeout(500)  # The next tap is meant, and no double one.
    await handheld.get_by_role("button", name="Pause 6 tables").tap()
    bar = handheld.locator(".undo")
    await expect(bar).to_contain_text("2: the game is over")
    paused = [(table, command.id) for table, command, _ in hall.desk.commands if table != "2"]
    hall.desk.commands.clear()
    await bar.get_by_role("button", name="Undo", exact=True).tap()
    await expect(bar).to_have_count(0)

    assert [(table, command.of) for table, command, _ in hall.desk.commands] == paused
    assert {command.action for _, command, _ in hall.desk.commands} == {"undo"}


async def test_a_hall_that_failed_together_is_confirmed_whole(
    hall, handheld: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 64 boards behind one switch 43 were confirmed; then too many commands had come."""
    monkeypatch.setattr(PaperClock, "now_ns", lambda _: time.monotonic_ns())
    for topic in [*hall.live.retained()]:
        hall.live.clear(topic)
    tables = [f"{number}" for number in range(1, 65)]
    for table in tables:
        said = ruling(table, 50, "tech-board-lost", 2, "The board is lost.")
        hall.live.retain(f"tables/{table}/state", state(table))
        hall.live.retain(f"tables/{table}/rulings/{said['id']}", said)
    await handheld.reload()
    await handheld.get_by_role("button", name="Confirm all").tap()
    await expect(handheld.get_by_role("button", name="Confirm all")).to_be_disabled()
    await expect(handheld.get_by_role("button", name="Confirm all")).to_be_enabled()

    assert sorted((table for table, _, _ in hall.desk.commands), key=int) == tables


async def test_all_that_fail_together_are_confirmed_once(
    hall, handheld: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    for table in "124":
        said = ruling(table, 50, "tech-board-lost", 2, "The board is lost.")
        hall.live.retain(f"tables/{table}/rulings/{said['id']}", said)
    submit, answered = hall.desk.submit, asyncio.Event()

    async def late(table: str, command: Command, user: str) -> bytes:
        await answered.wait()
        return await submit(table, command, user)

    monkeypatch.setattr(hall.desk, "submit", late)
    for name in ("Confirm all", "Dismiss all"):
        await expect(handheld.get_by_role("button", name=name)).to_be_enabled()
    await handheld.get_by_role("button", name="Confirm all").tap()
    for name in ("Confirm all", "Dismiss all"):
        await expect(handheld.get_by_role("button", name=name)).to_be_disabled()
    answered.set()
    await expect(handheld.get_by_role("button", name="Confirm all")).to_be_enabled()

    assert sorted(table for table, _, _ in hall.desk.commands) == ["1", "2", "4"]


async def test_an_act_is_undone_though_another_one_was_done_after_it(hall, handheld: Page) -> None:
    await first_alert(handheld).get_by_role("button", name="Confirm").tap()
    await expect(handheld.locator(".undo")).to_contain_text("Confirmed")
    await first_alert(handheld).get_by_role("button", name="On my way").tap()
    await expect(handheld.locator(".undo")).to_contain_text("On my way")
    hall.desk.refusal = "it is closed already"
    await first_alert(handheld).get_by_role("button", name="Dismiss").tap()
    await expect(handheld.locator(".undo.wrong")).to_contain_text("closed already")
    hall.desk.refusal = ""
    await handheld.locator(".undo").get_by_role("button", name="Close").tap()

    for act in ("On my way", "Confirmed"):
        await handheld.get_by_role("button", name=f"Undo: {act}").tap()
        await handheld.locator(".undo").get_by_role("button", name="Undo", exact=True).tap()
    await expect(handheld.locator(".undo")).to_have_count(0)
    confirm, coming, _, *undone = [command for _, command, _ in hall.desk.commands]
    assert [command.of for command in undone] == [coming.id, confirm.id]


async def test_keys_show_which_of_the_tables_together_they_decide(hall, handheld: Page) -> None:
    for table in "124":
        said = ruling(table, 50, "tech-board-lost", 2, "The board is lost.")
        hall.live.retain(f"tables/{table}/rulings/{said['id']}", said)
    together = handheld.locator(".alert.together")
    await expect(together).to_be_visible()
    current = together.locator("a[aria-current]")
    for _ in range(9):
        await handheld.keyboard.press("j")
        await handheld.wait_for_timeout(50)
        if await current.count():
            break
    table = ((await current.get_attribute("href")) or "").split("/")[2]
    await handheld.keyboard.press("d")
    await expect(handheld.locator(".undo")).to_contain_text("Dismissed")

    assert [table for table, _, _ in hall.desk.commands] == [table]


async def test_who_sets_a_clock_is_told_that_the_one_at_the_board_goes_on(
    hall, handheld: Page
) -> None:
    hall.live.retain("tables/1/state", state("1", 4, status="playing"))
    await handheld.goto(hall.address + "#/table/1")
    await handheld.get_by_role("button", name="Act …").tap()
    await handheld.get_by_role("button", name="Clock", exact=True).tap()
    said = handheld.get_by_text("tells its own times again within a second")
    await expect(said).to_be_visible()
    await handheld.get_by_label("Set the clock at the board too").tap()
    await expect(said).to_have_count(0)


async def test_who_begins_a_game_is_told_that_the_present_one_is_left(
    hall, handheld: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It said that no half-move was withdrawn, and one more tap began another game."""
    preview = hall.desk._preview
    closed = [{"kind": "k", "id": None, "state": "open", "line": {"en": said}} for said in "AB"]
    monkeypatch.setattr(
        hall.desk,
        "_preview",
        lambda table: {**preview(table), "game": "1-2", "rulings_closed": closed},
    )
    hall.live.retain("tables/1/state", state("1", 4, status="playing", ply=17))
    await handheld.goto(hall.address + "#/table/1")
    await handheld.get_by_role("button", name="Act …").tap()
    await handheld.get_by_role("button", name="Start of game").tap()

    told = handheld.locator(".preview")
    await expect(told).to_contain_text("left without a result; half-moves in it: 17")
    await expect(told).to_contain_text("Closes with it: A · B")
    await expect(told).not_to_contain_text("No half-move is withdrawn")
    over = state("1", 5, status="ended", ply=17, result="1-0")
    hall.live.retain("tables/1/state", over)
    await expect(told).not_to_contain_text("left without a result")
