"""A piece that stands so badly that no coil shows it: pressed for, replied to, and put right later.

Its side had let go of it when it pressed: the reply was not too early, however late it shows.
"""

from __future__ import annotations

import pytest

from arbiterd.tracking.facts import Gap, IrregularEntered
from eboards.events import SensingClass

SENSING = (SensingClass.IDENTITY, SensingClass.COLOUR, SensingClass.OCCUPANCY)
GAME = ("e2e4", "e7e5", "g1f3", "b8c6", "f1c4")


@pytest.mark.parametrize("sensing", SENSING)
@pytest.mark.parametrize("shows_after", [0.5, 2, 3.9, 5, 6.9, 8, 15])
def test_a_reply_to_a_piece_that_no_coil_shows_yet(
    table_with, sensing: SensingClass, shows_after: float
) -> None:
    table = table_with(sensing=sensing).make(*GAME[:2]).wait(2.5)
    table.hidden.add("f3")
    table.make("g1f3").wait(0.4)
    table.make("b8c6").centre("f3", after=shows_after).wait(1).make("f1c4")

    assert table.record == GAME
    assert not table.said(Gap)
    assert not table.said(IrregularEntered)
    assert not {kind for kind in table.called() if kind.startswith(("move-", "illegal-"))} - {
        "move-unexplained-press",
        "illegal-restarted-by-opp",
    }
    assert table.standing() <= {"illegal-restarted-by-opp/black", "press-piece-in-hand/white"}
    table.calls(*table.called())
