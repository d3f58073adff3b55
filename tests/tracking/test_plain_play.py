"""What most half-moves are: lifted, set down, pressed."""

from __future__ import annotations

import pytest

from arbiterd.rules.chess import ChessRules
from arbiterd.rules.ruleset import Colour
from arbiterd.tracking.facts import (
    How,
    KingsInCentre,
    MoveCompleted,
    MoveMade,
    MoveReplaced,
    MoveWithdrawn,
    OutOfTurn,
    PlyCertainty,
    Pressed,
)

from .hands import MS, SECOND, Hands


def test_a_press_tells_and_completes_the_move_at_once() -> None:
    hands = Hands().move("e2", "e4").press("white")

    (made,) = hands.of(MoveMade)
    assert (made.move, made.how, made.sureness) == ("e2e4", How.PRESSED, PlyCertainty.CERTAIN)
    assert made.completed_at_ns == hands.now_ns
    assert made.made_at_ns == hands.now_ns - 300 * MS
    assert [fact.move for fact in hands.of(Pressed)] == ["e2e4"]


def test_a_reply_tells_the_move_before_it() -> None:
    hands = Hands().move("e2", "e4").move("e7", "e5")

    assert [(fact.move, fact.how) for fact in hands.of(MoveMade)] == [("e2e4", How.REPLIED)]


def test_without_press_or_reply_the_move_is_told_once_the_hands_have_left() -> None:
    hands = Hands().move("e2", "e4").wait(3.9)
    assert hands.told == []

    hands.wait(0.2)

    assert [(fact.move, fact.how) for fact in hands.of(MoveMade)] == [("e2e4", How.SETTLED)]


def test_a_move_that_was_told_is_completed_by_its_press() -> None:
    hands = Hands().move("e2", "e4").wait(10).press("white")

    (completed,) = hands.of(MoveCompleted)
    assert (completed.ply, completed.how) == (1, How.PRESSED)
    (pressed,) = hands.of(Pressed)
    assert [touch.square for touch in pressed.turn.touches] == [52], "the turn of e2e4"


def test_a_slide_with_a_stop_is_one_move() -> None:
    hands = Hands().move("e2", "e3", "e4").press("white")

    assert hands.told == ["e2e4"]


def test_a_piece_that_slid_on_after_its_move_was_told_replaces_it() -> None:
    hands = Hands().move("e2", "e3").wait(5).move("e3", "e4").press("white")

    assert hands.moves == ["e2e4"]
    assert [fact.move for fact in hands.of(MoveReplaced)] == ["e2e4"]


def test_a_move_that_is_certain_now_was_known_by_its_press() -> None:
    hands = Hands("6k1/8/8/8/8/8/7P/6K1 w - - 0 1")
    hands.move("h2", "h3").lift("g8", 0.2).lift("h3", 0.4).show("f8", "k").show("h4", "P", 0.5)
    hands.press("white").press("black").wait(5).move("g1", "g2").press("white")

    certain = [fact for fact in hands.of(MoveReplaced) if fact.sureness is PlyCertainty.CERTAIN]
    assert hands.moves == ["h2h4", "g8f8", "g1g2"]
    assert [(fact.move, fact.how) for fact in certain] == [("h2h4", How.PRESSED)]
    assert [ply.how for ply in hands.tracker.record.plies] == [How.PRESSED] * 3


def test_a_move_taken_back_before_the_press_was_none() -> None:
    hands = Hands().move("g1", "f3").move("f3", "g1").move("e2", "e4").press("white")

    assert hands.moves == ["e2e4"]
    assert not hands.of(MoveWithdrawn)


def test_a_move_taken_back_after_it_was_told_is_withdrawn() -> None:
    hands = Hands().move("g1", "f3").wait(5).move("f3", "g1").wait(5)

    assert hands.told == ["g1f3"]
    assert [fact.ply for fact in hands.of(MoveWithdrawn)] == [1]
    assert hands.moves == []


