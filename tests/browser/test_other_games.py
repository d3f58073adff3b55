"""Whole games of the other rule sets: hands on an emulated board, a wire, the service, its broker
and its page in a browser. `--basetemp DIR` keeps the pictures it takes."""

from __future__ import annotations

import asyncio
import json
import sys
from asyncio.subprocess import DEVNULL
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any

import aiomqtt
import pytest
from playwright.async_api import Browser, expect
from playwright.async_api import Error as PlaywrightError

from arbiterd.edges.real import WallClock
from arbiterd.rules.registry import ruleset
from conftest import free_port
from eboards.cpp.emulator import CppEmulator
from eboards.events import EMPTY
from eboards.transport.pty import PtyServer

pytestmark = pytest.mark.asyncio(loop_scope="module")

MS = 1_000_000
SPEED = 8.0
PLIES = 70
STARTS = {
    "shogi": "",
    "guadalete": "",
    "chess960": "rkbbqnnr/pppppppp/8/8/8/8/PPPPPPPP/RKBBQNNR w HAha - 0 1",
}


class Played:
    """A board at which a game is played at random, a half-move every two seconds or so."""

    def __init__(self, name: str, seed: int) -> None:
        self.rules = ruleset(name)
        position = self.rules.start(STARTS[name])
        self.board = CppEmulator(list(self.rules.placement(position)), self.rules.geometry)
        self.moves: list[str] = []
        self._deeds: list[tuple[int, int, str]] = []
        self._begun_ns: int | None = None
        dice, now_ns = Random(seed), 0
        while len(self.moves) < PLIES and self.rules.end(position) is None:
            move = _chosen(self.rules, position, dice)
            self.moves.append(self.rules.wire(position, move))
            before = self.rules.placement(position)
            changes = dict(self.rules.footprint(position, move))
            lifts = [s for s in self.rules.touched(position, move) if before[s] != EMPTY]
            for square in lifts:
                now_ns += 400 * MS
                self._deeds.append((now_ns, square, EMPTY))
            for square, piece in changes.items():
                if piece != EMPTY:
                    now_ns += 400 * MS
                    self._deeds.append((now_ns, square, piece))
            now_ns += dice.randrange(1_000, 2_000) * MS
            position = self.rules.play(position, move)
        self.last = position

    def begin(self, at_ns: int) -> None:
        """The game begins now; until then nobody is at the board."""
        self._begun_ns = at_ns

    @property
    def _next_ns(self) -> int | None:
        if self._begun_ns is None or not self._deeds:
            return None
        return self._begun_ns + self._deeds[0][0]

    @property
    def due_at_ns(self) -> int | None:
        times = [self.board.due_at_ns, self._next_ns]
        return min((time for time in times if time is not None), default=None)

    def receive(self, data: bytes, at_ns: int) -> None:
        self.board.receive(data, at_ns)

    def advance(self, at_ns: int) -> bytes:
        said = b""
        while (deed_ns := self._next_ns) is not None and deed_ns <= at_ns:
            _, square, piece = self._deeds.pop(0)
            said += self.board.advance(deed_ns)
            self.board.set_square(square, piece, deed_ns)
        return said + self.board.advance(at_ns)


def _chosen(rules: Any, position: Any, dice: Random) -> Any:
    """Captures, drops and castlings rather than anything else: there should be much to see."""
    legal = rules.legal_moves(position)
    lively = [
        move
        for move in legal
        if len(rules.touched(position, move)) != 1 or rules.wire(position, move)[-1] in "t+"
    ]
    return dice.choice(lively if lively and dice.random() < 0.6 else legal)


def written(folder: Path, name: str, device: str, mqtt: int, http: int) -> Path:
    file = folder / "arbiterd.toml"
    start = f'start = "{STARTS[name]}"\n' if STARTS[name] else ""
    file.write_text(
        f"[simulation]\nspeed = {SPEED:g}\n"
        f'[journal]\npath = "journal.db"\n[mqtt]\nlisten = "127.0.0.1:{mqtt}"\n'
        f'[http]\nlisten = "127.0.0.1:{http}"\n'
        f'[rates.r]\nkind = "rapid"\ntime = ["30:00"]\n'
        f'[[tables]]\ntable = "1"\ndevice = "serial:{device}"\ndriver = "cpp"\n'
        f'ruleset = "{name}"\nwhite = "White"\nblack = "Black"\n{start}'
    )
    return file


async def told(port: int, topic: str) -> AsyncIterator[dict[str, Any]]:
    """What a client of the broker is told of table 1, as soon as there is a broker."""
    while True:
        try:
            async with aiomqtt.Client("127.0.0.1", port) as client:
                await client.subscribe(f"arbiterd/+/tables/1/{topic}", qos=1)
                async for message in client.messages:
                    assert isinstance(message.payload, bytes)
                    yield json.loads(message.payload)
        except aiomqtt.MqttError:
            await asyncio.sleep(0.05)


