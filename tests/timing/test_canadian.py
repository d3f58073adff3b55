"""Canadian byo-yomi on a clock that is read once a second: so many moves in a period that is full
again after them, over and over."""

from __future__ import annotations

from arbiterd.rules.ruleset import Colour
from arbiterd.timing.clock import ClockModel
from arbiterd.timing.control import Kind, Rate, read_periods
from arbiterd.timing.face import MS, Reading
from arbiterd.timing.facts import ClockFact, FlagFell, PeriodAdded, Press, Restarted
from arbiterd.timing.spent import left_after

RATE = Rate(Kind.RAPID, True, read_periods(["1:00", "3/0:00b60"]))


def played(seconds: tuple[int, ...]) -> list[ClockFact]:
    """Both sides think so long for each of their moves; facts of the readings."""
    model, at_s, facts = ClockModel(RATE), 0, list[ClockFact]()
    spent: dict[Colour, list[int]] = {Colour.WHITE: [], Colour.BLACK: []}

    def shows(side: Colour) -> int:
        left = left_after(RATE, spent[side])
        assert left is not None, "the time control is known"
        return left

    side = Colour.BLACK
    for thought in (s for s in seconds for _ in range(2)):
        for second in range(1, thought):
            at_s += 1
            now = dict.fromkeys(Colour, 0) | {side.other: shows(side.other)}
            now[side] = left_after(RATE, [*spent[side], second * 1000]) or 0
            if shows(side) > second * 1000:
                now[side] = shows(side) - second * 1000
            facts += model.read(_reading(at_s, now, side))
        at_s += 1
        spent[side].append(thought * 1000)
        now = {colour: shows(colour) for colour in Colour}
        side = side.other
        facts += model.read(_reading(at_s, now, side))
    return facts


def _reading(at_s: int, ms: dict[Colour, int], runs: Colour) -> Reading:
    return Reading(
        at_s * 1000 * MS,
        ms[Colour.WHITE],
        ms[Colour.BLACK],
        runs,
        lever=runs,
        white_flag=ms[Colour.WHITE] == 0,
        black_flag=ms[Colour.BLACK] == 0,
        late_ns=1000 * MS,
    )


def test_a_period_that_is_full_again_after_its_moves_is_neither_odd_nor_a_jump() -> None:
    facts = played((30, 40, 20, 10, 5, 25, 20, 3))

    first, *others = facts
    assert isinstance(first, Restarted), "the clock begins to run"
    assert {type(fact) for fact in others} <= {Press, PeriodAdded}
    assert len([fact for fact in facts if isinstance(fact, Press)]) == 16


def test_who_has_not_made_them_when_it_runs_out_has_overstepped() -> None:
    facts = played((30, 40, 20, 65))

    first = next(fact for fact in facts if isinstance(fact, FlagFell))
    assert first.side is Colour.BLACK
