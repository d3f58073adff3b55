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


# Times that an arbiter gives with set-clock.

ORDERED = {"white_ms": 500_000, "black_ms": 540_000}
SET: Line = act(10_000, action="set-clock", **ORDERED)


def read(t: int, white: int, black: int, running: str | None) -> Line:
    return {"t": t, "clock": clock(white, black, running)}


def given(*lines: Line) -> Said:
    moves = ["e2e4", "e7e5"]
    return said(*lines, moves=moves, clock=clock(600_000, 600_000), rate=STANDARD)


STOPPED: list[Line] = [
    {"t": 8000, "pause": True},
    read(9000, 592_000, 600_000, None),
    SET,
    read(11_000, 592_000, 600_000, None),
]


@pytest.mark.parametrize(
    ("restarted", "called"),
    [((592_000, 600_000), True), ((500_000, 540_000), False), ((497_000, 540_000), False)],
    ids=["as it was", "as ordered", "within the tolerance"],
)
def test_a_clock_that_is_restarted_with_other_times_than_were_given_is_told(
    restarted: tuple[int, int], called: bool
) -> None:
    heard = given(*STOPPED, read(60_000, *restarted, None), read(61_000, *restarted, "white"))
    assert ("order-not-followed" in heard.opened()) is called
    if called:
        facts = heard.last("order-not-followed")["facts"]
        assert (facts["ordered_white_clock"], facts["white_clock"]) == (500_000, 592_000)


@pytest.mark.parametrize(
    ("side", "restarted", "called"),
    [
        ("white", (500_000, 600_000), False),
        ("white", (592_000, 600_000), True),
        ("white", (500_000, 560_000), True),
        ("black", (592_000, 500_000), False),
        ("black", (592_000, 600_000), True),
        ("black", (560_000, 500_000), True),
    ],
)
def test_a_time_that_is_given_to_one_side_leaves_the_others_as_it_is(
    side: str, restarted: tuple[int, int], called: bool
) -> None:
    one = act(10_000, action="set-clock", **{f"{side}_ms": 500_000})
    stopped = [one if line is SET else line for line in STOPPED]
    heard = given(*stopped, read(60_000, *restarted, None), read(61_000, *restarted, "white"))
    assert ("order-not-followed" in heard.opened()) is called


def test_times_that_are_given_are_told_where_the_clock_runs_on_with_its_own() -> None:
    runs = [read(9000 + ms, 591_000 - ms, 600_000, "white") for ms in range(0, 9000, 1000)]
    heard = given(*runs[:2], SET, *runs[2:])
    assert heard.opened() == ["order-not-followed"]
    stopped = [{"t": 20_000, "pause": True}, read(60_000, *ORDERED.values(), None)]
    heard = given(*runs[:2], SET, *runs[2:], *stopped, read(61_000, *ORDERED.values(), "white"))
    assert heard.state("order-not-followed") == "expired", "set by hand, and right"


def test_times_that_are_given_after_an_order_are_the_ones_that_hold() -> None:
    """The arbiter confirms two minutes, and then judges otherwise."""
    lines: list[Line] = [
        {"t": 30_000, "pause": True},
        act(31_000, action="set-clock", **ORDERED),
        read(60_000, *ORDERED.values(), None),
        read(61_000, *ORDERED.values(), "white"),
    ]
    assert "order-not-followed" not in game(*lines).opened()


def test_times_that_are_given_order_nothing_to_be_taken_back() -> None:
    lines = [*moved(2000, "g1", "f3", "N", "white"), *moved(6000, "b8", "c6", "n", "black")]
    back: list[Line] = [{"t": 12_000, "lift": "c6"}, {"t": 12_400, "place": "b8", "piece": "n"}]
    back += moved(14_000, "g8", "f6", "n", "black")
    assert "takeback-after-press" in given(*lines, SET, *back).opened()


def test_no_clock_is_looked_at_where_none_is_heard() -> None:
    lines = [SET, *moved(12_000, "g1", "f3", "N"), *moved(16_000, "b8", "c6", "n")]
    assert not said(*lines, moves=["e2e4", "e7e5"], rate=STANDARD).opened()
