"""Whole games over real terminals, in the machine's own time. Long: the slow tests."""

from __future__ import annotations

import asyncio
import base64
from contextlib import aclosing, suppress
from random import Random

import pytest

from eboards.dgt.bus_codec import DgtBusCodec
from eboards.dgt.bus_emulator import DgtBusEmulator, LineFaults
from eboards.dgt.codec import DgtCodec
from eboards.dgt.emulated_clock import EmulatedClock
from eboards.dgt.emulator import Badge, DgtEmulator, DgtPlayer
from eboards.events import (
    CHESS_BOARD,
    DeviceEvent,
    Fault,
    Lever,
    LogLine,
    LogMark,
    Noise,
    Remembered,
    Scan,
    Side,
    SquareChange,
)
from eboards.transport.bus import BusLines
from eboards.transport.conversation import converse
from eboards.transport.pty import PtyServer
from eboards.transport.replay import timed
from eboards.transport.serial import open_serial
from kept_beside import RECORDED_GAME, kept_beside

S = 1_000_000_000
MOVES = ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6")
ADDRESSES = tuple(1000 + 13 * number for number in range(12))


def now_ns() -> int:
    return int(asyncio.get_running_loop().time() * 1e9)


@pytest.mark.slow
@pytest.mark.parametrize("speed", [20.0])
async def test_a_recorded_game_through_a_terminal_tells_what_the_recording_tells(
    speed: float,
) -> None:
    recording = kept_beside(RECORDED_GAME).read_text()

    def fast_ns() -> int:
        return int(now_ns() * speed)

    lines = [base64.b64decode(line) for line in recording.splitlines()]
    player = DgtPlayer(timed(lines, DgtCodec()), at_ns=fast_ns())
    server = PtyServer(player, fast_ns, speed=speed)
    wire = open_serial(server.path, fast_ns)
    told: list[DeviceEvent] = []
    async with aclosing(converse(wire, DgtCodec(), fast_ns, speed=speed)) as conversation:
        async for _, events in conversation:
            told += events
            if player.ended and player.due_at_ns is None:
                break
    wire.close()
    server.close()

    whole = DgtCodec().receive(b"".join(lines), 0)
    changes = [(e.square, e.piece) for e in whole if isinstance(e, SquareChange)]
    assert [(e.square, e.piece) for e in told if isinstance(e, SquareChange)] == changes
    assert not any(isinstance(event, Fault) for event in told)


@pytest.mark.slow
async def test_twelve_boards_on_one_line_in_true_time() -> None:
    """Blitz on all of them, three pulled out for a while, one with damaged answers."""
    boards = {
        address: DgtEmulator(
            clock=EmulatedClock(180_000, 180_000, increment_ms=2000),
            badge=Badge(serial=f"{address:05}"),
            at_ns=now_ns(),
        )
        for address in ADDRESSES
    }
    faults = LineFaults(damaged={ADDRESSES[5]: 0.02})
    bus = DgtBusEmulator(list(boards.values()), Random(3), faults)
    server = PtyServer(bus, now_ns)
    lines = BusLines(now_ns)
    told: dict[int, list[DeviceEvent]] = {address: [] for address in ADDRESSES}

    async def listen(address: int) -> None:
        wire = lines.open(server.path, address)
        async for _, events in converse(wire, DgtBusCodec(address), now_ns):
            told[address] += events

    tables = [asyncio.create_task(listen(address)) for address in ADDRESSES]
    async with asyncio.timeout(60):
        while not all(any(isinstance(e, Scan) for e in events) for events in told.values()):
            await pause(0.1)
    hands = [asyncio.create_task(play(server, board)) for board in boards.values()]
    await asyncio.wait(hands, timeout=4)
    for address in ADDRESSES[:3]:
        bus.unplug(address, now_ns())
    await asyncio.wait(hands, timeout=8)
    for address in ADDRESSES[:3]:
        bus.plug(address, now_ns())
    await asyncio.gather(*hands)
    with suppress(TimeoutError):
        async with asyncio.timeout(60):
            while not all(told_moves(events) == played() for events in told.values()):
                await pause(0.1)
    for task in tables:
        task.cancel()
    server.close()

    for address, events in told.items():
        assert told_moves(events) == played(), address
        kinds = {e.noise for e in events if isinstance(e, Fault)}
        assert kinds <= {Noise.SILENT, Noise.CHECKSUM, Noise.CUT_OFF, Noise.LENGTH, Noise.STRAY}


async def play(server: PtyServer, board: DgtEmulator) -> None:
    """A player's hands: two seconds and a half a half-move."""
    board.start(now_ns())
    for number, move in enumerate(MOVES):
        piece = board.lift(CHESS_BOARD.square(move[:2]), now_ns())
        server.stir()
        await pause(0.5)
        board.place(CHESS_BOARD.square(move[2:]), piece, now_ns())
        server.stir()
        await pause(0.6)
        board.press("right" if number % 2 else "left", now_ns())
        server.stir()
        await pause(1.4)


async def pause(seconds: float) -> None:
    passed = asyncio.get_running_loop().create_future()
    asyncio.get_running_loop().call_later(seconds, passed.set_result, None)
    await passed


def played() -> list[str]:
    """Each half-move as the piece's new square, and the side that runs then."""
    sides = ("right", "left")
    return [text for n, move in enumerate(MOVES) for text in (move[2:], sides[n % 2])]


def told_moves(events: list[DeviceEvent]) -> list[str]:
    """Live or remembered; a memory of an absence begins with all squares as they were known, and
    with the press before it."""
    told: list[str] = []
    for event in events:
        if isinstance(event, Remembered):
            told += remembered(event.lines[65:])
        elif isinstance(event, Lever):
            told.append(str(event.runs))
        elif isinstance(event, SquareChange) and event.piece != ".":
            told.append(CHESS_BOARD.names[event.square])
    return told


def remembered(lines: tuple[LogLine, ...]) -> list[str]:
    done = []
    for line in lines:
        if line.mark is LogMark.CLOCK:
            done.append("right" if line.side is Side.LEFT else "left")
        elif line.square is not None and line.piece != ".":
            done.append(CHESS_BOARD.names[line.square])
    return done
