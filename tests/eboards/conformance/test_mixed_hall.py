"""One board of every family at once, each behind a pseudo-terminal, opened as its family is.

Pseudo-terminals have neither baud rates nor parity nor modem lines, and cut nothing at the ends of
reports: what passes here needs none of them.
"""

from __future__ import annotations

import asyncio

from eboards.codec import Standing
from eboards.discovery.probe import probe
from eboards.events import Placement, Scan, SensingClass, SquareChange
from eboards.family import Family, WireKind
from eboards.registry import FAMILIES
from eboards.transport.conversation import converse
from eboards.transport.opening import open_port
from eboards.transport.pty import PtyServer
from seen_by import seen_by

SPEED = 5.0
SECOND = 1_000_000_000
E2, E4 = 52, 36
PLAYED = "rnbqkbnrpppppppp" + "." * 20 + "P" + "." * 11 + "PPPP.PPPRNBQKBNR"
AWAKE_S, PATIENCE_S = 6, 20
LEFT_OUT = {"dgt-bus"}
"""A bus has a line of its own (tests/eboards/dgt, tests/eboards/transport)."""
BOARDS = [
    each
    for each in FAMILIES
    if each.name not in LEFT_OUT and each.codec().sensing.kind is not SensingClass.MOVES
]


def now_ns() -> int:
    return int(asyncio.get_running_loop().time() * SECOND * SPEED)


async def first_move(of: Family) -> Placement:
    """The board as it is told in the end, from the start array to 1.e4."""
    device = of.emulator()
    server = PtyServer(device, now_ns, speed=SPEED)
    wire = open_port(server.port, of, now_ns)

    def play() -> None:
        device.set_square(E2, ".", now_ns())  # type: ignore[attr-defined]
        device.set_square(E4, "P", now_ns())  # type: ignore[attr-defined]
        server.stir()

    asyncio.get_running_loop().call_later(AWAKE_S / SPEED, play)
    told: Placement = ()
    try:
        async with asyncio.timeout(PATIENCE_S):
            async for _, events in converse(wire, of.codec(), now_ns, speed=SPEED):
                for event in events:
                    if isinstance(event, Scan):
                        told = event.placement
                    elif isinstance(event, SquareChange) and told:
                        told = (*told[: event.square], event.piece, *told[event.square + 1 :])
                if told == seen_by(of, PLAYED):
                    break
    finally:
        wire.close()
        server.close()
    return told


async def test_a_hall_of_every_family_plays_its_first_move() -> None:
    halls = await asyncio.gather(*(first_move(of) for of in BOARDS))

    for of, told in zip(BOARDS, halls, strict=True):
        assert told == seen_by(of, PLAYED), of.name


async def test_a_port_is_known_by_its_answer_whatever_else_it_might_be() -> None:
    """Each is asked as every family would, in the registry's order, on one line."""
    asking = [each for each in BOARDS if each.wire is WireKind.SERIAL]
    for of in asking:
        server = PtyServer(of.emulator(), now_ns, speed=SPEED)
        try:
            answer = await probe(server.port, asking, now_ns, speed=SPEED)
        finally:
            server.close()
        assert answer.family is of


def test_nobody_claims_more_than_was_proven() -> None:
    assert {each.name for each in FAMILIES if each.standing is not Standing.WRITTEN} <= {"dgt"}
