"""The promotion piece is put on some time after the press, before or after the reply.

What stood there at the press is ruled on; the record has the promotion either way.
"""

from __future__ import annotations

import pytest

from eboards.events import SensingClass

START = "8/P5k1/8/8/8/8/8/4K3 w - - 0 1"
SENSING = (SensingClass.IDENTITY, SensingClass.COLOUR, SensingClass.OCCUPANCY)


@pytest.mark.parametrize("sensing", SENSING)
@pytest.mark.parametrize("late", [0.5, 3, 15])
@pytest.mark.parametrize("stands", ["nothing", "the pawn"])
@pytest.mark.parametrize("replied", [False, True], ids=["before the reply", "after it"])
def test_a_promotion_piece_is_put_on_late(
    table_with, sensing: SensingClass, late: float, stands: str, replied: bool
) -> None:
    table = table_with(START, sensing=sensing).lift("a7", after=1)
    if stands == "the pawn":
        table.place("a8", after=0.4)
    table.press("white").played("a7a8q").wait(late)
    if replied:
        table.make("g7g6").wait(1)
    if stands == "the pawn":
        table.lift("a8", after=0.4)
    table.place("a8", "Q", after=0.8).wait(3)
    if not replied:
        table.make("g7g6")
    table.wait(5).make("e1e2")

    assert table.record == ("a7a8q", "g7g6", "e1e2")
    assert "touch-opp-capturable" not in table.called()
    called = table.called()
    if sensing is SensingClass.IDENTITY or (stands == "nothing" and late > 1):
        assert any(kind.startswith("promo-") for kind in called)
    assert "move-opp-too-early" not in called
    assert not {row for row in table.standing() if row.endswith("/black")} - {
        "illegal-restarted-by-opp/black"
    }
    table.calls(*called)
