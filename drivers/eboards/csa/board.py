"""The pieces of a CSA game: a move names the piece as it is afterwards; here is what it was."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from eboards.events import EMPTY, SHOGI_BOARD, Piece, Square

PIECES: Final = {
    "FU": "P", "KY": "L", "KE": "N", "GI": "S", "KI": "G", "KA": "B", "HI": "R", "OU": "K",
    "TO": "+P", "NY": "+L", "NK": "+N", "NG": "+S", "UM": "+B", "RY": "+R",
}  # fmt: skip
EVEN: Final = (
    *"lnsgkgsnl", *".r.....b.", *"p" * 9, *"." * 27, *"P" * 9, *".B.....R.", *"LNSGKGSNL"
)  # fmt: skip
HAND: Final = "RBGSNLP"
_SQUARE: Final = re.compile("[1-9][1-9]")


class CsaBoard:
    """Board and hands, written to by the lines of a start and by moves."""

    def __init__(self, pieces: tuple[Piece, ...] = (EMPTY,) * len(SHOGI_BOARD)) -> None:
        self._pieces = list(pieces)
        self._hands: tuple[Counter[str], Counter[str]] = (Counter(), Counter())

    def place(self, text: str) -> None:
        """A line `PI…`, `P1…` or `P+…`. Raises KeyError or ValueError where it is none."""
        if text[1] == "I":
            self._hands, self._pieces[:] = (Counter(), Counter()), EVEN
            for at in range(2, len(text), 4):
                self._pieces[square(text[at : at + 2])] = EMPTY
        elif text[1] in tuple("123456789"):
            rank = (int(text[1]) - 1) * 9
            codes = [text[at : at + 3].strip() for at in range(2, 29, 3)]
            self._pieces[rank : rank + 9] = [
                piece(c[0], c[1:]) if len(c) == 3 else EMPTY for c in codes
            ]
        else:
            for at in range(2, len(text), 4):
                self._put(text[1], text[at : at + 2], text[at + 2 : at + 4])

    def _put(self, sign: str, where: str, code: str) -> None:
        hand = self._hands["+-".index(sign)]
        if code == "AL":
            left = Counter(m[-1].upper() for m in EVEN if m != EMPTY)
            left.subtract(m[-1].upper() for m in self._pieces if m != EMPTY)
            for other in self._hands:
                left.subtract(other)
            hand.update({kind: left[kind] for kind in HAND if left[kind] > 0})
        elif where == "00":
            hand[PIECES[code]] += 1
        else:
            self._pieces[square(where)] = piece(sign, code)

    def sfen(self, sign: str) -> str:
        """The start in the game's own text form, this side to move; empty: the even game."""
        if tuple(self._pieces) == EVEN and sign == "+" and not any(self._hands):
            return ""
        rows = []
        for rank in range(0, 81, 9):
            row = "".join(self._pieces[rank : rank + 9])
            rows.append(re.sub(r"\.+", lambda gap: str(len(gap[0])), row))
        held = "".join(
            (str(n) if (n := hand[kind]) > 1 else "") + (kind if own else kind.lower())
            for own, hand in zip((True, False), self._hands, strict=True)
            for kind in HAND
            if hand[kind]
        )
        return f"{'/'.join(rows)} {'b' if sign == '+' else 'w'} {held or '-'} 1"

    def move(self, sign: str, origin: str, target: str, code: str) -> str | None:
        """Plays `+7776FU`; what it is in USI, None where no such piece is there."""
        if code not in PIECES:
            return None
        after, to = piece(sign, code), square(target)
        if origin == "00":
            self._pieces[to] = after
            return f"{PIECES[code]}*{SHOGI_BOARD.names[to]}" if len(after) == 1 else None
        at = square(origin)
        before = self._pieces[at]
        if before not in (after, after[-1]):
            return None
        self._pieces[at], self._pieces[to] = EMPTY, after
        names = SHOGI_BOARD.names
        return names[at] + names[to] + ("+" if before != after else "")


def square(code: str) -> Square:
    """`77` is file 7, rank 7. Raises ValueError."""
    if not _SQUARE.fullmatch(code):
        raise ValueError(f"{code!r} is no square")
    file, rank = int(code[0]), int(code[1])
    return SHOGI_BOARD.square(f"{file}{'_abcdefghi'[rank]}")


def piece(sign: str, code: str) -> Piece:
    """`+FU`: sente's pawn. Raises KeyError."""
    return PIECES[code] if sign == "+" else PIECES[code].lower()
