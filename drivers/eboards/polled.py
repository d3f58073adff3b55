"""What boards that are asked have in common, so that a codec is left with its wire.

    class MyCodec(PolledBoard):
        driver, position = "my", POSITION            `position`: what shows the whole board
        opening = (VERSION, POSITION)                at the start, and again after each silence
        polls = (Poll(POSITION, 1_000 * MS),)        again and again

A codec takes its bytes apart and says `_alive` of each message that can be believed. What it then
reads goes through `_sees`, `_introduced` and `_charged`, which tell news only. After a silence it
may be another board: nothing of what was told counts any more, and all is asked anew. A board that
speaks by itself names nothing to ask, and has the rest.
"""

from __future__ import annotations

from typing import ClassVar, NamedTuple

from eboards.codec import AskBoard, DeviceCommand
from eboards.dialogue import Dialogue, Request
from eboards.events import Battery, DeviceEvent, Identity, Placement
from eboards.vigil import LOST_NS, Steady, Vigil


class Poll(NamedTuple):
    """Asked so often, whatever the board says by itself."""

    request: Request
    every_ns: int
    first_ns: int | None = None
    """So long after the start for the first time, where that is not `every_ns`."""


class PolledBoard:
    """One board that is asked. Made anew for every session."""

    driver: str
    opening: ClassVar[tuple[Request, ...]] = ()
    polls: ClassVar[tuple[Poll, ...]] = ()
    position: ClassVar[Request | None] = None
    """None: it shows its board by itself, and the next picture is told whether new or not."""
    patience_ns: ClassVar[int] = LOST_NS

    def __init__(self) -> None:
        self._dialogue = Dialogue()
        self._vigil = Vigil(self.patience_ns)
        self._steady = Steady()
        self._identity: Identity | None = None
        self._battery: Battery | None = None
        self._started = False
        self._poll_at_ns = [0] * len(self.polls)

    # In.

    def _alive(self, message: bytes, at_ns: int) -> None:
        """Whoever said this is there."""
        if self._vigil.lost:
            self._started = False
            self._forget()
        self._vigil.heard(at_ns)
        self._dialogue.heard(message)

    def _forget(self) -> None:
        """It may be another board now."""
        self._steady.forget()
        self._identity = self._battery = None

    def _sees(self, placement: Placement, at_ns: int) -> list[DeviceEvent]:
        """A picture counts once it was seen often enough: one that does not yet is asked for."""
        events = self._steady.sees(placement, at_ns)
        if self._steady.waits and self.position is not None:
            self._dialogue.ask(self.position)
        return events

    def _introduced(self, firmware: str, at_ns: int) -> list[DeviceEvent]:
        if self._identity is not None and self._identity.firmware == firmware:
            return []
        self._identity = Identity(at_ns, self.driver, firmware=firmware)
        return [self._identity]

    def _charged(self, percent: int, charging: bool, at_ns: int) -> list[DeviceEvent]:
        known = self._battery
        if known is not None and (known.percent, known.charging) == (percent, charging):
            return []
        self._battery = Battery(at_ns, percent, charging)
        return [self._battery]

    # Out.

    def send(self, command: DeviceCommand, _at_ns: int) -> bytes:
        """The board is asked for; lights are left alone and a clock there is none."""
        if isinstance(command, AskBoard):
            self._steady.tell_again()
            if self.position is not None:
                self._dialogue.ask(self.position)
        return b""

    @property
    def due_at_ns(self) -> int | None:
        if not self._started:
            return 0
        times = (self._vigil.due_at_ns, self._dialogue.due_at_ns, *self._poll_at_ns)
        return min(at_ns for at_ns in times if at_ns is not None)

    def due(self, at_ns: int) -> tuple[bytes, list[DeviceEvent]]:
        silence = self._vigil.silence(at_ns)
        if not self._started or silence is not None:
            self._start(at_ns)
        for number, poll in enumerate(self.polls):
            if at_ns >= self._poll_at_ns[number]:
                self._poll_at_ns[number] = at_ns + poll.every_ns
                self._dialogue.ask(poll.request)
        asked, unanswered = self._dialogue.turn(at_ns)
        events = [*(silence or ()), *self._given_up(unanswered, at_ns)]
        return (b"" if asked is None else self._asks(asked)), events

    def _start(self, at_ns: int) -> None:
        self._started = True
        self._vigil.begin(at_ns)
        self._poll_at_ns = [at_ns + (poll.first_ns or poll.every_ns) for poll in self.polls]
        self._dialogue.start_over()
        self._dialogue.ask(*self.opening)

    def _asks(self, request: Request) -> bytes:
        """Called with what goes out now."""
        return request.data

    def _given_up(self, _request: Request | None, _at_ns: int) -> list[DeviceEvent]:
        """Called with what nobody answered; what follows from that."""
        return []
