"""A shogi position as a value, and its SFEN.

The board is one string of 81 letters in reading order (9a first), capitals for sente (black).
Promoted pieces have a letter of their own inside; outside they are written with a plus:

    T tokin +P    M promoted lance +L    J promoted knight +N    Z promoted silver +S
    H horse +B    D dragon +R
"""

from __future__ import annotations

from typing import NamedTuple

from arbiterd.rules.ruleset import (
    COUNTER_DIGITS,
    board_field,
    counter_field,
    read_board_field,
    read_counter,
)
from eboards.events import SHOGI_BOARD, Placement

HAND = "RBGSNLP"
"""The kinds a hand holds, in the order SFEN writes them."""

PiecesInHand = tuple[int, int, int, int, int, int, int]
NOTHING: PiecesInHand = (0, 0, 0, 0, 0, 0, 0)

PROMOTED = {"P": "T", "L": "M", "N": "J", "S": "Z", "B": "H", "R": "D"}
PROMOTED |= {kind.lower(): better.lower() for kind, better in PROMOTED.items()}
UNPROMOTED = {better: kind for kind, better in PROMOTED.items()}

START_SFEN = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"

HANDICAPS = {
    "平手": START_SFEN,
    "香落ち": "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "角落ち": "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "飛車落ち": "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "飛香落ち": "lnsgkgsn1/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "二枚落ち": "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "四枚落ち": "1nsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "六枚落ち": "2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "八枚落ち": "3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "十枚落ち": "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
}
"""By their names; what is left out is left out on gote's side, who then moves first."""


class ShogiPosition(NamedTuple):
    """Never changed in place."""

    board: str
    black: bool
    """True where sente has the move."""
    hands: tuple[PiecesInHand, PiecesInHand]
    """Sente's, gote's; counts in the order of `HAND`."""
    number: int
    """Of the half-move about to be made, as SFEN counts."""


def hand_with(hand: PiecesInHand, kind: str, change: int) -> PiecesInHand:
    """The hand with one piece of this kind (a capital) more or fewer."""
    at = HAND.index(kind)
    counts = list(hand)
    counts[at] += change
    assert counts[at] >= 0, "a piece that is not there cannot leave"
    return tuple(counts)  # type: ignore[return-value]


def shown(board: str) -> Placement:
    """The pieces as sensors would show them, promoted faces with a plus."""
    return tuple("+" + UNPROMOTED[piece] if piece in UNPROMOTED else piece for piece in board)


def inner(placement: Placement) -> str:
    """The board string of pieces that are all known; a piece that is not becomes `?`."""
    return "".join(
        PROMOTED.get(piece[1:], "?") if piece[0] == "+" else piece if piece in _PIECES else "?"
        for piece in placement
    )


_PIECES = frozenset(".KRBGSNLPkrbgsnlp")


def write_hand(hand: PiecesInHand) -> str:
    """`2P`, `R10P`; empty for nothing. Capitals."""
    return "".join(
        (counter_field(count) if count > 1 else "") + kind
        for kind, count in zip(HAND, hand, strict=True)
        if count
    )


def read_hand(text: str) -> PiecesInHand:
    """From capitals with counts before them. Raises ValueError with a sentence."""
    hand, count = NOTHING, ""
    for letter in text:
        if letter.isdecimal():
            count += letter
            continue
        if letter not in HAND:
            raise ValueError(f"the hand {text!r} has {letter!r}; write {' '.join(HAND)}")
        pieces = read_counter(count or "1")
        if pieces is None:
            raise ValueError(f"the hand {text!r} has {count!r} of one piece; write a whole number")
        hand, count = hand_with(hand, letter, pieces), ""
    if count:
        raise ValueError(f"the hand {text!r} ends in a number; write the piece after its count")
    return hand


def write_sfen(position: ShogiPosition) -> str:
    """Board, side, hands, number."""
    black, white = position.hands
    hands = write_hand(black) + write_hand(white).lower()
    return (
        f"{board_field(SHOGI_BOARD, shown(position.board))} {'b' if position.black else 'w'}"
        f" {hands or '-'} {counter_field(position.number)}"
    )


def read_sfen(text: str) -> ShogiPosition:
    """Three or four fields, taken as they stand. Raises ValueError with a sentence."""
    fields = text.split()
    if fields and fields[0] == "sfen":
        fields = fields[1:]
    if len(fields) not in (3, 4):
        raise ValueError(f"the SFEN {text!r} has {len(fields)} fields; write three or four")
    board = inner(read_board_field(SHOGI_BOARD, fields[0]))
    if "?" in board:
        raise ValueError(f"the SFEN {text!r} has a piece that does not exist on its board")
    if fields[1] not in ("b", "w"):
        raise ValueError(f"the SFEN {text!r} has {fields[1]!r} to move; write b or w")
    number = fields[3] if len(fields) == 4 else "1"
    begun = read_counter(number)
    if begun is None:
        raise ValueError(
            f"the SFEN {text!r} has the number {number!r};"
            f" write a whole number of at most {COUNTER_DIGITS} digits"
        )
    return ShogiPosition(board, fields[1] == "b", read_hands(fields[2]), max(1, begun))


def read_hands(text: str) -> tuple[PiecesInHand, PiecesInHand]:
    """Both hands from one text, capitals Black's; `-` for nothing. Raises ValueError."""
    black, white, count = "", "", ""
    text = "" if text == "-" else text
    for letter in text:
        if letter.isdecimal():
            count += letter
        elif letter.isupper():
            black, count = black + count + letter, ""
        else:
            white, count = white + count + letter, ""
    return read_hand(black), read_hand((white + count).upper())
