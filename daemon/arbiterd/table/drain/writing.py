"""What a table writes down of itself: its inputs, its set-up, its books, and an act undone.

How it stood before an act is written down before anything of that act is folded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from arbiterd.laws.act import Act
from arbiterd.table.announcer import Announcer
from arbiterd.table.asking import meant
from arbiterd.table.effects import (
    ChangeSetup,
    Effects,
    Enter,
    GoWithout,
    KeepAnswer,
    Mute,
    NoDeed,
    Occasion,
    Pause,
    SetAbsence,
    StartRound,
    TakeBack,
    TurnTo,
    TurnToGame,
)
from arbiterd.table.inputs import ActPreviewed
from arbiterd.table.keeping import kept
from arbiterd.table.recent import Came, TableBefore
from arbiterd.table.state import TableState, tracker_of
from eboards.events import ClockReading


def _enter(state: TableState, _: Occasion, effect: Enter) -> Effects:
    number, item, recent = effect.number, effect.item, state.recent
    state.at_ns = item.at_ns
    if not isinstance(item, ClockReading):
        state.news += 1  # What a reading changes is seen when the clock has taken it.
    state.books.note_input(number, item.at_ns)
    recent.forget(item.at_ns)
    counts = not isinstance(item, ActPreviewed)
    if isinstance(item, Act):
        counts = _is_new(state, item)
        if counts and item.id:
            if recent.wants_to_keep(item.at_ns):
                next_ruling = state.docket.file.next_number
                recent.keep(TableBefore(item.at_ns, number, kept(state, bare=True), next_ruling))
            recent.begin(number, item)
    if recent.newer is None:
        state.announcer.forget()
    elif counts:
        named = meant(state, item) if isinstance(item, Act) else None
        body = msgspec.json.encode(item)
        recent.inputs.append(Came(number, type(item).__name__, body, named))
    return ()


def _is_new(state: TableState, act: Act) -> bool:
    """False for what does nothing when it is folded again: an undo, or a repetition."""
    return act.action != "undo" and state.books.answer_to(act) is None


def _set_absence(state: TableState, _: Occasion, effect: SetAbsence) -> Effects:
    state.books.absence = effect.absence
    return ()


def _pause(state: TableState, _: Occasion, effect: Pause) -> Effects:
    state.books.paused, state.books.paused_by_order = effect.on, False
    state.books.status = "paused" if effect.on else state.status_now()
    return ()


def _mute(state: TableState, _: Occasion, effect: Mute) -> Effects:
    state.books.muted = effect.on
    return ()


def _start_round(state: TableState, _: Occasion, effect: StartRound) -> Effects:
    state.books.round_started_ns = effect.at_ns
    return ()


def _change_setup(state: TableState, _: Occasion, effect: ChangeSetup) -> Effects:
    state.setup = effect.setup
    if effect.rules is not None:
        state.rules = effect.rules
        state.tracker = tracker_of(state.setup, state.rules, state.sensing, state.board)
    state.announcer = Announcer(state.setup, state.rules, state.announcer.numbering)
    return ()


def _miss(state: TableState, _: Occasion, effect: GoWithout) -> Effects:
    numbering = state.announcer.numbering
    numbering.seq = max(numbering.seq, effect.seq)
    state.board.misses(effect.why)
    return ()


def _no_deed(state: TableState, _: Occasion, effect: NoDeed) -> Effects:
    state.recent.refused(effect.act)
    return ()


def _keep_answer(state: TableState, _: Occasion, effect: KeepAnswer) -> Effects:
    state.books.keep_answer(effect.act, effect.output)
    return ()


# An act undone.


def _take_back(state: TableState, _: Occasion, effect: TakeBack) -> Effects:
    state.recent.undone(effect.deed)
    return ()


def _turn_to_game(state: TableState, _: Occasion, effect: TurnToGame) -> Effects:
    state.announcer.turn_to(effect.began_ns)
    return ()


def _turn_to(state: TableState, _: Occasion, effect: TurnTo) -> Effects:
    """What readers hold, what was answered and which inputs came stay as they are."""
    other, books = effect.other, state.books
    state.setup, state.rules, state.sensing = other.setup, other.rules, other.sensing
    state.tracker, state.clock, state.board = other.tracker, other.clock, other.board
    state.docket = other.docket
    state.docket.file = effect.file
    state.books = other.books
    state.books.answered = books.answered
    state.books.input_blocks = books.input_blocks
    state.books.input_times, state.books.input_numbers = books.input_times, books.input_numbers
    state.announcer = Announcer(state.setup, state.rules, state.announcer.numbering)
    return ()


APPLIED: Mapping[type, Callable[[TableState, Occasion, Any], Effects]] = {
    Enter: _enter,
    SetAbsence: _set_absence,
    Pause: _pause,
    Mute: _mute,
    StartRound: _start_round,
    ChangeSetup: _change_setup,
    GoWithout: _miss,
    NoDeed: _no_deed,
    KeepAnswer: _keep_answer,
    TakeBack: _take_back,
    TurnToGame: _turn_to_game,
    TurnTo: _turn_to,
}
