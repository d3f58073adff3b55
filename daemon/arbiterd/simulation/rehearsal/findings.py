"""What was found to be wrong, and what a run came to."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class BrokenRule:
    """A rule that did not hold."""

    rule: str
    """One of a few words, the same for the same kind of wrong."""
    at_s: float
    words: str

    def __str__(self) -> str:
        return f"{self.at_s:9.3f} s  {self.rule}: {self.words}"


@dataclass(slots=True)
class RehearsalReport:
    """A rehearsal from its begin to its end, or to the first finding."""

    findings: list[BrokenRule] = field(default_factory=list)
    seconds: float = 0.0
    lives: int = 0
    messages: int = 0
    half_moves: int = 0
    exact: int = 0
    """Tables whose record was the game to its last half-move."""
    doubted: int = 0
    """Tables whose record was not, and that said so."""
    accused: int = 0
    """Rulings that call somebody for what nobody did, at tables where bytes became others."""
    digest: str = ""
    """Of every message the broker took and of both ends of the journal."""

    @property
    def rules(self) -> frozenset[str]:
        return frozenset(finding.rule for finding in self.findings)
