"""A help-mate by walking greedily towards a plan, with restarts under other plans.

Both sides help, so mates are many and a long line of good steps finds one where a search by depth
would drown. A `Plan` says what each piece likes on each square; `walk` follows the best liked move
first, never visits a position twice, and looks one half-move ahead at every check. White is the
side that mates. Failing proves nothing.
"""

from __future__ import annotations

from arbiterd.rules.bitboard import Position, has_flight, in_check, kind_at, legal_moves, play, seed
from arbiterd.rules.bitboard_attacks import (
    between,
    bishop_attacks,
    pawn_targets,
    rook_attacks,
    step_attacks,
)
from arbiterd.rules.bitboard_constants import (
    BISHOP,
    FULL,
    KING,
    KNIGHT,
    PAWN,
    QUEEN,
    ROOK,
    square_table,
)
from arbiterd.rules.mating.dice import Dice
from arbiterd.rules.mating.material import cannot_mate

_SQUARE: list[int] = square_table()

_MOVE = (1 << 18) - 1
_SCORE_ZERO = 1 << 14
_CHANCE = 400


class Plan:
    """What to strive for. Tables are flat: the liking of piece number p on square s at p * 64 + s.

    `far` holds for White until Black's king stands on or beside `target`, `near` from then on:
    pieces that hurry to the target guard it, and the king could not come.
    """

    __slots__ = (
        "black",
        "branch",
        "crowns",
        "depth",
        "far",
        "loose",
        "near",
        "noise",
        "promote",
        "promotes",
        "spare",
        "takes",
        "target",
    )

    def __init__(
        self,
        far: list[int],
        near: list[int],
        black: list[int],
        target: int,
        *,
        takes: list[int],
        spare: int,
        promotes: list[int],
        crowns: list[int],
        promote: bool,
        noise: int,
        loose: int = 0,
        branch: int,
        depth: int,
    ) -> None:
        self.far = far
        self.near = near
        self.black = black
        self.target = target
        self.takes = takes
        """White's liking for a capture, by the number of what is taken."""
        self.spare = spare
        """Black's dislike of one."""
        self.promotes = promotes
        """Black's liking for each new piece, by its number: a lone minor needs a helper."""
        self.crowns = crowns
        """White's liking for each new piece."""
        self.promote = promote
        """Is a promotion by White already the goal?"""
        self.noise = noise
        self.loose = loose
        """So many half-moves go first in which chance outweighs all likings."""
        self.branch = branch
        self.depth = depth


