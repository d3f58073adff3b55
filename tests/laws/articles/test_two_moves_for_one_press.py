"""4.7: two own moves and one press. The first stands, on every board and at every pace."""

from __future__ import annotations

import pytest

from laws.talk import moved, said_on

PIECES = {"identity": "PN", "colour": "ww", "occupancy": "??"}
boards = pytest.mark.parametrize("sensing", sorted(PIECES))


@boards
@pytest.mark.parametrize("gap", [400, 1_000, 6_000])
@pytest.mark.parametrize("press", [300, 2_000, 6_000])
def test_the_first_of_two_moves_stands(sensing: str, gap: int, press: int) -> None:
    pawn, knight = PIECES[sensing]
    heard = said_on(
        sensing,
        *moved(2900, "d2", "d4", pawn),
        *moved(3200 + gap, "g1", "f3", knight),
        {"t": 3600 + gap + press, "press": "white"},
    )
    standing = {one["kind"]: one for one in heard.rulings}
    still = [kind for kind, one in standing.items() if one["state"] == "open"]

    assert still == ["move-twice-before-press"]
    assert standing["move-twice-before-press"]["facts"]["moves"] == ["d2d4", "g1f3"]
    assert standing["move-twice-before-press"]["against"] == "white"


@boards
def test_a_second_move_after_the_press_is_one(sensing: str) -> None:
    pawn, knight = PIECES[sensing]
    heard = said_on(
        sensing,
        *moved(2900, "d2", "d4", pawn),
        {"t": 4000, "press": "white"},
        *moved(5900, "g1", "f3", knight),
    )
    assert heard.opened() == ["move-twice-after-press"]


@boards
def test_a_piece_that_is_tried_and_put_back_before_the_press_is_no_move(sensing: str) -> None:
    pawn, knight = PIECES[sensing]
    heard = said_on(
        sensing,
        *moved(2900, "d2", "d4", pawn),
        *moved(9200, "g1", "f3", knight),
        *moved(9800, "f3", "g1", knight),
        {"t": 11_000, "press": "white"},
    )
    assert heard.opened() == []
    assert [move["uci"] for move in heard.moves][-1] == "d2d4"
