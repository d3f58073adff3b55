"""Section 3 of the rulings catalogue: making and completing moves."""

from __future__ import annotations

from arbiterd.laws.catalogue.row import FACT, PROBABLE, Row
from arbiterd.laws.ruling import Window

ROWS = (
    Row("move-made", 3, "A legal move was made.", ("4.7",), FACT, 0),
    Row("move-completed", 3, "A legal move was made and the clock pressed.", ("6.2.1",), FACT, 0),
    Row(
        "move-opp-before-press",
        3,
        "The reply was made before the press.",
        ("6.2.1.2", "6.2.2"),
        FACT,
        0,
    ),
    Row(
        "move-press-after-reply",
        3,
        "The press came after the reply had begun.",
        ("6.2.2",),
        FACT,
        0,
    ),
    Row(
        "move-next-without-press",
        3,
        "A player made his next move without having pressed.",
        ("6.2.1.2",),
        FACT,
        3,
    ),
    Row(
        "move-opp-too-early",
        3,
        "A piece moved while the opponent's was still in the air.",
        ("1.3", "11.5"),
        PROBABLE,
        1,
    ),
    Row(
        "move-out-of-turn",
        3,
        "A side that has not the move moved.",
        ("1.2", "7.6"),
        PROBABLE,
        1,
        window_a5=Window.OPPONENT_MOVES,
    ),
    Row(
        "move-twice-after-press",
        3,
        "A side moved again after completing its move.",
        ("12.9", "7.6"),
        PROBABLE,
        1,
    ),
    Row(
        "move-twice-before-press",
        3,
        "Two own moves were made before one press.",
        ("4.7", "7.5.1"),
        PROBABLE,
        1,
        window_a5=Window.OPPONENT_MOVES,
    ),
    Row(
        "move-piece-swapped",
        3,
        "Own pieces changed places.",
        ("7.5.1",),
        FACT,
        1,
        window_a5=Window.OPPONENT_MOVES,
        counts=True,
    ),
    Row(
        "move-unexplained-press",
        3,
        "The clock was pressed and no legal move leads to what the board shows.",
        ("7.5.1", "7.4"),
        PROBABLE,
        1,
        window_a5=Window.OPPONENT_MOVES,
    ),
)
