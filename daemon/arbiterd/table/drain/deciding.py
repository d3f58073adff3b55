"""What the Laws hear, and what they decide, brought about.

The Laws are asked about the table as it stands at that moment; nothing that they decide is done
before they have said all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from arbiterd.laws.decisions import Ordered, ResultChanged, RulingChanged
from arbiterd.table.asking import named
from arbiterd.table.effects import (
    AskLaws,
    Correct,
    Effects,
    Follow,
    GiveAnswer,
    Hear,
    HearDevice,
    LeaveGame,
    NoteAct,
    Occasion,
    PlayOn,
    SetLine,
    ShowRecord,
    TellRest,
    TellResult,
    TellRuling,
    track,
)
from arbiterd.table.state import TableState
from arbiterd.tracking.facts import How
from arbiterd.tracking.tracker import Tracker
from eboards.events import Fault, Noise


def _hear(state: TableState, _: Occasion, effect: Hear) -> Effects:
    decisions = state.docket.hear(effect.fact, state.scene())
    return tuple(map(Follow, decisions)) if decisions else ()


def _follow(state: TableState, _: Occasion, effect: Follow) -> Effects:
    match effect.decision:
        case RulingChanged(ruling):
            return (TellRuling(ruling),)
        case ResultChanged():
            return _result(state, effect.decision)
        case Ordered():
            return _ordered(state, effect.decision)


def _result(state: TableState, changed: ResultChanged) -> Effects:
    if changed.result == state.books.result:
        return ()
    state.books.result = changed.result
    if changed.result is None:
        state.tracker.resume_game(state.at_ns)
    else:
        state.tracker.end_game(state.at_ns)
    state.books.status = state.status_now()
    certainty = changed.certainty.value
    return (TellResult(state.at_ns, changed.result, changed.reason, changed.article, certainty),)


def _ordered(state: TableState, order: Ordered) -> Effects:
    """The record follows the arbiter's order; board and clock are then watched."""
    if order.pause and not state.books.paused:
        state.books.paused = state.books.paused_by_order = True
    if order.before_ply is None:
        return ()
    line = state.line[: order.before_ply - 1]
    added = () if order.play is None else (order.play,)
    return (SetLine((*line, *added)),)


def _ask_laws(state: TableState, _: Occasion, effect: AskLaws) -> Effects:
    act = replace(effect.act, ruling=named(state, effect.act))
    answer, decisions = state.docket.act(act, state.scene())
    followed = tuple(map(Follow, decisions))
    if not effect.source:
        if answer.ruling:
            answer = replace(answer, ruling=f"{state.setup.table}-{int(answer.ruling):04d}")
        return (*followed, GiveAnswer(answer))
    if answer.ok:
        return followed
    words = f"{effect.source}; {answer.error}"
    return (*followed, HearDevice(Fault(act.at_ns, note=words, noise=Noise.UNEXPECTED_REPLY)))


def _note_act(state: TableState, _: Occasion, effect: NoteAct) -> Effects:
    _answer, decisions = state.docket.act(effect.act, state.scene())
    return tuple(map(Follow, decisions))


def _correct(state: TableState, _: Occasion, effect: Correct) -> Effects:
    now = len(state.tracker.record.plies)
    decisions = state.docket.record_corrected(effect.changed, effect.before, now)
    return tuple(map(Follow, decisions))


def _leave_game(state: TableState, _: Occasion, __: LeaveGame) -> Effects:
    return tuple(map(Follow, state.docket.game_left()))


def _set_line(state: TableState, _: Occasion, effect: SetLine) -> Effects:
    return track(Tracker.set_line, state.at_ns, effect.entries), TellRest(1)


def _play_on(state: TableState, _: Occasion, effect: PlayOn) -> Effects:
    shown = ShowRecord(effect.at_ns)
    if effect.entries == state.line:
        return (shown,)
    return track(Tracker.set_line, effect.at_ns, effect.entries, how=How.SETTLED), shown


APPLIED: Mapping[type, Callable[[TableState, Occasion, Any], Effects]] = {
    Hear: _hear,
    Follow: _follow,
    AskLaws: _ask_laws,
    NoteAct: _note_act,
    Correct: _correct,
    LeaveGame: _leave_game,
    SetLine: _set_line,
    PlayOn: _play_on,
}
