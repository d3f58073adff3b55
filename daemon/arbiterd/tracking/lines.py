"""Explanations: lines of play that share their beginnings, each with what speaks for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic

from arbiterd.rules.ruleset import Colour
from arbiterd.tracking.facts import How
from arbiterd.tracking.sight import M, P, Seen


class Line(Generic[P, M]):
    """One half-move of a line of play, and the line before it.

    Lines grow at their ends and share what is before; only evidence about a half-move (when it
    was made, when completed) is ever written into one again.
    """

    __slots__ = (
        "completed_at_ns",
        "completed_how",
        "cost",
        "irregular",
        "made_at_ns",
        "move",
        "parent",
        "ply",
        "pressed",
        "seen",
        "watched",
    )

    def __init__(
        self,
        seen: Seen[P, M],
        parent: Line[P, M] | None,
        move: M | None,
        made_at_ns: int,
        *,
        ply: int,
        cost: float = 0.0,
        watched: bool = True,
        irregular: bool = False,
    ) -> None:
        self.seen = seen
        self.parent = parent
        self.move = move
        """None: the root, or an irregular half-move."""
        self.made_at_ns = made_at_ns
        self.ply = ply
        """How many half-moves the record has up to here."""
        self.cost = cost
        """What speaks against the whole line, in the units of `weights`."""
        self.watched = watched
        """The board showed exactly this; False: it follows from what it showed later."""
        self.irregular = irregular
        self.pressed = False
        self.completed_at_ns: int | None = None
        self.completed_how: How | None = None

    @property
    def side(self) -> Colour:
        """Who made the last half-move."""
        return self.seen.turn.other

    def back(self) -> Iterator[Line[P, M]]:
        """This line, and the ones it grew from, newest first; the root is the last."""
        line: Line[P, M] | None = self
        while line is not None:
            yield line
            line = line.parent

    def path(self) -> list[Line[P, M]]:
        """The lines after the root, oldest first."""
        path = [line for line in self.back() if line.parent is not None]
        path.reverse()
        return path
