"""A press without a move, and the other side replies before the press has been judged."""

from __future__ import annotations

import pytest

from laws.talk import BLITZ, STANDARD, Line, clock, moved, said


@pytest.mark.parametrize("taken_up", [100, 250, 400, 600, 900])
@pytest.mark.parametrize("made", ["given", "played"])
def test_who_replies_at_once_to_a_press_without_a_move_has_not_moved_out_of_turn(
    made: str, taken_up: int
) -> None:
    """The reply was made on its own side's time: what is told is the press (7.5.3)."""
    opening = [*moved(1000, "e2", "e4", "P", "white"), *moved(3000, "e7", "e5", "p", "black")]
    lines: list[Line] = [
        {"t": 8000, "press": "white"},
        {"t": 8000 + taken_up, "lift": "b8"},
        {"t": 8250 + taken_up, "place": "c6", "piece": "n"},
        {"t": 8550 + taken_up, "press": "black"},
    ]
    heard = said(
        *(opening if made == "played" else []),
        *lines,
        moves=["e2e4", "e7e5"] if made == "given" else [],
        clock=clock(5_430_000, 5_430_000),
        rate=STANDARD,
    )

    assert heard.opened() == ["press-no-move", "illegal-found-later"]
    assert {ruling["against"] for ruling in heard.rulings} == {"white"}


def test_a_move_on_the_other_sides_time_that_is_pressed_for_by_that_side_is_told_of() -> None:
    heard = said(
        {"t": 3000, "lift": "b8"},
        {"t": 3400, "place": "c6", "piece": "n"},
        {"t": 4400, "press": "white"},
        moves=["e2e4", "e7e5"],
        clock=clock(5_430_000, 5_430_000),
        rate=STANDARD,
    )

    assert heard.opened() == ["move-out-of-turn"]
    assert heard.rulings[0]["against"] == "black"


FORGOTTEN = [
    *moved(1000, "g1", "f3", "N"),
    *moved(2200, "b8", "c6", "n"),
    *moved(3400, "f1", "b5", "B", "white"),
]
"""Neither knight's half-move is pressed for; the bishop's is."""


@pytest.mark.parametrize(
    ("lifted", "told"),
    [
        ("", "press-no-move"),
        ("b7", "press-piece-in-hand"),
        ("e4", "capture-removed-not-moved"),
    ],
)
def test_a_press_soon_after_one_that_was_forgotten_is_told_once_nobody_answers_it(
    lifted: str, told: str
) -> None:
    """Were it late for ...Nc6, White, whose clock runs, would have pressed within seconds."""
    heard = said(
        *FORGOTTEN,
        *([{"t": 6600, "lift": lifted}] if lifted else []),
        {"t": 7000, "press": "black"},
        moves=["e2e4", "d7d5"],
        clock=clock(180_000, 180_000),
        rate=BLITZ,
    )

    assert told in heard.opened()
    assert heard.last(told)["against"] == "black"


def test_one_that_is_answered_at_once_may_have_been_late_and_accuses_nobody() -> None:
    heard = said(
        *FORGOTTEN,
        {"t": 7000, "press": "black"},
        {"t": 8500, "press": "white"},
        moves=["e2e4", "d7d5"],
        clock=clock(180_000, 180_000),
        rate=BLITZ,
    )

    assert heard.opened(8) == []
