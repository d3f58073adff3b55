"""The games of a journal: the record as it stands after all corrections."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import msgspec

from arbiterd.journal.reader import Reader
from arbiterd.journal.roster import Match, Roster
from arbiterd.journal.rows import OutputRow
from arbiterd.messages import topics


class _Clock(msgspec.Struct):
    white_ms: int | None = None
    black_ms: int | None = None


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
    start: str = ""
    clock: _Clock | None = None
    result: str | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ScoreMove:
    """One entry of the record."""

    color: str
    san: str | None
    """None: no legal move made it."""
    clock_ms: int | None
    """The mover's, after the move."""
    fen: str = ""
    """After it."""
    tried: str | None = None
    """Of one that no legal move made: what it looks like, in wire form."""


@dataclass(slots=True)
class Score:
    """One game."""

    game: str
    match: Match
    began_at: str
    moves: dict[int, ScoreMove] = field(default_factory=dict)
    """By ply."""
    result: str | None = None
    reason: str = ""
    start: str = ""
    """A FEN, where the game began elsewhere than its match says."""


def scores(read: Reader, table: str, until_ns: int | None = None) -> Iterator[Score]:
    """A table's games in order; `until_ns`: as they were known then."""
    roster = Roster(read, table)
    games: dict[str, Score] = {}
    for row in read.outputs(table):
        if row.topic not in (topics.MOVES, topics.RESULT):
            continue
        if until_ns is not None and row.at_ns > until_ns:
            break
        note(games, roster, row)
    # A game that was begun and undone has nothing left.
    yield from (score for score in games.values() if score.moves or score.result)


def note(games: dict[str, Score], roster: Roster, row: OutputRow) -> str:
    """Puts an event of moves or of a result into its game, and says which that is."""
    told = msgspec.json.decode(row.payload, type=_Told)
    if told.game not in games:
        match = roster.at(row.input)
        assert match is not None, "a table has a set-up before its first move"
        games[told.game] = Score(told.game, match, told.at)
    _add(games[told.game], row.topic, told)
    return told.game


def _add(score: Score, topic: str, told: _Told) -> None:
    if topic == topics.RESULT:
        score.result, score.reason = told.result, told.reason
    elif told.san is None and not told.irregular:
        score.moves.pop(told.ply, None)
    else:
        if told.ply == 1:
            score.start = told.start
        clock = told.clock or _Clock()
        clock_ms = clock.white_ms if told.color == "white" else clock.black_ms
        score.moves[told.ply] = ScoreMove(
            told.color, told.san, clock_ms, told.fen, told.uci if told.irregular else None
        )
