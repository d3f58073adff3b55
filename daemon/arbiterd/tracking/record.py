"""The game as told so far: a start and half-moves, from which every position follows."""

from __future__ import annotations

from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import force_setattr, replace

from arbiterd.rules.ruleset import Colour, RuleSet
from arbiterd.tracking.facts import How, PlyCertainty


class RecordedPly(Struct, frozen=True, gc=False):
    """One half-move of the record."""

    side: Colour
    move: str
    """Wire form; empty where an irregular placement stands instead."""
    made_at_ns: int
    completed_at_ns: int | None
    how: How
    sureness: PlyCertainty
    alternatives: tuple[str, ...] = ()
    """Other moves that the sensors cannot tell from this one, likeliest first."""
    probability: float = 1.0
    """That it was this move, from 0 to 1."""
    irregular_fen: str | None = None
    """The position afterwards, where no legal move leads to it."""

    def at_the_time_of(self, before: RecordedPly) -> RecordedPly:
        """An arbiter says what was played further back in the record, and not when: play went on
        from there, and the press that completed the half-move was heard then."""
        return replace(self, made_at_ns=before.made_at_ns, completed_at_ns=before.completed_at_ns)


class IrregularEntry(Struct, frozen=True, gc=False):
    """An entry that no legal move made, by the position after it."""

    fen: str


Entry: TypeAlias = str | IrregularEntry
"""One entry of a record as it is given: a half-move in wire form, or what stands without one."""


class Record(Struct, frozen=True, eq=False, gc=False):
    """Start and half-moves. Two records are equal if these are; the positions are only kept."""

    start: str
    """The position before the first half-move, as a FEN."""
    plies: tuple[RecordedPly, ...] = ()
    _positions: tuple[Any, ...] = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and self.start == other.start and self.plies == other.plies

    def __hash__(self) -> int:
        return hash((self.start, self.plies))

    @property
    def line(self) -> tuple[Entry, ...]:
        """The entries, as a record can be given."""
        return tuple(
            ply.move if ply.irregular_fen is None else IrregularEntry(ply.irregular_fen)
            for ply in self.plies
        )

    def positions(self, rules: RuleSet[Any, Any]) -> tuple[Any, ...]:
        """The start and the position after every half-move: one more than there are plies."""
        if len(self._positions) != len(self.plies) + 1:
            force_setattr(self, "_positions", _replayed(rules, self))
        return self._positions

    def with_ply(self, ply: RecordedPly, position: Any) -> Record:
        """The record with one half-move more, which led to `position`."""
        kept = (*self._positions, position) if self._positions else ()
        return Record(self.start, (*self.plies, ply), kept)

    def before(self, ply: int) -> Record:
        """The record without the half-moves from number `ply` on."""
        if len(self.plies) < ply:
            return self
        return Record(self.start, self.plies[: ply - 1], self._positions[:ply])

    def with_changed(self, ply: int, changed: RecordedPly) -> Record:
        """The record with another account of half-move `ply`, which leads to the same position."""
        plies = (*self.plies[: ply - 1], changed, *self.plies[ply:])
        return Record(self.start, plies, self._positions)


def _replayed(rules: RuleSet[Any, Any], record: Record) -> tuple[Any, ...]:
    positions = [rules.start(record.start)]
    for ply in record.plies:
        if ply.irregular_fen is not None:
            positions.append(rules.start(ply.irregular_fen))
        else:
            positions.append(rules.play(positions[-1], rules.parse(positions[-1], ply.move)))
    return tuple(positions)
