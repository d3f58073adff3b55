"""What a table remembers, as values that can be written and read back."""

from __future__ import annotations

import struct
import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate, chain, pairwise
from typing import Literal, TypeAlias

from msgspec import Struct

from arbiterd.laws.act import Act
from arbiterd.messages.step import Output
from arbiterd.table.absence import Absence
from arbiterd.timing.facts import ClockShown

INPUTS_KEPT = 8192
"""How many input numbers a table can still turn times into; older evidence begins there."""
BLOCK = 128
"""So many of them are packed together; the newest, a dozen half-moves, stand as they are."""

ANSWERS_KEPT = 512
"""So many commands are recognised when they are sent again."""
ANSWERS_BYTES = 256 * 1024
"""What is remembered of answers takes no more room than this, the newest always."""


TableStatus: TypeAlias = Literal["waiting", "playing", "paused", "ended"]


class ClockLeft(Struct, frozen=True):
    """What the clock showed in a game that was left for another."""

    game: str
    turns: list[ClockShown]
    """Each time it was started, stopped or set, as far as kept."""


class Books(Struct, kw_only=True):
    """What the table itself remembers: a value that can be written and read back."""

    status: TableStatus = "waiting"
    result: str | None = None
    paused: bool = False
    """An arbiter stopped the game: by `pause`, or by an order that a confirmation gave."""
    paused_by_order: bool = False
    """Then it ends with play; what `pause` began ends when clocks that stood run again."""
    muted: bool = False
    round_started_ns: int | None = None
    input_blocks: list[bytes] = []
    """Times and numbers of older inputs, packed."""
    input_times: list[int] = []
    input_numbers: list[int] = []
    answered: dict[str, tuple[str, bytes]] = {}
    absence: Absence | None = None
    """How the board stood when it was last heard, while that is not settled."""
    clock_left: ClockLeft | None = None
    """Of the newest game before the present one of which anything was told."""

    def play_goes_on(self, *, restarted: bool) -> None:
        """A clock runs; `restarted`: from a standing start."""
        if self.paused_by_order or restarted:
            self.paused = self.paused_by_order = False

    def note_input(self, number: int, at_ns: int) -> None:
        """An input and its row in the journal."""
        self.input_times.append(at_ns)
        self.input_numbers.append(number)
        while len(self.input_times) >= 2 * BLOCK:
            self.input_blocks.append(_packed(self.input_times[:BLOCK], self.input_numbers[:BLOCK]))
            del self.input_times[:BLOCK], self.input_numbers[:BLOCK]
        if len(self.input_blocks) * BLOCK + len(self.input_times) > 2 * INPUTS_KEPT:
            del self.input_blocks[: INPUTS_KEPT // BLOCK]

    def evidence(self, from_ns: int, to_ns: int) -> tuple[int, int]:
        """The journal's numbers of the inputs read between two times."""
        times, numbers = self.input_times, self.input_numbers
        if not numbers:
            return (0, 0)
        if self.input_blocks and from_ns <= times[0]:
            times, numbers = self._inputs_from(from_ns)
        first = min(bisect_left(times, from_ns), len(numbers) - 1)
        last = max(bisect_right(times, to_ns) - 1, first)
        return numbers[first], numbers[last]

    def _inputs_from(self, at_ns: int) -> tuple[list[int], list[int]]:
        """Times and numbers of the inputs since then, and of some before."""
        begin = bisect_left(self.input_blocks, at_ns, key=lambda block: _unpacked(block)[0][0]) - 1
        old = [_unpacked(block) for block in self.input_blocks[max(0, begin) :]]
        times = chain(*(times for times, _ in old), self.input_times)
        numbers = chain(*(numbers for _, numbers in old), self.input_numbers)
        return [*times], [*numbers]

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


_STEPS = struct.Struct(f"<{2 * BLOCK}q")


def _packed(times: Sequence[int], numbers: Sequence[int]) -> bytes:
    """Of both the first, and then by how much each is more than the one before."""
    steps = (now - before for row in (times, numbers) for before, now in pairwise((0, *row)))
    return zlib.compress(_STEPS.pack(*steps))


def _unpacked(block: bytes) -> tuple[list[int], list[int]]:
    steps = _STEPS.unpack(zlib.decompress(block))
    return [*accumulate(steps[:BLOCK])], [*accumulate(steps[BLOCK:])]


def _size(key: str, kept: tuple[str, bytes]) -> int:
    topic, payload = kept
    return len(key) + len(topic) + len(payload)


def _key(act: Act) -> str:
    return f"{act.user}\0{act.id}"
