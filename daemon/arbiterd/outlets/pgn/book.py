"""The games as texts, made when a game changes and kept until it changes again.

    journal rows ─▶ waiting, by table, until they are old enough ─▶ games ─▶ one text a game

A round is its games' texts side by side; whoever asks for it costs no reading.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from arbiterd.edges import ServiceClock
from arbiterd.journal.delays import Delays
from arbiterd.journal.reader import JournalReader
from arbiterd.journal.roster import Match, Roster
from arbiterd.journal.rows import OutputRow
from arbiterd.messages import topics
from arbiterd.messages.times import from_rfc3339
from arbiterd.outlets.pgn.full import full_pgn
from arbiterd.outlets.pgn.games import Score, note, rename
from arbiterd.outlets.pgn.safe import is_game

PAGE = 500
MS = 1_000_000
Form = Callable[[Score], str]


@dataclass(slots=True)
class _Table:
    """What is known of one table's games."""

    roster: Roster
    waiting: deque[OutputRow] = field(default_factory=deque)
    games: dict[str, Score] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)

    @property
    def played(self) -> Iterator[Score]:
        """A game that was begun and undone has nothing left."""
        return (score for score in self.games.values() if score.moves or score.result)

    def rename(self, until_ns: int | None) -> None:
        for score in self.games.values():
            if rename(score, self.roster, until_ns):
                self.texts.pop(score.game, None)


@dataclass(frozen=True, slots=True)
class RoundBoard:
    """One game of a round, begun or not."""

    match: Match
    score: Score | None


class ScoreBook:
    """Read on from where it was; `delays`: only what is public by now."""

    def __init__(
        self,
        read: JournalReader,
        clock: ServiceClock,
        delays: Delays | None = None,
        form: Form = full_pgn,
    ) -> None:
        self._read, self._clock, self._delays, self._form = read, clock, delays, form
        self._tables: dict[str, _Table] = {}
        self._number = 0
        self._reading = asyncio.Lock()

    async def of_round(self, number: int) -> str | None:
        """All games of a round, table by table; None: there are none."""
        found = in_round(await self.scores(), number)
        return "".join(map(self.text, found)) or None

    async def of_table(self, name: str) -> str | None:
        """The table's present game. None: it has none."""
        await self._catch_up()
        played = self._tables[name].played if name in self._tables else ()
        texts = [text for score in played if (text := self.text(score))]
        return texts[-1] if texts else None

    async def scores(self) -> list[Score]:
        """Every game that may be known by now."""
        await self._catch_up()
        return [score for table in self._tables.values() for score in table.played]

    async def texts(self) -> Mapping[str, tuple[tuple[int, str], ...]]:
        """By table, the rounds and the texts of its games, in order."""
        found: dict[str, tuple[tuple[int, str], ...]] = {}
        for score in await self.scores():
            game = score.match.in_round, self.text(score)
            if game[1]:
                found[score.match.table] = (*found.get(score.match.table, ()), game)
        return found

    async def rounds(self, tables: Sequence[str]) -> Mapping[int, list[RoundBoard]]:
        """Every round that may be known by now, its boards in the order of the tables.

        Who plays at any table is public with the first of them, so that boards keep their places.
        What was played in a round at a table that has been taken out since stays where it stood.
        """
        await self._catch_up()
        paired = [until for name in tables if (until := self._until_ns(name)) is not None]
        paired_until_ns = max(paired, default=None)
        began_ns = self._rounds_began(tables, paired_until_ns)
        found: dict[int, list[RoundBoard]] = {}
        for name in self._with_those_taken_out(tables):
            table = self._table(name)
            played = {
                score.match.in_round: score
                for score in filter(is_game, table.played)
                if not table.roster.gave_way(score.begins, paired_until_ns)
            }
            for number, match in table.roster.of_rounds(paired_until_ns).items():
                score = played.get(number)
                if name in tables:
                    there = score is not None or bool(match.white or match.black)
                else:
                    there = score is not None and _since(score, began_ns.get(number))
                if there:
                    # Of a game that has been begun since, nothing is known but its players.
                    who = match if score is None else score.match
                    found.setdefault(number, []).append(RoundBoard(who, score))
        return dict(sorted(found.items()))

    def _with_those_taken_out(self, tables: Sequence[str]) -> list[str]:
        """Each before the first that comes after it by its name."""
        found = list(tables)
        for name in sorted(self._tables.keys() - set(tables), key=topics.place_of):
            after = (
                at for at, each in enumerate(found) if topics.place_of(each) > topics.place_of(name)
            )
            found.insert(next(after, len(found)), name)
        return found

    def _rounds_began(self, tables: Sequence[str], until_ns: int | None) -> Mapping[int, int]:
        """When the first of these tables was set up for each round."""
        found: dict[int, int] = {}
        for name in tables:
            for number, at_ns in self._table(name).roster.rounds_began(until_ns).items():
                found[number] = min(at_ns, found.get(number, at_ns))
        return found

    def text(self, score: Score) -> str:
        """A game of `scores` in this book's form; empty: no record can be made of it."""
        texts = self._tables[score.match.table].texts
        if score.game not in texts:
            texts[score.game] = "" if score.cut else self._form(score)
        return texts[score.game]

    async def _catch_up(self) -> None:
        """Reads what has come since, a page at a time: a whole day may lie there after a start."""
        async with self._reading:
            last = self._read.last("output")
            while self._number < last:
                page = self._read.events(topics.EVENTS, after=self._number, limit=PAGE)
                newest = page[-1].number if page else 0
                self._number = newest if len(page) == PAGE else max(last, newest)
                for row in page:
                    self._table(row.table).waiting.append(row)
                self._admit()
                await self._clock.rest(0)
            self._admit()

    def _table(self, name: str) -> _Table:
        if name not in self._tables:
            self._tables[name] = _Table(Roster(self._read, name))
        return self._tables[name]

    def _admit(self) -> None:
        for name, table in self._tables.items():
            until_ns = self._until_ns(name)
            while table.waiting and (until_ns is None or table.waiting[0].at_ns <= until_ns):
                game = note(table.games, table.roster, table.waiting.popleft())
                table.texts.pop(game, None)
            table.rename(until_ns)

    def _until_ns(self, table: str) -> int | None:
        """Up to then all may be known; None: everything."""
        if self._delays is None:
            return None
        return self._delays.until_ns(table, self._clock.now_ns())


def _since(score: Score, began_ns: int | None) -> bool:
    """It was played in that round, and not in one of the same number of another tournament."""
    return began_ns is not None and from_rfc3339(score.began_at) >= began_ns // MS * MS


def in_round(scores: Iterable[Score], number: int) -> list[Score]:
    """Those of a round, in the order of the tables."""
    found = (score for score in scores if score.match.in_round == number)
    return sorted(found, key=lambda score: topics.place_of(score.match.table))
