"""What a source that knows the game says of it: moves, times, the end.

Such a source is a feed, an old computer, the arbiter's page.

A feed is believed in what is on its record; what it says of an end goes through the doors that
people's words go through, so the Laws count what can be counted and a result stands once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from msgspec.structs import replace

from arbiterd.laws.act import Act
from arbiterd.laws.articles.art_05_ends import END
from arbiterd.laws.case.penalty import DRAW, lost_by
from arbiterd.rules.ruleset import Colour
from arbiterd.table.effects import (
    AskLaws,
    CorrectClock,
    Effects,
    HearDevice,
    PlayOn,
    TellClock,
    tell_clock,
    track,
)
from arbiterd.table.inputs import MovePlayed
from arbiterd.table.state import TableState
from arbiterd.timing.clock import ClockModel
from arbiterd.timing.control import Rate, read_period
from arbiterd.timing.spent import left_after
from arbiterd.tracking.tracker import Tracker
from eboards.events import (
    Ending,
    EndReported,
    Fault,
    LineReported,
    MoveReported,
    Noise,
    TimesReported,
)

FeedReport: TypeAlias = MoveReported | MovePlayed | LineReported | TimesReported | EndReported


def reported(view: TableState, told: FeedReport) -> Effects:
    """What it leads to. What cannot be is a fault of the source."""
    match told:
        case MoveReported():
            return _move(view, told.at_ns, told.text)
        case MovePlayed():
            return _move(view, told.at_ns, told.move)
        case LineReported():
            return _line(view, told)
        case TimesReported():
            running = Colour(told.running)
            return (CorrectClock(told.at_ns, told.white_ms, told.black_ms, running),)
        case EndReported():
            return _end(view, told)


def _move(view: TableState, at_ns: int, move: str) -> Effects:
    try:
        view.rules.parse(view.tracker.position, move)
    except ValueError as wrong:
        return _fault(at_ns, str(wrong))
    return (PlayOn(at_ns, (*view.line, move)),)


def _line(view: TableState, told: LineReported) -> Effects:
    """The whole game. A part of what is known already is no news."""
    rules = view.rules
    try:
        position = start = rules.start(told.start)
        for text in told.moves:
            position = rules.play(position, rules.parse(position, text))
    except ValueError as wrong:
        return _fault(told.at_ns, str(wrong))
    same = rules.fen(start) == view.tracker.record.start
    moves, known = told.moves, view.moves
    if same and moves == known[: len(moves)] and (moves or not known):
        return ()
    # The clock first: the half-move is told with what it left.
    times = _times(view, told, rules.turn(start), rules.turn(position))
    follows = (*times, PlayOn(told.at_ns, moves))
    if same and moves and view.books.status != "ended":
        return follows
    return (track(Tracker.begin_game, told.at_ns, start), *follows)


def _times(view: TableState, told: LineReported, first: Colour, running: Colour) -> Effects:
    """What both have left by the time that the source counted for each half-move."""
    spent = told.spent_ms
    if len(spent) < len(told.moves) or None in spent or not spent:
        return ()
    rate = view.setup.rate
    if not rate.periods and told.time:
        try:
            rate = Rate(periods=(read_period(told.time),))
        except ValueError:
            return ()  # A control that has no form here; a clock it gives is not known.
    counted = [ms for ms in spent if ms is not None]
    left = {first: left_after(rate, counted[::2]), first.other: left_after(rate, counted[1::2])}
    white_ms, black_ms = left[Colour.WHITE], left[Colour.BLACK]
    if white_ms is None or black_ms is None:
        return ()
    return (CorrectClock(told.at_ns, white_ms, black_ms, running),)


def _fault(at_ns: int, words: str) -> Effects:
    return (HearDevice(Fault(at_ns, note=words, noise=Noise.UNEXPECTED_REPLY)),)


# The end.

_SAID = Act(0, "", by="")
ACTS: Mapping[Ending, Act] = {
    Ending.RESIGNED: replace(_SAID, action="resign"),
    Ending.DECLARED: replace(_SAID, action="claim", claim="declaration"),
    Ending.FOUL: replace(_SAID, action="report", kind="sh-found-later"),
    Ending.IMPASSE: replace(_SAID, action="report", kind="sh-jishogi-agreed"),
    Ending.DRAWN: replace(_SAID, action="set-result", result=DRAW, reason="agreement"),
}
"""The word of people that it is; the end of a game on its board needs none."""


def _end(view: TableState, told: EndReported) -> Effects:
    """The clocks stand then, whatever it was."""
    if view.books.result is not None:
        return ()
    stopped = _quietly(tell_clock(ClockModel.pause, told.at_ns))
    if told.ending is Ending.BROKEN_OFF or _decided(view):
        return (stopped,)
    side = None if told.side is None else Colour(told.side)
    return (*_asked(view, told, side), stopped)


def _asked(view: TableState, told: EndReported, side: Colour | None) -> Effects:
    """What people's word for it would lead to."""
    if told.ending is Ending.TIME and side is not None:
        return (_quietly(tell_clock(ClockModel.flag, told.at_ns, side)),)
    act = ACTS.get(told.ending)
    if told.ending is Ending.WON and side is not None:
        act = replace(_SAID, action="set-result", result=lost_by(side.other), reason="reported")
    words = f"the source says the game ended: {told.ending.value}"
    if act is None:
        return _fault(told.at_ns, f"{words}; its moves do not show it, enter the result")
    by = view.board.driver or "source"
    return (AskLaws(replace(act, at_ns=told.at_ns, side=side, by=by), source=words),)


def _quietly(told: TellClock) -> TellClock:
    """The game is over: no clock says that play goes on."""
    return TellClock(told.tell, told.said, resumes=False)


def _decided(view: TableState) -> bool:
    """The board itself ended the game: a ruling waits for the arbiter already."""
    return any(held.cause == END for held in view.docket.file.open)
