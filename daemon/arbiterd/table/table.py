"""One table: an input and its time in, a Step out. No clock, no thread, no I/O.

    device event ─▶ board (which way it lies) ─▶ tracking ─▶ facts ─┐
    clock reading ─▶ timing ─▶ clock facts, presses ─▶ tracking ────┼─▶ docket ─▶ decisions ─▶ Step
    arbiter's act ─────────────────────────────────────────────────┘

Before an input at `t` is folded, everything that was due by then is folded first, each at its
own time, so that what comes out never depends on when the caller's loop woke.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from arbiterd.laws.act import Act
from arbiterd.laws.case.scene import Scene
from arbiterd.laws.decisions import Decision, Ordered, ResultStands, RulingChanged
from arbiterd.laws.docket.docket import Docket
from arbiterd.laws.register import Examined, Looked, Ticked
from arbiterd.laws.ruling import Ruling
from arbiterd.messages import payloads, topics
from arbiterd.messages.step import Output, Step
from arbiterd.rules.mating import MatingQuestion
from arbiterd.rules.registry import chosen
from arbiterd.rules.ruleset import RuleSet
from arbiterd.table.announcer import Announcer, MoveTold, Numbering
from arbiterd.table.answering import act_answered, preview_answered
from arbiterd.table.board import Board
from arbiterd.table.books import Books, Checkpoint
from arbiterd.table.health_told import note_health
from arbiterd.table.inputs import (
    ActPreviewed,
    ClockSaid,
    DelaySaid,
    HandShown,
    Input,
    MatingAnswered,
    Missed,
    MovePlayed,
    Renamed,
    RoundBegan,
    RoundOrdered,
    ServiceStarted,
)
from arbiterd.table.readings import reading_of, reading_said
from arbiterd.table.recent import Recent
from arbiterd.table.record_told import MoveFact, entry_told, move_told, untold
from arbiterd.table.reported import reported
from arbiterd.table.returning import awaits_memory, look_now, remembered, went
from arbiterd.table.setup import TableSetup
from arbiterd.table.stands import stands_seen
from arbiterd.table.views import device, state
from arbiterd.timing.clock import ClockModel
from arbiterd.timing.face import Reading
from arbiterd.timing.facts import ClockFact, Press, Restarted, Shown
from arbiterd.tracking.facts import (
    Fact,
    GameBegun,
    IrregularStands,
    MoveCompleted,
    MoveMade,
    MoveReplaced,
    MoveWithdrawn,
)
from arbiterd.tracking.record import Entry
from arbiterd.tracking.tracker import Tracker
from eboards.codec import AskBoard, Command
from eboards.events import (
    Battery,
    Button,
    ClockGone,
    ClockReading,
    ClockReply,
    EndReported,
    Fault,
    Finger,
    HandsSeen,
    Identity,
    Lever,
    LineReported,
    LinkDown,
    LinkUp,
    MoveReported,
    Placement,
    Remembered,
    Scan,
    Sensing,
    SensingClass,
    SquareChange,
    TimesReported,
)

DEFAULT_SCAN_NS = 200_000_000


class Table:
    """One table. `take` and `due` are its only doors."""

    def __init__(self, setup: TableSetup) -> None:
        self.setup = setup
        self.rules: RuleSet[Any, Any] = chosen(setup.ruleset, dict(setup.rules))
        self.sensing = Sensing(SensingClass.IDENTITY, DEFAULT_SCAN_NS, self.rules.geometry)
        self.board = Board(fixed=setup.orientation is not None, degrees=setup.orientation or 0)
        self.books = Books(round_started_ns=setup.round_started_ns)
        self.recent = Recent()
        self.announcer = Announcer(setup, self.rules, Numbering())
        self.clock = ClockModel(setup.rate, in_progress=bool(setup.moves or setup.start))
        self.docket = Docket(illegal=setup.illegal)
        self.tracker = self.tracker_of(setup)
        self.acting = False
        """True while an arbiter's act is carried out."""
        self.recovering: dict[int, Shown | None] = {}
        """Half-moves that are being put on the record from a memory, with its clock."""
        self._at_ns = 0
        self._outputs: list[Output] = []
        self._commands: list[Command] = []
        if setup.moves:
            self.books.status = "playing"
            self.announcer.numbering.laid = len(setup.moves)
        if setup.clock is not None:
            self._clock_said(setup.clock)

    def tracker_of(self, setup: TableSetup) -> Tracker:
        position = self.rules.start(setup.start)
        settings, moves = setup.tracking, setup.moves
        tracker = Tracker(self.rules, self.sensing, settings, position, 0, moves=moves)
        tracker.distrust(self.board.weak(self.rules))
        return tracker

    @property
    def in_play(self) -> bool:
        """True from the first move or press to the result."""
        return self.books.status in ("playing", "paused")

    # Checkpoints.

    def checkpoint(self, *, bare: bool = False) -> bytes:
        """The whole table; folding on from it equals folding from the start.

        `bare`: without what it remembers of inputs and answers, to fold again from it.
        """
        books = self.books
        if bare:
            books = msgspec.structs.replace(
                books, input_blocks=[], input_times=[], input_numbers=[], answered={}
            )
        return msgspec.msgpack.encode(
            Checkpoint(
                setup=self.setup,
                tracker=self.tracker.checkpoint(),
                docket=self.docket.checkpoint(),
                clock=self.clock.checkpoint(),
                board=self.board,
                numbering=self.announcer.numbering,
                books=books,
                at_ns=self._at_ns,
                sensing=self.sensing,
                recent=None if bare else self.recent,
            )
        )

    @classmethod
    def restored(cls, data: bytes) -> Table:
        """The table that `checkpoint` wrote."""
        kept = msgspec.msgpack.decode(data, type=Checkpoint)
        table = cls(kept.setup)
        table.sensing, table.board, table.books = kept.sensing, kept.board, kept.books
        table.announcer.numbering = kept.numbering
        table.clock = ClockModel.restored(kept.setup.rate, kept.clock)
        table.tracker = Tracker.restored(table.rules, kept.setup.tracking, kept.tracker)
        table.tracker.distrust(table.board.weak(table.rules))
        table.docket = Docket.restored(kept.docket)
        table._at_ns = kept.at_ns
        table.recent = kept.recent or Recent()
        # What the set-up itself led to has left long ago.
        table._outputs, table._commands = [], []
        return table

    def copied(self) -> Table:
        """The same table once more; what happens to one is nothing to the other."""
        return Table.restored(self.checkpoint())

    def from_kept(self, data: bytes) -> Table:
        """This table as it stood when that checkpoint was written."""
        return Table.restored(data)

    def reseated(self, setup: TableSetup) -> Table:
        """The same place with another set-up (a new round): a new game.

        Numbers of events, games and rulings go on; board, inputs and answered commands stay.
        """
        table = Table(setup)
        table.sensing = self.sensing
        table.board = self.board if setup.orientation is None else table.board
        table.books = Books(
            round_started_ns=setup.round_started_ns,
            input_blocks=self.books.input_blocks,
            input_times=self.books.input_times,
            input_numbers=self.books.input_numbers,
            answered=self.books.answered,
        )
        table.board.missed = []
        table.announcer.numbering = self.announcer.numbering
        table.announcer.new_game(self._at_ns)
        table.docket.file = replace(table.docket.file, next_number=self.docket.file.next_number)
        table._at_ns = self._at_ns
        table.board.health = self.board.health
        table.tracker.distrust(table.board.weak(table.rules))
        seen = self.board.placement(self.rules)
        if seen is not None and table.rules.geometry == self.rules.geometry:
            table.facts(table.tracker.link(self._at_ns, True, self.sensing))
            table.facts(table.tracker.scanned(self._at_ns, seen))
        return table

    # The two doors.

    @property
    def at_ns(self) -> int:
        """How far the table's time has come: nothing earlier can be taken."""
        return self._at_ns

    @property
    def due_at_ns(self) -> int | None:
        """When `due` is to be called if nothing comes before."""
        gone = self.books.absence
        memory_ns = None if gone is None else gone.until_ns
        times = (self.tracker.due_at_ns, self.docket.due_at_ns, memory_ns)
        return min((time for time in times if time is not None), default=None)

    @property
    def questions(self) -> tuple[MatingQuestion, ...]:
        """What a worker is to answer; the answers come in as `MatingAnswered`."""
        return self.docket.questions

    def take(self, number: int, item: Input) -> Step:
        """Folds one input; `number` is its row in the journal. Times never go back."""
        assert item.at_ns >= self._at_ns, "time goes on within a table"
        self._run_until(item.at_ns)
        self._at_ns = item.at_ns
        self.books.note_input(number, item.at_ns)
        self.recent.note(self, number, item)
        self._fold(item)
        return self._step()

    def due(self, at_ns: int) -> Step:
        """Folds what is due by this time."""
        self._run_until(at_ns)
        return self._step()

    def _run_until(self, at_ns: int) -> None:
        while (due_ns := self.due_at_ns) is not None and due_ns <= at_ns:
            self._at_ns = max(self._at_ns, due_ns)
            gone = self.books.absence
            if gone is not None and gone.until_ns is not None and gone.until_ns <= due_ns:
                look_now(self, due_ns)
            if self.tracker.due_at_ns is not None and self.tracker.due_at_ns <= due_ns:
                found = self.tracker.due(due_ns)
                self.facts(found)
                if found:
                    self.hear(Looked(due_ns))
            if self.docket.due_at_ns is not None and self.docket.due_at_ns <= due_ns:
                self.decide(self.docket.due(due_ns, self.scene()))

    def _step(self) -> Step:
        outputs, commands = tuple(self._outputs), tuple(self._commands)
        self._outputs, self._commands = [], []
        return Step(outputs, commands, self.due_at_ns)

    # Inputs.

    def _fold(self, item: Input) -> None:
        if isinstance(item, Scan | ClockReading) and self.board.calmed(item.at_ns):
            self.tell_device(item.at_ns)
        match item:
            case Scan() | SquareChange():
                self._seen(item)
            case ClockReading() | ClockGone() | Lever():
                self._clock_event(item)
            case ClockSaid():
                self._clock_said(item)
            case Act():
                act_answered(self, item)
            case ActPreviewed():
                preview_answered(self, item)
            case LinkUp() | LinkDown() | Identity() | Battery() | Fault() | ClockReply():
                self.device_says(item)
            case Finger():
                square = self.board.square(self.rules, item.square)
                self.facts(self.tracker.felt(item.at_ns, square, item.down))
            case MoveReported() | MovePlayed() | LineReported() | TimesReported() | EndReported():
                reported(self, item)
            case RoundBegan():
                self.books.round_started_ns = item.at_ns
                self.hear(Looked(item.at_ns))
            case Renamed():
                self.setup = replace(
                    self.setup,
                    white=item.white,
                    black=item.black,
                    white_player=item.white_player,
                    black_player=item.black_player,
                )
            case Remembered():
                remembered(self, item)
            case DelaySaid():
                delays = (*self.setup.delays, (item.at_ns, item.delay_ns))
                self.setup = replace(self.setup, delays=delays)
            case MatingAnswered():
                self.hear(Examined(item.at_ns, item.answer))
            case HandsSeen() | HandShown():
                stands_seen(self, item)
            case Missed():
                numbering = self.announcer.numbering
                numbering.seq = max(numbering.seq, item.seq)
                self.board.misses(item.why)
                self.tell_device(item.at_ns)
            case ServiceStarted() | Button() | RoundOrdered():
                pass

    def _seen(self, event: Scan | SquareChange) -> None:
        if self.board.sees(event, self.sensing.kind):
            self.tracker.distrust(self.board.weak(self.rules))
            self.tell_device(event.at_ns)
        if not awaits_memory(self, event):
            self.show_tracking(event)

    def show_tracking(self, event: Scan | SquareChange) -> None:
        fresh = self.books.status == "ended" or not self.tracker.record.plies
        turned = fresh and self.board.looks_like_start(self.rules, self._start_placement)
        if turned:
            self.tracker.distrust(self.board.weak(self.rules))
        if isinstance(event, Scan) or turned:
            placement = self.board.placement(self.rules)
            assert placement is not None, "a board that was seen shows something"
            facts = self.tracker.scanned(event.at_ns, placement)
        else:
            square = self.board.square(self.rules, event.square)
            facts = self.tracker.changed(event.at_ns, square, event.piece)
        self.facts(facts)
        self.hear(Looked(event.at_ns))

    @property
    def _start_placement(self) -> Placement:
        return self.rules.placement(self.rules.start(self.tracker.record.start))

    def device_says(
        self,
        event: LinkUp
        | LinkDown
        | Identity
        | Battery
        | Fault
        | ClockReading
        | ClockGone
        | ClockReply,
    ) -> None:
        if isinstance(event, LinkUp | LinkDown):
            went(self, event.at_ns)
        changed = self.board.told(event)
        if isinstance(event, LinkUp):
            self.sensing = event.sensing
            self.facts(self.tracker.link(event.at_ns, True, event.sensing))
        elif isinstance(event, LinkDown):
            self.facts(self.tracker.link(event.at_ns, False, None, event.reason))
        if changed:
            self.tell_device(event.at_ns)

    def tell_device(self, at_ns: int) -> None:
        body = msgspec.json.encode(device(self, at_ns))
        self._outputs.append(Output(topics.DEVICE, body, retained=True))

    # The clock.

    def _clock_event(self, event: ClockReading | ClockGone | Lever) -> None:
        colour = self.board.colour
        if not isinstance(event, Lever):
            self.device_says(event)
        match event:
            case ClockGone():
                facts = self.clock.gone(event.at_ns)
            case Lever():
                runs = colour(event.runs)
                assert runs is not None, "a lever has a side"
                reading = Reading(
                    event.at_ns, running_said=False, press=runs.other, late_ns=event.late_ns
                )
                facts = self.clock.read(reading)
            case ClockReading():
                facts = self.clock.read(reading_of(event, self.board))
        self.clock_facts(facts)
        self._clock_heard(facts)

    def _clock_said(self, said: ClockSaid) -> None:
        if said.flag is not None:
            facts = self.clock.flag(said.at_ns, said.flag)
        elif said.pause:
            facts = self.clock.pause(said.at_ns)
        else:
            facts = self.clock.read(reading_said(said))
        self.clock_facts(facts)
        self._clock_heard(facts)

    def _clock_heard(self, facts: Iterable[ClockFact]) -> None:
        """A clock that is heard to run, or is pressed, says that play goes on."""
        if not self.books.paused or self.shown().running is None:
            return
        restarted = any(
            isinstance(fact, Restarted) or (isinstance(fact, Press) and fact.restart)
            for fact in facts
        )
        self.books.play_goes_on(restarted=restarted)
        self._status()

    def clock_facts(self, facts: Iterable[ClockFact]) -> None:
        told = list(facts)
        for number, fact in enumerate(told):
            if isinstance(fact, Press) and self.books.status == "waiting":
                self.books.status = "playing"
            if self.books.absence is not None and isinstance(fact, Press | Restarted):
                # The half-moves before it are not known yet.
                continue
            self.hear(fact)
            if isinstance(fact, Press) and not fact.seen:
                # No driver saw it and asked: a change that was lost would pass for a bare press.
                self.command(AskBoard())
            if isinstance(fact, Press):
                followed = sum(isinstance(later, Press) for later in told[number + 1 :])
                self.facts(
                    self.tracker.pressed(
                        fact.at_ns, fact.side, fact.late_ns, followed, seen=fact.seen
                    )
                )
        shown, status = self.shown(), self.books.status
        news = bool(told) or self.tracker.clock_runs != (shown.running, shown.known)
        self.facts(self.tracker.clock(self._at_ns, shown.running, shown.known))
        self._status()
        news = news or self.books.status != status
        self.hear(Looked(self._at_ns) if news else Ticked(self._at_ns))

    @property
    def line(self) -> tuple[Entry, ...]:
        """The entries of the record."""
        return self.tracker.record.line

    @property
    def moves(self) -> tuple[str, ...]:
        """The half-moves on record, in wire form; empty text for an irregular one."""
        return tuple(ply.move for ply in self.tracker.record.plies)

    def shown(self) -> Shown:
        """The clock's face now."""
        return self.clock.shown(self._at_ns)

    # Facts and decisions.

    def facts(self, facts: Iterable[Fact]) -> None:
        changed: list[int] = []
        for fact in facts:
            match fact:
                case MoveMade() | MoveReplaced() | MoveCompleted() if not self._stands(fact.ply):
                    changed.append(fact.ply)
                    continue
                case MoveMade() | MoveReplaced() | MoveCompleted() | MoveWithdrawn():
                    self._move(fact)
                    changed.append(fact.ply)
                case IrregularStands():
                    if fact.ply <= len(self.tracker.record.plies):
                        self.tell(fact.at_ns, entry_told(self, fact.at_ns, fact.ply))
                    changed.append(fact.ply)
                case GameBegun() if not self._game_begun(fact.fen):
                    continue
            note_health(self, fact)
            self._status()
            self.hear(fact)
        if changed:
            self.tell_rest(min(changed))

    def tell_rest(self, changed: int) -> None:
        """What of the record no fact has told; nothing before half-move `changed` is new."""
        for told in untold(self, self._at_ns, changed):
            self.tell(self._at_ns, told)

    def _stands(self, ply: int) -> bool:
        """False where the record has another truth already, which facts that follow tell."""
        plies = self.tracker.record.plies
        return ply <= len(plies) and bool(plies[ply - 1].move)

    def hear(self, fact: Fact | ClockFact | Looked | Ticked | Examined) -> None:
        self.decide(self.docket.hear(fact, self.scene()))

    def scene(self) -> Scene:
        """What the Laws may look at, now."""
        return Scene(
            at_ns=self._at_ns,
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
        )

    def decide(self, decisions: Iterable[Decision]) -> None:
        for decision in decisions:
            match decision:
                case RulingChanged(ruling):
                    self.tell_ruling(ruling)
                case ResultStands():
                    self._result(decision)
                case Ordered():
                    self._ordered(decision)

    def tell_ruling(self, ruling: Ruling) -> None:
        if self.recent.newer is not None and ruling.urgency:
            self.announcer.numbering.rulings[ruling.number] = ruling
        evidence = self.books.evidence(ruling.cause_from_ns, ruling.cause_to_ns)
        self._outputs += self.announcer.ruling(self._at_ns, ruling, evidence)

    def _result(self, stands: ResultStands) -> None:
        if stands.result == self.books.result:
            return
        self.books.result = stands.result
        self._outputs.append(
            self.announcer.result(
                self._at_ns, stands.result, stands.reason, stands.article, stands.certainty.value
            )
        )
        if stands.result is None:
            self.tracker.resume_game(self._at_ns)
        else:
            self.tracker.end_game(self._at_ns)
        self._status()

    def _ordered(self, order: Ordered) -> None:
        """The record follows the arbiter's order; board and clock are then watched."""
        if order.pause and not self.books.paused:
            self.books.paused = self.books.paused_by_order = True
        if order.before_ply is not None:
            line = self.line[: order.before_ply - 1]
            added = () if order.play is None else (order.play,)
            self.set_line((*line, *added))

    def _game_begun(self, fen: str) -> bool:
        """True where it is another game, and not the start array of this one shown again."""
        books = self.books
        if books.result is None and not self.announcer.numbering.moves:
            return False
        self.announcer.new_game(self._at_ns)
        elsewhere = fen != self.rules.fen(self.rules.start())
        self.clock.begin_game(self._at_ns, in_progress=elsewhere)
        books.result, books.paused, books.status = None, False, "waiting"
        books.paused_by_order = False
        self.board.missed = []
        return True

    def _status(self) -> None:
        books, shown = self.books, self.shown()
        if books.result is not None:
            books.status = "ended"
        elif books.paused:
            books.status = "paused"
        elif self.tracker.record.plies or shown.running is not None or books.status == "playing":
            standing = shown.known and shown.running is None and shown.flag is None
            moved = bool(self.tracker.record.plies)
            books.status = "paused" if standing and moved else "playing"

    # Moves.

    def _move(self, fact: MoveFact) -> None:
        on_air = fact.ply in self.announcer.numbering.moves
        if on_air or not isinstance(fact, MoveCompleted):
            self.tell(fact.at_ns, move_told(self, fact))

    def tell(self, at_ns: int, told: MoveTold | None) -> None:
        if told is not None:
            self._outputs.append(self.announcer.move(at_ns, told))

    def put(self, output: Output) -> None:
        """What leaves with this step, after what was put before."""
        self._outputs.append(output)

    def state(self, at_ns: int) -> payloads.State:
        """The whole live state as of `at_ns`. Derived: it is not journalled."""
        return state(self, at_ns)

    # What acts lead to (see `acts`).

    def set_line(self, entries: Sequence[Entry]) -> None:
        self.facts(self.tracker.set_line(self._at_ns, entries))
        self.tell_rest(1)

    def command(self, command: Command) -> None:
        self._commands.append(command)

    def restate(self) -> None:
        self._status()
