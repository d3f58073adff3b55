"""Texts of catalogue section 5: promotion."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {
    "promo-ok": (
        "{move} {played}",
        "The promotion was made when the new piece stood and the pawn was off (4.7.3).",
    ),
    "promo-pawn-left": (
        "{move} {side} left the pawn on {square} and pressed{verdict}",
        "The pawn on {square} was not exchanged. {block}",
    ),
    "promo-nothing-placed": (
        "{move} {side} pressed with nothing on {square}{verdict}",
        (
            "The pawn is off and no piece stood on {square} at the press: the choice is gone. "
            "{block}"
        ),
    ),
    "promo-choice-changed": (
        "{move} {side} exchanged {first} for {second} on {square}",
        (
            "{First} had touched {square} for {dwell_ms}: the choice is final (4.4.4): "
            "{obligation}. Holding a piece above the square is not touching."
        ),
    ),
    "promo-wrong-colour": (
        "{move} {side} put a piece of the wrong colour on {square} and pressed{verdict}",
        (
            "There is {piece:a} of the other colour on {square}. You restore, or put a queen "
            "as under 7.5.2. {block}"
        ),
    ),
    "promo-king-or-pawn": (
        "{move} {side} put {piece:a} on {square} and pressed{verdict}",
        (
            "A pawn can neither become a king nor stay a pawn. You restore, or put a queen as "
            "under 7.5.2. {block}"
        ),
    ),
    "promo-inverted-rook": (
        ("{move} {side} moved the promoted rook from {square} like a queen ({attempt}){verdict}"),
        (
            "A rook upside down is a rook, whatever was said. Look whether it is an inverted "
            "rook. {block}"
        ),
    ),
    "promo-pause-for-piece": (
        "{side} paused with a pawn about to promote",
        (
            "A valid reason (6.11.2): bring the piece. The choice is still open; the piece "
            "asked for binds nobody."
        ),
    ),
    "promo-two-hands": (
        "{move} {side} promoted, perhaps with two hands",
        "Pawn and piece changed within one scan of the board. A suspicion only (7.5.4).",
    ),
    "promo-early": (
        "{move} {side} exchanged the pawn on {square} before the last rank{verdict}",
        "There is {piece:a} on {square}, where the pawn stood. {block}",
    ),
    "promo-pawn-seen-late": (
        "Pawn on its last rank ({square}) and play has gone on{verdict}",
        "{ruled} {block}",
    ),
}
