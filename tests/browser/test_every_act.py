"""Each act of the contract by touch on a running service, in each language, and what it did."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, Page, expect

from browser.floor import Floor, floor
from browser.test_at_the_board import LANGUAGE, UPRIGHT, Say, button, spoken, tablet

DOUBLE_TAP_MS = 400
"""Sooner a tap at the same place is the second one of a double tap."""

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.timeout(180)]

BARE = range(2, 6)
"""Tables without a board; table 1 has one."""
GAME: tuple[dict[str, Any], ...] = (
    {"action": "start-game"},
    {"action": "set-move", "op": "insert", "move": "e4"},
    {"action": "set-clock", "white_ms": 600_000, "black_ms": 600_000, "running": "black"},
)
"""A game that is played: where a clock is known and stands, it is paused whatever anybody taps."""


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def hall(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Floor]:
    async with floor(tmp_path_factory.mktemp("acts"), 1, bare=len(BARE)) as hall:
        yield hall


class Arbiter:
    """A tablet at one table, and its acts by touch."""

    def __init__(self, page: Page, hall: Floor, table: str, say: Say) -> None:
        self.page, self.hall, self.table, self.say = page, hall, table, say

    @property
    def sheet(self) -> Locator:
        return self.page.get_by_role("dialog")

    def told(self, topic: str) -> list[dict[str, Any]]:
        return self.hall.told(f"tables/{self.table}/{topic}")

    async def becomes(self, enough: Callable[[dict[str, Any]], object]) -> None:
        """The state of the table, which is told a moment after the act."""
        await self.hall.becomes(self.table, enough)

    async def go(self, table: str) -> None:
        self.table = table
        await self.page.goto(f"{self.hall.address}#/table/{table}")
        await expect(self.page.locator(".table h1")).to_contain_text(table)

    async def begin(self, *choices: str) -> None:
        """The sheet with this act, and these of its choices."""
        await button(self.page, self.say("Act …")).tap()
        for choice in choices:
            await button(self.sheet, self.say(choice)).tap()

    async def fill(self, label: str, text: str) -> None:
        await self.sheet.get_by_label(self.say(label), exact=True).fill(text)

    async def do(self) -> None:
        """What it would do is shown first; then it is done."""
        await expect(self.sheet.locator(".preview:not(.refused)")).to_be_visible()
        await button(self.sheet, self.say("Do it")).tap()
        await expect(self.sheet).to_have_count(0)
        await expect(self.page.locator(".undo:not(.wrong)")).to_be_visible()


@LANGUAGE
async def test_each_act_once_by_touch(browser: Browser, hall: Floor, language: str) -> None:
    say = spoken(language)
    first, second = {"en": "23", "es": "45"}[language]
    page = await tablet(browser, hall.address, "Ana", UPRIGHT, language)
    ana = Arbiter(page, hall, first, say)

    await ana.go(first)
    await ana.begin("Start of game")
    await ana.fill("White", "Morphy")
    await ana.fill("Black", "Anderssen")
    await ana.do()
    await ana.becomes(lambda state: state["white"] == "Morphy")

    written = {"en": ("Nf3", "Nc6", "Bb5", "Bc4"), "es": ("Cf3", "Cc6", "Ab5", "Ac4")}[language]
    for move in ("e4", "e5", *written[:3]):
        await ana.begin("Moves", "Insert")
        await ana.fill("Move", move)
        await ana.do()
    await hall.until(lambda: len(ana.told("moves")) == 5)
    assert [one["san"] for one in ana.told("moves")] == ["e4", "e5", "Nf3", "Nc6", "Bb5"]
    await ana.begin("Moves", "Replace")
    await ana.fill("Half-move number", "5")
    await ana.fill("Move", written[3])
    await ana.do()
    await ana.begin("Moves", "Take back from")
    await ana.fill("Half-move number", "4")
    await ana.do()
    await ana.becomes(lambda state: state["ply"] == 3)
    await expect(page.locator(".moves .half")).to_have_count(3)

    await ana.begin("Clock")
    await expect(ana.sheet.locator(".soft")).to_have_count(0)  # No board is heard here.
    await ana.fill("White", "1:02:03")
    await ana.fill("Black", "4:05")
    await ana.do()
    await ana.becomes(lambda state: (state["clock"] or {}).get("white_ms") == 3_723_000)
    await ana.becomes(lambda state: state["clock"]["black_ms"] == 245_000)

    await ana.begin("Position")
    await ana.sheet.locator(".palette button").first.tap()  # Empty.
    await ana.sheet.locator(".touchable").nth(8).tap()  # a7
    await ana.do()
    await ana.becomes(lambda state: state["fen"].startswith("rnbqkbnr/1ppp1ppp/"))

    await ana.begin("Penalty", "White", "Warning")
    await ana.do()
    await ana.begin("Draw offer", "Black")
    await ana.do()
    await ana.begin("Report")
    await ana.sheet.get_by_role("searchbox").fill(
        {"en": "electronic", "es": "electronico"}[language]
    )
    await ana.sheet.locator(".found button").first.tap()
    await button(ana.sheet, say("White")).tap()
    await ana.sheet.locator("[name=note]").fill("in the pocket")
    await ana.do()
    await hall.until(lambda: "conduct-device" in {one["kind"] for one in ana.told("rulings")})

    await ana.begin("Claim", "Fifty moves", "Black")
    await ana.do()
    await hall.until(lambda: any(one["kind"].startswith("claim-50") for one in ana.told("rulings")))
    claim = next(one for one in ana.told("rulings") if one["kind"].startswith("claim-50"))
    assert claim["proposal"]["result"] is None
    await expect(page).to_have_url(f"{hall.address}#/table/{first}/{claim['id']}")
    await expect(page.locator(".evidence h3")).to_contain_text(claim["text"][language]["line"])

    await button(page, say("Mute alerts")).tap()
    await expect(button(page, say("Unmute alerts"))).to_be_visible()
    await page.wait_for_timeout(DOUBLE_TAP_MS)
    await button(page, say("Unmute alerts")).tap()
    await expect(button(page, say("Mute alerts"))).to_be_visible()

    await ana.begin("Result", "½-½ draw")
    await ana.do()
    await expect(page.locator(".undo")).to_contain_text(f"{say('Result')} · {say('½-½ draw')}")
    await ana.becomes(lambda state: state["result"] == "1/2-1/2")
    await button(page.locator(".undo"), say("Undo")).tap()
    before = say("{table} alerts again").format(table=say("Table {table}").format(table=first))
    small = page.locator(".undo")
    await expect(small).to_have_attribute("aria-label", say("Undo: {act}").format(act=before))
    await ana.becomes(lambda state: state["result"] is None)
    await ana.begin("Resigns", "Black")
    await ana.do()
    await ana.becomes(lambda state: state["result"] == "1-0")

    await ana.go(second)
    await ana.begin("Board")
    board = page.locator(".found button").filter(has_text=hall.boards["1"].cable.port)
    await expect(board).to_contain_text(say("now at {table}").split("{")[0])
    await board.tap()
    await ana.do()
    await ana.becomes(lambda state: state["device"] == "ok")
    await expect(page.locator("footer.device")).to_contain_text(hall.boards["1"].cable.port)
    await page.context.close()


@LANGUAGE
async def test_one_act_at_several_tables_and_at_all(
    browser: Browser, hall: Floor, language: str
) -> None:
    say, mine = spoken(language), ("3", "4")
    tables = [str(table) for table in (1, *BARE)]
    if not hall.boards["1"].running:
        await hall.boards["1"].begin()
    for table in tables:
        for act in GAME:
            answer = await hall.ask(f"tables/{table}/commands", act | {"by": "Ana"})
            assert answer["ok"], answer

    async def paused_are(*paused: str) -> None:
        """These tables, and each of the others plays; a moment later as well."""
        wanted = {one: "paused" if one in paused else "playing" for one in tables}
        for table, status in wanted.items():
            await hall.becomes(table, lambda state, status=status: state["status"] == status)
        await asyncio.sleep(0.5)
        shown = (await hall.ask("tables"))["tables"]
        assert {one["table"]: one["status"] for one in shown} == wanted

    async def act_at(name: str, count: int) -> None:
        """The two taps that an act at several tables takes."""
        text = say(f"{name} {{count}} tables").format(count=count)
        await button(page, say(f"{name} …")).tap()
        await page.wait_for_timeout(DOUBLE_TAP_MS)
        await button(page, text).tap()
        await expect(page.locator(".undo:not(.wrong)")).to_contain_text(text)

    await paused_are()
    page = await tablet(browser, hall.address, "Ana", UPRIGHT, language, mine=",".join(mine))
    groups = page.locator(".filters button")
    await groups.filter(has_text=say("Mine")).tap()
    await act_at("Pause", len(mine))
    await paused_are(*mine)

    await groups.first.tap()
    await act_at("Pause", len(tables))
    await paused_are(*tables)
    await act_at("Resume", len(tables))
    await paused_are()
    await page.context.close()
