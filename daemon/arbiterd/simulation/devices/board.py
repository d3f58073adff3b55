"""One table as a driver would hear it: device events in the order in which they arrive.

    Story ──▶ sensors, clock ──▶ outages (what is lost, and the dump that shows it later) ──▶ events

This is the quick way, without bytes; `emulated` plays the same stories over emulated wires.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from heapq import merge
from random import Random

from arbiterd.simulation.devices.clock import spoken
from arbiterd.simulation.devices.sensors import sense
from arbiterd.simulation.profiles import MS, SECOND, Profile
from arbiterd.simulation.world import LinkLoss, Outage, Story
from arbiterd.timing.control import Rate
from eboards.events import (
    CHESS_BOARD,
    ClockReading,
    DeviceEvent,
    Geometry,
    LinkDown,
    LinkUp,
    Piece,
    Placement,
    Scan,
    Sensing,
    Side,
    SquareChange,
)

QUIET_NS = SECOND
"""The driver asks for the whole board once so long nothing has changed (`eboards.dgt.codec`)."""
LOSSY_QUIET_NS = 500 * MS
LOSSY_NS = 60 * SECOND
"""So soon, for so long after a picture or a square showed it that a message was lost."""
AFTER_PRESS_NS = 80 * MS
"""And so soon after it saw a press, or heard a square say again what it showed: a request and its
70 ms answer."""
LINK_LOST_NS = 3 * SECOND
"""A board that has not answered for so long is called lost (DGT reference, DRV-4)."""


def heard(
    story: Story,
    profile: Profile,
    rate: Rate,
    dice: Random,
    *,
    geometry: Geometry = CHESS_BOARD,
    ticking: bool = False,
) -> list[DeviceEvent]:
    """All that one board and its clock say during a story."""
    first, shown = sense(story, profile, geometry, dice)
    phase_ns = story.begin_ns + dice.randrange(SECOND)
    end_ns = story.end_ns + 5 * SECOND
    clock = spoken(story.deeds, rate, phase_ns, end_ns, ticking=ticking)
    sensing = Sensing(profile.sensing, profile.scan_ns, geometry)
    events: list[DeviceEvent] = [
        LinkUp(story.begin_ns, "simulated", "", sensing),
        Scan(story.begin_ns, first),
    ]
    wire = OutageWire(first, story.outages, sensing)
    for event in merge(shown, clock, key=lambda event: event.at_ns):
        wire.say(event)
    wire.until(end_ns)
    return events + wire.heard


class OutageWire:
    """What is left once the outages took theirs, and the dumps that mend it."""

    def __init__(self, first: Placement, outages: tuple[Outage, ...], sensing: Sensing) -> None:
        self.heard: list[DeviceEvent] = []
        self._sensing = sensing
        self._board = list(first)
        """As the board sees it."""
        self._image = list(first)
        """As it was heard."""
        self._outages = _joined(outages)
        self._quiet_ns: int | None = None
        """When the driver will ask for the board because nothing has changed for a while."""
        self._soon_ns: int | None = None
        """When it will whatever changes meanwhile: after a press, or a sign of a loss."""
        self._lossy_until_ns = 0
        self._unheard_clock: ClockReading | None = None
        self._lever: tuple[Side | None, Side | None] = (None, None)
        """As it was heard: whose clock runs, and where the lever is."""
        self._clock: ClockReading | None = None

    def say(self, event: SquareChange | Scan | ClockReading) -> None:
        """One thing the board says, heard or not."""
        self.until(event.at_ns)
        if isinstance(event, ClockReading):
            if self._is_out(event.at_ns):
                self._unheard_clock = event
                return
            said = (event.running, event.lever)
            if said != self._lever or _credited(self._clock, event):
                self._soon_ns = event.at_ns + AFTER_PRESS_NS
            self._lever, self._clock = said, event
        else:
            _show(self._board, event)
            if self._losses(event.at_ns):
                return
            if isinstance(event, SquareChange) and self._image[event.square] == event.piece:
                self._soon_ns = event.at_ns + AFTER_PRESS_NS
                self._lossy_until_ns = event.at_ns + LOSSY_NS
            _show(self._image, event)
            lossy = event.at_ns < self._lossy_until_ns
            self._quiet_ns = event.at_ns + (LOSSY_QUIET_NS if lossy else QUIET_NS)
        self.heard.append(event)

    def until(self, at_ns: int) -> None:
        """Time goes on to here: a cable may be in again, a driver may ask for the board."""
        while self._outages and self._outages[0].to_ns < at_ns:
            outage = self._outages.pop(0)
            if outage.loss is LinkLoss.ALL:
                self._back(outage)
        while self._asks and self._asks[0] < at_ns:
            asked_ns = self._asks[0]
            if self._image != self._board and not self._is_out(asked_ns):
                self._dump(asked_ns)
                self._lossy_until_ns = asked_ns + LOSSY_NS
            self._quiet_ns = None
            if asked_ns == self._soon_ns:
                self._soon_ns = None

    @property
    def _asks(self) -> list[int]:
        return sorted(ns for ns in (self._quiet_ns, self._soon_ns) if ns is not None)

    def _is_out(self, at_ns: int) -> bool:
        return LinkLoss.ALL in self._losses(at_ns)

    def _losses(self, at_ns: int) -> set[LinkLoss]:
        """What is lost now: a cable may be out while messages are lost besides."""
        return {outage.loss for outage in self._outages if outage.from_ns <= at_ns}

    def _dump(self, at_ns: int) -> None:
        self._image = list(self._board)
        self.heard.append(Scan(at_ns, tuple(self._board)))

    def _back(self, outage: Outage) -> None:
        """The cable is in again: the driver asks for the board, and the clock speaks."""
        up_ns = outage.to_ns - 2 * AFTER_PRESS_NS
        down_ns = min(outage.from_ns + LINK_LOST_NS, up_ns - 1)
        self.heard.append(LinkDown(down_ns, "no answer"))
        self.heard.append(LinkUp(up_ns, "simulated", "", self._sensing))
        self._quiet_ns = self._soon_ns = None
        self._dump(outage.to_ns - AFTER_PRESS_NS)
        if self._unheard_clock is not None:
            late_ns = outage.to_ns - outage.from_ns + SECOND
            self.heard.append(replace(self._unheard_clock, at_ns=outage.to_ns, late_ns=late_ns))
            self._unheard_clock = None


def _joined(outages: Iterable[Outage]) -> list[Outage]:
    """In order; of a cable that is pulled while it is out, one outage."""
    found: list[Outage] = []
    pulled: Outage | None = None
    for outage in sorted(outages, key=lambda outage: outage.from_ns):
        if outage.loss is LinkLoss.ALL:
            if pulled is not None and outage.from_ns <= pulled.to_ns:
                found.remove(pulled)
                outage = Outage(outage.loss, pulled.from_ns, max(pulled.to_ns, outage.to_ns))
            pulled = outage
        found.append(outage)
    return sorted(found, key=lambda outage: outage.from_ns)


def _credited(before: ClockReading | None, now: ClockReading) -> bool:
    """A time went up: two presses between two messages leave the lever where it was."""
    return before is not None and any(
        was is not None and shows is not None and shows > was
        for was, shows in ((before.left_ms, now.left_ms), (before.right_ms, now.right_ms))
    )


def _show(placement: list[Piece], event: SquareChange | Scan) -> None:
    if isinstance(event, Scan):
        placement[:] = event.placement
    else:
        placement[event.square] = event.piece
