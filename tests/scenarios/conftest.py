"""A table in a test's words: hands, a lever, and what is made of them.

Every scenario is heard twice. Tracking tells its facts while the test goes on; when it has
passed, the same inputs go through a whole table, with the Laws, and the arbiter must have been
called (urgency 1 or 2) for what the scenario says with `calls` and for nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from arbiterd.messages.commands import act_of, read_command
from arbiterd.rules.registry import ruleset
from arbiterd.rules.ruleset import Colour, read_board_field
from arbiterd.simulation.benchmarks.score import RecordTold
from arbiterd.simulation.game import step_of
from arbiterd.table import table as whole
from arbiterd.table.inputs import ClockSaid, Input
from arbiterd.table.playback import play
from arbiterd.table.setup import TableSetup
from arbiterd.tracking.facts import Fact
from arbiterd.tracking.settings import TrackingSettings
from arbiterd.tracking.tracker import Tracker
from eboards.events import (
    BLACK_PIECE,
    EMPTY,
    UNKNOWN,
    WHITE_PIECE,
    ClockGone,
    Fault,
    LinkDown,
    LinkUp,
    Noise,
    Placement,
    Scan,
    Sensing,
    SensingClass,
    SquareChange,
)

MS = 1_000_000
SECOND = 1_000 * MS


class Table:
    """One board under test. Every deed happens `after` the one before, a third of a second
    unless said otherwise; squares are named, pieces are those that stand there."""

    def __init__(
        self,
        fen: str = "",
        *,
        rules: str = "chess",
        sensing: SensingClass = SensingClass.IDENTITY,
        scan_ms: int = 200,
        moves: tuple[str, ...] = (),
        shows: str = "",
        pictures: bool = False,
        one_wire: bool = False,
    ) -> None:
        self.rules = ruleset(rules)
        self.geometry = self.rules.geometry
        self.sensing = Sensing(
            sensing, scan_ms * MS, self.geometry, pictures=pictures, one_wire=one_wire
        )
        self.at_ns = 0
        start = self.rules.start(fen)
        self.setup = TableSetup(ruleset=rules, start=fen, moves=moves, orientation=0)
        self.inputs: list[Input] = [LinkUp(0, "scenario", "", self.sensing)]
        self.tracker: Tracker = Tracker(
            self.rules, self.sensing, TrackingSettings(), start, 0, moves=moves
        )
        position = start
        for move in moves:
            position = self.rules.play(position, self.rules.parse(position, move))
        self.position = position
        self.pieces = list(self.rules.placement(position))
        """What stands there, whatever is sensed of it."""
        if shows:
            self.pieces = list(read_board_field(self.geometry, shows))
        self.hand: list[str] = []
        self.hidden: set[str] = set()
        """Squares whose coil shows nothing."""
        self.lost = False
        """True: changes are not heard."""
        self.unheard_since: Colour | None = None
        """Whose clock ran when the cable came out."""
        self.facts: list[Fact] = []
        self.account = RecordTold()
        self.calls_due: set[str] = set()
        self.ended_ns = 1 << 62
        """A game begun after this is another game: it closes the account."""
        self.running: Colour | None = None
        self._call("clock", None, True)
        self.scan()
        self.start_clock(self.rules.turn(position))

    # What came of it.
    @property
    def moves(self) -> list[str]:
        """The record as told, after the hands have long left the board."""
        self.wait(20)
        return list(self.account.moves)

    @property
    def record(self) -> tuple[str, ...]:
        """The record as tracking holds it, moves from before included."""
        self.wait(20)
        return tuple(ply.move for ply in self.tracker.record.plies)

    @property
    def alarms(self) -> list[str]:
        """Irregular facts, by kind."""
        self.wait(20)
        return [alarm.kind for alarm in self.account.alarms]

    def said(self, kind: type) -> list[Any]:
        """All facts of one type."""
        self.wait(20)
        return [fact for fact in self.facts if isinstance(fact, kind)]

    # Time.
    def wait(self, seconds: float) -> Table:
        """Time goes by, and what is due comes due."""
        self.at_ns += round(seconds * SECOND)
        while self.tracker.due_at_ns is not None and self.tracker.due_at_ns <= self.at_ns:
            self._hear(self.tracker.due(self.tracker.due_at_ns))
        return self

    # Hands.
    def lift(self, *squares: str, after: float = 0.3) -> Table:
        """Take pieces off, one after another; the hand keeps them."""
        for name in squares:
            self.wait(after)
            square = self.geometry.square(name)
            self.hand.append(self.pieces[square])
            self._show(square, EMPTY)
        return self

    def place(self, name: str, piece: str = "", after: float = 0.3) -> Table:
        """Set down the piece lifted last, or one from beside the board."""
        self.wait(after)
        self._show(self.geometry.square(name), piece or self.hand.pop())
        return self

    def replace(self, name: str, after: float = 0.3) -> Table:
        """The piece in the hand pushes off what stands there; the square is never empty."""
        return self.place(name, after=after)

    def slide(self, *squares: str, after: float = 0.4) -> Table:
        """One piece over several squares, resting on each."""
        self.lift(squares[0])
        for name in squares[1:-1]:
            self.place(name, after=after).lift(name, after=after)
        return self.place(squares[-1], after=after)

    def make(self, *moves: str, press: bool = True) -> Table:
        """Half-moves in their plainest form, each pressed."""
        for wire in moves:
            move = self.rules.parse(self.position, wire)
            step = step_of(self.rules, self.position, move)
            self.position = self.rules.play(self.position, move)
            for carry in step.carries:
                if carry.origin is not None:
                    self.wait(0.3)
                    self._show(carry.origin, EMPTY)
            for square, piece in step.changes:
                if piece == EMPTY and self.pieces[square] != EMPTY:
                    self.wait(0.3)
                    self._show(square, EMPTY)
            for carry in step.carries:
                if carry.target is not None:
                    self.wait(0.5)
                    self._show(carry.target, carry.after)
            if press:
                self.press(step.side)
        return self

    def centre(self, name: str, after: float = 0.3) -> Table:
        """A finger puts a piece right that no coil showed."""
        self.wait(after)
        self.hidden.discard(name)
        square = self.geometry.square(name)
        self._call("changed", square, self._sensed(square, self.pieces[square]))
        return self

    def played(self, *moves: str) -> Table:
        """The test has made these by hand: the next plain half-move goes on from there."""
        for wire in moves:
            self.position = self.rules.play(self.position, self.rules.parse(self.position, wire))
        return self

    def dump(self, after: float = 0.1) -> Table:
        """The driver asks for the whole board: right after a press, or after 0.9 s of quiet."""
        self.wait(after)
        self.lost = False
        return self.scan()

    def scan(self) -> Table:
        self._call("scanned", self.shown())
        return self

    def shown(self) -> Placement:
        """What the sensors make of the pieces."""
        return tuple(self._sensed(square, piece) for square, piece in enumerate(self.pieces))

    # The arbiter.
    def result(self, result: str) -> Table:
        """The arbiter enters how the game ended."""
        self._act(action="set-result", result=result)
        self.tracker.end_game(self.at_ns)
        return self.ends()

    def next_game(self) -> Table:
        """The arbiter starts the next game at this table."""
        self._act(action="start-game")
        self.position = self.rules.start()
        self._hear(self.tracker.begin_game(self.at_ns, self.position))
        return self

    def set_position(self, fen: str) -> Table:
        self._act(action="set-position", fen=fen)
        self.position = self.rules.start(fen)
        self._hear(self.tracker.set_position(self.at_ns, self.position))
        return self

    def replace_move(self, ply: int, move: str) -> Table:
        self._act(action="set-move", op="replace", ply=ply, move=move)
        return self._set_line((*self._line()[: ply - 1], move))

    def take_back(self, ply: int) -> Table:
        """The half-move of that number and all after it were not played."""
        self._act(action="set-move", op="take-back", ply=ply)
        return self._set_line(self._line()[: ply - 1])

    # The clock.
    def press(self, side: Colour | str, after: float = 0.4, late: float = 0.0) -> Table:
        """A press that the clock shows, `late` seconds of doubt before now."""
        self.wait(after)
        side = Colour(side)
        if self.running is side.other:
            return self
        self.running = side.other
        if self.unheard_since is None:
            self._call("pressed", side, round(late * SECOND))
            self._call("clock", self.running, True)
        return self

    def unseen_press(self, side: Colour | str) -> Table:
        """A press that falls between two messages of the clock."""
        assert self.running is Colour(side)
        self.running = Colour(side).other
        return self

    def start_clock(self, side: Colour | str) -> Table:
        self.running = Colour(side)
        self._call("clock", self.running, True)
        return self

    def pause(self, after: float = 0.4) -> Table:
        self.wait(after)
        self._call("clock", None, True)
        return self

    def ends(self) -> Table:
        """Play is over; what follows is no play."""
        self.ended_ns = self.at_ns
        return self

    def damage(self, after: float = 0.1) -> Table:
        """Bytes come as others than were sent: what they said nobody knows."""
        self.wait(after)
        self._call("damaged")
        return self

    def link(self, up: bool, after: float = 0.5) -> Table:
        """The cable comes out, or goes in again; the driver then asks for the board."""
        self.wait(after)
        self.lost = not up
        self._call("link", up, self.sensing if up else None)
        if not up:
            self.unheard_since = self.running
            return self
        self.dump(after=0.2)
        before, self.unheard_since = self.unheard_since, None
        if self.running is not before and before is not None:
            self._call("pressed", before, SECOND * 60)
        self._call("clock", self.running, True)
        return self

    def _line(self) -> tuple[str, ...]:
        return tuple(ply.move for ply in self.tracker.record.plies)

    def _set_line(self, line: tuple[str, ...]) -> Table:
        self._hear(self.tracker.set_line(self.at_ns, line))
        self.position = self.rules.start(self.tracker.record.start)
        return self.played(*line)

    def _act(self, **fields: Any) -> None:
        self.inputs.append(act_of(read_command({"by": "arbiter", **fields}), self.at_ns))

    def _sensed(self, square: int, piece: str) -> str:
        if self.geometry.names[square] in self.hidden or piece == EMPTY:
            return EMPTY
        if self.sensing.kind is SensingClass.COLOUR:
            return WHITE_PIECE if self.rules.owner(piece) is Colour.WHITE else BLACK_PIECE
        return UNKNOWN if self.sensing.kind is SensingClass.OCCUPANCY else piece

    def _show(self, square: int, piece: str) -> None:
        before = self._sensed(square, self.pieces[square])
        self.pieces[square] = piece
        now = self._sensed(square, piece)
        if now != before and not self.lost:
            self._call("changed", square, now)

    def no_clock(self) -> Table:
        """No clock is heard, from now on."""
        self._call("clock", None, False)
        return self

    def _call(self, name: str, *args: Any) -> None:
        self.inputs.append(INPUTS[name](self.at_ns, *args))
        self._hear(getattr(self.tracker, name)(self.at_ns, *args))

    def _hear(self, facts: list[Fact]) -> None:
        self.facts += facts
        self.account.hear(facts, ended_ns=self.ended_ns)

    # The whole table.
    def calls(self, *kinds: str) -> Table:
        """What an arbiter is rightly called for, by kind of ruling."""
        self.calls_due |= set(kinds)
        return self

    def called(self) -> set[str]:
        """The kinds of ruling that a whole table calls an arbiter for."""
        return {ruling["kind"] for ruling in self._rulings() if ruling["state"] == "open"}

    def standing(self) -> set[str]:
        """The rulings that are open at the end: each its kind, and whom it is against."""
        newest = {ruling["id"]: ruling for ruling in self._rulings()}
        return {
            f"{ruling['kind']}/{ruling['against']}"
            for ruling in newest.values()
            if ruling["state"] == "open"
        }

    def _rulings(self) -> Iterator[dict[str, Any]]:
        """Each revision of a ruling of urgency 1 or 2, as a whole table publishes it."""
        for _, step in play(whole.Table(self.setup), enumerate(self.inputs, 1)):
            for output in step.outputs:
                if output.urgency in (1, 2) and output.seq is not None and output.payload:
                    yield json.loads(output.payload)


def _pressed(at_ns: int, side: Colour, late_ns: int) -> Input:
    return ClockSaid(at_ns, press=side, late_ns=late_ns)


def _clock(at_ns: int, running: Colour | None, heard: bool) -> Input:
    return ClockSaid(at_ns, running=running, running_said=True) if heard else ClockGone(at_ns)


def _link(at_ns: int, up: bool, sensing: Sensing | None) -> Input:
    if not up or sensing is None:
        return LinkDown(at_ns, "the cable is out")
    return LinkUp(at_ns, "scenario", "", sensing)


def _damaged(at_ns: int) -> Input:
    return Fault(at_ns, Noise.LENGTH)


INPUTS: dict[str, Callable[..., Input]] = {
    "changed": SquareChange,
    "scanned": Scan,
    "pressed": _pressed,
    "clock": _clock,
    "link": _link,
    "damaged": _damaged,
}
"""What tracking is told, as the inputs of a whole table."""


@pytest.fixture
def table_with() -> Iterator[Callable[..., Table]]:
    """A table of one's own: a FEN, a sensing class, another rule set."""
    tables: list[Table] = []

    def made(fen: str = "", **choices: Any) -> Table:
        tables.append(Table(fen, **choices))
        return tables[-1]

    yield made
    for table in tables:
        assert table.called() == table.calls_due, "what the arbiter is called for"


@pytest.fixture
def table(table_with: Callable[..., Table]) -> Table:
    """A game of chess at its beginning, White's clock running."""
    return table_with()
