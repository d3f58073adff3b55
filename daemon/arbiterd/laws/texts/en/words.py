"""Words that facts are written with."""

from __future__ import annotations

WORDS = {
    "decimal mark": ".",
    "letters of men": "KQRBNP",
    "outcome: result": "Proposed result: {result}.",
    "else": "If you find that he cannot, it is {otherwise}.",
    "released: none": "No move was made in the period.",
    "released: before": "A move was released before it, and not pressed: was it in time?",
    "outcome: clocks": "White {gain_white}, Black {gain_black}.",
    "white": "White",
    "black": "Black",
    "a player": "a player",
    "the opponent": "the opponent",
    "nothing": "nothing",
    "any legal move": "any legal move",
    "yes": "yes",
    "no": "no",
    "possible": "yes",
    "impossible": "no",
    "being-examined": "being examined",
    "not-proven": "not proven",
    "before-move": "before the own move",
    "after-move": "after the own move",
    "opponent's-time": "on the opponent's time",
    "end-checkmate": "mate",
    "end-stalemate": "stalemate",
    "end-dead": "dead position",
    "end-fivefold": "fivefold repetition",
    "end-seventyfive": "seventy-five moves",
    "material": "material",
    "search": "a search of all lines",
    "side to move": "side to move",
    "castling": "castling rights",
    "en passant": "en passant",
    "ply": "half-move",
    "in": "in",
    "missing-counter-illegal": "As under 7.5.2 it counts as an illegal move.",
    "missing-counter-warn": "It has no penalty here.",
    "castled after touching another": (
        "King and rook were touched after it: the Laws do not say whether 4.3.1 or 4.4.1 goes"
        " first, so the arbiter chooses."
    ),
    "as reported": "as reported",
    "an illegal move": "an illegal move",
}
