"""What decisions about a table lead to, as values; `drain` alone brings them about.

An effect does nothing and knows no table: it says what is to be told, asked or written, and can
be compared. What hangs on how the table stands by then (a number, the other half-moves) is looked
up when its turn comes, never when it is made.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Concatenate, ParamSpec, TypeAlias

from msgspec import Struct

from arbiterd.laws.act import Act, Answer
from arbiterd.laws.case.casefile import CaseFile
from arbiterd.laws.decisions import Decision
from arbiterd.laws.register import Examined, Looked, Ticked, TimesOrdered
from arbiterd.laws.ruling import Ruling
from arbiterd.messages.step import Output
from arbiterd.rules.ruleset import Colour, RuleSet
from arbiterd.table.absence import Absence
from arbiterd.table.announcer import MoveTold, Numbering
from arbiterd.table.inputs import Input
from arbiterd.table.recent import Deed
from arbiterd.table.setup import TableSetup
from arbiterd.table.state import TableState
from arbiterd.timing.clock import ClockModel
from arbiterd.timing.facts import ClockFact, ClockShown
from arbiterd.tracking.facts import Fact
from arbiterd.tracking.record import Entry
from arbiterd.tracking.tracker import Tracker
from eboards.codec import DeviceCommand
from eboards.events import (
    Battery,
    ClockGone,
    ClockReading,
    ClockReply,
    Fault,
    Identity,
    LinkDown,
    LinkUp,
    Scan,
    SquareChange,
)

P = ParamSpec("P")


class Occasion(Struct, frozen=True):
    """On which effects come about: play, if it is neither an act nor a memory."""

    by_arbiter: bool = False
    memory: Mapping[int, ClockShown | None] = {}
    """Half-moves that are put on the record from a board's memory, with its clock."""


PLAY = Occasion()


class Effect(Struct, frozen=True, gc=False):
    """What one decision leads to; `drain` knows how each kind is brought about."""


Effects: TypeAlias = tuple[Effect, ...]


class On(Effect, frozen=True):
    """These effects, and all they lead to, come about on this occasion."""

    occasion: Occasion
    effects: Effects


# What leaves the table.


class PutOut(Effect, frozen=True):
    """This message, after what was put before."""

    output: Output


class Send(Effect, frozen=True):
    """This command, to the board or the clock."""

    command: DeviceCommand


class GiveAnswer(Effect, frozen=True):
    """To the act that is being done."""

    answer: Answer


class TellMove(Effect, frozen=True):
    """An entry of the record."""

    at_ns: int
    told: MoveTold


class TellRest(Effect, frozen=True):
    """What of the record no fact has told; nothing before half-move `changed` is new."""

    changed: int


class TellRuling(Effect, frozen=True):
    """A ruling as it stands."""

    ruling: Ruling


class TellResult(Effect, frozen=True):
    """The result (`result` None: there is none after all)."""

    at_ns: int
    result: str | None
    reason: str
    article: str
    certainty: str


class TellDevice(Effect, frozen=True):
    """How board and clock do."""

    at_ns: int


# What is asked of tracking and timing, and learnt from them.


class Track(Effect, frozen=True):
    """Asks the tracker this, and learns what it answers (see `track`)."""

    ask: str
    said: tuple[Any, ...]
    named: Mapping[str, Any]


def track(
    ask: Callable[Concatenate[Tracker, P], list[Fact]], *said: P.args, **named: P.kwargs
) -> Track:
    """`track(Tracker.scanned, at_ns, placement)`."""
    return Track(ask.__name__, said, named)


class TellClock(Effect, frozen=True):
    """Tells the clock model this, and learns what it answers (see `tell_clock`)."""

    tell: str
    said: tuple[Any, ...]
    resumes: bool
    """A clock that is then heard to run says that play goes on."""


def tell_clock(
    tell: Callable[Concatenate[ClockModel, P], list[ClockFact]], *said: P.args, **named: P.kwargs
) -> TellClock:
    """`tell_clock(ClockModel.read, reading)`: what a clock says of itself."""
    assert not named, "said in order"
    return TellClock(tell.__name__, said, resumes=True)


class Learn(Effect, frozen=True):
    """What tracking found."""

    facts: tuple[Fact, ...]


class LearnFact(Effect, frozen=True):
    """One of those."""

    fact: Fact


class LearnClock(Effect, frozen=True):
    """What timing found."""

    facts: tuple[ClockFact, ...]


class LearnClockFact(Effect, frozen=True):
    """One of those; `followed` by so many presses that are heard of at the same time."""

    fact: ClockFact
    followed: int


class SeeClock(Effect, frozen=True):
    """The clock's face as it is after that; `news`: timing found something."""

    news: bool


class GoOn(Effect, frozen=True):
    """Play goes on, if a clock runs; `restarted`: from a standing start."""

    restarted: bool


