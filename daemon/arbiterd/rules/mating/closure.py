"""All positions that can still arise, breadth first. White is the side that is to mate.

If they end without a mate of Black, they are the proof. A branch stops where the material is
too little, or where a capture or a pawn's move has led to what `regions` proves.
"""

from __future__ import annotations

from arbiterd.rules.bitboard import Position, in_check, legal_moves, play
from arbiterd.rules.mating.material import cannot_mate
from arbiterd.rules.mating.mobility import pieces_of
from arbiterd.rules.mating.regions import Region, prove

SETTLEMENT_NODES = 16
"""A settlement takes about the time of so many positions."""


class Closure:
    """Grows when told to. In the end `closed`, or `line` leads to mate."""

    __slots__ = (
        "_came_by",
        "_came_from",
        "_known",
        "_next",
        "line",
        "nodes",
        "positions",
        "regions",
    )

    def __init__(self, start: Position) -> None:
        self.positions = [start]
        """Found so far; those before the next to be looked at have been expanded."""
        self.regions: list[Region] = []
        self.nodes = 0
        self.line: list[int] | None = None
        self._came_from = [-1]
        self._came_by = [0]
        self._known = {start.key()}
        self._next = 0

    @property
    def closed(self) -> bool:
        return self.line is None and self._next == len(self.positions)

    def grow(self, nodes: int, settlements: int) -> bool:
        """Spend at most about so many nodes. True when there is nothing left to do.

        `settlements`: how many a branch may take to be proven shut; 0 leaves that out.
        """
        limit = self.nodes + nodes
        while self._next < len(self.positions) and self.line is None:
            if self.nodes >= limit:
                return False
            pos = self.positions[self._next]
            moves = legal_moves(pos)
            if not moves and not pos.white_to_move and in_check(pos, white=False):
                self.line = self._line_to(self._next)
            for move in moves:
                self._meet(pos, move, settlements)
            self._next += 1
        return True

    def _meet(self, pos: Position, move: int, settlements: int) -> None:
        child = play(pos, move)
        self.nodes += 1
        key = child.key()
        if key in self._known:
            return
        self._known.add(key)
        if cannot_mate(child) and legal_moves(child):
            return
        if settlements and (child.pawns != pos.pawns or _fewer(child, pos)):
            pieces = pieces_of(child)
            if pieces is not None:
                regions, spent = prove(pieces, settlements)
                self.nodes += spent * SETTLEMENT_NODES
                if regions is not None:
                    self.regions += regions
                    return
        self.positions.append(child)
        self._came_from.append(self._next)
        self._came_by.append(move)

    def _line_to(self, index: int) -> list[int]:
        line: list[int] = []
        while index:
            line.append(self._came_by[index])
            index = self._came_from[index]
        return line[::-1]


def _fewer(child: Position, pos: Position) -> bool:
    return (child.white | child.black).bit_count() < (pos.white | pos.black).bit_count()
