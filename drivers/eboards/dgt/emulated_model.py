"""What an emulated DGT board reports, and when: live from pieces and a clock, or from a
recording."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

from eboards.dgt.emulated_board import CODES, START, CoilChange, EmulatedBoard
from eboards.dgt.emulated_clock import NO_CLOCK, SECOND_NS, EmulatedClock
from eboards.dgt.emulated_memory import EmulatedMemory

LEAD_NS: Final = SECOND_NS
"""A recording begins so long after somebody began to listen."""


@dataclass(frozen=True, slots=True)
class ClockAnswer:
    """The board asked the clock, and this is what it showed: seven bytes."""

    at_ns: int
    body: bytes
    changed: bool
    lever: bool = False
    """The lever lies the other way than when the clock was asked before."""


Report: TypeAlias = CoilChange | ClockAnswer


class Model(Protocol):
    """Where the wire gets what it reports."""

    @property
    def image(self) -> bytes:
        """64 codes, as a dump shows them."""
        ...

    @property
    def clock(self) -> bytes:
        """Seven bytes, as the board last heard them from the clock."""
        ...

    @property
    def due_at_ns(self) -> int | None:
        """When there will be something to report. None: not before its owner does something."""
        ...

    def advance(self, at_ns: int) -> list[Report]:
        """What is to be reported up to this time, in order."""
        ...

    @property
    def memory(self) -> EmulatedMemory | None:
        """What the board remembers. None: it has no memory."""
        ...

    def listen(self, *, steadily: bool, at_ns: int) -> None:
        """Somebody wants reports from now on; steadily: also of a clock that did not change."""
        ...


class LiveModel:
    """A board and its clock, which the owner changes after `advance` up to that time."""

    def __init__(
        self, board: EmulatedBoard, clock: EmulatedClock | None, at_ns: int, poll_ns: int
    ) -> None:
        assert clock is None or not clock.running, "a clock is started once the board is there"
        self.board = board
        self.wall = clock
        self._poll_ns = poll_ns
        self._at_ns = at_ns
        self._steadily = False
        self._memory = EmulatedMemory(board.image, at_ns)
        self._heard = NO_CLOCK
        if clock is not None:
            clock.advance(at_ns)
            self._heard = clock.shown()

    @property
    def image(self) -> bytes:
        return self.board.image

    @property
    def clock(self) -> bytes:
        return self._heard

    @property
    def memory(self) -> EmulatedMemory:
        return self._memory

    @property
    def due_at_ns(self) -> int | None:
        noticed_ns, poll_ns = self.board.due_at_ns, self._next_poll_ns()
        if noticed_ns is None or poll_ns is None:
            return noticed_ns if poll_ns is None else poll_ns
        return min(noticed_ns, poll_ns)

    def advance(self, at_ns: int) -> list[Report]:
        due_ns = self.due_at_ns
        if due_ns is None or due_ns > at_ns:
            self._at_ns = max(self._at_ns, at_ns)
            if self.wall is not None:
                self.wall.advance(at_ns)
            return []
        image = bytearray(self.board.image)
        reports: list[Report] = [*self.board.advance(at_ns)]
        while (poll_ns := self._next_poll_ns()) is not None and poll_ns <= at_ns:
            reports.append(self._poll(poll_ns))
        self._at_ns = max(self._at_ns, at_ns)
        if self.wall is not None:
            self.wall.advance(at_ns)
        reports.sort(key=lambda report: report.at_ns)
        for report in reports:
            self._remember(report, image)
        return reports

    def listen(self, *, steadily: bool, at_ns: int) -> None:  # noqa: ARG002 (it is live anyway)
        self._steadily = steadily

    def _next_poll_ns(self) -> int | None:
        if self.wall is None:
            return None
        if not (self.wall.running or self._steadily or self.wall.stirred):
            return None
        return self._at_ns - self._at_ns % self._poll_ns + self._poll_ns

    def _poll(self, at_ns: int) -> ClockAnswer:
        assert self.wall is not None, "only a clock is asked"
        self.wall.advance(at_ns)
        self._at_ns = at_ns
        before, self._heard = self._heard, self.wall.polled()
        turned = (before[6] ^ self._heard[6]) & 0x22 == 0x02
        return ClockAnswer(at_ns, self._heard, changed=before != self._heard, lever=turned)

    def _remember(self, report: Report, image: bytearray) -> None:
        """What is noticed is written down, whether anybody listens or not."""
        if isinstance(report, CoilChange):
            image[report.square] = report.code
            self._memory.square(report.square, report.code, bytes(image), report.at_ns)
        elif report.lever:
            left = bool(report.body[6] & 0x02)
            shown = report.body[3:6] if left else report.body[0:3]
            self._memory.stopped(left=left, shown=shown, at_ns=report.at_ns)


class RecordedModel:
    """Messages of a real board, reported again at their times. It has no memory.

    Its time begins once somebody listens. Dumps are not sent again: they were answers, and the
    one who asks now gets a new one.
    """

    memory = None

    def __init__(self, messages: Sequence[tuple[int, bytes]], lead_ns: int = LEAD_NS) -> None:
        self._messages = messages
        self._next = 0
        self._lead_ns = lead_ns
        self._begun_at_ns: int | None = None
        self._image = bytearray(CODES[piece] for piece in START)
        self._clock = next((body(m) for _, m in messages if is_times(m)), NO_CLOCK)
        if messages and messages[0][1][0] == 0x86:
            self._image[:] = messages[0][1][3:67]

    @property
    def image(self) -> bytes:
        return bytes(self._image)

    @property
    def clock(self) -> bytes:
        return self._clock

    @property
    def ended(self) -> bool:
        """True once all of it has been reported."""
        return self._next == len(self._messages)

    @property
    def due_at_ns(self) -> int | None:
        if self._begun_at_ns is None or self.ended:
            return None
        return self._begun_at_ns + self._messages[self._next][0]

    def advance(self, at_ns: int) -> list[Report]:
        reports: list[Report] = []
        while (due_ns := self.due_at_ns) is not None and due_ns <= at_ns:
            message = self._messages[self._next][1]
            self._next += 1
            if message[0] == 0x8E:
                self._image[message[3]] = message[4]
                reports.append(CoilChange(due_ns, message[3], message[4]))
            elif message[0] == 0x86:
                self._image[:] = message[3:67]
            elif is_times(message):
                changed = self._clock != body(message)
                self._clock = body(message)
                reports.append(ClockAnswer(due_ns, self._clock, changed))
        return reports

    def listen(self, *, steadily: bool, at_ns: int) -> None:  # noqa: ARG002 (as recorded)
        if self._begun_at_ns is None:
            first_ns = self._messages[0][0] if self._messages else 0
            self._begun_at_ns = at_ns + self._lead_ns - first_ns


def is_times(message: bytes) -> bool:
    """True for the times of a clock, False for its acknowledgements and all else."""
    return message[0] == 0x8D and 0x0A not in (message[3] & 0x0F, message[6] & 0x0F)


def body(message: bytes) -> bytes:
    """What stands behind the header."""
    return message[3:]
