"""While the page loads, is not heard, or the service cannot work."""

from __future__ import annotations

from base64 import b64encode

import pytest
from playwright.async_api import Browser, Page, Route, expect

from arbiterd.access.admission import Admission
from arbiterd.access.login import login_wall
from arbiterd.access.people import Account, People
from arbiterd.edges.real import WallClock
from arbiterd.outlets.http.server import serving
from browser.seen import first_alert, known
from paper.trouble import calm

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_tap_in_the_pages_first_moment_counts(hall, browser: Browser) -> None:
    """Before the first frame is shown: a busy tablet shows it late, and may take the tap sooner."""
    page = await browser.new_page()
    await page.add_init_script("""
        new MutationObserver((_, observer) => {
          if (!document.querySelector("header.top")) return;
          observer.disconnect();
          location.hash = "#/table/3";
        }).observe(document, { childList: true, subtree: true });
    """)
    await page.goto(hall.address)

    await expect(page.locator(".table h1")).to_have_text("Table 3")
    await page.close()


async def test_a_part_that_comes_while_it_is_asked_for_is_drawn(page: Page) -> None:
    drawn = await page.evaluate("""async () => {
        const { html, render } = await import("/web/vendor/htm-preact.js");
        const { later } = await import("/web/later.js");
        const Part = later("Part", async () => ({ Part: () => html`<b>here</b>` }));
        const box = document.createElement("div");
        render(html`<${Part} />`, box);
        await Part.come();
        await new Promise((resolve) => setTimeout(resolve, 1000));
        return box.textContent;
    }""")
    assert drawn == "here"


async def test_a_tablet_that_read_the_time_late_is_put_right_by_what_is_told_then(
    page: Page,
) -> None:
    """Not by what the public is told, whose time is behind on purpose."""
    read_ms = await page.evaluate("""async () => {
        const { Hall } = await import("/web/hall.js");
        const told = {};
        window.EventSource = class {
            addEventListener(kind, take) {
                told[kind] = (said) => take({ data: JSON.stringify(said) });
            }
            close() {}
        };
        const hall = new Hall(), began = Date.parse("2026-11-21T14:00:00.000Z");
        const at = (ms) => new Date(began + ms).toISOString();
        const seen = [];
        const state = (ms, more) => {
            told.state({ table: "1", at: at(ms), ...more });
            seen.push(hall.now() - began);
        };
        told.hello({ at: at(0), speed: 0 });
        state(900);
        told.ready({});
        state(1400);
        state(1100);
        state(9000, { delay_s: 60 });
        return seen;
    }""")
    assert read_ms == [0, 1400, 1400, 1400]


async def test_a_lost_connection_is_said_and_mended(hall, browser: Browser) -> None:
    page = await browser.new_page()
    async with serving(hall.live_app(), "127.0.0.1", 0) as address:
        await page.goto(address)
        await known(page)
        await expect(page.locator(".link")).to_have_text("Live")
        await expect(first_alert(page).get_by_role("button", name="Confirm")).to_be_enabled()

    await expect(page.locator(".link")).to_contain_text("what you see is old")
    # Nothing can be tapped that would look as if it counted, nor typed.
    await expect(page.locator(".alert .acts button:enabled")).to_have_count(0)
    await expect(page.locator(".alerts > .note")).to_contain_text("Nothing can be decided")
    await page.keyboard.press("j")
    await page.keyboard.press("c")
    await expect(page.locator(".undo.wrong")).to_contain_text("nothing was sent")
    assert hall.desk.commands == []
    hall.live.clear("tables/2/rulings/2-0015")

    port = int(address.rstrip("/").rsplit(":", 1)[1])
    async with serving(hall.live_app(), "127.0.0.1", port):
        await expect(page.locator(".link")).to_have_text("Live", timeout=60_000)
        await expect(page.locator(".alert")).to_have_count(2)
        await first_alert(page).get_by_role("button", name="Confirm").click()
        await expect(page.locator(".undo:not(.wrong)")).to_contain_text("Confirmed")
    await page.close()


async def test_a_service_that_cannot_work_says_so_for_as_long_as_it_cannot(
    hall, page: Page
) -> None:
    """It tells nothing then, and nothing looks like a quiet hall."""
    await expect(page.locator(".ill")).to_have_count(0)
    hall.ill = "the journal cannot be written (disk full); make room"
    await expect(page.locator(".ill")).to_contain_text(hall.ill, timeout=30_000)
    calm(hall.live)
    await expect(page.locator(".alerts .empty")).to_contain_text("one may be missing")
    hall.ill = ""
    await expect(page.locator(".ill")).to_have_count(0, timeout=30_000)
    await expect(page.locator(".alerts .empty")).to_have_text("Nothing waits for you.")


