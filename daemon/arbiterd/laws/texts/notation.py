"""Moves and men as people write them: Bb5 where the wire says f1b5, and Ab5 in Spanish.

Only chess is written so; moves of other games stay in their wire form.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from arbiterd.rules.registry import ruleset
from arbiterd.rules.ruleset import RuleSet
from eboards.events import EMPTY

LETTERS: Final = "KQRBNP"
"""Men in the order in which a language gives its letters for them."""
_MOVE = re.compile(r"[a-h][1-8][a-h][1-8][qrbn]?")
_WRITTEN_KEPT = 64
"""One half-move is named by several rulings, in every language."""


@dataclass(frozen=True, slots=True)
class Notation:
    """How one ruling's moves are written in one language."""

    rules: RuleSet[Any, Any]
    fen: str
    """The position they are played from."""
    letters: str

    def is_move(self, text: str) -> bool:
        return self.rules.name.startswith("chess") and _MOVE.fullmatch(text) is not None

    def man(self, piece: str) -> str:
        """The letter of a man; what is no chess man stays as it is."""
        at = LETTERS.find(piece.upper())
        return piece if at < 0 or not self.rules.name.startswith("chess") else self.letters[at]

    def moves(self, wires: Iterable[str]) -> tuple[str, ...]:
        """Choices in the position, or half-moves one after the other from it on."""
        written, fen = [], self.fen
        for wire in wires:
            san, after = _written(self.rules.name, self.fen, wire)
            if not san and fen != self.fen:
                san, after = _written(self.rules.name, fen, wire)
            fen = after or fen
            written.append(self._in_letters(san or _from_to(self.rules, fen, wire)))
        return tuple(written)

    def _in_letters(self, san: str) -> str:
        return "".join(self.man(char) if char.isupper() and char != "O" else char for char in san)


@lru_cache(_WRITTEN_KEPT)
def _written(game: str, fen: str, wire: str) -> tuple[str, str]:
    """A legal move as it is written, and the position after it; else nothing."""
    rules = ruleset(game)
    position = rules.start(fen)
    for move in rules.legal_moves(position):
        if rules.wire(position, move) == wire:
            return rules.san(position, move), rules.fen(rules.play(position, move))
    return "", ""


def _from_to(rules: RuleSet[Any, Any], fen: str, wire: str) -> str:
    """What is not legal: the man, where it came from and where it went."""
    men, square = rules.placement(rules.start(fen)), rules.geometry.square
    piece, taken = men[square(wire[:2])], men[square(wire[2:4])]
    if piece == EMPTY:  # It has been played: the man stands where it went.
        piece, taken = taken, EMPTY
    man = "" if piece == EMPTY or piece.upper() == "P" else piece.upper()
    became = f"={wire[4:].upper()}" if wire[4:] else ""
    return f"{man}{wire[:2]}{'-' if taken == EMPTY else 'x'}{wire[2:4]}{became}"
