"""An arbiter's round on a real hall: boards on emulated wires and hands on them, the service, its
broker, its journal, and two tablets. From an illegal move on a wire to what became of it."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, Page, expect

from browser.floor import Board, Floor, floor

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.timeout(180)]

LANGUAGES = Path(__file__).parents[2] / "daemon/arbiterd/web/languages"
LANGUAGE = pytest.mark.parametrize("language", ["en", "es"])
PHONE, UPRIGHT, LYING = (390, 844), (768, 1024), (1024, 768)
SQUARES = """all => all.map(one => "abcdefgh"[Math.floor(one.getAttribute("x") / 40)]
    + (8 - Math.floor(one.getAttribute("y") / 40)))"""

Say = Callable[[str], str]


def spoken(language: str) -> Say:
    """The page's texts in this language."""
    if language == "en":
        return str
    words: dict[str, str] = json.loads((LANGUAGES / f"{language}.json").read_text())["words"]
    return words.__getitem__


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def hall(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Floor]:
    async with floor(tmp_path_factory.mktemp("floor"), 6) as hall:
        yield hall


async def tablet(
    browser: Browser,
    address: str,
    name: str,
    size: tuple[int, int],
    language: str = "en",
    **kept: str,
) -> Page:
    """The page on a tablet of this arbiter; `kept` is what else it was told before."""
    context = await browser.new_context(
        viewport={"width": size[0], "height": size[1]}, has_touch=True
    )
    for key, value in {"name": name, "language": language, **kept}.items():
        await context.add_init_script(f"localStorage.setItem('arbiterd.{key}', '{value}')")
    page = await context.new_page()
    page.set_default_timeout(60_000)
    await page.goto(address)
    await page.wait_for_selector(".link.live")
    return page


def button(place: Page | Locator, text: str) -> Locator:
    return place.get_by_role("button", name=text, exact=True)


async def illegal_move(board: Board) -> None:
    """1.e4 e5 2.Ng1-g3, pressed."""
    await board.begin()
    for move in ("e2e4", "e7e5"):
        await board.move(move)
        await asyncio.sleep(1.2)
    await board.move("g1g3")


async def opened(hall: Floor, table: str) -> str:
    """The id of the ruling that is told at this table."""
    topic = f"tables/{table}/rulings"
    await hall.until(lambda: any(one["kind"] == "illegal-first" for one in hall.told(topic)))
    return str(next(one["id"] for one in hall.told(topic) if one["kind"] == "illegal-first"))


@LANGUAGE
async def test_an_illegal_move_is_decided_by_touch_with_one_step_changed(
    browser: Browser, hall: Floor, language: str
) -> None:
    say, table = spoken(language), {"en": "1", "es": "2"}[language]
    board = hall.boards[table]
    ana = await tablet(browser, hall.address, "Ana", UPRIGHT, language)
    luis = await tablet(browser, hall.address, "Luis", PHONE, language)
    await illegal_move(board)
    ruling = await opened(hall, table)

    # Luis goes there, which Ana sees; then it is she who decides.
    place = f'a[href="#/table/{table}/{ruling}"]'
    hers, his = (page.locator(".alert", has=page.locator(place)) for page in (ana, luis))
    await expect(hers).to_contain_text(say("Go now"))
    await button(his, say("On my way")).tap()
    lane = ana.locator(".lane", has=ana.locator(place))
    await expect(lane.locator("h3")).to_contain_text(
        say("{name} is on the way").format(name="Luis")
    )

    await luis.locator(place).tap()
    await ana.locator(place).tap()
    steps = ana.locator(".steps")
    await expect(steps.locator("b").first).to_contain_text(say("stop the clocks"))
    await expect(steps).to_contain_text("g3, g1")
    await board.move("g3g1", press=False)
    await expect(steps).to_contain_text(say("The board shows it."))
    await steps.get_by_role("checkbox").nth(1).tap()
    await button(steps, say("{side}: 30 s more").format(side=say("Black"))).tap()
    await expect(steps.locator("output").last).to_have_text("+2:30")
    await steps.get_by_label(say("Reason")).fill("seen myself")
    await button(steps, say("Done so – confirm")).tap()
    await expect(ana.locator(".undo")).to_be_visible()
    await expect(luis.locator(".steps")).to_have_count(0)
    await expect(luis.locator(".evidence.decided .closed")).to_contain_text("Ana")

    # On MQTT, and in the journal.
    await hall.until(lambda: hall.told(f"tables/{table}/rulings/{ruling}")[-1] == {})
    *_, told = hall.told(f"tables/{table}/rulings")
    assert (told["id"], told["state"]) == (ruling, "confirmed")
    assert (told["ack"]["by"], told["ack"]["reason"]) == ("Ana", "seen myself")
    assert told["proposal"]["clock_delta_ms"] == {"white": -30_000, "black": 150_000}
    assert (await hall.state(table))["open_rulings"] == []
    events = (await hall.ask(f"tables/{table}/timeline?after=0"))["events"]
    kept = [one["payload"] for one in events if one["payload"].get("id") == ruling]
    assert [one["state"] for one in kept] == ["open"] * (len(kept) - 1) + ["confirmed"]
    assert kept[-1] == told
    await hall.journal("verify")

    # What it rests on: the knight leaves g1 and comes to g3, as the sensors told it.
    await ana.goto(f"{hall.address}#/table/{table}/{ruling}")
    slider = ana.locator(".slider")
    back, seen = button(slider, say("one back")), []
    while not seen or await back.is_enabled():
        if seen:
            await back.tap()
        seen += await slider.locator(".pointed").evaluate_all(SQUARES) or ["-"]
    assert [square for square in seen if square[0] == "g"] == ["g3", "g1"]
    await expect(slider.locator("time")).to_be_visible()
    count = say("{count} inputs of the journal, {from} to {to}").split("{count}")[1].split("{")[0]
    summary = ana.locator(".evidence summary", has_text=count.strip())
    await summary.tap()
    evidence = told["evidence"]
    inputs = await hall.ask(f"tables/{table}/inputs?from={evidence['from']}&to={evidence['to']}")
    await expect(ana.locator(".inputs tr")).to_have_count(len(inputs["inputs"]))
    await expect(summary).to_contain_text(str(len(inputs["inputs"])))
    await ana.locator(".article button").first.tap()
    await expect(ana.locator(".article-text")).to_contain_text(
        {"en": "illegal", "es": "ilegal"}[language], ignore_case=True
    )
    await ana.context.close()
    await luis.context.close()


