"""What a table is at one moment: its set-up, books, board, clock, tracker and docket.

Whoever decides is given it as `view` and only reads it; `drain` alone changes it, and what makes
one anew (here and in `keeping`). So two decisions that look at the same view see the same table,
whatever either of them leads to.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from arbiterd.laws.case.scene import Scene
from arbiterd.laws.docket.docket import Docket
from arbiterd.rules.registry import chosen
from arbiterd.rules.ruleset import RuleSet
from arbiterd.table.announcer import Announcer, Numbering
from arbiterd.table.board import Board
from arbiterd.table.books import Books, ClockLeft, TableStatus
from arbiterd.table.recent import RecentActs
from arbiterd.table.setup import TableSetup
from arbiterd.timing.clock import ClockModel
from arbiterd.timing.facts import ClockShown
from arbiterd.tracking.record import Entry
from arbiterd.tracking.tracker import Tracker
from eboards.events import Placement, Sensing, SensingClass, Square

DEFAULT_SCAN_NS = 200_000_000


@dataclass
class TableState:
    """One table, whole: what a checkpoint holds."""

    setup: TableSetup
    rules: RuleSet[Any, Any]
    sensing: Sensing
    board: Board
    books: Books
    recent: RecentActs
    announcer: Announcer
    clock: ClockModel
    docket: Docket
    tracker: Tracker
    at_ns: int = 0
    """How far its time has come."""
    news: int = 0
    """Counts what may have changed it, but for the times of a clock that ticks."""
    faced: ClockShown | None = None
    """The clock's face, which it has shown since but for its ticking."""

    @property
    def line(self) -> tuple[Entry, ...]:
        """The entries of the record."""
        return self.tracker.record.line

    @property
    def moves(self) -> tuple[str, ...]:
        """The half-moves on record, in wire form; empty text for an irregular one."""
        return tuple(ply.move for ply in self.tracker.record.plies)

    @property
    def in_play(self) -> bool:
        """True from the first move or press to the result."""
        return self.books.status in ("playing", "paused")

    def left_so(self, seen: Placement) -> bool:
        """The board shows how a game that is over ended."""
        tracker, ended = self.tracker, self.books.result is not None
        return ended and bool(tracker.record.plies) and tracker.shows_record(seen)

    @property
    def clock_to_leave(self) -> ClockLeft | None:
        """What is kept of clocks when another game begins: spectators may still see this one, or,
        where nothing was told of it, the one before."""
        numbers = self.announcer.numbering
        if numbers.moves or numbers.result is not None:
            return ClockLeft(self.announcer.game, [*self.clock.turns()])
        return self.books.clock_left

    @property
    def tracking_due_ns(self) -> int | None:
        """When tracking is to look again; never where there is no board to look at."""
        due_ns = self.tracker.due_at_ns if self.board.known else None
        return None if due_ns is None else max(due_ns, self.at_ns)

    @property
    def due_at_ns(self) -> int | None:
        """When the first thing is due that nobody has to bring about."""
        gone = self.books.absence
        memory_ns = None if gone is None else gone.until_ns
        times = (self.tracking_due_ns, self.docket.due_at_ns, memory_ns)
        return min((time for time in times if time is not None), default=None)

    @property
    def weak(self) -> dict[Square, int]:
        """The squares whose coils are believed less, and since when."""
        return self.board.weak(self.rules)

    @property
    def another_board(self) -> bool:
        """Another board answers than the one that this game was last seen on."""
        gone = self.books.absence
        return gone is not None and gone.serial not in ("", self.board.serial)

    @property
    def turned_in_play(self) -> int | None:
        """By how many degrees the board lies turned now, if it shows the game's position so."""
        return self.board.lies_otherwise(self.rules, self.rules.placement(self.tracker.position))

    @property
    def start_placement(self) -> Placement:
        """What the board shows when this game begins."""
        return self.rules.placement(self.rules.start(self.tracker.record.start))

    def shown(self) -> ClockShown:
        """The clock's face now."""
        return self.clock.shown(self.at_ns)

    def status_now(self) -> TableStatus:
        """What the table does, by its record, its clock and its books."""
        books = self.books
        if books.result is not None:
            return "ended"
        if books.paused:
            return "paused"
        shown, moved = self.shown(), bool(self.tracker.record.plies)
        runs = shown.running is not None and not self.tracker.left_over
        if moved or runs or books.status == "playing":
            standing = shown.known and shown.running is None and shown.flag is None
            return "paused" if standing and moved else "playing"
        return books.status

    def scene(self) -> Scene:
        """What the Laws may look at, now."""
        return Scene(
            at_ns=self.at_ns,
            rules=self.rules,
            rate=self.setup.rate,
            settings=self.setup.laws,
            sensing=self.sensing,
            record=self.tracker.record,
            turn=self.tracker.turn,
            shown=self.shown(),
            status=self.books.status,
            result=self.books.result,
            round_started_ns=self.books.round_started_ns,
            file=self.docket.file,
            damaged_ns=self.tracker.damaged_ns,
            missed_ns=self.tracker.missed_ns,
        )


def begun(setup: TableSetup) -> TableState:
    """A table before anything was seen at it."""
    rules: RuleSet[Any, Any] = chosen(setup.ruleset, dict(setup.rules))
    sensing = Sensing(SensingClass.IDENTITY, DEFAULT_SCAN_NS, rules.geometry)
    board = Board(fixed=setup.orientation is not None, degrees=setup.orientation or 0)
    state = TableState(
        setup=setup,
        rules=rules,
        sensing=sensing,
        board=board,
        books=Books(round_started_ns=setup.round_started_ns),
        recent=RecentActs(),
        announcer=Announcer(setup, rules, Numbering()),
        clock=ClockModel(setup.rate, in_progress=bool(setup.moves or setup.start)),
        docket=Docket(illegal=setup.illegal),
        tracker=tracker_of(setup, rules, sensing, board),
    )
    if setup.moves:
        state.books.status = "playing"
        state.announcer.numbering.laid = len(setup.moves)
    return state


def reseat(state: TableState, before: TableState) -> None:
    """A table that was just made, of another round, takes the place of the one before.

    Numbers of events, games and rulings go on; board, inputs and answered commands stay.
    """
    setup = state.setup
    state.sensing, state.at_ns = before.sensing, before.at_ns
    lies = state.board
    state.board = before.board
    state.board.missed, state.board.fixed = [], lies.fixed
    if lies.fixed:
        state.board.degrees, state.board.clock_stayed = lies.degrees, False
    state.books = Books(
        round_started_ns=setup.round_started_ns,
        input_blocks=before.books.input_blocks,
        input_times=before.books.input_times,
        input_numbers=before.books.input_numbers,
        answered=before.books.answered,
        clock_left=before.clock_to_leave,
    )
    state.announcer.numbering = before.announcer.numbering
    state.announcer.new_game(before.at_ns)
    file = before.docket.file
    state.docket.file = replace(
        state.docket.file, next_number=file.next_number, unheard_ns=file.unheard_ns
    )
    state.tracker.distrust(state.weak)


def tracker_of(
    setup: TableSetup, rules: RuleSet[Any, Any], sensing: Sensing, board: Board
) -> Tracker:
    """Of a game that begins as the set-up says."""
    position = rules.start(setup.start)
    tracker = Tracker(rules, sensing, setup.tracking, position, 0, moves=setup.moves)
    tracker.distrust(board.weak(rules))
    return tracker