async def board_heard(port: int) -> None:
    async with asyncio.timeout(60):
        async for state in told(port, "state"):
            if state["device"] == "ok":
                return


async def heard(port: int, moves: list[str]) -> list[str]:
    """What a client of the broker has as the game, once it is as long as what was played."""
    held: dict[int, str] = {}
    async with asyncio.timeout(150):
        async for move in told(port, "moves"):
            held[move["ply"]] = move["uci"]
            if len(held) >= len(moves):
                break
    return [held[ply] for ply in sorted(held)]


@pytest.mark.timeout(180)
@pytest.mark.parametrize(("name", "seed"), [("shogi", 4), ("guadalete", 4), ("chess960", 4)])
async def test_a_whole_game_reaches_the_broker_and_the_page(
    browser: Browser, tmp_path: Path, name: str, seed: int
) -> None:
    clock, mqtt, http = WallClock(SPEED), free_port(), free_port()
    game = Played(name, seed)
    server = PtyServer(game, clock.now_ns, speed=SPEED)
    service = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", "from arbiterd.cli import main; main()"),
        *("run", "--config", str(written(tmp_path, name, server.port, mqtt, http))),
        stdout=DEVNULL,
        stderr=DEVNULL,
    )
    try:
        hearing = asyncio.create_task(heard(mqtt, game.moves))
        await board_heard(mqtt)
        game.begin(clock.now_ns())
        server.stir()
        assert await hearing == game.moves

        page = await browser.new_page(viewport={"width": 1440, "height": 900})
        await page.goto(f"http://127.0.0.1:{http}/#/table/1")
        diagram = page.locator(".board .diagram")
        await expect(diagram).to_be_visible()
        standing = sum(piece != EMPTY for piece in game.rules.placement(game.last))
        drawn = diagram.locator(":scope > g > .koma, :scope > g > use")
        await expect(drawn).to_have_count(standing, timeout=20_000)
        facts = game.rules.facts(game.last)
        planks = [square for square in facts.get("planks", "").split(",") if square]
        await expect(diagram.locator(".mark.planks")).to_have_count(len(planks))
        river = 16 if name == "guadalete" else 0
        await expect(diagram.locator(".mark.river")).to_have_count(river)
        hands = [text for what, text in facts.items() if what.startswith("hand_")]
        await expect(page.locator(".hand")).to_have_count(len(hands))
        kinds = sum(letter.isalpha() for text in hands for letter in text)
        await expect(page.locator(".hand .koma")).to_have_count(kinds)
        await page.evaluate("document.fonts.ready.then(() => 1)")
        await page.screenshot(path=str(tmp_path / f"{name}.png"))
        await page.close()
    finally:
        service.terminate()
        await service.wait()
        server.close()


BY_HAND = ("7g7f", "3c3d", "8h2b+", "3a2b", "B*4e", "B*8e", "4e6c+")


@pytest.mark.timeout(120)
async def test_a_shogi_game_is_entered_on_the_page(browser: Browser, tmp_path: Path) -> None:
    """No board at all: every half-move is typed, drops and promotions as USI writes them."""
    mqtt, http = free_port(), free_port()
    file = tmp_path / "arbiterd.toml"
    file.write_text(
        f'[journal]\npath = "journal.db"\n[mqtt]\nlisten = "127.0.0.1:{mqtt}"\n'
        f'[http]\nlisten = "127.0.0.1:{http}"\n[[tables]]\ntable = "1"\nruleset = "shogi"\n'
    )
    service = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", "from arbiterd.cli import main; main()"),
        *("run", "--config", str(file)),
        stdout=DEVNULL,
        stderr=DEVNULL,
    )
    hearing = asyncio.create_task(heard(mqtt, list(BY_HAND)))
    page = await browser.new_page(viewport={"width": 1440, "height": 900})
    await page.add_init_script("localStorage.setItem('arbiterd.name', 'Ana')")
    try:
        async with asyncio.timeout(60):
            while service.returncode is None:
                try:
                    await page.goto(f"http://127.0.0.1:{http}/#/table/1")
                    break
                except PlaywrightError:
                    await asyncio.sleep(0.2)
        given = page.get_by_label("Next half-move")
        for move in BY_HAND:
            await given.fill(move)
            await given.press("Enter")
            await expect(given).to_have_value("")
        assert await hearing == list(BY_HAND)
        await expect(page.locator(".hand .koma")).to_have_text(["歩"])
        await expect(page.locator(".diagram .wrong")).to_have_count(0)

        await given.fill("9i9a")
        await given.press("Enter")
        await expect(page.locator(".entry .error")).to_contain_text("9i9a")
        await page.screenshot(path=str(tmp_path / "entered.png"))
    finally:
        hearing.cancel()
        await page.close()
        service.terminate()
        await service.wait()
