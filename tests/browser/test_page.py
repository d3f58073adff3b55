"""What an arbiter sees and does on the page, with mouse, finger and keys."""

from __future__ import annotations

import asyncio

import pytest
from playwright.async_api import Browser, Page, expect

from arbiterd.outlets.http.server import serving
from paper.hall import START, head, move, ruling, state
from paper.trouble import calm

pytestmark = pytest.mark.asyncio(loop_scope="module")


def card(page: Page, table: str):
    return page.locator(f'a.card[href="#/table/{table}"]')


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


def first_alert(page: Page):
    return page.locator(".alert").first


async def signed(page: Page, name: str = "Ana") -> None:
    """The name that the page asks for once."""
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Your name").fill(name)
    await dialog.get_by_role("button", name="Go on").click()


async def known(page: Page, name: str = "Ana") -> None:
    """The tablet remembers who has it in hand."""
    await page.evaluate("name => localStorage.setItem('arbiterd.name', name)", name)


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


async def test_half_moves_are_entered_replaced_and_taken_back(hall, page: Page) -> None:
    hall.live.retain("tables/1/state", state("1", 4, ply=2))
    await known(page)
    await page.goto(hall.address + "#/table/1")
    entry = page.locator(".entry")
    await entry.locator("summary").click()

    await entry.get_by_label("Next half-move").fill("8h2b+")
    await entry.get_by_role("button", name="Add").click()
    await expect(entry.get_by_label("Next half-move")).to_have_value("")
    async with page.expect_response("**/commands"):
        await entry.get_by_role("button", name="Take back").click()

    told = [command for _, command, _ in hall.desk.commands]
    assert [(c.action, c.op, c.ply, c.move, c.by) for c in told] == [
        ("set-move", "insert", None, "8h2b+", "Ana"),
        ("set-move", "take-back", 2, None, "Ana"),
    ]


async def test_without_a_name_nothing_is_sent(hall, page: Page) -> None:
    await first_alert(page).get_by_role("button", name="Dismiss").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_role("button", name="Go on").click()
    await expect(dialog).to_be_visible()
    await dialog.get_by_role("button", name="Cancel").click()

    await expect(dialog).to_have_count(0)
    assert hall.desk.commands == []


async def test_a_refusal_is_shown(hall, page: Page) -> None:
    hall.desk.refusal = "3-0017 is closed already"
    await known(page)
    await first_alert(page).get_by_role("button", name="Confirm").click()

    await expect(page.locator(".undo.wrong")).to_contain_text("3-0017 is closed already")


async def test_a_ruling_closed_elsewhere_is_gone_from_the_list(hall, page: Page) -> None:
    await page.goto(hall.address + "#/table/3/3-0017")
    await expect(page.locator(".steps")).to_be_visible()
    hall.live.clear("tables/3/rulings/3-0017")

    await expect(page.locator(".steps")).to_have_count(0)
    await expect(page.locator(".alert")).to_have_count(2)


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
    await expect(page.locator(".undo")).to_be_visible()

    assert len(sent) == 3
    assert len(set(sent)) == 1


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


async def test_an_article_says_what_is_known_under_it_in_the_readers_language(
    hall, page: Page
) -> None:
    await page.evaluate("localStorage.setItem('arbiterd.language', 'es')")
    await page.goto(hall.address + "#/table/3/3-0017")
    await page.reload()
    await page.locator(".article button").first.click()
    await expect(page.locator(".article-text")).to_contain_text("ilegal")


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


async def test_half_moves_that_could_not_be_had_are_asked_for_again(hall, page: Page) -> None:
    await page.route("**/api/v1/tables/3/moves", lambda route: route.abort(), times=1)
    await card(page, "3").click()

    await expect(page.locator(".moves .half").first).to_be_visible(timeout=15_000)


async def test_the_table_shows_what_the_sensors_show_otherwise(hall, page: Page) -> None:
    await card(page, "3").click()

    odd = page.locator(".note.odd")
    await expect(odd).to_contain_text("something else on 2 squares")
    await expect(odd).to_contain_text("e3: a white bishop")
    await expect(odd).to_contain_text("f1: nothing")
    await expect(page.locator(".board .diagram .wrong")).to_have_count(2)


async def test_pieces_that_were_set_up_anew_are_said_once_and_not_on_every_square(
    hall, page: Page
) -> None:
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
    shown = hall.live.decoded("tables/3/state")
    after = "4k3/8/8/3K4/8/8/8/8 w - - 0 60"
    hall.live.retain("tables/3/state", shown | {"fen": after, "placement": start, "device": "ok"})

    await expect(card(page, "3").locator(".notice")).to_contain_text("set up otherwise")
    await expect(card(page, "3").locator(".wrong")).to_have_count(0)
    await expect(card(page, "3").locator("use")).to_have_count(2)


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


async def test_a_moves_position_can_be_looked_at(hall, page: Page) -> None:
    await card(page, "1").click()
    await expect(page.locator(".moves .half")).to_have_count(14)
    pieces = page.locator(".board .diagram use")
    now = await pieces.count()

    await page.get_by_role("button", name="e4 1:").click()
    await expect(page.locator(".board")).to_contain_text("After half-move 1")
    await expect(pieces).to_have_count(32)

    await page.locator(".moves ol").focus()
    await page.keyboard.press("ArrowRight")
    await expect(page.locator(".board")).to_contain_text("After half-move 2")
    await page.keyboard.press("End")
    await expect(pieces).to_have_count(now)


