"""Which rows of the journal evidence points to, in little room."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import accumulate
from random import Random

import msgspec
import pytest

from arbiterd.table.books import INPUTS_KEPT, Books

SECOND_NS = 1_000_000_000


def heard(count: int, seed: int = 1) -> tuple[list[int], list[int]]:
    """Times and numbers of a table's inputs: some at once, most a second apart, as clocks tick."""
    dice = Random(seed)
    steps = (dice.choice((0, dice.randrange(SECOND_NS), SECOND_NS)) for _ in range(count))
    return [*accumulate(steps)], [*accumulate(dice.randrange(1, 60) for _ in range(count))]


def noted(times: list[int], numbers: list[int], books: Books | None = None) -> Books:
    books = Books() if books is None else books
    for number, at_ns in zip(numbers, times, strict=True):
        books.note_input(number, at_ns)
    return books


def plainly(times: list[int], numbers: list[int], from_ns: int, to_ns: int) -> tuple[int, int]:
    first = min(bisect_left(times, from_ns), len(times) - 1)
    return numbers[first], numbers[max(bisect_right(times, to_ns) - 1, first)]


def kept(count: int) -> int:
    """How many of so many inputs are still known."""
    beyond = max(0, count - 2 * INPUTS_KEPT)
    return count - INPUTS_KEPT * -(-beyond // INPUTS_KEPT)


@pytest.mark.parametrize("count", [1, 127, 256, 1000, 2 * INPUTS_KEPT, 2 * INPUTS_KEPT + 1, 40_000])
def test_evidence_is_found_among_all_inputs_that_are_kept(count: int) -> None:
    times, numbers = heard(count)
    books, dice = noted(times, numbers), Random(count)

    times, numbers = times[-kept(count) :], numbers[-kept(count) :]
    for place in [0, len(times) - 1, *(dice.randrange(len(times)) for _ in range(60))]:
        for aside in (-1, 0, 1):
            from_ns = times[place] + aside
            to_ns = from_ns + dice.choice((0, SECOND_NS, 100 * SECOND_NS))
            assert books.evidence(from_ns, to_ns) == plainly(times, numbers, from_ns, to_ns)


def test_a_checkpoint_of_before_is_gone_on_with() -> None:
    times, numbers = heard(2 * INPUTS_KEPT)
    of_before = msgspec.msgpack.encode({"input_times": times, "input_numbers": numbers})
    books = msgspec.msgpack.decode(of_before, type=Books)

    later = [times[-1] + SECOND_NS * (1 + number) for number in range(500)]
    noted(later, [*range(10**6, 10**6 + 500)], books)

    at_ns = times[INPUTS_KEPT + 1000]
    assert books.evidence(at_ns, at_ns) == plainly(times, numbers, at_ns, at_ns)
    assert books.evidence(later[7], later[9]) == (10**6 + 7, 10**6 + 9)


def test_a_day_of_inputs_takes_little_room() -> None:
    """Two lists of numbers took 230 kB in a checkpoint, and 1.4 MB in memory."""
    books = noted(*heard(2 * INPUTS_KEPT))

    assert len(msgspec.msgpack.encode(books)) < 100_000
