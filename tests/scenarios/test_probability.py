"""How sure each half-move is told: its share of all that explains the board."""

from __future__ import annotations

from math import exp

import pytest

from arbiterd.tracking.facts import MoveMade, MoveReplaced, PlyCertainty
from eboards.events import SensingClass


def told(table) -> dict[str, float]:
    """The half-moves on the record, each with the probability that was told last."""
    table.wait(20)
    found: dict[int, tuple[str, float]] = {}
    for fact in table.facts:
        if isinstance(fact, MoveMade | MoveReplaced):
            found[fact.ply] = fact.move, fact.probability
            if fact.sureness is PlyCertainty.CERTAIN:
                assert fact.probability >= 0.9, fact
    return dict(found.values())


def test_what_was_seen_and_pressed_is_all_but_sure(table) -> None:
    table.make("e2e4", "e7e5", "g1f3")
    assert set(told(table).values()) == {0.999}


def test_of_two_lines_the_shorter_is_the_likelier_by_a_half_move(table) -> None:
    """...a5, c3 and ...a6, c3, ...a5 leave the same pieces: 3 nats are between them, which count
    half as much again, and the others for four fifths. And two that nobody saw may have been
    others: five nats less two speak against that."""
    table.make("e2e4").link(False).make("a7a5", "c2c3").link(True)
    table.calls("tech-board-lost", "tech-gap")
    share = 1 / (1 + 0.8 * exp(-4.5) + exp(2 - 5))
    assert told(table)["a7a5"] == pytest.approx(share, abs=0.005)


def test_a_capture_that_no_sensor_tells_has_its_share(table_with) -> None:
    """The knight of c3 took on d5 or on b5: contacts without a clock show no more."""
    table = table_with(sensing=SensingClass.OCCUPANCY).no_clock()
    table.make("b1c3", "d7d5", "a2a3", "b7b5", press=False).lift("c3")
    table.calls("clock-lost")
    assert 0.1 <= min(told(table).values()) <= 0.6
