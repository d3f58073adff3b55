"""Which moves are legal in the river game, and what each changes.

Orthodox chess except: an empty river square without a counter lets nobody pass or land; a pawn
that steps on one becomes a counter; pawns never capture; kings never stand on the river; and the
side that lags behind in transformed pawns owes one (`owes`).
"""

from __future__ import annotations

from typing import NamedTuple

from arbiterd.rules.chess_moves import (
    KING_STEPS,
    KNIGHT_STEPS,
    SLANTED_RAYS,
    STRAIGHT_RAYS,
    board_after,
)
from arbiterd.rules.chess_position import file, row
from arbiterd.rules.guadalete_position import Choices, GuadaletePosition
from eboards.events import CHESS_BOARD, COUNTER

_PIECES = {True: frozenset("PNBRQK"), False: frozenset("pnbrqk")}


class GuadaleteMove(NamedTuple):
    """A move by its squares. `transforms`: the pawn becomes a counter on `target`."""

    origin: int
    target: int
    promotion: str = ""
    rook: int = -1
    transforms: bool = False


def river_of(choices: Choices) -> frozenset[int]:
    return frozenset(CHESS_BOARD.square(name) for name in choices.river)


class Waters:
    """The river of one game, and all questions that depend on it."""

    def __init__(self, choices: Choices) -> None:
        self.choices = choices
        self.river = river_of(choices)

    def passable(self, position: GuadaletePosition, square: int) -> bool:
        return square not in self.river or square in position.planks

    # Attacks and checks.

    def attacked(self, position: GuadaletePosition, square: int, by_white: bool) -> bool:
        """Whether a piece of that side could capture on the square; pawns never can."""
        if not self.passable(position, square):
            return False
        board = position.board
        rook, bishop, queen, knight, king = "RBQNK" if by_white else "rbqnk"
        for rays, sliders in (
            (STRAIGHT_RAYS[square], (rook, queen)),
            (SLANTED_RAYS[square], (bishop, queen)),
        ):
            for ray in rays:
                for at in ray:
                    if board[at] in sliders:
                        return True
                    if board[at] != "." or not self.passable(position, at):
                        break
        if any(board[at] == knight for at in KNIGHT_STEPS[square]):
            return True
        if square in self.river and not self.choices.king_attacks_planks:
            return False
        return any(board[at] == king for at in KING_STEPS[square])

    def in_check(self, position: GuadaletePosition, white: bool) -> bool:
        king = "K" if white else "k"
        return any(
            piece == king and self.attacked(position, square, not white)
            for square, piece in enumerate(position.board)
        )

    # Moves.

    def legal_moves(self, position: GuadaletePosition) -> tuple[GuadaleteMove, ...]:
        """All of them, ordered by origin; only transformations where one is owed and possible."""
        safe = self.safe_moves(position)
        if not owes(position):
            return safe
        transformations = tuple(move for move in safe if move.transforms)
        if transformations or self.choices.duty_impossible == "strict":
            return transformations
        return safe

    def safe_moves(self, position: GuadaletePosition) -> tuple[GuadaleteMove, ...]:
        """Moves that leave no own king attacked, the duty left aside."""
        own = _PIECES[position.white]
        return tuple(
            move
            for square, piece in enumerate(position.board)
            if piece in own
            for move in self._reach(position, square, piece)
            if position.board[move.target] not in ("K", "k")
            and not self.in_check(self.play(position, move), position.white)
        )

    def _reach(self, position: GuadaletePosition, square: int, piece: str) -> list[GuadaleteMove]:
        kind = piece.upper()
        if kind == "P":
            return self._pawn_reach(position, square)
        own = _PIECES[position.white]
        if kind == "N":
            return [
                GuadaleteMove(square, at)
                for at in KNIGHT_STEPS[square]
                if position.board[at] not in own and self.passable(position, at)
            ]
        if kind == "K":
            return self._king_reach(position, square)
        rays: tuple[tuple[int, ...], ...] = ()
        if kind in "RQ":
            rays += STRAIGHT_RAYS[square]
        if kind in "BQ":
            rays += SLANTED_RAYS[square]
        found: list[GuadaleteMove] = []
        for ray in rays:
            for at in ray:
                if position.board[at] in own or not self.passable(position, at):
                    break
                found.append(GuadaleteMove(square, at))
                if position.board[at] != ".":
                    break
        return found

    def _king_reach(self, position: GuadaletePosition, square: int) -> list[GuadaleteMove]:
        own = _PIECES[position.white]
        steps = [
            GuadaleteMove(square, at)
            for at in KING_STEPS[square]
            if at not in self.river and position.board[at] not in own
        ]
        if self.attacked(position, square, not position.white):
            return steps
        piece = "R" if position.white else "r"
        castlings = [
            GuadaleteMove(square, row(square) * 8 + (6 if rook > square else 2), "", rook)
            for rook in position.castling
            if position.board[rook] == piece and row(rook) == row(square)
        ]
        return steps + [move for move in castlings if self._may_castle(position, move)]

    def _may_castle(self, position: GuadaletePosition, move: GuadaleteMove) -> bool:
        between = range(min(move.origin, move.rook) + 1, max(move.origin, move.rook))
        step = 1 if move.target > move.origin else -1
        return all(position.board[at] == "." for at in between) and not any(
            self.attacked(position, at, not position.white)
            for at in range(move.origin + step, move.target, step)
        )

    def _pawn_reach(self, position: GuadaletePosition, square: int) -> list[GuadaleteMove]:
        ahead = -8 if position.white else 8
        moves: list[GuadaleteMove] = []
        first = square + ahead
        if not 0 <= first < 64 or position.board[first] != ".":
            return moves
        moves += self._pawn_lands(position, square, first)
        second = first + ahead
        home = row(square) == (6 if position.white else 1)
        if home and self.passable(position, first) and position.board[second] == ".":
            wet = second in self.river
            if not (wet and self.choices.double_step == "none"):
                moves += self._pawn_lands(position, square, second)
        return moves

    def pawn_goes(self, position: GuadaletePosition, move: GuadaleteMove) -> bool:
        """Whether a pawn moves so, the safety of its king and the duty left aside."""
        return move in self._pawn_reach(position, move.origin)

    def waters_before(self, position: GuadaletePosition, square: int) -> list[int]:
        """Where a pawn would become a plank, the safety of its king and the duty left aside."""
        return [move.target for move in self._pawn_reach(position, square) if move.transforms]

    def _pawn_lands(
        self, position: GuadaletePosition, origin: int, target: int
    ) -> list[GuadaleteMove]:
        if not self.passable(position, target):
            return [GuadaleteMove(origin, target, transforms=True)]
        if target in self.river and self.choices.pawn_on_plank != "stay":
            stacks = self.choices.pawn_on_plank == "transform"
            return [GuadaleteMove(origin, target, transforms=True)] if stacks else []
        if row(target) in (0, 7) and self.choices.promotion:
            letters = "QRBN" if position.white else "qrbn"
            return [GuadaleteMove(origin, target, letter) for letter in letters]
        return [GuadaleteMove(origin, target)]

    # What a move changes.

    def play(self, position: GuadaletePosition, move: GuadaleteMove) -> GuadaletePosition:
        board, white = position.board, position.white
        piece = board[move.origin]
        planks, (by_white, by_black) = position.planks, position.transformed
        if move.transforms:
            planks = tuple(sorted({*planks, move.target}))
            by_white, by_black = by_white + white, by_black + (not white)
        base = 56 if white else 0
        castling = tuple(
            rook
            for rook in position.castling
            if rook not in (move.origin, move.target)
            and not (piece in "Kk" and base <= rook < base + 8)
        )
        taken = move.rook < 0 and board[move.target] != "."
        return GuadaletePosition(
            board_after(board, changes(position, move)),
            not white,
            castling,
            planks,
            (by_white, by_black),
            0 if piece in "Pp" or taken else position.quiet + 1,
            position.number + (not white),
        )

    def shown(self, position: GuadaletePosition) -> tuple[str, ...]:
        """As perfect sensors would show it: counters only where the board sees them."""
        if not self.choices.counters_sensed:
            return tuple(position.board)
        return tuple(
            COUNTER if piece == "." and square in position.planks else piece
            for square, piece in enumerate(position.board)
        )


def changes(position: GuadaletePosition, move: GuadaleteMove) -> list[tuple[int, str]]:
    """The pieces that stand otherwise after the move, planks left aside."""
    board = position.board
    piece = board[move.origin]
    if move.transforms:
        return [(move.origin, ".")]
    if move.rook >= 0:
        rook_to = row(move.origin) * 8 + (5 if file(move.target) == 6 else 3)
        written = {move.origin: ".", move.rook: ".", move.target: piece, rook_to: board[move.rook]}
        return sorted(written.items())
    return sorted([(move.origin, "."), (move.target, move.promotion or piece)])


def owes(position: GuadaletePosition) -> bool:
    """The balance duty: more than half of what the other side has transformed, while any pawn
    is left to do it with."""
    white, black = position.transformed
    own, other = (white, black) if position.white else (black, white)
    pawn = "P" if position.white else "p"
    return other >= 1 and 2 * own <= other and pawn in position.board
