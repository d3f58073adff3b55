"""The 960 start positions by their number (Laws, Guidelines II; 518 is the ordinary array)."""

from __future__ import annotations

from itertools import combinations

KNIGHT_PLACES = tuple(combinations(range(5), 2))
"""Which of the five squares left after bishops and queen the knights take, by the last digit."""


def first_rank(number: int) -> str:
    """`RNBQKBNR` for 518. Raises ValueError outside 0 to 959."""
    if not 0 <= number <= 959:
        raise ValueError(f"there is no start position {number}; write a number from 0 to 959")
    rest, light = divmod(number, 4)
    rest, dark = divmod(rest, 4)
    knights, queen = divmod(rest, 6)
    pieces = [""] * 8
    pieces[2 * light + 1] = "B"
    pieces[2 * dark] = "B"
    _place(pieces, (queen,), "Q")
    _place(pieces, KNIGHT_PLACES[knights], "NN")
    _place(pieces, (0, 1, 2), "RKR")
    return "".join(pieces)


def _place(pieces: list[str], places: tuple[int, ...], letters: str) -> None:
    """Puts the letters on these of the squares that are still free."""
    free = [square for square, piece in enumerate(pieces) if not piece]
    for place, letter in zip(places, letters, strict=True):
        pieces[free[place]] = letter


def start_fen(number: int) -> str:
    """The position as X-FEN."""
    rank = first_rank(number)
    return f"{rank.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{rank} w KQkq - 0 1"


def number_of(rank: str) -> int | None:
    """The number of a first rank; None: it is none of the 960."""
    return next((n for n in range(960) if first_rank(n) == rank), None)
