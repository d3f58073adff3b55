"""The lines of play that are held, with what speaks for and against each: for people to look at."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from math import exp

from msgspec import Struct

from arbiterd.tracking import weights
from arbiterd.tracking.belief import Belief
from arbiterd.tracking.lines import Line

PLIES_SHOWN = 4
"""So many of a line's newest half-moves are looked at."""


class Item(Struct, frozen=True):
    """One thing that speaks for a line (fewer nats than nought) or against it."""

    ply: int
    name: str
    nats: float


class Hypothesis(Struct, frozen=True):
    """One line as it is held now."""

    ply: int
    """The number of its newest half-move."""
    moves: tuple[str, ...]
    """Its newest half-moves; empty text for an irregular one."""
    nats: float
    """What speaks against it beside the best one."""
    share: float
    """Of all that is held, what nobody thought of included."""
    shown: bool
    """The board shows exactly this now."""
    items: tuple[Item, ...]


def hypotheses(belief: Belief) -> tuple[Hypothesis, ...]:
    """Best first."""
    likely = [exp(-line.cost) for line in belief.live]
    whole = sum(likely) + exp(-weights.SOMETHING_ELSE) * max(likely)
    return tuple(
        Hypothesis(
            ply=line.ply,
            moves=tuple(past.wire() for past in _newest(line)),
            nats=round(line.cost, 2),
            share=round(weight / whole, 4),
            shown=line.seen.hash == belief.image.hash,
            items=tuple(item for past in _newest(line) for item in _items(belief, past)),
        )
        for line, weight in zip(belief.live, likely, strict=True)
    )


def _newest(line: Line) -> list[Line]:
    found = [past for past in islice(line.back(), PLIES_SHOWN) if past.parent is not None]
    return found[::-1]


def _items(belief: Belief, line: Line) -> Iterator[Item]:
    """What is known of one half-move. What spoke of the order and of haste is in the sum alone."""
    ply = line.ply
    if line.irregular:
        pressed = weights.IRREGULAR_PRESSED if line.pressed else weights.IRREGULAR
        yield Item(ply, "no legal move leads there", pressed)
    if not line.watched:
        yield Item(ply, "never shown by itself", weights.UNWATCHED)
    if line.unseen:
        yield Item(ply, "a man was never seen where it must have stood", line.unseen)
    if line.passed:
        yield Item(ply, "men showed where it has none", line.passed)
    if line.doubtful:
        yield Item(ply, "rests on a square taken for other than it shows", weights.DOUBTED)
    if line.unheard:
        yield Item(ply, "messages of it were lost", 0.0)
    if line.others:
        yield Item(ply, f"stands for others: {', '.join(line.others)}", line.others_weight)
    if line.pressed:
        name = "pressed for, soon after" if line.hastily_pressed else "pressed for"
        yield Item(ply, name, -weights.UNPRESSED)
    later = belief.live[0].ply - ply
    if later > 1 and line.has_move and not line.pressed:
        yield Item(ply, "its side moved again and never pressed for it", weights.UNPRESSED)
