"""The games of a journal: the record as it stands, and what became of it on the way.

rows of a table ─▶ note ─▶ Score, one a game
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import msgspec

from arbiterd.journal.reader import JournalReader
from arbiterd.journal.roster import Match, Roster
from arbiterd.journal.rows import OutputRow
from arbiterd.messages import topics
from arbiterd.messages.times import day_there
from arbiterd.timing.control import Period


class _Clock(msgspec.Struct):
    white_ms: int | None = None
    black_ms: int | None = None


class _Line(msgspec.Struct):
    line: str = ""


class _Ack(msgspec.Struct):
    by: str = ""
    reason: str = ""


class _Told(msgspec.Struct):
    """What of an event a score needs."""

    game: str
    at: str
    ply: int = 0
    color: str = ""
    san: str | None = None
    uci: str | None = None
    fen: str = ""
    irregular: bool = False
    how: str = ""
    start: str = ""
    made_at: str = ""
    completed_at: str | None = None
    clock: _Clock | None = None
    result: str | None = None
    reason: str = ""
    id: str = ""
    state: str = ""
    articles: list[str] = []
    text: dict[str, _Line] = {}
    ack: _Ack | None = None


TIMED = frozenset({"pressed", "recovered"})
"""How a half-move became known, where its end was measured and not entered or concluded."""


@dataclass(frozen=True, slots=True)
class ScoreMove:
    """One entry of the record."""

    color: str
    san: str | None
    """None: no legal move made it."""
    clock_ms: int | None
    """The mover's, after the move, as it was read. None: it was not."""
    fen: str = ""
    """After it."""
    tried: str | None = None
    """Of one that no legal move made: what it looks like, in wire form."""
    uci: str = ""
    """Of a legal one: its wire form."""
    made_at: str = ""
    completed_at: str | None = None
    """When it was pressed; None: that was not seen, or it is not pressed yet."""
    timed: bool = False
    """That time was measured: a press, or a board's memory of one."""
    other_ms: int | None = None
    """The opponent's clock at the same time: what their next half-move begins with."""
    periods: tuple[Period, ...] = ()
    """Of its game; empty: not known."""

    def same_as(self, other: ScoreMove) -> bool:
        """The same half-move, whatever else is known of it."""
        return (self.san, self.tried) == (other.san, other.tried)


@dataclass(frozen=True, slots=True)
class Remark:
    """What the full record says beside the moves."""

    ply: int
    """After this entry."""
    words: str


@dataclass(slots=True)
class Score:
    """One game."""

    game: str
    match: Match
    began_at: str
    """Empty: it has not."""
    begins: int
    """The input that its first move, or what was told before it, rests on."""
    moves: dict[int, ScoreMove] = field(default_factory=dict)
    """By ply."""
    result: str | None = None
    reason: str = ""
    start: str = ""
    """A FEN, where the game began elsewhere than its match says."""
    corrections: list[Remark] = field(default_factory=list)
    """Half-moves that were told and are no more."""
    rulings: dict[str, Remark] = field(default_factory=dict)
    """By id, each as it was last told."""
    changes: int = 0
    """Counts what was put into it, so that texts made of it can be kept."""
    cut: bool = False
    """Its beginning is older than the journal keeps: of the moves no record can be made."""
    behind_result: bool = False
    """A game of its round at this table had its result before it."""

    @property
    def date(self) -> str:
        """When it began, by the hall's own calendar: the standard's dates are local (8.1.1.3)."""
        return day_there(self.began_at, self.match.time_zone) if self.began_at else "????-??-??"

    @property
    def remarks(self) -> Iterator[Remark]:
        """In the order of the half-moves."""
        both = (*self.corrections, *self.rulings.values())
        yield from sorted(both, key=lambda remark: remark.ply)


def scores(read: JournalReader, table: str, until_ns: int | None = None) -> Iterator[Score]:
    """A table's games in order; `until_ns`: as they were known then."""
    roster = Roster(read, table)
    games: dict[str, Score] = {}
    for row in read.outputs(table):
        if row.topic not in topics.EVENTS:
            continue
        if until_ns is not None and row.at_ns > until_ns:
            break
        note(games, roster, row)
    for score in games.values():
        rename(score, roster, until_ns)
        # A game that was begun and undone has nothing left.
        if score.moves or score.result:
            yield score


def note(games: dict[str, Score], roster: Roster, row: OutputRow) -> str:
    """Puts an event into its game, and says which that is."""
    told = msgspec.json.decode(row.payload, type=_Told)
    score = games.get(told.game)
    if score is None or not score.moves:
        # Who plays may be said anew until the first half-move.
        match = roster.at(row.input)
        if match is None:
            return told.game  # Its set-up has been taken out of the journal, and the names with it.
        score = score or Score(
            told.game,
            match,
            told.at,
            row.input,
            cut=not games and _goes_on(row, told),
            behind_result=any(_decided(other, match) for other in games.values()),
        )
        score.match, score.began_at, score.begins = match, told.at, row.input
        games[told.game] = score
    score.changes += 1
    if row.topic == topics.RESULT:
        score.result, score.reason = told.result, told.reason
    elif row.topic == topics.RULINGS:
        score.rulings[told.id] = Remark(told.ply, _ruling(told))
    else:
        _note_move(score, told)
    return told.game


def _goes_on(row: OutputRow, told: _Told) -> bool:
    """The first event that the journal has of a table is not the first of its game."""
    return row.seq != 1 and (row.topic == topics.RESULT or told.ply > 1)


def _decided(score: Score, match: Match) -> bool:
    """This game of the match's round has its result."""
    return score.result is not None and score.match.round == match.round


def rename(score: Score, roster: Roster, until_ns: int | None) -> bool:
    """A name may have been put right since the game began; True where it has been."""
    newest = roster.of_game(score.begins, until_ns)
    if newest is None or newest == score.match:
        return False
    score.match = newest
    score.changes += 1
    return True


def _note_move(score: Score, told: _Told) -> None:
    before = score.moves.pop(told.ply, None)
    after = _move(told, score.match.periods)
    if before is not None and (after is None or not before.same_as(after)):
        instead = "withdrawn" if after is None else f"corrected to {_called(after)}"
        words = f"{_called(before)} {instead} at {told.at}"
        score.corrections.append(Remark(told.ply, words))
    if after is not None:
        score.moves[told.ply] = after
        if told.ply == 1:
            score.start = told.start


def _move(told: _Told, periods: tuple[Period, ...]) -> ScoreMove | None:
    """None: it is withdrawn."""
    if told.san is None and not told.irregular:
        return None
    clock = told.clock or _Clock()
    own_ms, other_ms = clock.white_ms, clock.black_ms
    if told.color != "white":
        own_ms, other_ms = other_ms, own_ms
    return ScoreMove(
        color=told.color,
        san=None if told.irregular else told.san,
        clock_ms=own_ms,
        fen=told.fen,
        tried=told.uci if told.irregular else None,
        uci="" if told.irregular else told.uci or "",
        made_at=told.made_at,
        completed_at=told.completed_at,
        timed=told.how in TIMED,
        other_ms=other_ms,
        periods=periods,
    )


def _called(move: ScoreMove) -> str:
    return f"{move.color.capitalize()}'s {move.san or move.tried or 'position'}"


def _ruling(told: _Told) -> str:
    line = told.text["en"].line if "en" in told.text else ""
    ack = told.ack
    decided = "" if ack is None else f" by {ack.by}" + (f": {ack.reason}" if ack.reason else "")
    return f"Article {', '.join(told.articles)}, {told.state}{decided}. {line}"
