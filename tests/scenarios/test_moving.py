"""How hands move pieces: every way of making one legal half-move is that half-move."""

from __future__ import annotations

import pytest

CASTLING = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 9"
CAPTURE = "4k3/7p/2n5/4p3/8/5N2/7P/4K3 w - - 0 1"
EN_PASSANT = "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1"
PROMOTION = "1n2k3/P6p/8/8/8/8/7P/4K3 w - - 0 1"


def test_a_rook_slides_over_several_squares_with_stops(table_with) -> None:
    table = table_with("4k3/7p/8/8/8/8/8/R3K3 w - - 0 1")
    table.slide("a1", "b1", "c1", "d1").press("white").played("a1d1")
    table.make("h7h6")
    assert (table.moves, table.alarms) == (["a1d1", "h7h6"], [])


def test_a_pawn_rests_half_way_of_its_double_step(table) -> None:
    table.slide("e2", "e3", "e4").press("white").played("e2e4").make("e7e5")
    assert (table.moves, table.alarms) == (["e2e4", "e7e5"], [])


def test_a_queen_stops_on_squares_that_are_moves_of_their_own(table_with) -> None:
    table = table_with("4k3/7p/8/8/8/8/8/Q3K3 w - - 0 1")
    table.slide("a1", "a2", "a4", "a7", after=0.7).press("white").played("a1a7").make("h7h5")
    assert (table.moves, table.alarms) == (["a1a7", "h7h5"], [])


def test_a_slide_that_ends_on_a_capture(table_with) -> None:
    table = table_with("4k3/r6p/8/8/8/8/8/R3K3 w - - 0 1")
    table.lift("a1").place("a3").lift("a3").place("a5").lift("a5").replace("a7")
    table.press("white").played("a1a7").make("h7h5")
    assert (table.moves, table.alarms) == (["a1a7", "h7h5"], [])


def test_a_piece_placed_before_its_old_square_is_clear(table) -> None:
    table.place("e4", "P").lift("e2", after=0.1).press("white").played("e2e4").make("c7c5")
    assert (table.moves, table.alarms) == (["e2e4", "c7c5"], [])


@pytest.mark.parametrize("neighbour", ["e6", "d6", "f5", "d4"])
def test_a_dragged_capture_whose_victim_shows_on_a_neighbouring_square(
    table_with, neighbour: str
) -> None:
    table = table_with(CAPTURE)
    table.lift("f3").replace("e5").place(neighbour, "p", after=0.1).lift(neighbour)
    table.press("white").played("f3e5").make("c6e5")
    assert (table.moves, table.alarms) == (["f3e5", "c6e5"], [])


def test_a_capture_where_the_victims_square_is_never_empty(table_with) -> None:
    table = table_with(CAPTURE)
    table.lift("f3").replace("e5").press("white").played("f3e5").make("c6e5")
    assert (table.moves, table.alarms) == (["f3e5", "c6e5"], [])


def test_a_capture_with_the_victim_lifted_first(table_with) -> None:
    table = table_with(CAPTURE)
    table.lift("e5", "f3").place("e5").press("white").played("f3e5").make("c6e5")
    assert (table.moves, table.alarms) == (["f3e5", "c6e5"], [])


def test_a_capture_with_the_mover_lifted_first(table_with) -> None:
    table = table_with(CAPTURE)
    table.lift("f3", "e5").place("e5", "N").press("white").played("f3e5").make("c6e5")
    assert (table.moves, table.alarms) == (["f3e5", "c6e5"], [])


def test_a_capture_with_a_long_think_while_the_victim_is_off(table_with) -> None:
    table = table_with(CAPTURE)
    table.lift("e5").wait(40).lift("f3").place("e5").press("white").played("f3e5").make("c6e5")
    assert (table.moves, table.alarms) == (["f3e5", "c6e5"], [])


ORDERS = {
    "king, then rook": lambda t: t.lift("e1").place("g1").lift("h1").place("f1"),
    "both in the air": lambda t: t.lift("e1", "h1").place("f1").place("g1"),
    "both in the air, king down first": lambda t: t.lift("h1", "e1").place("g1").place("f1"),
    "two hands at once": lambda t: (
        t.lift("e1").lift("h1", after=0.05).place("f1", "R", after=0.2).place("g1", "K", after=0.05)
    ),
    "rook lifted first": lambda t: t.lift("h1").lift("e1").place("g1").place("f1"),
    "rook placed first": lambda t: t.lift("h1").place("f1").lift("e1").place("g1"),
    "rook over f1 for a moment, and back, long before": lambda t: (
        (t.lift("h1").place("f1").lift("f1", after=0.2).place("h1").wait(30).lift("e1").place("g1"))
        .lift("h1")
        .place("f1")
    ),
    "king slid over f1": lambda t: t.slide("e1", "f1", "g1").lift("h1").place("f1"),
    "rook slid over g1": lambda t: t.lift("e1").slide("h1", "g1", "f1").place("g1", "K"),
}


