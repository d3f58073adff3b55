"""What an input of a table leads to, before anything of it is done.

    device event ─▶ what board and clock show or say ─┐
    a source that knows the game (`reported`) ────────┼─▶ effects
    round, names, delay, a worker's answer ───────────┘

Acts are not here: they are answered (`acts`, `answering`). An input leads to the same effects
whenever it is looked at, as long as the table is the same.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from arbiterd.laws.register import Examined, Looked
from arbiterd.table.effects import (
    Calm,
    ChangeSetup,
    ClockLies,
    Effects,
    GoWithout,
    Hear,
    HearDevice,
    LeaveGame,
    See,
    StartRound,
    TellDevice,
    tell_clock,
    track,
)
from arbiterd.table.hand_stands import hand_stands_seen
from arbiterd.table.inputs import (
    ClockSaid,
    DelaySaid,
    GameLeft,
    HandShown,
    Labelled,
    MatingAnswered,
    Missed,
    MovePlayed,
    OtherInput,
    Renamed,
    RoundBegan,
    RoundOrdered,
    ServiceStarted,
)
from arbiterd.table.player import players_of
from arbiterd.table.readings import beside_its_clock, reading_of, reading_of_lever, reading_said
from arbiterd.table.reported import reported
from arbiterd.table.returning import remembered, unheard, went
from arbiterd.table.state import TableState
from arbiterd.timing.clock import ClockModel
from arbiterd.tracking.tracker import Tracker
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
    Remembered,
    Scan,
    SquareChange,
    TimesReported,
)


def led_to(view: TableState, item: OtherInput) -> Effects:
    """In the order in which it is to be done."""
    at_ns = item.at_ns
    match item:
        case ClockReading() | ClockGone() | Lever():
            return _of_the_clock(view, item)
        case Scan():
            return (*_calm(view, at_ns), See(item))
        case SquareChange():
            return (See(item),)
        case ClockSaid():
            return clock_said(item)
        case LinkUp():
            return (*went(view, at_ns), HearDevice(item))
        case LinkDown():
            return (*unheard(view, at_ns), HearDevice(item))
        case Identity() | Battery() | Fault() | ClockReply():
            return (HearDevice(item),)
        case Finger():
            square = view.board.square(view.rules, item.square)
            return (track(Tracker.felt, at_ns, square, item.down),)
        case MoveReported() | MovePlayed() | LineReported() | TimesReported() | EndReported():
            return reported(view, item)
        case Remembered():
            return remembered(view, item)
        case HandsSeen() | HandShown():
            return hand_stands_seen(view, item)
        case _:
            return _of_the_hall(view, item)


def _of_the_clock(view: TableState, item: ClockReading | ClockGone | Lever) -> Effects:
    """What the device says of the clock at its side."""
    if view.another_board and view.in_play:
        # Its clock came with it.
        return () if isinstance(item, Lever) else (HearDevice(item),)
    match item:
        case ClockReading():
            board = beside_its_clock(view, item)
            lies = () if board is view.board else (ClockLies(board.clock_stayed),)
            read = tell_clock(ClockModel.read, reading_of(item, board))
            # That the clock is there is news only where something was wrong.
            heard = (HearDevice(item),) if view.board.faults or item.battery_low else ()
            return (*_calm(view, item.at_ns), *heard, *lies, read)
        case ClockGone():
            return HearDevice(item), tell_clock(ClockModel.gone, item.at_ns)
        case Lever():
            return (tell_clock(ClockModel.read, reading_of_lever(item, view.board)),)


def _calm(view: TableState, at_ns: int) -> Effects:
    """What comes over the line is right: only after a fault that is news."""
    return (Calm(at_ns),) if view.board.line_faults else ()


def clock_said(said: ClockSaid) -> Effects:
    """By a source that knows the colours."""
    if said.flag is not None:
        return (tell_clock(ClockModel.flag, said.at_ns, said.flag),)
    if said.pause:
        return (tell_clock(ClockModel.pause, said.at_ns),)
    return (tell_clock(ClockModel.read, reading_said(said)),)


def _of_the_hall(
    view: TableState,
    item: RoundBegan
    | GameLeft
    | Renamed
    | Labelled
    | DelaySaid
    | MatingAnswered
    | Missed
    | ServiceStarted
    | Button
    | RoundOrdered,
) -> Effects:
    match item:
        case RoundBegan():
            return StartRound(item.at_ns), Hear(Looked(item.at_ns))
        case GameLeft():
            return (LeaveGame(),)
        case Renamed():
            return (ChangeSetup(replace(view.setup, **players_of(item))),)
        case Labelled():
            laws = view.setup.laws
            laws = replace(laws, time_zone=item.time_zone or laws.time_zone)
            return (ChangeSetup(replace(view.setup, label=item.label, laws=laws)),)
        case DelaySaid():
            delays = (*view.setup.delays, (item.at_ns, item.delay_ns))
            return (ChangeSetup(replace(view.setup, delays=delays)),)
        case MatingAnswered():
            return (Hear(Examined(item.at_ns, item.answer)),)
        case Missed():
            return GoWithout(item.why, item.seq), TellDevice(item.at_ns)
        case ServiceStarted() | Button() | RoundOrdered():
            return ()
        case _:
            assert_never(item)
