"""Signed in means named: the page signs with the login, and a viewer is offered nothing to do."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from arbiterd.access.login import login_wall
from arbiterd.access.people import Account, People
from arbiterd.access.rights import ROLES, Reads, Role
from arbiterd.edges.real import WallClock
from arbiterd.outlets.http.server import serving

pytestmark = pytest.mark.asyncio(loop_scope="module")

PEOPLE = People((Account("ana", "arbiter", "queen"), Account("tv", "viewer", "pawn")))
EVERY_ROLE = People(tuple(Account(name, name, f"of-{name}") for name in ROLES))
BUTTONS = {
    "Confirm": "confirm",
    "Dismiss": "dismiss",
    "On my way": "coming",
    "Put off 5 min": "shelve",
    "Pause": "pause",
    "Pause …": "pause",
    "Resume …": "resume",
    "Mute alerts": "mute",
    "Add": "set-move",
    "Check": "round check",
    "Begin the round": "round begin",
    "End the round": "round end",
    "Change it": "round swap",
    "Result": "set-result",
    "Claim": "claim",
    "Draw offer": "draw-offer",
    "Resigns": "resign",
    "Penalty": "penalty",
    "Report": "report",
    "Clock": "set-clock",
    "Position": "set-position",
    "Moves": "set-move",
    "Start of game": "start-game",
    "Board": "assign-device",
}
"""What each button of the page asks for, as the table of roles names it."""
SignIn = Callable[[str, str], AbstractAsyncContextManager[Page]]


@pytest_asyncio.fixture(loop_scope="module")
async def signed_in(browser: Browser, hall) -> AsyncIterator[SignIn]:
    """The page over the hall of the other tests, behind the wall of a service with accounts."""
    app = hall.live_app()
    app.middlewares.append(login_wall(PEOPLE, WallClock()))
    async with serving(app, "127.0.0.1", 0) as address:

        @asynccontextmanager
        async def sign_in(name: str, password: str) -> AsyncIterator[Page]:
            said = {"username": name, "password": password}
            context = await browser.new_context(http_credentials=said)
            page = await context.new_page()
            page.on("dialog", lambda dialog: dialog.dismiss())
            await page.goto(address)
            await page.wait_for_selector(".top .who")
            yield page
            await context.close()

        yield sign_in


async def test_an_arbiter_signs_with_the_login_and_is_asked_for_no_name(
    hall, signed_in: SignIn
) -> None:
    async with signed_in("ana", "queen") as page:
        await expect(page.locator(".top .who")).to_have_text("ana")
        await page.locator(".alert").first.get_by_role("button", name="Confirm").click()
        await expect(page.locator(".undo")).to_contain_text("Confirmed")
        await expect(page.get_by_role("dialog")).to_have_count(0)

        await page.goto(page.url.split("#")[0] + "#/table/1")
        await page.get_by_role("button", name="Mute alerts").click()
        await page.locator(".entry summary").click()
        await page.locator("[name=move]").fill("Nf3")
        await page.get_by_role("button", name="Add").click()
        await expect(page.locator("[name=move]")).to_have_value("")

    assert [(said.action, said.by) for _, said, _ in hall.desk.commands] == [
        ("confirm", "ana"),
        ("mute", "ana"),
        ("set-move", "ana"),
    ]


async def test_a_viewer_is_offered_nothing_to_do(hall, signed_in: SignIn) -> None:
    async with signed_in("tv", "pawn") as page:
        await expect(page.locator(".top .who")).to_have_text("tv · may look, not act")
        await expect(page.locator(".alert")).to_have_count(3)
        for place in ("", "#/table/3"):
            await page.goto(page.url.split("#")[0] + place)
            await page.wait_for_selector(".diagram")
            buttons = await page.locator("button:visible").all_text_contents()
            assert not {"Confirm", "Dismiss", "Pause", "Mute alerts", "Add", "Act …"} & set(buttons)
            await expect(page.locator(".entry")).to_have_count(0)
        for key in "jcd":
            await page.keyboard.press(key)
        await expect(page.get_by_role("dialog")).to_have_count(0)

    assert hall.desk.commands == []


@pytest.mark.parametrize("role", [role for role in ROLES.values() if Reads.GAMES in role.reads])
async def test_each_role_is_offered_what_the_table_of_roles_lets_it_do_and_no_more(
    browser: Browser, hall, role: Role
) -> None:
    app = hall.live_app()
    app.middlewares.append(login_wall(EVERY_ROLE, WallClock()))
    offered: set[str] = set()
    async with serving(app, "127.0.0.1", 0) as address:
        said = {"username": role.name, "password": f"of-{role.name}"}
        context = await browser.new_context(http_credentials=said)
        page = await context.new_page()
        for place in ("", "#/table/1", "#/round"):
            await page.goto(address + place)
            await page.reload()
            await page.wait_for_selector(".top .who")
            await expect(page.locator("#main")).to_be_visible()
            if place == "#/table/1":
                await page.wait_for_selector(".diagram")
                entry = page.locator(".entry summary")
                if await entry.count():
                    await entry.click()
                more = page.get_by_role("button", name="Act …")
                if await more.count():
                    offered |= set(await page.locator("button:visible").all_text_contents())
                    await more.click()
                    await expect(page.get_by_role("dialog")).to_be_visible()
            offered |= set(await page.locator("button:visible").all_text_contents())
            assert await page.locator(".alerts").count() == (Reads.RULINGS in role.reads)
        await context.close()
    offered = {text.strip() for text in offered}

    assert {text for text, deed in BUTTONS.items() if deed in role.does} == offered & set(BUTTONS)


async def test_a_spectator_is_told_that_this_page_is_not_for_him(browser: Browser, hall) -> None:
    app = hall.live_app()
    app.middlewares.append(login_wall(EVERY_ROLE, WallClock()))
    async with serving(app, "127.0.0.1", 0) as address:
        said = {"username": "spectator", "password": "of-spectator"}
        context = await browser.new_context(http_credentials=said)
        page = await context.new_page()
        answer = await page.goto(address)
        assert answer is not None
        assert answer.status == 403
        await expect(page.locator("body")).to_contain_text("is spectator and may not read")
        await expect(page.locator("button")).to_have_count(0)
        await context.close()


async def test_without_accounts_a_name_is_asked_for_once(hall, page: Page) -> None:
    await expect(page.locator(".alert .acts").first).to_be_visible()
    await expect(page.locator(".top .who")).to_have_count(0)
    await page.locator(".alert").first.get_by_role("button", name="Dismiss").click()

    await expect(page.get_by_role("dialog").locator("[name=by]")).to_be_visible()
