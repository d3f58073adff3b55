"""What the page looks like anywhere: no text cut off, nothing over its box, nothing that a screen
reader or a colour-blind eye would miss. `--basetemp DIR` keeps the pictures."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, Page, Route

from arbiterd.outlets.http.server import serving
from browser.conftest import Hall
from outlets.http.test_languages import texts
from paper.event import PaperOthers, boards, event, no_boards
from paper.famous import fill
from paper.many import fill_many
from paper.trouble import behind, busy, calm, claim, faults, stopped

pytestmark = pytest.mark.asyncio(loop_scope="module")

OVERFLOW = (Path(__file__).parent / "overflow.js").read_text()
ACT = (".act",)
BOARD_ACT = ".acts-sheet .grid button:nth-child(11)"
NOTHING_IS_ASKED = "() => ![...document.querySelectorAll('.steps .yes')].some(it => it.disabled)"
"""What an act would do is known on the page."""
PLACES: dict[str, tuple[int, str, tuple[str, ...]]] = {
    "inbox": (6, "", ()),
    "tiles": (64, "", ()),
    "boards": (64, "", (".over .choice button:nth-child(2)",)),
    "plan": (64, "", (".over .choice button:nth-child(3)",)),
    "crowd": (200, "", ()),
    "wall": (8, "#/wall", ()),
    "ruling": (6, "#/table/3/3-0017", ()),
    "touched": (6, "#/table/5/5-0015", ()),
    "lost": (6, "#/table/4", ()),
    "act": (6, "#/table/1", ACT),
    "report": (6, "#/table/1", (*ACT, ".acts-sheet .grid button:nth-child(6)")),
    "clock": (6, "#/table/1", (*ACT, ".acts-sheet .grid button:nth-child(7)")),
    "position": (6, "#/table/1", (*ACT, ".acts-sheet .grid button:nth-child(8)")),
    "more": (6, "", (".open-more",)),
    "undo": (6, "", (".alert .yes",)),
    "round": (64, "#/round", ()),
    "devices": (64, "#/devices", ()),
    "players": (64, "#/players", ()),
    "load": (6, "#/load", ()),
    "eight": (8, "", ()),
    "claim": (6, "#/table/1/1-0020", ()),
    "fault": (6, "#/table/2/2-0021", ()),
    "busy": (64, "", ()),
    "calm": (8, "", ()),
    "appeal": (6, "#/appeal/3/3-0017", ()),
    "overlays": (6, "overlays", ()),
    "halls": (6, "#/halls", ()),
    "no-halls": (6, "#/halls", ()),
    "board": (6, "#/table/1", (*ACT, BOARD_ACT)),
    "no-board": (6, "#/table/1", (*ACT, BOARD_ACT)),
    "penalty": (6, "#/table/1", (*ACT, ".acts-sheet .grid button:nth-child(5)")),
    "ill": (8, "", ()),
    "stopped": (6, "#/table/2", ()),
    "behind": (6, "#/table/2", ()),
    "sure": (6, "", (".alert .yes",)),
    "who": (6, "", (".alert .yes",)),
    "history": (6, "#/table/3", (".history summary",)),
    "cut": (64, "", ()),
}
"""How many tables, where, and what is tapped there."""
MORE = {"claim": claim, "fault": faults, "busy": busy, "calm": calm, "ill": calm,
        "stopped": stopped, "behind": behind}  # fmt: skip
"""What else happens in the hall there."""
AROUND: dict[str, Callable[[Hall], object]] = {
    "halls": lambda hall: setattr(hall, "others", event()),
    "no-halls": lambda hall: setattr(hall, "others", PaperOthers()),
    "board": lambda hall: setattr(hall, "boards", boards),
    "no-board": lambda hall: setattr(hall, "boards", no_boards),
    "ill": lambda hall: setattr(hall, "ill", "no connection to the MQTT broker at 192.0.2.7:1883"),
    "sure": lambda hall: setattr(hall.desk, "withdrawn", WITHDRAWN),
}
"""What else is so around it there."""
WITHDRAWN = [
    {"ply": 45, "number": 23, "color": "white", "san": "Rd1", "uci": "a1d1"},
    {"ply": 46, "number": 23, "color": "black", "san": "Nf6", "uci": "g8f6"},
]
SIZES = {"phone": (390, 844), "upright": (768, 1024), "lying": (1024, 768), "desk": (1440, 900)}
QUICK = ("tiles", "ruling", "report", "more", "devices", "appeal", "overlays", "inbox",
         "halls", "board", "ill")  # fmt: skip

LARGE = ("inbox", "busy", "ruling", "fault", "lost", "clock", "position", "undo", "round")
"""Where an arbiter decides, or enters what was decided."""


@asynccontextmanager
async def shown(
    browser: Browser, place: str, size: str, theme: str, language: str
) -> AsyncIterator[Page]:
    """The page there, signed by Ana."""
    count, path, taps = PLACES[place]
    hall = Hall()
    if count == 6:
        fill(hall.live)
    else:
        fill_many(hall.live, count, calls=5)
    MORE.get(place, lambda _: None)(hall.live)
    AROUND.get(place, lambda _: None)(hall)
    width, height = SIZES.get(size, (320, 640))
    context = await browser.new_context(
        viewport={"width": width, "height": height}, reduced_motion="reduce"
    )
    kept = {
        "theme": theme,
        "language": language,
        "name": "" if place == "who" else "Ana",
        "mine": "1-20",
    }
    for name, value in kept.items():
        await context.add_init_script(f"localStorage.setItem('arbiterd.{name}', '{value}')")
    page = await context.new_page()
    await context.route("**/web/languages/xx.json", speak_backwards)
    async with AsyncExitStack() as service:
        address = await service.enter_async_context(serving(hall.live_app(), "127.0.0.1", 0))
        await page.goto(address + path)
        await page.wait_for_selector("#main, main", state="attached")
        if size in ("phone", "narrow") and not path and count > 6 and place not in MORE:
            await page.locator(".tabs button").last.click()
        for tap in taps:
            await page.locator(tap).first.click()
        await page.wait_for_timeout(500)
        await page.wait_for_function(NOTHING_IS_ASKED)
        if place == "cut":
            await service.aclose()
            await page.wait_for_selector(".link.lost")
        yield page
        await context.close()


async def speak_backwards(route: Route) -> None:
    """A language that nobody speaks: from right to left, and a third longer than English."""
    words = {text: f"{text} {'ש' * (len(text) // 3)}" for text in texts()}
    said = {"name": "xx", "direction": "rtl", "words": words}
    await route.fulfill(content_type="application/json", body=json.dumps(said))


async def looked_at(page: Page, picture: Path) -> list[str]:
    """What is wrong on it; the picture is kept."""
    picture.parent.mkdir(exist_ok=True, parents=True)
    await page.screenshot(path=str(picture))
    found: list[str] = await page.evaluate(OVERFLOW)
    return found


async def barred(page: Page) -> list[str]:
    """What keeps somebody out, as axe finds it."""
    # What is out of sight is not drawn, and axe sees no background there.
    await page.evaluate(
        "document.querySelectorAll('.card').forEach(c => c.style.contentVisibility = 'visible')"
    )
    said = await Axe().run(page, options={"resultTypes": ["violations"]})
    return [
        f"{one['id']}: {node['html'][:120]} {node['failureSummary'][:200]}"
        for one in said.response["violations"]
        for node in one["nodes"][:3]
    ]


@pytest.mark.parametrize("place", QUICK)
async def test_no_text_is_cut_and_nobody_is_kept_out(
    browser: Browser, tmp_path: Path, place: str
) -> None:
    theme = ("dark", "light", "hall")[QUICK.index(place) % 3]
    async with shown(browser, place, "phone", theme, "es") as page:
        assert await looked_at(page, tmp_path / f"{place}.png") == []
        assert await barred(page) == []


@pytest.mark.parametrize("place", LARGE)
async def test_whoever_reads_large_letters_on_a_phone_has_all_of_it(
    browser: Browser, tmp_path: Path, place: str
) -> None:
    """At twice the size Dismiss stood outside of the page, and of Black's time half a field."""
    async with shown(browser, place, "phone", "light", "es") as page:
        await page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert await looked_at(page, tmp_path / f"{place}-large.png") == []


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("language", ["en", "es", "xx"])
@pytest.mark.parametrize("size", [*SIZES, "narrow"])
async def test_no_text_is_cut_at_any_size_in_any_language(
    browser: Browser, tmp_path: Path, size: str, language: str
) -> None:
    wrong = {}
    for place in PLACES:
        theme = "light" if language == "es" else "dark"
        async with shown(browser, place, size, theme, language) as page:
            found = await looked_at(page, tmp_path / f"{place}-{size}-{language}.png")
            if found:
                wrong[place] = found[:5]
    assert wrong == {}


