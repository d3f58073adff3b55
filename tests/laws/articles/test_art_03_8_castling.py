"""Castling that is not allowed, as an arbiter reads it."""

from __future__ import annotations

import pytest

from laws.talk import STANDARD, Line, clock, said


def lifted_and_placed(*steps: str) -> list[Line]:
    """`-b1` is lifted, `Kc1` placed, a quarter of a second apart; then pressed."""
    lines: list[Line] = []
    for number, (piece, *square) in enumerate(steps, 1):
        at = "".join(square)
        what = {"lift": at} if piece == "-" else {"place": at, "piece": piece}
        lines.append({"t": number * 250, **what})
    return [*lines, {"t": len(steps) * 250 + 600, "press": "white"}]


@pytest.mark.parametrize(
    ("fen", "steps", "attempt", "tried"),
    [
        pytest.param("1k6/8/8/8/8/8/8/RKR5 w CA - 0 1", ("-b1", "-c1", "Kc1", "-a1", "Rd1"),
                     "b1a1", "O-O-O", id="onto the other rook"),
        pytest.param("1k6/8/8/8/8/8/8/RKR5 w C - 0 1", ("-b1", "-c1", "Kc1", "-a1", "Rd1"),
                     "b1a1", "O-O-O", id="whose right is lost besides"),
    ],
)  # fmt: skip
def test_castling_in_chess960_is_told_as_what_was_tried(
    fen: str, steps: tuple[str, ...], attempt: str, tried: str
) -> None:
    """The long castling was told as the short one, which is legal there, and illegal at once."""
    heard = said(
        *lifted_and_placed(*steps),
        ruleset="chess960",
        fen=fen,
        rate=STANDARD,
        clock=clock(5_430_000, 5_400_000, "white"),
    )
    ruling = heard.last("illegal-first")

    assert ruling["facts"]["attempt"] == attempt
    assert f"illegal move ({tried}): " in ruling["text"]["en"]["line"]
    assert ruling["facts"]["obligation"] == ["b1c1"]
