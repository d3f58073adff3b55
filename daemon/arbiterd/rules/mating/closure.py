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
        "_walls",
        "doors",
        "line",
        "nodes",
        "positions",
        "regions",
    )

    def __init__(self, start: Position) -> None:
        self.positions = [start]
        """Found so far; those before the next to be looked at have been expanded."""
        self.regions: list[Region] = []
        self.doors: list[int] = []
        """Numbers of the positions that first have these pawns and so many men: ways out of a wall,
        or past what holds one, and none of them proven shut."""
        self.nodes = 0
        self.line: list[int] | None = None
        self._came_from = [-1]
        self._came_by = [0]
        self._known = {start.key()}
        self._walls = {_wall(start)}
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
                self.line = self.line_to(self._next)
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
        changed = child.pawns != pos.pawns or _fewer(child, pos)
        if settlements and changed:
            pieces = pieces_of(child)
            if pieces is not None:
                regions, spent = prove(pieces, settlements)
                self.nodes += spent * SETTLEMENT_NODES
                if regions is not None:
                    self.regions += regions
                    return
        if changed:
            wall = _wall(child)
            if wall not in self._walls:
                self._walls.add(wall)
                self.doors.append(len(self.positions))
        self.positions.append(child)
        self._came_from.append(self._next)
        self._came_by.append(move)

    def line_to(self, index: int) -> list[int]:
        """The moves from the start to the position of this number."""
        line: list[int] = []
        while index:
            line.append(self._came_by[index])
            index = self._came_from[index]
        return line[::-1]


def _wall(pos: Position) -> tuple[int, int, int]:
    """What no move gives back: White's pawns, Black's, and the number of men."""
    return pos.pawns & pos.white, pos.pawns & pos.black, (pos.white | pos.black).bit_count()


def _fewer(child: Position, pos: Position) -> bool:
    return (child.white | child.black).bit_count() < (pos.white | pos.black).bit_count()
