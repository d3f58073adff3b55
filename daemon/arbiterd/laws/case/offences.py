"""Article 7.5.5: which illegal move of a player one is, told from the rulings themselves.

What is confirmed counts; what is still undecided counts if it stands. No other book is kept, so
a yes, a no or a window that closed changes the number of what came after it.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from arbiterd.laws.case.casefile import CaseFile, OpenRuling
from arbiterd.laws.case.scene import Scene
from arbiterd.laws.catalogue import row
from arbiterd.laws.catalogue.row import Group
from arbiterd.laws.ruling import JsonValue, Ruling, RulingState
from arbiterd.rules.customs import Custom
from arbiterd.rules.ruleset import Colour


class Earlier(Struct, frozen=True, gc=False):
    """The illegal moves of one player before another one of the same player."""

    confirmed: int
    undecided: tuple[Ruling, ...] = ()
    """In the order of play."""

    @property
    def number(self) -> int:
        """Of the one after them, if all of them stand."""
        return self.confirmed + len(self.undecided) + 1

    @property
    def known(self) -> bool:
        """Whether no decision can change what it leads to."""
        return bool(self.confirmed) or not self.undecided


def counted(ruling: Ruling) -> bool:
    """Whether this ruling, confirmed, is one of the illegal moves that 7.5.5 counts."""
    return bool(dict(ruling.facts).get("counts", row(ruling.kind).counts))


def is_offence(ruling: Ruling) -> bool:
    """An illegal move that counts, or in games of that custom a foul that loses at once."""
    entry = row(ruling.kind)
    return counted(ruling) or (entry.of is Custom.FOULS_LOSE and entry.group is Group.ILLEGAL)


def offender(ruling: Ruling) -> Colour | None:
    """Whose illegal move it is: a claim of one is the other player's ruling."""
    named = dict(ruling.facts).get("offender")
    return ruling.against if named is None else Colour(str(named))


def squares_of(ruling: Ruling) -> set[str]:
    """The squares it names, of pieces that were displaced or touched."""
    named = dict(ruling.facts).get("squares")
    return {str(name) for name in named} if isinstance(named, list) else set()


def confirmed(file: CaseFile, side: Colour) -> int:
    """How many illegal moves of this player have been confirmed."""
    given = file.illegal[0 if side is Colour.WHITE else 1]
    return given + sum(
        closed.ruling.state is RulingState.CONFIRMED
        and counted(closed.ruling)
        and offender(closed.ruling) is side
        for closed in file.closed
    )


def undecided(file: CaseFile, side: Colour) -> Iterator[OpenRuling]:
    """Open rulings that would count against this player, in the order of play."""
    found = [held for held in file.open if counted(held.ruling) and offender(held.ruling) is side]
    return iter(sorted(found, key=lambda held: (held.ruling.ply, held.ruling.number)))


def put_right(held: OpenRuling, plies: int) -> bool:
    """Whether the hall has put it right already, though nobody has confirmed it: what it restores
    stood again and was played from. `plies` half-moves are on the record: where the half-move
    itself stands (7.5.2, 7.5.4), it takes the one after it."""
    stands = dict(held.ruling.facts).get("stands")
    return held.played_on and (not stands or plies > held.ruling.ply)


def to_put_right(scene: Scene, kinds: tuple[str, ...]) -> tuple[Ruling, ...]:
    """Open rulings of these kinds on which nobody has acted yet, oldest first."""
    plies = len(scene.record.plies)
    return tuple(
        held.ruling
        for held in scene.file.open
        if held.ruling.kind in kinds and not put_right(held, plies)
    )


def earlier(file: CaseFile, side: Colour, cause: str, ply: int) -> Earlier:
    """What this player has done before the illegal move of this cause and half-move."""
    before = (held for held in undecided(file, side) if held.cause != cause)
    return Earlier(
        confirmed(file, side), tuple(held.ruling for held in before if held.ruling.ply <= ply)
    )


def named(rulings: tuple[Ruling, ...]) -> list[JsonValue]:
    """What a number hangs on, as a fact: the rulings, with where and what was played."""
    return [
        {
            "kind": ruling.kind,
            "ply": ruling.ply,
            "position": ruling.position,
            "move": dict(ruling.facts).get("attempt") or "",
        }
        for ruling in rulings
    ]
