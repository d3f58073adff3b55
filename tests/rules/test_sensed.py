"""What a board shows where its sensors do not tell the kinds of pieces."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbiterd.rules.registry import ruleset
from arbiterd.rules.sensed import as_known, may_be, signalled
from eboards.events import CHESS_BOARD, EMPTY, UNKNOWN, SensingClass

CHESS = ruleset("chess")
START = CHESS.placement(CHESS.start())
SIGNS = (EMPTY, UNKNOWN, "w", "b", "K", "k", "P", "p", "N")
CENTRE = ("d4", "d5", "e4", "e5")
CENTRE_SQUARES = [CHESS_BOARD.square(name) for name in CENTRE]
RESULTS = ("1-0", "0-1", "1/2-1/2")
SQUARES = st.integers(0, 63) | st.sampled_from(CENTRE_SQUARES)
PICTURES = st.dictionaries(SQUARES, st.sampled_from(SIGNS), max_size=40)
BLUR = {piece: "w" if piece.isupper() else "b" for piece in "KQRBNPkqrbnp"} | {EMPTY: EMPTY}


def colours(placement: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(BLUR[piece] for piece in placement)


def after(**moved: str) -> tuple[str, ...]:
    """The start array with these squares otherwise."""
    squares = {CHESS_BOARD.square(name): piece for name, piece in moved.items()}
    return tuple(squares.get(square, piece) for square, piece in enumerate(START))


@given(PICTURES, st.sampled_from(list(SensingClass)))
def test_any_picture_is_read_to_an_end(picture: dict[int, str], sensing: SensingClass) -> None:
    """What is sensed stays as it is, and a picture of anything is asked for a signal."""
    shown = tuple(picture.get(square, piece) for square, piece in enumerate(START))
    known = as_known(CHESS, START, shown, sensing)
    assert all(k == s or may_be(CHESS, k, s, sensing) for k, s in zip(known, shown, strict=True))
    assert signalled(CHESS, START, shown, sensing, set(picture)) in (None, *RESULTS)


@pytest.mark.parametrize("sensing", SensingClass)
def test_a_signal_is_made_by_two_pieces_in_the_centre(sensing: SensingClass) -> None:
    """Of all that its four squares can show while no king stands at home."""
    told = Counter[str]()
    for signs in product(SIGNS, repeat=len(CENTRE)):
        shown = after(e1=EMPTY, e8=EMPTY, **dict(zip(CENTRE, signs, strict=True)))
        signal = signalled(CHESS, START, shown, sensing, CENTRE_SQUARES)
        if signal is not None:
            told[signal] += 1
            assert sum(sign != EMPTY for sign in signs) >= 2, signs
    assert set(told) == set(RESULTS)
    assert told["1-0"] == told["0-1"], "neither side is read more readily"


def test_what_cannot_be_read_is_not_a_piece_that_is_read_elsewhere() -> None:
    """The knight of g1 reads as one on f3; on h4 lies whatever it is."""
    known = as_known(CHESS, START, after(g1=EMPTY, f3="N", h4=UNKNOWN), SensingClass.IDENTITY)
    assert known == after(g1=EMPTY, f3="N", h4=UNKNOWN)
    known = as_known(CHESS, START, after(g1=EMPTY, f3=UNKNOWN), SensingClass.IDENTITY)
    assert known == after(g1=EMPTY, f3="N")


def test_an_untouched_board_of_colours_is_the_position() -> None:
    assert as_known(CHESS, START, colours(START), SensingClass.COLOUR) == START


def test_one_piece_that_came_is_the_one_that_left_though_bishops_have_the_letter_of_black() -> None:
    """`b` is a black piece of a board of colours, and a black bishop of any other."""
    moved = after(d7=EMPTY, d5="p")
    assert as_known(CHESS, START, colours(moved), SensingClass.COLOUR) == moved


def test_a_square_may_hold_what_it_does_not_speak_against() -> None:
    assert may_be(CHESS, "P", UNKNOWN, SensingClass.IDENTITY_NOISY)
    assert not may_be(CHESS, EMPTY, UNKNOWN, SensingClass.OCCUPANCY)
    assert may_be(CHESS, "n", "b", SensingClass.COLOUR)
    assert not may_be(CHESS, "N", "b", SensingClass.COLOUR)
    assert not may_be(CHESS, "n", "b", SensingClass.IDENTITY)


def test_kings_that_left_are_those_in_the_centre() -> None:
    kings = after(e1=EMPTY, e8=EMPTY, e4="K", d5="k")
    assert signalled(CHESS, START, colours(kings), SensingClass.COLOUR) == "1-0"
    counted = tuple(UNKNOWN if piece != EMPTY else EMPTY for piece in kings)
    assert signalled(CHESS, START, counted, SensingClass.OCCUPANCY) == "1-0"


def test_more_kings_than_there_are_signal_nothing() -> None:
    misread = after(e1=EMPTY, e8=EMPTY, d4="K", e4="K", d5="k", a1=UNKNOWN)
    assert signalled(CHESS, START, misread, SensingClass.IDENTITY_NOISY) is None


def test_two_pieces_of_other_squares_are_no_kings() -> None:
    knights = after(b1=EMPTY, b8=EMPTY, e4="N", d5="n")
    assert signalled(CHESS, START, colours(knights), SensingClass.COLOUR) is None