async def test_of_two_arbiters_who_decide_at_once_one_is_told_that_it_was_done(
    browser: Browser, hall: Floor
) -> None:
    table, board = "3", hall.boards["3"]
    pages = [await tablet(browser, hall.address, name, LYING) for name in ("Ana", "Luis")]
    await illegal_move(board)
    ruling = await opened(hall, table)
    alerts = [
        page.locator(".alert", has=page.locator(f'a[href="#/table/{table}/{ruling}"]'))
        for page in pages
    ]
    await asyncio.gather(*(expect(alert).to_be_visible() for alert in alerts))
    buttons = [button(alerts[0], "Confirm"), button(alerts[1], "Dismiss")]
    # The pages have come to rest: what follows is one tap each.
    await asyncio.gather(*(one.tap(trial=True) for one in buttons))
    await asyncio.gather(*(one.tap() for one in buttons))
    for page, alert in zip(pages, alerts, strict=True):
        await expect(alert).to_have_count(0)
        await expect(page.locator(".undo")).to_be_visible()

    said = [await page.locator(".undo").get_attribute("class") for page in pages]
    assert sorted("wrong" in (one or "") for one in said) == [False, True]
    await hall.until(lambda: hall.told(f"tables/{table}/rulings/{ruling}")[-1] == {})
    decided = [one for one in hall.told(f"tables/{table}/rulings") if one["ack"]]
    assert len(decided) == 1
    winner = ("Ana", "Luis")[["wrong" in (one or "") for one in said].index(False)]
    assert decided[0]["ack"]["by"] == winner
    for page in pages:
        await page.context.close()


async def test_a_killed_service_is_said_and_found_again_with_what_was_open(
    browser: Browser, hall: Floor
) -> None:
    table, board = "4", hall.boards["4"]
    await illegal_move(board)
    ruling = await opened(hall, table)
    page = await tablet(browser, hall.address, "Ana", UPRIGHT)
    alert = page.locator(".alert", has=page.locator(f'a[href="#/table/{table}/{ruling}"]'))
    await expect(alert).to_be_visible()

    await hall.kill()
    await expect(page.locator(".link")).to_contain_text("what you see is old")
    await expect(page.locator(".clock.running")).to_have_count(0)
    await board.move("g3g1", press=False)  # While nobody listens.
    await hall.start()
    await expect(page.locator(".link")).to_have_text("Live", timeout=90_000)
    await expect(alert).to_be_visible()
    await alert.locator("header a").tap()
    shown = page.locator(".steps", has_text="The board shows it.")
    await expect(shown).to_be_visible(timeout=30_000)
    await page.locator(".steps .yes").tap()
    await expect(page.locator(".undo")).to_contain_text("Confirmed")
    events = (await hall.ask(f"tables/{table}/timeline?after=0"))["events"]
    kept = [one["payload"] for one in events if one["payload"].get("id") == ruling]
    assert [one["state"] for one in kept] == ["open", "confirmed"]
    await hall.journal("verify")
    await page.context.close()


