"""Games in a written form of their own beside PGN: KIF and CSA, which shogi programs read.

What is written is the newest part of the record that can be played through; times are those from
press to press. How a game ended is written where these forms have a word for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from arbiterd.outlets.pgn.games import Score, ScoreMove
from arbiterd.outlets.pgn.movetext import elapsed_ms
from arbiterd.outlets.pgn.safe import playable
from arbiterd.rules.registry import ruleset
from arbiterd.rules.ruleset import Played, Recorded


def kif(score: Score) -> str:
    """Empty where the game has no such form; an empty line after it."""
    text = written(score, "kif")
    return text and f"{text}\n"


def csa(score: Score) -> str:
    """Empty where the game has no such form; the line between two games after it."""
    text = written(score, "csa")
    return text and f"{text}/\n"


def written(score: Score, form: str) -> str:
    """The game in this form; empty: its rules have none."""
    rules = ruleset(score.match.ruleset)
    if not isinstance(rules, Recorded):
        return ""
    part = playable(score)[-1]
    position = start = rules.start(part.fen)
    moves: list[Any] = []
    for entry in part.moves:
        move = rules.parse(position, entry.uci or entry.san or "")
        moves.append(move)
        position = rules.play(position, move)
    seconds, match = tuple(_seconds(part.moves)), score.match
    reason = score.reason.lower() if score.result else ""
    result = score.result or ""
    game = Played(start, tuple(moves), seconds, match.white, match.black, reason, result)
    return rules.written(form, game)


def _seconds(moves: Sequence[ScoreMove]) -> Iterator[int | None]:
    before: ScoreMove | None = None
    for move in moves:
        used_ms = elapsed_ms(move, before)
        yield None if used_ms is None else used_ms // 1000
        before = move
