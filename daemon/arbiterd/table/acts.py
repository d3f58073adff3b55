"""The arbiter's acts that change the record, the clock or the table itself.

What a ruling, a claim or a result needs is the docket's; here is the rest. A refused act answers
one sentence and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from arbiterd.laws.act import Act, Answer
from arbiterd.rules.registry import ruleset
from arbiterd.rules.ruleset import Colour
from arbiterd.table.announcer import Announcer
from arbiterd.table.asking import asked, corrected, noted
from arbiterd.table.player import NOBODY
from arbiterd.table.undoing import undo
from arbiterd.tracking.record import Entry, Stood
from eboards.codec import SetClock
from eboards.events import Side

if TYPE_CHECKING:
    from arbiterd.table.table import Table

DONE = Answer(ok=True)


def refused(sentence: str) -> Answer:
    return Answer(ok=False, error=sentence)


def perform(table: Table, act: Act) -> Answer:
    """Does it, or says in one sentence why not."""
    own = _OWN.get(act.action)
    if own is None:
        return asked(table, act)
    answer = own(table, act)
    if answer.ok and act.action != "undo":
        noted(table, act)
    return answer


def _set_move(table: Table, act: Act) -> Answer:
    line = list(table.line)
    ply = act.ply if act.ply is not None else len(line) + (act.op == "insert")
    last = len(line) + (act.op == "insert")
    if not 1 <= ply <= last:
        return refused(f"there is no half-move {ply} to {act.op}; the record has {len(line)}")
    if act.op == "take-back":
        del line[ply - 1 :]
    elif not act.move:
        return refused(f"{act.op!r} needs 'move'; send it again with the move")
    elif act.op == "insert":
        line.insert(ply - 1, act.move)
    else:
        line[ply - 1] = act.move
    return _set_line(table, line, ply)


def _set_line(table: Table, line: list[Entry], ply: int) -> Answer:
    """The record becomes `line`, given from `ply` on in any notation that can be read."""
    rules = table.rules
    positions = table.tracker.record.positions(rules)
    position, checked = positions[ply - 1], line[: ply - 1]
    for number, entry in enumerate(line[ply - 1 :], ply):
        if isinstance(entry, Stood):
            checked.append(entry)
            position = rules.start(entry.fen)
            continue
        try:
            move = rules.parse(position, entry)
        except ValueError as wrong:
            return refused(f"half-move {number}, {entry!r}, does not fit there: {wrong}")
        checked.append(rules.wire(position, move))
        position = rules.play(position, move)
    before = len(positions) - 1
    table.set_line(checked)
    corrected(table, ply, before)
    return DONE


def _set_position(table: Table, act: Act) -> Answer:
    """Play goes on from here; before the first half-move and after the end a game begins."""
    try:
        position = table.rules.start(act.fen)
    except ValueError as wrong:
        return refused(str(wrong))
    before = len(table.moves)
    if before and table.books.result is None:
        table.facts(table.tracker.stand(table.at_ns, position))
        table.tell_rest(1)
    else:
        table.facts(table.tracker.set_position(table.at_ns, position))
    corrected(table, before + 1, before + 1)
    return DONE


def _set_clock(table: Table, act: Act) -> Answer:
    """The times that hold from now on; the clock on the table only where it is asked for."""
    if act.send and table.books.status == "playing":
        return refused("no command goes to a clock during play; pause the table first")
    if act.send and (act.white_ms is None or act.black_ms is None):
        return refused("to set the clock itself both 'white_ms' and 'black_ms' are needed")
    table.clock.corrected(table.at_ns, act.white_ms, act.black_ms, act.running)
    table.clock_facts(())
    if act.send and act.white_ms is not None and act.black_ms is not None:
        white_left = table.board.colour(Side.LEFT) is Colour.WHITE
        left, right = (act.white_ms, act.black_ms) if white_left else (act.black_ms, act.white_ms)
        runs = None
        if act.running is not None:
            runs = Side.LEFT if (act.running is Colour.WHITE) == white_left else Side.RIGHT
        table.command(SetClock(left, right, runs))
    return DONE


def _start_game(table: Table, act: Act) -> Answer:
    name = act.ruleset or table.setup.ruleset
    try:
        same = name == table.setup.ruleset
        rules = table.rules if same else ruleset(name)
        position = rules.start(act.fen)
    except ValueError as wrong:
        return refused(str(wrong))
    table.setup = replace(
        table.setup,
        white=act.white,
        black=act.black,
        white_player=NOBODY,
        black_player=NOBODY,
        ruleset=name,
        start=act.fen,
        moves=(),
    )
    if not same:
        # What the organiser chose for one rule set means nothing to another.
        table.setup = replace(table.setup, rules=())
        table.rules = rules
        table.announcer = Announcer(table.setup, rules, table.announcer.numbering)
        table.tracker = table.tracker_of(table.setup)
    table.facts(table.tracker.begin_game(table.at_ns, position))
    return DONE


def _pause(table: Table, act: Act) -> Answer:
    if table.books.status == "ended":
        return refused("the game is over; there is nothing to pause")
    table.books.paused, table.books.paused_by_order = True, False
    table.books.status = "paused"
    return DONE


def _resume(table: Table, act: Act) -> Answer:
    table.books.paused = table.books.paused_by_order = False
    table.restate()
    return DONE


def _mute(table: Table, act: Act) -> Answer:
    table.books.muted = act.action == "mute"
    return DONE


def _assign_device(table: Table, act: Act) -> Answer:
    """The hall sees this act in the journal and rebinds the link; nothing changes here."""
    return DONE


_OWN: Mapping[str, Callable[[Table, Act], Answer]] = {
    "set-move": _set_move,
    "set-position": _set_position,
    "set-clock": _set_clock,
    "start-game": _start_game,
    "assign-device": _assign_device,
    "pause": _pause,
    "resume": _resume,
    "undo": undo,
    "mute": _mute,
    "unmute": _mute,
}
