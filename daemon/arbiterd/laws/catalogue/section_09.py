"""Section 9 of the rulings catalogue: flags."""

from __future__ import annotations

from arbiterd.laws.catalogue.row import FACT, HUMAN, PROBABLE, Row

ROWS = (
    Row(
        "flag-last-period",
        9,
        "A flag has fallen and the moves are not done.",
        ("6.8", "6.9"),
        FACT,
        1,
    ),
    Row(
        "flag-unwinnable",
        9,
        "A flag has fallen and the opponent cannot mate.",
        ("6.9", "A.5.3"),
        FACT,
        1,
    ),
    Row(
        "flag-period-short",
        9,
        "A flag has fallen before the moves of the period were completed.",
        ("6.3.1", "6.4", "6.9"),
        FACT,
        1,
    ),
    Row(
        "flag-period-reached",
        9,
        "A flag is shown and the moves of the period were completed.",
        ("6.4",),
        FACT,
        3,
        stays=True,
    ),
    Row(
        "flag-count-uncertain",
        9,
        "A flag has fallen and the number of completed moves is not certain.",
        ("8.5", "8.6"),
        PROBABLE,
        1,
    ),
    Row(
        "flag-both-order-known",
        9,
        "Both flags have fallen and it is known which fell first.",
        ("6.8", "6.9"),
        FACT,
        1,
    ),
    Row(
        "flag-both-order-unknown",
        9,
        "Both flags have fallen and it is not known which fell first.",
        ("III.3.1",),
        PROBABLE,
        1,
    ),
    Row(
        "flag-then-mate",
        9,
        "A flag fell, and before anyone noticed mate was made.",
        ("5.1.1", "6.8"),
        PROBABLE,
        1,
    ),
    Row(
        "mate-then-flag",
        9,
        "A flag fell after the game had ended on the board.",
        ("5.1.1",),
        FACT,
        0,
    ),
    Row(
        "flag-then-stalemate-or-dead",
        9,
        "A flag fell, and before anyone noticed the game was drawn on the board.",
        ("5.2.1", "5.2.2", "6.8"),
        PROBABLE,
        1,
    ),
    Row(
        "flag-after-agreement-or-resign",
        9,
        "A flag fell after a resignation or an agreement.",
        ("6.9",),
        FACT,
        3,
        stays=True,
    ),
    Row(
        "flag-during-claim",
        9,
        "A flag fell while a claim was being decided.",
        ("9.5.1",),
        PROBABLE,
        1,
    ),
    Row(
        "flag-piece-in-hand", 9, "A flag fell while the player held a piece.", ("6.9",), PROBABLE, 1
    ),
    Row(
        "flag-while-paused",
        9,
        "A flag is shown although both clocks stood.",
        ("6.10.1",),
        PROBABLE,
        2,
    ),
    Row(
        "flag-claimed-without", 9, "A flag is claimed and the clock shows none.", ("6.8",), HUMAN, 2
    ),
)
