"""FEN and UCI for `bitboard`. Four or six fields; castling as KQkq, X-FEN or Shredder-FEN."""

from __future__ import annotations

from arbiterd.rules.bitboard import Position
from arbiterd.rules.bitboard_attacks import pawn_targets
from arbiterd.rules.bitboard_constants import CASTLING, FULL, NO_SQUARE

_LETTERS = "PNBRQK"
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


_NAMES = [file + rank for rank in "87654321" for file in "abcdefgh"]


def square_name(square: int) -> str:
    return _NAMES[square]


def square_named(name: str) -> int:
    """Raises ValueError for what is no square."""
    if len(name) != 2 or name[0] not in "abcdefgh" or name[1] not in "12345678":
        raise ValueError(f"{name!r} is no square; write one of a1 to h8")
    return "abcdefgh".index(name[0]) | "87654321".index(name[1]) << 3


def read_fen(text: str) -> Position:
    """The position as it stands; what no play can reach is read too.

    A right to castle without its king and rook, and an en-passant square no pawn can use, change
    no legal move and are left out. Raises ValueError with a sentence.
    """
    fields = text.split()
    if len(fields) not in {4, 6}:
        raise ValueError(f"a FEN has six fields, or four; this has {len(fields)}")
    pieces = _read_pieces(fields[0])
    if fields[1] not in {"w", "b"}:
        raise ValueError(f"the side to move is {fields[1]!r}; write w or b")
    for number, name in zip(fields[4:], ("half-move clock", "move number"), strict=False):
        if not (number.isascii() and number.isdigit() and len(number) < 10):
            raise ValueError(f"the {name} is {number[:20]!r}; write a number")
    white = sum(pieces[letter] for letter in _LETTERS)
    black = sum(pieces[letter.lower()] for letter in _LETTERS)
    pawns, knights, bishops, rooks, queens, kings = (
        pieces[letter] | pieces[letter.lower()] for letter in _LETTERS
    )
    white_to_move = fields[1] == "w"
    castling = _read_castling(fields[2], pieces)
    ep = NO_SQUARE
    if fields[3] != "-":
        ep = square_named(fields[3])
        own = white if white_to_move else black
        if not _ep_usable(ep, white_to_move, pawns, own, white | black):
            ep = NO_SQUARE
    return Position(
        pawns, knights, bishops, rooks, queens, kings, white, black, white_to_move, castling, ep
    )


def _read_pieces(field: str) -> dict[str, int]:
    pieces = dict.fromkeys(_LETTERS + _LETTERS.lower(), 0)
    rows = field.split("/")
    if len(rows) != 8:
        raise ValueError(f"the board field has {len(rows)} ranks; write 8")
    for number, row in enumerate(rows):
        file = 0
        for letter in row:
            if letter in "12345678":
                file += int(letter)
            elif letter in pieces:
                if file < 8:
                    pieces[letter] |= 1 << (number << 3 | file)
                file += 1
            else:
                raise ValueError(f"{letter!r} is no piece; write one of PNBRQKpnbrqk or a number")
        if file != 8:
            raise ValueError(f"the rank {row!r} has {file} squares; write 8")
    return pieces


def _read_castling(field: str, pieces: dict[str, int]) -> int:
    rights = 0
    if field == "-":
        return rights
    for letter in field:
        white = letter.isupper()
        row = 56 if white else 0
        kings = pieces["K" if white else "k"] & 0xFF << row
        rooks = pieces["R" if white else "r"] & 0xFF << row
        if letter.upper() not in "KQABCDEFGH":
            raise ValueError(f"{letter!r} is no right to castle; write of KQkq, or files, or -")
        if not kings or kings & (kings - 1):
            continue
        if letter.upper() == "K":
            rooks &= ~((kings << 1) - 1)
            rights |= 1 << rooks.bit_length() - 1 if rooks else 0
        elif letter.upper() == "Q":
            rooks &= kings - 1
            rights |= rooks & -rooks
        else:
            rights |= rooks & 1 << (row | "ABCDEFGH".index(letter.upper()))
    return rights


def _ep_usable(ep: int, white_to_move: bool, pawns: int, own: int, occupied: int) -> bool:
    """A pawn has just passed this square, and one stands ready to take it."""
    if ep >> 3 != (2 if white_to_move else 5):
        return False
    stood = ep + 8 if white_to_move else ep - 8
    came = ep - 8 if white_to_move else ep + 8
    passed = pawns & ~own & FULL
    ready = pawn_targets(ep, not white_to_move) & pawns & own
    return bool(passed >> stood & 1 and ready) and not occupied & (1 << ep | 1 << came)


def write_fen(pos: Position) -> str:
    """The first four fields. Rights to castle by KQkq where the rook is the outermost."""
    castling = _write_castling(pos)
    ep = "-" if pos.ep == NO_SQUARE else square_name(pos.ep)
    return f"{_write_pieces(pos)} {'w' if pos.white_to_move else 'b'} {castling} {ep}"


def _write_pieces(pos: Position) -> str:
    kinds = (pos.pawns, pos.knights, pos.bishops, pos.rooks, pos.queens, pos.kings)
    rows = []
    for row in range(0, 64, 8):
        text, gap = "", 0
        for square in range(row, row + 8):
            letter = next(
                (x for x, pieces in zip(_LETTERS, kinds, strict=True) if pieces >> square & 1), ""
            )
            if not letter:
                gap += 1
                continue
            text += (str(gap) if gap else "") + (
                letter if pos.white >> square & 1 else letter.lower()
            )
            gap = 0
        rows.append(text + (str(gap) if gap else ""))
    return "/".join(rows)


def _write_castling(pos: Position) -> str:
    text = ""
    for own, row, white in ((pos.white, 56, True), (pos.black, 0, False)):
        king = pos.kings & own
        rooks = pos.rooks & own & 0xFF << row
        rights = pos.castling & own
        for square in sorted(_squares(rights), reverse=True):
            bit = 1 << square
            side = "K" if bit > king else "Q"
            outer = rooks & ~((bit << 1) - 1) if bit > king else rooks & (bit - 1)
            letter = "ABCDEFGH"[square & 7] if outer else side
            text += letter if white else letter.lower()
    return text or "-"


def _squares(bits: int) -> list[int]:
    return [square for square in range(64) if bits >> square & 1]


def uci(move: int, *, chess960: bool = False) -> str:
    """The move as on the wire: `e7e8q`; castling `e1g1`, in Chess960 king takes own rook."""
    at, to, became = move & 63, move >> 6 & 63, move >> 15
    if move >> 12 & 7 == CASTLING and not chess960:
        to = at & 56 | (6 if to > at else 2)
    return _NAMES[at] + _NAMES[to] + (" nbrq"[became - 1] if became else "")
