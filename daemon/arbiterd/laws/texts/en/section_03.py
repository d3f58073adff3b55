"""Texts of catalogue section 3: making moves."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {
    "move-made": (
        "{move} {played} made",
        "A legal move was made (4.7).",
    ),
    "move-completed": (
        "{move} {played} completed",
        "Made and pressed (6.2.1).[ Clocks: {white_clock}, {black_clock}.]",
    ),
    "move-opp-before-press": (
        "{move} {played} before the opponent's press",
        "Legal; the opponent may still press (6.2.2). Nobody is to be told (12.6).",
    ),
    "move-press-after-reply": (
        "{played} pressed after the reply",
        "The player must be allowed to press (6.2.2): it is no press without a move.",
    ),
    "move-next-without-press": (
        "{side} never pressed for {played}",
        (
            "The move was completed when the next one was made (6.2.1.2). A move counter in "
            "the clock is one short."
        ),
    ),
    "move-opp-too-early": (
        "{move} {side} played {played} while the opponent's piece was in the air",
        (
            "{side} did not have the move (1.3): the piece from {square} stood {early_ms} "
            "before the opponent's. Restore; the opponent may still choose the square; 11.5 "
            "and 12.9 are at hand."
        ),
    ),
    "move-out-of-turn": (
        "{side} moved out of turn: {attempt}",
        "{side} did not have the move (1.2). Restore the position (7.6); 12.9 is possible.",
    ),
    "move-twice-after-press": (
        "{side} moved again ({attempt})[ after {before} was completed]",
        (
            "Two moves by one side: restore; 12.9, not 7.5.5. The player may have thought that "
            "the opponent had moved."
        ),
    ),
    "move-twice-before-press": (
        "{move} {side} made two moves ({moves}) and pressed",
        (
            "The first one made stands, {first} (4.7); the rest is restored. Whether it is "
            "7.5.1 or 12.9 is for the arbiter."
        ),
    ),
    "move-piece-swapped": (
        "{move} {side} exchanged own pieces on {squares} and pressed{verdict}",
        "{block}",
    ),
    "move-unexplained-press": (
        "{move} {side} pressed; the board fits no move[: {squares}]",
        (
            "No legal move leads to what the board shows.[ Nearest: {nearest}.] First exclude "
            "a sensor fault; then it is an illegal move (7.5.1) or displaced pieces (7.4)."
        ),
    ),
}
