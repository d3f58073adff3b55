"""Entering kings: points, declarations and agreed impasse."""

from __future__ import annotations

from arbiterd.rules.fouls import Declaration
from arbiterd.rules.ruleset import Colour
from arbiterd.rules.shogi_choices import ShogiChoices
from arbiterd.rules.shogi_moves import in_check, in_zone
from arbiterd.rules.shogi_position import HAND, UNPROMOTED, ShogiPosition

EVEN_TOTAL = 54
"""Points of all pieces of an even game, kings apart."""


def worth(piece: str) -> int:
    """Rook and bishop, promoted or not, 5; a king nothing; every other piece 1."""
    kind = UNPROMOTED.get(piece, piece).upper()
    return 0 if kind == "K" else 5 if kind in "RB" else 1


def points(position: ShogiPosition, black: bool, *, zone_only: bool = False) -> int:
    """All pieces of a side on the board (or those in the enemy's three ranks) and in hand."""
    on_board = sum(
        worth(piece)
        for square, piece in enumerate(position.board)
        if piece != "." and piece.isupper() == black and (not zone_only or in_zone(square, black))
    )
    hand = position.hands[0 if black else 1]
    return on_board + sum(worth(kind) * n for kind, n in zip(HAND, hand, strict=True))


def given(start: ShogiPosition) -> int:
    """The points a handicap took from gote."""
    return EVEN_TOTAL - points(start, True) - points(start, False)


def counted(
    position: ShogiPosition, start: ShogiPosition, black: bool, choices: ShogiChoices
) -> int:
    """All points of a side, with those that it gave where the event counts them for it."""
    credit = 0 if black or choices.handicap_points == "none" else given(start)
    return points(position, black) + credit


def entered(position: ShogiPosition, black: bool) -> bool:
    king = position.board.find("K" if black else "k")
    return king >= 0 and in_zone(king, black)


def declare(position: ShogiPosition, start: ShogiPosition, choices: ShogiChoices) -> Declaration:
    """The side to move declares. One condition missing and the declarer loses."""
    black = position.black
    others = sum(
        piece not in ".Kk" and piece.isupper() == black and in_zone(square, black)
        for square, piece in enumerate(position.board)
    )
    total = points(position, black, zone_only=True)
    if choices.handicap_points == "credit_giver" and not black:
        total += given(start)
    checked = in_check(position.board, black)
    met = entered(position, black) and others >= 10 and not checked
    wins, loses = ("0-1", "1-0") if black else ("1-0", "0-1")
    if choices.declaration == "24":
        needed = 24
        result = loses if not met or total < 24 else wins if total >= 31 else "replay"
    else:
        needed = 28 if black else 27
        result = wins if met and total >= needed else loses
    return Declaration(entered(position, black), others, checked, total, needed, result)


def agreed(position: ShogiPosition, start: ShogiPosition, choices: ShogiChoices) -> str | None:
    """The result of an impasse both agree to. None: it cannot be agreed in this position."""
    kings = entered(position, True) + entered(position, False)
    if kings < {"none_entered": 0, "one_entered": 1, "both_entered": 2}[choices.impasse]:
        return None
    black, white = (counted(position, start, side, choices) for side in (True, False))
    if choices.agreed_points == "27":
        return "0-1" if black > white else "1-0"
    if black >= 24 and white >= 24 and choices.both_reach_24 == "replay":
        return "replay"
    if black < 24 and white < 24:
        return "1/2-1/2"
    if black == white:
        return "1/2-1/2"
    return "0-1" if black > white else "1-0"


def winner(result: str) -> Colour | None:
    """Who won by this result."""
    return {"1-0": Colour.WHITE, "0-1": Colour.BLACK}.get(result)