ORDERS = {
    "victim first": [("d5", "."), ("e4", "."), ("d5", "P")],
    "mover first": [("e4", "."), ("d5", "."), ("d5", "P")],
    "direct": [("e4", "."), ("d5", "P")],
    "placed before lifted": [("d5", "P"), ("e4", ".")],
    "victim dragged over e6": [("e4", "."), ("e6", "p"), ("d5", "P"), ("e6", ".")],
}


@pytest.mark.parametrize("order", ORDERS.values(), ids=list(ORDERS))
def test_a_capture_in_any_order(order: list[tuple[str, str]]) -> None:
    hands = Hands(moves=("e2e4", "d7d5"))
    for square, piece in order:
        hands.show(square, piece)

    hands.press("white").move("d8", "d5").press("black")

    assert hands.told == ["e4d5", "d8d5"]
    assert not hands.empty_presses


CASTLINGS = {
    "king, rook": [("e1", "."), ("g1", "K"), ("h1", "."), ("f1", "R")],
    "both in the air": [("e1", "."), ("h1", "."), ("g1", "K"), ("f1", "R")],
    "rook first": [("h1", "."), ("f1", "R"), ("e1", "."), ("g1", "K")],
    "rook set down last": [("h1", "."), ("e1", "."), ("g1", "K"), ("f1", "R")],
}


