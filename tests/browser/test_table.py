"""One table on the page: its board, its half-moves, what a ruling rests on."""

from __future__ import annotations

import asyncio
import json
import re

import pytest
from playwright.async_api import Page, Route, expect

from browser.seen import card, known
from paper.hall import START, move, ruling, state

pytestmark = pytest.mark.asyncio(loop_scope="module")


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


async def test_half_moves_that_could_not_be_had_are_asked_for_again(hall, page: Page) -> None:
    await page.route("**/api/v1/tables/3/moves", lambda route: route.abort(), times=1)
    await card(page, "3").click()

    await expect(page.locator(".moves .half").first).to_be_visible(timeout=15_000)


async def test_a_history_that_could_not_be_had_is_asked_for_again(hall, page: Page) -> None:
    """It said that nothing had happened at the table."""
    await card(page, "3").click()
    await page.wait_for_load_state("networkidle")
    refused = asyncio.Event()

    async def refuse(route: Route) -> None:
        await route.abort()
        refused.set()

    await page.route("**/api/v1/tables/3/timeline*", refuse, times=1)
    await page.locator(".history summary").click()
    await refused.wait()

    await expect(page.locator(".history li").first).to_be_visible(timeout=15_000)


async def test_a_history_is_the_newest_that_was_asked_for(hall, page: Page) -> None:
    """An answer that came late took the place of a newer one."""
    await card(page, "3").click()
    await page.wait_for_load_state("networkidle")
    asked, go_on, done = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def late(route: Route) -> None:
        answer = await route.fetch()
        asked.set()
        await go_on.wait()
        await route.fulfill(response=answer)
        done.set()

    await page.route(re.compile(r"/tables/3/timeline\?after=[1-9]"), late, times=1)
    await page.locator(".history summary").click()
    await asked.wait()
    hall.live.tell("tables/3/moves", move("3", 900, 77, "Ke2", "e1e2", START))
    hall.live.retain("tables/3/state", hall.live.decoded("tables/3/state") | {"seq": 900})
    newest = page.locator(".history li").first
    await expect(newest).to_contain_text("77")
    go_on.set()
    await done.wait()
    await page.wait_for_load_state("networkidle")

    await expect(newest).to_contain_text("77")


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


async def test_moves_have_the_letters_of_the_pages_language(hall, page: Page) -> None:
    """Rulings have them; shogi's are the same everywhere."""
    await page.goto(f"{hall.address}?lang=es#/table/1")
    last = page.locator(".moves .half").last
    await expect(last).to_contain_text("De7")
    for ply, (san, letters) in enumerate(
        [("gxh1=Q#", "gxh1=D#"), ("Nbxd2+", "Cbxd2+"), ("O-O", "O-O"), ("Nx3c", "Nx3c")], start=15
    ):
        hall.live.tell("tables/1/moves", move("1", ply, ply, san, "g2h1", START))
        await expect(last).to_contain_text(letters)


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


async def test_a_ruling_shows_what_it_rests_on(hall, page: Page) -> None:
    await page.goto(hall.address + "#/table/5/5-0015")

    evidence = page.locator(".evidence")
    await expect(evidence).to_contain_text("N c3")
    await expect(evidence).to_contain_text("off its square 2.1 s")
    await expect(evidence).to_contain_text("c3–e4, c3–b5")
    await evidence.get_by_text("5 inputs of the journal, 10 to 14").click()
    await expect(evidence.locator(".inputs tr")).to_have_count(5)


async def test_where_no_board_was_ever_heard_no_sensors_are_said_to_have_shown_anything(
    hall, page: Page
) -> None:
    """A game that is entered by hand: the page for an appeal showed the start as their reading."""
    sensors = page.get_by_text("What the sensors showed")
    before = page.get_by_text("Before it, with what the sensors showed when it was seen")
    for device, shown in (("ok", 1), ("none", 0)):
        told = json.loads(hall.live.retained()["tables/5/state"])
        hall.live.retain("tables/5/state", told | {"device": device})
        await page.goto(hall.address + "#/table/5/5-0015")
        await expect(page.locator(".evidence")).to_be_visible()
        await expect(before).to_have_count(shown)
        await page.goto(hall.address + "#/appeal/5/5-0015")
        await expect(page.locator(".appeal figure").first).to_be_visible()
        await expect(sensors).to_have_count(shown)


