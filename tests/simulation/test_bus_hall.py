"""Twelve boards on one bus line at 9600 baud, all playing blitz: bytes in, moves out.

Three cables are pulled in the middle and plugged in again, and of one board's answers one in fifty
arrives damaged. `pytest tests/simulation/test_bus_hall.py -m slow -s` plays the games whole.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from statistics import mean

import pytest

from arbiterd.messages.step import Step
from arbiterd.simulation.devices.emulated import EmulatedTable
from arbiterd.simulation.dice import dice
from arbiterd.simulation.famous import FAMOUS
from arbiterd.simulation.game import StagedGame
from arbiterd.simulation.hall import SimulatedSeat, hall
from arbiterd.simulation.profiles import CLEAN, MS, SECOND, Pace
from arbiterd.simulation.world import LeverPress, Put
from arbiterd.table.setup import TableSetup
from arbiterd.table.table import Table
from eboards.dgt import bus_frame
from eboards.dgt.bus_codec import DgtBusCodec
from eboards.dgt.bus_emulator import DgtBusEmulator, LineFaults
from eboards.dgt.bus_poller import BusPoller
from eboards.dgt.emulated_board import SCAN_NS
from eboards.dgt.emulator import Badge
from eboards.events import (
    DeviceEvent,
    Fault,
    Lever,
    LinkDown,
    LinkUp,
    Noise,
    Side,
    SquareChange,
)

BLITZ = replace(
    CLEAN,
    name="blitz",
    pace=Pace(
        think_ns=2200 * MS, carry_ns=300 * MS, press_ns=250 * MS, rest_ns=260 * MS, published=False
    ),
)
"""Three minutes and two seconds a move."""
BOARDS = 12
UNPLUGGED = range(3)
DAMAGED = 5
BEGIN_NS = 10 * SECOND
"""The line knows all its boards by then."""
CLOCK_HEARD_NS = SECOND
"""The board itself asks its clock once a second: no line can tell a press sooner."""


class Place:
    """One board of the line: its codec, its table, and what was told when."""

    def __init__(self, seat: SimulatedSeat) -> None:
        self.seat = seat
        self.address = Badge(serial=seat.serial).address
        self.codec = DgtBusCodec(self.address)
        self.table = Table(TableSetup(table=seat.table, rate=seat.rate, simulated=True))
        self.told: list[DeviceEvent] = []
        self.record: list[object] = []
        self.recovered = 0
        self.called: set[str] = set()
        """What an arbiter was called for while the game was played."""
        self._inputs = 0
        self._up = False

    def take(self, events: list[DeviceEvent]) -> None:
        """As a link tells them: what follows a silence begins a session."""
        self.told += events
        for event in events:
            if not self._up and not isinstance(event, Fault):
                self._up = True
                self._tell(LinkUp(event.at_ns, "dgt-bus", "", self.codec.sensing))
            self._tell(event)
            if isinstance(event, Fault) and event.noise is Noise.SILENT:
                self._up = False
                self._tell(LinkDown(event.at_ns, event.note))

    def _tell(self, event: DeviceEvent) -> None:
        self._inputs += 1
        self.keep(self.table.take(self._inputs, event))

    def keep(self, step: Step) -> None:
        """The record as a reader of the topic `moves` has it; commands to the board."""
        for command in step.commands:
            self.codec.send(command, self.table.at_ns)
        for output in step.outputs:
            if output.topic == "rulings":
                ruling = json.loads(output.payload)
                playing = self.table.at_ns < self.seat.story.truth.ended_ns
                if ruling["urgency"] == 1 and playing:
                    self.called.add(ruling["kind"])
            if output.topic == "moves":
                move = json.loads(output.payload)
                ply = move["ply"]
                self.recovered += move["how"] == "recovered"
                self.record[ply - 1 : ply if move["uci"] else None] = (
                    [move["uci"]] if move["uci"] else []
                )


class Hall:
    """The line with its plan, in virtual time."""

    def __init__(self, games: list[StagedGame], seed: int) -> None:
        seats = hall(BOARDS, BLITZ, seed, games=games, begin_ns=BEGIN_NS)
        self.places = [Place(seat) for seat in seats]
        boards = [place.seat.emulated(on_ns=0) for place in self.places]
        faults = LineFaults({self.places[DAMAGED].address: 0.02})
        self.bus: DgtBusEmulator[EmulatedTable] = DgtBusEmulator(boards, dice("line"), faults)
        self.poller = BusPoller(place.address for place in self.places)
        self.asked: dict[int, list[int]] = defaultdict(list)
        """When each board was asked for its changes."""
        self.now_ns = 0

    @property
    def end_ns(self) -> int:
        return max(place.seat.story.end_ns for place in self.places)

    def run(self, until_ns: int) -> None:
        while (due_ns := self._due_ns()) <= until_ns:
            self.now_ns = max(self.now_ns, due_ns)
            self._step(self.now_ns)
        self.now_ns = until_ns

    def _due_ns(self) -> int:
        times = [self.bus.due_at_ns, self.poller.due_at_ns]
        times += [place.codec.due_at_ns for place in self.places]
        times += [place.table.due_at_ns for place in self.places]
        return min(time for time in times if time is not None)

    def _step(self, now_ns: int) -> None:
        by_address = {place.address: place for place in self.places}
        said = self.bus.advance(now_ns)
        for address, data in self.poller.receive(said, now_ns) if said else ():
            place = by_address[address]
            place.take(place.codec.receive(data, now_ns))
        for place in self.places:
            place.keep(place.table.due(now_ns))
            if (due_ns := place.codec.due_at_ns) is not None and due_ns <= now_ns:
                wanted, events = place.codec.due(now_ns)
                self.poller.ask(wanted)
                place.take(events)
        if (due_ns := self.poller.due_at_ns) is not None and due_ns <= now_ns:
            question = self.poller.due(now_ns)
            if question:
                self.bus.receive(question, now_ns)
            if question and question[0] == bus_frame.CHANGES:
                self.asked[question[1] << 7 | question[2]].append(now_ns)


def rounds_ns(hall: Hall, from_ns: int) -> list[int]:
    """From one asking of a board to its next, for boards whose cables stay in."""
    times = [hall.asked[place.address] for place in hall.places[len(UNPLUGGED) :]]
    return [b - a for asked in times for a, b in pairwise(asked) if a > from_ns]


def deeds(place: Place) -> Iterator[tuple[object, int]]:
    """What hands did, and by when the board has noticed: a square within one scan, a press within
    the second in which it asks its clock. The clock is started with the lever as it lies."""
    begun = False
    for deed in place.seat.story.deeds:
        if isinstance(deed, Put):
            begun = True
            yield (deed.square, deed.piece), deed.at_ns + SCAN_NS
        elif isinstance(deed, LeverPress) and begun:
            yield ("press", deed.side.other.name), deed.at_ns + CLOCK_HEARD_NS


def brief(place: Place) -> set[object]:
    """Pieces that stood so briefly that the coils may have missed them: a pawn that is promoted."""
    puts = [deed for deed in place.seat.story.deeds if isinstance(deed, Put)]
    return {
        (first.square, first.piece)
        for number, first in enumerate(puts)
        for second in puts[number + 1 : number + 4]
        if second.square == first.square and second.at_ns - first.at_ns < SCAN_NS
    }


def waits(place: Place, asked: list[int]) -> Iterator[tuple[int, int]]:
    """For everything a hand did: how long after the board had noticed it was told, and how many
    times the board was asked in between."""
    told: dict[object, list[int]] = defaultdict(list)
    for event in place.told:
        if isinstance(event, SquareChange):
            told[event.square, event.piece].append(event.at_ns)
        elif isinstance(event, Lever):
            told["press", "WHITE" if event.runs is Side.LEFT else "BLACK"].append(event.at_ns)
    done: dict[object, list[int]] = defaultdict(list)
    for what, noticed_ns in deeds(place):
        done[what].append(noticed_ns)
    for what in brief(place):
        done.pop(what, None)
        told.pop(what, None)
    assert {what: len(times) for what, times in told.items()} == {
        what: len(times) for what, times in done.items()
    }
    for what, times in done.items():
        for noticed_ns, told_ns in zip(times, told[what], strict=True):
            yield told_ns - noticed_ns, sum(noticed_ns < each <= told_ns for each in asked)


LENGTHS = [
    pytest.param(10, id="openings"),
    pytest.param(200, id="whole games", marks=[pytest.mark.slow, pytest.mark.timeout(1800)]),
]


@pytest.mark.parametrize("plies", LENGTHS)
def test_twelve_boards_on_one_line_lose_nothing_and_tell_it_in_time(plies: int) -> None:
    games = [
        replace(game, moves=game.moves[:plies], clock_ms=(), result="*") for game in FAMOUS[:BOARDS]
    ]
    hall = Hall(games, seed=7)
    middle_ns = 30 * SECOND
    hall.run(middle_ns)
    away = [place.address for place in hall.places[: len(UNPLUGGED)]]
    for address in away:
        hall.bus.unplug(address, hall.now_ns)
    hall.run(middle_ns + 12 * SECOND)
    for address in away:
        hall.bus.plug(address, hall.now_ns)
    hall.run(hall.end_ns + 40 * SECOND)

    rounds = rounds_ns(hall, from_ns=BEGIN_NS)
    stayed = hall.places[len(UNPLUGGED) :]
    late = [each for place in stayed for each in waits(place, hall.asked[place.address])]
    print(
        f"\n{BOARDS} boards, {sum(len(game.moves) for game in games)} half-moves: a round takes"
        f" {mean(rounds) / 1e6:.0f} ms, the longest {max(rounds) / 1e6:.0f} ms; what a board has"
        f" noticed is told {max(ns for ns, _ in late) / 1e6:.0f} ms later at most, and within"
        f" {max(times for _, times in late)} rounds"
    )
    recovered = [place.recovered for place in hall.places[: len(UNPLUGGED)]]
    print(f"half-moves of the three absences, recovered with their times: {recovered}")
    for place, game in zip(hall.places, games, strict=True):
        assert tuple(place.record) == game.moves, place.seat.game.name
    silent = [
        any(isinstance(e, Fault) and e.noise is Noise.SILENT for e in place.told)
        for place in hall.places
    ]
    assert silent == [number in UNPLUGGED for number in range(BOARDS)]
    assert all(recovered)
    assert [place.called for place in hall.places] == [set()] * BOARDS
    damaged = hall.places[DAMAGED].told
    assert any(isinstance(e, Fault) and e.noise is Noise.CHECKSUM for e in damaged)
    assert max(times for _, times in late) <= 2
