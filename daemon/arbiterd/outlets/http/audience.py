"""One hall for two audiences of the arbiter's listener: who may know rulings, and who may not.

request ─▶ the role's right ─▶ Reading over the hall      (everything)
                            └▶ Reading over GamesAlone    (boards, moves, clocks, results)

A route of both stands in two lists, once for each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from aiohttp import web
from aiohttp.typedefs import Handler

from arbiterd.access.login import role_here
from arbiterd.access.rights import Reads, is_of_rulings
from arbiterd.journal.live import NumberedEvent
from arbiterd.outlets.http.source import MessageReader


class GamesAlone:
    """A reader's messages without rulings and answers to arbiters."""

    def __init__(
        self, reader: MessageReader, of_rulings: Callable[[str], bool] = is_of_rulings
    ) -> None:
        """`of_rulings`: which topics are left out."""
        self._reader, self._of_rulings = reader, of_rulings
        self._all: Mapping[str, bytes] = {}
        self._told: Mapping[str, bytes] = {}

    def retained(self) -> Mapping[str, bytes]:
        """As `MessageReader` has it: another mapping if, and only if, what is told has changed."""
        retained = self._reader.retained()
        if retained is not self._all:
            told = {t: payload for t, payload in retained.items() if not self._of_rulings(t)}
            self._told = self._told if told == self._told else told
            self._all = retained
        return self._told

    @property
    def last(self) -> int:
        return self._reader.last

    async def after(self, number: int, limit: int) -> Sequence[NumberedEvent]:
        """None at all only where nothing more comes."""
        while events := await self._reader.after(number, limit):
            told = [event for event in events if not self._of_rulings(event.topic)]
            if told:
                return told
            number = events[-1].number
        return ()

    async def timeline(self, table: str, after_seq: int, limit: int) -> Sequence[NumberedEvent]:
        """None at all only where nothing more comes; `seq` has holes where a ruling was."""
        told: list[NumberedEvent] = []
        while events := await self._reader.timeline(table, after_seq, limit):
            told = [event for event in events if not self._of_rulings(event.topic)]
            if told:
                break
            after_seq += len(events)  # A table's numbers have no gap.
        return told

    @property
    def mark(self) -> int:
        return self._reader.mark

    async def changed(self, mark: int) -> None:
        await self._reader.changed(mark)


def routes_by_role(
    everything: Sequence[web.RouteDef], games: Sequence[web.RouteDef]
) -> list[web.RouteDef]:
    """Each route once, answered from what whoever asks may know."""
    return [
        web.get(whole.path, _chosen(whole.handler, part.handler))
        for whole, part in zip(everything, games, strict=True)
    ]


def _chosen(whole: Handler, part: Handler) -> Handler:
    async def answer(request: web.Request) -> web.StreamResponse:
        role = role_here(request)
        knows = role is None or Reads.RULINGS in role.reads
        return await (whole if knows else part)(request)

    return answer
