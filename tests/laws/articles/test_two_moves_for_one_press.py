"""4.7: two own moves and one press. The first stands, on every board and at every pace."""

from __future__ import annotations

import pytest

from laws.talk import STANDARD, clock, moved, said, said_on

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


def test_pieces_shifted_by_a_sleeve_and_put_back_are_no_two_moves() -> None:
    """For seconds the first of them reads as a move and the other as a second one; both go back,
    and one of the two is moved long after."""
    heard = said(
        {"t": 2200, "lift": "g8"}, {"t": 2200, "place": "h8", "piece": "k"},
        {"t": 2250, "place": "b6", "piece": "b"}, {"t": 2300, "lift": "c5"},
        {"t": 6600, "lift": "h8"}, {"t": 6650, "lift": "b6"},
        {"t": 7800, "place": "g8", "piece": "k"}, {"t": 8900, "place": "c5", "piece": "b"},
        *moved(22_900, "c5", "d6", "b"),
        {"t": 24_100, "press": "black"},
        fen="5rk1/5ppp/8/2b5/1P6/8/5PPP/5RK1 w - - 0 30",
        moves=["g1h1"], clock=clock(600_000, 600_000, "black"), rate=STANDARD,
    )  # fmt: skip
    assert [move["uci"] for move in heard.moves][-1] == "c5d6"
    assert "move-twice-before-press" not in heard.opened()
