"""What a producer makes of the boards: one or several, and the page that writes the address."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

import pytest
from playwright.async_api import Browser, expect

from browser.test_looks import barred
from paper.famous import LINES
from paper.hall import AT, START, head

pytestmark = pytest.mark.asyncio(loop_scope="module")


def public_game(hall, table: str, fen: str = START, **more: object) -> None:
    said = head(table, 2, white=LINES[table][0], black=LINES[table][1], ply=0, turn="white",
                fen=fen, last_move=None, clock=None, result=None,
                status="playing")  # fmt: skip
    hall.gate.retain(f"public/tables/{table}/state", said | more)


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


@pytest.mark.parametrize("size", [(320, 180), (480, 270), (1920, 1080)])
@pytest.mark.parametrize("language", ["en", "es"])
async def test_a_board_fits_a_picture_of_any_size(
    hall, browser: Browser, size: tuple[int, int], language: str
) -> None:
    """The lines were as high in 320 x 180 as in 640 x 360: no name was left, and no result."""
    clock = {"white_ms": 6_300_000, "black_ms": 6_300_000, "running": None, "flag": None}
    public_game(hall, "1", clock=clock, result="1/2-1/2", simulated=True)
    page = await browser.new_page(viewport={"width": size[0], "height": size[1]})
    await page.goto(f"{hall.public_address}overlay/1?lang={language}")

    result = await page.locator(".overlay .result").bounding_box()
    assert result is not None
    assert result["y"] + result["height"] <= size[1]
    board = await page.locator(".overlay").bounding_box()
    assert board is not None
    for name in await page.locator(".overlay .name").all():
        box = await name.bounding_box()
        assert box is not None
        assert box["width"] > board["width"] / 4
    assert await page.locator(".overlay .simulated").evaluate("e => e.scrollWidth <= e.clientWidth")
    await page.close()


async def test_names_of_any_length_and_script_keep_their_place_among_the_boards(
    hall, browser: Browser
) -> None:
    """A long name made the box small that is to be ticked; Arabic names changed places."""
    public_game(hall, "1")
    long = {"white": "عبد الرحمن بن محمد", "black": "خوارزمي " * 20}
    public_game(hall, "2", **long)
    page = await browser.new_page(viewport={"width": 390, "height": 844})
    await page.goto(hall.public_address + "overlays")

    boxes = page.locator(".one input")
    await expect(boxes).to_have_count(2)
    one, two = [await boxes.nth(at).bounding_box() for at in (0, 1)]
    assert one is not None
    assert two is not None
    assert one["width"] == two["width"]
    names = page.locator(".one small").nth(1).locator("bdi")
    white, black = [await names.nth(at).bounding_box() for at in (0, 1)]
    assert white is not None
    assert black is not None
    assert white["x"] < black["x"]
    await page.close()


async def test_an_overlay_that_read_the_time_late_is_put_right_by_what_is_told_then(
    hall, browser: Browser
) -> None:
    """The service says its time at the start and in silences alone; table 2 tells meanwhile."""
    running = {"white_ms": 600_000, "black_ms": 1, "running": "white", "flag": None}
    for table in "12":
        public_game(hall, table, clock=running, delay_s=900)
    page = await browser.new_page()
    await page.goto(hall.public_address + "overlay/1,2")
    first, last = (page.locator(".overlay .clock.running time").nth(at) for at in (0, 1))
    await expect(first).to_have_text(re.compile("^(10:00|9:5)"))

    later = (datetime.fromisoformat(AT) + timedelta(seconds=60)).isoformat()
    public_game(hall, "2", clock=running, delay_s=900, at=later)
    # Looked for in every frame: this hall's own time stands still, and is told again after 5 s.
    await page.wait_for_function(
        "() => /^8:5/.test(document.querySelector('.running time').textContent)"
    )

    # Where table 2 is a minute less far behind, it says nothing of table 1.
    await page.reload()
    public_game(hall, "2", clock=running | {"white_ms": 500_000}, delay_s=840, at=later)
    await expect(last).to_have_text(re.compile("^8:(20|1)"))
    await expect(first).to_have_text(re.compile("^(10:00|9:5)"))
    await page.close()


async def test_several_boards_stand_side_by_side_at_the_size_that_was_asked_for(
    hall, browser: Browser
) -> None:
    for table in "123":
        public_game(hall, table)
    page = await browser.new_page(viewport={"width": 1280, "height": 720})
    await page.goto(hall.public_address + "overlay/1,2,3?across=2&width=200&corner=bottom-right")
    boards = page.locator(".overlay")
    await expect(boards).to_have_count(3)
    boxes = [await boards.nth(at).bounding_box() for at in range(3)]
    assert [round(box["width"]) for box in boxes] == [200, 200, 200]
    assert boxes[0]["y"] == boxes[1]["y"] < boxes[2]["y"]
    assert round(max(box["x"] + box["width"] for box in boxes)) == 1280
    assert round(boxes[2]["y"] + boxes[2]["height"]) == 720
    assert await barred(page) == []
    await page.close()


async def test_the_public_sees_what_shogi_players_have_in_hand(hall, browser: Browser) -> None:
    fen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b 2Pr 1"
    public_game(hall, "1", fen)
    page = await browser.new_page(viewport={"width": 640, "height": 720})
    await page.goto(hall.public_address + "overlay/1")
    await expect(page.locator(".hand")).to_have_count(2)
    await expect(page.locator(".hand").last).to_contain_text("歩")
    await expect(page.locator(".hand").first).to_contain_text("飛")
    await page.close()


@pytest.mark.parametrize("wish", ["", "?width=120", "?width=420&frame=yes"])
async def test_every_kind_in_hand_lies_beside_the_board(hall, browser: Browser, wish: str) -> None:
    """And where nothing is in hand the board stands no higher."""
    public_game(hall, "1", "4k4/9/9/9/9/9/9/9/4K4 b R2B3G4S2N2L10P 161")
    page = await browser.new_page(viewport={"width": 800, "height": 600})
    await page.goto(f"{hall.public_address}overlay/1{wish}")
    full, empty = page.locator(".hand").last, page.locator(".hand").first
    await expect(full.locator(".held")).to_have_count(7)
    overlay, last = page.locator(".overlay"), full.locator(".held").last
    whole, piece = await overlay.bounding_box(), await last.bounding_box()
    assert piece["x"] + piece["width"] <= whole["x"] + whole["width"]
    assert (await full.bounding_box())["height"] == (await empty.bounding_box())["height"]
    await page.close()


@pytest.mark.parametrize(
    ("planks", "count", "river"), [("d4,e5", 2, 16), ("-", 0, 16), ("d3", 1, 0)]
)
async def test_the_public_sees_the_river_and_its_planks(
    hall, browser: Browser, planks: str, count: int, river: int
) -> None:
    """They are read from the position. Where another river was laid out, it is not known which."""
    public_game(hall, "1", f"{START} {planks} 1/1")
    page = await browser.new_page(viewport={"width": 640, "height": 720})
    await page.goto(hall.public_address + "overlay/1")
    await expect(page.locator(".overlay use")).to_have_count(32)
    await expect(page.locator(".mark.planks")).to_have_count(count)
    await expect(page.locator(".mark.river")).to_have_count(river)
    await page.close()


async def test_a_frame_is_as_high_as_its_own_board(hall, browser: Browser) -> None:
    """Beside a shogi board with its hands."""
    public_game(hall, "1", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1")
    public_game(hall, "2")
    page = await browser.new_page(viewport={"width": 1280, "height": 720})
    for corner in ("top-left", "middle", "bottom-right"):
        await page.goto(f"{hall.public_address}overlay/1,2?frame=yes&corner={corner}")
        frame, last = page.locator(".overlay").last, page.locator(".overlay .player").last
        around, name = await frame.bounding_box(), await last.bounding_box()
        assert around["y"] + around["height"] - (name["y"] + name["height"]) < 8
    await page.close()


async def test_the_address_is_made_by_ticking(hall, browser: Browser) -> None:
    for table in "12":
        public_game(hall, table)
    page = await browser.new_page(viewport={"width": 1280, "height": 900})
    await page.goto(hall.public_address + "overlays")
    await page.get_by_role("checkbox", name="2", exact=True).check()
    await page.get_by_label("material").check()
    await page.get_by_label("in a frame").check()
    await page.get_by_label("Where").select_option("bottom-right")
    expected = "overlay/1,2?width=320&corner=bottom-right&frame=yes&show=clock,material"
    address = hall.public_address + expected
    await expect(page.locator("#address")).to_have_value(address)
    await expect(page.locator(".shown .overlay")).to_have_count(2)

    await page.goto(address)
    await expect(page.locator(".field.framed.bottom.right .overlay")).to_have_count(2)
    await page.close()


async def test_a_producer_who_speaks_spanish_gets_a_spanish_overlay(hall, browser: Browser) -> None:
    public_game(hall, "1")
    page = await browser.new_page(viewport={"width": 1280, "height": 900}, locale="es-ES")
    await page.goto(hall.public_address + "overlays")
    await expect(page.locator("h1")).to_have_text("Rótulo para la retransmisión")
    made = hall.public_address + "overlay/1?width=320&lang=es&show=clock"
    await expect(page.locator("#address")).to_have_value(made)
    address = await page.locator("#address").input_value()

    await page.goto(address)
    await expect(page.locator(".simulated")).to_have_text("Simulado")
    await page.goto(address.replace("lang=es&", ""))
    await expect(page.locator(".simulated")).to_have_text("Simulated")

    await page.goto(hall.public_address + "overlays?lang=en")
    await expect(page.locator("h1")).to_have_text("Overlay for a broadcast")
    await page.get_by_label("Language").select_option("es")
    await expect(page.locator("h1")).to_have_text("Rótulo para la retransmisión")
    await page.close()


@pytest.mark.parametrize("framed", [False, True])
async def test_a_producer_is_told_how_large_his_browser_source_has_to_be(
    hall, browser: Browser, framed: bool
) -> None:
    """OBS makes it 800 by 600 unless told otherwise: three boards of 320 px are cut off there."""
    for table in "1234":
        public_game(hall, table)
    page = await browser.new_page(viewport={"width": 1280, "height": 900})
    await page.goto(hall.public_address + "overlays")
    for table in "234":
        await page.get_by_role("checkbox", name=table, exact=True).check()
    await page.get_by_label("Side by side").fill("3")
    await page.get_by_label("From the edge").fill("20")
    await page.get_by_label("in a frame").set_checked(framed)
    told = page.locator(".space")
    await expect(told).to_contain_text("1021 ×")
    width, height = map(int, re.findall(r"\d+", await told.inner_text()))
    # What is shown here is all of it.
    shown, last = page.locator(".shown"), page.locator(".shown .overlay").nth(2)
    whole, board = await shown.bounding_box(), await last.bounding_box()
    assert board["x"] + board["width"] <= whole["x"] + whole["width"] + 1

    await page.goto(await page.locator("#address").input_value())
    cut = []
    for less in (0, 12):
        await page.set_viewport_size({"width": width - less, "height": height - less})
        boxes = [await page.locator(".overlay").nth(at).bounding_box() for at in range(4)]
        right = max(box["x"] + box["width"] for box in boxes) > width - less - 20 + 1
        below = max(box["y"] + box["height"] for box in boxes) > height - less - 20 + 1
        cut.append((right, below))
    assert cut == [(False, False), (True, True)]
    await page.close()


async def test_who_makes_one_of_the_live_boards_is_shown_to_the_public_side(
    hall, browser: Browser
) -> None:
    page = await browser.new_page()
    await page.goto(hall.address + "overlays")
    warning = page.locator(".live")
    await expect(warning).to_contain_text("without the delay")
    public_game(hall, "2")
    await warning.get_by_role("link").click()
    await expect(page).to_have_url(hall.public_address + "overlays")
    await expect(page.get_by_role("checkbox", name="2", exact=True)).to_be_visible()
    await expect(page.locator(".live")).to_have_count(0)
    await page.close()


async def test_boards_without_a_width_fit_side_by_side(hall, browser: Browser) -> None:
    for table in "123456":
        public_game(hall, table)
    page = await browser.new_page(viewport={"width": 1280, "height": 720})
    for tables, across in (("1,2,3", 3), ("1,2,3,4,5,6", 3), ("1,2", 1)):
        await page.goto(f"{hall.public_address}overlay/{tables}?across={across}&margin=10")
        boards = page.locator(".overlay")
        await expect(boards).to_have_count(tables.count(",") + 1)
        for box in [await board.bounding_box() for board in await boards.all()]:
            assert box["x"] + box["width"] <= 1280
            assert box["y"] + box["height"] <= 720
    await page.close()


async def test_the_maker_has_the_tablets_light_and_shows_the_boards_in_their_own(
    hall, browser: Browser
) -> None:
    public_game(hall, "1")
    page = await browser.new_page(viewport={"width": 1280, "height": 900})
    await page.goto(hall.public_address + "overlays")
    square = page.locator(".overlay .sq.dark").first
    grounds, squares = [], []
    for theme in ("dark", "light", "hall"):
        await page.evaluate("theme => localStorage.setItem('arbiterd.theme', theme)", theme)
        await page.reload()
        grounds.append(await page.evaluate("getComputedStyle(document.body).backgroundColor"))
        squares.append(await square.evaluate("one => getComputedStyle(one).fill"))
    assert len(set(grounds)) == 3
    await page.goto(hall.public_address + "overlay/1")
    assert {await square.evaluate("one => getComputedStyle(one).fill")} == set(squares)
    await page.close()


async def test_a_producer_who_is_early_sees_the_boards_come(hall, browser: Browser) -> None:
    """They typed the host alone, before the delay has let anything out."""
    page = await browser.new_page(viewport={"width": 1280, "height": 900})
    await page.goto(hall.public_address)
    await expect(page.locator(".tables")).to_contain_text("No boards yet")
    await expect(page.get_by_role("button", name="Copy")).to_be_disabled()

    public_game(hall, "1")

    made = hall.public_address + "overlay/1?width=320&show=clock"
    await expect(page.locator("#address")).to_have_value(made)
    await expect(page.get_by_role("button", name="Copy")).to_be_enabled()
    await page.close()


async def test_an_overlay_asks_for_no_half_moves_of_a_table_that_is_not_there_yet(
    hall, browser: Browser
) -> None:
    """Before the delay was over it asked every two seconds, and was told 404 each time."""
    page = await browser.new_page()
    refused: list[str] = []
    page.on("response", lambda answer: refused.append(answer.url) if answer.status > 399 else None)
    await page.goto(hall.public_address + "overlay/1,99?show=last")
    await page.wait_for_timeout(2500)
    assert refused == []

    public_game(hall, "1")
    told = head("1", 3, ply=1, color="white", san="Nf3", uci="g1f3", fen=START, clock=None,
                irregular=False, prev=None)  # fmt: skip
    hall.gate.tell("public/tables/1/moves", told)
    await expect(page.locator(".last-move")).to_have_text("Nf3")
    assert refused == []
    await page.close()


@pytest.mark.parametrize("language", ["en", "es"])
async def test_the_opening_is_numbered_as_its_position_says(
    hall, browser: Browser, language: str
) -> None:
    """Black's 40th half-move was White's first, and what no legal move made was "2.null"."""
    fens = [
        "4k3/8/8/8/8/8/8/r3K2R w K - 0 41", "4k3/8/8/8/8/8/8/r2K3R b - - 1 41",
        "4k3/8/8/8/8/8/3q4/3K3R w - - 0 42", "4k3/8/8/8/8/8/3K4/7R b - - 0 42",
    ]  # fmt: skip
    sans = ["a1=R+", "Kd1", None, "Kxd2"]
    public_game(hall, "1", fen=fens[-1])
    for at, (fen, san) in enumerate(zip(fens, sans, strict=True)):
        told = head("1", at + 1, prev=None, ply=at + 1, color="white" if at % 2 else "black",
                    san=san, uci=san and "a1a2", fen=fen, clock=None)  # fmt: skip
        irregular = {} if san else {"irregular": True}
        hall.gate.tell("public/tables/1/moves", told | irregular)
    page = await browser.new_page(viewport={"width": 640, "height": 800})
    await page.goto(f"{hall.public_address}overlay/1?show=moves&lang={language}")

    rook, king = ("R", "K") if language == "en" else ("T", "R")
    await expect(page.locator(".opening")).to_have_text(f"40…a1={rook}+ 41.{king}d1 – 42.{king}xd2")
    await page.close()
