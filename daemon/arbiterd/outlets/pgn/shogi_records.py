"""Games of shogi as KIF or CSA, the forms that shogi programs read.

What is written is the newest part of the record that can be played through; times are those from
press to press. How a game ended is written where these forms have a word for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from arbiterd.outlets.pgn.games import Score, ScoreMove
from arbiterd.outlets.pgn.movetext import elapsed_ms
from arbiterd.outlets.pgn.safe import playable
from arbiterd.rules.registry import ruleset
from arbiterd.rules.shogi import ShogiRules
from arbiterd.rules.shogi_csa import ShogiGame, write_csa
from arbiterd.rules.shogi_kif import write_kif
from arbiterd.rules.shogi_moves import ShogiMove

ENDS: Mapping[str, str] = {
    "resign": "TORYO",
    "checkmate": "TSUMI",
    "flag": "TIME_UP",
    "sennichite": "SENNICHITE",
    "impasse": "JISHOGI",
    "nyugyoku": "KACHI",
    "illegal": "ILLEGAL_MOVE",
}
"""By a word of the reason, the word of CSA."""


def kif(score: Score) -> str:
    """Empty where the game is no shogi; an empty line after it."""
    game = record(score)
    return "" if game is None else f"{write_kif(game)}\n"


def csa(score: Score) -> str:
    """Empty where the game is no shogi; the line between two games after it."""
    game = record(score)
    return "" if game is None else f"{write_csa(game)}/\n"


def record(score: Score) -> ShogiGame | None:
    """The game as both writers take it; None: it is no shogi."""
    rules = ruleset(score.match.ruleset)
    if not isinstance(rules, ShogiRules):
        return None
    part = playable(score)[-1]
    position = start = rules.start(part.fen)
    moves: list[ShogiMove] = []
    for entry in part.moves:
        move = rules.parse(position, entry.uci or entry.san or "")
        moves.append(move)
        position = rules.play(position, move)
    seconds = tuple(_seconds(part.moves))
    match = score.match
    return ShogiGame(start, tuple(moves), seconds, match.black, match.white, _end(score))


def _seconds(moves: Sequence[ScoreMove]) -> Iterator[int | None]:
    before: ScoreMove | None = None
    for move in moves:
        used_ms = elapsed_ms(move, before)
        yield None if used_ms is None else used_ms // 1000
        before = move


def _end(score: Score) -> str:
    reason = score.reason.lower() if score.result else ""
    return next((end for word, end in ENDS.items() if word in reason), "")
