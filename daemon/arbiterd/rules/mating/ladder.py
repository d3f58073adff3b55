"""The ladder: from what is seen at once to what needs the whole budget.

White is the side that is to mate; `can_mate` in the package turns the board. The steps and
their order depend on the position alone, the budget only cuts them short: so more budget never
changes an answer, it only gives one where there was none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappush, heapreplace

from arbiterd.rules.bitboard import Position, in_check, legal_moves, piece, play, seed, target
from arbiterd.rules.bitboard_constants import KING, LIGHT, NO_SQUARE, PAWN, square_table
from arbiterd.rules.mating import plans
from arbiterd.rules.mating.closure import SETTLEMENT_NODES, Closure
from arbiterd.rules.mating.dice import Dice
from arbiterd.rules.mating.material import cannot_mate
from arbiterd.rules.mating.mobility import pieces_of, settle
from arbiterd.rules.mating.regions import Region, prove
from arbiterd.rules.mating.search import Plan, Walk
from arbiterd.rules.mating.verdict import ProofKind

_SQUARE = square_table()

FIRST_CLOSURE = 300
FIRST_SETTLEMENTS = 12
BRANCH_SETTLEMENTS = 2
DOOR_WALKS = 3
"""So many walks begin at doors of the closure for each that begins where the question is asked."""

_Courses = Iterator[tuple[Plan, int]]
"""Plans with their limits, without end."""


@dataclass(frozen=True, slots=True)
class Mate:
    """A line that ends in mate of Black."""

    line: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NoMate:
    """Why there is none: the kind of the last step, after the moves that were forced."""

    kind: ProofKind
    forced: tuple[int, ...]
    positions: tuple[Position, ...]
    regions: tuple[Region, ...]


class Ladder:
    """One inquiry. `climb` gives the finding, or None when the budget is spent."""

    def __init__(self, start: Position, budget: int) -> None:
        self.nodes = 0
        self._budget = budget
        self._forced: list[int] = []
        self._passed: list[Position] = []
        self._pos = start
        self._dice = Dice(seed(start))
        self._doors: list[tuple[int, int, int, _Courses]] = []
        """A heap: walks begun there, men, minus its place among the closure's doors, next walks.

        The door with the fewest walks is first, then the one with the fewest men, the last met.
        """

    def climb(self) -> Mate | NoMate | None:
        finding = self._forced_line()
        if finding is not None or self._spent():
            return finding
        for step in self._steps():
            if step is not None or self._spent():
                return step
        return None

    def _spent(self) -> bool:
        return self.nodes >= self._budget

    def _none(self, kind: ProofKind, positions: list[Position], regions: list[Region]) -> NoMate:
        return NoMate(kind, tuple(self._forced), (*self._passed, *positions), tuple(regions))

    def _mate(self, line: list[int]) -> Mate:
        return Mate((*self._forced, *line))

    def _forced_line(self) -> Mate | NoMate | None:
        """Play as long as there is one move only. Mate, stalemate and material on the way."""
        seen = set()
        while True:
            pos = self._pos
            moves = legal_moves(pos)
            if not moves:
                if not pos.white_to_move and in_check(pos, white=False):
                    return self._mate([])
                return self._none(ProofKind.TERMINAL, [pos], [])
            if cannot_mate(pos):
                return self._none(ProofKind.MATERIAL, [], [])
            if pos.key() in seen:
                return self._none(ProofKind.FORCED, [], [])
            if len(moves) > 1 or self._spent():
                return None
            seen.add(pos.key())
            self._passed.append(pos)
            self._forced.append(moves[0])
            self._pos = play(pos, moves[0])
            self.nodes += 1

    def _steps(self) -> Iterator[Mate | NoMate | None]:
        """Each step ends with its finding, if it has one."""
        pos = self._pos
        walled = _walled(pos)
        closure = Closure(pos)
        courses = self._courses(pos)
        if walled:
            yield self._by_mobility(FIRST_SETTLEMENTS)
            yield self._close(closure, FIRST_CLOSURE // 4, 0)
        for _ in range(3 if walled else 6):
            yield self._walk(*next(courses))
        if not walled:
            yield self._by_mobility(FIRST_SETTLEMENTS)
        yield self._close(closure, FIRST_CLOSURE, 0)
        for _ in range(12):
            yield self._walk(*next(courses))
        size = 1000
        while True:
            yield self._by_mobility(size // SETTLEMENT_NODES)
            yield self._close(closure, 2 * size, BRANCH_SETTLEMENTS)
            for _ in range(2):
                plan = plans.wild(self._dice, squares=self._king_squares())
                yield self._walk(plan, size // 2)
            enough = self.nodes + size
            while self.nodes < enough:
                yield self._walk(*next(courses))
                for _ in range(DOOR_WALKS):
                    yield self._walk_from_a_door(closure)
            size *= 2

    def _by_mobility(self, limit: int) -> Mate | NoMate | None:
        if self._pos.ep != NO_SQUARE:
            return self._in_passing(limit)
        regions = self._proven(self._pos, limit)
        return None if regions is None else self._none(ProofKind.MOBILITY, [], regions)

    def _proven(self, pos: Position, limit: int) -> list[Region] | None:
        """Regions that hold this position for ever, found within so many settlements."""
        pieces = pieces_of(pos)
        if pieces is None:
            return None
        limit = min(limit, (self._budget - self.nodes) // SETTLEMENT_NODES)
        regions, spent = prove(pieces, limit)
        self.nodes += spent * SETTLEMENT_NODES
        return regions

    def _in_passing(self, limit: int) -> Mate | NoMate | None:
        """A pawn may be taken en passant now, or never: where no other move leads to a mate, these
        captures decide, and each is a question of its own with its share of the budget."""
        captures, others = _captures_in_passing(self._pos)
        regions: list[Region] = []
        for after in others:
            self.nodes += 1
            if cannot_mate(after) and legal_moves(after):
                continue
            shut = self._proven(after, limit)
            if shut is None:
                return None
            regions += shut
        positions, undecided = [self._pos], False
        for left, move in zip(range(len(captures), 0, -1), captures, strict=True):
            inquiry = Ladder(play(self._pos, move), (self._budget - self.nodes) // left)
            found = inquiry.climb()
            self.nodes += 1 + inquiry.nodes
            if isinstance(found, Mate):
                return self._mate([move, *found.line])
            if found is None:
                undecided = True
                continue
            positions += found.positions
            regions += found.regions
        return None if undecided else self._none(ProofKind.CLOSED_SET, positions, regions)

    def _close(self, closure: Closure, nodes: int, settlements: int) -> Mate | NoMate | None:
        before = closure.nodes
        closure.grow(min(nodes, self._budget - self.nodes), settlements)
        self.nodes += closure.nodes - before
        if closure.line is not None:
            return self._mate(closure.line)
        if closure.closed:
            return self._none(ProofKind.CLOSED_SET, closure.positions, closure.regions)
        return None

    def _walk(self, plan: Plan, limit: int) -> Mate | None:
        moves = self._walked(self._pos, plan, limit)
        return None if moves is None else self._mate(moves)

    def _walk_from_a_door(self, closure: Closure) -> Mate | None:
        """One walk from where the closure first came past a wall.

        A long way leads there, a long one from there to mate: one walk seldom finds both.
        """
        for place in range(len(self._doors), len(closure.doors)):
            at = closure.positions[closure.doors[place]]
            men = (at.white | at.black).bit_count()
            heappush(self._doors, (0, men, -place, self._courses(at)))
        if not self._doors:
            return None
        walks, men, place, courses = self._doors[0]
        heapreplace(self._doors, (walks + 1, men, place, courses))
        door = closure.doors[-place]
        moves = self._walked(closure.positions[door], *next(courses))
        return None if moves is None else self._mate([*closure.line_to(door), *moves])

    def _walked(self, start: Position, plan: Plan, limit: int) -> list[int] | None:
        """One walk; a plan that only promotes is followed by one or two that mate."""
        walk = Walk(plan, self._dice, min(limit, self._budget - self.nodes))
        found = walk.run(start)
        self.nodes += walk.nodes
        if not found:
            return None
        assert walk.line is not None
        assert walk.reached is not None
        if not legal_moves(walk.reached):
            mated = in_check(walk.reached, white=False)
            return walk.line if mated else None
        for corner in _corners(walk.reached)[:2]:
            then = plans.meeting(walk.reached, corner, self._dice)
            rest = Walk(then, self._dice, min(150, self._budget - self.nodes))
            found = rest.run(walk.reached)
            self.nodes += rest.nodes
            if found:
                assert rest.line is not None
                return [*walk.line, *rest.line]
        return None

    def _courses(self, pos: Position) -> _Courses:
        """Plans for walks that begin here."""
        dice = self._dice
        corners = _corners(pos)
        if plans.lone_minor(pos):
            yield from self._lone_courses(pos)
        if not pos.white & (pos.pawns | pos.rooks | pos.queens):
            yield from self._minor_courses(pos, corners)
        if plans.shut_pawns(pos):
            for _ in range(3):
                yield plans.promoting(pos, dice), 150
        yield plans.meeting(pos, corners[0], dice), 150
        yield plans.meeting(pos, corners[1], dice), 250
        limit = 120
        while True:
            if pos.pawns & pos.white:
                yield plans.promoting(pos, dice), limit
                yield plans.offering(pos, dice), limit
            yield plans.meeting(pos, corners[dice.roll(4)], dice), limit
            yield plans.wild(dice, squares=list(range(64))), limit
            limit += 40

    def _lone_courses(self, pos: Position) -> _Courses:
        limit = 120
        while True:
            yield plans.helped(pos, self._dice), limit
            limit += 10

    def _minor_courses(self, pos: Position, corners: list[int]) -> _Courses:
        dice = self._dice
        ours = _of_bishops(pos, corners)
        limit = 100
        while True:
            for _ in range(3):
                yield plans.paired(pos, ours[dice.roll(len(ours))], dice), limit
            yield plans.meeting(pos, ours[dice.roll(len(ours))], dice), limit
            limit += 20

    def _king_squares(self) -> list[int]:
        """Where Black's king may ever stand: in walled positions not everywhere."""
        pieces = pieces_of(self._pos)
        if pieces is None or not settle(pieces, still=True):
            return list(range(64))
        reach = next(
            pieces.reach[i]
            for i in range(pieces.count)
            if pieces.kind[i] == KING and not pieces.white[i]
        )
        return [square for square in range(64) if reach >> square & 1]


def _captures_in_passing(pos: Position) -> tuple[list[int], list[Position]]:
    """The legal captures en passant, and what every other move leads to."""
    moves = legal_moves(pos)
    captures = [move for move in moves if piece(move) == PAWN and target(move) == pos.ep]
    return captures, [play(pos, move) for move in moves if move not in captures]


def _corners(pos: Position) -> list[int]:
    """Those where White promotes first, the nearer to Black's king before the other."""
    king = _SQUARE[(pos.kings & pos.black) % 67]
    return sorted(plans.CORNERS, key=lambda c: (c > 8, plans.DISTANCE[c][king]))


def _of_bishops(pos: Position, corners: list[int]) -> list[int]:
    """The corners a white bishop can check on; all, without one."""
    bishops = pos.white & pos.bishops
    found = [c for c in corners if bishops & (LIGHT if LIGHT >> c & 1 else ~LIGHT)]
    return found or corners


def _walled(pos: Position) -> bool:
    """No heavy white piece and no white pawn free to push: then a proof is looked for first."""
    if pos.white & (pos.rooks | pos.queens):
        return False
    return not (pos.pawns & pos.white) >> 8 & ~(pos.white | pos.black)
