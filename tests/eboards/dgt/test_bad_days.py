"""A board on a bad line, from a seed: what is believed in the end is what stands on the board."""

from __future__ import annotations

from random import Random

import pytest

from eboards.dgt.codec import DgtCodec
from eboards.dgt.emulated_clock import EmulatedClock
from eboards.dgt.emulator import DgtEmulator
from eboards.events import DeviceEvent, Fault, Noise, Scan, SquareChange
from eboards.transport.noisy import LineNoise, NoisyLine

S = 1_000_000_000
MS = 1_000_000
SEEDS = [*range(12)]


def drawn(dice: Random) -> LineNoise:
    """How bad the day is; many days have none of a kind."""
    rates = (0.0, 0.0, 0.001, 0.01)
    return LineNoise(dice.choice(rates), dice.choice(rates), dice.choice(rates))


class Day:
    """Pieces moved at random for two minutes over a line with faults; then the line is good
    again."""

    def __init__(self, seed: int) -> None:
        self.dice = Random(seed)
        self.emulator = DgtEmulator(clock=EmulatedClock())
        self.line = NoisyLine(self.emulator, drawn(self.dice), self.dice)
        self.codec = DgtCodec()
        self.events: list[DeviceEvent] = []
        self.at_ns = 3 * S

    def until(self, at_ns: int) -> None:
        while True:
            times = [t for t in (self.codec.due_at_ns, self.line.due_at_ns) if t is not None]
            now_ns = min(times)
            if now_ns > at_ns:
                return
            self.events += self.codec.receive(self.line.advance(now_ns), now_ns)
            if self.codec.due_at_ns is not None and self.codec.due_at_ns <= now_ns:
                data, events = self.codec.due(now_ns)
                self.events += events
                self.line.receive(data, now_ns)

    def play(self) -> None:
        self.until(self.at_ns)
        self.emulator.start(self.at_ns)
        while self.at_ns < 120 * S:
            self.at_ns += self.dice.randrange(2000) * MS
            self.until(self.at_ns)
            piece = self.dice.choice(".PRNBKQprnbkq")
            self.emulator.set_square(self.dice.randrange(64), piece, self.at_ns)
        self.line.noise = LineNoise()
        self.until(self.at_ns + 70 * S)

    def shown(self) -> list[str]:
        pieces: list[str] = []
        for event in self.events:
            if isinstance(event, Scan):
                pieces = list(event.placement)
            elif isinstance(event, SquareChange) and pieces:
                pieces[event.square] = event.piece
        return pieces


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_shown_in_the_end_is_what_stands_on_the_board(seed: int) -> None:
    day = Day(seed)
    day.play()

    assert day.shown() == [day.emulator.board.piece(number) for number in range(64)]


@pytest.mark.parametrize("seed", SEEDS[:3])
def test_a_seed_is_the_whole_day(seed: int) -> None:
    first, second = Day(seed), Day(seed)
    first.play()
    second.play()

    assert first.events == second.events


def test_a_lost_update_is_found_and_said() -> None:
    """Every update is lost for a while: the next whole board tells, and says that it does."""
    day = Day(0)
    day.line.noise = LineNoise()
    day.until(3 * S)
    day.line.noise = LineNoise(lost=1.0)
    day.emulator.lift(52, 3 * S)
    day.until(3 * S + 300 * MS)
    day.line.noise = LineNoise()
    day.until(70 * S)

    lost = [e for e in day.events if isinstance(e, Fault) and e.noise is Noise.LOST_UPDATE]
    assert [fault.note for fault in lost] == ["52: P>."]
    assert day.shown()[52] == "."
