"""Who plays the games of a table: from its set-ups and the arbiters' acts, by input number."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from arbiterd.journal.reader import JournalReader
from arbiterd.journal.rows import InputRow
from arbiterd.laws.act import Act
from arbiterd.rules.registry import ruleset
from arbiterd.table.inputs import Labelled, Renamed
from arbiterd.table.player import NO_PLAYERS, NOBODY, Player, players_named, players_of
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
    time_zone: str = "UTC"
    """Of the clock on the hall's wall."""

    @property
    def fen(self) -> str:
        """The start position as a FEN."""
        rules = ruleset(self.ruleset)
        return rules.fen(rules.start(self.start))

    @property
    def in_round(self) -> int:
        """The round it counts for; without one in the configuration it is round 1."""
        return self.round or 1


@dataclass(frozen=True, slots=True)
class _Entry:
    number: int
    """The input that says so."""
    at_ns: int
    began: int
    """The input that began this game; one that gives way to another may come back."""
    match: Match
    setup: TableSetup
    """As the round was begun with it, before what acts and corrections have made of it."""


class Roster:
    """The matches of one table, in order."""

    def __init__(self, read: JournalReader, table: str) -> None:
        self._read, self._table = read, table
        self._entries: list[_Entry] = []
        self._seen = 0
        """No input up to this one says anything more."""
        self._answered = 0
        """No output up to this one says that one of them was refused."""
        self._said: list[InputRow] = []
        """From the newest set-up on, what says who plays and was not undone."""
        self._done: set[tuple[str, str]] = set()
        """By user and id, acts that began a game: one that comes again begins none."""

    def at(self, number: int) -> Match | None:
        """The match that input `number` belongs to. None: before the first set-up."""
        found = _at(self._known(None), number)
        return None if found is None else found.match

    def of_game(self, number: int, until_ns: int | None = None) -> Match | None:
        """The same with names as they have been put right since; of all that, what was said by
        `until_ns`."""
        known = self._known(until_ns)
        found = _at(known, number)
        if found is None:
            return None
        return next(entry.match for entry in reversed(known) if entry.began == found.began)

    def of_rounds(self, until_ns: int | None = None) -> Mapping[int, Match]:
        """Who plays here in each round, as it was known by then."""
        return {entry.match.in_round: entry.match for entry in self._known(until_ns)}

    def rounds_began(self, until_ns: int | None = None) -> Mapping[int, int]:
        """When the newest game of each round was to be played here, as it was known by then."""
        known = self._known(until_ns)
        at_ns = {entry.number: entry.at_ns for entry in known}
        return {e.match.in_round: at_ns.get(e.began, e.at_ns) for e in known}

    def gave_way(self, number: int, until_ns: int | None = None) -> bool:
        """The game of input `number` is none of its round any more, as it was known by then: a
        round of the same number was begun here since, for other players."""
        known = self._known(until_ns)
        found = _at(known, number)
        if found is None:
            return False
        in_round = found.match.in_round
        paired = (e.setup for e in reversed(known) if e.match.in_round == in_round)
        # A round that goes on at other tables alone, for a game put off, leaves this one nobody.
        newest = next((setup for setup in paired if setup.white or setup.black), found.setup)
        return _of_others(found.setup, newest)

    def _known(self, until_ns: int | None) -> Sequence[_Entry]:
        """What was said by then; None: all of it."""
        self._refresh()
        if until_ns is None:
            return self._entries
        return [entry for entry in self._entries if entry.at_ns <= until_ns]

    def _refresh(self) -> None:
        last = self._read.last("input")
        if last == self._seen:
            return
        answered = self._read.last("output")
        rows = list(self._read.setting(self._table, self._seen))
        if not self._seen:
            self._begin_with(rows)
        asked = any(_asks(row) for row in rows)
        refused = self._read.refused(self._table, self._answered) if asked else ()
        for row in rows:
            last = max(last, row.number)
            if row.number not in refused and self._says(row):
                match, began = _played(self._said)
                setup = _setup_in(self._said)
                self._entries.append(_Entry(row.number, row.at_ns, began, match, setup))
        self._seen, self._answered = last, answered

    def _begin_with(self, rows: Sequence[InputRow]) -> None:
        """Where `keep` has taken out every set-up, games go on under the one that the table
        remembers; whose names those were is not known where any were said since."""
        if any(isinstance(row.item, TableSetup) for row in rows):
            return
        setup = self._read.remembered(self._table)
        if setup is None:
            return
        if any(isinstance(row.item, Renamed) or _asks(row) for row in rows):
            setup = replace(setup, **NO_PLAYERS)
        first = InputRow(0, 0, self._table, setup)
        self._said = [first]
        match = _of_setup(setup)
        self._entries.append(_Entry(first.number, first.at_ns, first.number, match, setup))

    def _says(self, row: InputRow) -> bool:
        """It may say who plays from now on."""
        match row.item:
            case TableSetup():
                self._said = [row]
            case _ if not self._said:
                return False
            case Renamed() | Labelled():
                self._said.append(row)
            case Act(action="start-game") as act:
                return self._begins(row, act)
            case Act(action="undo") as act:
                undone = _undone(self._said, act)
                self._said = [each for each in self._said if each is not undone]
                return undone is not None
            case _:
                return False
        return True

    def _begins(self, row: InputRow, act: Act) -> bool:
        key = act.user, act.id
        if (act.id and key in self._done) or not _can_begin(act, _played(self._said)[0]):
            return False
        self._done.add(key)
        self._said.append(row)
        return True


