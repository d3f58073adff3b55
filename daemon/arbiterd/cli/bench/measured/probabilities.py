"""The tables of `arbiterd bench tracking` that say whether probabilities are true."""

from __future__ import annotations

from collections.abc import Iterator

from arbiterd.simulation.benchmarks.calibration import EDGES, Calibration
from arbiterd.simulation.benchmarks.score import interval

FEW = 200
"""A bin with fewer statements says little, and is marked."""


def lines(told: Calibration) -> Iterator[str]:
    """Bins, certain half-moves, and the curve, for people."""
    yield f"\nof half-moves told with a probability, true ({told.judged} statements):"
    yield f"  {'told at':>15} {'true':>17} {'share':>9} {'95 % interval':>17}"
    for (low, right, tries), high in zip(told.bins(), (*EDGES[1:], 1.0), strict=True):
        if tries:
            least, most = interval(right, tries)
            span = f"{100 * least:.2f} - {100 * most:.2f}"
            few = "  few" if tries < FEW else ""
            count = f"{right} of {tries}"
            share = f"{100 * right / tries:7.2f} %"
            yield f"  {low:>6.3f} - {high:5.3f}  {count:>17} {share} {span:>17}{few}"
    wrong, certain = told.certain()
    yield f"  told as certain: {wrong} wrong of {certain}"
    yield f"  not judged, for the record before them was wrong: {told.astray}"
    yield f"  not judged, for it was made so and taken back: {told.taken_back}"
    yield "recall against wrong tellings, over the margin in nats to all else:"
    right_in_all = max(1, sum(right for _, right, _ in told.bins()))
    yield f"  {'margin':>7} {'told so or surer':>20} {'recall':>9} {'wrong':>6}"
    for margin, right, false in told.curve():
        yield f"  {margin:>7} {right + false:>20} {100 * right / right_in_all:7.3f} % {false:>6}"
