"""The obligation of Laws 4.3 to 4.5, by cases from arbiters' examinations and in general."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbiterd.laws.case.touching import ObligationKind, obligation
from arbiterd.rules.chess import CHESS
from arbiterd.tracking.facts import Touch
from laws.talk import OPENING, said

SECOND = 1_000_000_000


def touched(fen: str, *squares: str, unordered: int | None = None) -> tuple[Touch, ...]:
    """Pieces lifted one a second, and put back; `unordered` came within a scan of the one
    before."""
    placement = CHESS.placement(CHESS.start(fen))
    touches = []
    for number, name in enumerate(squares):
        square = CHESS.geometry.square(name)
        piece = placement[square]
        at_ns = number * SECOND
        touches.append(
            Touch(square, piece, CHESS.owner(piece), at_ns, at_ns + 1, number != unordered)
        )
    return tuple(touches)


def left(fen: str, *squares: str, unordered: int | None = None) -> tuple[ObligationKind, set[str]]:
    position = CHESS.start(fen)
    found = obligation(CHESS, position, touched(fen, *squares, unordered=unordered))
    return found.duty, {CHESS.wire(position, move) for move in found.moves}


CASTLING = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"
NO_CASTLING = "r3k2r/pppppp1p/8/8/8/6r1/PPPPPP1P/R3K2R w KQkq - 0 1"
AFTER_E4_D5 = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"


def test_the_first_touched_that_can_move_must_move() -> None:
    assert left(AFTER_E4_D5, "a1", "g1", "b1") == (ObligationKind.MOVE, {"g1f3", "g1h3", "g1e2"})


def test_of_two_lifted_within_one_scan_either_may_have_been_the_first() -> None:
    both = {"g1f3", "g1h3", "g1e2", "b1a3", "b1c3"}
    assert left(AFTER_E4_D5, "g1", "b1", unordered=1) == (ObligationKind.MOVE, both)
    assert left(AFTER_E4_D5, "g1", "b1", "f1", unordered=1) == (ObligationKind.MOVE, both)
    assert left(AFTER_E4_D5, "g1", "b1", "f1", unordered=2) == (
        ObligationKind.MOVE,
        {"g1f3", "g1h3", "g1e2"},
    )


def test_what_cannot_move_binds_nobody() -> None:
    duty, moves = left(AFTER_E4_D5, "a1", "h1")
    assert duty is ObligationKind.NONE
    assert len(moves) == len(CHESS.legal_moves(CHESS.start(AFTER_E4_D5)))


def test_the_first_touched_that_can_be_captured_must_be() -> None:
    assert left(AFTER_E4_D5, "e7", "d5") == (ObligationKind.CAPTURE, {"e4d5"})


def test_both_colours_the_one_takes_the_other() -> None:
    assert left(AFTER_E4_D5, "d5", "e4") == (ObligationKind.PAIR, {"e4d5"})
    assert left(AFTER_E4_D5, "e4", "d5") == (ObligationKind.PAIR, {"e4d5"})


def test_where_it_cannot_the_first_touched_decides() -> None:
    assert left(AFTER_E4_D5, "d5", "g1") == (ObligationKind.CAPTURE, {"e4d5"})
    assert left(AFTER_E4_D5, "g1", "d5") == (ObligationKind.MOVE, {"g1f3", "g1h3", "g1e2"})


def test_an_unclear_order_counts_for_the_own_piece() -> None:
    assert left(AFTER_E4_D5, "d5", "g1", unordered=1)[1] == {"g1f3", "g1h3", "g1e2"}


def test_a_pinned_rook_touched_after_a_knight_that_can_be_taken() -> None:
    """Published case: the rook has no legal move, so the knight is captured by whatever can."""
    fen = "4k3/8/8/8/1b6/2n5/1P1R4/4K3 w - - 0 1"
    assert left(fen, "c3", "d2") == (ObligationKind.CAPTURE, {"b2c3"})


def test_a_knight_that_may_not_take_a_pawn_another_pawn_can() -> None:
    """Published case: the knight is pinned, the pawn it took can be taken by a pawn."""
    fen = "4r1k1/8/8/3p4/2P5/4N3/8/4K3 w - - 0 1"
    assert left(fen, "e3", "d5") == (ObligationKind.CAPTURE, {"c4d5"})


def test_king_and_rook_must_castle_there() -> None:
    assert left(CASTLING, "e1", "h1") == (ObligationKind.CASTLE, {"e1g1"})
    assert left(CASTLING, "e1", "a1") == (ObligationKind.CASTLE, {"e1c1"})


def test_castling_that_is_not_legal_leaves_king_moves_the_other_castling_included() -> None:
    assert left(NO_CASTLING, "e1", "h1") == (ObligationKind.KING, {"e1d1", "e1f1", "e1c1"})


def test_the_rook_first_bars_castling_and_must_move() -> None:
    position = CHESS.start(CASTLING)
    found = obligation(CHESS, position, touched(CASTLING, "h1", "e1"))
    assert {CHESS.wire(position, move) for move in found.moves} == {"h1g1", "h1f1"}
    assert {CHESS.wire(position, move) for move in found.barred} == {"e1g1"}


def test_rook_and_king_within_one_scan_bar_nothing() -> None:
    assert left(CASTLING, "h1", "e1", unordered=1) == (ObligationKind.CASTLE, {"e1g1"})


def test_another_piece_before_the_king_leaves_both() -> None:
    duty, moves = left(CASTLING, "a2", "e1", "h1")
    assert duty is ObligationKind.CASTLE
    assert moves == {"e1g1", "a2a3", "a2a4"}


def test_a_rook_that_was_touched_before_the_king_is_not_castled_with_in_place_of_the_other() -> (
    None
):
    """4.4.2 holds under 4.4.3 too; rook or king is then for the arbiter."""
    fen = "r3k2r/pppppppp/8/8/8/2n5/PP1PP1PP/R3K2R w KQkq - 0 1"
    position = CHESS.start(fen)
    found = obligation(CHESS, position, touched(fen, "h1", "e1", "a1"))
    wires = {CHESS.wire(position, move) for move in found.moves}
    assert (found.duty, found.article) == (ObligationKind.KING, "4.4.3")
    assert wires == {"e1f1", "e1f2", "h1f1", "h1g1"}
    assert {CHESS.wire(position, move) for move in found.doubtful} == {"e1f1", "e1f2"}
    assert {CHESS.wire(position, move) for move in found.barred} == {"e1g1"}


def test_a_rook_touched_earlier_and_lifted_again_with_the_king_stays_barred() -> None:
    fen = CASTLING
    position = CHESS.start(fen)
    touches = touched(fen, "h1", "h1", "e1", unordered=2)
    found = obligation(CHESS, position, touches)
    assert {CHESS.wire(position, move) for move in found.moves} == {"h1g1", "h1f1"}
    assert {CHESS.wire(position, move) for move in found.barred} == {"e1g1"}


def test_a_pawn_that_can_be_taken_en_passant_is_touched() -> None:
    fen = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"
    assert left(fen, "d5") == (ObligationKind.CAPTURE, {"e5d6"})


def random_position(seed: int) -> tuple[str, Random]:
    dice = Random(seed)
    position = CHESS.start()
    for _ in range(dice.randrange(60)):
        moves = CHESS.legal_moves(position)
        if not moves:
            break
        position = CHESS.play(position, dice.choice(moves))
    return CHESS.fen(position), dice


@given(st.integers(0, 2**32))
def test_an_obligation_is_legal_and_empty_only_without_moves(seed: int) -> None:
    fen, dice = random_position(seed)
    position = CHESS.start(fen)
    pieces = [s for s, piece in enumerate(CHESS.placement(position)) if piece != "."]
    names = [CHESS.geometry.names[dice.choice(pieces)] for _ in range(dice.randrange(5))]

    found = obligation(CHESS, position, touched(fen, *names))

    legal = CHESS.legal_moves(position)
    assert set(found.moves) <= set(legal)
    assert bool(found.moves) == bool(legal) or found.barred


@given(st.integers(0, 2**32))
def test_hands_that_only_make_the_move_are_never_bound_to_another(seed: int) -> None:
    """Whichever order a legal move's pieces are lifted in, but rook before king."""
    fen, dice = random_position(seed)
    position = CHESS.start(fen)
    moves = CHESS.legal_moves(position)
    if not moves:
        return
    move = dice.choice(moves)
    squares = list(CHESS.touched(position, move))
    own = CHESS.owner(CHESS.placement(position)[squares[-1]]) is CHESS.turn(position)
    if not own:
        dice.shuffle(squares)
    names = [CHESS.geometry.names[square] for square in squares]

    assert move in obligation(CHESS, position, touched(fen, *names)).moves


@pytest.mark.parametrize("squares", [(), ("e4",)])
def test_no_touch_or_the_moved_piece_alone_leaves_its_moves(squares: tuple[str, ...]) -> None:
    duty, moves = left(AFTER_E4_D5, *squares)
    assert duty is (ObligationKind.MOVE if squares else ObligationKind.NONE)
    assert moves >= {"e4d5", "e4e5"}


def test_a_finger_that_is_felt_is_a_touch_without_a_lift_and_a_fact() -> None:
    heard = said(
        {"t": 1000, "touch": "g1"},
        {"t": 1300, "touch": "g1", "down": False},
        {"t": 4000, "lift": "d2"},
        {"t": 4400, "place": "d4", "piece": "P"},
        {"t": 5000, "press": "white"},
        moves=OPENING,
    )
    ruling = heard.last("touch-own-then-other")

    assert ruling["facts"]["certainty"] == "fact"
    assert ruling["facts"]["touched"][0]["square"] == "g1"
    assert set(ruling["facts"]["obligation"]) == {"g1e2", "g1f3", "g1h3"}