async def test_a_table_opens_though_its_page_was_asked_for_while_the_service_was_away(
    browser: Browser, hall: Floor
) -> None:
    """The browser remembers a module that did not come."""
    context = await browser.new_context(viewport={"width": 768, "height": 1024})
    page = await context.new_page()
    modules = re.compile(r"/web/(acts|entry|moves)\.js")
    await page.route(modules, lambda route: route.abort())
    async with page.expect_event("requestfailed", lambda one: modules.search(one.url)):
        await page.goto(hall.address)
    await page.unroute(modules)
    await page.goto(f"{hall.address}#/table/5")
    await expect(page.locator(".player .clock")).to_have_count(2)
    assert page.url.endswith("#/table/5")
    await context.close()


async def test_a_page_that_never_comes_whole_is_read_anew_once_a_minute(
    browser: Browser, hall: Floor
) -> None:
    context = await browser.new_context(viewport={"width": 768, "height": 1024})
    page = await context.new_page()
    read: list[str] = []
    page.on("domcontentloaded", lambda one: read.append(one.url))
    await page.route("**/web/entry.js", lambda route: route.abort())
    await page.goto(f"{hall.address}#/table/5")
    await asyncio.sleep(7)
    assert len(read) == 2
    await context.close()


@pytest.mark.parametrize(
    "seconds", [15, pytest.param(600, marks=[pytest.mark.slow, pytest.mark.timeout(900)])]
)
async def test_a_tablet_that_slept_misses_nothing(
    browser: Browser, tmp_path: Path, seconds: int
) -> None:
    """It is frozen and off the network, as under a cover: a game goes on, one alert comes, and
    another is decided by somebody else."""
    async with floor(tmp_path, 3) as hall:
        one, two, three = hall.boards.values()
        await asyncio.gather(illegal_move(one), two.begin(), three.begin())
        gone = await opened(hall, "1")
        page = await tablet(browser, hall.address, "Ana", UPRIGHT)
        await page.goto(f"{hall.address}#/table/3")
        await expect(page.locator(f'.alert a[href="#/table/1/{gone}"]')).to_have_count(1)
        cdp = await page.context.new_cdp_session(page)

        await page.context.set_offline(True)
        await cdp.send("Page.setWebLifecycleState", {"state": "frozen"})
        slept = asyncio.create_task(asyncio.sleep(seconds))
        await hall.ask("tables/1/commands", {"action": "dismiss", "ruling": gone, "by": "Luis"})
        await illegal_move(two)
        for move in ("e2e4", "c7c5", "g1f3"):
            await three.move(move)
            await asyncio.sleep(1.2)
        fresh = await opened(hall, "2")
        await slept
        await cdp.send("Page.setWebLifecycleState", {"state": "active"})
        await page.context.set_offline(False)

        await expect(page.locator(".link")).to_have_text("Live", timeout=60_000)
        await expect(page.locator(f'.alert a[href="#/table/1/{gone}"]')).to_have_count(0)
        alert = page.locator(".alert", has=page.locator(f'a[href="#/table/2/{fresh}"]'))
        await expect(alert).to_be_visible()
        if seconds >= 600:
            await expect(alert.locator(".age.standing")).to_contain_text("min")
        await expect(page.locator(".moves .half")).to_have_count(3)
        await expect(page.locator(".player .clock.running")).to_have_count(1)
        await expect(page.locator(".clock .old")).to_have_count(0)
        await page.context.close()


async def test_a_claim_of_repetition_shows_the_positions(browser: Browser, hall: Floor) -> None:
    """Knights go out and back on a board, then White claims; the page speaks Spanish."""
    say, board = spoken("es"), hall.boards["5"]
    page = await tablet(browser, hall.address, "Ana", LYING, "es")
    await page.goto(f"{hall.address}#/table/5")
    await board.begin()
    for move in ("g1f3", "g8f6", "f3g1", "f6g8") * 2:
        await board.move(move)
        await asyncio.sleep(1.2)
    await expect(page.locator(".moves .half")).to_have_count(8)

    await button(page, say("Act …")).tap()
    sheet = page.get_by_role("dialog")
    for choice in ("Claim", "Threefold repetition", "White"):
        await button(sheet, say(choice)).tap()
    await button(sheet, say("Do it")).tap()
    await expect(page.locator(".undo")).to_be_visible()
    await page.locator(".ruling", has_text="triple repetición").tap()
    await expect(page.locator(".evidence .occurrences li")).to_have_count(3)
    await expect(page.locator(".evidence .occurrences .diagram")).to_have_count(3)
    await expect(page.locator(".evidence .occurrences li").first).to_contain_text("Al comienzo")
    await expect(page.locator(".evidence .basis")).to_contain_text("reclaman Blancas")
    await button(page.locator(".steps"), say("Done – confirm")).tap()
    await hall.until(lambda: hall.told("tables/5/result")[-1:])
    await hall.until(lambda: hall.told("tables/5/result")[-1].get("result") == "1/2-1/2")
    await page.context.close()
