"""Who plays the games of a table: from its set-ups and the arbiters' acts, by input number."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from arbiterd.journal.reader import Reader
from arbiterd.laws.act import Act
from arbiterd.rules.registry import ruleset
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

    @property
    def fen(self) -> str:
        """The start position as a FEN."""
        rules = ruleset(self.ruleset)
        return rules.fen(rules.start(self.start))


class Roster:
    """The matches of one table, in order."""

    def __init__(self, read: Reader, table: str) -> None:
        self._read, self._table = read, table
        self._numbers: list[int] = []
        self._matches: list[Match] = []
        self._begun: dict[str, Match] = {}
        """By the id of the act that began a game, the match before it."""

    def at(self, number: int) -> Match | None:
        """The match that input `number` belongs to. None: before the first set-up."""
        self._refresh()
        place = bisect_right(self._numbers, number)
        return self._matches[place - 1] if place else None

    def _refresh(self) -> None:
        after = self._numbers[-1] if self._numbers else 0
        for row in self._read.setting(self._table, after):
            match row.item:
                case TableSetup() as setup:
                    self._note(row.number, _of_setup(setup))
                case Act() as act if self._matches:
                    self._note(row.number, self._after(act, self._matches[-1]))

    def _after(self, act: Act, match: Match) -> Match:
        """The match once an act was done that may begin a game or undo that."""
        if act.action == "undo":
            return self._begun.pop(act.of, match)
        if act.id in self._begun or not _can_begin(act, match):
            return match
        if act.id:
            self._begun[act.id] = match
        return _of_act(match, act)

    def _note(self, number: int, match: Match) -> None:
        self._numbers.append(number)
        self._matches.append(match)


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
        round=setup.round,
        ruleset=setup.ruleset,
        start=setup.start,
        periods=setup.rate.periods,
        simulated=setup.simulated,
    )


def _of_act(before: Match, act: Act) -> Match:
    """`start-game` names the players anew."""
    return Match(
        hall=before.hall,
        table=before.table,
        label=before.label,
        white=act.white,
        black=act.black,
        round=before.round,
        ruleset=act.ruleset or before.ruleset,
        start=act.fen,
        periods=before.periods,
        simulated=before.simulated,
    )