def _at(known: Sequence[_Entry], number: int) -> _Entry | None:
    """The newest that input `number` can rest on."""
    place = bisect_right(known, number, key=lambda entry: entry.number)
    return known[place - 1] if place else None


def _asks(row: InputRow) -> bool:
    """An act that says who plays, if it is done."""
    return isinstance(row.item, Act) and row.item.action in ("start-game", "undo")


def _undone(said: Sequence[InputRow], act: Act) -> InputRow | None:
    """The one that began a game and is undone: the user's own, else whoever's."""
    found = [
        (each.item.user == act.user, each)
        for each in said
        if isinstance(each.item, Act) and each.item.id == act.of
    ]
    return max(found, key=lambda one: (one[0], one[1].number), default=(False, None))[1]


def _played(said: Sequence[InputRow]) -> tuple[Match, int]:
    """The match that all of this comes to, and the input that began it."""
    setup, *others = said
    match, began = _of_setup(_setup_in(said)), setup.number
    for row in others:
        if isinstance(row.item, Renamed):
            match = replace(match, **players_of(row.item))
        elif isinstance(row.item, Labelled):
            zone = row.item.time_zone or match.time_zone
            match = replace(match, label=row.item.label, time_zone=zone)
        elif isinstance(row.item, Act):
            match, began = _of_act(match, row.item), row.number
    return match, began


def _setup_in(said: Sequence[InputRow]) -> TableSetup:
    setup = said[0].item
    assert isinstance(setup, TableSetup), "a set-up comes first"
    return setup


def _of_others(one: TableSetup, other: TableSetup) -> bool:
    """Two beginnings of a round, with other players. In one beginning, players who change tables
    have nothing begun anew."""
    began = one.round_started_ns
    if began is not None and began == other.round_started_ns:
        return False
    return (one.white, one.black) != (other.white, other.black)


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
        **players_of(setup),
        round=setup.round,
        ruleset=setup.ruleset,
        start=setup.start,
        periods=setup.rate.periods,
        simulated=setup.simulated,
        time_zone=setup.laws.time_zone,
    )


def _of_act(before: Match, act: Act) -> Match:
    """`start-game` names the players anew, or leaves them as they sit."""
    players = players_named(before, act.white, act.black)
    return replace(before, **players, ruleset=act.ruleset or before.ruleset, start=act.fen)
