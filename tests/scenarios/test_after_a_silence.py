"""One picture after messages were lost: what it shows is explained, or play goes on from it.

It is never a knock or a player's doing, however many plies were lost.
"""

from __future__ import annotations

import pytest

from arbiterd.tracking.facts import IrregularEntered, Knocked, MoveMade, MoveReplaced, PlyCertainty
from eboards.events import SensingClass

SENSING = (SensingClass.IDENTITY, SensingClass.COLOUR, SensingClass.OCCUPANCY)
OPENING = ("e2e4", "e7e5", "g1f3")
LINE = "b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 c2c3 e8g8 h2h3 c6a5 b3c2".split()


@pytest.mark.parametrize("lost", [6, 7, 8, 9, 12])
def test_play_goes_on_from_the_picture_however_many_plies_were_lost(table, lost: int) -> None:
    table.make(*OPENING).wait(3).link(False)
    table.make(*LINE[:lost]).link(True)
    table.make(*LINE[lost : lost + 2])

    assert table.record == (*OPENING, "", *LINE[lost : lost + 2])
    assert [fact.sureness for fact in table.said(IrregularEntered)] == [PlyCertainty.LIKELY]
    assert not table.said(Knocked)
    assert table.standing() == {"tech-gap/None"}
    table.calls("tech-board-lost", "tech-gap")


@pytest.mark.parametrize("sensing", SENSING)
@pytest.mark.parametrize("lost", [6, 9, 12])
def test_a_silence_knocks_nothing_over_and_accuses_nobody(
    table_with, sensing: SensingClass, lost: int
) -> None:
    table = table_with(sensing=sensing).make(*OPENING).wait(3).link(False)
    table.make(*LINE[:lost]).link(True)
    table.make(*LINE[lost : lost + 3]).wait(20)

    assert not table.said(Knocked)
    assert table.standing() == {"tech-gap/None"}
    table.calls("tech-board-lost", "tech-gap")


@pytest.mark.parametrize("sensing", [SensingClass.IDENTITY, SensingClass.COLOUR])
@pytest.mark.parametrize("lost", [1, 2, 3, 4, 5])
def test_plies_that_were_lost_with_their_messages_are_found_in_one_picture(
    table_with, sensing: SensingClass, lost: int
) -> None:
    """The clock was heard meanwhile. Where their order is not told, none of them is certain."""
    table = table_with(sensing=sensing).make(*OPENING).wait(3)
    table.lost = True
    table.make(*LINE[:lost])
    table.dump().make(*LINE[lost : lost + 2])

    wrong = {n for n, (a, b) in enumerate(zip(table.record[3:], LINE, strict=False), 4) if a != b}
    assert len(table.record) == 3 + lost + 2
    assert {ply.side for ply in table.tracker.record.plies[3::2]} == {"black"}
    told = {
        fact.ply: fact.sureness
        for fact in table.said(MoveMade) + table.said(MoveReplaced)
        if fact.ply in wrong
    }
    assert PlyCertainty.CERTAIN not in told.values()
    assert all(LINE[ply - 4] in table.tracker.record.plies[ply - 1].alternatives for ply in wrong)
    table.calls(*table.called())


def test_more_presses_than_half_moves_found_leave_the_turn_open(table) -> None:
    """The bishop went by c4: two half-moves show as none of White's more, and the times tell."""
    table.make(*OPENING, "b8c6").wait(3).link(False)
    table.make("f1c4", "a7a6", "c4b5").link(True)
    table.press("white").make("g8f6", "b5a4")

    assert table.record[-2:] == ("g8f6", "b5a4")
    assert {row.split("/")[1] for row in table.standing()} <= {"None"}
    table.calls(*table.called())
