"""What a row of the rulings catalogue is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from arbiterd.laws.ruling import GO_NOW, JOURNAL_ONLY, LOOK_SOON, NOTE, Certainty, Window
from arbiterd.rules.customs import Custom

FACT, PROBABLE, HUMAN = Certainty.FACT, Certainty.PROBABLE, Certainty.HUMAN


class Group(StrEnum):
    """Rows that other laws speak of together."""

    TOUCH = "touch"
    """A breach of Article 4 that can still be put right by another move."""
    ILLEGAL = "illegal"
    """An illegal move of 7.5, or a foul, may be open under it."""
    DISPLACED = "displaced"
    """Pieces stand where no move put them."""
    MATE = "mate"
    """The game ended on the board, and was won by mate."""
    END = "end"
    """It ended on the board in another way."""
    CLAIM = "claim"
    """The answer to a claim."""


@dataclass(frozen=True, slots=True)
class Row:
    """One situation and how it is told. Whether it holds is decided beside its article."""

    id: str
    section: int
    what: str
    """The situation, in a phrase."""
    articles: tuple[str, ...]
    certainty: Certainty
    """Of what is proposed."""
    urgency: int
    """As of a ruling: 1 go now, 2 look soon, 3 note, 0 journal only."""
    facts: Certainty = FACT
    """Of what was seen."""
    window: Window = Window.NEVER
    """When the right runs out, at every rate of play."""
    window_a5: Window | None = None
    """The same where A.5 or B.3 applies, if it differs."""
    counts: bool = False
    """Confirmed, it counts towards the second illegal move (7.5.5)."""
    blind: str = ""
    """Why no sensor can show it. Then people enter it."""
    entered: bool = False
    """An arbiter can enter it as a report."""
    stays: bool = False
    """Told as a note, it is open as long as it holds; other notes are about a moment and end."""
    fires_under: tuple[str, ...] = ()
    """Rates of play under which it can fire, if not under all: std, A4, A5."""
    of: Custom | None = None
    """It holds in games that follow this custom; None: in every game."""
    group: Group | None = None
    unplayed: str = ""
    """Why no game that comes with the service can show it; a game of one's own may."""

    def __post_init__(self) -> None:
        assert self.articles, "a row names its law"
        assert self.urgency in (GO_NOW, LOOK_SOON, NOTE, JOURNAL_ONLY), "one of four"
        assert not self.blind or self.entered, "what no sensor shows is entered by people"

    def holds(self, customs: frozenset[Custom]) -> bool:
        """Whether it holds in a game with these customs."""
        return self.of is None or self.of in customs

    @property
    def rates(self) -> tuple[str, ...]:
        """Rates of play that differ for this row, each of which has to be shown: std, A4, A5."""
        if self.fires_under:
            return self.fires_under
        return ("std", "A5") if self.window_a5 is not None else ()
