"""CSA lines, one game after another. We listen; nothing is ever sent.

    < PI  P1-KY-KE …  P+00KI  P-00AL     the board, hands, all that is left; unsaid: the even game
    < +   -                              who moves first: a game begins
    < +7776FU   -3334FU,T6               side, from, to (00: the hand), the man after it, seconds
    < T12                                seconds by themselves
    < %TORYO   #RESIGN   #SENNICHITE     an end, in the record's or the server's words
    < V2.2  'note  $EVENT:  N+name  BEGIN Game_Summary  To_Move:+  START:id
    < ##[MONITOR2][id] +7776FU           what a server puts before each line of a watched game

A move names the man after it, so the men are kept to tell whether he was turned over. Whether a
move is legal is not asked here. Sources: firmware_notes/csa-usi.md
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from eboards.codec import Command, Standing
from eboards.events import (
    EMPTY,
    SHOGI_BOARD,
    DeviceEvent,
    Fault,
    LineReported,
    Noise,
    Piece,
    Sensing,
    SensingClass,
    Square,
)
from eboards.lines import Lines

SECOND: Final = 1_000_000_000
LINE_MAX: Final = 1024
SENSING: Final = Sensing(SensingClass.MOVES, SECOND, SHOGI_BOARD)

MEN: Final = {
    "FU": "P", "KY": "L", "KE": "N", "GI": "S", "KI": "G", "KA": "B", "HI": "R", "OU": "K",
    "TO": "+P", "NY": "+L", "NK": "+N", "NG": "+S", "UM": "+B", "RY": "+R",
}  # fmt: skip
EVEN: Final = (
    *"lnsgkgsnl", *".r.....b.", *"p" * 9, *"." * 27, *"P" * 9, *".B.....R.", *"LNSGKGSNL"
)  # fmt: skip
HAND: Final = "RBGSNLP"
_WATCHED: Final = re.compile(r"##\[[^]]*\](\[[^]]*\])?\s*")
_MOVE: Final = re.compile(r"([+-])(00|[1-9]{2})([1-9]{2})([A-Z]{2})(?:,T[\d.]+)?")
_QUIET: Final = re.compile(r"$|[V'$N].*|(BEGIN|END) .*|T[\d.]+|[A-Za-z_]+[+-]?:.*")


class CsaCodec:
    """One feed on one socket. It may be silent for an hour: silence means nothing."""

    driver = "csa"
    standing = Standing.WRITTEN
    sensing = SENSING

    def __init__(self) -> None:
        self._lines = Lines(LINE_MAX)
        self._board: list[Piece] | None = None
        self._hands: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
        self._start: str | None = None
        """How the game began; None: none has, empty: as an even game does."""
        self._games = 0
        self._moves: tuple[str, ...] = ()

    def receive(self, data: bytes, at_ns: int) -> list[DeviceEvent]:
        return self._lines.feed(data, at_ns, self._heard)

    def _heard(self, line: bytes, at_ns: int) -> list[DeviceEvent]:
        text = _WATCHED.sub("", line.decode("utf-8", "replace")).strip()
        if move := _MOVE.fullmatch(text):
            return self._moved(move, line, at_ns)
        if text in ("+", "-"):
            return self._begun(text, at_ns)
        if text[:1] == "P" and text[1:2] in tuple("I123456789+-"):
            return self._placed(text, line, at_ns)
        if text[:1] in ("%", "#") or _QUIET.fullmatch(text):
            return []
        return [Fault(at_ns, Noise.UNKNOWN_MESSAGE, line)]

    # The start.

    def _placed(self, text: str, line: bytes, at_ns: int) -> list[DeviceEvent]:
        if self._start is not None or self._board is None:
            self._forget()
            self._board = [EMPTY] * len(SHOGI_BOARD)
        try:
            self._place(self._board or [], text)
        except (KeyError, ValueError):
            return [Fault(at_ns, Noise.RANGE, line)]
        return []

    def _forget(self) -> None:
        self._board, self._start = None, None
        self._hands = (Counter(), Counter())

    def _place(self, board: list[Piece], text: str) -> None:
        """Raises KeyError or ValueError where it is no line of a board."""
        if text[1] == "I":
            self._hands, board[:] = (Counter(), Counter()), EVEN
            for at in range(2, len(text), 4):
                board[square(text[at : at + 2])] = EMPTY
        elif text[1].isdecimal():
            rank = (int(text[1]) - 1) * 9
            codes = [text[at : at + 3].strip() for at in range(2, 29, 3)]
            board[rank : rank + 9] = [man(c[0], c[1:]) if len(c) == 3 else EMPTY for c in codes]
        else:
            for at in range(2, len(text), 4):
                self._put(board, text[1], text[at : at + 2], text[at + 2 : at + 4])

    def _put(self, board: list[Piece], sign: str, where: str, code: str) -> None:
        hand = self._hands["+-".index(sign)]
        if code == "AL":
            left = Counter(m[-1].upper() for m in EVEN if m != EMPTY)
            left.subtract(m[-1].upper() for m in board if m != EMPTY)
            for other in self._hands:
                left.subtract(other)
            hand.update({kind: left[kind] for kind in HAND if left[kind] > 0})
        elif where == "00":
            hand[MEN[code]] += 1
        else:
            board[square(where)] = man(sign, code)

    def _begun(self, sign: str, at_ns: int) -> list[DeviceEvent]:
        if self._board is None or self._start is not None:
            self._forget()
            self._board = list(EVEN)
        even = tuple(self._board) == EVEN and sign == "+" and not any(self._hands)
        self._start = "" if even else self._sfen(sign)
        self._moves = ()
        self._games += 1
        # The first of a session may be one that is followed already.
        return [LineReported(at_ns, self._start, ())] if self._games > 1 else []

    def _sfen(self, sign: str) -> str:
        rows = []
        for rank in range(0, 81, 9):
            row = "".join(self._board[rank : rank + 9]) if self._board else ""
            rows.append(re.sub(r"\.+", lambda gap: str(len(gap[0])), row))
        held = "".join(
            (str(n) if (n := hand[kind]) > 1 else "") + (kind if own else kind.lower())
            for own, hand in zip((True, False), self._hands, strict=True)
            for kind in HAND
            if hand[kind]
        )
        return f"{'/'.join(rows)} {'b' if sign == '+' else 'w'} {held or '-'} 1"

    # Moves.

    def _moved(self, said: re.Match[str], line: bytes, at_ns: int) -> list[DeviceEvent]:
        if self._board is None and self._games:
            return []  # Said already: this game cannot be followed.
        if self._start is None:
            self._begun("+", at_ns)
        text = self._move(*said.group(1, 2, 3, 4))
        if text is None:
            self._forget()
            note = "a move of a man who is not there; the feed is followed from its next game"
            return [Fault(at_ns, Noise.RANGE, line, note)]
        self._moves = (*self._moves, text)
        return [LineReported(at_ns, self._start or "", self._moves)]

    def _move(self, sign: str, origin: str, target: str, code: str) -> str | None:
        """In USI; None where no such man is there."""
        assert self._board is not None, "a game has begun"
        if code not in MEN:
            return None
        after, to = man(sign, code), square(target)
        if origin == "00":
            self._board[to] = after
            return f"{MEN[code]}*{SHOGI_BOARD.names[to]}" if len(after) == 1 else None
        at = square(origin)
        before = self._board[at]
        if before not in (after, after[-1]):
            return None
        self._board[at], self._board[to] = EMPTY, after
        names = SHOGI_BOARD.names
        return names[at] + names[to] + ("+" if before != after else "")

    # Out.

    def send(self, _command: Command, _at_ns: int) -> bytes:
        """It is only listened to."""
        return b""

    @property
    def due_at_ns(self) -> int | None:
        return None

    def due(self, _at_ns: int) -> tuple[bytes, list[DeviceEvent]]:
        return b"", []


def square(code: str) -> Square:
    """`77` is file 7, rank 7. Raises ValueError."""
    file, rank = int(code[0]), int(code[1])
    return SHOGI_BOARD.square(f"{file}{'_abcdefghi'[rank]}")


def man(sign: str, code: str) -> Piece:
    """`+FU`: sente's pawn. Raises KeyError."""
    return MEN[code] if sign == "+" else MEN[code].lower()
