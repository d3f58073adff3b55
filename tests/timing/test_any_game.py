"""Any game, read once a second: the presses that are told were made, and nothing odd is seen."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from arbiterd.rules.ruleset import Colour
from arbiterd.timing.clock import ClockModel
from arbiterd.timing.control import Kind, Rate, read_periods
from arbiterd.timing.face import MS, Reading
from arbiterd.timing.facts import ClockFact, Press, Restarted

START_MS = 600_000


@dataclass(frozen=True)
class Game:
    """Thinking times in turn, and how the clock was heard."""

    increment_s: int
    used_ms: tuple[int, ...]
    phase_ms: int
    """When within the second the board asks the clock."""
    lags_ms: tuple[int, ...]
    """How late each answer is read."""
    lost: frozenset[int]
    """Readings that never arrived."""


GAMES = st.builds(
    Game,
    increment_s=st.sampled_from((0, 2, 5, 30)),
    used_ms=st.lists(st.integers(50, 9_000), min_size=1, max_size=40).map(tuple),
    phase_ms=st.integers(0, 999),
    lags_ms=st.lists(st.integers(0, 400), min_size=1, max_size=7).map(tuple),
    lost=st.frozensets(st.integers(2, 60), max_size=6),
)


def heard(game: Game) -> list[tuple[Reading, list[Colour]]]:
    """Readings in whole seconds, each with the presses made since the one before."""
    left = dict.fromkeys(Colour, START_MS)
    side, now, moves = Colour.WHITE, 0, list(game.used_ms)
    due = moves.pop(0)
    told: list[tuple[Reading, list[Colour]]] = []
    since: list[Colour] = []
    for number in range(1 + (sum(game.used_ms) + 2_000) // 1000):
        at = number * 1000 + game.phase_ms
        while due is not None and due <= at:
            left[side] += game.increment_s * 1000 - (due - now)
            now = due
            since.append(side)
            side = side.other
            due = due + moves.pop(0) if moves else None
        left[side] -= at - now
        now = at
        if number in game.lost:
            continue
        lag = game.lags_ms[number % len(game.lags_ms)]
        shown = {colour: -(-ms // 1000) * 1000 for colour, ms in left.items()}
        reading = Reading(
            (at + lag) * MS,
            shown[Colour.WHITE],
            shown[Colour.BLACK],
            side,
            lever=side,
            white_flag=False,
            black_flag=False,
            late_ns=1000 * MS,
        )
        told.append((reading, since))
        since = []
    return told


def rate(game: Game) -> Rate:
    return Rate(Kind.RAPID, True, read_periods([f"10:00+{game.increment_s}"]))


@settings(max_examples=150)
@given(GAMES)
@example(Game(2, (50, 7951, 50, 50), 0, (0,), frozenset({2, 9})))
@example(Game(2, (1001, 50, 1949), 0, (0,), frozenset({2, 3, 4})))
@example(Game(2, (1001, 50, 1999), 0, (0,), frozenset({2, 3, 4})))
def test_every_press_that_changes_the_lever_is_told_once_and_in_turn(game: Game) -> None:
    model = ClockModel(rate(game), in_progress=True)
    first = True
    expected = Colour.WHITE
    for reading, made in heard(game):
        facts = [fact for fact in model.read(reading) if not isinstance(fact, Restarted)]
        assert all(isinstance(fact, Press) for fact in facts), "no jump, no odd credit, no edit"
        presses = [fact.side for fact in facts if isinstance(fact, Press)]
        if not first:
            # Two presses may hide in one second: then both, or neither, never one.
            assert len(presses) % 2 == len(made) % 2
            assert len(presses) <= len(made)
            assert presses == made[: len(presses)]
        first = False
        expected = reading.running or expected
    assert model.shown(10**18).running is expected


@settings(max_examples=60)
@given(GAMES, st.integers(0, 60))
def test_a_model_written_and_read_back_goes_on_as_if_nothing_was(game: Game, cut: int) -> None:
    whole = ClockModel(rate(game))
    parts = ClockModel(rate(game))
    told: tuple[list[ClockFact], list[ClockFact]] = ([], [])
    for number, (reading, _) in enumerate(heard(game)):
        if number == cut:
            parts = ClockModel.restored(rate(game), parts.checkpoint())
        told[0].extend(whole.read(reading))
        told[1].extend(parts.read(reading))
    assert told[0] == told[1]
    assert whole.checkpoint() == parts.checkpoint()


READINGS = st.builds(
    Reading,
    at_ns=st.just(0),
    white_ms=st.none() | st.integers(0, 10_000_000),
    black_ms=st.none() | st.integers(0, 10_000_000),
    running=st.none() | st.sampled_from(Colour),
    running_said=st.booleans(),
    lever=st.none() | st.sampled_from(Colour),
    white_flag=st.none() | st.booleans(),
    black_flag=st.none() | st.booleans(),
    press=st.none() | st.sampled_from(Colour),
    late_ns=st.integers(0, 3_000_000_000),
)


@settings(max_examples=150)
@given(st.lists(READINGS | st.sampled_from(("pause", "gone", "white", "black")), max_size=12))
def test_no_clock_however_mad_can_raise(inputs: list[Reading | str]) -> None:
    model = ClockModel(Rate(Kind.STANDARD, True, read_periods(["40/90:00+30", "30:00+30"])))
    for number, item in enumerate(inputs):
        at_ns = number * 500 * MS
        if isinstance(item, Reading):
            model.read(replace(item, at_ns=at_ns))
        elif item == "pause":
            model.pause(at_ns)
        elif item == "gone":
            model.gone(at_ns)
        else:
            model.flag(at_ns, Colour(item))
        shown = model.shown(at_ns)
        assert shown.white_ms is None or shown.white_ms >= 0
        assert ClockModel.restored(model.rate, model.checkpoint()).shown(at_ns) == shown
