"""What is to be looked at before a round begins, and before it is over: one sentence each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from arbiterd.messages.payloads import State
from arbiterd.rules.registry import chosen, ruleset
from arbiterd.rules.ruleset import RuleSet, read_board_field
from arbiterd.rules.sensed import reading
from arbiterd.table.setup import TableSetup
from arbiterd.timing.control import Period
from eboards.events import SensingClass

CLOCK_OFF_MS = 2000
"""A clock may show so much less than its rate says: it was looked at while it was being set."""

SQUARES_NAMED = 8


def before(
    setups: Mapping[str, TableSetup],
    states: Mapping[str, State],
    weak: Mapping[str, Sequence[str]] = MappingProxyType({}),
    sensing: Mapping[str, SensingClass] = MappingProxyType({}),
) -> Sequence[str]:
    """Of each table that has a game: its names, its board, its pieces, its clock; and the squares
    whose coils are `weak`, as the games before have shown. `sensing`: what each table's board
    tells of a piece; all of it, where nothing is said."""
    names = Counter(name for s in setups.values() for name in (s.white, s.black) if name)
    twice = sorted(name for name, times in names.items() if times > 1)
    found = [f"{name} plays at two tables; mend the pairings" for name in twice]
    for table, setup in setups.items():
        if setup.white or setup.black:
            kind = sensing.get(table, SensingClass.IDENTITY)
            found += [f"table {table}: {words}" for words in _table(setup, states.get(table), kind)]
            if squares := weak.get(table):
                named = " ".join(squares[:SQUARES_NAMED])
                found.append(f"table {table}: coils lose their pieces ({named});"
                             f" arbiterd test-board {table}")  # fmt: skip
    return found


def _table(setup: TableSetup, state: State | None, sensing: SensingClass) -> Iterator[str]:
    if not setup.white or not setup.black:
        yield "one player has no name"
    if state is None:
        yield "it has stopped; start the service again"
        return
    if state.device == "none":
        yield "no board; plug it in, or enter the moves by hand"
        return
    if state.device != "ok":
        yield f"its board is {state.device}; look at its cable and its battery"
    if state.status in ("waiting", "ended") and state.device != "lost":
        if not _at_start(setup, state, sensing):
            yield f"the pieces do not stand at the start ({state.placement})"
        yield from _clock(setup.rate.periods, state)


def _at_start(setup: TableSetup, state: State, sensing: SensingClass) -> bool:
    """The pieces stand as its game begins, as far as this board tells.

    Where no start was drawn or given it is any that the rule set begins with.
    """
    rules: RuleSet[Any, Any] = chosen(setup.ruleset, dict(setup.rules))
    shown = read_board_field(ruleset(state.ruleset).geometry, state.placement)
    start = rules.placement(rules.start(setup.start))
    if shown == tuple(reading(rules, piece, sensing) for piece in start):
        return True
    return not setup.start and rules.is_start(shown) is not None


def _clock(periods: tuple[Period, ...], state: State) -> Iterator[str]:
    if not periods:
        return
    clock = state.clock
    if clock is None or clock.white_ms is None or clock.black_ms is None:
        yield "no clock is heard"
        return
    first = periods[0]
    allowed = (first.opening_ms - CLOCK_OFF_MS, first.opening_ms + first.increment_ms)
    for side, shown in (("White", clock.white_ms), ("Black", clock.black_ms)):
        if not allowed[0] <= shown <= allowed[1]:
            said = _time(first.opening_ms)
            yield f"the clock of {side} shows {_time(shown)}, the rate says {said}"


def after(
    states: Mapping[str, State], boards: Mapping[str, str], decided: Collection[str] = ()
) -> Sequence[str]:
    """Of each table with a game: a result that is missing, or that the board contradicts.

    At the `decided` ones a next game only waits behind one that has a result: players set up the
    pieces once they are done, and it is none of this round's until somebody begins it.
    """
    found = []
    for table, state in states.items():
        if not (state.white or state.black):
            continue
        shows = boards.get(table)
        if state.result is None and table not in decided:
            found.append(f"table {table}: no result")
        elif shows and state.result not in (None, shows):
            found.append(f"table {table}: the result is {state.result}, the board says {shows}")
        if state.open_rulings:
            alerts = len(state.open_rulings)
            said = "1 alert is" if alerts == 1 else f"{alerts} alerts are"
            found.append(f"table {table}: {said} not decided")
    return found


def _time(time_ms: int) -> str:
    seconds = time_ms // 1000
    return f"{seconds // 3600}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
