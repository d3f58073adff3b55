"""A game that is followed from its 41st move on: what was played before counts."""

from __future__ import annotations

from typing import Any

import pytest

from laws.talk import STANDARD, Line, Said, act, clock, moved, said

LATER = "4k3/p7/8/8/8/8/8/R3K3 {} - - 0 {}"
TWO_PERIODS = {"kind": "standard", "supervised": True, "time": ["40/90:00+30", "30:00"]}


def game(*lines: Line, side: str = "w", number: int = 41, **head: Any) -> Said:
    runs = "white" if side == "w" else "black"
    scene = {"clock": clock(600_000, 600_000, runs), "rate": STANDARD}
    return said(*lines, fen=LATER.format(side, number), **{**scene, **head})


@pytest.mark.parametrize(("number", "early"), [(28, True), (29, False), (41, False)])
def test_an_agreement_after_the_move_of_the_regulations(number: int, early: bool) -> None:
    """9.1.1: with these two half-moves 28 moves are made of each side, or 29, or 41."""
    both = [*moved(1000, "e1", "e2", "K", "white"), *moved(3000, "e8", "e7", "k", "black")]
    agreed = act(6000, action="set-result", result="1/2-1/2", reason="agreement")

    heard = game(*both, agreed, number=number, settings={"no_agreement_before_move": 29})

    assert heard.opened() == (["draw-agreed-too-early"] if early else [])


@pytest.mark.parametrize(("side", "number", "again"), [
    ("w", 10, True), ("b", 10, True), ("w", 11, False), ("b", 11, False),
])  # fmt: skip
def test_colours_reversed_after_ten_moves(side: str, number: int, again: bool) -> None:
    """7.3: the limit passes when Black makes move 10."""
    heard = game(
        act(1000, action="report", kind="start-colours-reversed"), side=side, number=number
    )
    ruling = heard.last("start-colours-reversed")

    assert ruling["facts"]["again"] is again
    assert ruling["proposal"]["result"] == ("replay" if again else None)
    assert ruling["facts"]["black_moves"] == number - 1
    assert ruling["facts"]["white_moves"] == number - 1 + (side == "b")


@pytest.mark.parametrize(("side", "number", "back"), [
    ("w", 40, -30_000), ("w", 41, None), ("b", 40, -30_000), ("b", 41, None),
])  # fmt: skip
def test_the_increment_taken_back_is_that_of_the_period(
    side: str, number: int, back: int | None
) -> None:
    """7.5.5: the press of move 40 credited 30 s, that of move 41 nothing."""
    wrong = moved(1000, "a1", "b2", "R", "white") if side == "w" else moved(
        1000, "a7", "b6", "p", "black"
    )  # fmt: skip
    heard = game(*wrong, side=side, number=number, rate=TWO_PERIODS)
    gains = heard.last("illegal-first")["proposal"]["clock_delta_ms"]

    assert gains.get("white" if side == "w" else "black") == back


DOUBLE_STEP = "4k3/8/8/{}/8/8/8/R3K3 {} - - 0 40"
LATE = "en passant is possible on the very next move only (3.7.3.2)."


@pytest.mark.parametrize(("fen", "before", "told"), [
    (DOUBLE_STEP.format("3pP3", "w"), ["a1b1", "e8e7"], LATE.capitalize()),
    ("4k3/3p4/8/4P3/8/8/8/R3K3 b - - 0 40", ["d7d5", "a1b1", "e8e7"],
     f"The double step was made on move 40; {LATE}"),
], ids=["before the record", "in it"])  # fmt: skip
def test_when_the_double_step_was_made(fen: str, before: list[str], told: str) -> None:
    lines: list[Line] = [{"t": 900, "lift": "d5"}, *moved(1000, "e5", "d6", "P", "white")]

    heard = said(
        *lines, fen=fen, moves=before, rate=STANDARD, clock=clock(600_000, 600_000, "white")
    )

    assert heard.last("ep-too-late")["text"]["en"]["detail"].startswith(told)