class Walk:
    """One run. After `run`: `line` is the moves to the goal or None; `nodes` positions made."""

    __slots__ = ("dice", "goal", "limit", "line", "nodes", "noise", "plan", "reached", "seen")

    def __init__(self, plan: Plan, dice: Dice, limit: int) -> None:
        self.plan = plan
        self.dice = dice
        self.limit = limit
        self.nodes = 0
        self.line: list[int] | None = None
        self.reached: Position | None = None
        """Where the line ends."""
        self.goal = 0
        self.noise = _CHANCE if plan.loose else plan.noise
        self.seen: set[int] = set()

    def run(self, start: Position) -> bool:
        """Walk from a position that has legal moves. True if the goal was reached."""
        pos = start
        positions: list[Position] = []
        choices: list[list[int]] = []
        tried: list[int] = []
        moves: list[int] = []
        self.seen.add(seed(pos))
        choice = self.liked(pos)
        while True:
            if self.goal:
                self.line = [*moves, self.goal]
                self.reached = play(pos, self.goal)
                return True
            positions.append(pos)
            choices.append(choice)
            tried.append(0)
            while True:
                while choices and (
                    not choices[-1]
                    or tried[-1] >= self.plan.branch
                    or len(choices) > self.plan.depth
                ):
                    choices.pop()
                    tried.pop()
                    positions.pop()
                    if moves:
                        moves.pop()
                if not choices or self.nodes >= self.limit:
                    return False
                choice = choices[-1]
                if tried[-1] == 1:
                    choice.sort()
                tried[-1] += 1
                move = choice.pop() & _MOVE
                pos = play(positions[-1], move)
                self.nodes += 1
                key = seed(pos)
                if key in self.seen:
                    continue
                self.seen.add(key)
                if not (_taken(positions[-1], pos) and cannot_mate(pos)):
                    break
            moves.append(move)
            self.noise = _CHANCE if len(moves) < self.plan.loose else self.plan.noise
            choice = self.liked(pos)

    def liked(self, pos: Position) -> list[int]:
        """The legal moves under their liking, best last, the rest in any order.

        Sorting waits until play comes back here, which is seldom. Sets `goal` on seeing it.
        """
        return self.white_moves(pos) if pos.white_to_move else self.black_moves(pos)

    def white_moves(self, pos: Position) -> list[int]:
        plan = self.plan
        dice = self.dice
        occupied = pos.white | pos.black
        enemy = pos.black
        king = _SQUARE[(pos.kings & enemy) % 67]
        diagonal = bishop_attacks(king, occupied)
        straight = rook_attacks(king, occupied)
        knightly = step_attacks(KNIGHT, king)
        pawnly = pawn_targets(king, white=False)
        hidden = _discoverers(pos, king)
        is_near = king == plan.target or _beside(king, plan.target)
        found: list[int] = []
        best = 0
        for move in legal_moves(pos):
            at = move & 63
            to = move >> 6 & 63
            kind = move >> 12 & 7
            became = move >> 15
            liking = _SCORE_ZERO + dice.roll(self.noise)
            if is_near:
                liking += plan.near[move >> 6 & 511] - plan.near[move >> 6 & 448 | at]
            else:
                liking += plan.far[move >> 6 & 511] - plan.far[move >> 6 & 448 | at]
            if became:
                liking += plan.crowns[became]
                if plan.promote and became == QUEEN:
                    self.goal = move
                kind = QUEEN  # A check along lines the pawn leaves open counts as one too.
            if enemy >> to & 1:
                liking += plan.takes[kind_at(pos, to)]
            if kind == PAWN:
                checks = pawnly
            elif kind == KNIGHT:
                checks = knightly
            elif kind == BISHOP:
                checks = diagonal
            elif kind == ROOK:
                checks = straight
            elif kind == QUEEN:
                checks = FULL if became else diagonal | straight
            else:
                checks = 0
            if (checks >> to | hidden >> at) & 1:
                self.nodes += 1
                reply = play(pos, move)
                if (
                    not has_flight(reply)
                    and in_check(reply, white=False)
                    and not legal_moves(reply)
                ):
                    self.goal = move
            liking = liking << 18 | move
            if liking > best:
                liking, best = best, liking
            if liking:
                found.append(liking)
        if best:
            found.append(best)
        return found

    def black_moves(self, pos: Position) -> list[int]:
        plan = self.plan
        found: list[int] = []
        best = 0
        for move in legal_moves(pos):
            at = move & 63
            liking = plan.black[move >> 6 & 511] - plan.black[move >> 6 & 448 | at] + _SCORE_ZERO
            liking += self.dice.roll(self.noise)
            liking += plan.promotes[move >> 15]
            if pos.white >> (move >> 6 & 63) & 1:
                liking -= plan.spare
            liking = liking << 18 | move
            if liking > best:
                liking, best = best, liking
            if liking:
                found.append(liking)
        if best:
            found.append(best)
        return found


def _taken(before: Position, pos: Position) -> bool:
    """Was the move between these a capture?"""
    return before.white != pos.white if pos.white_to_move else before.black != pos.black


def _beside(a: int, b: int) -> bool:
    return bool(step_attacks(KING, a) >> b & 1)


def _discoverers(pos: Position, king: int) -> int:
    """White pieces that alone stand between Black's king and a white slider."""
    occupied = pos.white | pos.black
    snipers = rook_attacks(king, pos.black) & (pos.rooks | pos.queens) & pos.white
    snipers |= bishop_attacks(king, pos.black) & (pos.bishops | pos.queens) & pos.white
    found = 0
    while snipers:
        shield = between(king, _SQUARE[(snipers & -snipers) % 67]) & occupied
        if shield & (shield - 1) == 0:
            found |= shield & pos.white
        snipers &= snipers - 1
    return found
