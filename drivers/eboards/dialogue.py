"""One question at a time.

A board has room for ten bytes and answers while it scans, so requests leave one by one with a
pause between them; one that expects an answer holds up the others until it has it, or until its
time is over.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

GAP_NS: Final = 100_000_000


@dataclass(frozen=True, slots=True)
class Request:
    """Something to ask the board, and how to tell its answer."""

    data: bytes
    answered_by: Callable[[bytes], bool] | None = None
    """None: nothing comes back."""
    wait_ns: int = 1_000_000_000
    tries: int = 1
    gap_ns: int = GAP_NS
    """How long the line is left alone after it."""
    name: str = ""
    """For a command whose outcome is an event of its own."""


@dataclass(slots=True)
class Dialogue:
    """What is asked, what is still to be asked, and when the next byte may go."""

    _queue: deque[Request] = field(default_factory=deque)
    _waiting: Request | None = None
    _deadline_ns: int = 0
    _tried: int = 0
    _free_at_ns: int = 0

    @property
    def idle(self) -> bool:
        """True when nothing is asked and nothing waits to be."""
        return self._waiting is None and not self._queue

    @property
    def due_at_ns(self) -> int | None:
        """When `turn` has something to do, if nothing is heard before."""
        if self._waiting is not None:
            return self._deadline_ns
        return self._free_at_ns if self._queue else None

    def ask(self, *requests: Request) -> None:
        """In this order, after what waits already. What waits already is not asked twice."""
        self._queue.extend(request for request in requests if request not in self._queue)

    def start_over(self) -> None:
        """Forget everything asked."""
        self._queue.clear()
        self._waiting = None

    def heard(self, message: bytes) -> Request | None:
        """The request that this message answers."""
        request = self._waiting
        if request is None or request.answered_by is None or not request.answered_by(message):
            return None
        self._waiting = None
        return request

    def turn(self, at_ns: int) -> tuple[Request | None, Request | None]:
        """What goes out now, and what is given up for want of an answer."""
        unanswered: Request | None = None
        if self._waiting is not None:
            if at_ns < self._deadline_ns:
                return None, None
            if self._tried < self._waiting.tries:
                return self._out(self._waiting, at_ns), None
            unanswered, self._waiting = self._waiting, None
        if not self._queue or at_ns < self._free_at_ns:
            return None, unanswered
        self._tried = 0
        return self._out(self._queue.popleft(), at_ns), unanswered

    def _out(self, request: Request, at_ns: int) -> Request:
        self._tried += 1
        self._free_at_ns = at_ns + request.gap_ns
        if request.answered_by is not None:
            self._waiting = request
            self._deadline_ns = at_ns + request.wait_ns
        return request
