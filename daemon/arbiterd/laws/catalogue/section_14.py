"""Section 14 of the rulings catalogue: Ajedrez del Guadalete. Articles named "river" are the
game's own rules (`docs/rule-sets.md`), the others those of the Laws that they follow."""

from __future__ import annotations

from arbiterd.laws.catalogue.row import FACT, PROBABLE, Group, Row
from arbiterd.laws.ruling import Window
from arbiterd.rules.customs import Custom

RIVER = Custom.RIVER


def _row(
    kind: str,
    what: str,
    articles: tuple[str, ...],
    urgency: int = 1,
    *,
    counts: bool = False,
    group: Group | None = None,
    stays: bool = False,
) -> Row:
    # An illegal move of this game is one of the Laws too: where A.5 applies, the reply ends it.
    a5 = Window.OPPONENT_MOVES if counts else None
    return Row(
        kind, 14, what, articles, FACT, urgency, window_a5=a5, counts=counts, of=RIVER, group=group,
        stays=stays,
    )  # fmt: skip


ROWS = (
    _row("gu-plank-ok", "A pawn became a plank.", ("river 4",), 0),
    _row(
        "gu-plank-not-replaced",
        "A pawn was left on an open river square.",
        ("river 4", "7.5.2"),
        counts=True,
        group=Group.ILLEGAL,
    ),
    _row("gu-obligation", "A transformation is owed now.", ("river 5",), 3, stays=True),
    _row(
        "gu-obligation-ignored",
        "Something else was played though a transformation was owed.",
        ("river 5", "7.5.1"),
        counts=True,
        group=Group.ILLEGAL,
    ),
    _row(
        "gu-piece-in-river",
        "A piece stands on a river square without plank.",
        ("river 4", "7.5.1"),
        counts=True,
        group=Group.ILLEGAL,
    ),
    _row(
        "gu-slid-over-river",
        "A line was moved along over open water.",
        ("river 4", "7.5.1"),
        counts=True,
        group=Group.ILLEGAL,
    ),
    _row(
        "gu-king-on-plank",
        "A king stands on the river.",
        ("river 4", "7.5.1"),
        counts=True,
        group=Group.ILLEGAL,
    ),
    _row(
        "gu-pawn-captured",
        "A pawn moved diagonally.",
        ("river 4", "7.5.1"),
        counts=True,
        group=Group.ILLEGAL,
    ),
    Row(
        "gu-plank-moved",
        14,
        "A counter was lifted or moved.",
        ("river 4", "7.4"),
        PROBABLE,
        1,
        of=RIVER,
    ),
    _row(
        "gu-dead",
        "Neither side can ever bring mating force across.",
        ("river 7", "5.2.2"),
        group=Group.END,
    ),
    _row("gu-mate", "Mate.", ("5.1.1",), group=Group.MATE),
    _row("gu-stalemate", "Stalemate.", ("5.2.1",), group=Group.END),
    _row(
        "gu-threefold",
        "The position occurred often enough for a draw.",
        ("9.2", "9.6.1"),
        group=Group.END,
    ),
)
