"""Texts of catalogue section 2: touching."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {
    "touch-own-then-other": (
        "{move} {side} touched {touched} and played {played}",
        (
            "Touched in this order: {touched}. Played: {played}. The first piece touched that "
            "can move must move (4.3.1): {obligation}. Was adjusting announced before? Was the "
            "touch clearly accidental?[ {unsettled}]"
        ),
    ),
    "touch-own-no-legal-move": (
        "{move} {side} touched {piece} on {square}, which has no legal move",
        "The piece touched has no legal move, so it binds nobody (4.5).",
    ),
    "touch-own-several": (
        "{move} {side} touched several pieces, {touched}, and played {played}",
        (
            "Touched in this order: {touched}. Played: {played}. The first piece touched that "
            "can move must move (4.3.1): {obligation}."
        ),
    ),
    "touch-opp-capturable": (
        "{move} {side} touched an opponent's piece and did not capture it: {touched}",
        (
            "Touched in this order: {touched}. Played: {played}. It can be captured, so it "
            "must be (4.3.2): {obligation}. It may have been the opponent who adjusted it: ask.[ "
            "{unsettled}]"
        ),
    ),
    "touch-opp-not-capturable": (
        "{move} {side} touched {piece} on {square}, which cannot be captured",
        "The opponent's piece touched cannot be captured: any legal move may be played (4.5).",
    ),
    "touch-both-own-first": (
        "{move} {side} touched both colours, own first: {touched}; played {played}",
        (
            "Touched in this order: {touched}. Played: {played}. Capture the one with the "
            "other; else move the own piece; else capture the other; else free (4.3.3). Left: "
            "{obligation}."
        ),
    ),
    "touch-both-opp-first": (
        "{move} {side} touched both colours, the opponent's first: {touched}; played {played}",
        (
            "Touched in this order: {touched}. Played: {played}. Capture the one with the "
            "other; else capture the first one with anything; else move the own piece; else "
            "free (4.3.3). Left: {obligation}."
        ),
    ),
    "touch-both-order-unclear": (
        "{move} {side} touched both colours at once: {touched}; played {played}",
        (
            "Touched in this order: {touched}. Played: {played}. Which came first lies within "
            "one scan of the board and is not known, so the own piece counts as first (4.3.3). "
            "Left: {obligation}."
        ),
    ),
    "touch-j-adoube-late": (
        "{side} announced adjusting too late[: {touched}]",
        (
            "Entered by {by}.[ Touched: {touched}.] Adjusting must be announced before the "
            "touch (4.2.1), so the touched piece must move: {obligation}. The sensors give "
            "only the duration.[ {note}]"
        ),
    ),
    "touch-adjust-announced": (
        "Adjusting was announced",
        (
            "Entered by {by}: the touches were announced beforehand and bind nobody (4.2.1).[ "
            "Note: {note}]"
        ),
    ),
    "touch-brush": (
        "{move} Brushed: {squares}",
        "Off the square for less than a hand needs: accidental, no obligation (4.2.2).",
    ),
    "adjust-on-opponent-time": (
        "Pieces of {side} lifted and put back on the opponent's time ({squares})",
        (
            "Either {side} adjusted while not having the move, which is not allowed (4.2.1, "
            "6.2.5), or the opponent touched and must capture if possible (4.3.2)[: "
            "{obligation}]. The sensors cannot tell whose hand it was."
        ),
    ),
    "touch-right-lost": (
        "{opponent} touched {touched_square}: the claim about {side}'s move is lost",
        "The right to claim ends when a piece is touched (4.8).",
    ),
    "touch-refusal": (
        "{side} was told what to move and played {played}",
        (
            "An order about the touched piece was confirmed; allowed: {obligation}. Persistent "
            "refusal loses the game (11.7).[ {note}]"
        ),
    ),
    "touch-lifted-long": (
        "{Piece} on {square} has been in the air for long",
        (
            "The piece is off the board and nothing else happens. An obligation exists; "
            "nothing is to be said."
        ),
    ),
    "move-corrected-before-press": (
        "{move} {side} put {piece} on {square} illegally, then played {played}",
        (
            "Touched in this order: {touched}. Played: {played}. An illegal placement may be "
            "put right before the press without penalty (7.5.1), but the touched piece binds "
            "if it can move (4.3)[: {obligation}]."
        ),
    ),
    "move-released-then-changed": (
        "{move} {side} released on {square} for {dwell_ms}, then played {played}",
        (
            "The piece stood on {square} for {dwell_ms} and was moved on. Released there, it "
            "stays there (4.7): {obligation}. A hand that never left it cannot be seen."
        ),
    ),
    "move-released-changed-pressed": (
        "{move} {side} released on {square}, played {played} and pressed",
        (
            "The piece stood on {square} for {dwell_ms}, was moved on and the clock was "
            "pressed. The first release stands (4.7): {obligation}. It is not an illegal move "
            "for 7.5.5; a penalty is at discretion (12.9). The opponent may claim until they "
            "touch a piece (4.8)."
        ),
    ),
    "move-between-squares": (
        "{Piece} from {square} is not detected; it was last seen near {near}",
        (
            "The moved piece is on no square: it stands between squares, or its chip fails. "
            "The player centres it on their own time (7.4.1)."
        ),
    ),
}
