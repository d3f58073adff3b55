"""An illegal move that is answered by another one (7.5.5)."""

from __future__ import annotations

from laws.talk import STANDARD, clock, moved, said


def test_a_rook_that_moves_slantwise_in_reply_to_an_illegal_move_is_illegal_too() -> None:
    """Was the rook a pawn once? What it answers is on no record."""
    heard = said(
        *moved(1000, "f1", "g4", "B", "white"),
        *moved(4000, "h8", "a1", "r", "black", taken="a1"),
        moves=["a2a4", "g7g5"],
        clock=clock(600_000, 600_000),
        rate=STANDARD,
    )

    assert heard.opened()[:2] == ["illegal-first", "illegal-first"]
    assert [ruling["against"] for ruling in heard.rulings[:2]] == ["white", "black"]
