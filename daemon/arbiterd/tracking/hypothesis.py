"""What may have been done since a ply that stands, and what speaks against it.

    Cause       one ply: a legal move, or what one side did that is none
    Hypothesis  plies since then, each with the placement that showed it
    Evidence    what speaks against a hypothesis, item by item; its score is their sum

`score` looks at nothing but the hypothesis and the window: whoever proposed it, and whatever was
looked at before, it is the same.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from arbiterd.rules.ruleset import Colour
from arbiterd.tracking import weights
from arbiterd.tracking.evidence import REPLY_NS
from arbiterd.tracking.lines import Line
from arbiterd.tracking.sight import Move, Seen
from arbiterd.tracking.window import Window


class Item(Struct, frozen=True, gc=False):
    """One thing that speaks against a hypothesis."""

    name: str
    nats: float
    at_ns: int
    """When the observation was made that it rests on."""


class Evidence(Struct, frozen=True, gc=False):
    items: tuple[Item, ...] = ()

    @property
    def nats(self) -> float:
        return sum(item.nats for item in self.items)


class Cause(Struct, frozen=True, eq=False, gc=False):
    """One ply, and what the board shows beside it."""

    seen: Seen
    """The position it leads to."""
    move: Move | None
    """None: no legal move; the placement is taken as it stands."""
    stage: int
    """The placement of the window that shows it."""
    moved: int = 1
    """So many of its own pieces the side moved."""
    lifted: int = 0
    """So many pieces are in the air for the reply."""

    @property
    def side(self) -> Colour:
        return self.seen.turn.other


class Hypothesis(Struct, frozen=True, eq=False, gc=False):
    origin: Line
    """What stands, and is not told anew."""
    plies: tuple[Cause, ...] = ()

    @property
    def seen(self) -> Seen:
        return self.plies[-1].seen if self.plies else self.origin.seen

    def followed_by(self, cause: Cause) -> Hypothesis:
        return Hypothesis(self.origin, (*self.plies, cause))

    @property
    def answered(self) -> bool:
        """An irregular ply has been answered by the other side."""
        irregular = {self.origin.side} if self.origin.irregular else set[Colour]()
        for cause in self.plies:
            if cause.side.other in irregular:
                return True
            if cause.move is None:
                irregular.add(cause.side)
        return False


def score(hypothesis: Hypothesis, window: Window) -> Evidence:
    """All that speaks against the hypothesis. Its parts are those of its plies."""
    items: list[Item] = []
    for number, cause in enumerate(hypothesis.plies):
        before = Hypothesis(hypothesis.origin, hypothesis.plies[:number])
        items += against(before, cause, window)
    return Evidence(tuple(items))


def against(before: Hypothesis, cause: Cause, window: Window) -> Iterator[Item]:
    """What speaks against one ply, after those before it."""
    at_ns = window.stages[cause.stage].at_ns
    if cause.move is None:
        yield Item("irregular", weights.IRREGULAR, at_ns)
        if cause.moved > 1:
            yield Item("also-moved", weights.ALSO_MOVED * (cause.moved - 1), at_ns)
        if cause.side is not before.seen.turn:
            yield Item("out-of-turn", weights.OUT_OF_TURN, at_ns)
    if cause.lifted:
        yield Item("lifted", weights.LIFTED * cause.lifted, at_ns)
    made_ns = before.origin.made_at_ns
    if before.plies:
        made_ns = max(made_ns, window.stages[before.plies[-1].stage].at_ns)
    if at_ns - made_ns < REPLY_NS:
        yield Item("hasty", weights.HASTY, at_ns)