CALLS = {
    "both in the air, king down first": ("castle-rook-first-pressed",),
    "rook lifted first": ("castle-rook-first-pressed",),
    "rook placed first": ("castle-rook-released-first",),
    "rook over f1 for a moment, and back, long before": ("castle-rook-first-pressed",),
    "a rook stands in for a while": ("promo-choice-changed",),
}
"""What Article 4 says against some orders, though the move is made."""


@pytest.mark.parametrize("order", ORDERS)
def test_castling_in_every_order_with_one_hand_or_two(table_with, order: str) -> None:
    table = table_with(CASTLING)
    ORDERS[order](table.calls(*CALLS.get(order, ()))).press("white").played("e1g1").make("e8c8")
    assert (table.moves, table.alarms) == (["e1g1", "e8c8"], [])


def test_castling_with_a_pause_between_king_and_rook(table_with) -> None:
    table = table_with(CASTLING)
    table.lift("e1").place("c1").wait(6).lift("a1").place("d1").press("white").played("e1c1")
    table.make("e8g8")
    assert (table.moves, table.alarms) == (["e1c1", "e8g8"], [])


@pytest.mark.parametrize("order", ["mover first", "victim first", "in between"])
def test_en_passant_with_either_pawn_first(table_with, order: str) -> None:
    table = table_with(EN_PASSANT)
    table.make("d7d5")
    if order == "mover first":
        table.lift("e5").place("d6").lift("d5")
    elif order == "victim first":
        table.lift("d5", "e5").place("d6")
    else:
        table.lift("e5", "d5").place("d6", "P")
    table.press("white").played("e5d6").make("e8d7")
    assert (table.moves, table.alarms) == (["d7d5", "e5d6", "e8d7"], [])


PROMOTIONS = {
    "pawn off, queen on": lambda t: t.lift("a7").place("a8", "Q"),
    "queen on, pawn off": lambda t: t.place("a8", "Q").lift("a7"),
    "pawn placed, then exchanged": lambda t: (
        t.lift("a7").place("a8").lift("a8").place("a8", "Q", after=2.0)
    ),
    "pawn exchanged without a gap": lambda t: t.lift("a7").place("a8").place("a8", "Q"),
    "a rook stands in for a while": lambda t: (
        t.lift("a7").place("a8", "R").lift("a8", after=3.0).place("a8", "Q")
    ),
}


def test_a_rook_tried_where_the_pawn_then_becomes_a_queen_was_no_choice(table_with) -> None:
    """Rb8-a8 is taken back before the press, and the pawn goes there: the rook was no new piece."""
    table = table_with("1R6/P5k1/8/8/8/8/6K1/8 w - - 0 1")
    table.calls("touch-own-then-other")
    table.lift("b8").place("a8").lift("a8", after=2.0).place("b8", after=1.0).wait(20)
    table.lift("a7").place("a8", "Q").press("white").played("a7a8q")
    assert table.moves == ["a7a8q"]
    assert "promo-choice-changed" not in table.called()


@pytest.mark.parametrize("order", PROMOTIONS)
def test_promotion_in_every_order(table_with, order: str) -> None:
    table = table_with(PROMOTION)
    PROMOTIONS[order](table.calls(*CALLS.get(order, ()))).press("white").played("a7a8q").make(
        "e8f7"
    )
    assert (table.moves, table.alarms) == (["a7a8q", "e8f7"], [])


@pytest.mark.parametrize("piece", ["Q", "R", "B", "N"])
def test_promotion_by_capture_to_any_piece(table_with, piece: str) -> None:
    table = table_with(PROMOTION)
    table.lift("b8", "a7").place("b8", piece).press("white").played(f"a7b8{piece.lower()}")
    table.make("e8f7")
    assert (table.moves, table.alarms) == ([f"a7b8{piece.lower()}", "e8f7"], [])


CHESS960 = {
    "king to rook's square": ("4k3/7p/8/8/8/8/8/5KR1 w G - 0 1", "f1g1"),
    "king stays": ("4k3/7p/8/8/8/8/8/6KR w H - 0 1", "g1h1"),
    "rook stays": ("4k3/7p/8/8/8/8/8/3RK3 w D - 0 1", "e1d1"),
    "far apart": ("4k3/7p/8/8/8/8/8/RK6 w A - 0 1", "b1a1"),
}


@pytest.mark.parametrize("case", CHESS960)
def test_chess960_castling(table_with, case: str) -> None:
    fen, move = CHESS960[case]
    table = table_with(fen, rules="chess960")
    table.make(move, "h7h5")
    assert (table.moves, table.alarms) == ([move, "h7h5"], [])


def test_chess960_castling_with_the_king_kept_off_the_board(table_with) -> None:
    table = table_with("4k3/7p/8/8/8/8/8/1K3R2 w F - 0 1", rules="chess960")
    table.lift("b1").wait(3).place("g1").press("white").played("b1f1").make("h7h5")
    assert (table.moves, table.alarms) == (["b1f1", "h7h5"], [])
