"""What only Ajedrez del Guadalete forbids, as hands do it: pieces on open water, kings on planks,
pawns that take, pawns left where they become planks, and a transformation that is owed."""

from __future__ import annotations

from typing import Final

from arbiterd.rules.guadalete import GUADALETE
from arbiterd.rules.guadalete_moves import owes
from arbiterd.rules.guadalete_position import GuadaletePosition
from arbiterd.simulation.hands.desk import StagedTable
from arbiterd.simulation.hands.offences import (
    carried_over,
    pressed_and_restored,
    reaches,
    stands_after,
)
from arbiterd.simulation.hands.restless import pieces_of
from arbiterd.simulation.hands.strokes import around, between
from eboards.events import EMPTY, Square

_WATERS: Final = GUADALETE.waters

Way = tuple[Square, Square]
"""From a square to a square."""


def _position(desk: StagedTable) -> GuadaletePosition:
    position = desk.line.positions[desk.ply - 1]
    assert isinstance(position, GuadaletePosition), "the river is Guadalete's"
    return position


def _pressed(desk: StagedTable, name: str, kind: str, found: list[Way]) -> bool:
    """One of these is made and pressed. Never back to what stood on the board before."""
    seen = set(desk.line.placements[: desk.ply])
    new = [way for way in found if stands_after(desk, *way) not in seen]
    if not new:
        return False
    origin, target = desk.dice.choice(new)
    return pressed_and_restored(desk, name, (kind,), lambda: carried_over(desk, origin, target))


def _own(desk: StagedTable, kinds: str) -> list[Square]:
    return [s for s in pieces_of(desk, desk.side) if desk.board[s].lower() in kinds]


def _is_open(desk: StagedTable, square: Square) -> bool:
    return not _WATERS.passable(_position(desk), square)


def in_the_river(desk: StagedTable) -> bool:
    """A piece goes as it moves, onto water without a plank."""
    found = [
        (origin, target)
        for origin in _own(desk, "nbrq")
        for target in _WATERS.river
        if _is_open(desk, target) and reaches(desk, origin, target)
    ]
    return _pressed(desk, "in-the-river", "gu-piece-in-river", found)


def slid_over(desk: StagedTable) -> bool:
    """A piece goes along its line over open water to a square where it may stand."""
    geometry = desk.line.rules.geometry
    found = [
        (origin, target)
        for origin in _own(desk, "brq")
        for target in range(len(geometry))
        if desk.board[target] == EMPTY and not _is_open(desk, target)
        if reaches(desk, origin, target)
        if any(_is_open(desk, at) for at in between(geometry, origin, target))
    ]
    return _pressed(desk, "slid-over", "gu-slid-over-river", found)


def king_on_the_river(desk: StagedTable) -> bool:
    """The king steps onto the river, plank or not."""
    found = [
        (king, square)
        for king in _own(desk, "k")
        for square in around(desk.line.rules.geometry, king)
        if square in _WATERS.river and desk.board[square] == EMPTY
    ]
    return _pressed(desk, "king-on-the-river", "gu-king-on-plank", found)


def pawn_took(desk: StagedTable) -> bool:
    """A pawn takes as it would in chess."""
    geometry, ahead = desk.line.rules.geometry, -1 if _position(desk).white else 1
    theirs = [s for s in pieces_of(desk, desk.side.other) if desk.board[s].lower() != "k"]
    found = [
        (pawn, square)
        for pawn in _own(desk, "p")
        for square in theirs
        if square in around(geometry, pawn)
        and square // geometry.files - pawn // geometry.files == ahead
        and square % geometry.files != pawn % geometry.files
    ]
    return _pressed(desk, "pawn-took", "gu-pawn-captured", found)


def left_on_water(desk: StagedTable) -> bool:
    """A pawn that becomes a plank stays where it is put; no counter is laid."""
    rules, position = desk.line.rules, _position(desk)
    found = [(move.origin, move.target) for move in rules.legal_moves(position) if move.transforms]
    return _pressed(desk, "left-on-water", "gu-plank-not-replaced", found)


def duty_ignored(desk: StagedTable) -> bool:
    """A transformation is owed, and something else is played that would be legal without."""
    position = _position(desk)
    legal = desk.line.rules.legal_moves(position)
    if not owes(position) or not any(move.transforms for move in legal):
        return False
    found = [
        (move.origin, move.target)
        for move in _WATERS.safe_moves(position)
        if not move.transforms and desk.board[move.target] == EMPTY
        if desk.board[move.origin].lower() != "k"
    ]
    return _pressed(desk, "duty-ignored", "gu-obligation-ignored", found)


def moved_wrong(desk: StagedTable) -> bool:
    """A knight, bishop, rook or queen goes on its bank where it cannot."""
    found = [
        (origin, target)
        for origin in _own(desk, "nbrq")
        for target in around(desk.line.rules.geometry, origin)
        if desk.board[target] == EMPTY
        and target not in _WATERS.river
        and not reaches(desk, origin, target)
    ]
    return _pressed(desk, "moved-wrong-on-the-bank", "illegal-first", found)