class Calm(Effect, frozen=True):
    """The line is right at this time."""

    at_ns: int


class ClockLies(Effect, frozen=True):
    """On which side of the clock White sits, where the board was turned by half."""

    stayed: bool


class See(Effect, frozen=True):
    """The board shows this, as it counts its squares."""

    event: Scan | SquareChange


class ShowBoard(Effect, frozen=True):
    """The same, once it is known that it counts: tracking is shown it."""

    event: Scan | SquareChange


class ShowRecord(Effect, frozen=True):
    """A device that knows moves alone: what is on the record stands on it."""

    at_ns: int


DeviceWords: TypeAlias = (
    LinkUp | LinkDown | Identity | Battery | Fault | ClockReading | ClockGone | ClockReply
)


class HearDevice(Effect, frozen=True):
    """What a device says of itself."""

    event: DeviceWords


class StopWatching(Effect, frozen=True):
    """Nobody hears the board from here on."""

    at_ns: int


class DueNow(Effect, frozen=True):
    """Time has come so far: what waits for it is done."""

    at_ns: int


class DueMemory(Effect, frozen=True):
    """Of that: a memory that has not come is waited for no longer."""

    at_ns: int


class DueTracking(Effect, frozen=True):
    """Of that: what silence means to tracking."""

    at_ns: int


class DueLaws(Effect, frozen=True):
    """Of that: the laws that wanted to be asked again."""

    at_ns: int


# What the Laws are told, and what they decide.


class Hear(Effect, frozen=True):
    """The Laws hear this."""

    fact: Fact | ClockFact | Looked | Ticked | TimesOrdered | Examined


class HearGap(Effect, frozen=True):
    """The Laws hear of a gap that several lines of play can fill."""

    at_ns: int
    candidates: tuple[tuple[str, ...], ...]


class Follow(Effect, frozen=True):
    """What the Laws decided is brought about."""

    decision: Decision


class AskLaws(Effect, frozen=True):
    """The Laws decide what an act leads to, and answer it."""

    act: Act
    source: str = ""
    """A source said it, in these words, and nobody is answered; what the Laws refuse is then a
    fault of the source. Empty: a person's act."""


class NoteAct(Effect, frozen=True):
    """The Laws hear of what was done at the table itself."""

    act: Act


class Correct(Effect, frozen=True):
    """Rulings about half-moves from `changed` on, of `before`, are moot: an arbiter corrected
    them."""

    changed: int
    before: int


class LeaveGame(Effect, frozen=True):
    """Another game is set up here: what is open of this one runs out."""


# What the table writes down.


class Enter(Effect, frozen=True):
    """An input, before it is folded, and its row in the journal."""

    number: int
    item: Input


class SetLine(Effect, frozen=True):
    """The record is this line, by an arbiter's word."""

    entries: tuple[Entry, ...]


class PlayOn(Effect, frozen=True):
    """The record is these entries, as a source that knows the game tells them."""

    at_ns: int
    entries: tuple[Entry, ...]


class CorrectClock(Effect, frozen=True):
    """The clock shows this from now on, and nothing in it is to be judged."""

    at_ns: int
    white_ms: int | None
    black_ms: int | None
    running: Colour | None


class SetAbsence(Effect, frozen=True):
    """How the board stood when it was last heard; None: that is settled."""

    absence: Absence | None


class Pause(Effect, frozen=True):
    """An arbiter stops the game, or (`on` False) lets it go on."""

    on: bool


class Mute(Effect, frozen=True):
    """Nobody is called to this table, or (`on` False) again."""

    on: bool


class StartRound(Effect, frozen=True):
    """The round began at this time."""

    at_ns: int


class ChangeSetup(Effect, frozen=True):
    """Another set-up holds; with `rules` it is another game's."""

    setup: TableSetup
    rules: RuleSet[Any, Any] | None = None


class GoWithout(Effect, frozen=True):
    """The table goes on without something that was recorded; events up to `seq` were told."""

    why: str
    seq: int


class NoDeed(Effect, frozen=True):
    """The act that came last was refused: nothing of it can be undone."""

    act: Act


class KeepAnswer(Effect, frozen=True):
    """What was answered, for when the act comes again."""

    act: Act
    output: Output


# An act undone.


class TakeBack(Effect, frozen=True):
    """The deed was never done."""

    deed: Deed


class TurnToGame(Effect, frozen=True):
    """The game that began then is the present one."""

    began_ns: int


class TurnTo(Effect, frozen=True):
    """The table is this other one from now on, with this account of its rulings."""

    other: TableState
    file: CaseFile


class CatchUp(Effect, frozen=True):
    """Readers hear what is different now: half-moves and result as these, and these rulings."""

    theirs: Numbering
    rulings: tuple[Ruling, ...]
