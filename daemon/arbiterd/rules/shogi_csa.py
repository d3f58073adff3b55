"""Shogi records in the CSA form (V2.2 of 2008, read also with the encoding line of V3.0).

'CSA encoding=UTF-8     what V3.0 readers ask for, and a comment to those of V2.2
V2.2                    version
N+ N-                   names, sente and gote
P1-KY-KE ... P9         the board, rank by rank, file 9 first; P+00FU hands
+                       who moves first
+7776FU                 a move: from, to, the piece after it; 00 is the hand
T12                     seconds it took
%TORYO                  the end
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from arbiterd.rules.shogi_moves import ShogiMove, legal_moves, play
from arbiterd.rules.shogi_position import (
    HAND,
    NOTHING,
    PROMOTED,
    START_SFEN,
    UNPROMOTED,
    ShogiPosition,
    hand_with,
    read_sfen,
)

KINDS = {
    "P": "FU", "L": "KY", "N": "KE", "S": "GI", "G": "KI", "B": "KA", "R": "HI", "K": "OU",
    "T": "TO", "M": "NY", "J": "NK", "Z": "NG", "H": "UM", "D": "RY",
}  # fmt: skip
_LETTERS = {code: letter for letter, code in KINDS.items()}
ENCODING = "'CSA encoding=UTF-8"
"""First of all lines: a text without it is taken for Shift-JIS."""
SET = tuple(read_sfen(START_SFEN).board.upper().count(kind) for kind in HAND)
"""How many of each kind that can be in hand there are."""

ENDS = frozenset(
    "TORYO CHUDAN SENNICHITE TIME_UP ILLEGAL_MOVE +ILLEGAL_ACTION -ILLEGAL_ACTION JISHOGI KACHI"
    " HIKIWAKE MATTA TSUMI ERROR".split()
)


OF_REASON: Mapping[str, str] = {
    "resign": "TORYO",
    "checkmate": "TSUMI",
    "flag": "TIME_UP",
    "sennichite": "SENNICHITE",
    "impasse": "JISHOGI",
    "jishogi": "JISHOGI",
    "nyugyoku": "KACHI",
    "illegal": "ILLEGAL_MOVE",
    "perpetual": "ILLEGAL_MOVE",
    "agree": "HIKIWAKE",
}
"""By a word of the reason a game ended for, the word of CSA."""
_OF_THE_LOSER = ("TORYO", "TSUMI", "TIME_UP", "ILLEGAL_MOVE")
"""They say that the side to move has lost."""
_UNDECIDED = ("SENNICHITE", "JISHOGI", "HIKIWAKE")


def end_of(reason: str, result: str, black_to_move: bool) -> str:
    """The end's word; empty where none says this result, or the game goes on.

    A foul of the side that has not the move has a word with its sign, other losses have none. A
    declaration is won by its maker, who has the move, or comes to no decision; lost it has none.
    """
    loses, wins = ("1-0", "0-1") if black_to_move else ("0-1", "1-0")
    if reason == "time":
        end = "TIME_UP"
    elif reason == "declaration":
        end = {wins: "KACHI", "replay": "JISHOGI"}.get(result, "")
    else:
        end = next((end for word, end in OF_REASON.items() if word in reason), "")
    if end == "ILLEGAL_MOVE" and result == wins:
        return f"{'-' if black_to_move else '+'}ILLEGAL_ACTION"
    told = {loses: _OF_THE_LOSER, wins: ("KACHI",)}.get(result, _UNDECIDED)
    return end if end in told else ""


class RecordError(ValueError):
    """A line that is none; the message names it and the mend."""


@dataclass(frozen=True, slots=True)
class ShogiGame:
    """A game as records hold it. Moves as squares, times in seconds where they are known."""

    start: ShogiPosition
    moves: tuple[ShogiMove, ...] = ()
    seconds: tuple[int | None, ...] = ()
    black: str = ""
    white: str = ""
    end: str = ""
    """A CSA word without its percent sign; empty: the game goes on."""


def square_code(square: int) -> str:
    """`77`: file, then rank as a digit."""
    return f"{9 - square % 9}{square // 9 + 1}"


def read_square(code: str) -> int:
    """-1 for the hand. Raises ValueError."""
    if code == "00":
        return -1
    file, rank = int(code[0]), int(code[1])
    if not (1 <= file <= 9 and 1 <= rank <= 9):
        raise ValueError(code)
    return (rank - 1) * 9 + 9 - file


def move_code(position: ShogiPosition, move: ShogiMove) -> str:
    """`+7776FU`."""
    sign = "+" if position.black else "-"
    if move.drop:
        return f"{sign}00{square_code(move.target)}{KINDS[move.drop]}"
    piece = position.board[move.origin]
    after = (PROMOTED[piece] if move.promotes else piece).upper()
    return f"{sign}{square_code(move.origin)}{square_code(move.target)}{KINDS[after]}"


def read_move(position: ShogiPosition, code: str) -> ShogiMove:
    """The legal move this names. Raises RecordError."""
    for move in legal_moves(position):
        if move_code(position, move) == code:
            return move
    raise RecordError(f"{code} is no legal move there; the game is read up to it")


def write_csa(game: ShogiGame) -> str:
    """The whole record, lines ended by LF, for a file in UTF-8."""
    lines = [ENCODING, "V2.2"]
    lines += [f"N+{game.black}"] * bool(game.black) + [f"N-{game.white}"] * bool(game.white)
    lines += _board_lines(game.start)
    lines.append("+" if game.start.black else "-")
    position = game.start
    seconds = (*game.seconds, *[None] * (len(game.moves) - len(game.seconds)))
    for move, spent in zip(game.moves, seconds, strict=True):
        lines.append(move_code(position, move))
        if spent is not None:
            lines.append(f"T{spent}")
        position = play(position, move)
    if game.end:
        lines.append(f"%{game.end}")
    return "\n".join(lines) + "\n"


def _board_lines(position: ShogiPosition) -> list[str]:
    lines = []
    for rank in range(9):
        pieces = position.board[rank * 9 : rank * 9 + 9]
        lines.append(f"P{rank + 1}" + "".join(_piece_code(piece) for piece in pieces))
    for sign, hand in zip("+-", position.hands, strict=True):
        held = "".join(f"00{KINDS[kind]}" * count for kind, count in zip(HAND, hand, strict=True))
        if held:
            lines.append(f"P{sign}{held}")
    return lines


def _piece_code(piece: str) -> str:
    return " * " if piece == "." else ("+" if piece.isupper() else "-") + KINDS[piece.upper()]


def read_csa(text: str) -> ShogiGame:
    """One game. Raises RecordError with the number of the line at fault."""
    reading = _Reading()
    for number, whole in enumerate(text.splitlines(), 1):
        for line in [whole] if whole.startswith(("N", "$", "'")) else whole.split(","):
            try:
                reading.line(line.rstrip())
            except (ValueError, KeyError, IndexError) as wrong:
                why = wrong if isinstance(wrong, RecordError) else f"{line!r} cannot be read"
                raise RecordError(f"line {number}: {why}; mend or remove it") from None
    return reading.game()


class _Reading:
    """What the lines so far say."""

    def __init__(self) -> None:
        self._pieces: list[str] | None = None
        self._hands = [NOTHING, NOTHING]
        self._names = {"+": "", "-": ""}
        self._start: ShogiPosition | None = None
        self._position: ShogiPosition | None = None
        self._moves: list[ShogiMove] = []
        self._seconds: list[int | None] = []
        self._end = ""

    def line(self, line: str) -> None:
        if not line or line[0] in "V'$":
            return
        if line[:2] in ("N+", "N-"):
            self._names[line[1]] = line[2:]
        elif line[0] == "P":
            self._placed(line)
        elif line in ("+", "-"):
            self._begin(line == "+")
        elif line[0] in "+-":
            self._move(line)
        elif line[0] == "T":
            took = int(line[1:].split(".")[0])
            if not self._end:  # What the end took is no move's time.
                self._seconds[-1] = took
        elif line[0] == "%" and line[1:] in ENDS:
            self._end = line[1:]
        else:
            raise RecordError(f"{line!r} is nothing a CSA record has")

    def _placed(self, line: str) -> None:
        if line.startswith("PI"):
            self._pieces = list(read_sfen(START_SFEN).board)
            for code in (line[at : at + 4] for at in range(2, len(line), 4)):
                self._pieces[read_square(code[:2])] = "."
            return
        self._pieces = self._pieces or ["."] * 81
        if line[1].isdecimal():
            rank = int(line[1]) - 1
            for file in range(9):
                code = line[2 + file * 3 : 5 + file * 3]
                self._pieces[rank * 9 + file] = "." if code.strip() == "*" else _piece(code)
            return
        for code in (line[at : at + 4] for at in range(2, len(line), 4)):
            self._put(line[1], code)

    def _put(self, sign: str, code: str) -> None:
        assert self._pieces is not None, "the board comes first"
        if code == "00AL":
            self._put_all_left("+-".index(sign))
            return
        at, letter = read_square(code[:2]), _LETTERS[code[2:]]
        if at >= 0:
            self._pieces[at] = letter if sign == "+" else letter.lower()
        else:
            side = "+-".index(sign)
            self._hands[side] = hand_with(self._hands[side], letter, 1)

    def _put_all_left(self, side: int) -> None:
        """Every piece that is nowhere else is in this hand."""
        assert self._pieces is not None, "the board comes first"
        used = [UNPROMOTED.get(piece, piece).upper() for piece in self._pieces]
        for kind, whole in zip(HAND, SET, strict=True):
            held = sum(hand[HAND.index(kind)] for hand in self._hands)
            self._hands[side] = hand_with(
                self._hands[side], kind, max(0, whole - used.count(kind) - held)
            )

    def _begin(self, black: bool) -> None:
        board = "".join(self._pieces) if self._pieces else read_sfen(START_SFEN).board
        self._start = ShogiPosition(board, black, (self._hands[0], self._hands[1]), 1)
        self._position = self._start

    def _move(self, code: str) -> None:
        if self._position is None:
            self._begin(black=True)
        assert self._position is not None, "a game has begun"
        move = read_move(self._position, code)
        self._moves.append(move)
        self._seconds.append(None)
        self._position = play(self._position, move)

    def game(self) -> ShogiGame:
        if self._start is None:
            self._begin(black=True)
        assert self._start is not None, "a game has begun"
        return ShogiGame(
            self._start,
            tuple(self._moves),
            tuple(self._seconds),
            self._names["+"],
            self._names["-"],
            self._end,
        )


def _piece(code: str) -> str:
    letter = _LETTERS[code[1:]]
    return letter if code[0] == "+" else letter.lower()
