"""What a board cannot show, so that nothing is alleged from it.

moves only          no hand and no square: what its own computer took for a move
pieces counted         occupied or not: which piece it is, nobody knows; and with no clock to tell
                    when a turn ends, a capture looks like a piece in the air
colours only        which of its pieces a side has put down
no faces            whether a piece that came is turned over
"""

from __future__ import annotations

from arbiterd.laws.catalogue.row import Row
from eboards.events import SensingClass

HANDS = frozenset((2, 4, 5, 6, 7))
"""Sections about what hands did with pieces."""
HANDS_TOO = frozenset(
    (
        "move-out-of-turn",
        "move-twice-after-press",
        "move-twice-before-press",
        "move-piece-swapped",
        "move-unexplained-press",
        "move-opp-too-early",
        "takeback-after-press",
        "displaced-own-restored",
        "displaced-pressed",
        "displaced-on-opp-time",
        "displaced-two",
        "displaced-found-later",
        "displaced-put-back-wrong",
        "paused-board-changes",
    )
)
KINDS = frozenset(
    (
        "start-king-queen-swapped",
        "move-piece-swapped",
        "promo-pawn-left",
        "promo-choice-changed",
        "promo-king-or-pawn",
        "promo-inverted-rook",
        "promo-pawn-seen-late",
        "sh-drop-dead-end",
        "sh-drop-not-in-hand",
        "sh-drop-occupied",
        "sh-nifu",
        "sh-uchifuzume",
    )
)
"""Rows that rest on which of a side's pieces stands there."""
FACES = frozenset(("sh-drop-promoted", "sh-must-promote"))
"""Rows that rest on which face of a piece shows."""
COLOURS = frozenset(("promo-wrong-colour", "capture-own-piece"))
"""Rows that rest on whose piece stands there."""

NO_HANDS = "it reports finished moves only"
NO_TURNS = "it only counts pieces, and no clock tells when a turn ends"
NO_KINDS = "it does not tell one kind of piece from another"
NO_FACES = "it does not tell which face a piece shows"
NO_COLOURS = "it does not tell one side's pieces from the other's"


def unseen(row: Row, kind: SensingClass, *, clocked: bool) -> str:
    """Why this row cannot be seen on such a board; empty where it can. `clocked`: with a clock."""
    counts_only = kind is SensingClass.OCCUPANCY
    if row.section in HANDS or row.id in HANDS_TOO:
        if kind is SensingClass.MOVES:
            return NO_HANDS
        if counts_only and not clocked:
            return NO_TURNS
    if row.id in KINDS and (counts_only or kind is SensingClass.COLOUR):
        return NO_KINDS
    if row.id in FACES and (counts_only or kind in (SensingClass.COLOUR, SensingClass.KIND)):
        return NO_FACES
    if row.id in COLOURS and counts_only:
        return NO_COLOURS
    return ""
