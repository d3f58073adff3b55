"""What `/metrics` serves, read when it is asked for; docs/dashboard.json shows it in Grafana."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from prometheus_client import CollectorRegistry, ProcessCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from arbiterd.journal.journal import Journal


@dataclass(frozen=True, slots=True)
class Queue:
    """How much waits, and how much may."""

    length: int
    bound: int


Queues = Callable[[], Mapping[str, Queue]]
"""By name; always the same names."""


class ServiceMetrics(Collector):
    """Of one hall."""

    def __init__(
        self, journal: Journal, tables: int, ill: Callable[[], str], queues: Queues
    ) -> None:
        self._journal, self._tables, self._ill, self._queues = journal, tables, ill, queues

    def collect(self) -> Iterator[Metric]:
        yield from self._hall()
        yield from self._way()
        yield from self._bounds()

    def _hall(self) -> Iterator[Metric]:
        journal = self._journal
        undelivered = journal.committed_outputs - journal.read.cursor("mqtt")
        for name, words, value in (
            ("tables", "Tables of the hall", self._tables),
            ("inputs", "Newest input of the journal", journal.read.last("input")),
            ("outputs", "Newest output of the journal", journal.committed_outputs),
            ("mqtt_undelivered", "Outputs the broker has not confirmed", undelivered),
            ("ill", "1 while something keeps the service from its work", bool(self._ill())),
        ):
            yield GaugeMetricFamily(f"arbiterd_{name}", words, value)

    def _way(self) -> Iterator[Metric]:
        counted = self._journal.stations
        took = HistogramMetricFamily(
            "arbiterd_station_seconds",
            "Time at a station of the way from board to broker",
            labels=["station"],
        )
        for station, durations in counted.stations.items():
            took.add_metric([station], durations.buckets, durations.total_s)
        aged = HistogramMetricFamily(
            "arbiterd_message_age_seconds",
            "Time since what a message follows from was stamped",
            labels=["kind", "left"],
        )
        for (rank, left), ages in counted.ages.items():
            aged.add_metric([rank.name.lower(), left], ages.buckets, ages.total_s)
        yield from (took, aged)

    def _bounds(self) -> Iterator[Metric]:
        length = GaugeMetricFamily("arbiterd_queue_length", "What waits", labels=["queue"])
        bound = GaugeMetricFamily("arbiterd_queue_bound", "What may wait", labels=["queue"])
        for name, queue in self._queues().items():
            length.add_metric([name], queue.length)
            bound.add_metric([name], queue.bound)
        met = CounterMetricFamily(
            "arbiterd_bound_reached", "What was dropped or slowed at a bound", labels=["bound"]
        )
        for what, times in self._journal.stations.met.items():
            met.add_metric([what], times)
        yield from (length, bound, met)


def registry(metrics: ServiceMetrics) -> CollectorRegistry:
    """With the process's own processor time and memory."""
    found = CollectorRegistry()
    found.register(metrics)
    ProcessCollector(registry=found)
    return found
