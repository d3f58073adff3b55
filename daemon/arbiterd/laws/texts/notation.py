"""Moves and pieces as people write them: Bb5 where the wire says f1b5, and Ab5 in Spanish.

What a legal move is called is the rule set's own word (`san`), and so is which letters of it each
language has its own for (`letters`): in shogi all write S-3h.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from msgspec import Struct

from arbiterd.rules.ruleset import CastlesOntoRook, RuleSet
from eboards.events import EMPTY, Geometry

_WRITTEN_KEPT = 64
"""One half-move is named by several rulings, in every language."""


class Notation(Struct, frozen=True, gc=False):
    """How one ruling's moves are written in one language."""

    rules: RuleSet[Any, Any]
    fen: str
    """The position they are played from."""
    letters: str
    """The language's, in the order of `RuleSet.letters`."""

    def is_move(self, text: str) -> bool:
        """A move in its wire form, legal or not."""
        return _wire(self.rules.geometry).fullmatch(text) is not None

    def is_placed(self, text: str) -> bool:
        """A piece and its square: Rb1."""
        piece, square = text[:1], text[1:]
        return piece.upper() in self.rules.letters and square in self.rules.geometry.names

    def letter(self, piece: str) -> str:
        """The letter of a piece; what the language has no letter for stays as it is."""
        at = self.rules.letters.find(piece.upper()) if piece else -1
        return piece if at < 0 else self.letters[at]

    def moves(self, wires: Iterable[str]) -> tuple[str, ...]:
        """Choices in the position, or half-moves one after the other from it on."""
        written, fen = [], self.fen
        for wire in wires:
            san, after = self._written(self.fen, wire)
            if not san and fen != self.fen:
                san, after = self._written(fen, wire)
            fen = after or fen
            written.append(self._in_letters(san or _from_to(self.rules, fen, wire)))
        return tuple(written)

    def _written(self, fen: str, wire: str) -> tuple[str, str]:
        rules: Any = self.rules
        return _written(rules, fen, wire)

    def _in_letters(self, san: str) -> str:
        return "".join(self.letter(char) if char.isupper() else char for char in san)


@lru_cache
def _wire(geometry: Geometry) -> re.Pattern[str]:
    square = f"(?:{'|'.join(geometry.names)})"
    return re.compile(f"{square}{square}[a-z+]?|[A-Z]\\*{square}")


@lru_cache(_WRITTEN_KEPT)
def _written(rules: Any, fen: str, wire: str) -> tuple[str, str]:
    """A legal move as it is written, and the position after it; else nothing."""
    position = rules.start(fen)
    for move in rules.legal_moves(position):
        if rules.wire(position, move) == wire:
            return rules.san(position, move), rules.fen(rules.play(position, move))
    return "", ""


def _from_to(rules: RuleSet[Any, Any], fen: str, wire: str) -> str:
    """What is not legal: the piece, where it came from and where it went."""
    if "*" in wire:
        return wire
    names = rules.geometry.names
    origin = next(name for name in names if wire.startswith(name))
    target = next(name for name in names if wire[len(origin) :].startswith(name))
    position, square = rules.start(fen), rules.geometry.square
    pieces = rules.placement(position)
    if isinstance(rules, CastlesOntoRook) and (castling := rules.castling_named(position, wire)):
        return castling
    piece, taken = pieces[square(origin)], pieces[square(target)]
    if piece == EMPTY:  # It has been played: the piece stands where it went.
        piece, taken = taken, EMPTY
    elif rules.owner(taken) is rules.owner(piece):
        taken = EMPTY  # Nobody captures a piece of their own side.
    pawn = rules.letters[-1:]
    letter = "" if rules.owner(piece) is None or piece.upper() == pawn else piece.upper()
    became = wire[len(origin) + len(target) :]
    became = f"={became.upper()}" if became.isalpha() else became
    return f"{letter}{origin}{'-' if taken == EMPTY else 'x'}{target}{became}"