async def test_an_act_whose_answer_is_lost_is_done_once_though_it_is_pressed_again(
    hall, browser: Browser
) -> None:
    """A telephone went offline with the tap, and the warning stood there twice."""
    page = await browser.new_page()
    await page.add_init_script("localStorage.setItem('arbiterd.name', 'Ana')")
    await page.goto(hall.address)
    coming = first_alert(page).get_by_role("button", name="On my way")
    await expect(coming).to_be_enabled()

    async def answer_lost(route: Route) -> None:
        await route.fetch()
        await route.abort()

    await page.route("**/commands", answer_lost)
    await coming.click()
    await expect(page.locator(".undo")).to_contain_text("it is sent again")
    await expect(page.locator(".undo.wrong")).to_contain_text("it may be done or not")
    await page.unroute("**/commands")
    await coming.click()
    await expect(page.locator(".undo:not(.wrong)")).to_be_visible()

    assert len({command.id for _, command, _ in hall.desk.commands}) == 1
    await page.close()


def basic(name: str) -> dict[str, str]:
    """What a browser sends that knows a login. One that is driven to answer the challenge itself
    may tell the page of a broken line and not of the refusal: one time in six, if busy."""
    return {"Authorization": f"Basic {b64encode(f'{name}:queen'.encode()).decode()}"}


async def test_whoever_is_shut_out_is_told_and_asks_no_more(hall, browser: Browser) -> None:
    """It said that the connection was lost, and went on asking under a login that was none."""
    admission = Admission(People((Account("ana", "arbiter", "queen"),)))
    app = hall.live_app()
    app.middlewares.append(login_wall(admission, WallClock()))
    async with serving(app, "127.0.0.1", 0) as address:
        context = await browser.new_context(extra_http_headers=basic("ana"), locale="es-ES")
        page = await context.new_page()
        await page.goto(address)
        await expect(page.locator(".link.live")).to_be_visible()
        asked: list[str] = []
        page.on("request", lambda it: asked.append(it.url) if "/api/v1/" in it.url else None)
        admission.people = People(())
        await page.get_by_role("button", name="Voy").first.click()
        await expect(page.locator(".undo.wrong")).to_contain_text("Identifíquese otra vez")
        await expect(page.locator(".link.out")).to_contain_text("Ya no está identificado")
        await expect(page.get_by_role("button", name="Identificarse")).to_be_visible()
        asked.clear()
        await page.wait_for_timeout(5000)
        assert asked == []
        await context.close()
    assert hall.desk.commands == []


async def test_a_live_overlay_that_is_shut_out_asks_no_more(hall, browser: Browser) -> None:
    """It asked for the stream every two seconds for as long as it stood in a studio."""
    admission = Admission(People((Account("tv", "producer", "queen"),)))
    app = hall.live_app()
    app.middlewares.append(login_wall(admission, WallClock()))
    context = await browser.new_context(extra_http_headers=basic("tv"))
    page = await context.new_page()
    async with serving(app, "127.0.0.1", 0) as address:
        port = int(address.rstrip("/").rsplit(":", 1)[1])
        await page.goto(f"{address}overlay/1")
        await expect(page.locator(".overlay")).to_be_visible()
        admission.people = People(())
    app = hall.live_app()
    app.middlewares.append(login_wall(admission, WallClock()))
    async with serving(app, "127.0.0.1", port):
        async with page.expect_response("**/api/v1/me") as shut_out:
            pass
        assert (await shut_out.value).status == 401
        asked: list[str] = []
        page.on("request", lambda it: asked.append(it.url) if "/api/v1/" in it.url else None)
        await page.wait_for_timeout(5000)
        assert asked == []
        await context.close()


async def test_a_table_that_is_not_there_is_not_asked_for(hall, browser: Browser) -> None:
    """A mistyped address had the page ask for its moves every two seconds, for ever."""
    page = await browser.new_page()
    asked: list[str] = []
    page.on("request", lambda it: asked.append(it.url) if "/tables/" in it.url else None)
    await page.goto(f"{hall.address}#/table/99")
    await expect(page.locator("#main")).to_contain_text("There is no table 99")
    await expect(page.locator(".link.live")).to_be_visible()
    await page.wait_for_timeout(2500)
    assert [url for url in asked if "/99/" in url] == []
    await page.close()


async def test_an_act_that_is_filled_in_while_the_connection_is_lost_says_one_thing(
    hall, browser: Browser
) -> None:
    """Under an act that may have been done it said that nothing was sent: it meant the preview."""
    page = await browser.new_page()
    await page.add_init_script("localStorage.setItem('arbiterd.name', 'Ana')")
    async with serving(hall.live_app(), "127.0.0.1", 0) as address:
        await page.goto(f"{address}#/table/1")
        await page.get_by_role("button", name="Act …").click()
        await page.get_by_role("button", name="Draw offer").click()
        await page.locator("dialog").get_by_role("button", name="White").click()
        await expect(page.get_by_role("button", name="Do it")).to_be_enabled()

    shown = page.locator("dialog .preview")
    await expect(shown).to_have_text("No connection: what it would do is not known now.")
    await expect(page.get_by_role("button", name="Do it")).to_be_disabled()
    await page.close()
