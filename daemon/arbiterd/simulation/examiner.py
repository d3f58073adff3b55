"""The worker of a simulated hall: each answer comes a fixed time after its question."""

from __future__ import annotations

from collections.abc import Iterable

from arbiterd.rules.mating import MatingQuestion, answered
from arbiterd.table.inputs import MatingAnswered

ANSWER_NS = 5_000_000_000
"""Of virtual time: about what the whole budget takes, and the same on every machine."""


class Examiner:
    """Tell it what a table asks; it says when which answer arrives."""

    def __init__(self) -> None:
        self._due_ns: dict[MatingQuestion, int] = {}

    def asked(self, questions: Iterable[MatingQuestion], at_ns: int) -> None:
        """What the table asks now. What it asks no more is dropped."""
        known = self._due_ns
        self._due_ns = {question: known.get(question, at_ns + ANSWER_NS) for question in questions}

    @property
    def due_at_ns(self) -> int | None:
        """When `answers` is to be called."""
        return min(self._due_ns.values(), default=None)

    def answers(self, at_ns: int) -> list[MatingAnswered]:
        """What has been found out by now."""
        ready = [question for question, due_ns in self._due_ns.items() if due_ns <= at_ns]
        for question in ready:
            del self._due_ns[question]
        return [MatingAnswered(at_ns, answered(question)) for question in ready]
