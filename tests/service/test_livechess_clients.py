"""Three clients of LiveChess, each with the calls of its own program, at one board that is played.

    the page of a server     eboards 1, subscribe 2 to feed 1, setup 3; reads board and san
    a strict one             ids from 0, call results before anything else, no unknown field
    one that comes late      connects in mid-game, sets up from the start, with ids of its own

Half-moves are made at the board by hand, one is corrected, and its cable is pulled.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median
from typing import Any

import aiohttp
import pytest

from arbiterd.config import Config
from arbiterd.config.model import LiveChessConfig
from arbiterd.config.values import Listen
from arbiterd.rules.registry import ruleset
from arbiterd.rules.ruleset import board_field
from arbiterd.simulation.famous import FAMOUS

from .test_livechess import START, Overheard, connected, free_port, san_of

DEVICE = "serial:/dev/board1"
EBOARD = {"serialnr", "source", "state", "battery", "comment", "board", "flipped", "clock"}
EVENT = {"serialnr", "flipped", "board", "clock", "start", "san", "match"}
HAND_S = 0.15


@dataclass
class Client:
    """What one client has heard: each state of `san`, and when."""

    calls: tuple[int, int, int]
    feed: int
    heard: list[tuple[float, list[str]]] = field(default_factory=list)
    task: asyncio.Task[None] | None = None

    async def follow(self, socket: aiohttp.ClientWebSocketResponse, begun: asyncio.Event) -> None:
        first, second, third = self.calls
        boards: list[dict[str, Any]] = []
        while not boards:
            await socket.send_str(json.dumps({"id": first, "call": "eboards"}))
            answer = json.loads(await socket.receive_str())
            assert (answer["response"], answer["id"]) == ("call", first)
            boards = answer["param"]
        assert set(boards[0]) == EBOARD
        assert boards[0]["state"] == "ACTIVE"
        wanted = {"feed": "eboardevent", "id": self.feed,
                  "param": {"serialnr": boards[0]["serialnr"]}}  # fmt: skip
        await socket.send_str(json.dumps({"id": second, "call": "subscribe", "param": wanted}))
        assert json.loads(await socket.receive_str())["param"] is None
        whole = json.loads(await socket.receive_str())
        assert (whole["response"], whole["id"]) == ("feed", self.feed)
        setup = {"id": self.feed, "method": "setup", "param": {"fen": START}}
        await socket.send_str(json.dumps({"id": third, "call": "call", "param": setup}))
        while True:
            said = json.loads(await socket.receive_str())
            assert said["response"] != "error", said
            if said["response"] == "call":
                assert (said["id"], said["param"]) == (third, None)
                begun.set()
                continue
            assert set(said["param"]) <= EVENT
            if "san" in said["param"]:
                self.heard.append((time.monotonic(), said["param"]["san"]))


@asynccontextmanager
async def following(
    session: aiohttp.ClientSession, port: int, *calls: int, feed: int
) -> AsyncIterator[Client]:
    socket, client = await connected(session, port), Client((calls[0], calls[1], calls[2]), feed)
    begun = asyncio.Event()
    client.task = asyncio.create_task(client.follow(socket, begun))
    async with asyncio.timeout(20):
        await begun.wait()
    try:
        yield client
    finally:
        await asyncio.sleep(0.5)
        client.task.cancel()
        result = await asyncio.gather(client.task, return_exceptions=True)
        assert isinstance(result[0], asyncio.CancelledError), result
        await socket.close()


def device_of(house) -> object:
    return house.broker.last("tables/1/state")["device"]


class Player:
    """Both sides' hands at one board."""

    def __init__(self, house) -> None:
        self.house, self.rules = house, ruleset("chess")
        self.position = self.rules.start()
        self.wire = house.links.boards[DEVICE]

    def _put(self, square: int, piece: str) -> None:
        self.wire.emulator._emulator.set_square(square, piece, self.house.links.clock.now_ns())

    async def play(self, text: str, first_to: int | None = None) -> None:
        """`first_to`: it is set down there first, and then where it belongs."""
        move = self.rules.parse(self.position, text)
        changes = sorted(
            self.rules.footprint(self.position, move), key=lambda change: change[1] != "."
        )
        for square, piece in changes:
            if first_to is not None and piece != ".":
                self._put(first_to, piece)
                await asyncio.sleep(1.0)
                self._put(first_to, ".")
                await asyncio.sleep(HAND_S)
                first_to = None
            self._put(square, piece)
            await asyncio.sleep(HAND_S)
        self.position = self.rules.play(self.position, move)
        await asyncio.sleep(0.35)


