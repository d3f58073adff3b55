"""A list of inputs through one table, as fast as it goes: what `arbiterd replay` prints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from arbiterd.messages import topics
from arbiterd.messages.payloads import State
from arbiterd.messages.step import Output, Step
from arbiterd.messages.ticking import only_ticked
from arbiterd.messages.times import from_rfc3339
from arbiterd.rules.mating import answered
from arbiterd.table.inputs import Input, MatingAnswered
from arbiterd.table.table import Table
from arbiterd.timing.arithmetic import TICK_MS

TAIL_NS = 60_000_000_000
"""So long time runs on after the last input, or until nothing is due."""

NEWS_MS = 2 * TICK_MS
"""A running clock's time that is off by more is new: the table that says so and the state that was
told may each be off by half of it."""


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
        last = self._last
        if last is not None and _alike(last, state) == state:
            passed_ns = from_rfc3339(state.at) - from_rfc3339(last.at)
            if only_ticked(last.clock, state.clock, passed_ns, NEWS_MS):
                return False
        self._last = state
        return True


def _alike(last: State, state: State) -> State:
    return msgspec.structs.replace(last, at=state.at, clock=state.clock)
