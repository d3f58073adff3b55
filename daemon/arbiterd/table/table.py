"""One table: an input and its time in, a Step out. No clock, no thread, no I/O.

    device event ─▶ board (which way it lies) ─▶ tracking ─▶ facts ─┐
    clock reading ─▶ timing ─▶ clock facts, presses ─▶ tracking ────┼─▶ docket ─▶ decisions ─▶ Step
    arbiter's act ─────────────────────────────────────────────────┘

Before an input at `t` is folded, everything that was due by then is folded first, each at its
own time, so that what comes out never depends on when the caller's loop woke.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from arbiterd.laws.act import Act, Answer
from arbiterd.laws.decisions import Decision, Ordered, ResultStands, RulingChanged
from arbiterd.laws.docket import Docket
from arbiterd.laws.register import Examined, Looked
from arbiterd.laws.ruling import Ruling
from arbiterd.laws.scene import Scene
from arbiterd.messages import payloads, topics
from arbiterd.messages.step import Output, Step
from arbiterd.rules.mating import MatingQuestion
from arbiterd.rules.registry import chosen, ruleset
from arbiterd.rules.ruleset import Colour, RuleSet
from arbiterd.table.absence import MEMORY_NS, Absence, Memory, Recovered, continuations
from arbiterd.table.acts import perform
from arbiterd.table.announcer import Announcer, MoveTold, Numbering
from arbiterd.table.board import Board
from arbiterd.table.books import Books, Checkpoint
from arbiterd.table.inputs import (
    ClockSaid,
    HandShown,
    Input,
    MatingAnswered,
    MovePlayed,
    RoundBegan,
    ServiceStarted,
)
from arbiterd.table.readings import reading_of, reading_said
from arbiterd.table.setup import TableSetup
from arbiterd.table.views import MoveFact, device, move_told, recovered, state, withdrawn
from arbiterd.timing.clock import ClockModel
from arbiterd.timing.face import Reading
from arbiterd.timing.facts import ClockFact, Press, Restarted, Shown
from arbiterd.tracking.facts import (
    Fact,
    GameBegun,
    Gap,
    GapFilled,
    How,
    IrregularStands,
    MoveCompleted,
    MoveMade,
    MoveReplaced,
    MoveWithdrawn,
)
from arbiterd.tracking.tracker import Tracker
from eboards.codec import AskLog, Command
from eboards.events import (
    Battery,
    Button,
    ClockGone,
    ClockReading,
    ClockReply,
    Fault,
    Finger,
    Identity,
    Lever,
    LineReported,
    LinkDown,
    LinkUp,
    MoveReported,
    Noise,
    Remembered,
    Scan,
    Sensing,
    SensingClass,
    Side,
    SquareChange,
)

INPUTS_KEPT = 8192
"""How many input numbers a table can still turn times into; older evidence begins there."""

ANSWERS_KEPT = 512
"""So many commands are recognised when they are sent again."""

DEFAULT_SCAN_NS = 200_000_000


class Table:
    """One table. `take` and `due` are its only doors."""

    def __init__(self, setup: TableSetup) -> None:
        self.setup = setup
        self.rules: RuleSet[Any, Any] = chosen(setup.ruleset, dict(setup.rules))
        self.sensing = Sensing(SensingClass.IDENTITY, DEFAULT_SCAN_NS, self.rules.geometry)
        self.board = Board(fixed=setup.orientation is not None, degrees=setup.orientation or 0)
        self.books = Books(round_started_ns=setup.round_started_ns)
        self.announcer = Announcer(setup, self.rules.geometry, Numbering())
        self.clock = ClockModel(setup.rate, in_progress=bool(setup.moves or setup.start))
        self.docket = Docket(illegal=setup.illegal)
        self.tracker = self._tracker(setup)
        self.acting = False
        """True while an arbiter's act is carried out."""
        self.recovering: dict[int, Shown | None] = {}
        """Half-moves that are being put on the record from a memory, with its clock."""
        self._at_ns = 0
        self._outputs: list[Output] = []
        self._commands: list[Command] = []
        if setup.moves:
            self.books.status = "playing"
        if setup.clock is not None:
            self._clock_said(setup.clock)

    def _tracker(self, setup: TableSetup) -> Tracker[Any, Any]:
        position = self.rules.start(setup.start)
        return Tracker(self.rules, self.sensing, setup.tracking, position, 0, moves=setup.moves)

    @property
    def in_play(self) -> bool:
        """True from the first move or press to the result."""
        return self.books.status in ("playing", "paused")

    # Checkpoints.

    def checkpoint(self) -> bytes:
        """The whole table; folding on from it equals folding from the start."""
        return msgspec.msgpack.encode(
            Checkpoint(
                setup=self.setup,
                tracker=self.tracker.checkpoint(),
                docket=self.docket.checkpoint(),
                clock=self.clock.checkpoint(),
                board=self.board,
                numbering=self.announcer.numbering,
                books=self.books,
                at_ns=self._at_ns,
                sensing=self.sensing,
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
        table.docket = Docket.restored(kept.docket)
        table._at_ns = kept.at_ns
        return table

    def reseated(self, setup: TableSetup) -> Table:
        """The same place with another set-up (a new round): a new game.

        Numbers of events, games and rulings go on; board, inputs and answered commands stay.
        """
        table = Table(setup)
        table.sensing = self.sensing
        table.board = self.board if setup.orientation is None else table.board
        table.books = Books(
            round_started_ns=setup.round_started_ns,
            input_times=self.books.input_times,
            input_numbers=self.books.input_numbers,
            answered=self.books.answered,
        )
        table.announcer.numbering = self.announcer.numbering
        table.announcer.new_game()
        table.docket.file = replace(table.docket.file, next_number=self.docket.file.next_number)
        table._at_ns = self._at_ns
        seen = self.board.placement(self.rules)
        if seen is not None and table.rules.geometry == self.rules.geometry:
            table._facts(table.tracker.link(self._at_ns, True, self.sensing))
            table._facts(table.tracker.scanned(self._at_ns, seen))
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
        self._remember_input(number, item.at_ns)
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
                self._look_now(due_ns)
            if self.tracker.due_at_ns is not None and self.tracker.due_at_ns <= due_ns:
                self._facts(self.tracker.due(due_ns))
            if self.docket.due_at_ns is not None and self.docket.due_at_ns <= due_ns:
                self._decide(self.docket.due(due_ns, self.scene()))

    def _step(self) -> Step:
        outputs, commands = tuple(self._outputs), tuple(self._commands)
        self._outputs, self._commands = [], []
        return Step(outputs, commands, self.due_at_ns)

    def _remember_input(self, number: int, at_ns: int) -> None:
        books = self.books
        books.input_times.append(at_ns)
        books.input_numbers.append(number)
        if len(books.input_times) > 2 * INPUTS_KEPT:
            del books.input_times[:INPUTS_KEPT], books.input_numbers[:INPUTS_KEPT]

    def evidence(self, from_ns: int, to_ns: int) -> tuple[int, int]:
        """The journal's numbers of the inputs read between two times."""
        times, numbers = self.books.input_times, self.books.input_numbers
        if not numbers:
            return (0, 0)
        first = min(bisect_left(times, from_ns), len(numbers) - 1)
        last = max(bisect_right(times, to_ns) - 1, first)
        return numbers[first], numbers[last]

    # Inputs.

    def _fold(self, item: Input) -> None:
        if isinstance(item, Scan | ClockReading) and self.board.calmed(item.at_ns):
            self._tell_device(item.at_ns)
        match item:
            case Scan() | SquareChange():
                self._seen(item)
            case ClockReading() | ClockGone() | Lever():
                self._clock_event(item)
            case ClockSaid():
                self._clock_said(item)
            case Act():
                self._act(item)
            case LinkUp() | LinkDown() | Identity() | Battery() | Fault() | ClockReply():
                self._device(item)
            case Finger():
                square = self.board.square(self.rules, item.square)
                self._facts(self.tracker.felt(item.at_ns, square, item.down))
            case MoveReported():
                self._played(item.at_ns, item.text)
            case LineReported():
                self._told_line(item)
            case MovePlayed():
                self._played(item.at_ns, item.move)
            case RoundBegan():
                self.books.round_started_ns = item.at_ns
                self._hear(Looked(item.at_ns))
            case Remembered():
                self._remembered(item)
            case MatingAnswered():
                self._hear(Examined(item.at_ns, item.answer))
            case ServiceStarted() | Button() | HandShown():
                pass

    def _seen(self, event: Scan | SquareChange) -> None:
        self.board.sees(event)
        if self._awaits_memory(event):
            return
        self._shown_to_tracking(event)

    def _shown_to_tracking(self, event: Scan | SquareChange) -> None:
        fresh = self.books.status == "ended" or not self.tracker.record.plies
        turned = fresh and self.board.looks_like_start(self.rules)
        if isinstance(event, Scan) or turned:
            placement = self.board.placement(self.rules)
            assert placement is not None, "a board that was seen shows something"
            facts = self.tracker.scanned(event.at_ns, placement)
        else:
            square = self.board.square(self.rules, event.square)
            facts = self.tracker.changed(event.at_ns, square, event.piece)
        self._facts(facts)
        self._hear(Looked(event.at_ns))

    def _awaits_memory(self, event: Scan | SquareChange) -> bool:
        """The board is seen again: if it shows something else, its memory says what happened."""
        gone = self.books.absence
        if gone is None:
            return False
        if not self.sensing.remembers or self.board.raw == gone.raw:
            self.books.absence = None
            return False
        if gone.until_ns is None and isinstance(event, Scan):
            until_ns = event.at_ns + MEMORY_NS
            self.books.absence = msgspec.structs.replace(gone, until_ns=until_ns)
            self.command(AskLog())
        return True

    def _look_now(self, at_ns: int) -> None:
        """What the board shows counts, with or without its memory."""
        self.books.absence = None
        if self.board.raw is not None:
            self._shown_to_tracking(Scan(at_ns, tuple(self.board.raw)))

    def _gone(self, at_ns: int) -> None:
        """The board was heard for the last time: this is what its memory is joined to."""
        if self.books.absence is not None:
            # Lost again before its memory came: what was known before is known still.
            self.books.absence = msgspec.structs.replace(self.books.absence, until_ns=None)
            return
        begun = self.in_play or (self.books.status == "waiting" and self._stands_at_start)
        if not begun or self.board.raw is None:
            return
        shown = self.clock.shown(at_ns)
        stood = None if shown.running is None else shown.running.other
        stood_ms = shown.white_ms if stood is Colour.WHITE else shown.black_ms
        self.books.absence = Absence(
            raw=self.board.raw,
            tracker=self.tracker.checkpoint(),
            plies=len(self.tracker.record.plies),
            stopped=None if stood is None else self.board.side(stood),
            stopped_ms=None if stood is None else stood_ms,
        )

    @property
    def _stands_at_start(self) -> bool:
        """The men are up, and nobody has moved."""
        placement = self.board.placement(self.rules)
        return placement == self.rules.placement(self.tracker.position)

    def _remembered(self, event: Remembered) -> None:
        """The board's memory came: what it alone explains is put on the record."""
        gone, raw = self.books.absence, self.board.raw
        if gone is None:
            return
        memory = Memory(
            self.rules,
            self.setup.tracking,
            self.board.degrees,
            white_left=self.board.colour(Side.LEFT) is Colour.WHITE,
        )
        now = None if raw is None else tuple(raw)
        found = continuations(memory, event.lines, gone, now, event.at_ns)
        if not found and now is None:
            # A part of it came by itself; the whole is asked for once the board shows its men.
            return
        if len(found) == 1:
            self._recovered(event.at_ns, gone, found[0])
        self._look_now(event.at_ns)
        if len(found) > 1:
            candidates = tuple(way.moves for way in found)
            self._hear(Gap(event.at_ns, self.tracker.turn, candidates))

    def _recovered(self, at_ns: int, gone: Absence, found: Recovered) -> None:
        """The record follows the memory; what was inferred rightly is told again, as recovered."""
        line = (*self.moves[: gone.plies], *found.moves)
        self.recovering = dict(enumerate(found.shown, gone.plies + 1))
        for ply in range(gone.plies + 1, len(line) + 1):
            if self.moves[:ply] != line[:ply]:
                break
            self._tell(at_ns, recovered(self, at_ns, ply))
        if line != self.moves:
            self._facts(self.tracker.set_line(at_ns, line))
        self.recovering = {}
        self._hear(GapFilled(at_ns))

    def _device(
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
            self._gone(event.at_ns)
        changed = self.board.told(event)
        if isinstance(event, LinkUp):
            self.sensing = event.sensing
            self._facts(self.tracker.link(event.at_ns, True, event.sensing))
        elif isinstance(event, LinkDown):
            self._facts(self.tracker.link(event.at_ns, False, None, event.reason))
        if changed:
            self._tell_device(event.at_ns)

    def _tell_device(self, at_ns: int) -> None:
        body = msgspec.json.encode(device(self, at_ns))
        self._outputs.append(Output(topics.DEVICE, body, retained=True))

    def _played(self, at_ns: int, move: str) -> None:
        """A source that knows the game says a move; what is not legal is a fault of the source."""
        try:
            self.rules.parse(self.tracker.position, move)
        except ValueError as wrong:
            self._device(Fault(at_ns, note=str(wrong), noise=Noise.UNEXPECTED_REPLY))
            return
        self._play_on(at_ns, (*self.moves, move))

    def _told_line(self, told: LineReported) -> None:
        """The whole game by a source that knows it. A part of what is known already is no news."""
        rules = self.rules
        try:
            position = start = rules.start(told.start)
            for text in told.moves:
                position = rules.play(position, rules.parse(position, text))
        except ValueError as wrong:
            self._device(Fault(told.at_ns, note=str(wrong), noise=Noise.UNEXPECTED_REPLY))
            return
        same = rules.fen(start) == self.tracker.record.start
        if same and told.moves == self.moves[: len(told.moves)] and (told.moves or not self.moves):
            return
        if not same or not told.moves or self.books.status == "ended":
            self._facts(self.tracker.begin_game(told.at_ns, start))
        self._play_on(told.at_ns, told.moves)

    def _play_on(self, at_ns: int, moves: tuple[str, ...]) -> None:
        """The record as the source tells it: finished moves, seen by nobody else."""
        if moves != self.moves:
            self._facts(self.tracker.set_line(at_ns, moves, how=How.SETTLED))
        if self.sensing.kind is SensingClass.MOVES:
            # Such a device shows no squares: what it reports is what stands on it.
            shown = self.rules.placement(self.tracker.position)
            self._facts(self.tracker.scanned(at_ns, shown))

    # The clock.

    def _clock_event(self, event: ClockReading | ClockGone | Lever) -> None:
        colour = self.board.colour
        if not isinstance(event, Lever):
            self._device(event)
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
        self._clock_facts(facts)

    def _clock_said(self, said: ClockSaid) -> None:
        if said.flag is not None:
            facts = self.clock.flag(said.at_ns, said.flag)
        elif said.pause:
            facts = self.clock.pause(said.at_ns)
        else:
            facts = self.clock.read(reading_said(said))
        self._clock_facts(facts)

    def _clock_facts(self, facts: Iterable[ClockFact]) -> None:
        for fact in facts:
            if isinstance(fact, Press) and self.books.status == "waiting":
                self.books.status = "playing"
            if self.books.absence is not None and isinstance(fact, Press | Restarted):
                # The half-moves before it are not known yet.
                continue
            self._hear(fact)
            if isinstance(fact, Press):
                self._facts(self.tracker.pressed(fact.at_ns, fact.side, fact.late_ns))
        shown = self.shown()
        self._facts(self.tracker.clock(self._at_ns, shown.running, shown.known))
        self._status()
        self._hear(Looked(self._at_ns))

    @property
    def moves(self) -> tuple[str, ...]:
        """The half-moves on record, in wire form; empty text for an irregular one."""
        return tuple(ply.move for ply in self.tracker.record.plies)

    def shown(self) -> Shown:
        """The clock's face now."""
        return self.clock.shown(self._at_ns)

    # Facts and decisions.

    def _facts(self, facts: Iterable[Fact]) -> None:
        for fact in facts:
            match fact:
                case MoveMade() | MoveReplaced() | MoveCompleted() if not self._stands(fact.ply):
                    continue
                case MoveMade() | MoveReplaced() | MoveCompleted() | MoveWithdrawn():
                    self._move(fact)
                case IrregularStands():
                    self._tell(fact.at_ns, withdrawn(self, fact.at_ns, fact.ply))
                case GameBegun() if not self._game_begun(fact.fen):
                    continue
            self._status()
            self._hear(fact)

    def _stands(self, ply: int) -> bool:
        """False where the record has another truth already, which facts that follow tell."""
        plies = self.tracker.record.plies
        return ply <= len(plies) and bool(plies[ply - 1].move)

    def _hear(self, fact: Fact | ClockFact | Looked | Examined) -> None:
        self._decide(self.docket.hear(fact, self.scene()))

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
        )

    def _decide(self, decisions: Iterable[Decision]) -> None:
        for decision in decisions:
            match decision:
                case RulingChanged(ruling):
                    self._ruling(ruling)
                case ResultStands():
                    self._result(decision)
                case Ordered():
                    self._ordered(decision)

    def _ruling(self, ruling: Ruling) -> None:
        evidence = self.evidence(ruling.cause_from_ns, ruling.cause_to_ns)
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
        self.books.paused = self.books.paused or order.pause
        if order.before_ply is not None:
            line = self.moves[: order.before_ply - 1]
            added = () if order.play is None else (order.play,)
            self._facts(self.tracker.set_line(self._at_ns, (*line, *added)))
        elif order.fen is not None:
            self._facts(self.tracker.set_position(self._at_ns, self.rules.start(order.fen)))

    def _game_begun(self, fen: str) -> bool:
        """True where it is another game, and not the start array of this one shown again."""
        books = self.books
        if books.result is None and not self.announcer.numbering.moves:
            return False
        self.announcer.new_game()
        elsewhere = fen != self.rules.fen(self.rules.start())
        self.clock.begin_game(self._at_ns, in_progress=elsewhere)
        books.result, books.paused, books.status = None, False, "waiting"
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
            self._tell(fact.at_ns, move_told(self, fact))

    def _tell(self, at_ns: int, told: MoveTold | None) -> None:
        if told is not None:
            self._outputs.append(self.announcer.move(at_ns, told))

    # Acts.

    def _act(self, act: Act) -> None:
        key = f"{act.user}\0{act.id}"
        if act.id and key in self.books.answered:
            topic, body = self.books.answered[key]
            self._outputs.append(Output(topic, body))
            return
        self.acting = True
        answer = perform(self, act)
        self.acting = False
        self._hear(Looked(self._at_ns))
        head = self.announcer.head(self._at_ns)
        reply = payloads.Reply(
            **head,
            ok=answer.ok,
            id=act.id,
            action=act.action,
            ruling=answer.ruling or msgspec.UNSET,
            error=answer.error or msgspec.UNSET,
        )
        output = Output(topics.reply(act.user), msgspec.json.encode(reply))
        self._outputs.append(output)
        if act.id:
            self.books.answered[key] = (output.topic, output.payload)
            while len(self.books.answered) > ANSWERS_KEPT:
                del self.books.answered[next(iter(self.books.answered))]

    def state(self, at_ns: int) -> payloads.State:
        """The whole live state as of `at_ns`. Derived: it is not journalled."""
        return state(self, at_ns)

    # What acts lead to (see `acts`).

    def ask_docket(self, act: Act) -> Answer:
        """Claims, results, yes and no: decided by the Laws."""
        prefix = f"{self.setup.table}-"
        named = act.ruling.removeprefix(prefix)
        if act.ruling.startswith(prefix) and named.isdigit():
            act = replace(act, ruling=str(int(named)))
        answer, decisions = self.docket.act(act, self.scene())
        self._decide(decisions)
        if answer.ruling:
            answer = replace(answer, ruling=f"{prefix}{int(answer.ruling):04d}")
        return answer

    def note_act(self, act: Act) -> None:
        """The Laws hear of what was done here too."""
        _, decisions = self.docket.act(act, self.scene())
        self._decide(decisions)

    def set_line(self, moves: Sequence[str]) -> None:
        self._facts(self.tracker.set_line(self._at_ns, moves))

    def set_position(self, position: Any) -> None:
        self._facts(self.tracker.set_position(self._at_ns, position))

    def set_clock(self, act: Act) -> None:
        """The times that hold from now on; the clock on the table is another matter."""
        self.clock.corrected(self._at_ns, act.white_ms, act.black_ms, act.running)
        self._clock_facts(())

    def command(self, command: Command) -> None:
        self._commands.append(command)

    def restate(self) -> None:
        self._status()

    def start_game(self, white: str, black: str, ruleset_name: str, start: str) -> None:
        """A new game by the arbiter's word. Raises ValueError for rules or a start that is none."""
        rules = ruleset(ruleset_name)
        position = rules.start(start)
        self.setup = replace(
            self.setup, white=white, black=black, ruleset=ruleset_name, start=start, moves=()
        )
        if rules is not self.rules:
            self.rules = rules
            self.announcer = Announcer(self.setup, rules.geometry, self.announcer.numbering)
            self.tracker = self._tracker(self.setup)
        self._facts(self.tracker.begin_game(self._at_ns, position))
