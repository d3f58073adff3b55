"""Three matchers from published ideas, to hold tracking against. None is used in service.

- `LookUp`: wait until the board is quiet, then look for what it shows among all legal
  successors of the present position. Pinned: every legal move is pushed with python-chess
  and `board_fen()` compared.
- `AnyEarlier`: the same, among the successors of every position of the game so far, so that a
  move taken back is found again.
- `DepthTwo`: the same, and where one half-move explains nothing, every pair of them.
"""

from __future__ import annotations

from abc import abstractmethod
from time import thread_time_ns

import chess

from arbiterd.rules.ruleset import Colour, board_field
from arbiterd.simulation.profiles import MS
from eboards.events import CHESS_BOARD, Piece, Placement, Sensing, Square

SETTLE_NS = 700 * MS
"""How long a board is quiet before it counts: the time DGT's own code took."""


class Matcher:
    """Keeps the image of the board, waits for quiet, and asks `explain` what it shows."""

    def __init__(self) -> None:
        self.line: list[str] = []
        self.alarms: list[tuple[int, str]] = []
        """When a press found the board unexplained."""
        self.costs_ns: list[int] = []
        """CPU time of each settled placement."""
        self.due_at_ns: int | None = None
        self._image: list[Piece] = ["."] * 64
        self._explained = True

    def changed(self, at_ns: int, square: Square, piece: Piece) -> None:
        self._image[square] = piece
        self.due_at_ns = at_ns + SETTLE_NS

    def scanned(self, at_ns: int, placement: Placement) -> None:
        if tuple(self._image) != placement:
            self._image = list(placement)
            self.due_at_ns = at_ns + SETTLE_NS

    def pressed(self, at_ns: int, _side: Colour, _late_ns: int, *_more: object) -> None:
        self.due(at_ns)
        if not self._explained:
            self.alarms.append((at_ns, "unexplained at the press"))

    def clock(self, at_ns: int, running: Colour | None, known: bool) -> None:
        """None of these ideas asks the clock."""

    def link(self, at_ns: int, up: bool, sensing: Sensing | None, reason: str = "") -> None:
        """Nor do they know of links."""

    def due(self, _at_ns: int) -> None:
        """The board is quiet: what does it show?"""
        if self.due_at_ns is None:
            return
        self.due_at_ns = None
        began_ns = thread_time_ns()
        self._explained = self.explain(board_field(CHESS_BOARD, self._image))
        self.costs_ns.append(thread_time_ns() - began_ns)

    @abstractmethod
    def explain(self, seen: str) -> bool:
        """Take this board field as the new position if it can be. False: it cannot."""
        raise NotImplementedError


class LookUp(Matcher):
    """Among all legal successors of the present position."""

    def __init__(self) -> None:
        super().__init__()
        self._board = chess.Board()

    def explain(self, seen: str) -> bool:
        if self._board.board_fen() == seen:
            return True
        for move in self._board.legal_moves:
            self._board.push(move)
            if self._board.board_fen() == seen:
                self.line.append(move.uci())
                return True
            self._board.pop()
        return False


class AnyEarlier(Matcher):
    """Among the successors of every position so far; the newest that fits."""

    def __init__(self) -> None:
        super().__init__()
        self._boards = [chess.Board()]
        self._reached: dict[str, tuple[int, str]] = {}
        self._reach(0)

    def _reach(self, number: int) -> None:
        board = self._boards[number]
        for move in list(board.legal_moves):
            board.push(move)
            self._reached[board.board_fen()] = (number, move.uci())
            board.pop()

    def explain(self, seen: str) -> bool:
        if self._boards[-1].board_fen() == seen:
            return True
        found = self._reached.get(seen)
        if found is None:
            return False
        number, move = found
        if number + 1 < len(self._boards):
            self._reached = {k: v for k, v in self._reached.items() if v[0] <= number}
        self.line[number:] = [move]
        board = self._boards[number].copy(stack=False)
        board.push_uci(move)
        self._boards[number + 1 :] = [board]
        self._reach(number + 1)
        return True


class DepthTwo(Matcher):
    """One half-move, else two."""

    def __init__(self) -> None:
        super().__init__()
        self._board = chess.Board()

    def explain(self, seen: str) -> bool:
        return self._board.board_fen() == seen or self._search(seen, 1) or self._search(seen, 2)

    def _search(self, seen: str, plies: int) -> bool:
        for move in list(self._board.legal_moves):
            self._board.push(move)
            if (plies == 1 and self._board.board_fen() == seen) or (
                plies > 1 and self._search(seen, plies - 1)
            ):
                self.line.insert(len(self.line) - plies + 1, move.uci())
                return True
            self._board.pop()
        return False
