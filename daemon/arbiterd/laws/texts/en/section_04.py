"""Texts of catalogue section 4: castling."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {
    "castle-ok": (
        "{move} {played}",
        "Castling was made when the rook was placed (4.7.2).",
    ),
    "castle-touch-both": (
        "{move} {side} touched king and rook and did not castle ({played})",
        (
            "Touched in this order: {touched}. Played: {played}. King and rook touched and "
            "castling legal: it must be castling on that side (4.4.1): {obligation}."
        ),
    ),
    "castle-rook-first": (
        "{move} {side} touched the rook first and castled",
        (
            "Touched in this order: {touched}. Played: {played}. If deliberate, castling there "
            "is barred for this move (4.4.2): move the rook, else the king: {obligation}."
        ),
    ),
    "castle-rook-first-pressed": (
        "{move} {side} touched the rook first, castled and pressed",
        (
            "Touched in this order: {touched}. Played: {played}. A breach of Article 4, not an "
            "illegal move (3.10.2). An arbiter who saw it restores and enforces: {obligation}; "
            "the opponent may claim until they touch a piece (4.8)."
        ),
    ),
    "castle-rook-released-first": (
        "{move} {side} released the rook on {square} before the king",
        (
            "Touched in this order: {touched}. Played: {played}. The rook stood on {square} "
            "for {dwell_ms} before the king was lifted: the rook move stands (4.7): "
            "{obligation}."
        ),
    ),
    "castle-illegal-unpressed": (
        "{move} {side} castles illegally ({attempt}), not pressed",
        (
            "{Reason}. Another king move must be played, the other castling included; if there "
            "is none, any legal move (4.4.3). No intervention before the press."
        ),
    ),
    "castle-illegal-pressed": (
        "{move} {side} castled illegally: {reason}{verdict}",
        "{attempt}: {reason}. {block}",
    ),
    "castle-king-only-pressed": (
        "{move} {side} moved the king as in castling, left the rook and pressed{verdict}",
        (
            "Castling was legal. The arbiter decides: an illegal move, or castling left "
            "unfinished, to be completed ({squares}). {block}"
        ),
    ),
    "castle-wrong-rook-square": (
        "{move} {side} castled with a piece on the wrong square{verdict}",
        "Expected: {squares}. A displaced rook is possible. {block}",
    ),
    "castle-king-released-then-other": (
        "{move} {side} released the king on {square}, then played {played}",
        (
            "The king stood on {square} for {dwell_ms}. Once it is released only castling on "
            "that side is left, if legal (4.7.2): {obligation}."
        ),
    ),
    "castle-960": (
        "{move} {played} (Chess960)",
        "Castling was made when king and rook both stood on their squares (II.3.2).",
    ),
    "castle-two-hands": (
        "{move} {side} castled, perhaps with two hands",
        (
            "King and rook left and arrived within one scan of the board. A suspicion only: "
            "two hands and a press count as an illegal move (7.5.4), but a hand must have been "
            "seen."
        ),
    ),
}
