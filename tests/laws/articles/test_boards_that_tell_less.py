"""What a board shows without the kinds of pieces is told as it is where they are shown."""

from __future__ import annotations

import pytest

from laws.talk import moved, said_on

PIECES = {"identity": "PNnp", "colour": "wwbb", "occupancy": "????"}
boards = pytest.mark.parametrize("sensing", sorted(PIECES))


@boards
@pytest.mark.parametrize("other", ["d3", "f3"], ids=["the same piece", "another piece"])
def test_a_completed_move_is_taken_back_for_another(sensing: str, other: str) -> None:
    pawn, knight = PIECES[sensing][:2]
    origin, piece = ("d2", pawn) if other == "d3" else ("g1", knight)
    heard = said_on(
        sensing,
        *moved(2900, "d2", "d4", pawn),
        {"t": 4000, "press": "white"},
        *moved(7900, "d4", "d2", pawn),
        *moved(9900, origin, other, piece),
    )
    ruling = heard.last("takeback-after-press")

    assert (ruling["state"], ruling["against"]) == ("open", "white")
    assert ruling["facts"]["withdrawn"] == ["d2d4"]


@boards
def test_a_reply_that_stood_while_the_piece_was_in_the_air_came_too_early(sensing: str) -> None:
    pawn, _, knight, _ = PIECES[sensing]
    heard = said_on(
        sensing,
        {"t": 3000, "lift": "d2"},
        *moved(3900, "b8", "c6", knight),
        {"t": 6000, "place": "d4", "piece": pawn},
        {"t": 6600, "press": "white"},
        {"t": 8000, "press": "black"},
    )
    assert heard.opened() == ["move-opp-too-early"]
    assert heard.last("move-opp-too-early")["against"] == "black"


@boards
def test_a_piece_that_is_brushed_is_in_the_journal(sensing: str) -> None:
    pawn, *_, black = PIECES[sensing]
    heard = said_on(
        sensing,
        {"t": 3000, "lift": "e5"},
        {"t": 3090, "place": "e5", "piece": black},
        *moved(3900, "d2", "d4", pawn),
        {"t": 5000, "press": "white"},
    )
    assert heard.opened() == []
    assert "touch-brush" in heard.logged(2)
