"""The men of a CSA game: a move names the man after it, so they are kept to tell what he was."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from eboards.events import EMPTY, SHOGI_BOARD, Piece, Square

MEN: Final = {
    "FU": "P", "KY": "L", "KE": "N", "GI": "S", "KI": "G", "KA": "B", "HI": "R", "OU": "K",
    "TO": "+P", "NY": "+L", "NK": "+N", "NG": "+S", "UM": "+B", "RY": "+R",
}  # fmt: skip
EVEN: Final = (
    *"lnsgkgsnl", *".r.....b.", *"p" * 9, *"." * 27, *"P" * 9, *".B.....R.", *"LNSGKGSNL"
)  # fmt: skip
HAND: Final = "RBGSNLP"


class CsaBoard:
    """Board and hands, written to by the lines of a start and by moves."""

    def __init__(self, men: tuple[Piece, ...] = (EMPTY,) * len(SHOGI_BOARD)) -> None:
        self._men = list(men)
        self._hands: tuple[Counter[str], Counter[str]] = (Counter(), Counter())

    def place(self, text: str) -> None:
        """A line `PI…`, `P1…` or `P+…`. Raises KeyError or ValueError where it is none."""
        if text[1] == "I":
            self._hands, self._men[:] = (Counter(), Counter()), EVEN
            for at in range(2, len(text), 4):
                self._men[square(text[at : at + 2])] = EMPTY
        elif text[1].isdecimal():
            rank = (int(text[1]) - 1) * 9
            codes = [text[at : at + 3].strip() for at in range(2, 29, 3)]
            self._men[rank : rank + 9] = [man(c[0], c[1:]) if len(c) == 3 else EMPTY for c in codes]
        else:
            for at in range(2, len(text), 4):
                self._put(text[1], text[at : at + 2], text[at + 2 : at + 4])

    def _put(self, sign: str, where: str, code: str) -> None:
        hand = self._hands["+-".index(sign)]
        if code == "AL":
            left = Counter(m[-1].upper() for m in EVEN if m != EMPTY)
            left.subtract(m[-1].upper() for m in self._men if m != EMPTY)
            for other in self._hands:
                left.subtract(other)
            hand.update({kind: left[kind] for kind in HAND if left[kind] > 0})
        elif where == "00":
            hand[MEN[code]] += 1
        else:
            self._men[square(where)] = man(sign, code)

    def sfen(self, sign: str) -> str:
        """The start in the game's own text form, this side to move; empty: the even game."""
        if tuple(self._men) == EVEN and sign == "+" and not any(self._hands):
            return ""
        rows = []
        for rank in range(0, 81, 9):
            row = "".join(self._men[rank : rank + 9])
            rows.append(re.sub(r"\.+", lambda gap: str(len(gap[0])), row))
        held = "".join(
            (str(n) if (n := hand[kind]) > 1 else "") + (kind if own else kind.lower())
            for own, hand in zip((True, False), self._hands, strict=True)
            for kind in HAND
            if hand[kind]
        )
        return f"{'/'.join(rows)} {'b' if sign == '+' else 'w'} {held or '-'} 1"

    def move(self, sign: str, origin: str, target: str, code: str) -> str | None:
        """Plays `+7776FU`; what it is in USI, None where no such man is there."""
        if code not in MEN:
            return None
        after, to = man(sign, code), square(target)
        if origin == "00":
            self._men[to] = after
            return f"{MEN[code]}*{SHOGI_BOARD.names[to]}" if len(after) == 1 else None
        at = square(origin)
        before = self._men[at]
        if before not in (after, after[-1]):
            return None
        self._men[at], self._men[to] = EMPTY, after
        names = SHOGI_BOARD.names
        return names[at] + names[to] + ("+" if before != after else "")


def square(code: str) -> Square:
    """`77` is file 7, rank 7. Raises ValueError."""
    file, rank = int(code[0]), int(code[1])
    return SHOGI_BOARD.square(f"{file}{'_abcdefghi'[rank]}")


def man(sign: str, code: str) -> Piece:
    """`+FU`: sente's pawn. Raises KeyError."""
    return MEN[code] if sign == "+" else MEN[code].lower()
