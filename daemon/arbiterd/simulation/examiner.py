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

    def ready(self, at_ns: int) -> list[MatingQuestion]:
        """What is examined by now; each once."""
        done = [question for question, due_ns in self._due_ns.items() if due_ns <= at_ns]
        for question in done:
            del self._due_ns[question]
        return done

    def answers(self, at_ns: int) -> list[MatingAnswered]:
        """What has been found out by now."""
        return [MatingAnswered(at_ns, answered(question)) for question in self.ready(at_ns)]
