"""Texts of catalogue section 6: captures."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {
    "capture-ok": (
        "{move} {played}",
        "The capture was made; either order of lifting is right (4.7.1).",
    ),
    "capture-wrong-piece-off": (
        "{move} {side} took the wrong piece off ({squares}) and pressed{verdict}",
        (
            "With {attempt} the piece on {squares} went off too, or in its place. Illegal move "
            "or displacement: the arbiter looks. Touched first and capturable, 4.3.3 applies. "
            "{block}"
        ),
    ),
    "capture-own-piece": (
        "{move} {side} captured an own piece on {squares} and pressed{verdict}",
        "It was {piece} of the same colour (3.1). {block}",
    ),
    "capture-not-removed": (
        "{move} The piece captured with {attempt} shows again on {squares}",
        (
            "Sensors show one piece a square. It may stand beside the board's edge or squeezed "
            "in: look."
        ),
    ),
    "capture-removed-not-moved": (
        "{move} {side} took the piece on {squares} off, moved nothing and pressed{verdict}",
        "No move was made (7.5.3). {block}",
    ),
    "ep-ok": (
        "{move} {played} en passant",
        "The capture was made when the passed pawn was off (3.7.3.1).",
    ),
    "ep-pawn-not-removed": (
        "{move} {side} captured en passant, left the pawn on {square} and pressed{verdict}",
        "The arbiter decides: a capture left unfinished, or an illegal move. {block}",
    ),
    "ep-too-late": (
        "{move} {side} captured en passant on {square} too late{verdict}",
        (
            "[The double step was made on move {double_step}; ]en passant is possible on the "
            "very next move only (3.7.3.2). {block}"
        ),
    ),
    "ep-never-double": (
        ("{move} {side} captured en passant on {square} a pawn that made no double step{verdict}"),
        "{Reason}. {block}",
    ),
    "king-captured": (
        "{move} {side} captured the king on {squares} and pressed{verdict}",
        (
            "Illegal and penalised (1.4.1); capturing the king is no way to claim. The "
            "opponent's move before it is to be looked at too. {block}"
        ),
    ),
}