async def test_a_move_learned_late_takes_the_place_of_the_one_told(hall, page: Page) -> None:
    await card(page, "1").click()
    last = page.locator(".moves .half").last
    await expect(last).to_contain_text("Qe7")

    told = move("1", 15, 14, "Qd7", "d8d7", START, replaces=14)
    hall.live.tell("tables/1/moves", told)
    await expect(last).to_contain_text("Qd7")
    await expect(page.locator(".moves .half")).to_have_count(14)

    withdrawn = move("1", 16, 14, "", "", START, replaces=15) | {"san": None, "uci": None}
    hall.live.tell("tables/1/moves", withdrawn)
    await expect(page.locator(".moves .half")).to_have_count(13)


async def test_a_ruling_shows_what_it_rests_on(hall, page: Page) -> None:
    await page.goto(hall.address + "#/table/5/5-0015")

    evidence = page.locator(".evidence")
    await expect(evidence).to_contain_text("N c3")
    await expect(evidence).to_contain_text("off its square 2.1 s")
    await expect(evidence).to_contain_text("c3–e4, c3–b5")
    await evidence.get_by_text("5 inputs of the journal, 10 to 14").click()
    await expect(evidence.locator(".inputs tr")).to_have_count(5)


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


async def test_a_shogi_board_is_drawn_with_hands_and_promoted_pieces(hall, page: Page) -> None:
    fen = "lnsgkgsnl/1r5b1/pppppp+Bpp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL w Pb 4"
    said = {"ruleset": "shogi", "fen": fen, "placement": fen.split()[0], "last_move": "2b8h+"}
    hall.live.retain(
        "tables/1/state", state("1", 4, **said, extras={"hand_black": "2PB", "hand_white": ""})
    )
    await page.goto(hall.address + "#/table/1")

    board = page.locator(".board .diagram")
    await expect(board.locator(".sq")).to_have_count(81)
    await expect(board.locator(".koma.promoted")).to_have_text("馬")
    await expect(board.locator(".edges")).to_contain_text("987654321")
    await expect(board.locator(".sq.last")).to_have_count(2)
    await expect(board.locator(".piece-unknown")).to_have_count(0)
    assert await page.evaluate("document.fonts.load('22px koma', '馬').then(f => f.length)") == 1
    await expect(page.locator(".board .player .colour").last).to_have_class("colour black")
    far, near = page.locator(".board .hand").first, page.locator(".board .hand").last
    await expect(far).to_have_text("no pieces in hand")
    assert await near.locator(".koma").all_text_contents() == ["歩", "角"]
    await expect(near.locator("b")).to_have_text("2")
    assert await near.get_attribute("aria-label") == "In Black's hand: 2 P, 1 B"


async def test_river_and_planks_are_drawn_on_their_squares(hall, page: Page) -> None:
    river = ",".join(f"{file}{rank}" for file in "abcdefgh" for rank in "45")
    extras = {"river": river, "planks": "d4,e5", "transformed": "1/1", "owes": ""}
    hall.live.retain("tables/1/state", state("1", 4, ruleset="guadalete", extras=extras))
    await page.goto(hall.address + "#/table/1")

    board = page.locator(".board .diagram")
    await expect(board.locator(".mark.river")).to_have_count(16)
    await expect(board.locator(".mark.planks")).to_have_count(2)
    assert "planks d4,e5" in (await board.get_attribute("aria-label") or "")
    assert await page.locator(".extras dt").all_text_contents() == ["transformed"]
    assert await page.locator(".extras dd").all_text_contents() == ["1/1"]


async def test_pieces_the_sensors_cannot_name_contradict_nothing(hall, page: Page) -> None:
    dumb = START.split(" ", 1)[0].translate(str.maketrans("rnbqkpRNBQKP", "????????????"))
    hall.live.retain("tables/1/state", state("1", 4, placement=dumb))
    await page.goto(hall.address + "#/table/1")

    await expect(page.locator(".note")).to_have_text("The sensors show this position.")


async def test_colours_alone_contradict_only_the_other_colour(hall, page: Page) -> None:
    fen = "4k3/8/8/8/8/8/4P3/4K2b w - - 0 1"
    hall.live.retain("tables/1/state", state("1", 4, fen=fen, placement="4b3/8/8/8/8/8/4b3/4w2b"))
    await page.goto(hall.address + "#/table/1")

    odd = page.locator(".note.odd")
    await expect(odd).to_contain_text("on 1 square")
    await expect(odd).to_contain_text("e2: a black piece (position: a white pawn)")


async def test_a_name_full_of_tags_is_only_a_name(hall, page: Page) -> None:
    tags = "<img src=x onerror=document.title='owned'>"
    hall.live.retain("tables/1/state", state("1", 4, white=tags))

    await expect(card(page, "1")).to_contain_text(tags)
    assert await page.locator(".card img").count() == 0


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


async def test_the_public_overlay_shows_what_the_gate_let_through(hall, browser: Browser) -> None:
    said = head("1", 2, white="Morphy", black="Duke", fen=START, ply=0, turn="white",
                last_move=None, clock=None, result=None, status="playing")  # fmt: skip
    hall.gate.retain("public/tables/1/state", said)
    page = await browser.new_page(viewport={"width": 640, "height": 800})
    await page.goto(hall.public_address + "overlay/1")

    await expect(page.locator(".overlay")).to_contain_text("Morphy")
    await expect(page.locator(".overlay use")).to_have_count(32)
    transparent = await page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert transparent == "rgba(0, 0, 0, 0)"
    await page.close()
