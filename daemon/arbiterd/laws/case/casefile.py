"""What the docket remembers of one game, as a value. Laws read it; the docket alone keeps the next.

What changes it gives another file, or this very one where nothing is new.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from arbiterd.laws.ruling import JsonValue, Ruling, RulingState
from arbiterd.rules.mating import MatingAnswer
from arbiterd.timing.facts import Press
from arbiterd.tracking.facts import MoveMade


class OpenRuling(Struct, frozen=True, gc=False):
    """An open ruling and the cause it has: one cause, one open ruling."""

    ruling: Ruling
    cause: str
    played_on: bool = False
    """Since it was raised its position stood again, and a legal half-move was played from it."""


class Closed(Struct, frozen=True, gc=False):
    """A ruling that is not open any more."""

    ruling: Ruling
    cause: str
    final: bool
    """The same kind is not raised again for this cause: it was decided, or a window closed."""


class ArbiterOrder(Struct, frozen=True, gc=False):
    """What an arbiter ordered, watched until board and clock show it."""

    at_ns: int
    by: str
    kind: str
    """The ruling that was confirmed; `set-clock` where times alone were given."""
    fen: str | None = None
    white_ms: int | None = None
    black_ms: int | None = None

    @property
    def of_times(self) -> bool:
        """Whether it says nothing of the board."""
        return self.kind == TIMES


TIMES = "set-clock"
"""The order that an arbiter gives by setting the times."""


# What one article notes and another one reads.


class EndNoted(Struct, frozen=True, gc=False):
    """The game ended on the board (Article 5)."""

    ply: int
    kind: str
    """Of its row."""
    result: str
    reason: str


class EndSeen(Struct, frozen=True, gc=False):
    end: EndNoted | None
    """None: the move that ended the game was none after all."""


class EndedBy(Struct, frozen=True, gc=False):
    reason: str | None
    """By what the result came that stands; None: it was taken back."""


class FlagCalled(Struct, frozen=True, gc=False):
    at_ns: int
    """When a player claimed the flag (6.8)."""


class BoardAnswered(Struct, frozen=True, gc=False):
    ply: int
    """The half-move in which a board that was away answered again."""


class ClockHeard(Struct, frozen=True, gc=False):
    at_ns: int
    """When a clock that nobody had heard for a while was heard again."""


class Unlawful(Struct, frozen=True, gc=False):
    kind: str | None
    """The row of a position that no play can reach (3.10.3); None: it is lawful again."""


Crossing: TypeAlias = EndSeen | EndedBy | FlagCalled | BoardAnswered | ClockHeard | Unlawful


class CaseFile(Struct, frozen=True, gc=False):
    """One game's file."""

    open: tuple[OpenRuling, ...] = ()
    closed: tuple[Closed, ...] = ()
    """The newest `CLOSED_KEPT` of them, and the confirmed ones before, oldest first."""
    illegal: tuple[int, int] = (0, 0)
    """Illegal moves of White and Black that were counted before the record begins (7.5.5)."""
    order: ArbiterOrder | None = None
    last_press: Press | None = None
    made: tuple[MoveMade, ...] = ()
    """The last `MADE_KEPT` half-moves as they were told, newest last: what was touched in them."""
    notes: dict[str, JsonValue] = {}
    """What an article remembers for itself, by name."""
    end: EndNoted | None = None
    ended_by: str | None = None
    flag_called_ns: int | None = None
    board_back_ply: int | None = None
    unlawful: str | None = None
    wakes: tuple[tuple[int, str], ...] = ()
    """When a law wants to be asked again, and under which name; in order of time."""
    watches: tuple[tuple[int, str], ...] = ()
    """The same of what is due only where the board was heard until then."""
    unheard_ns: int | None = None
    """Since when nobody has heard the board: the watches stand still. None: it is heard."""
    heard_again_ns: int | None = None
    """When that ended last."""
    clock_heard_ns: int | None = None
    """When the clock was heard again that had not been for a while, the last time."""
    next_number: int = 1
    examined: tuple[MatingAnswer, ...] = ()
    """What workers have answered; the newest `EXAMINED_KEPT`, oldest first."""

    # What it is after something more is known.

    def crossed(self, note: Crossing) -> CaseFile:
        """The file with what one article notes for the others."""
        match note:
            case EndSeen(end):
                return replace(self, end=end)
            case EndedBy(reason):
                return replace(self, ended_by=reason)
            case FlagCalled(at_ns):
                return replace(self, flag_called_ns=at_ns)
            case BoardAnswered(ply):
                return replace(self, board_back_ply=ply)
            case ClockHeard(at_ns):
                return replace(self, clock_heard_ns=at_ns)
            case Unlawful(kind):
                return replace(self, unlawful=kind)

    def remembering(self, name: str, value: JsonValue) -> CaseFile:
        """With this note; None: without one of that name."""
        if value is None and name not in self.notes:
            return self
        notes = {key: kept for key, kept in self.notes.items() if key != name}
        return replace(self, notes=notes if value is None else {**notes, name: value})

    def waking(self, name: str, at_ns: int | None) -> CaseFile:
        """Asked again under this name at this time; None: not any more."""
        wakes = _asked(self.wakes, name, at_ns)
        return self if wakes == self.wakes else replace(self, wakes=wakes)

    def watching_until(self, name: str, at_ns: int | None, now_ns: int) -> CaseFile:
        """The same, as far as the board is heard until then."""
        if at_ns is not None and self.unheard_ns is not None:
            # Counted from where the watching stopped, as all the others are.
            at_ns -= now_ns - self.unheard_ns
        watches = _asked(self.watches, name, at_ns)
        return self if watches == self.watches else replace(self, watches=watches)

    def unheard(self, at_ns: int) -> CaseFile:
        """Nobody hears the board from here on."""
        return self if self.unheard_ns is not None else replace(self, unheard_ns=at_ns)

    def heard_again(self, at_ns: int) -> CaseFile:
        """The board shows itself: what was watched for is watched for as long as it still was."""
        if self.unheard_ns is None:
            return self
        gap_ns = at_ns - self.unheard_ns
        watches = tuple((due_ns + gap_ns, name) for due_ns, name in self.watches)
        return replace(self, watches=watches, unheard_ns=None, heard_again_ns=at_ns)

    def played(self, ply: int, *, made: bool) -> CaseFile:
        """A half-move was made, or is withdrawn: a position that is to be restored before it stood
        again, and was played from, or was not."""
        return replace(
            self,
            open=tuple(
                replace(held, played_on=made)
                if held.ruling.ply == ply and held.ruling.proposal.restore is not None
                else held
                for held in self.open
            ),
        )

    # What stands in it.

    @property
    def due(self) -> tuple[tuple[int, str], ...]:
        """The next wake and the next watch, as far as there are any that do not stand still."""
        if not (self.wakes or self.watches):
            return ()
        watches = self.watches[:1] if self.unheard_ns is None else ()
        return tuple(sorted((*self.wakes[:1], *watches)))

    def watching(self, name: str) -> bool:
        """Whether a law watches the board under this name."""
        return any(name == watched for _, watched in self.watches)

    def held(self, cause: str) -> Ruling | None:
        """The open ruling of this cause."""
        return next((held.ruling for held in self.open if held.cause == cause), None)

    def named(self, name: str) -> OpenRuling | None:
        """The open one of this number, or the newest of this kind."""
        return next((held for held in reversed(self.open) if held.ruling.is_named(name)), None)

    def open_of(self, *kinds: str) -> tuple[Ruling, ...]:
        """Open rulings of these kinds, oldest first."""
        return tuple(held.ruling for held in self.open if held.ruling.kind in kinds)

    def last_closed(self, cause: str) -> Ruling | None:
        """The newest ruling of this cause that was closed."""
        return next((c.ruling for c in reversed(self.closed) if c.cause == cause), None)

    def told(self, ply: int) -> MoveMade | None:
        """How this half-move was told, if it is among the newest."""
        return next((made for made in reversed(self.made) if made.ply == ply), None)


def _asked(
    waits: tuple[tuple[int, str], ...], name: str, at_ns: int | None
) -> tuple[tuple[int, str], ...]:
    """With this name at this time, or (None) without it."""
    others = [wait for wait in waits if wait[1] != name]
    return tuple(others if at_ns is None else sorted([*others, (at_ns, name)]))


EXAMINED_KEPT = 16
"""A position that is asked about again after so many others is examined again."""

MADE_KEPT = 4
"""So far back can a press still come for a half-move."""


def kept(closed: tuple[Closed, ...]) -> tuple[Closed, ...]:
    """What of these stays: what was confirmed is counted as long as the game lasts."""
    newest = len(closed) - CLOSED_KEPT
    return tuple(
        one
        for place, one in enumerate(closed)
        if place >= newest or one.ruling.state is RulingState.CONFIRMED
    )


CLOSED_KEPT = 200
"""More closed rulings than this in one game, and the oldest could be raised anew."""
