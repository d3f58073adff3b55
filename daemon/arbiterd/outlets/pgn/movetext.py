"""Half-moves as they stand in a file: numbers, SAN, the clock after each and the time it took."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from arbiterd.messages.reading import on_one_line
from arbiterd.messages.times import from_rfc3339
from arbiterd.outlets.pgn.games import ScoreMove
from arbiterd.timing.arithmetic import CREDIT_MAX_MS, DISPLAY_MS

WIDTH = 79
"""Lines of the export format have fewer than 80 characters (8.2.1)."""
GLUE = "\x00"
"""A space at which no line ends."""
MS = 1_000_000


@dataclass(frozen=True, slots=True)
class Stretch:
    """Half-moves that follow from each other, and where they begin."""

    fen: str
    entry: ScoreMove | None
    """What stands before them though no legal move made it. None: the game begins with them."""
    moves: Sequence[ScoreMove]
    first_ply: int = 1
    """In the record."""


def movetext(part: Stretch, first: str, said: Mapping[int, Sequence[str]]) -> Iterator[str]:
    """The words of a stretch. `first` is the side whose moves begin a number, `said` what stands
    in comments after a ply of the record."""
    before: ScoreMove | None = None
    number, numbered = _first_number(part), False
    for ply, move in enumerate(part.moves, part.first_ply):
        assert move.san is not None, "a stretch has legal moves"
        if move.color == first or not numbered:
            yield f"{number}." if move.color == first else f"{number}..."
        yield move.san
        comments = [*_times(move, before), *map(comment, said.get(ply, ()))]
        yield from comments
        # A comment takes the line away from the move before it, so Black is numbered again.
        numbered = not comments
        if move.color != first:
            number += 1
        before = move


def _first_number(part: Stretch) -> int:
    fields = part.fen.split()
    return int(fields[5]) if len(fields) > 5 and fields[5].isdigit() else 1


def last_move(part: Stretch, first: str) -> str:
    """`12. Nf3`, `12… Nf6`, numbered as in the movetext; empty where the stretch has none."""
    if not part.moves:
        return ""
    *before, last = part.moves
    number = _first_number(part) + sum(move.color != first for move in before)
    return f"{number}{'.' if last.color == first else '…'} {last.san}"


def _times(move: ScoreMove, before: ScoreMove | None) -> Iterator[str]:
    """The clock as it was read, and the time from press to press. What was not measured is not
    there."""
    if move.clock_ms is not None:
        yield f"{{[%clk{GLUE}{hours(move.clock_ms)}]}}"
    used_ms = elapsed_ms(move, before)
    if used_ms is not None:
        yield f"{{[%emt{GLUE}{hours(used_ms)}]}}"


def elapsed_ms(move: ScoreMove, before: ScoreMove | None) -> int | None:
    """From the press before to this one; None where either was not measured, or the clock stood
    meanwhile: an arbiter stopped it, or play was adjourned. That is no time the player used."""
    if before is None or not before.timed or not move.timed:
        return None
    if before.completed_at is None or move.completed_at is None:
        return None
    used_ns = from_rfc3339(move.completed_at) - from_rfc3339(before.completed_at)
    used_ms = used_ns // MS
    return None if used_ms < 0 or _stood(move, before, used_ms) else used_ms


def _stood(move: ScoreMove, before: ScoreMove, passed_ms: int) -> bool:
    """More time passed than the mover's clock ran, by what no press and no period adds to it."""
    if move.clock_ms is None or before.other_ms is None:
        return False
    gained_ms = passed_ms - (before.other_ms - move.clock_ms)
    credit_ms = max([CREDIT_MAX_MS, *(period.credit_ms[1] for period in move.periods)])
    begun_ms = (0, *(period.base_ms for period in move.periods[1:]))
    return gained_ms > 0 and not any(
        -DISPLAY_MS <= gained_ms - added_ms <= credit_ms + DISPLAY_MS for added_ms in begun_ms
    )


def comment(words: str) -> str:
    """A comment ends at its first closing brace, whatever it says, and gives no order to a reader.

    `[%` would begin one (`[%clk`), and a line of a file that begins with `%` is passed over.
    """
    plain = on_one_line(words).replace("{", "(").replace("}", ")").replace("[%", "[ %")
    return f"{{{' '.join(plain.split())}}}".replace(" %", f"{GLUE}%")


def filled(words: Iterable[str]) -> str:
    """Words on lines, as many on each as there is room for."""
    lines = textwrap.fill(" ".join(words), WIDTH, break_long_words=False, break_on_hyphens=False)
    return lines.replace(GLUE, " ")


def hours(time_ms: int) -> str:
    """Hours, minutes, seconds; a begun second is not shown, as on a clock."""
    seconds = max(0, time_ms) // 1000
    return f"{seconds // 3600}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
