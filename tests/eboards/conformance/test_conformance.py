"""What every driver must pass, whatever its wire: a new family is in here by being registered.

A device is played on through its emulator; nothing is known of it but its family. Devices that
report finished moves show no squares, and are held to what is left.

`python -m pytest tests/eboards/conformance -m slow -s` prints how fast each codec reads.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from time import perf_counter
from typing import Any

import pytest

from arbiterd.rules.registry import ruleset
from arbiterd.table.orientation import detect
from eboards.codec import AskBoard, Codec, Standing
from eboards.dgt.bus_codec import DgtBusCodec
from eboards.dgt.bus_emulator import DgtBusEmulator
from eboards.dgt.bus_poller import BusPoller
from eboards.events import (
    DeviceEvent,
    Fault,
    Identity,
    Noise,
    Placement,
    Scan,
    SensingClass,
    SquareChange,
)
from eboards.family import Family
from eboards.registry import FAMILIES, family
from seen_by import seen_by
from toy_board import TOY
from toy_contacts import CONTACTS

MS = 1_000_000
SECOND = 1000 * MS
STEP = 20 * MS
AWAKE = 6 * SECOND
"""By then every device has said who it is, and what it has to learn is learnt."""
SETTLED = 3 * SECOND
"""So long after a hand every device has shown what it did, twice if need be."""
START = "rnbqkbnrpppppppp" + "." * 32 + "PPPPPPPPRNBQKBNR"
WRITES_PLAINLY = {"dgt", "cpp", "toy"}
"""Nothing in their frames can tell a wrong bit inside a value; the next whole board mends it."""

SHARES_A_LINE = {"dgt-bus"}
"""Bytes are lost and cables pulled before the plan of its line: tests/eboards/dgt/test_bus.py."""

TOYS = (TOY, CONTACTS)
EVERY = (*FAMILIES, *TOYS)
SHOWS = [each for each in EVERY if each.codec().sensing.kind is not SensingClass.MOVES]
each_family = pytest.mark.parametrize("of", EVERY, ids=lambda of: of.name)
ALONE = [each for each in SHOWS if each.name not in SHARES_A_LINE]
each_cable = pytest.mark.parametrize("of", ALONE, ids=lambda of: of.name)
each_board = pytest.mark.parametrize("of", SHOWS, ids=lambda of: of.name)


class SharedLine:
    """A board on a bus, behind the plan of its line: to its codec it is a device like any other."""

    def __init__(self, bus: DgtBusEmulator) -> None:
        (self.address,) = bus.boards
        self._bus, self._poller = bus, BusPoller([self.address])
        self._at_ns = 0

    def set_square(self, square: int, piece: str, at_ns: int) -> None:
        self._bus.boards[self.address].set_square(square, piece, at_ns)

    @property
    def due_at_ns(self) -> int | None:
        return self._at_ns

    def receive(self, data: bytes, at_ns: int) -> None:
        self._poller.ask(data)

    def advance(self, at_ns: int) -> bytes:
        said = b""
        for now_ns in range(self._at_ns, at_ns + MS, MS):
            heard = self._poller.receive(self._bus.advance(now_ns), now_ns)
            said += b"".join(data for address, data in heard if address == self.address)
            due_ns = self._poller.due_at_ns
            if due_ns is not None and due_ns <= now_ns:
                self._bus.receive(self._poller.due(now_ns), now_ns)
        self._at_ns = at_ns + MS
        return said


def device_of(of: Family) -> tuple[Any, Codec]:
    """One such device, and a codec for it."""
    device = of.emulator()
    if isinstance(device, DgtBusEmulator):
        line = SharedLine(device)
        return line, DgtBusCodec(line.address)
    return device, of.codec()


@dataclass
class Table:
    """A device, its cable and its codec, and what the codec says of it."""

    of: Family
    codec: Codec = field(init=False)
    device: Any = field(init=False)
    pieces: list[str] = field(default_factory=lambda: list(START))
    events: list[DeviceEvent] = field(default_factory=list)
    heard: list[tuple[int, bytes]] = field(default_factory=list)
    at_ns: int = 0
    cut_off: bool = False

    def __post_init__(self) -> None:
        self.device, self.codec = device_of(self.of)

    def wait(self, lasts_ns: int) -> list[DeviceEvent]:
        """What is told meanwhile."""
        told: list[DeviceEvent] = []
        for at_ns in range(self.at_ns, self.at_ns + lasts_ns, STEP):
            while (due_ns := self.codec.due_at_ns) is not None and due_ns <= at_ns:
                out, events = self.codec.due(at_ns)
                told += events
                if not self.cut_off:
                    self.device.receive(out, at_ns)
            said = self.device.advance(at_ns)
            if said and not self.cut_off:
                self.heard.append((at_ns, said))
                told += self.codec.receive(said, at_ns)
        self.at_ns += lasts_ns
        self.events += told
        return told

    def put(self, square: int, piece: str) -> None:
        self.pieces[square] = piece
        self.device.set_square(square, piece, self.at_ns)

    def move(self, dice: Random) -> None:
        """Some piece, from where it is to somewhere else, with the time hands take."""
        origin = dice.choice([square for square in range(64) if self.pieces[square] != "."])
        target = dice.choice([square for square in range(64) if square != origin])
        piece = self.pieces[origin]
        self.put(origin, ".")
        self.wait(SECOND)
        if self.pieces[target] != ".":
            self.put(target, ".")
            self.wait(SECOND)
        self.put(target, piece)


def shown(events: list[DeviceEvent]) -> list[Placement]:
    """Every board that was ever told, in order."""
    boards: list[Placement] = []
    for event in events:
        if isinstance(event, Scan):
            boards.append(event.placement)
        elif isinstance(event, SquareChange) and boards:
            last = boards[-1]
            boards.append((*last[: event.square], event.piece, *last[event.square + 1 :]))
    return boards


def faults(events: list[DeviceEvent], noise: Noise | None = None) -> list[Fault]:
    return [e for e in events if isinstance(e, Fault) and noise in (None, e.noise)]


@each_family
def test_it_has_a_name_a_title_and_a_standing(of: Family) -> None:
    codec = of.codec()

    assert of in TOYS or family(of.name) is of
    assert codec.driver == of.name
    assert isinstance(codec.standing, Standing)
    assert of.title


@each_family
def test_the_first_thing_told_is_no_fault_and_names_the_driver(of: Family) -> None:
    told = Table(of).wait(AWAKE)

    assert not faults(told)
    assert {event.driver for event in told if isinstance(event, Identity)} <= {of.name}
    assert told or of.codec().sensing.kind is SensingClass.MOVES


@each_board
def test_codec_and_emulator_agree_through_a_walk_of_pieces(of: Family) -> None:
    table, dice = Table(of), Random(f"walk/{of.name}")
    table.wait(AWAKE)
    for _ in range(12):
        table.move(dice)
        table.wait(SETTLED)
        assert shown(table.events)[-1] == seen_by(of, table.pieces)

    assert not faults(table.events)


@each_board
def test_a_board_that_lies_the_other_way_round_is_passed_on_as_it_lies(of: Family) -> None:
    table = Table(of)
    table.wait(AWAKE)
    for square in range(64):
        table.put(square, ".")
    for square, piece in enumerate(reversed(START)):
        table.put(square, piece)
    table.wait(SETTLED)
    (*_, placement) = shown(table.events)

    assert placement == seen_by(of, reversed(START))
    if of.codec().sensing.kind is not SensingClass.OCCUPANCY:  # There it looks the same either way.
        assert detect(ruleset("chess"), placement) == 180


@each_board
def test_asked_for_the_board_it_shows_it_though_nothing_changed(of: Family) -> None:
    table = Table(of)
    table.wait(AWAKE)
    table.device.receive(table.codec.send(AskBoard(), table.at_ns), table.at_ns)
    told = table.wait(SETTLED)

    assert shown(told)[-1] == seen_by(of, START)


def session(of: Family) -> Table:
    """Some minutes of play, and the whole board at the end."""
    table, dice = Table(of), Random(f"session/{of.name}")
    table.wait(AWAKE)
    for _ in range(3):
        table.move(dice)
        table.wait(SETTLED)
    table.device.receive(table.codec.send(AskBoard(), table.at_ns), table.at_ns)
    table.wait(SETTLED)
    return table


def read(of: Family, heard: list[tuple[int, bytes]]) -> list[DeviceEvent]:
    _, codec = device_of(of)
    return [event for at_ns, data in heard for event in codec.receive(data, at_ns)]


@each_board
def test_events_do_not_depend_on_where_the_reads_fall(of: Family) -> None:
    heard, dice = session(of).heard, Random(7)
    whole = read(of, heard)
    single = [(at_ns, bytes([byte])) for at_ns, data in heard for byte in data]
    somewhere = []
    for at_ns, data in heard:
        cut = dice.randrange(len(data) + 1)
        somewhere += [(at_ns, data[:cut]), (at_ns, b""), (at_ns, data[cut:])]

    assert read(of, single) == whole
    assert read(of, somewhere) == whole


@each_cable
def test_a_wrong_bit_is_never_a_board_that_was_not_there(of: Family) -> None:
    """Where the frames can tell. Where they cannot, the next whole board puts it right."""
    table, dice = session(of), Random(f"bits/{of.name}")
    true = set(shown(read(of, table.heard)))
    lengths = [len(data) for _, data in table.heard]
    for _ in range(150):
        (chunk,) = dice.choices(range(len(lengths)), lengths)
        at_ns, data = table.heard[chunk]
        hurt = bytearray(data)
        hurt[dice.randrange(len(hurt))] ^= 1 << dice.randrange(8)
        told = read(of, [*table.heard[:chunk], (at_ns, bytes(hurt)), *table.heard[chunk + 1 :]])
        if of.codec().sensing.kind is SensingClass.IDENTITY_NOISY:
            # A lost frame ages each square by itself, so boards mix; no square ever lies.
            for square in range(64):
                assert {board[square] for board in shown(told)} <= {b[square] for b in true}
        elif of.name not in WRITES_PLAINLY:
            assert set(shown(told)) <= true, (
                f"{of.name} told a board that never stood, after one wrong bit: let its codec prove"
                " a frame (a checksum, or eboards.vigil.Steady); if nothing in the wire can, name"
                " it in WRITES_PLAINLY and say so in firmware_notes/"
            )
        if chunk < len(lengths) * 3 // 4:
            assert shown(told)[-1] == seen_by(of, table.pieces)


@each_family
def test_rubbish_neither_raises_nor_jams(of: Family) -> None:
    dice = Random(f"rubbish/{of.name}")
    for _ in range(5):
        table = Table(of)
        for _ in range(20):
            table.codec.receive(dice.randbytes(dice.randrange(60)), 0)
        table.at_ns = SECOND
        told = table.wait(AWAKE + SETTLED)
        if of in SHOWS:
            assert shown(told)[-1] == seen_by(of, START)


@each_cable
def test_a_silence_is_told_once_and_what_changed_meanwhile_is_shown(of: Family) -> None:
    table, dice = Table(of), Random(f"silence/{of.name}")
    table.wait(AWAKE)
    table.cut_off = True
    table.wait(20 * SECOND)
    table.move(dice)
    table.wait(20 * SECOND)
    table.cut_off = False
    back = table.wait(2 * AWAKE)

    assert len(faults(table.events, Noise.SILENT)) == 1
    assert shown(back)[-1] == seen_by(of, table.pieces)


@each_board
def test_unplugged_and_plugged_in_again_it_begins_anew(of: Family) -> None:
    table = Table(of)
    table.wait(AWAKE)
    _, table.codec = device_of(of)
    told = table.wait(AWAKE)

    assert shown(told)[-1] == seen_by(of, START)
    assert isinstance(next(e for e in told if not isinstance(e, Fault)), Identity | Scan)


@each_family
def test_where_nobody_answers_that_is_told_once(of: Family) -> None:
    table = Table(of, cut_off=True)
    told = table.wait(60 * SECOND)
    silent = 0 if of.codec().sensing.kind is SensingClass.MOVES else 1

    assert [event.noise for event in faults(told)] == [Noise.SILENT] * silent


@pytest.mark.slow
@each_board
def test_how_fast_it_reads(of: Family) -> None:
    """Printed for comparison; the claim is that one core reads a hundred boards."""
    table = session(of)
    bytes_read, times = sum(len(data) for _, data in table.heard), 20
    begin = perf_counter()
    boards = sum(len(shown(read(of, table.heard))) for _ in range(times))
    spent = perf_counter() - begin
    lasted = table.at_ns / SECOND
    print(
        f"\n{of.name}: {times * bytes_read / spent / 1e6:.2f} MB/s, {boards / spent:.0f} boards/s,"
        f" {times * lasted / spent:.0f} times as fast as it happens"
    )

    assert times * lasted / spent > 100
