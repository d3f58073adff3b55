"""One table: an input and its time in, a Step out. No clock, no thread, no I/O.

    input ─▶ what it leads to (`folding`, `acts`) ─▶ effects ─▶ `drain` ─▶ outputs, commands ─▶ Step
                       ▲                                          │
                       └────────── the table as it is (`state`) ◀─┘

Before an input at `t` is folded, everything that was due by then is folded first, each at its
own time, so that what comes out never depends on when the caller's loop woke. Here is what needs a
second table beside the first: a preview, and an act that is undone. Nothing that is decided about a
table imports it.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from arbiterd.laws.act import Act, Answer
from arbiterd.laws.register import Looked
from arbiterd.messages import payloads
from arbiterd.messages.step import Output, Step
from arbiterd.rules.mating import MatingQuestion
from arbiterd.table.acts import performed
from arbiterd.table.announcer import clock_of
from arbiterd.table.answering import answered, previewed
from arbiterd.table.drain import Leaving, drain
from arbiterd.table.effects import (
    DueNow,
    Effects,
    Enter,
    GiveAnswer,
    Hear,
    Occasion,
    On,
    PutOut,
    track,
)
from arbiterd.table.folding import clock_said, led_to
from arbiterd.table.inputs import ActPreviewed, Input, ServiceStarted
from arbiterd.table.keeping import kept, restored
from arbiterd.table.recent import Deed
from arbiterd.table.returning import unheard
from arbiterd.table.setup import TableSetup
from arbiterd.table.state import begun, reseat
from arbiterd.table.undoing import refusal, undone
from arbiterd.table.views import state
from arbiterd.tracking.tracker import Tracker
from eboards.codec import DeviceCommand


class Table:
    """One table. `take` and `due` are its only doors; what it is made of is there to be read."""

    def __init__(self, setup: TableSetup) -> None:
        self.view = begun(setup)
        self._outputs: list[Output] = []
        self._commands: list[DeviceCommand] = []
        self._due: tuple[int | None] | None = None
        """What is due next, where nothing has happened since it was looked for."""
        if setup.clock is not None:
            self._drain(clock_said(setup.clock))

    # Checkpoints.

    def checkpoint(self) -> bytes:
        """The whole table; folding on from it equals folding from the start."""
        return kept(self.view)

    @classmethod
    def restored(cls, data: bytes) -> Table:
        """The table that `checkpoint` wrote."""
        view = restored(data)
        table = cls(view.setup)
        table.view = view
        # What the set-up itself led to has left long ago.
        table._outputs, table._commands, table._due = [], [], None
        return table

    def copied(self) -> Table:
        """The same table once more; what happens to one is nothing to the other."""
        return Table.restored(self.checkpoint())

    def reseated(self, setup: TableSetup) -> Table:
        """The same place with another set-up (a new round): a new game."""
        before, at_ns = self.view, self.at_ns
        table = Table(setup)
        reseat(table.view, before)
        same = table.view.rules.geometry == before.rules.geometry
        seen = table.view.board.placement(before.rules) if same else None
        if seen is not None:
            table._drain((track(Tracker.link, at_ns, True, before.sensing),))
            if before.in_play:
                # It was left, and play may go on: what stands there can be of the new one.
                table._drain((track(Tracker.scanned, at_ns, seen),))
            else:
                played = before.left_so(seen)
                table._drain((track(Tracker.stands, at_ns, seen, played=played),))
        return table

    # What people and programs may see of it.

    @property
    def setup(self) -> TableSetup:
        """As it holds now: names and delays may have changed since it began."""
        return self.view.setup

    @property
    def moves(self) -> tuple[str, ...]:
        """The half-moves on record, in wire form; empty text for an irregular one."""
        return self.view.moves

    @property
    def in_play(self) -> bool:
        """True from the first move or press to the result."""
        return self.view.in_play

    @property
    def questions(self) -> tuple[MatingQuestion, ...]:
        """What a worker is to answer; the answers come in as `MatingAnswered`."""
        return self.view.docket.questions

    def state(self, at_ns: int) -> payloads.State:
        """The whole live state as of `at_ns`. Derived: it is not journalled."""
        return state(self.view, at_ns)

    def clock_turns(self) -> Sequence[tuple[str, int, payloads.Clock | None]]:
        """When its clock was started, stopped or set, and what it showed: the last of this game,
        named, and before them of the one that it was left for."""
        left, game = self.view.books.clock_left, self.view.announcer.game
        games = [] if left is None else [(left.game, left.turns)]
        return [
            (name, shown.at_ns, clock_of(shown))
            for name, turns in (*games, (game, self.view.clock.turns()))
            for shown in turns
        ]

    @property
    def news(self) -> int:
        """Counts what may have changed its state, but for the times of a clock that ticks."""
        return self.view.news

    # The two doors.

    @property
    def at_ns(self) -> int:
        """How far the table's time has come: nothing earlier can be taken."""
        return self.view.at_ns

    @property
    def due_at_ns(self) -> int | None:
        """When `due` is to be called if nothing comes before."""
        if self._due is None:
            self._due = (self.view.due_at_ns,)
        return self._due[0]

    def take(self, number: int, item: Input) -> Step:
        """Folds one input; `number` is its row in the journal. Times never go back."""
        assert item.at_ns >= self.at_ns, "time goes on within a table"
        if isinstance(item, ServiceStarted) and item.heard_ns is not None:
            self._run_until(item.heard_ns)
            self._drain(unheard(self.view, max(item.heard_ns, self.at_ns)))
        self._run_until(item.at_ns)
        self._drain((Enter(number, item),))
        match item:
            case Act():
                self._act(item)
            case ActPreviewed():
                self._preview(item)
            case _:
                self._drain(led_to(self.view, item))
        return self._step()

    def due(self, at_ns: int) -> Step:
        """Folds what is due by this time."""
        self._run_until(at_ns)
        return self._step()

    def _run_until(self, at_ns: int) -> None:
        while (due_ns := self.due_at_ns) is not None and due_ns <= at_ns:
            self._drain((DueNow(due_ns),))

    def _drain(self, effects: Effects) -> Leaving:
        self._due = None
        left = drain(self.view, effects)
        if left.outputs:
            self.view.news += 1
        self._outputs += left.outputs
        self._commands += left.commands
        return left

    def _step(self) -> Step:
        outputs, commands = tuple(self._outputs), tuple(self._commands)
        self._outputs, self._commands = [], []
        return Step(outputs, commands, self.due_at_ns)

    # Acts.

    def _act(self, act: Act) -> None:
        known = self.view.books.answer_to(act)
        if known is not None:
            self._drain((PutOut(known),))
            return
        answer = self.perform(act)
        self._drain(answered(self.view, act, answer))

    def _preview(self, asked: ActPreviewed) -> None:
        act, copy = replace(asked.act, at_ns=asked.at_ns), self.copied()
        answer = copy.perform(act)
        self._drain(previewed(self.view, copy.view, act, answer))

    def perform(self, act: Act) -> Answer:
        """Does it, or refuses; nobody is answered, so it is for an act that came in or a copy.

        The Laws then look at what has become of the table.
        """
        effects = self._undone(act) if act.action == "undo" else performed(self.view, act)
        answer = self._drain((On(Occasion(by_arbiter=True), effects),)).answer
        assert answer is not None, "an act is answered"
        self._drain((Hear(Looked(self.at_ns)),))
        return answer

    def _undone(self, act: Act) -> Effects:
        """The table is folded again without the act that is undone."""
        deed = self.view.recent.deed(act.of, act.user)
        refused = refusal(act, deed)
        if deed is None or refused:
            return (GiveAnswer(Answer(ok=False, error=refused)),)
        stood = self.view.recent.before(deed)
        other = Table.restored(stood.table)
        rulings = other.view.docket.file
        self._fold_again(other, deed, stood.number)
        return undone(self.view, deed, stood, rulings, other.view)

    def _fold_again(self, other: Table, without: Deed, since: int) -> None:
        """All that came since then but one, into another table."""
        for came in self.view.recent.inputs:
            if came.number >= since and came.number != without.number:
                other.take(came.number, came.item(other.view.docket))
        other.due(self.at_ns)
