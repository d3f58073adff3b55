"""How long an arbiter's order is watched (7.1)."""

from __future__ import annotations

import pytest

from laws.talk import STANDARD, Line, Said, act, clock, moved, said

CONFIRMED: list[Line] = [
    *moved(500, "b1", "b3", "N", "white"),
    act(5000, action="confirm", ruling="illegal-first"),
    {"t": 8000, "lift": "b3"},
    {"t": 8400, "place": "b1", "piece": "N"},
]
"""An illegal move is confirmed and put right, and nobody stops a clock for it."""
PLAYED: list[Line] = [
    *moved(10_000, "b1", "c3", "N", "white"),
    *moved(16_000, "b8", "c6", "n", "black"),
    *moved(19_000, "a2", "a3", "P", "white"),
    *moved(22_000, "a7", "a6", "p", "black"),
]
PAUSED: list[Line] = [
    {"t": 40_000, "pause": True, "clock": clock(560_000, 560_000, None)},
    {"t": 60_000, "clock": clock(560_000, 560_000, "white")},
]
TAKEN_BACK: list[Line] = [
    {"t": 34_000, "lift": "a6"},
    {"t": 34_400, "place": "a7", "piece": "p"},
    *moved(36_000, "g8", "f6", "n", "black"),
]


def game(*lines: Line) -> Said:
    return said(*CONFIRMED, *lines, clock=clock(600_000, 600_000), rate=STANDARD)


def test_an_order_that_no_clock_was_stopped_for_is_not_held_against_a_later_pause() -> None:
    assert "order-not-followed" not in game(*PLAYED, *PAUSED).opened()


def test_what_is_taken_back_long_after_an_order_was_not_ordered() -> None:
    assert "takeback-after-press" in game(*PLAYED, *TAKEN_BACK).opened()


@pytest.mark.parametrize("played", [0, 1, 2])
def test_an_order_is_watched_until_play_goes_on(played: int) -> None:
    """The arbiter may confirm first and be at the board a move later."""
    lines = [line for line in PLAYED if line["t"] < (0, 11_000, 17_000)[played]]
    assert "order-not-followed" in game(*lines, *PAUSED).opened()
