"""Brings effects about, in order, until nothing is left: the one place that changes a table.

    effects ─▶ queue ─▶ the first ─▶ the table changes ─▶ what it led to, to the front of the queue
                          └──▶ outputs, commands, the answer to an act: out

What an effect leads to comes before what was waiting, so a fact is told, judged and followed to its
end before the next one is looked at: on that order the numbers of events rest. No effect is brought
about inside another, and none outside of this queue.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from arbiterd.laws.act import Answer
from arbiterd.messages.step import Output
from arbiterd.table.drain import deciding, learning, sensing, telling, writing
from arbiterd.table.effects import PLAY, Effect, Effects, GiveAnswer, Occasion, On, PutOut, Send
from arbiterd.table.state import TableState
from eboards.codec import DeviceCommand

STEPS_MAX = 100_000
"""No input leads to so much: a circle of effects would never end, and is a bug."""

Applied = Callable[[TableState, Occasion, Any], Effects]
_APPLIED: Mapping[type, Applied] = {
    **sensing.APPLIED,
    **learning.APPLIED,
    **deciding.APPLIED,
    **telling.APPLIED,
    **writing.APPLIED,
}


class Leaving(Struct):
    """What left the table, in order."""

    outputs: list[Output] = []
    commands: list[DeviceCommand] = []
    answer: Answer | None = None
    """To the act that was done."""


def drain(state: TableState, effects: Effects) -> Leaving:
    """Changes `state` by these effects, and by all that they lead to."""
    left = Leaving()
    queue: list[tuple[Occasion, Effect]] = [(PLAY, effect) for effect in reversed(effects)]
    for _ in range(STEPS_MAX):
        if not queue:
            return left
        occasion, effect = queue.pop()
        applied = _APPLIED.get(type(effect))
        if applied is not None:
            following = applied(state, occasion, effect)
        elif isinstance(effect, On):
            occasion, following = effect.occasion, effect.effects
        else:
            following = ()
            _leave(left, effect)
        for each in following[::-1]:
            queue.append((occasion, each))
    raise AssertionError("effects of a table come to an end")


def _leave(left: Leaving, effect: Effect) -> None:
    match effect:
        case PutOut(output):
            left.outputs.append(output)
        case Send(command):
            left.commands.append(command)
        case GiveAnswer(answer):
            left.answer = answer
        case _:
            raise AssertionError(f"nothing brings {type(effect).__name__} about")
