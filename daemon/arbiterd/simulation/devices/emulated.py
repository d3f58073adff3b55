"""A story played on an emulated DGT board: hands on one side of it, a wire on the other.

    Story ──deeds──▶ DgtEmulator ◀──bytes──▶ whoever holds the wire (a codec, a pseudo-terminal)

It has no clock of its own: it says when it is due, and is told the time with every call.
"""

from __future__ import annotations

from arbiterd.rules.ruleset import Colour
from arbiterd.simulation.devices.clock import SIDES, TableClock
from arbiterd.simulation.dice import dice
from arbiterd.simulation.profiles import MS
from arbiterd.simulation.world import LeverPress, Put, Run, SetTime, StagedDeed, Stop, Story
from arbiterd.timing.control import Rate
from eboards.dgt.emulated_clock import EmulatedClock
from eboards.dgt.emulator import Badge, DgtEmulator
from eboards.events import Side


class EmulatedTable:
    """One board and its clock, as a computer at the other end of the cable finds them."""

    def __init__(
        self, story: Story, rate: Rate, badge: Badge | None = None, *, on_ns: int | None = None
    ) -> None:
        """`on_ns`: when the board is switched on; None: as the story begins."""
        face = TableClock.set_up(rate)
        clock = EmulatedClock(
            left_ms=face.left_ns[Colour.WHITE] // MS,
            right_ms=face.left_ns[Colour.BLACK] // MS,
            increment_ms=face.increment_ns // MS,
            periods_ms=tuple(period_ns // MS for period_ns in face.periods_ns[Colour.WHITE]),
        )
        badge = badge or Badge()
        self.emulator = DgtEmulator(
            "".join(story.before),
            clock,
            badge,
            at_ns=story.begin_ns if on_ns is None else on_ns,
            phase_ns=story.begin_ns,
            # Boards on a line answer a ping to all each at a moment of its own, or all at once.
            dice=dice(f"ping/{badge.serial}"),
        )
        self._clock = clock
        self._deeds = story.deeds
        self._next = 0
        self._outages = story.outages

    @property
    def badge(self) -> Badge:
        """Who the board says it is."""
        return self.emulator.badge

    def power_cycle(self, at_ns: int) -> None:
        """The power was off for a moment."""
        self.emulator.power_cycle(at_ns)

    @property
    def ended(self) -> bool:
        """True once every deed is done."""
        return self._next == len(self._deeds)

    @property
    def due_at_ns(self) -> int | None:
        """When a hand or the board acts next."""
        times = [] if self.ended else [self._deeds[self._next].at_ns]
        if self.emulator.due_at_ns is not None:
            times.append(self.emulator.due_at_ns)
        return min(times, default=None)

    def receive(self, data: bytes, at_ns: int) -> None:
        """Bytes from the computer. Lost while the cable is out."""
        if not self.cut_off(at_ns):
            self.emulator.receive(data, at_ns)

    def advance(self, at_ns: int) -> bytes:
        """All deeds up to now are done; what the board has said since the last call."""
        said = b""
        while not self.ended and self._deeds[self._next].at_ns <= at_ns:
            deed = self._deeds[self._next]
            said += self._said(deed.at_ns)
            self._do(deed)
            self._next += 1
        return said + self._said(at_ns)

    def cut_off(self, at_ns: int) -> bool:
        """Nothing comes through now."""
        return any(outage.from_ns <= at_ns <= outage.to_ns for outage in self._outages)

    def _said(self, at_ns: int) -> bytes:
        data = self.emulator.advance(at_ns)
        return b"" if self.cut_off(at_ns) else data

    def _do(self, deed: StagedDeed) -> None:
        emulator, at_ns = self.emulator, deed.at_ns
        match deed:
            case Put():
                emulator.set_square(deed.square, deed.piece, at_ns)
            case LeverPress():
                self._press(SIDES[deed.side], at_ns)
            case Stop():
                emulator.stop(at_ns)
            case Run():
                self._lever(SIDES[deed.side.other], at_ns)
                emulator.start(at_ns)
            case SetTime():
                half = self._clock.sides[SIDES[deed.side].value]
                half.left_ns += deed.delta_ms * MS

    def _press(self, side: Side, at_ns: int) -> None:
        """From a standing start the lever goes over and the other side's clock is set going."""
        stood = not self._clock.running
        if stood:
            self._lever(side, at_ns)
            self.emulator.start(at_ns)
        else:
            self.emulator.press(side.value, at_ns)

    def _lever(self, pressed: Side, at_ns: int) -> None:
        """Down on this side, without a press that counts."""
        self.emulator.stop(at_ns)
        self._clock.right_high = pressed is Side.LEFT
