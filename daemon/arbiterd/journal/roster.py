"""Who plays the games of a table: from its set-ups and the arbiters' acts, by input number."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, replace

from arbiterd.journal.reader import JournalReader
from arbiterd.journal.rows import InputRow
from arbiterd.laws.act import Act
from arbiterd.rules.registry import ruleset
from arbiterd.table.inputs import Renamed
from arbiterd.table.player import NOBODY, Player
from arbiterd.table.setup import TableSetup
from arbiterd.timing.control import Period


@dataclass(frozen=True, slots=True)
class Match:
    """What is known of a game before its first move."""

    hall: str
    table: str
    label: str
    white: str
    black: str
    round: int | None
    ruleset: str
    start: str
    """A FEN; empty: the rule set's own start."""
    periods: tuple[Period, ...]
    simulated: bool
    white_player: Player = NOBODY
    black_player: Player = NOBODY

    @property
    def fen(self) -> str:
        """The start position as a FEN."""
        rules = ruleset(self.ruleset)
        return rules.fen(rules.start(self.start))


@dataclass(frozen=True, slots=True)
class _Entry:
    number: int
    """The input that says so."""
    at_ns: int
    begins: bool
    """False: a name is put right, and the game goes on."""
    match: Match


class Roster:
    """The matches of one table, in order."""

    def __init__(self, read: JournalReader, table: str) -> None:
        self._read, self._table = read, table
        self._entries: list[_Entry] = []
        self._seen = 0
        """No input up to this one says anything more."""
        self._begun: dict[str, Match] = {}
        """By the id of the act that began a game, the match before it."""

    def at(self, number: int) -> Match | None:
        """The match that input `number` belongs to. None: before the first set-up."""
        self._refresh()
        place = self._place(number)
        return self._entries[place - 1].match if place else None

    def of_game(self, number: int, until_ns: int | None = None) -> Match | None:
        """The same with names as they have been put right since, by `until_ns` at the latest."""
        found = self.at(number)
        for entry in self._entries[self._place(number) :]:
            if entry.begins or (until_ns is not None and entry.at_ns > until_ns):
                break
            found = entry.match
        return found

    def of_rounds(self, until_ns: int | None = None) -> Mapping[int, Match]:
        """Who plays here in each round, as it was known by then; without a round: 1."""
        self._refresh()
        known = (e for e in self._entries if until_ns is None or e.at_ns <= until_ns)
        return {entry.match.round or 1: entry.match for entry in known}

    def _place(self, number: int) -> int:
        return bisect_right(self._entries, number, key=lambda entry: entry.number)

    def _refresh(self) -> None:
        last = self._read.last("input")
        if last == self._seen:
            return
        for row in self._read.setting(self._table, self._seen):
            last = max(last, row.number)
            match row.item:
                case TableSetup() as setup:
                    self._note(row, _of_setup(setup))
                case Act(action="start-game" | "undo") as act if self._entries:
                    self._note(row, self._after(act, self._entries[-1].match))
                case Renamed() as names if self._entries:
                    named = _renamed(self._entries[-1].match, names)
                    self._note(row, named, begins=False)
        self._seen = last

    def _after(self, act: Act, match: Match) -> Match:
        """The match once an act was done that may begin a game or undo that."""
        if act.action == "undo":
            return self._begun.pop(act.of, match)
        if act.id in self._begun or not _can_begin(act, match):
            return match
        if act.id:
            self._begun[act.id] = match
        return _of_act(match, act)

    def _note(self, row: InputRow, match: Match, *, begins: bool = True) -> None:
        self._entries.append(_Entry(row.number, row.at_ns, begins, match))


def _can_begin(act: Act, before: Match) -> bool:
    """The table refuses another."""
    try:
        ruleset(act.ruleset or before.ruleset).start(act.fen)
    except ValueError:
        return False
    return True


def _of_setup(setup: TableSetup) -> Match:
    return Match(
        hall=setup.hall,
        table=setup.table,
        label=setup.label,
        white=setup.white,
        black=setup.black,
        white_player=setup.white_player,
        black_player=setup.black_player,
        round=setup.round,
        ruleset=setup.ruleset,
        start=setup.start,
        periods=setup.rate.periods,
        simulated=setup.simulated,
    )


def _of_act(before: Match, act: Act) -> Match:
    """`start-game` names the players anew."""
    return replace(
        before,
        white=act.white,
        black=act.black,
        white_player=NOBODY,
        black_player=NOBODY,
        ruleset=act.ruleset or before.ruleset,
        start=act.fen,
    )


def _renamed(before: Match, names: Renamed) -> Match:
    return replace(
        before,
        white=names.white,
        black=names.black,
        white_player=names.white_player,
        black_player=names.black_player,
    )
