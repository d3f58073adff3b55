"""The moves a client asks for with `setup`: from its FEN on, by what the board shows.

LiveChess tells a half-move with the board that shows it and corrects itself later, so this reads
the best hypothesis at once. `moves` on MQTT waits until a half-move is certain enough; the two may
differ for as long as hands are on the board.
"""

from __future__ import annotations

from collections.abc import Sequence

from arbiterd.rules.registry import ruleset
from arbiterd.rules.ruleset import Colour, read_board_field
from arbiterd.tracking.settings import TrackingSettings
from arbiterd.tracking.tracker import Tracker
from eboards.events import CHESS_BOARD, Sensing, SensingClass

SNAPSHOT_NS = 200_000_000
"""States come at most five times a second."""

LATE_NS = 1_000_000_000
"""A clock on the table speaks once a second."""

CHESS = ruleset("chess")


class SetUpError(Exception):
    """The client's FEN cannot be played from; the message says why."""


class Reconstruction:
    """One set-up of one feed. Times are the feed's own and never go back."""

    def __init__(self, fen: str, played: Sequence[str], at_ns: int) -> None:
        """`played`: the half-moves that the table knows to follow from `fen`, in wire form."""
        try:
            self._position = CHESS.start(fen)
        except ValueError as wrong:
            raise SetUpError(str(wrong)) from None
        self.start = fen
        sensing = Sensing(SensingClass.IDENTITY, SNAPSHOT_NS)
        self._tracker = Tracker(
            CHESS, sensing, TrackingSettings(), self._position, at_ns, moves=played
        )
        # What was played since the table's last half-move is read as after a lost board.
        self._tracker.link(at_ns, False, None)
        self._tracker.link(at_ns, True, sensing)
        self._runs: Colour | None = None

    def seen(self, at_ns: int, board: str) -> None:
        """The board shows this now."""
        self.until(at_ns)
        self._tracker.scanned(at_ns, read_board_field(CHESS_BOARD, board))

    def clock(self, at_ns: int, runs: Colour | None) -> None:
        """Whose clock runs; the one that ran before was pressed."""
        self.until(at_ns)
        if runs is not None and self._runs is runs.other:
            self._tracker.pressed(at_ns, runs.other, LATE_NS)
        else:
            self._tracker.clock(at_ns, runs, True)
        self._runs = runs

    def until(self, at_ns: int) -> None:
        """Time goes on: moves settle."""
        while (due_ns := self._tracker.due_at_ns) is not None and due_ns <= at_ns:
            self._tracker.due(due_ns)

    @property
    def due_at_ns(self) -> int | None:
        """When `until` is to be called if the board shows nothing new."""
        return self._tracker.due_at_ns

    @property
    def san(self) -> list[str]:
        """All half-moves since the set-up, up to the first that no legal move made."""
        position, told = self._position, []
        for text in self._line:
            if not text:
                break
            move = CHESS.parse(position, text)
            told.append(CHESS.san(position, move))
            position = CHESS.play(position, move)
        return told

    @property
    def match(self) -> bool:
        """The board shows the position after the last of these half-moves."""
        position = self._position
        for text in self._line:
            if not text:
                return False
            position = CHESS.play(position, CHESS.parse(position, text))
        return self._tracker.placement == CHESS.placement(position)

    @property
    def _line(self) -> Sequence[str]:
        """Nothing from where pieces were set up for another game: that is no part of this one."""
        same = self._tracker.record.start == CHESS.fen(self._position)
        return self._tracker.believed if same else ()


def played_since(fen: str, game: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """The half-moves of a game that follow the newest position which `fen` describes.

    `game`: each half-move in wire form (empty: irregular) with the FEN after it. Empty where the
    game never had the position, or something irregular followed. Counters do not matter: clients
    keep their own.
    """
    try:
        position = CHESS.start(fen)
        after = [CHESS.key(CHESS.start(text)) for _, text in game]
    except ValueError:
        return ()
    newest = max((n for n, key in enumerate(after, 1) if key == CHESS.key(position)), default=0)
    moves = tuple(move for move, _ in game[newest:])
    for move, key in zip(moves, after[newest:], strict=True):
        try:
            position = CHESS.play(position, CHESS.parse(position, move))
        except ValueError:
            return ()
        if CHESS.key(position) != key:
            return ()
    return moves
