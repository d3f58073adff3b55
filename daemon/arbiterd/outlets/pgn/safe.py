"""The broadcast-safe form: every move in it is legal, at every moment of the game.

    record ─▶ completed half-moves, played through by the rules ─▶ stretches ─▶ one game or more

A half-move is in it once it is completed: pressed, answered, or the game has ended. Where the
record goes on from what no legal move made, the game ends there with a comment, and its newest
part is a game of its own with the same tags and `SetUp`, `FEN`: readers that go by the tags see
one game that goes on. A part begins only at a position that other programs take.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import chess

from arbiterd.outlets.pgn.games import Score, ScoreMove
from arbiterd.outlets.pgn.movetext import Stretch, comment, filled, movetext
from arbiterd.outlets.pgn.tags import UNKNOWN, lines_of, result_of
from arbiterd.rules.registry import ruleset
from arbiterd.rules.ruleset import Provable, RuleSet

BROKEN_OFF = "play went on from a position that no legal move leads to; the game goes on below"
GOES_ON = "the game goes on from here"


def safe_pgn(score: Score) -> str:
    """One game, or its parts one after another; an empty line after each. Empty: it is none yet."""
    return "".join(safe_parts(score, playable(score))) if is_game(score) else ""


def is_game(score: Score) -> bool:
    """Somebody is to play it, or something of it is completed.

    Else it is a hand at a free board: a position that is set up, a piece that was moved in passing.
    So it is where those who were to play have their result, and the pieces stand there again.
    """
    awaited = (score.match.white or score.match.black) and not score.behind_result
    return bool(awaited or score.result) or any(True for _ in completed(score))


def newest_part(score: Score) -> str:
    """The game as it goes on now."""
    return safe_parts(score, playable(score))[-1]


def safe_parts(score: Score, parts: Sequence[Stretch]) -> list[str]:
    """Each of its `playable` parts as a game; the last is the newest."""
    return [
        _part(score, part, begins=number == 0, ends=number == len(parts) - 1)
        for number, part in enumerate(parts)
    ]


def _part(score: Score, part: Stretch, *, begins: bool, ends: bool) -> str:
    result = result_of(score) if ends else UNKNOWN
    elsewhere = score.match.start or score.start or not begins
    usual = not elsewhere and not ruleset(score.match.ruleset).variant
    words = (
        *(() if begins else (comment(GOES_ON),)),
        *movetext(part, str(ruleset(score.match.ruleset).first), {}),
        *(() if ends else (comment(BROKEN_OFF),)),
        result,
    )
    return f"{lines_of(score, '' if usual else part.fen, result)}{filled(words)}\n\n"


def playable(score: Score) -> list[Stretch]:
    """The completed half-moves in stretches, each legal from its first position to its last.

    The first begins with the game and may be empty; a later one begins where other programs can.
    """
    rules = ruleset(score.match.ruleset)
    found = [Stretch(score.start or score.match.fen, None, [])]
    position: Any = rules.start(score.start or score.match.start)
    for ply, entry in completed(score):
        after = None if entry.san is None else _played(rules, position, entry)
        if after is not None and found[-1].fen:
            last = found[-1]
            found[-1] = replace(last, moves=[*last.moves, entry])
            position = after
            continue
        position = rules.start(entry.fen)
        begin = entry.fen if _others_take(rules, position) else ""
        if not found[-1].fen:
            found.pop()
        found.append(Stretch(begin, entry, [], ply + 1))
    return found if found[-1].fen or len(found) == 1 else found[:-1]


def completed(score: Score) -> Iterator[tuple[int, ScoreMove]]:
    """The record up to its first hole, without a last half-move that may yet be taken back."""
    for ply in range(1, len(score.moves) + 1):
        entry = score.moves.get(ply)
        if entry is None:
            return
        answered = ply + 1 in score.moves or score.result is not None
        if entry.completed_at is None and not answered:
            return
        yield ply, entry


def _played(rules: RuleSet[Any, Any], position: Any, entry: ScoreMove) -> Any | None:
    """The position after it; None where it does not follow from this one."""
    try:
        move = rules.parse(position, entry.uci or entry.san or "")
    except ValueError:
        return None
    after = rules.play(position, move)
    return after if not entry.fen or rules.fen(after) == entry.fen else None


def _others_take(rules: RuleSet[Any, Any], position: Any) -> bool:
    """A position that chess programs accept as a start: kings there, nobody's king to be taken."""
    if not isinstance(rules, Provable):
        return True
    try:
        return chess.Board(rules.chess_fen(position), chess960=True).is_valid()
    except ValueError:
        return False
