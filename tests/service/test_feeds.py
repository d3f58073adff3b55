"""Shogi games from feeds on a real socket, through the whole service into MQTT."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest

from arbiterd.config import Config
from arbiterd.config.model import HallConfig, Http, TableEntry
from arbiterd.edges import Drowsy, Edges
from arbiterd.edges.real import FileStore, Threads, WallClock
from arbiterd.hall.links.devices import Devices
from arbiterd.rules.registry import ruleset
from arbiterd.service import build
from eboards.csa.emulator import CsaServer
from eboards.usi.emulator import UsiProgram

from .conftest import MemoryBroker

SHOGI = ruleset("shogi")


def whole_game(seed: int) -> list[str]:
    """At random to its end, or to half-move 80."""
    dice, position, moves = Random(seed), SHOGI.start(), []
    while len(moves) < 80 and (legal := SHOGI.legal_moves(position)):
        move = dice.choice(legal)
        moves.append(SHOGI.wire(position, move))
        position = SHOGI.play(position, move)
    return moves


async def until(enough: Callable[[], object]) -> None:
    clock = WallClock()
    async with asyncio.timeout(60):
        while not enough():
            await clock.rest(0.02)


@dataclass
class Feed:
    """A server that sends on what it is given, to whoever is connected."""

    port: int = 0
    pens: list[asyncio.StreamWriter] = field(default_factory=list)

    async def send(self, data: bytes) -> None:
        await until(lambda: self.pens)
        for at in range(0, len(data), 7):
            self.pens[-1].write(data[at : at + 7])
            await self.pens[-1].drain()

    async def cut(self) -> None:
        self.pens.pop().close()


@asynccontextmanager
async def feeding(kind: str, path: Path) -> AsyncIterator[tuple[Feed, MemoryBroker]]:
    feed, broker = Feed(), MemoryBroker()
    server = await asyncio.start_server(lambda _, pen: feed.pens.append(pen), "127.0.0.1", 0)
    feed.port = server.sockets[0].getsockname()[1]
    clock, workers, store = WallClock(), Threads(), FileStore(path)
    table = TableEntry(table="1", device=f"{kind}:tcp://127.0.0.1:{feed.port}", ruleset="shogi")
    config = Config(hall=HallConfig("main"), http=Http(listen=None), tables=(table,))
    edges = Edges(clock, Devices(clock), store, broker, workers, Drowsy())
    started = asyncio.Event()
    work = asyncio.create_task(build(config, edges).run(started.set))
    try:
        yield feed, broker
    finally:
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)
        server.close()
        workers.close()
        store.close()


def record(broker: MemoryBroker) -> list[str]:
    """What a reader of the moves holds at the end."""
    held: dict[int, str] = {}
    for told in broker.of("tables/1/moves"):
        held[int(str(told["ply"]))] = str(told["uci"])
    return [held[ply] for ply in sorted(held)]


async def until_told(broker: MemoryBroker, moves: list[str]) -> None:
    try:
        await until(lambda: record(broker) == moves)
    except TimeoutError:
        raise AssertionError(f"told {record(broker)}, played {moves}") from None


@pytest.mark.parametrize("seed", [1, 2])
async def test_a_whole_csa_game_over_a_cable_that_breaks(path: Path, seed: int) -> None:
    moves, server = whole_game(seed), CsaServer()
    async with feeding("csa", path) as (feed, broker):
        server.begin("$TIME_LIMIT:00:10+00", "PI", "+")
        for move in moves[:30]:
            server.play(move)
        first = server.said()
        await feed.send(first)
        await until_told(broker, moves[:30])
        await feed.cut()
        for move in moves[30:]:
            server.play(move)
        await feed.send(first + server.said())
        await until_told(broker, moves)

        server.end("%TORYO")
        await feed.send(server.said())
        await until(lambda: broker.last("tables/1/state").get("status") == "ended")
        loser = "gote" if len(moves) % 2 else "sente"
        assert broker.last("tables/1/result")["result"] == ("0-1" if loser == "gote" else "1-0")

        events = broker.of("tables/1/moves")
        assert len(events) == len(moves), "what was told before was told again"
        by_hand = [600_000 - 1_000 * ((ply + 1) // 2) for ply in range(1, len(moves) + 1)]
        own = ["black_ms" if ply % 2 else "white_ms" for ply in range(1, len(moves) + 1)]
        clocks = [event["clock"][name] for event, name in zip(events, own, strict=True)]
        assert clocks == by_hand, "a second a move, from the time that the feed states"
        assert {event["how"] for event in events} <= {"settled", "replied"}
        assert all(event["completed_at"] for event in events)
        told = broker.of("tables/1/rulings")
        assert {ruling["kind"] for ruling in told} <= {"sh-mate", "tech-board-lost"}, told
        lost = [ruling["state"] for ruling in told if ruling["kind"] == "tech-board-lost"]
        assert lost == ["open", "expired"], "told once, and over once the cable is whole"
        assert broker.last("tables/1/device")["driver"] == "csa"


async def test_a_usi_game_with_a_move_taken_back(path: Path) -> None:
    moves, program = whole_game(3), UsiProgram()
    async with feeding("usi", path) as (feed, broker):
        program.begin()
        for move in moves[:-1]:
            program.play(move)
        position = SHOGI.start()
        for move in moves[:-1]:
            position = SHOGI.play(position, SHOGI.parse(position, move))
        other = next(
            text
            for move in SHOGI.legal_moves(position)
            if (text := SHOGI.wire(position, move)) != moves[-1]
        )
        program.play(other)
        await feed.send(program.said())
        await until_told(broker, [*moves[:-1], other])
        program.take_back(1)
        program.play(moves[-1])
        await feed.send(program.said())
        await until_told(broker, moves)

        assert broker.last("tables/1/moves")["replaces"]
        assert broker.last("tables/1/device")["state"] == "ok"


async def test_a_move_that_is_none_is_a_fault_of_the_feed(path: Path) -> None:
    program = UsiProgram()
    async with feeding("usi", path) as (feed, broker):
        program.play("7g7f")
        program.play("7g7f")
        await feed.send(program.said())
        await until(lambda: broker.last("tables/1/device").get("state") == "degraded")

        assert record(broker) == ["7g7f"]
