"""One subscription: what its client has been told, and the moves since its set-up."""

from __future__ import annotations

from typing import Any

from arbiterd.outlets.livechess.boards import EBoard, plain
from arbiterd.rules.registry import ruleset
from arbiterd.rules.ruleset import read_board_field
from arbiterd.tracking.settings import TrackingSettings
from arbiterd.tracking.tracker import Tracker
from eboards.events import CHESS_BOARD, Sensing, SensingClass

SNAPSHOT_NS = 200_000_000
"""States come at most five times a second."""

CHESS = ruleset("chess")


class SetUpError(Exception):
    """The client's FEN cannot be played from; the message says why."""


class Moves:
    """The reconstruction a client asks for with `setup`: from its FEN, by what the board shows."""

    def __init__(self, fen: str, at_ns: int) -> None:
        try:
            self._position = CHESS.start(fen)
        except ValueError as wrong:
            raise SetUpError(str(wrong)) from None
        self.start = fen
        sensing = Sensing(SensingClass.IDENTITY, SNAPSHOT_NS)
        self._tracker = Tracker(CHESS, sensing, TrackingSettings(), self._position, at_ns)
        # A client may set up late: what was played before is read as after a lost board.
        self._tracker.link(at_ns, False, None)
        self._tracker.link(at_ns, True, sensing)

    def seen(self, at_ns: int, board: str) -> None:
        """The board shows this now."""
        self.until(at_ns)
        placement = read_board_field(CHESS_BOARD, board)
        self._tracker.scanned(at_ns, placement)

    def until(self, at_ns: int) -> None:
        """Time goes on: moves settle."""
        while (due_ns := self._tracker.due_at_ns) is not None and due_ns <= at_ns:
            self._tracker.due(due_ns)

    @property
    def due_at_ns(self) -> int | None:
        return self._tracker.due_at_ns

    @property
    def san(self) -> list[str]:
        """All moves since the set-up; a corrected one simply gives another list."""
        position, told = self._position, []
        for ply in self._tracker.record.plies:
            if not ply.move:
                break
            move = CHESS.parse(position, ply.move)
            told.append(CHESS.san(position, move))
            position = CHESS.play(position, move)
        return told

    @property
    def match(self) -> bool:
        """The board equals the position after the last move."""
        return self._tracker.placement == CHESS.placement(self._tracker.position)


class Feed:
    """The subscription of one client to one board."""

    def __init__(self, number: Any, serial: str) -> None:
        self.number = number
        """The client's own id, echoed with its JSON type."""
        self.serial = serial
        self.flipped = False
        self.moves: Moves | None = None
        self._told: EBoard | None = None
        self._told_san: tuple[list[str], bool] | None = None

    def whole(self, board: EBoard) -> dict[str, Any]:
        """The full state, the first event of a subscription."""
        self._told = board
        clock = plain(board.clock)
        return self._event(board, {"board": board.board, "clock": clock})

    def set_up(self, board: EBoard, fen: str, at_ns: int) -> dict[str, Any]:
        """Moves are told from here on. Raises SetUpError."""
        moves = Moves(fen, at_ns)
        if board.board is not None:
            moves.seen(at_ns, board.board)
        self.moves = moves
        self._told_san = (moves.san, moves.match)
        return self._event(board, self._game())

    def news(self, board: EBoard, at_ns: int) -> dict[str, Any] | None:
        """What is new since the last event; None: nothing."""
        before, fields = self._told, {}
        if board.board is not None and (before is None or board.board != before.board):
            fields["board"] = board.board
            if self.moves is not None:
                self.moves.seen(at_ns, board.board)
        if self.moves is not None:
            self.moves.until(at_ns)
        if before is None or board.clock != before.clock:
            fields["clock"] = plain(board.clock)
        game = None if self.moves is None else (self.moves.san, self.moves.match)
        if not fields and game == self._told_san:
            return None
        self._told, self._told_san = board, game
        return self._event(board, fields | (self._game() if self.moves is not None else {}))

    def _game(self) -> dict[str, Any]:
        assert self.moves is not None, "a set-up came first"
        return {"start": self.moves.start, "san": self.moves.san, "match": self.moves.match}

    def _event(self, board: EBoard, fields: dict[str, Any]) -> dict[str, Any]:
        return {"serialnr": board.serialnr, "flipped": self.flipped, **fields}