@pytest.mark.parametrize("order", CASTLINGS.values(), ids=list(CASTLINGS))
def test_castling_in_any_order(order: list[tuple[str, str]]) -> None:
    hands = Hands("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    for square, piece in order:
        hands.show(square, piece)

    assert hands.press("white").told == ["e1g1"]


def test_castling_with_a_rook_that_stood_long_enough_to_be_told() -> None:
    hands = Hands("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").move("h1", "f1").wait(6)
    assert hands.told == ["h1f1"]

    hands.move("e1", "g1").press("white")

    assert hands.moves == ["e1g1"]


def test_castling_in_chess960_where_the_king_stays() -> None:
    """King g1, rook h1: only the rook changes its square, with the king in the air or not."""
    rules = ChessRules(chess960=True)
    fen = "1k5r/8/8/8/8/8/8/6KR w H - 0 1"

    with_king = Hands(fen, rules=rules).lift("g1").lift("h1").show("f1", "R").show("g1", "K")
    rook_alone = Hands(fen, rules=rules).move("h1", "f1")

    assert with_king.press("white").moves == ["g1h1"]
    assert rook_alone.press("white").moves == ["g1h1"]


@pytest.mark.parametrize("order", [("e5", "d6", "d5"), ("d5", "e5", "d6")])
def test_en_passant_with_either_pawn_first(order: tuple[str, ...]) -> None:
    hands = Hands(moves=("e2e4", "a7a6", "e4e5", "d7d5"))
    for square in order:
        hands.show(square, "P" if square == "d6" else ".")

    assert hands.press("white").told == ["e5d6"]


PROMOTIONS = {
    "pawn off, queen on": [("e7", "."), ("e8", "Q")],
    "pawn up, then exchanged": [("e7", "."), ("e8", "P"), ("e8", "."), ("e8", "Q")],
    "queen first": [("e8", "Q"), ("e7", ".")],
    "a rook stands in for it": [("e7", "."), ("e8", "R"), ("e8", "Q")],
}


@pytest.mark.parametrize("order", PROMOTIONS.values(), ids=list(PROMOTIONS))
def test_promotion_in_any_order(order: list[tuple[str, str]]) -> None:
    hands = Hands("7k/4P3/8/8/8/8/8/K7 w - - 0 1")
    for square, piece in order:
        hands.show(square, piece)

    assert hands.press("white").moves == ["e7e8q"]


def test_pieces_adjusted_before_the_move_are_touches_and_no_moves() -> None:
    hands = Hands()
    for square in ("g1", "b1", "a2"):
        piece = hands.pieces[{"g1": 62, "b1": 57, "a2": 48}[square]]
        hands.lift(square).wait(0.5).show(square, piece)

    (made,) = hands.move("e2", "e4").press("white").of(MoveMade)

    assert [touch.square for touch in made.turn.touches] == [62, 57, 48, 52]
    assert made.turn.touches[0].returned_at_ns is not None
    assert made.turn.touches[-1].returned_at_ns is None


def test_a_flicker_of_one_scan_is_no_touch() -> None:
    hands = Hands()
    hands.facts += hands.tracker.changed(10 * SECOND, 59, ".")
    hands.facts += hands.tracker.changed(10 * SECOND + 200 * MS, 59, "Q")

    assert hands.tracker.turn.touches == ()


def test_a_reply_begun_early_belongs_to_the_replys_turn() -> None:
    """Black lifts e7 while White's piece is still in the air."""
    hands = Hands().lift("e2").lift("e7").show("e4", "P").show("e5", "p")

    (first,) = hands.of(MoveMade)
    assert [touch.square for touch in first.turn.touches] == [52]
    assert [touch.square for touch in hands.tracker.turn.early_touches] == [12]
    assert hands.press("white").press("black").moves == ["e2e4", "e7e5"]


def test_a_press_without_a_move_says_so() -> None:
    hands = Hands(moves=("e2e4",)).press("black").wait(2)

    (pressed,) = hands.empty_presses
    assert (pressed.side, pressed.ply) == (Colour.BLACK, 2)


def test_the_placement_may_arrive_a_scan_after_its_press() -> None:
    hands = Hands().lift("e2").press("white").show("e4", "P")
    shown_ns = hands.now_ns
    hands.wait(3)

    assert [(fact.move, fact.at_ns) for fact in hands.of(MoveMade)] == [("e2e4", shown_ns)]
    assert not hands.empty_presses


@pytest.mark.parametrize(
    ("white", "black", "result"),
    [("e4", "d5", "1-0"), ("d4", "e5", "0-1"), ("e4", "e5", "1/2-1/2")],
)
def test_the_kings_in_the_centre_are_a_result_after_a_while(
    white: str, black: str, result: str
) -> None:
    hands = Hands("4k3/8/8/8/8/8/8/R3K3 w - - 0 1").move("a1", "a2").press("white").wait(1)
    hands.lift("e8").lift("e1").show(black, "k").show(white, "K").wait(6)

    assert [fact.result for fact in hands.of(KingsInCentre)] == [result]
    assert hands.moves == ["a1a2"]


def test_a_king_that_walks_to_the_centre_has_moved() -> None:
    hands = Hands("8/8/8/8/8/3KP3/8/k7 w - - 0 1").move("d3", "e4").wait(10)

    assert hands.moves == ["d3e4"]
    assert not hands.of(KingsInCentre)


def test_a_kings_last_move_stays_on_the_record_when_it_goes_on_to_the_centre() -> None:
    """...Kg5 was told; the king could have gone from f6 to e5, where it makes the signal."""
    hands = Hands("8/R7/P4kpp/r7/2K3P1/6P1/8/8 b - - 1 80").move("f6", "g5").wait(10)
    hands.lift("g5").show("e5", "k").lift("c4").show("e4", "K").wait(8)

    assert [fact.result for fact in hands.of(KingsInCentre)] == ["1/2-1/2"]
    assert hands.moves == ["f6g5"]


@pytest.mark.parametrize(("followed", "told"), [(True, []), (False, ["f6e5"])])
def test_a_king_put_in_the_centre_first_by_who_has_not_the_move_waits_for_the_other(
    followed: bool, told: list[str]
) -> None:
    """White has the move when Black's king comes to e5; its own comes to e4 six seconds later."""
    hands = Hands("8/2q5/5k2/8/8/8/R5K1/8 b - - 0 82")
    hands.move("c7", "f4").press("black").wait(12).move("f6", "e5").wait(6)
    if followed:
        hands.move("g2", "e4")
    hands.wait(12)

    assert [fact.move for fact in hands.of(OutOfTurn)] == told
    assert [fact.result for fact in hands.of(KingsInCentre)] == ["1/2-1/2"][:followed]
