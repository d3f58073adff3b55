"""A reader of PGN written from the standard of 1994 alone: it knows nothing of the project.

Strict where the standard is: tags, numbers, one legal move for each SAN, a result at the end.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

TAG = re.compile(r'\[(\w+) "((?:[^"\\]|\\.)*)"\]\n')
TOKEN = re.compile(r"\{[^}]*\}|\d+\.(?:\.\.)?|1-0|0-1|1/2-1/2|\*|[KQRBNa-hO][^\s{}]*|\s+")
SAN = re.compile(r"([KQRBN])?([a-h])?([1-8])?x?([a-h][1-8])(?:=([QRBN]))?[+#]?$")
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
LEAPS = {
    "N": [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)],
    "K": [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0)],
}
LINES = {"B": [(1, 1), (1, -1), (-1, 1), (-1, -1)], "R": [(1, 0), (-1, 0), (0, 1), (0, -1)]}
LINES["Q"] = LINES["B"] + LINES["R"]

Square = tuple[int, int]


class WrongError(Exception):
    """The text is no PGN, or a move in it is not legal."""


@dataclass
class Read:
    tags: dict[str, str]
    moves: list[str] = field(default_factory=list)
    """From and to, `e2e4`, with the letter of a promotion."""
    clocks: list[str | None] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    result: str = ""


def read(text: str) -> list[Read]:
    """Every game of a text. Raises WrongError."""
    found, at = [], 0
    while at < len(text):
        tags: dict[str, str] = {}
        while tag := TAG.match(text, at):
            if tag[1] in tags:
                raise WrongError(f"{tag[1]} twice")
            tags[tag[1]], at = re.sub(r"\\(.)", r"\1", tag[2]), tag.end()
        if list(tags)[:7] != ["Event", "Site", "Date", "Round", "White", "Black", "Result"]:
            raise WrongError(f"not the seven tags: {list(tags)}")
        if text[at] != "\n":
            raise WrongError("no empty line after the tags")
        game, at = _moves(Read(tags), text, at + 1)
        found.append(game)
    return found


def _moves(game: Read, text: str, at: int) -> tuple[Read, int]:
    board = Board(game.tags.get("FEN", START))
    while token := TOKEN.match(text, at):
        at, word = token.end(), token[0]
        if word.startswith("{"):
            game.comments.append(" ".join(word[1:-1].split()))
            if game.moves and "%clk" in word:
                game.clocks[-1] = word.split()[1].rstrip("]}")
        elif word in ("1-0", "0-1", "1/2-1/2", "*"):
            if word != game.tags["Result"]:
                raise WrongError(f"{word} is not the tag's {game.tags['Result']}")
            game.result = word
            if text[at : at + 2] != "\n\n":
                raise WrongError("no empty line after the game")
            return game, at + 2
        elif word[0].isdigit():
            if int(word.split(".")[0]) != board.number:
                raise WrongError(f"{word} where {board.number} was due")
        elif not word.isspace():
            game.moves.append(board.play(word))
            game.clocks.append(None)
    raise WrongError(f"cannot be read: {text[at : at + 40]!r}")


class Board:
    def __init__(self, fen: str) -> None:
        rows, turn, castling, passed, _, number = fen.split()
        self.pieces: dict[Square, str] = {}
        for y, row in enumerate(rows.split("/")):
            x = 0
            for letter in row:
                if letter.isdigit():
                    x += int(letter)
                else:
                    self.pieces[x, 7 - y] = letter
                    x += 1
        self.white, self.castling, self.number = turn == "w", set(castling), int(number)
        self.passed = None if passed == "-" else _square(passed)

    def play(self, san: str) -> str:
        if san.startswith("O-O"):
            return self._castle(san.rstrip("+#"))
        match = SAN.match(san)
        if match is None:
            raise WrongError(f"{san} is no SAN")
        letter, file, rank, target, promoted = match.groups()
        to, own = _square(target), letter or "P"
        wanted = own if self.white else own.lower()
        origins = [
            square
            for square, piece in list(self.pieces.items())
            if piece == wanted
            and (file is None or "abcdefgh"[square[0]] == file)
            and (rank is None or square[1] + 1 == int(rank))
            and self._reaches(square, to, own)
            and not self._left_in_check(square, to)
        ]
        if len(origins) != 1:
            raise WrongError(f"{san}: {len(origins)} such moves")
        if (own == "P" and to[1] in (0, 7)) != bool(promoted):
            raise WrongError(f"{san}: promotion")
        self._move(origins[0], to)
        if promoted:
            self.pieces[to] = promoted if self.white else promoted.lower()
        self._next()
        return _name(origins[0]) + target + (promoted or "").lower()

    def _castle(self, san: str) -> str:
        y, short = (0 if self.white else 7), san == "O-O"
        right = ("K" if short else "Q") if self.white else ("k" if short else "q")
        between = [5, 6] if short else [1, 2, 3]
        path = [4, 5, 6] if short else [4, 3, 2]
        if (
            right not in self.castling
            or any((x, y) in self.pieces for x in between)
            or any(self._attacked((x, y), not self.white) for x in path)
        ):
            raise WrongError(f"{san} is not legal")
        to = 6 if short else 2
        self._move((4, y), (to, y))
        self.pieces[5 if short else 3, y] = self.pieces.pop((7 if short else 0, y))
        self._next()
        return _name((4, y)) + _name((to, y))

    def _next(self) -> None:
        self.number += not self.white
        self.white = not self.white

    def _move(self, origin: Square, to: Square) -> None:
        piece = self.pieces.pop(origin)
        if piece in "Pp" and to == self.passed:
            del self.pieces[to[0], origin[1]]
        self.passed = None
        if piece in "Pp" and abs(to[1] - origin[1]) == 2:
            self.passed = (to[0], (to[1] + origin[1]) // 2)
        self.pieces[to] = piece
        gone = {(4, 0): "KQ", (4, 7): "kq", (7, 0): "K", (0, 0): "Q", (7, 7): "k", (0, 7): "q"}
        for square in (origin, to):
            self.castling -= set(gone.get(square, ""))

    def _reaches(self, origin: Square, to: Square, own: str) -> bool:
        there = self.pieces.get(to)
        if there is not None and there.isupper() == self.white:
            return False
        dx, dy = to[0] - origin[0], to[1] - origin[1]
        if own == "P":
            ahead, home = (1, 1) if self.white else (-1, 6)
            if dx == 0:
                free = there is None and (origin[0], origin[1] + ahead) not in self.pieces
                return free and (dy == ahead or (dy == 2 * ahead and origin[1] == home))
            return abs(dx) == 1 and dy == ahead and (there is not None or to == self.passed)
        return to in self._seen_from(origin, own)

    def _seen_from(self, origin: Square, own: str) -> set[Square]:
        if own in LEAPS:
            return {(origin[0] + dx, origin[1] + dy) for dx, dy in LEAPS[own]}
        seen: set[Square] = set()
        for dx, dy in LINES[own]:
            x, y = origin
            while 0 <= (x := x + dx) <= 7 and 0 <= (y := y + dy) <= 7:
                seen.add((x, y))
                if (x, y) in self.pieces:
                    break
        return seen

    def _attacked(self, square: Square, by_white: bool) -> bool:
        for origin, piece in self.pieces.items():
            if piece.isupper() != by_white:
                continue
            own = piece.upper()
            if own == "P":
                ahead = 1 if by_white else -1
                if square[1] - origin[1] == ahead and abs(square[0] - origin[0]) == 1:
                    return True
            elif square in self._seen_from(origin, own):
                return True
        return False

    def _left_in_check(self, origin: Square, to: Square) -> bool:
        pieces, passed, castling = dict(self.pieces), self.passed, set(self.castling)
        self._move(origin, to)
        king = next(
            (s for s, piece in self.pieces.items() if piece == ("K" if self.white else "k")), None
        )
        bad = king is None or self._attacked(king, not self.white)
        self.pieces, self.passed, self.castling = pieces, passed, castling
        return bad


def _square(name: str) -> Square:
    return "abcdefgh".index(name[0]), int(name[1]) - 1


def _name(square: Square) -> str:
    return "abcdefgh"[square[0]] + str(square[1] + 1)
