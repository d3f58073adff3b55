"""What happened while nobody listened: the part of a board's memory behind what is known already.

The memory says in which order squares changed and with which times the clocks stopped. Where it
joins what was known is found by the pieces on the board then, and by the time on the clock that
stood; both can fit in more than one place, and then each is given.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from eboards.events import (
    EMPTY,
    LogLine,
    LogMark,
    Piece,
    Placement,
    Scan,
    Side,
    SquareChange,
)

START: Final[Placement] = tuple("rnbqkbnrpppppppp" + "." * 32 + "PPPPPPPPRNBQKBNR")
EMPTY_BOARD: Final[Placement] = (EMPTY,) * len(START)

AGREE_MS: Final = 1_000
"""The reading we had and the time that was logged may lie a second apart."""

_BEGINS: Final = {
    LogMark.POWER_UP: EMPTY_BOARD,
    LogMark.GAME_START: EMPTY_BOARD,
    LogMark.EMPTY_BOARD: EMPTY_BOARD,
    LogMark.START_ARRAY: START,
    LogMark.START_ARRAY_TURNED: tuple(reversed(START)),
}


@dataclass(frozen=True, slots=True)
class LastSeen:
    """The last that was seen before the gap."""

    placement: Placement
    stopped: Side | None = None
    """The side of the clock that stood."""
    stopped_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Continuation:
    """One way in which the memory continues what was known."""

    lines: tuple[LogLine, ...]
    placement: Placement
    """What the board shows after them; where it is not what it shows now, something is missing."""


def missed(lines: Sequence[LogLine], known: LastSeen) -> tuple[Continuation, ...]:
    """Every way to continue; none where the memory does not reach back so far.

    Places that the clock confirms go before those where the memory says nothing of its time. A
    start array on the way is a line like any other: a new game may have begun meanwhile.
    """
    joints: dict[int, bool] = {}
    shown: list[Piece | None] = [None] * len(known.placement)
    stopped: dict[Side | None, int | None] = {}
    joint: int | None = None
    for place, line in enumerate(lines):
        _apply(line, shown)
        if line.mark is LogMark.CLOCK:
            stopped[line.side] = line.stopped_ms
        confirmed, contradicted = _by_the_clock(stopped.get(known.stopped), known.stopped_ms)
        if tuple(shown) != known.placement or contradicted:
            joint = None
        elif joint is None or (confirmed and _is_known_press(line, known)):
            if joint is not None:
                del joints[joint]
            joint = place
            joints[place] = confirmed
    surest = max(joints.values(), default=False)
    now = tuple(piece or "?" for piece in shown)
    behind = [place + 1 for place, sure in joints.items() if sure == surest]
    return tuple(Continuation(tuple(lines[begin:]), now) for begin in behind)


def as_lines(event: Scan | SquareChange, shown: Placement) -> tuple[LogLine, ...]:
    """What is told now as if it was remembered, by whoever read `shown` before."""
    if isinstance(event, SquareChange):
        return (LogLine(LogMark.SQUARE, event.square, event.piece),)
    return tuple(
        LogLine(LogMark.SQUARE, square, piece)
        for square, (was, piece) in enumerate(zip(shown, event.placement, strict=True))
        if was != piece
    )


def shown_after(lines: Sequence[LogLine], before: Placement) -> Placement:
    """What the board shows after these lines."""
    shown: list[Piece | None] = list(before)
    for line in lines:
        _apply(line, shown)
    return tuple(piece or "?" for piece in shown)


def _is_known_press(line: LogLine, known: LastSeen) -> bool:
    """The press that stopped the side we saw standing, written after the pieces it was made
    with."""
    if line.mark is not LogMark.CLOCK or line.side is not known.stopped:
        return False
    return _by_the_clock(line.stopped_ms, known.stopped_ms)[0]


def _apply(line: LogLine, shown: list[Piece | None]) -> None:
    if line.mark in _BEGINS:
        shown[:] = _BEGINS[line.mark]
    elif line.mark is LogMark.SQUARE and line.square is not None:
        shown[line.square] = line.piece


def _by_the_clock(logged_ms: int | None, seen_ms: int | None) -> tuple[bool, bool]:
    """Does the time of the side that stood confirm a place, does it contradict it?"""
    if logged_ms is None or seen_ms is None:
        return False, False
    same = abs(logged_ms - seen_ms) <= AGREE_MS
    return same, not same