async def test_the_page_for_an_appeal_has_the_decision_that_stands(hall, page: Page) -> None:
    """It printed the first one it had read, which was undone and decided otherwise."""
    decided = page.locator(".appeal h2:has-text('Decision') ~ p").first

    def told(revision: int, decision: str | None) -> None:
        at = f"2026-11-21T14:0{revision}:00.000Z"
        ack = decision and {"by": "Ada", "at": at, "decision": decision, "reason": ""}
        said = {"state": decision or "open", "revision": revision, "ack": ack}
        number = 90 + revision
        event = ruling("7", number, "illegal-first", 1, "Illegal.", id="7-0090", **said)
        hall.live.tell("tables/7/rulings", event)
        if decision:
            hall.live.clear("tables/7/rulings/7-0090")
        else:
            hall.live.retain("tables/7/rulings/7-0090", event)

    hall.live.retain("tables/7/state", state("7", 89))
    told(1, None)
    await page.goto(hall.address + "#/appeal/7/7-0090")
    await expect(decided).to_contain_text("Not decided yet.")
    told(2, "confirmed")
    await expect(decided).to_contain_text("Confirmed by Ada at")
    told(3, None)
    await expect(decided).to_contain_text("Not decided yet.")
    told(4, "dismissed")
    await expect(decided).to_contain_text("Dismissed by Ada at")


async def test_the_page_for_an_appeal_names_who_played_then(hall, page: Page) -> None:
    """After the next round had begun it was printed with the names and the clock of that one."""
    clock = {"white_ms": 5_400_000, "black_ms": 5_400_000, "running": "white", "flag": None}
    hall.live.retain("tables/7/state", state("7", 89, game="7-2", white="Bird", clock=clock))
    seen = {"id": "7-0090", "game": "7-1", "evidence": {"from": 110, "to": 114}}
    hall.live.tell("tables/7/rulings", ruling("7", 90, "illegal-first", 1, "Illegal.", **seen))
    await page.goto(hall.address + "#/appeal/7/7-0090")
    sheet = page.locator(".appeal")
    await expect(sheet.locator("header")).to_contain_text("Paulsen – Blackburne")
    await expect(sheet).not_to_contain_text("Bird")
    await expect(sheet).not_to_contain_text("The clock now:")


async def test_a_more_urgent_ruling_does_not_take_the_place_of_the_one_looked_at(
    hall, page: Page
) -> None:
    await page.goto(hall.address + "#/table/5")
    shown, listed = page.locator(".evidence h3"), page.locator(".rulings > ul .ruling")
    await expect(shown).to_contain_text("touched the knight")
    told = ruling("5", 40, "flag-last-period", 1, "Flag.", at="2026-11-21T14:09:00.000Z")
    hall.live.retain("tables/5/rulings/5-0040", told)
    await expect(listed).to_have_count(2)
    await expect(listed.first).to_contain_text("Flag.")
    await expect(shown).to_contain_text("touched the knight")

    hall.live.clear("tables/5/rulings/5-0015")
    await expect(shown).to_contain_text("Flag.")


async def test_an_article_says_what_is_known_under_it_in_the_readers_language(
    hall, page: Page
) -> None:
    await page.evaluate("localStorage.setItem('arbiterd.language', 'es')")
    await page.goto(hall.address + "#/table/3/3-0017")
    await page.reload()
    await page.locator(".article button").first.click()
    await expect(page.locator(".article-text")).to_contain_text("ilegal")


@pytest.mark.parametrize(
    ("fen", "gone", "rights"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 9", (), "KQkq"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 9", (56,), "Kkq"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 9", (4,), "KQ"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 9", (), "-"),
        ("1rk3r1/8/8/8/8/8/8/1RK3R1 w KQkq - 0 9", (), "KQkq"),
        ("1rk3r1/8/8/8/8/8/8/1RK3R1 w KQkq - 0 9", (57, 2), "K"),
        ("2k5/8/8/8/8/8/8/1RK2RR1 w FQ - 0 9", (), "FQ"),
        ("2k5/8/8/8/8/8/8/1RK2RR1 w FQ - 0 9", (61,), "Q"),
    ],
)
async def test_a_position_that_is_set_keeps_the_castlings_its_pieces_allow(
    page: Page, fen: str, gone: tuple[int, ...], rights: str
) -> None:
    """In chess960 kings and rooks begin on any file."""
    left = await page.evaluate(
        """async ([fen, gone]) => {
        const { castling } = await import("/web/fields.js");
        const { readField } = await import("/web/diagram.js");
        const { pieces } = readField(fen);
        return castling(pieces.map((piece, at) => (gone.includes(at) ? "" : piece)), fen);
    }""",
        [fen, list(gone)],
    )

    assert left == rights