def lateness(
    client: Client, overheard: Overheard, moves: tuple[str, ...], joined: float
) -> list[float]:
    """Of every half-move that was shown after it joined: from the picture's last byte to `san`."""
    rules, position, found, after = ruleset("chess"), ruleset("chess").start(), [], 0.0
    wanted = san_of(moves)
    for ply, text in enumerate(moves, 1):
        position = rules.play(position, rules.parse(position, text))
        shows = board_field(rules.geometry, rules.placement(position))
        after = next((at for at, b in overheard.pictures if at > after and b == shows), 0.0)
        assert after, f"{text} was never shown"
        told = [at for at, san in client.heard if san == wanted[:ply] and at >= after]
        if after > joined:
            assert told, f"{wanted[ply - 1]} was never told"
            found.append(told[0] - after)
    return found


@pytest.mark.parametrize("plies", [16, pytest.param(44, marks=pytest.mark.slow)])
@pytest.mark.timeout(150)
async def test_three_clients_have_each_half_move_at_once(
    path: Path, running, config: Config, plies: int
) -> None:
    moves = FAMOUS[0].moves[:plies]
    corrected, pulled, joins = plies // 4, plies // 2, plies // 2 + 2
    port = free_port()
    wanted = replace(
        config, livechess=LiveChessConfig(enabled=True, listen=Listen("127.0.0.1", port))
    )
    async with running(path, wanted) as house, aiohttp.ClientSession() as session:
        wire = house.links.boards[DEVICE]
        await house.ready("1")
        wire.emulator = overheard = Overheard(wire.emulator)
        overheard._shown = list(ruleset("chess").placement(ruleset("chess").start()))
        hands = Player(house)
        async with (
            following(session, port, 1, 2, 3, feed=1) as page,
            following(session, port, 0, 1, 2, feed=0) as strict,
        ):
            for ply, text in enumerate(moves[:joins]):
                if ply == pulled:
                    wire.pull()
                    await asyncio.sleep(1.0)
                    house.links.boards[DEVICE] = wire
                    await house.until(lambda: device_of(house) == "ok")
                    await asyncio.sleep(1.0)
                move = hands.rules.parse(hands.position, text)
                elsewhere = None
                if ply == corrected:
                    elsewhere = next(
                        other.target
                        for other in hands.rules.legal_moves(hands.position)
                        if other.origin == move.origin and other.target != move.target
                    )
                await hands.play(text, elsewhere)
            joined = time.monotonic()
            async with following(session, port, 7, 8, 9, feed=83) as late:
                played = san_of(moves[:joins])
                await house.until(lambda: late.heard and late.heard[-1][1] == played)
                for text in moves[joins:]:
                    await hands.play(text)
    found = {
        "the page": lateness(page, overheard, moves, 0),
        "the strict one": lateness(strict, overheard, moves, 0),
        "the late one": lateness(late, overheard, moves, joined),
    }
    for name, late_s in found.items():
        slow = max(range(len(late_s)), key=late_s.__getitem__) + len(moves) - len(late_s)
        print(f"{name}: {len(late_s)} half-moves: median {median(late_s):.3f} s,"
              f" worst {max(late_s):.3f} s ({san_of(moves)[slow]})")  # fmt: skip
        assert median(late_s) < 0.3
    assert {tuple(client.heard[-1][1]) for client in (page, strict, late)} == {tuple(san_of(moves))}
