"""Texts of catalogue section 14: the river game."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {
    "gu-plank-ok": (
        "{move} {played}",
        "The pawn became a plank. Transformed pawns: {score}.",
    ),
    "gu-plank-not-replaced": (
        "{move} {side} left the pawn on {square} and pressed{verdict}",
        "A pawn on an open river square becomes a counter: put it there. {counted} {block}",
    ),
    "gu-obligation": (
        "{side} must transform a pawn now",
        (
            "Transformed pawns {score}: {side} must have more than half as many as the other "
            "side. Possible: {owed}."
        ),
    ),
    "gu-obligation-ignored": (
        "{move} {side} did not transform though it was owed ({attempt}){verdict}",
        "Transformed pawns {score}: one of {owed} was owed. {attempt} was played instead. {block}",
    ),
    "gu-piece-in-river": (
        "{move} {side}: {attempt} into the water{verdict}",
        "{attempt}: {reason}. {block}",
    ),
    "gu-slid-over-river": (
        "{move} {side}: {attempt} over the water{verdict}",
        "{attempt}: {reason}. {block}",
    ),
    "gu-king-on-plank": (
        "{move} {side}: the king on the river ({attempt}){verdict}",
        "{attempt}: {reason}, with a plank or without. {block}",
    ),
    "gu-pawn-captured": (
        "{move} {side}: a pawn moved diagonally ({attempt}){verdict}",
        "{attempt}: {reason}; pawns give no check and guard nothing. {block}",
    ),
    "gu-plank-moved": (
        "A counter is gone from {squares}",
        "Planks are never moved or taken. Put them back (7.4).",
    ),
    "gu-dead": (
        "Dead position: draw",
        "Neither side can ever bring mating force across the river. {outcome}",
    ),
    "gu-mate": (
        "Mate: {winner} has won, {result}",
        "No move answers the check: the game is over (5.1.1).",
    ),
    "gu-stalemate": (
        "Stalemate",
        "No legal move and no check: drawn (5.2.1).",
    ),
    "gu-threefold": (
        "Repetition: draw",
        "The same position, planks and score included, after half-moves {plies}. {outcome}",
    ),
}
