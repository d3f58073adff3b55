"""What a source that knows the game says of it: moves, times, the end.

Such a source is a feed, an old computer, the arbiter's page.

A feed is believed in what is on its record; what it says of an end goes through the doors that
people's words go through, so the Laws count what can be counted and a result stands once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from arbiterd.laws.act import Act
from arbiterd.laws.articles.art_05_ends import END
from arbiterd.rules.ruleset import Colour
from arbiterd.table.asking import asked
from arbiterd.table.inputs import MovePlayed
from arbiterd.timing.control import Rate, read_period
from arbiterd.timing.spent import left_after
from arbiterd.tracking.facts import How
from eboards.events import (
    Ending,
    EndReported,
    Fault,
    LineReported,
    MoveReported,
    Noise,
    SensingClass,
    TimesReported,
)

if TYPE_CHECKING:
    from arbiterd.table.table import Table

Told: TypeAlias = MoveReported | MovePlayed | LineReported | TimesReported | EndReported


def reported(table: Table, told: Told) -> None:
    """Folds it. What cannot be is a fault of the source."""
    match told:
        case MoveReported():
            _move(table, told.at_ns, told.text)
        case MovePlayed():
            _move(table, told.at_ns, told.move)
        case LineReported():
            _line(table, told)
        case TimesReported():
            _clock(table, told.at_ns, told.white_ms, told.black_ms, Colour(told.running))
        case EndReported():
            _end(table, told)


def _move(table: Table, at_ns: int, move: str) -> None:
    try:
        table.rules.parse(table.tracker.position, move)
    except ValueError as wrong:
        _fault(table, at_ns, str(wrong))
        return
    _play_on(table, at_ns, (*table.moves, move))


def _line(table: Table, told: LineReported) -> None:
    """The whole game. A part of what is known already is no news."""
    rules = table.rules
    try:
        position = start = rules.start(told.start)
        for text in told.moves:
            position = rules.play(position, rules.parse(position, text))
    except ValueError as wrong:
        _fault(table, told.at_ns, str(wrong))
        return
    same = rules.fen(start) == table.tracker.record.start
    moves, known = told.moves, table.moves
    if same and moves == known[: len(moves)] and (moves or not known):
        return
    if not same or not moves or table.books.status == "ended":
        table.facts(table.tracker.begin_game(told.at_ns, start))
    # The clock first: the half-move is told with what it left.
    _times(table, told, rules.turn(start), rules.turn(position))
    _play_on(table, told.at_ns, moves)


def _times(table: Table, told: LineReported, first: Colour, running: Colour) -> None:
    """What both have left by the time that the source counted for each half-move."""
    spent = told.spent_ms
    if len(spent) < len(told.moves) or None in spent or not spent:
        return
    rate = table.setup.rate
    if not rate.periods and told.time:
        rate = Rate(periods=(read_period(told.time),))
    counted = [ms for ms in spent if ms is not None]
    left = {first: left_after(rate, counted[::2]), first.other: left_after(rate, counted[1::2])}
    white_ms, black_ms = left[Colour.WHITE], left[Colour.BLACK]
    if white_ms is not None and black_ms is not None:
        _clock(table, told.at_ns, white_ms, black_ms, running)


def _clock(table: Table, at_ns: int, white_ms: int, black_ms: int, running: Colour) -> None:
    """What the clock shows from now on: nothing in it is to be judged."""
    table.clock.corrected(at_ns, white_ms, black_ms, running)
    table.clock_facts(())


def _play_on(table: Table, at_ns: int, moves: tuple[str, ...]) -> None:
    """The record as the source tells it: finished moves, seen by nobody else."""
    if moves != table.moves:
        table.facts(table.tracker.set_line(at_ns, moves, how=How.SETTLED))
    if table.sensing.kind is SensingClass.MOVES:
        # Such a device shows no squares: what it reports is what stands on it.
        shown = table.rules.placement(table.tracker.position)
        table.facts(table.tracker.scanned(at_ns, shown))


def _fault(table: Table, at_ns: int, words: str) -> None:
    table.device_says(Fault(at_ns, note=words, noise=Noise.UNEXPECTED_REPLY))


# The end.

_SAID = Act(0, "", by="")
ACTS: Mapping[Ending, Act] = {
    Ending.RESIGNED: replace(_SAID, action="resign"),
    Ending.DECLARED: replace(_SAID, action="claim", claim="declaration"),
    Ending.FOUL: replace(_SAID, action="report", kind="sh-found-later"),
    Ending.IMPASSE: replace(_SAID, action="report", kind="sh-jishogi-agreed"),
    Ending.DRAWN: replace(_SAID, action="set-result", result="1/2-1/2", reason="agreement"),
}
"""The word of people that it is; the end of a game on its board needs none."""


def _end(table: Table, told: EndReported) -> None:
    """The clocks stand then, whatever it was."""
    if table.books.result is not None:
        return
    if told.ending is not Ending.BROKEN_OFF and not _decided(table):
        _ask(table, told, None if told.side is None else Colour(told.side))
    table.clock_facts(table.clock.pause(told.at_ns))


def _ask(table: Table, told: EndReported, side: Colour | None) -> None:
    """What people's word for it would lead to."""
    if told.ending is Ending.TIME and side is not None:
        table.clock_facts(table.clock.flag(told.at_ns, side))
        return
    act = ACTS.get(told.ending)
    if told.ending is Ending.WON and side is not None:
        result = "1-0" if side is Colour.WHITE else "0-1"
        act = replace(_SAID, action="set-result", result=result, reason="reported")
    words = f"the source says the game ended: {told.ending.value}"
    if act is None:
        _fault(table, told.at_ns, f"{words}; its moves do not show it, enter the result")
        return
    by = table.board.driver or "source"
    answer = asked(table, replace(act, at_ns=told.at_ns, side=side, by=by))
    if not answer.ok:
        _fault(table, told.at_ns, f"{words}; {answer.error}")


def _decided(table: Table) -> bool:
    """The board itself ended the game: a ruling waits for the arbiter already."""
    return any(held.cause == END for held in table.docket.file.open)
