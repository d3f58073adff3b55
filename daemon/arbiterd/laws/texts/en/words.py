"""Words that facts are written with."""

from __future__ import annotations

WORDS = {
    "penalty: warning": "warning",
    "penalty: add-time": "time for the opponent",
    "penalty: take-time": "time off",
    "penalty: loss-of-game": "loss of the game",
    "penalty: fine": "fine",
    "penalty: exclusion": "exclusion from the round",
    "penalty: expulsion": "expulsion",
    "K": "the king",
    "Q": "the queen",
    "R": "the rook",
    "B": "the bishop",
    "N": "the knight",
    "P": "the pawn",
    "a K": "a king",
    "a Q": "a queen",
    "a R": "a rook",
    "a B": "a bishop",
    "a N": "a knight",
    "a P": "a pawn",
    "result: replay": "the game is played again",
    "pause": "the clocks were stopped",
    "checkmate": "mate",
    "gu-mate": "mate",
    "sh-mate": "mate",
    "gu-stalemate": "stalemate",
    "gu-dead": "dead position",
    "gu-threefold": "repetition",
    "sh-sennichite": "sennichite",
    "sh-perpetual-check": "perpetual check",
    "sh-no-legal-move": "no legal move",
    "sh-500-moves": "impasse",
    "end-no-move": "no legal move",
    "end-repetition": "repetition",
    "claim-3-written-ok": "threefold repetition",
    "claim-3-onboard-ok": "threefold repetition",
    "claim-3-wrong": "threefold repetition",
    "claim-50-written-ok": "fifty moves",
    "claim-50-onboard-ok": "fifty moves",
    "claim-50-wrong": "fifty moves",
    "row: touch": "a touched piece",
    "row: illegal": "an illegal move",
    "row: displaced": "displaced pieces",
    "row: mate": "the end on the board",
    "row: end": "the end on the board",
    "row: claim": "a claim",
    "row: other": "another ruling",
    "decimal mark": ".",
    "letters of pieces": "KQRBNP",
    "outcome: result": "Proposed result: {result}.",
    "else": "If you find that they cannot, it is {otherwise}.",
    "released: none": "No move was made in the period.",
    "released: before": "A move was released before it, and not pressed: was it in time?",
    "outcome: clocks": "{gains}.",
    "clock white": "White",
    "clock black": "Black",
    "and": " and ",
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
        "King and rook were touched after it: the Laws do not say whether 4.3.1 or 4.4 goes"
        " first, so the arbiter chooses."
    ),
    "as reported": "as reported",
    "an illegal move": "an illegal move",
    "or": " or ",
    "no move": "(a press without a move)",
    "block: first-replaced": (
        "It is the first illegal move of {side}: restore the position, then a legal move"
        "[ with the touched piece: {obligation}]. {outcome}"
    ),
    "block: first-unmoved": (
        "It is the first illegal move of {side}, who is still to move[: {obligation}]. {outcome}"
    ),
    "block: first-stands": (
        "It is the first illegal move of {side}. Put {stands}: that move stands, and {opponent} is"
        " to move. {outcome}"
    ),
    "block: second-lost": (
        "It is illegal move number {count} of {side}, so the game is lost (7.5.5): {result}."
        " Can {opponent} mate: {can_mate}. {else}"
    ),
    "block: second-drawn": (
        "It is illegal move number {count} of {side}, and {opponent} cannot mate by any series of"
        " legal moves, so the game is drawn (7.5.5): {result}."
    ),
    "block: second-if-lost": (
        "It is illegal move number {count} of {side} if {hangs_on} is confirmed, and then the game"
        " is lost (7.5.5): {result}. Can {opponent} mate: {can_mate}. {else} Decide that one"
        " first; if it is dismissed, this one is told anew."
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
    "unlawful-restore": (
        "No play leads there (3.10.3): restore the position before the illegal move."
    ),
    "unlawful-leave": (
        "Whose illegal move led here was not seen, so the arbiter may do nothing, nor ask: "
        "it stands unless the players agree (A.5.2)."
    ),
    "unlawful-wait": (
        "Say nothing and watch: the next move has to be completed first. If it stands then "
        "as it does now, the game is drawn (A.5.4)."
    ),
    "unlawful-drawn": (
        "The next move was completed and nothing has changed: the game is drawn (A.5.4)."
    ),
    "unlawful-back": (
        "The pawn was not exchanged when the clock was pressed, and play has gone on: later "
        "moves are void (7.5.2)."
    ),
    "flag-if-unclaimed": (
        "An illegal move that nobody has claimed or observed does not undo a flag (A.5.2)."
    ),
    "flag-shown": "flag was shown",
    "time-over": "time was over",
    "flag-if-observed": (
        "An illegal move found while the game goes on is put right whenever it is found (7.5.1)."
    ),
    "order-by-sign": "The sign on the clock decides.",
    "order-drawn": "Guidelines III were announced and it is the last period: drawn (III.3.1).",
    "order-play-on": (
        "Guidelines III were announced and it is not the last period: play on (III.3.1)."
    ),
    "order-yours": "Guidelines III do not apply here: which flag fell first is for you to judge.",
    "swapped-before": "No move is made yet: correct it (2.3).",
    "swapped-new-game": "The game is void, and a new one is played (7.2.1).",
    "swapped-late": (
        "Both have completed ten moves: play on, and that side may not castle (A.5.1.2)."
    ),
    "then: replied": "The opponent has replied since; it is put right all the same (7.6).",
    "then: a5-replied": (
        "The reply is made, so it stands; only both players together can undo it (A.5.2)."
    ),
    "then: piece-came": (
        "{Placed} was put there {interval_ms} after the press, which is too late."
    ),
    "then: piece-perhaps": (
        "{Placed} was seen there {interval_ms} after the press: too soon for the board to tell"
        " which came first. If you saw it, it is yours to say."
    ),
}
