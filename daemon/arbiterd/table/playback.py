"""A list of inputs through one table, as fast as it goes: what `arbiterd replay` prints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from arbiterd.messages import topics
from arbiterd.messages.payloads import Clock, State
from arbiterd.messages.step import Output, Step
from arbiterd.rules.mating import answered
from arbiterd.table.inputs import Input, MatingAnswered
from arbiterd.table.table import Table

TAIL_NS = 60_000_000_000
"""So long time runs on after the last input, or until nothing is due."""


def play(table: Table, inputs: Iterable[tuple[int, Input]]) -> Iterator[tuple[int, Step]]:
    """Each step with its time; `inputs` are numbered. Time then runs on until nothing is due."""
    last_ns = number = 0
    for number, item in inputs:
        last_ns = item.at_ns
        yield last_ns, table.take(number, item)
        yield from _examined(table, number)
    end_ns = last_ns + TAIL_NS
    while (due_ns := table.due_at_ns) is not None and due_ns <= end_ns:
        yield due_ns, table.due(due_ns)
        yield from _examined(table, number)


def _examined(table: Table, number: int) -> Iterator[tuple[int, Step]]:
    """What a worker would answer, at once: nobody waits here."""
    for question in table.questions:
        answer = MatingAnswered(table.at_ns, answered(question))
        yield answer.at_ns, table.take(number, answer)


def told(output: Output) -> bool:
    """True for what people and programs act on: moves, results, rulings of urgency 1 to 3."""
    return output.seq is not None


def line(hall: str, table: str, output: Output) -> bytes:
    """A message as one line of JSON, its full topic first."""
    topic = f"{topics.hall(hall)}/{topics.table(table, output.topic)}"
    head = b'{"topic":' + msgspec.json.encode(topic)
    body = output.payload or b'{"cleared":true}'
    return head + b"," + body[1:]


class StateChanges:
    """Tells a state only when something but the ticking of a running clock is new."""

    def __init__(self) -> None:
        self._last: State | None = None

    def changed(self, state: State) -> bool:
        quiet = msgspec.structs.replace(state, at="", clock=_still(state.clock))
        if quiet == self._last:
            return False
        self._last = quiet
        return True


def _still(clock: Clock | None) -> Clock | None:
    """The clock without the times of the side that ticks."""
    if clock is None or clock.running is None:
        return clock
    ticking = {f"{clock.running}_ms": None}
    return msgspec.structs.replace(clock, **ticking)
