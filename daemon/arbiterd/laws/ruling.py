"""A ruling, as the Laws room makes it: a proposal with its evidence, never an act.

The shape follows the contract's payload; times and numbers of the journal are put in by the
table when it leaves.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct

from arbiterd.rules.mating import MatingQuestion
from arbiterd.rules.ruleset import Colour
from eboards.events import Placement


class Certainty(StrEnum):
    """FACT: from the sensors, no judgement. PROBABLE: one confirmation needed. HUMAN: only a
    person can know."""

    FACT = "fact"
    PROBABLE = "probable"
    HUMAN = "human"


class RulingState(StrEnum):
    OPEN = "open"
    CONFIRMED = "confirmed"
    DISMISSED = "dismissed"
    EXPIRED = "expired"
    SUPERSEDED = "superseded"


GO_NOW, LOOK_SOON, NOTE, JOURNAL_ONLY = 1, 2, 3, 0
"""How urgent a ruling is: two that call somebody, one that is told, one that is only recorded."""


class Window(StrEnum):
    """When the right that a ruling speaks of runs out."""

    OPPONENT_TOUCHES = "opponent-touches"
    OPPONENT_MOVES = "opponent-moves"
    NEVER = "never"


ACTIONS = ("pause", "restore", "enforce-move", "add-time", "declare-result", "ask", "log")
"""What can be proposed, and what an arbiter can want in its place."""


class Proposal(Struct, frozen=True, gc=False):
    """What the arbiter may confirm. `actions` in order, from `ACTIONS`."""

    actions: tuple[str, ...] = ()
    clock_delta_ms: tuple[tuple[Colour, int], ...] = ()
    restore: str | None = None
    """A FEN."""
    result: str | None = None


class TouchSeen(Struct, frozen=True, gc=False):
    square: str
    piece: str
    lifted_at_ns: int
    down_ms: int | None
    """How long it was off its square; None: unknown or still off."""


if TYPE_CHECKING:
    JsonValue: TypeAlias = "str | int | bool | list[JsonValue] | dict[str, JsonValue] | None"
else:
    # Checkpoints read annotations at run time, where a recursive alias has no meaning.
    JsonValue = Any


class Coming(Struct, frozen=True, gc=False):
    """An arbiter is on the way to the table."""

    by: str
    at_ns: int


class Ack(Struct, frozen=True, gc=False):
    by: str
    at_ns: int
    decision: str
    reason: str = ""


class Asked(Struct, frozen=True, gc=False):
    """A question that a worker is to answer, and the fact that waits for it."""

    fact: str
    question: MatingQuestion


class Ruling(Struct, frozen=True, gc=False):
    """Never edited: an arbiter's yes or no, or later evidence, makes the next revision."""

    kind: str
    articles: tuple[str, ...]
    certainty: Certainty
    urgency: int
    """One of the four above."""
    against: Colour | None
    ply: int
    position: str
    """The position before the irregularity, as a FEN."""
    placement: Placement
    cause_from_ns: int
    """When the first input it rests on was read; the table turns it into a journal number."""
    cause_to_ns: int
    facts_certainty: Certainty = Certainty.FACT
    touched: tuple[TouchSeen, ...] = ()
    obligation: tuple[str, ...] = ()
    """All moves that are allowed, in wire form; empty: no obligation."""
    facts: tuple[tuple[str, JsonValue], ...] = ()
    """More facts by name; also what the texts are filled with."""
    proposal: Proposal = Proposal()
    window: Window = Window.NEVER
    state: RulingState = RulingState.OPEN
    revision: int = 1
    number: int = 0
    """Counts the rulings of a table; given by the docket, never by a law."""
    ack: Ack | None = None
    coming: Coming | None = None
    shelved_until_ns: int | None = None
    """It calls nobody before."""
    asked: tuple[Asked, ...] = ()
    """What is being examined; empty once all is answered."""

    def __post_init__(self) -> None:
        assert self.articles, "a ruling names its law"
        assert self.cause_from_ns <= self.cause_to_ns, "a ruling rests on something"

    def is_named(self, name: str) -> bool:
        """By its number, or by its kind."""
        return name in (str(self.number), self.kind)
