"""The raw changes of one turn, and which men left their squares in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from arbiterd.rules.ruleset import Colour
from arbiterd.tracking.facts import SquareSeen, Touch
from eboards.events import EMPTY, Placement, Square


def touches(
    changes: Iterable[SquareSeen],
    home: Placement,
    shown: Placement,
    owner: Callable[[str], Colour | None],
    *,
    scan_ns: int,
    debounce_ns: int,
    settling: Sequence[tuple[Square, int]] = (),
) -> tuple[Touch, ...]:
    """Men of `home` that left their squares, in order.

    `shown` is `home` as the sensors show it. `settling` names squares whose men were still being
    put right until a time. A man back within `debounce_ns` was not touched.
    """
    until = dict(settling)
    found: list[Touch] = []
    away: dict[Square, int] = {}
    for change in changes:
        square = change.square
        if shown[square] == EMPTY:
            continue
        if change.after == shown[square]:
            if square in away:
                _bring_back(found, away.pop(square), change.at_ns)
        elif change.before == shown[square] and square not in away:
            if change.at_ns <= until.get(square, -1):
                continue
            away[square] = len(found)
            piece = home[square]
            found.append(Touch(square, piece, owner(piece), change.at_ns, None))
    kept = [
        touch
        for touch in found
        if touch.returned_at_ns is None or touch.returned_at_ns - touch.lifted_at_ns >= debounce_ns
    ]
    return tuple(_ordered(kept, scan_ns))


def _bring_back(found: list[Touch], index: int, at_ns: int) -> None:
    touch = found[index]
    found[index] = Touch(touch.square, touch.piece, touch.colour, touch.lifted_at_ns, at_ns)


def _ordered(found: Sequence[Touch], scan_ns: int) -> Iterable[Touch]:
    """Marks lifts that fell into one scan with the lift before: their order is not known."""
    before: int | None = None
    for touch in found:
        known = before is None or touch.lifted_at_ns - before >= scan_ns
        before = touch.lifted_at_ns
        if known:
            yield touch
        else:
            yield Touch(
                touch.square,
                touch.piece,
                touch.colour,
                touch.lifted_at_ns,
                touch.returned_at_ns,
                order_known=False,
            )
