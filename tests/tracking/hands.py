"""Hands over one board: what a test does, and what the tracker made of it."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from arbiterd.rules.chess import ChessRules
from arbiterd.rules.ruleset import Colour, read_board_field
from arbiterd.tracking.facts import Fact, Gap, MoveMade, Pressed, TookBack
from arbiterd.tracking.settings import TrackingSettings
from arbiterd.tracking.tracker import Tracker
from eboards.events import Sensing, SensingClass

MS = 1_000_000
SECOND = 1_000 * MS
SCAN_NS = 200 * MS


class Hands:
    """Lifts, places and presses in algebraic squares; time goes on by 300 ms an act."""

    def __init__(
        self,
        fen: str = "",
        *,
        kind: SensingClass = SensingClass.IDENTITY,
        rules: Any = None,
        moves: tuple[str, ...] = (),
        scan_ns: int = SCAN_NS,
    ) -> None:
        self.rules = rules or ChessRules()
        sensing = Sensing(kind, scan_ns, self.rules.geometry)
        start = self.rules.start(fen)
        self.tracker: Tracker = Tracker(
            self.rules, sensing, TrackingSettings(), start, 0, moves=moves
        )
        self.pieces = list(self.tracker.placement)
        self.now_ns = 0
        self.facts: list[Fact] = []

    def wait(self, seconds: float) -> Hands:
        """Time goes on; what is due is told."""
        until_ns = self.now_ns + int(seconds * SECOND)
        while (due_ns := self.tracker.due_at_ns) is not None and due_ns <= until_ns:
            assert due_ns >= self.now_ns, "nothing is due in the past"
            self.now_ns = due_ns
            self.facts += self.tracker.due(due_ns)
        self.now_ns = until_ns
        return self

    def show(self, square: str, piece: str, after: float = 0.3) -> Hands:
        self.wait(after)
        self.pieces[self.rules.geometry.square(square)] = piece
        self.facts += self.tracker.changed(self.now_ns, self.rules.geometry.square(square), piece)
        return self

    def lift(self, square: str, after: float = 0.3) -> Hands:
        return self.show(square, ".", after)

    def move(self, *squares: str) -> Hands:
        """One piece goes from square to square: lifted and set down each time."""
        for origin, target in pairwise(squares):
            piece = self.pieces[self.rules.geometry.square(origin)]
            assert piece != ".", f"nothing stands on {origin}"
            self.lift(origin).show(target, piece)
        return self

    def press(self, side: str) -> Hands:
        self.wait(0.3)
        self.facts += self.tracker.pressed(self.now_ns, Colour(side), SECOND)
        return self

    def press_of_two(self, side: str) -> Hands:
        """This side's and then the other's, both known from the times of one message."""
        return self.press_in_turn(side, 2)

    def press_in_turn(self, side: str, number: int) -> Hands:
        """So many presses, this side's first, all known from the times of one message."""
        own = Colour(side)
        for followed in reversed(range(number)):
            self.facts += self.tracker.pressed(self.now_ns, own, SECOND, followed, False)
            own = own.other
        return self

    def play(self, *acts: tuple[float, str, str]) -> Hands:
        """At each of these times (s) a piece comes on a square, or `.` leaves it; or a side, or
        this side and then the other, or this side again after that, heard of together, press."""
        for at_s, where, what in acts:
            self.wait(at_s - self.now_ns / SECOND)
            if what in ("both", "again"):
                self.press_in_turn(where, 2 if what == "both" else 3)
            elif what == "presses":
                self.facts += self.tracker.pressed(self.now_ns, Colour(where), SECOND)
            else:
                self.show(where, what, 0)
        return self

    def scan(self, board: str | None = None) -> Hands:
        """The whole board at once: a FEN's first field, or as the pieces stand."""
        self.wait(0.3)
        if board is not None:
            self.pieces = list(read_board_field(self.rules.geometry, board))
        self.facts += self.tracker.scanned(self.now_ns, tuple(self.pieces))
        return self

    @property
    def moves(self) -> list[str]:
        """The record."""
        return [ply.move for ply in self.tracker.record.plies]

    @property
    def told(self) -> list[str]:
        """Half-moves as they were told, each once."""
        return [fact.move for fact in self.facts if isinstance(fact, MoveMade)]

    def of(self, kind: type[Any]) -> list[Any]:
        return [fact for fact in self.facts if isinstance(fact, kind)]

    @property
    def empty_presses(self) -> list[Pressed]:
        """Presses for which the board showed no legal half-move."""
        return [fact for fact in self.of(Pressed) if fact.move is None]

    @property
    def quiet(self) -> bool:
        """Nothing was said that an arbiter would have to look into."""
        return not (self.empty_presses or self.of(TookBack) or self.of(Gap))
