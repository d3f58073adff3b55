"""The arbiter's acts that change the record, the clock or the table itself.

What a ruling, a claim or a result needs is the docket's; here is the rest, but for an act undone
(`undoing`). A refused act answers one sentence and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from arbiterd.laws.act import Act, Answer
from arbiterd.laws.register import TimesOrdered
from arbiterd.rules.registry import ruleset
from arbiterd.rules.ruleset import Colour
from arbiterd.table.effects import (
    AskLaws,
    ChangeSetup,
    Correct,
    CorrectClock,
    Effects,
    GiveAnswer,
    Hear,
    Mute,
    NoteAct,
    Pause,
    Send,
    SetLine,
    TellRest,
    track,
)
from arbiterd.table.player import players_named
from arbiterd.table.returning import corrected
from arbiterd.table.state import TableState
from arbiterd.tracking.record import Entry, IrregularEntry
from arbiterd.tracking.tracker import Tracker
from eboards.codec import SetClock
from eboards.events import Side


class ActRefusedError(Exception):
    """Why an act is not done, in one sentence for whoever wanted it."""


def performed(view: TableState, act: Act) -> Effects:
    """What doing it leads to, its answer among it."""
    own = _OWN.get(act.action)
    if own is None:
        return (AskLaws(act),)
    try:
        effects = own(view, act)
    except ActRefusedError as why:
        return (GiveAnswer(Answer(ok=False, error=str(why))),)
    return (*effects, NoteAct(act), GiveAnswer(Answer(ok=True)), *corrected(view))


def _set_move(view: TableState, act: Act) -> Effects:
    line = list(view.line)
    ply = act.ply if act.ply is not None else len(line) + (act.op == "insert")
    last = len(line) + (act.op == "insert")
    if not 1 <= ply <= last:
        raise ActRefusedError(
            f"there is no half-move {ply} to {act.op}; the record has {len(line)}"
        )
    if act.op == "take-back":
        del line[ply - 1 :]
    elif not act.move:
        raise ActRefusedError(f"{act.op!r} needs 'move'; send it again with the move")
    elif act.op == "insert":
        line.insert(ply - 1, act.move)
    else:
        line[ply - 1] = act.move
    return SetLine(_checked(view, line, ply)), Correct(ply, len(view.moves))


def _checked(view: TableState, line: list[Entry], ply: int) -> tuple[Entry, ...]:
    """The line, given from `ply` on in any notation that can be read, as the record has it."""
    rules = view.rules
    position, checked = view.tracker.record.positions(rules)[ply - 1], line[: ply - 1]
    for number, entry in enumerate(line[ply - 1 :], ply):
        if isinstance(entry, IrregularEntry):
            checked.append(entry)
            position = rules.start(entry.fen)
            continue
        try:
            move = rules.parse(position, entry)
        except ValueError as wrong:
            words = f"half-move {number}, {entry!r}, does not fit there: {wrong}"
            raise ActRefusedError(words) from None
        checked.append(rules.wire(position, move))
        position = rules.play(position, move)
    return tuple(checked)


def _set_position(view: TableState, act: Act) -> Effects:
    """Play goes on from here; before the first half-move and after the end a game begins."""
    try:
        position = view.rules.start(act.fen)
    except ValueError as wrong:
        raise ActRefusedError(str(wrong)) from None
    before = len(view.moves)
    moot = Correct(before + 1, before + 1)
    going_on = before and view.books.result is None
    if going_on and view.rules.fen(position) == view.rules.fen(view.tracker.position):
        # It stands on the record already: it has not appeared once more (9.2, 9.6.1).
        return SetLine(view.line), moot
    if going_on:
        return track(Tracker.stand, view.at_ns, position), TellRest(1), moot
    return track(Tracker.set_position, view.at_ns, position), moot


def _set_clock(view: TableState, act: Act) -> Effects:
    """The times that hold from now on; the clock on the table only where it is asked for."""
    if act.send and view.books.status == "playing":
        raise ActRefusedError("no command goes to a clock during play; pause the table first")
    if act.send and (act.white_ms is None or act.black_ms is None):
        raise ActRefusedError("to set the clock itself both 'white_ms' and 'black_ms' are needed")
    said = (view.at_ns, act.by, act.white_ms, act.black_ms)
    heard = view.clock.heard
    ordered = (Hear(TimesOrdered(*said)),) if heard else ()
    # A clock that is heard says itself whether it runs: to give it other times does not stop it.
    left_running = act.running is None and heard and not act.send
    running = view.shown().running if left_running else act.running
    corrected = CorrectClock(view.at_ns, act.white_ms, act.black_ms, running)
    if not act.send or act.white_ms is None or act.black_ms is None:
        return (*ordered, corrected)
    white_left = view.board.colour(Side.LEFT) is Colour.WHITE
    left, right = (act.white_ms, act.black_ms) if white_left else (act.black_ms, act.white_ms)
    runs = None if act.running is None else view.board.side(act.running)
    command = SetClock(left, right, runs, view.clock.increment_ms)
    return *ordered, corrected, Send(command)


def _start_game(view: TableState, act: Act) -> Effects:
    name = act.ruleset or view.setup.ruleset
    try:
        same = name == view.setup.ruleset
        rules = view.rules if same else ruleset(name)
        position = rules.start(act.fen)
    except ValueError as wrong:
        raise ActRefusedError(str(wrong)) from None
    players = players_named(view.setup, act.white, act.black)
    setup = replace(view.setup, **players, ruleset=name, start=act.fen, moves=())
    begun = track(Tracker.begin_game, view.at_ns, position)
    if same:
        return ChangeSetup(setup), begun
    # What the organiser chose for one rule set means nothing to another.
    return ChangeSetup(replace(setup, rules=()), rules), begun


def _pause(view: TableState, act: Act) -> Effects:
    if view.books.status == "ended":
        raise ActRefusedError("the game is over; there is nothing to pause")
    return (Pause(on=True),)


def _resume(view: TableState, act: Act) -> Effects:
    return (Pause(on=False),)


def _mute(view: TableState, act: Act) -> Effects:
    return (Mute(on=act.action == "mute"),)


def _assign_device(view: TableState, act: Act) -> Effects:
    """The hall sees this act in the journal and rebinds the link; nothing changes here."""
    return ()


_OWN: Mapping[str, Callable[[TableState, Act], Effects]] = {
    "set-move": _set_move,
    "set-position": _set_position,
    "set-clock": _set_clock,
    "start-game": _start_game,
    "assign-device": _assign_device,
    "pause": _pause,
    "resume": _resume,
    "mute": _mute,
    "unmute": _mute,
}