@pytest.mark.slow
@pytest.mark.timeout(180)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("theme", ["dark", "light", "hall"])
async def test_axe_finds_nothing_on_any_page(browser: Browser, theme: str, place: str) -> None:
    async with shown(browser, place, "desk", theme, "en") as page:
        assert await barred(page) == []


async def test_another_language_is_one_file_and_may_run_the_other_way(browser: Browser) -> None:
    async with shown(browser, "inbox", "lying", "dark", "xx") as page:
        assert await page.evaluate("document.documentElement.dir") == "rtl"
        alerts = await page.locator(".alerts").bounding_box()
        assert alerts is not None
        assert alerts["x"] > 600
        assert await page.evaluate(OVERFLOW) == []
        # What is said in English, and names, keep their own direction.
        directions = await page.evaluate(
            """() => [".alert .line", ".player .name"].map((where) =>
                getComputedStyle(document.querySelector(where)).direction)"""
        )
        assert directions == ["ltr", "ltr"]


async def test_the_hall_stands_as_it_stands_in_every_language(browser: Browser) -> None:
    places = []
    for language in ("en", "xx"):
        async with shown(browser, "plan", "lying", "dark", language) as page:
            boxes = [await page.locator(".seat").nth(at).bounding_box() for at in (0, 1)]
            first, second = (box["x"] for box in boxes if box is not None)
            places.append(first < second)
    assert places == [True, True]


async def test_sixty_four_tables_stand_on_a_tablet_without_scrolling(browser: Browser) -> None:
    for size in ("upright", "lying"):
        async with shown(browser, "tiles", size, "dark", "es") as page:
            last = await page.locator(".tile").nth(63).bounding_box()
            assert last is not None
            assert last["y"] + last["height"] <= SIZES[size][1]


async def test_the_page_for_an_appeal_prints_on_one_sheet(browser: Browser, tmp_path: Path) -> None:
    async with shown(browser, "appeal", "desk", "dark", "es") as page:
        pdf = await page.pdf(format="A4", path=str(tmp_path / "appeal.pdf"))
        await page.emulate_media(media="print")
        await page.screenshot(path=str(tmp_path / "appeal.png"), full_page=True)
    assert pdf.count(b"/Type /Page\n") == 1
