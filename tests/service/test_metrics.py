"""`/metrics` of a running hall: stations count what passes; the dashboard shows nothing else."""

from __future__ import annotations

import json
import re
from pathlib import Path

import aiohttp
from prometheus_client.parser import text_string_to_metric_families

from arbiterd.journal.stations import EDGES_S, Durations
from arbiterd.simulation.virtual_loop import run_virtually
from containment.house import EightBoards

DASHBOARD = Path(__file__).parents[2] / "docs" / "dashboard.json"

Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]


async def served(house: EightBoards) -> Samples:
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"{house.service.addresses.page}metrics") as answer,
    ):
        text = await answer.text()
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def a_hall_of_two_minutes(folder: Path) -> tuple[Samples, int]:
    """What is served, and the half-moves that were told until then."""

    async def run() -> tuple[Samples, int]:
        async with EightBoards(1, folder).running() as house:
            await house.clock.rest(120.0)
            return await served(house), sum(map(len, house.broker.told.values()))

    return run_virtually(run())


def of(samples: Samples, name: str, **labels: str) -> float:
    return samples[name, frozenset(labels.items())]


def test_the_stations_count_what_passes(tmp_path: Path) -> None:
    samples, told = a_hall_of_two_minutes(tmp_path)

    age = "arbiterd_message_age_seconds_count"
    moves = of(samples, age, kind="move", left="confirmed")
    assert told > 20
    assert moves == of(samples, age, kind="move", left="sent") >= told
    station = "arbiterd_station_seconds_count"
    folded = of(samples, station, station="folded")
    assert 0 < of(samples, station, station="heard") <= folded
    assert folded <= of(samples, station, station="journalled")
    assert of(samples, "arbiterd_queue_bound", queue="journal-bytes") > 0
    assert {labels for name, labels in samples if name == "arbiterd_bound_reached_total"} == {
        frozenset({("bound", bound)})
        for bound in (
            "readings-not-recorded",
            "device-commands-dropped",
            "lines-read-slowly",
            "commands-unheard",
        )
    }


def test_the_dashboard_asks_for_nothing_that_is_not_served(tmp_path: Path) -> None:
    samples, _ = a_hall_of_two_minutes(tmp_path)
    names = {name for name, _ in samples}
    words = {word for _, labels in samples for word, _ in labels} | {"le", "instance"}

    asked = [
        target["expr"]
        for panel in json.loads(DASHBOARD.read_text(encoding="utf-8"))["panels"]
        for target in panel["targets"]
    ]

    assert len(asked) > 12
    for expr in asked:
        metrics = re.findall(r"\b(?:arbiterd|process)_\w+", expr)
        assert metrics, expr
        assert set(metrics) <= names, expr
        assert set(re.findall(r"(\w+)=~?\"", expr)) <= words, expr
        for label, value in re.findall(r"(kind|left|station)=\"(\w+)\"", expr):
            assert any((label, value) in labels for _, labels in samples), expr


def test_a_duration_is_counted_where_it_is_no_longer_than_the_edge() -> None:
    counted = Durations()
    for seconds in (0.0, EDGES_S[0], 0.02, 1000.0):
        counted.add(seconds)

    buckets = dict(counted.buckets)
    assert (buckets["0.0005"], buckets["0.01"], buckets["0.025"], buckets["60"]) == (2, 2, 3, 3)
    assert buckets["+Inf"] == counted.count == 4
