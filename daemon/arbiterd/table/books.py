"""What a table remembers, as values that can be written and read back."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import Literal

from msgspec import Struct

from arbiterd.laws.act import Act
from arbiterd.messages.step import Output
from arbiterd.table.absence import Absence
from arbiterd.table.announcer import Numbering
from arbiterd.table.board import Board
from arbiterd.table.recent import Recent
from arbiterd.table.setup import TableSetup
from eboards.events import Sensing

INPUTS_KEPT = 8192
"""How many input numbers a table can still turn times into; older evidence begins there."""

ANSWERS_KEPT = 512
"""So many commands are recognised when they are sent again."""
ANSWERS_BYTES = 256 * 1024
"""What is remembered of answers takes no more room than this, the newest always."""


class Books(Struct, kw_only=True):
    """What the table itself remembers: a value that can be written and read back."""

    status: Literal["waiting", "playing", "paused", "ended"] = "waiting"
    result: str | None = None
    paused: bool = False
    """An arbiter stopped the game: by `pause`, or by an order that a confirmation gave."""
    paused_by_order: bool = False
    """Then it ends with play; what `pause` began ends when clocks that stood run again."""
    muted: bool = False
    round_started_ns: int | None = None
    input_times: list[int] = []
    input_numbers: list[int] = []
    answered: dict[str, tuple[str, bytes]] = {}
    absence: Absence | None = None
    """How the board stood when it was last heard, while that is not settled."""

    def play_goes_on(self, *, restarted: bool) -> None:
        """A clock runs; `restarted`: from a standing start."""
        if self.paused_by_order or restarted:
            self.paused = self.paused_by_order = False

    def note_input(self, number: int, at_ns: int) -> None:
        """An input and its row in the journal."""
        self.input_times.append(at_ns)
        self.input_numbers.append(number)
        if len(self.input_times) > 2 * INPUTS_KEPT:
            del self.input_times[:INPUTS_KEPT], self.input_numbers[:INPUTS_KEPT]

    def evidence(self, from_ns: int, to_ns: int) -> tuple[int, int]:
        """The journal's numbers of the inputs read between two times."""
        times, numbers = self.input_times, self.input_numbers
        if not numbers:
            return (0, 0)
        first = min(bisect_left(times, from_ns), len(numbers) - 1)
        last = max(bisect_right(times, to_ns) - 1, first)
        return numbers[first], numbers[last]

    def answer_to(self, act: Act) -> Output | None:
        """What was answered when this command came before."""
        kept = self.answered.get(_key(act)) if act.id else None
        return None if kept is None else Output(*kept)

    def keep_answer(self, act: Act, answer: Output) -> None:
        if not act.id:
            return
        self.answered[_key(act)] = (answer.topic, answer.payload)
        room = sum(_size(key, kept) for key, kept in self.answered.items())
        while len(self.answered) > max(1, ANSWERS_KEPT if room <= ANSWERS_BYTES else 0):
            oldest = next(iter(self.answered))
            room -= _size(oldest, self.answered.pop(oldest))


def _size(key: str, kept: tuple[str, bytes]) -> int:
    topic, payload = kept
    return len(key) + len(topic) + len(payload)


def _key(act: Act) -> str:
    return f"{act.user}\0{act.id}"


class Checkpoint(Struct, kw_only=True):
    """A whole table as bytes."""

    setup: TableSetup
    tracker: bytes
    docket: bytes
    clock: bytes
    board: Board
    numbering: Numbering
    books: Books
    at_ns: int
    sensing: Sensing
    recent: Recent | None = None
