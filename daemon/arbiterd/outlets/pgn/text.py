"""A game as PGN export text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from arbiterd.journal.roster import Match
from arbiterd.messages.reading import on_one_line
from arbiterd.outlets.pgn.games import Score, ScoreMove
from arbiterd.rules.registry import ruleset
from arbiterd.timing.control import Period

UNKNOWN = "*"
RESULTS = {
    "1-0": "1-0",
    "0-1": "0-1",
    "1/2-1/2": "1/2-1/2",
    "1-0F": "1-0",
    "0-1F": "0-1",
}
"""What PGN has no word for (0-0, 1/2-0 …) is `*` there, with the result as it is in `Outcome`."""
WIDTH = 80
GLUE = "\x00"
"""A space at which no line ends."""


def pgn(score: Score) -> str:
    """One game: tags, an empty line, the moves with `[%clk]`, an empty line."""
    parts = _stretches(score)
    whole = max(parts, key=lambda part: len(part.moves))
    tags = "".join(f'[{name} "{_quoted(value)}"]\n' for name, value in _tags(score, whole))
    before, after = parts[: parts.index(whole)], parts[parts.index(whole) + 1 :]
    moves = " ".join(
        [
            *_beside(before, score.match),
            *_stood(whole),
            *_moves(whole, score.match),
            *_beside(after, score.match),
            _result(score),
        ]
    )
    lines = textwrap.fill(moves, WIDTH, break_long_words=False, break_on_hyphens=False)
    return f"{tags}\n{lines.replace(GLUE, ' ')}\n\n"


@dataclass(frozen=True, slots=True)
class Stretch:
    """Half-moves that follow from each other, and where they begin."""

    fen: str
    entry: ScoreMove | None
    """What stands before them though no legal move made it. None: the game begins with them."""
    moves: Sequence[ScoreMove]


def _stretches(score: Score) -> list[Stretch]:
    """The record, cut where it goes on from what no legal move made."""
    found = [Stretch(score.start or score.match.fen, None, [])]
    for _, move in sorted(score.moves.items()):
        if move.san is None:
            found.append(Stretch(move.fen, move, []))
        else:
            found[-1] = Stretch(found[-1].fen, found[-1].entry, [*found[-1].moves, move])
    return found


def _beside(parts: Sequence[Stretch], match: Match) -> Iterator[str]:
    """What no reader can play through from where the moves begin, in comments."""
    for part in parts:
        yield from _stood(part)
        words = [move for move in _moves(part, match) if not move.startswith("{")]
        if words:
            yield f"{{{' '.join(words)}}}"


def _stood(part: Stretch) -> Iterator[str]:
    if part.entry is not None:
        seen = f"seen as {part.entry.tried}, " if part.entry.tried else ""
        yield f"{{{part.entry.color.capitalize()}: no legal move, {seen}then {part.fen}}}"


def _tags(score: Score, whole: Stretch) -> Iterator[tuple[str, str]]:
    match = score.match
    yield "Event", match.hall
    yield "Site", "?"
    yield "Date", score.began_at[:10].replace("-", ".")
    yield "Round", "?" if match.round is None else str(match.round)
    yield "White", match.white or "?"
    yield "Black", match.black or "?"
    yield "Result", _result(score)
    yield "Board", match.table
    if match.periods:
        yield "TimeControl", ":".join(_period(period) for period in match.periods)
    rules = ruleset(match.ruleset)
    if rules.variant:
        yield "Variant", rules.variant
    if match.start or score.start or whole.entry is not None or rules.variant:
        yield "SetUp", "1"
        yield "FEN", whole.fen
    if score.result is not None and score.result not in RESULTS:
        yield "Outcome", score.result
    if score.reason:
        yield "Termination", score.reason
    if match.simulated:
        yield "Annotator", "simulated"


def _result(score: Score) -> str:
    return RESULTS.get(score.result or "", UNKNOWN)


def _period(period: Period) -> str:
    """As PGN has it: `40/5400+30`."""
    moves = "" if period.moves is None else f"{period.moves}/"
    credit = f"+{period.increment_ms // 1000}" if period.increment_ms else ""
    return f"{moves}{period.base_ms // 1000}{credit}"


def _quoted(value: str) -> str:
    """A string of PGN is printing characters on one line, its quotes and backslashes escaped."""
    return on_one_line(value).replace("\\", "\\\\").replace('"', '\\"')


def _moves(part: Stretch, match: Match) -> Iterator[str]:
    number, side = _first(part, match)
    numbered = False
    for move in part.moves:
        assert move.san is not None, "a stretch has legal moves"
        if move.color == side or not numbered:
            yield f"{number}." if move.color == side else f"{number}..."
        # A comment takes the line away from the move before it, so Black is numbered again.
        numbered = move.clock_ms is None
        yield move.san
        if move.clock_ms is not None:
            yield f"{{[%clk{GLUE}{_clock(move.clock_ms)}]}}"
        if move.color != side:
            number += 1


def _first(part: Stretch, match: Match) -> tuple[int, str]:
    """The number of the first move, and the colour whose moves begin a number."""
    fields = part.fen.split()
    number = int(fields[5]) if len(fields) > 5 and fields[5].isdigit() else 1
    return number, ruleset(match.ruleset).first.value


def _clock(clock_ms: int) -> str:
    """Hours, minutes, seconds; a begun second is not shown, as on a clock."""
    seconds = max(0, clock_ms) // 1000
    return f"{seconds // 3600}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
