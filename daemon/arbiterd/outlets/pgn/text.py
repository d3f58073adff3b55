"""A game as PGN export text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from arbiterd.journal.roster import Match
from arbiterd.outlets.pgn.games import Score
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
VARIANTS = {"chess960": "Chess960", "shogi": "Shogi", "guadalete": "Guadalete"}
WIDTH = 80
GLUE = "\x00"
"""A space at which no line ends."""


def pgn(score: Score) -> str:
    """One game: tags, an empty line, the moves with `[%clk]`, an empty line."""
    tags = "".join(f'[{name} "{_quoted(value)}"]\n' for name, value in _tags(score))
    moves = " ".join([*_moves(score), _result(score)])
    lines = textwrap.fill(moves, WIDTH, break_long_words=False, break_on_hyphens=False)
    return f"{tags}\n{lines.replace(GLUE, ' ')}\n\n"


def _tags(score: Score) -> Iterator[tuple[str, str]]:
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
    if match.ruleset in VARIANTS:
        yield "Variant", VARIANTS[match.ruleset]
    if match.start or match.ruleset not in {"chess", "shogi"}:
        yield "SetUp", "1"
        yield "FEN", match.fen
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
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _moves(score: Score) -> Iterator[str]:
    number, side = _first(score.match)
    numbered = False
    for _, move in sorted(score.moves.items()):
        if move.color == side or not numbered:
            yield f"{number}." if move.color == side else f"{number}..."
        # A comment takes the line away from the move before it, so Black is numbered again.
        numbered = move.clock_ms is None
        yield move.san
        if move.clock_ms is not None:
            yield f"{{[%clk{GLUE}{_clock(move.clock_ms)}]}}"
        if move.color != side:
            number += 1


def _first(match: Match) -> tuple[int, str]:
    """The number of the first move, and the colour whose moves begin a number."""
    if match.ruleset == "shogi":
        return 1, "black"
    fields = match.fen.split()
    return (int(fields[5]) if len(fields) > 5 and fields[5].isdigit() else 1), "white"


def _clock(clock_ms: int) -> str:
    """Hours, minutes, seconds; a begun second is not shown, as on a clock."""
    seconds = max(0, clock_ms) // 1000
    return f"{seconds // 3600}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
