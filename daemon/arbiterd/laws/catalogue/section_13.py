"""Section 13 of the rulings catalogue: shogi. Articles are the rules by their Japanese names, and
those of the Japan Shogi Association's playing regulations where their numbers are known."""

from __future__ import annotations

from arbiterd.laws.catalogue.row import FACT, HUMAN, PROBABLE, Group, Row
from arbiterd.rules.customs import Custom

FOULS = Custom.FOULS_LOSE
_UNSEEN = "No sensor shows it: people say it."


def _row(
    kind: str, what: str, articles: tuple[str, ...], urgency: int = 1, *, group: Group | None = None
) -> Row:
    return Row(kind, 13, what, articles, FACT, urgency, of=FOULS, group=group)


ROWS = (
    _row("sh-move-released", "A move or drop was released.", ("release",), 0),
    Row(
        "sh-matta",
        13,
        "A released piece was moved again before the reply.",
        ("matta",),
        PROBABLE,
        1,
        of=FOULS,
        group=Group.ILLEGAL,
    ),
    _row(
        "sh-two-moves",
        "One side moved twice, or gote moved first.",
        ("nite-zashi",),
        group=Group.ILLEGAL,
    ),
    _row(
        "sh-illegal-movement", "A piece went where it cannot go.", ("hansoku",), group=Group.ILLEGAL
    ),
    _row(
        "sh-must-promote",
        "A piece that could never move again was not turned.",
        ("naru",),
        group=Group.ILLEGAL,
    ),
    _row(
        "sh-drop-dead-end",
        "A piece was dropped where it could never move.",
        ("yukidokoro",),
        group=Group.ILLEGAL,
    ),
    _row(
        "sh-drop-promoted",
        "A piece was dropped with its promoted face.",
        ("hansoku",),
        group=Group.ILLEGAL,
    ),
    _row(
        "sh-drop-occupied",
        "A piece was dropped on an occupied square.",
        ("hansoku",),
        group=Group.ILLEGAL,
    ),
    _row("sh-nifu", "A second unpromoted pawn on the file.", ("nifu",), group=Group.ILLEGAL),
    _row("sh-uchifuzume", "A pawn was dropped to give mate.", ("uchifuzume",), group=Group.ILLEGAL),
    Row(
        "sh-drop-not-in-hand",
        13,
        "A piece appeared that no capture put in hand.",
        ("hansoku",),
        PROBABLE,
        1,
        of=FOULS,
        group=Group.ILLEGAL,
    ),
    _row(
        "sh-mate", "The king is in check and no move answers it.", ("tsumi",), 2, group=Group.MATE
    ),
    _row(
        "sh-king-left-in-check",
        "The king was left in check or moved into it.",
        ("ote-hochi",),
        group=Group.ILLEGAL,
    ),
    Row(
        "sh-found-later",
        13,
        "An illegal move is found later.",
        ("JSA 8.2",),
        FACT,
        1,
        entered=True,
        of=FOULS,
        group=Group.ILLEGAL,
    ),
    _row(
        "sh-sennichite", "The fourth occurrence of the position.", ("sennichite",), group=Group.END
    ),
    _row(
        "sh-perpetual-check",
        "The fourth occurrence, by checks of one side.",
        ("JSA 8.7",),
        group=Group.END,
    ),
    Row(
        "sh-jishogi-agreed",
        13,
        "Both agree that no king can be mated.",
        ("jishogi",),
        HUMAN,
        1,
        blind=_UNSEEN,
        entered=True,
        of=FOULS,
    ),
    Row(
        "sh-declaration",
        13,
        "A player declares an entered king.",
        ("nyugyoku-sengen",),
        FACT,
        1,
        entered=True,
        of=FOULS,
    ),
    _row(
        "sh-500-moves",
        "The last half-move of the regulations was reached.",
        ("jishogi",),
        group=Group.END,
    ),
    _row("sh-time-byoyomi", "The period of a move ran out after the main time.", ("byoyomi",)),
    _row("sh-no-legal-move", "No legal move, and no check.", ("hansoku",), group=Group.END),
    _row("sh-wrong-start", "The array on the board is not the start.", ("kaishi",)),
    _row("sh-handicap-wrong-first", "The wrong side began a handicap game.", ("komaochi",)),
    Row(
        "sh-friendly-undo",
        13,
        "Players agree to take a move back.",
        ("friendly",),
        HUMAN,
        3,
        blind=_UNSEEN,
        entered=True,
        of=FOULS,
    ),
)
