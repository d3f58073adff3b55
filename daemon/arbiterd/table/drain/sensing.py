"""What board and clock show and say, brought to tracking and timing.

Nothing is judged here: what tracking and timing make of it is learnt behind it (`learning`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from arbiterd.laws.register import Looked
from arbiterd.table.effects import (
    Calm,
    ClockLies,
    CorrectClock,
    DueLaws,
    DueMemory,
    DueNow,
    DueTracking,
    Effects,
    Follow,
    GoOn,
    Hear,
    HearDevice,
    Learn,
    LearnClock,
    Occasion,
    See,
    SeeClock,
    ShowBoard,
    ShowRecord,
    StopWatching,
    TellClock,
    TellDevice,
    Track,
    track,
)
from arbiterd.table.returning import seen_again, waited
from arbiterd.table.state import TableState
from arbiterd.timing.facts import Press, Restarted
from arbiterd.tracking.tracker import Tracker
from eboards.events import Fault, LinkDown, LinkUp, Scan, SensingClass


def _track(state: TableState, _: Occasion, effect: Track) -> Effects:
    facts = getattr(state.tracker, effect.ask)(*effect.said, **effect.named)
    return (Learn(tuple(facts)),) if facts else ()


def _tell_clock(state: TableState, _: Occasion, effect: TellClock) -> Effects:
    facts = getattr(state.clock, effect.tell)(*effect.said)
    # Most readings tell nothing but the time.
    learnt = LearnClock(tuple(facts)) if facts else SeeClock(news=False)
    if not effect.resumes:
        return (learnt,)
    restarted = bool(facts) and any(
        isinstance(fact, Restarted) or (isinstance(fact, Press) and fact.restart) for fact in facts
    )
    return learnt, GoOn(restarted)


def _correct_clock(state: TableState, _: Occasion, effect: CorrectClock) -> Effects:
    state.clock.corrected(effect.at_ns, effect.white_ms, effect.black_ms, effect.running)
    return (SeeClock(news=False),)


def _calm(state: TableState, _: Occasion, effect: Calm) -> Effects:
    return (TellDevice(effect.at_ns),) if state.board.calmed(effect.at_ns) else ()


def _clock_lies(state: TableState, _: Occasion, effect: ClockLies) -> Effects:
    state.board.clock_stayed = effect.stayed
    return ()


def _see(state: TableState, _: Occasion, effect: See) -> Effects:
    event = effect.event
    if not state.board.sees(event, state.sensing.kind):
        return seen_again(state, event)
    state.tracker.distrust(state.weak)
    return (TellDevice(event.at_ns), *seen_again(state, event))


def _show_board(state: TableState, _: Occasion, effect: ShowBoard) -> Effects:
    event, board, rules = effect.event, state.board, state.rules
    state.docket.watch_again(event.at_ns)
    fresh = state.books.status == "ended" or not state.tracker.record.plies
    if fresh:
        turned = board.looks_like_start(rules, state.start_placement)
    else:
        turned = isinstance(event, Scan) and _turned_in_play(state)
    if turned:
        state.tracker.distrust(state.weak)
    if isinstance(event, Scan) or turned:
        placement = board.placement(rules)
        assert placement is not None, "a board that was seen shows something"
        shown = track(Tracker.scanned, event.at_ns, placement)
    else:
        square = board.square(rules, event.square)
        shown = track(Tracker.changed, event.at_ns, square, event.piece)
    return shown, Hear(Looked(event.at_ns))


def _turned_in_play(state: TableState) -> bool:
    """7.2.2, or players who moved: the position stands on a board that lies otherwise now."""
    degrees = state.turned_in_play
    if degrees is not None:
        state.board.turn_in_play(degrees)
    return degrees is not None


def _show_record(state: TableState, _: Occasion, effect: ShowRecord) -> Effects:
    if state.sensing.kind is not SensingClass.MOVES:
        return ()
    state.docket.watch_again(effect.at_ns)
    shown = state.rules.placement(state.tracker.position)
    return (track(Tracker.scanned, effect.at_ns, shown),)


def _hear_device(state: TableState, _: Occasion, effect: HearDevice) -> Effects:
    event = effect.event
    changed = state.board.told(event)
    told = (TellDevice(event.at_ns),) if changed else ()
    if isinstance(event, LinkUp):
        state.sensing = event.sensing
        return (track(Tracker.link, event.at_ns, True, event.sensing), *told)
    if isinstance(event, LinkDown):
        return (track(Tracker.link, event.at_ns, False, None, event.reason), *told)
    if isinstance(event, Fault) and event.noise.damaged:
        return (track(Tracker.damaged, event.at_ns), *told, Hear(Looked(event.at_ns)))
    return told


def _stop_watching(state: TableState, _: Occasion, effect: StopWatching) -> Effects:
    state.docket.stop_watching(effect.at_ns)
    return ()


def _due(state: TableState, _: Occasion, effect: DueNow) -> Effects:
    state.at_ns, state.news = max(state.at_ns, effect.at_ns), state.news + 1
    return DueMemory(effect.at_ns), DueTracking(effect.at_ns), DueLaws(effect.at_ns)


def _due_memory(state: TableState, _: Occasion, effect: DueMemory) -> Effects:
    gone = state.books.absence
    over = gone is not None and gone.until_ns is not None and gone.until_ns <= effect.at_ns
    return waited(state, effect.at_ns) if over else ()


def _due_tracking(state: TableState, _: Occasion, effect: DueTracking) -> Effects:
    due_ns = state.tracking_due_ns
    if due_ns is None or due_ns > effect.at_ns:
        return ()
    facts = state.tracker.due(effect.at_ns)
    return (Learn(tuple(facts)), Hear(Looked(effect.at_ns))) if facts else ()


def _due_laws(state: TableState, _: Occasion, effect: DueLaws) -> Effects:
    due_ns = state.docket.due_at_ns
    if due_ns is None or due_ns > effect.at_ns:
        return ()
    return tuple(map(Follow, state.docket.due(effect.at_ns, state.scene())))


APPLIED: Mapping[type, Callable[[TableState, Occasion, Any], Effects]] = {
    Track: _track,
    TellClock: _tell_clock,
    CorrectClock: _correct_clock,
    Calm: _calm,
    ClockLies: _clock_lies,
    See: _see,
    ShowBoard: _show_board,
    ShowRecord: _show_record,
    HearDevice: _hear_device,
    StopWatching: _stop_watching,
    DueNow: _due,
    DueMemory: _due_memory,
    DueTracking: _due_tracking,
    DueLaws: _due_laws,
}
