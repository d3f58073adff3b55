"""The river game's own rows, as an arbiter reads them."""

from __future__ import annotations

from laws.talk import STANDARD, clock, moved, said


def test_a_pawn_left_on_the_river_is_no_pawn_on_its_last_rank() -> None:
    """Programs and pages were told that the pawn on its last rank was not exchanged."""
    heard = said(
        *moved(100, "e2", "e4", "P", press="white"),
        ruleset="guadalete",
        rate=STANDARD,
        clock=clock(5_430_000, 5_400_000, "white"),
    )
    ruling = heard.last("gu-plank-not-replaced")

    assert ruling["facts"]["reason"] == "the pawn on the open river is not replaced by a plank"
    assert ruling["facts"]["square"] == "e4"
