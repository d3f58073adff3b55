"""Section 6 of the rulings catalogue: captures and en passant."""

from __future__ import annotations

from arbiterd.laws.catalogue.row import FACT, PROBABLE, Row
from arbiterd.laws.ruling import Window

ROWS = (
    Row("capture-ok", 6, "A capture was made.", ("4.7.1",), FACT, 0),
    Row(
        "capture-wrong-piece-off",
        6,
        "Another piece was taken off than the one captured.",
        ("7.5.1", "7.6"),
        FACT,
        1,
        window_a5=Window.OPPONENT_MOVES,
        counts=True,
    ),
    Row(
        "capture-own-piece",
        6,
        "An own piece was captured.",
        ("3.1", "7.5.1"),
        FACT,
        1,
        window_a5=Window.OPPONENT_MOVES,
        counts=True,
    ),
    Row(
        "capture-not-removed",
        6,
        "The captured piece shows again on the board.",
        ("7.5.1", "7.4"),
        PROBABLE,
        2,
    ),
    Row(
        "capture-removed-not-moved",
        6,
        "A piece was taken off, none was moved, the clock was pressed.",
        ("7.5.3", "7.5.1"),
        FACT,
        1,
        window_a5=Window.OPPONENT_MOVES,
        counts=True,
    ),
    Row("ep-ok", 6, "A capture en passant was made.", ("3.7.3.1",), FACT, 0),
    Row(
        "ep-pawn-not-removed",
        6,
        "The pawn captured en passant still stands, and the clock was pressed.",
        ("4.7.1", "7.5.1"),
        PROBABLE,
        1,
        window_a5=Window.OPPONENT_MOVES,
        counts=True,
    ),
    Row(
        "ep-too-late",
        6,
        "A capture en passant came too late.",
        ("3.7.3.2", "7.5.1"),
        FACT,
        1,
        window_a5=Window.OPPONENT_MOVES,
        counts=True,
    ),
    Row(
        "ep-never-double",
        6,
        "A pawn that made no double step was captured en passant.",
        ("7.5.1",),
        FACT,
        1,
        window_a5=Window.OPPONENT_MOVES,
        counts=True,
    ),
    Row(
        "king-captured",
        6,
        "A king was captured.",
        ("1.4.1", "7.5.1"),
        FACT,
        1,
        window_a5=Window.OPPONENT_MOVES,
        counts=True,
    ),
)
