"""One subscription: what its client has been told, and the moves since its set-up.

    subscribe   serialnr flipped board clock
    later       serialnr flipped, and of `board`, `clock` what changed
    setup       board, start, san: []; `match` only where the board shows something else
    later       `start` and `san` when a half-move is shown or corrected, `match` when it changed

A half-move is told in the event of the board that shows it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arbiterd.outlets.livechess.boards import EBoard, plain
from arbiterd.outlets.livechess.reconstruction import Reconstruction
from arbiterd.rules.ruleset import Colour


class LiveChessFeed:
    """The subscription of one client to one board."""

    def __init__(self, number: Any, serial: str) -> None:
        self.number = number
        """The client's own id, echoed with its JSON type."""
        self.serial = serial
        self.flipped = False
        self.there = True
        """It stands at a table, as far as its client has been told."""
        self._moves: Reconstruction | None = None
        self._told: EBoard | None = None
        self._told_san: list[str] = []
        self._told_match: bool | None = None

    def whole(self, board: EBoard) -> dict[str, Any]:
        """The full state, the first event of a subscription."""
        self._told = board
        return self._event(board, {"board": board.board, "clock": plain(board.clock)})

    def set_up(
        self, board: EBoard, fen: str, played: Sequence[str], at_ns: int
    ) -> tuple[dict[str, Any], dict[str, Any] | None]:
        """Moves are told from here on: the event that begins them, then what is played already.

        `played`: the half-moves the table knows to follow from `fen`. Raises SetUpError.
        """
        moves = Reconstruction(fen, played, at_ns)
        self._show(moves, board, at_ns)
        self._moves, self._told, self._told_san, self._told_match = moves, board, [], None
        begun: dict[str, Any] = {"board": board.board, "start": fen, "san": []}
        if not moves.san and not moves.match:
            begun["match"] = self._told_match = False
        more = self._game() if moves.san else {}
        return self._event(board, begun), self._event(board, more) if more else None

    def news(self, board: EBoard, at_ns: int) -> dict[str, Any] | None:
        """What is new since the last event; None: nothing."""
        before, fields = self._told, dict[str, Any]()
        if board.board is not None and (before is None or board.board != before.board):
            fields["board"] = board.board
        if before is None or board.clock != before.clock:
            fields["clock"] = plain(board.clock)
        if self._moves is not None:
            if fields:
                self._show(self._moves, board, at_ns)
            self._moves.until(at_ns)
            fields |= self._game()
        self._told = board
        return self._event(board, fields) if fields else None

    @property
    def due_at_ns(self) -> int | None:
        """When its moves want to be looked at if the board shows nothing new."""
        return None if self._moves is None else self._moves.due_at_ns

    def forget_moves(self) -> None:
        """Its moves can be told no more; boards and clocks go on. The client may set up anew."""
        self._moves = None

    @staticmethod
    def _show(moves: Reconstruction, board: EBoard, at_ns: int) -> None:
        if board.board is not None:
            moves.seen(at_ns, board.board)
        if board.clock is not None:
            runs = board.clock.run
            moves.clock(at_ns, None if runs is None else Colour.WHITE if runs else Colour.BLACK)

    def _game(self) -> dict[str, Any]:
        """What is new of the moves."""
        assert self._moves is not None, "a set-up came first"
        san, match = self._moves.san, self._moves.match
        fields: dict[str, Any] = {}
        matches_again = match and self._told_match is False
        if san != self._told_san or matches_again:
            fields = {"start": self._moves.start, "san": san}
        if match is not self._told_match and (fields or not match):
            fields["match"] = self._told_match = match
        self._told_san = san
        return fields

    def _event(self, board: EBoard, fields: dict[str, Any]) -> dict[str, Any]:
        return {"serialnr": board.serialnr, "flipped": self.flipped, **fields}
