"""What the question "can this side still mate?" is answered with."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from arbiterd.rules.bitboard import Position
from arbiterd.rules.mating.regions import Region
from arbiterd.rules.ruleset import Colour

BUDGET_NODES = 600_000
"""The default: some ten seconds of pure Python, where nothing is found at all."""


class CanMate(StrEnum):
    """Can the side mate by any series of legal moves (5.1.2, 5.2.2, 6.9, 7.5.5)?"""

    POSSIBLE = "possible"
    """Yes, and a line shows it."""
    IMPOSSIBLE = "impossible"
    """No, and a proof shows it."""
    NOT_PROVEN = "not-proven"
    """The budget of nodes ran out, or the Laws do not define the position. Never a guess."""


class ProofKind(StrEnum):
    """How a mate is excluded."""

    TERMINAL = "terminal"
    """The game is over on the board."""
    FORCED = "forced"
    """Only one series of moves exists."""
    MATERIAL = "material"
    """No arrangement of these pieces is a mate that moves can reach."""
    CLOSED_SET = "closed-set"
    """Every position that can still arise was seen."""
    MOBILITY = "mobility"
    """What the pieces can ever reach leaves no room for a mate."""


@dataclass(frozen=True, slots=True)
class ClosedSet:
    """A closed set, for `checker`. Seen with the side that is to mate as White.

    Each legal move from one of `positions` leads to another of them, to material that cannot
    mate, or into the start of one of `regions`.
    """

    positions: tuple[Position, ...]
    regions: tuple[Region, ...]


@dataclass(frozen=True, slots=True)
class Proof:
    """Why no mate is possible: one sentence for people, a certificate for programs."""

    kind: ProofKind
    text: str
    certificate: ClosedSet


@dataclass(frozen=True, slots=True)
class MatingVerdict:
    """One side's answer."""

    side: Colour
    """The side that is to mate."""
    answer: CanMate
    nodes: int
    """Positions made; the cost, the same on every machine."""
    line: tuple[str, ...] | None = None
    """POSSIBLE: moves in UCI that end in mate by `side`."""
    within_9_6: bool | None = None
    """POSSIBLE: the line also ends before the 75-move rule and a fivefold repetition would.

    Whether 9.6 limits "any series of legal moves" is disputed; a line with True settles it for
    both readings. The repetitions of the game so far are not looked at.
    """
    proof: Proof | None = None
    """IMPOSSIBLE: the proof."""

    def __post_init__(self) -> None:
        assert (self.line is not None) == (self.answer is CanMate.POSSIBLE), "a yes shows its line"
        assert (self.proof is not None) == (self.answer is CanMate.IMPOSSIBLE), "a no is proven"


@dataclass(frozen=True, slots=True)
class MatingQuestion:
    """Plain values, to be sent to a worker: can `side` still mate from here?"""

    fen: str
    side: Colour
    budget_nodes: int = BUDGET_NODES


@dataclass(frozen=True, slots=True)
class MatingAnswer:
    """What comes back from the worker as an input. Plain values; the proof in words."""

    question: MatingQuestion
    answer: CanMate
    nodes: int
    moves: tuple[str, ...] | None = None
    """POSSIBLE: the line to mate, in UCI."""
    within_9_6: bool | None = None
    proof_kind: ProofKind | None = None
    proof_text: str | None = None
