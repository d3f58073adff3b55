"""The full record, for arbiters: one PGN game, with all that happened in comments.

What no legal move made cuts the record into stretches. The longest is the game a reader plays
through; the others, the corrections and the rulings stand beside it in comments.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from arbiterd.outlets.pgn.games import Score, ScoreMove
from arbiterd.outlets.pgn.movetext import Stretch, comment, filled, movetext
from arbiterd.outlets.pgn.tags import UNKNOWN, lines_of, result_of
from arbiterd.rules.registry import ruleset


def full_pgn(score: Score) -> str:
    """One game: tags, an empty line, the moves and comments, an empty line."""
    parts = stretches(score)
    whole = max(parts, key=lambda part: len(part.moves))
    said = _said(score)
    place = parts.index(whole)
    first = str(ruleset(score.match.ruleset).first)
    words = (
        *_early(score, whole),
        *_beside(parts[:place], first),
        *_stood(whole),
        *movetext(whole, first, said),
        *_beside(parts[place + 1 :], first),
        *_late(score, whole),
        *_end(score),
        result_of(score),
    )
    return f"{lines_of(score, _start(score, whole), result_of(score))}{filled(words)}\n\n"


def games_pgn(score: Score) -> str:
    """The full record for who may not know rulings: without them."""
    return full_pgn(replace(score, rulings={}))


def stretches(score: Score) -> list[Stretch]:
    """The record, cut where it goes on from what no legal move made."""
    found = [Stretch(score.start or score.match.fen, None, [])]
    for ply, move in sorted(score.moves.items()):
        last = found[-1]
        if move.san is None:
            found.append(Stretch(move.fen, move, [], ply + 1))
        else:
            first_ply = last.first_ply if last.moves else ply
            found[-1] = Stretch(last.fen, last.entry, [*last.moves, move], first_ply)
    return found


def _start(score: Score, whole: Stretch) -> str:
    elsewhere = score.match.start or score.start or whole.entry is not None
    return whole.fen if elsewhere or ruleset(score.match.ruleset).variant else ""


def _said(score: Score) -> Mapping[int, Sequence[str]]:
    """Remarks by ply; and where a game with clocks has a half-move without, that."""
    found: dict[int, list[str]] = {}
    if any(move.clock_ms is not None for move in score.moves.values()):
        for ply, move in score.moves.items():
            if move.san is not None and move.clock_ms is None:
                found.setdefault(ply, []).append("no clock was read")
    for remark in score.remarks:
        found.setdefault(remark.ply, []).append(remark.words)
    return found


def _early(score: Score, whole: Stretch) -> Iterator[str]:
    """Remarks on what came before the moves that can be played through."""
    yield from (comment(r.words) for r in score.remarks if r.ply < whole.first_ply)


def _late(score: Score, whole: Stretch) -> Iterator[str]:
    end = whole.first_ply + len(whole.moves)
    yield from (comment(r.words) for r in score.remarks if r.ply >= end)


def _beside(parts: Sequence[Stretch], first: str) -> Iterator[str]:
    """What no reader can play through from where the moves begin."""
    for part in parts:
        yield from _stood(part)
        words = [word for word in movetext(part, first, {}) if not word.startswith("{")]
        if words:
            yield comment(" ".join(words))


def _stood(part: Stretch) -> Iterator[str]:
    if part.entry is not None:
        yield comment(irregular(part.entry))


def irregular(entry: ScoreMove) -> str:
    """What stands though no legal move made it, in words."""
    seen = f"seen as {entry.tried}, " if entry.tried else ""
    return f"{entry.color.capitalize()}: no legal move, {seen}then {entry.fen}"


def _end(score: Score) -> Iterator[str]:
    if score.reason and result_of(score) != UNKNOWN:
        yield comment(score.reason)
