"""What tracking and timing found: told, written down, and heard by the Laws.

A fact about a half-move that the record has changed since is not told: the facts that follow tell
the truth.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from arbiterd.laws.register import Looked, Ticked
from arbiterd.messages.ticking import only_ticked
from arbiterd.table.announcer import clock_of
from arbiterd.table.effects import (
    Effects,
    GoOn,
    Hear,
    HearGap,
    Learn,
    LearnClock,
    LearnClockFact,
    LearnFact,
    Occasion,
    SeeClock,
    Send,
    TellMove,
    TellRest,
    track,
)
from arbiterd.table.record_told import MoveFact, entry_told, move_told
from arbiterd.table.returning import heard_meanwhile
from arbiterd.table.state import TableState
from arbiterd.timing.facts import ClockShown, Press, Restarted
from arbiterd.tracking.facts import (
    Fact,
    GameBegun,
    Gap,
    IrregularEntered,
    MoveCompleted,
    MoveMade,
    MoveReplaced,
    MoveWithdrawn,
    Pressed,
    SquareSuspect,
)
from arbiterd.tracking.tracker import Tracker
from eboards.codec import AskBoard
from eboards.events import EMPTY


def _learn(_: TableState, __: Occasion, effect: Learn) -> Effects:
    each = tuple(map(LearnFact, effect.facts))
    changed = [
        fact.ply
        for fact in effect.facts
        if isinstance(
            fact, MoveMade | MoveReplaced | MoveCompleted | MoveWithdrawn | IrregularEntered
        )
    ]
    return (*each, TellRest(min(changed))) if changed else each


def _learn_fact(state: TableState, occasion: Occasion, effect: LearnFact) -> Effects:
    fact = effect.fact
    told: Effects = ()
    match fact:
        case MoveMade() | MoveReplaced() | MoveCompleted() if not _on_record(state, fact.ply):
            return ()
        case MoveMade() | MoveReplaced() | MoveCompleted() | MoveWithdrawn():
            told = _told(state, occasion, fact)
        case IrregularEntered() if fact.ply <= len(state.tracker.record.plies):
            entry = entry_told(state, fact.at_ns, fact.ply, occasion)
            told = (TellMove(fact.at_ns, entry),)
        case GameBegun() if not _another(state):
            return ()
        case GameBegun():
            _begin(state, fact)
        case SquareSuspect() | Pressed():
            _note_health(state, fact)
    state.books.status = state.status_now()
    return told if _is_superseded(state, fact) else (*told, Hear(fact))


def _on_record(state: TableState, ply: int) -> bool:
    """False where the record has another truth already, which facts that follow tell."""
    plies = state.tracker.record.plies
    return ply <= len(plies) and bool(plies[ply - 1].move)


def _is_superseded(state: TableState, fact: Fact) -> bool:
    """The record has another half-move there already, which a fact that follows tells: nobody has
    played this one."""
    if not isinstance(fact, MoveMade | MoveReplaced):
        return False
    return state.tracker.record.plies[fact.ply - 1].move != fact.move


def _told(state: TableState, occasion: Occasion, fact: MoveFact) -> Effects:
    on_air = fact.ply in state.announcer.numbering.moves
    if isinstance(fact, MoveCompleted) and not on_air:
        return ()
    told = move_told(state, fact, occasion)
    return () if told is None else (TellMove(fact.at_ns, told),)


def _another(state: TableState) -> bool:
    """True where it is another game, and not the start array of this one shown again."""
    return state.books.result is not None or bool(state.announcer.numbering.moves)


def _begin(state: TableState, fact: GameBegun) -> None:
    books = state.books
    books.clock_left = state.clock_to_leave
    state.announcer.new_game(state.at_ns)
    elsewhere = fact.fen != state.rules.fen(state.rules.start())
    state.clock.begin_game(state.at_ns, in_progress=elsewhere)
    books.result, books.paused, books.status = None, False, "waiting"
    books.paused_by_order = False
    state.board.missed = []


def _note_health(state: TableState, fact: SquareSuspect | Pressed) -> None:
    """A piece that showed after its press, and a square that was not believed."""
    board, rules, plies = state.board, state.rules, state.tracker.record.plies
    if isinstance(fact, SquareSuspect):
        board.health.was_wrong(board.coil(rules, fact.square))
    elif fact.move is not None and fact.ply <= len(plies):
        made_ns = plies[fact.ply - 1].made_at_ns
        if made_ns <= fact.at_ns:
            return
        for change in fact.turn.changes:
            if change.at_ns == made_ns and change.after != EMPTY and not change.pictured:
                board.health.came_late(board.coil(rules, change.square))


# The clock.


def _learn_clock(_: TableState, __: Occasion, effect: LearnClock) -> Effects:
    presses = [isinstance(fact, Press) for fact in effect.facts]
    each = [
        LearnClockFact(fact, sum(presses[number:])) for number, fact in enumerate(effect.facts, 1)
    ]
    return (*each, SeeClock(news=True))


def _learn_clock_fact(state: TableState, _: Occasion, effect: LearnClockFact) -> Effects:
    fact, books = effect.fact, state.books
    of_this_game = isinstance(fact, Press) and not state.tracker.left_over
    if of_this_game and books.status == "waiting":
        books.status = "playing"
    if books.absence is not None and isinstance(fact, Press | Restarted):
        # The half-moves before it are not known yet.
        return heard_meanwhile(state, fact) if isinstance(fact, Press) else ()
    if not isinstance(fact, Press):
        return (Hear(fact),)
    # No driver saw it and asked: a change that was lost would pass for a bare press.
    asked = () if fact.seen else (Send(AskBoard()),)
    at_ns, side, late_ns = fact.at_ns, fact.side, fact.late_ns
    pressed = track(Tracker.pressed, at_ns, side, late_ns, effect.followed, seen=fact.seen)
    return (Hear(fact), *asked, pressed)


def _see_clock(state: TableState, _: Occasion, effect: SeeClock) -> Effects:
    shown, status, tracker = state.shown(), state.books.status, state.tracker
    news = effect.news or tracker.clock_runs != (shown.running, shown.known)
    facts = tracker.clock(state.at_ns, shown.running, shown.known)
    state.books.status = state.status_now()
    news = news or state.books.status != status
    ticked = _only_ticked(state.faced, shown)
    if not ticked:
        state.faced = shown
    if news or not ticked:
        state.news += 1
    heard = Hear(Looked(state.at_ns) if news else Ticked(state.at_ns))
    return (Learn(tuple(facts)), heard) if facts else (heard,)


def _only_ticked(before: ClockShown | None, shown: ClockShown) -> bool:
    passed_ns = 0 if before is None else shown.at_ns - before.at_ns
    return only_ticked(clock_of(before), clock_of(shown), passed_ns)


def _go_on(state: TableState, _: Occasion, effect: GoOn) -> Effects:
    if state.books.paused and state.shown().running is not None:
        state.books.play_goes_on(restarted=effect.restarted)
        state.books.status = state.status_now()
    return ()


def _hear_gap(state: TableState, _: Occasion, effect: HearGap) -> Effects:
    return (Hear(Gap(effect.at_ns, state.tracker.turn, effect.candidates)),)


APPLIED: Mapping[type, Callable[[TableState, Occasion, Any], Effects]] = {
    Learn: _learn,
    LearnFact: _learn_fact,
    LearnClock: _learn_clock,
    LearnClockFact: _learn_clock_fact,
    SeeClock: _see_clock,
    GoOn: _go_on,
    HearGap: _hear_gap,
}
