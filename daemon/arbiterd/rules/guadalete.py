"""Ajedrez del Guadalete: chess across a river of sixteen squares and sixteen counters."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache

from arbiterd.rules.chess_position import START
from arbiterd.rules.customs import Custom
from arbiterd.rules.guadalete_attempt import laid_by, read_attempt, taken_as_played
from arbiterd.rules.guadalete_dead import can_mate, is_dead
from arbiterd.rules.guadalete_moves import GuadaleteMove, Waters, changes, owes
from arbiterd.rules.guadalete_position import (
    Choices,
    GuadaletePosition,
    read_position,
    write_position,
)
from arbiterd.rules.ruleset import Attempt, Change, Colour, GameEnd
from eboards.events import CHESS_BOARD, COUNTER, EMPTY, Piece, Placement, Square

START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

_CENTRE = tuple(map(CHESS_BOARD.square, ("d5", "e5", "d4", "e4")))

POSITIONS_CACHED = 4096
"""Positions whose moves are remembered, over all tables of one service."""


class GuadaleteRules:
    """The river game with one set of choices."""

    name = "guadalete"
    geometry = CHESS_BOARD
    squares_per_ply = 4
    first = Colour.WHITE
    replayed: frozenset[GameEnd] = frozenset()
    customs = frozenset(
        (Custom.TOUCH, Custom.PRESS, Custom.CHESS_PIECES, Custom.DRAW_CLAIMS, Custom.RIVER)
    )
    variant = "Guadalete"
    letters = "KQRBNP"

    def __init__(self, choices: Choices | None = None) -> None:
        self.choices = choices or Choices()
        self.waters = Waters(self.choices)
        self._legal = lru_cache(maxsize=POSITIONS_CACHED)(self.waters.legal_moves)

    # Positions.

    def start(self, setup: str = "") -> GuadaletePosition:
        return read_position(setup or START_FEN, self.waters.river)

    def is_start(self, placement: Placement) -> GuadaletePosition | None:
        return self.start() if "".join(placement) == START else None

    def fen(self, position: GuadaletePosition) -> str:
        return write_position(position)

    def turn(self, position: GuadaletePosition) -> Colour:
        return Colour.WHITE if position.white else Colour.BLACK

    def in_check(self, position: GuadaletePosition, colour: Colour) -> bool:
        return self.waters.in_check(position, colour is Colour.WHITE)

    def placement(self, position: GuadaletePosition) -> Placement:
        return self.waters.shown(position)

    def key(self, position: GuadaletePosition) -> Hashable:
        return position[:5]

    def quiet_plies(self, position: GuadaletePosition) -> int:
        return position.quiet if self.choices.fifty else 0

    # Moves.

    def legal_moves(self, position: GuadaletePosition) -> tuple[GuadaleteMove, ...]:
        return self._legal(position)

    def play(self, position: GuadaletePosition, move: GuadaleteMove) -> GuadaletePosition:
        return self.waters.play(position, move)

    def footprint(self, position: GuadaletePosition, move: GuadaleteMove) -> tuple[Change, ...]:
        before = self.waters.shown(position)
        after = self.waters.shown(self.waters.play(position, move))
        squares = {square for square, _ in changes(position, move)} | {move.target}
        return tuple((s, after[s]) for s in sorted(squares) if before[s] != after[s])

    def touched(self, position: GuadaletePosition, move: GuadaleteMove) -> tuple[Square, ...]:
        if move.rook >= 0:
            return (move.origin, move.rook)
        taken = not move.transforms and position.board[move.target] != EMPTY
        return (move.origin, move.target) if taken else (move.origin,)

    def wire(self, _position: GuadaletePosition, move: GuadaleteMove) -> str:
        names = CHESS_BOARD.names
        last = "t" if move.transforms else move.promotion.lower()
        return names[move.origin] + names[move.target] + last

    def san(self, position: GuadaletePosition, move: GuadaleteMove) -> str:
        after = self.play(position, move)
        sign = ""
        if self.waters.in_check(after, after.white):
            sign = "+" if self.legal_moves(after) else "#"
        return self._plain_san(position, move) + sign

    def _plain_san(self, position: GuadaletePosition, move: GuadaleteMove) -> str:
        names, piece = CHESS_BOARD.names, position.board[move.origin].upper()
        if move.rook >= 0:
            return "O-O" if move.rook > move.origin else "O-O-O"
        if piece == "P":
            ending = "=T" if move.transforms else f"={move.promotion.upper()}"
            return names[move.target] + (ending if len(ending) > 1 else "")
        rivals = [
            names[other.origin]
            for other in self.legal_moves(position)
            if other.target == move.target
            and other.origin != move.origin
            and position.board[other.origin] == position.board[move.origin]
        ]
        origin = names[move.origin]
        if not rivals:
            told = ""
        elif all(name[0] != origin[0] for name in rivals):
            told = origin[0]
        elif all(name[1] != origin[1] for name in rivals):
            told = origin[1]
        else:
            told = origin
        takes = "x" if position.board[move.target] != EMPTY else ""
        return f"{piece}{told}{takes}{names[move.target]}"

    def parse(self, position: GuadaletePosition, text: str) -> GuadaleteMove:
        moves = self.legal_moves(position)
        wanted = re.sub("0", "O", text.strip()).rstrip("+#")
        for move in moves:
            if text.strip() == self.wire(position, move):
                return move
        for move in moves:
            if wanted == self._plain_san(position, move):
                return move
        raise ValueError(f"{text!r} is no legal move here; the position is {self.fen(position)}")

    # Irregular play.

    def owner(self, piece: Piece) -> Colour | None:
        if piece in ("w", "b"):
            return Colour.WHITE if piece == "w" else Colour.BLACK
        if piece == COUNTER or piece.upper() not in ("P", "N", "B", "R", "Q", "K"):
            return None
        return Colour.WHITE if piece.isupper() else Colour.BLACK

    def read_attempt(
        self, position: GuadaletePosition, placement: Placement, mover: Colour
    ) -> Attempt | None:
        return read_attempt(self.waters, position, placement, mover)

    def taken_as_played(
        self, position: GuadaletePosition, placement: Placement, to_move: Colour
    ) -> GuadaletePosition | None:
        return taken_as_played(self.waters, position, placement, to_move)

    @property
    def missing_counter(self) -> str:
        return self.choices.counter_missing

    def planked(self, position: GuadaletePosition, placement: Placement) -> bool:
        return laid_by(self.waters, position, placement, position.white) is not None

    # Ends.

    def can_mate(self, position: GuadaletePosition, colour: Colour) -> bool | None:
        """Never where it cannot bring enough across; otherwise it is not looked for."""
        possible = can_mate(self.waters, position, colour is Colour.WHITE)
        return None if possible else False

    def end(self, position: GuadaletePosition) -> tuple[GameEnd, Colour | None] | None:
        """Mate, stalemate, or no way for either to bring mating force across."""
        if not self.legal_moves(position):
            if self.waters.in_check(position, position.white):
                return GameEnd.CHECKMATE, self.turn(position).other
            return GameEnd.STALEMATE, None
        return (GameEnd.DEAD, None) if is_dead(self.waters, position) else None

    def end_by_history(
        self, positions: tuple[GuadaletePosition, ...]
    ) -> tuple[GameEnd, Colour | None] | None:
        """The fifth occurrence (the third by choice), or 75 quiet moves by each side."""
        last = positions[-1][:5]
        enough = 3 if self.choices.threefold == "automatic" else 5
        if sum(position[:5] == last for position in positions) >= enough:
            return GameEnd.FIVEFOLD, None
        spent = self.choices.fifty and positions[-1].quiet >= 150
        return (GameEnd.SEVENTY_FIVE, None) if spent else None

    def kings_in_centre(self, placement: Sequence[Piece]) -> tuple[Square, ...]:
        return tuple(square for square in _CENTRE if placement[square] in ("K", "k"))

    def result_signal(self, placement: Sequence[Piece]) -> str | None:
        """Kings in the centre stand on the river, where no king can be by play."""
        kings = sorted(CHESS_BOARD.names[square] for square in self.kings_in_centre(placement))
        if len(kings) != 2 or placement.count("K") + placement.count("k") != 2:
            return None
        return {("d5", "e4"): "1-0", ("d4", "e5"): "0-1"}.get((kings[0], kings[1]), "1/2-1/2")

    def facts(self, position: GuadaletePosition) -> Mapping[str, str]:
        """Planks, the score of transformed pawns, and who owes one."""
        names = CHESS_BOARD.names
        white, black = position.transformed
        side = self.turn(position).value if owes(position) else ""
        return {
            "river": ",".join(sorted(self.choices.river)),
            "planks": ",".join(sorted(names[square] for square in position.planks)),
            "transformed": f"{white}/{black}",
            "owes": side,
        }


GUADALETE = GuadaleteRules()
