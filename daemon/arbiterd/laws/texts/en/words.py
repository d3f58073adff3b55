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
    "or": " or ",
    "no move": "(a press without a move)",
    "block: first-replaced": (
        "It is the first illegal move of {side}: restore the position, then a legal move with the"
        " touched piece: {obligation}. {outcome}"
    ),
    "block: first-unmoved": (
        "It is the first illegal move of {side}, who is still to move: {obligation}. {outcome}"
    ),
    "block: first-stands": (
        "It is the first illegal move of {side}. Put {stands}: that move stands, and {opponent} is"
        " to move. {outcome}"
    ),
    "block: second-lost": (
        "It is illegal move number {count} of {side}, so the game is lost (7.5.5): {result}."
        " Can {opponent} mate: {can_mate}."
    ),
    "block: second-drawn": (
        "It is illegal move number {count} of {side}, and {opponent} cannot mate by any series of"
        " legal moves, so the game is drawn (7.5.5): {result}."
    ),
    "block: second-if-lost": (
        "It is illegal move number {count} of {side} if {hangs_on} is confirmed, and then the game"
        " is lost (7.5.5): {result}. Can {opponent} mate: {can_mate}. Decide that one first; if it"
        " is dismissed, this one is told anew."
    ),
    "block: second-if-drawn": (
        "It is illegal move number {count} of {side} if {hangs_on} is confirmed, and then the game"
        " is drawn, for {opponent} cannot mate by any series of legal moves (7.5.5): {result}."
        " Decide that one first; if it is dismissed, this one is told anew."
    ),
    "verdict: first-replaced": "",
    "verdict: first-unmoved": "",
    "verdict: first-stands": "",
    "verdict: second-lost": "; illegal move number {count}, lost: {result}",
    "verdict: second-drawn": "; illegal move number {count}, drawn: {result}",
    "verdict: second-if-lost": "; the second, if {hangs_on} is confirmed: lost ({result})",
    "verdict: second-if-drawn": "; the second, if {hangs_on} is confirmed: drawn ({result})",
    "then: right-lost": (
        "{opponent} has touched {touched_square} since, {after_ms} after it was told, and can claim"
        " it no more; an arbiter who saw it in time still acts (4.8)."
    ),
}
