"""Long proofs: what tables ask is answered by a worker, one question after another.

    a table's open rulings ─▶ question ─▶ worker (bounded in nodes) ─▶ answer ─▶ input of the table

Nothing is kept here. A question stands in the ruling that waits for it until its answer is in the
journal, so a service that was stopped or killed asks again.
"""

from __future__ import annotations

import asyncio
import logging
from functools import partial

from arbiterd.edges import Workers
from arbiterd.hall.tables.desk import Desk
from arbiterd.rules.mating import CanMate, MatingAnswer, MatingQuestion, answered
from arbiterd.table.inputs import MatingAnswered

log = logging.getLogger(__name__)

LANE = "mating"


class Examination:
    """Who answers for all tables."""

    def __init__(self, desk: Desk, workers: Workers) -> None:
        self._desk, self._workers = desk, workers
        self.answered = 0

    @property
    def asked(self) -> bool:
        """There is a question."""
        return self._next() is not None

    async def keep_answering(self) -> None:
        """Until cancelled. One question at a time, in the hall's order."""
        while True:
            self._desk.asked.clear()
            question = self._next()
            if question is None:
                await self._desk.asked.wait()
            else:
                self._tell(await self._answer(question))
                self.answered += 1

    def _next(self) -> MatingQuestion | None:
        standing = (seat for seat in self._desk.seats.values() if not seat.failing)
        return next((question for seat in standing for question in seat.table.questions), None)

    async def _answer(self, question: MatingQuestion) -> MatingAnswer:
        """A solver that fails has proven nothing: the arbiter decides, as without it."""
        work = self._workers.run(LANE, partial(answered, question))
        (found,) = await asyncio.gather(work, return_exceptions=True)
        if isinstance(found, MatingAnswer):
            return found
        log.error("%s: the examination failed (%r)", question.fen, found)
        return MatingAnswer(question, CanMate.NOT_PROVEN, 0)

    def _tell(self, answer: MatingAnswer) -> None:
        """To each table that still asks; a ruling may have been decided meanwhile."""
        for seat in self._desk.seats.values():
            if not seat.failing and answer.question in seat.table.questions:
                self._desk.take(seat, (MatingAnswered(self._desk.now_ns(seat), answer),))
