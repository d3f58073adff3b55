"""Texts of catalogue section 6: captures."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {
    "capture-ok": (
        "{move} {played} capture made",
        "Either order of lifting is right (4.7.1).",
    ),
    "capture-wrong-piece-off": (
        "{move} {side} took the wrong man off ({squares}) and pressed",
        (
            "With {attempt} the man on {squares} went off too, or in its place. Illegal "
            "move or displacement: the arbiter looks. Touched first and capturable, 4.3.3 "
            "applies. Illegal move number {count} of {side}. Restore; then a legal move "
            "under 4.3 and 4.7: {obligation}. {outcome}"
        ),
    ),
    "capture-own-piece": (
        "{move} {side} captured an own man on {squares} and pressed",
        (
            "{piece} of his own stood there (3.1). Illegal move number {count} of {side}. "
            "Restore; then a legal move under 4.3 and 4.7: {obligation}. {outcome}"
        ),
    ),
    "capture-not-removed": (
        "{move} The man captured with {attempt} shows again on {squares}",
        (
            "Sensors show one man a square. It may stand beside the board's edge or "
            "squeezed in: look."
        ),
    ),
    "capture-removed-not-moved": (
        "{move} {side} took {squares} off, moved nothing and pressed",
        (
            "No move was made (7.5.3). Restore; the touched piece must be captured if "
            "possible: {obligation}. Illegal move number {count} of {side}. {outcome}"
        ),
    ),
    "ep-ok": (
        "{move} {played} en passant",
        "Made when the passed pawn was off (3.7.3.1).",
    ),
    "ep-pawn-not-removed": (
        "{move} {side} captured en passant, left the pawn on {square} and pressed",
        (
            "The arbiter decides: a capture left unfinished, or an illegal move. Illegal "
            "move number {count} of {side}. Restore; then a legal move under 4.3 and 4.7: "
            "{obligation}. {outcome}"
        ),
    ),
    "ep-too-late": (
        "{move} {side} captured {square} en passant too late",
        (
            "The double step was made on move {double_step}; en passant is possible on the "
            "very next move only (3.7.3.2). Illegal move number {count} of {side}. Restore;"
            " then a legal move under 4.3 and 4.7: {obligation}. {outcome}"
        ),
    ),
    "ep-never-double": (
        "{move} {side} captured {square} en passant, which made no double step",
        (
            "{reason}. Illegal move number {count} of {side}. Restore; then a legal move "
            "under 4.3 and 4.7: {obligation}. {outcome}"
        ),
    ),
    "king-captured": (
        "{move} {side} captured the king on {squares} and pressed",
        (
            "Illegal and penalised (1.4.1); capturing the king is no way to claim. The "
            "opponent's move before it is to be looked at too. Illegal move number {count} "
            "of {side}. Restore; then a legal move under 4.3 and 4.7: {obligation}. "
            "{outcome}"
        ),
    ),
}
