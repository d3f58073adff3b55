"""What an hour of alarms comes to."""

from __future__ import annotations

from dataclasses import replace

from alarms.counting import Alarm, load, report
from alarms.days import DAYS
from alarms.folded import cause, described, fold
from arbiterd.simulation.famous import FAMOUS
from arbiterd.simulation.hall import hall
from arbiterd.simulation.world import Happened

HOUR_S = 3600.0


def alarm(number: int, at_s: float, kind: str = "illegal-first", urgency: int = 1) -> Alarm:
    return Alarm(f"1-{number}", "1", kind, urgency, at_s)


def test_an_hour_is_counted_by_urgency_in_tens_of_minutes_and_by_what_stands() -> None:
    alarms = [
        replace(alarm(1, 10.0), closed_s=70.0),
        replace(alarm(2, 500.0), closed_s=900.0),  # The same again.
        replace(alarm(3, 1500.0, urgency=2), right=False),  # Stands at the end.
        alarm(4, 3300.0, "flag-last-period"),  # Not yet for long.
        alarm(5, 20.0, "move-next-without-press", urgency=3),
    ]

    told = load(alarms, HOUR_S)

    assert (told.urgent, told.soon, told.notes, told.wrong) == (3, 1, 1, 1)
    assert (told.repeated, told.standing, told.most_in_ten) == (1, 1, 2)
    assert round(told.per_ten, 3) == round(4 / 6, 3)
    assert told.band == "very likely acceptable"
    assert "0.67" in report({"hall": told})


def test_a_shower_is_not_acceptable() -> None:
    shower = [alarm(number, number * 30.0, f"kind {number}") for number in range(100)]

    told = load(shower, HOUR_S)

    assert told.most_in_ten == 20
    assert told.band == "likely over-demanding"


def test_every_alarm_of_a_game_has_its_cause_in_the_story() -> None:
    day = DAYS["tried"]
    games = [replace(game, clock_ms=()) for game in FAMOUS]

    told = fold(hall(2, day, 22, games=games), day)

    assert told.plies == sum(len(game.moves) for game in games[:2])
    assert told.causes["touch-own-then-other", 1, "adjust"] > 0
    assert all(alarm.right for alarm in told.alarms)
    assert "adjust" in described(told, 10)


def test_a_ruling_without_a_cause_is_said_to_have_none() -> None:
    adjusted = Happened("adjust", 0, 1, ply=10, raises=("touch-own-then-other",))

    assert cause("touch-own-then-other", 11, [adjusted]) == "adjust"
    assert cause("touch-own-then-other", 20, [adjusted]) == "nothing"
    assert cause("illegal-first", 10, [adjusted]) == "nothing"
