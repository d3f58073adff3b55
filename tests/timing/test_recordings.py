"""Real clocks, as recorded and as published: nothing odd is seen where nothing odd was."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import pytest

from arbiterd.rules.ruleset import Colour
from arbiterd.timing.clock import ClockModel
from arbiterd.timing.control import Kind, Rate, read_periods
from arbiterd.timing.face import MS, Reading
from arbiterd.timing.facts import Paused, PeriodAdded, Press, Restarted
from kept_beside import REAL_ROUND, RECORDED_GAME, RECORDED_MOVES, kept_beside

from .dgt_times import SECOND, readings

BLITZ = Rate(Kind.BLITZ, True, read_periods(["3:00+2"]))


@pytest.mark.parametrize("rate", [BLITZ, Rate()], ids=["3+2", "time control not known"])
def test_a_recorded_game_is_presses_in_turn_and_nothing_else(rate: Rate) -> None:
    model = ClockModel(rate)
    read = readings(kept_beside(RECORDED_GAME))
    facts = [fact for reading in read for fact in model.read(reading)]

    presses = [fact.side for fact in facts if isinstance(fact, Press)]
    others = [fact for fact in facts if not isinstance(fact, Press)]

    moves = len(re.findall(r"\b[a-h][1-8][a-h][1-8]", kept_beside(RECORDED_MOVES).read_text()))
    assert presses == [(Colour.WHITE, Colour.BLACK)[n % 2] for n in range(moves)]
    assert [type(fact) for fact in others] == [Restarted, Paused]


def test_two_presses_within_one_second_are_inferred_where_messages_are_lost() -> None:
    """Each reading between two lever changes is dropped in turn with all around it."""
    heard = list(readings(kept_beside(RECORDED_GAME)))
    changes = [n for n in range(1, len(heard)) if heard[n].lever is not heard[n - 1].lever]
    tried = 0
    for first, second in pairwise(changes):
        model = ClockModel(BLITZ)
        kept = [*heard[:first], *heard[second : second + 1]]
        facts = [fact for reading in kept for fact in model.read(reading)]

        presses = [fact for fact in facts if isinstance(fact, Press)]
        assert len(presses) == changes.index(second) + 1
        assert presses[-2].side is presses[-1].side.other
        assert presses[-1].late_ns >= heard[second].at_ns - heard[first - 1].at_ns
        tried += 1
    assert tried == 56


CLOCK_TIME = re.compile(r"\[%clk (\d+):(\d\d):(\d\d)\]")


def published_times(pgn: str) -> list[list[int]]:
    """Per game, what each move's clock showed after its press, in milliseconds."""
    games = []
    for game in re.split(r"\n(?=\[Event )", pgn):
        text = " ".join(game.split("\n\n")[1:]).replace("\n", " ")
        games.append(
            [(int(h) * 3600 + int(m) * 60 + int(s)) * 1000 for h, m, s in CLOCK_TIME.findall(text)]
        )
    return [times for times in games if len(times) > 20]


INCREMENT_MS, SECOND_PERIOD_MS = 30_000, 1_800_000


def a_hall_clock(times: list[int]) -> Iterator[tuple[Reading, Colour | None]]:
    """A clock that shows these times after the presses, read every ten seconds.

    It adds the second period when a side comes to zero. With each reading, who has pressed since.
    """
    shown = dict.fromkeys(Colour, 5_430_000)
    side, at_ns = Colour.WHITE, 0

    def reading(running: Colour) -> Reading:
        return Reading(
            at_ns,
            shown[Colour.WHITE],
            shown[Colour.BLACK],
            running,
            lever=running,
            late_ns=SECOND,
            white_flag=False,
            black_flag=False,
        )

    yield reading(side), None
    for after_ms in times:
        left = shown[side] + INCREMENT_MS - after_ms
        left += SECOND_PERIOD_MS if left < 0 else 0
        if left >= shown[side] and after_ms < SECOND_PERIOD_MS - 600_000:
            return  # No clock can have shown this: the file took the time before the increment.
        while left > 0:
            step = min(left, 10_000, shown[side] or 1)
            left, at_ns, shown[side] = left - step, at_ns + step * MS, shown[side] - step
            yield reading(side), None
            if shown[side] == 0:
                shown[side] = SECOND_PERIOD_MS
                yield reading(side), None
        shown[side] = after_ms
        yield reading(side.other), side
        side = side.other


def test_published_classical_games_show_no_jump_and_no_odd_credit() -> None:
    rate = Rate(Kind.STANDARD, True, read_periods(["40/90:00+30", "30:00+30"]))
    games = published_times(kept_beside(REAL_ROUND).read_text())
    presses, periods = 0, 0
    for times in games:
        model = ClockModel(rate)
        for reading, pressed in a_hall_clock(times):
            facts = [fact for fact in model.read(reading) if not isinstance(fact, Restarted)]
            told = [fact.side for fact in facts if isinstance(fact, Press)]
            assert told == ([] if pressed is None else [pressed])
            assert all(isinstance(fact, Press | PeriodAdded) for fact in facts)
            presses += len(told)
            periods += sum(isinstance(fact, PeriodAdded) for fact in facts)
    assert presses > 4000
    assert periods > 20
