"""What a player who touched these pieces must play: Laws 4.3 to 4.5, for any rule set.

A pure function of the ordered touches of one turn. Adjusting that was announced is struck out
before; whether a touch was accidental (4.2.2) is for the arbiter.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from itertools import takewhile
from typing import Any

from msgspec import Struct

from arbiterd.rules.ruleset import Colour, RuleSet
from arbiterd.tracking.facts import Touch
from eboards.events import Square

KING, ROOK = "K", "R"


class ObligationKind(StrEnum):
    """Which part of the Laws leaves these moves."""

    NONE = "nothing touched can be moved or captured"
    CASTLE = "castle on that side"
    KING = "move the king"
    PAIR = "capture the one with the other"
    MOVE = "move the piece touched"
    CAPTURE = "capture the piece touched"


class Obligation(Struct, frozen=True, gc=False):
    """The moves that are left, and why."""

    duty: ObligationKind
    article: str
    moves: tuple[Any, ...]
    """Never empty while there are legal moves; all of them under `Duty.NONE`."""
    barred: tuple[Any, ...] = ()
    """Castlings that are out because the rook was touched first (4.4.2)."""
    doubtful: tuple[Any, ...] = ()
    """Those of `moves` that 4.4.1 or 4.4.3 asks for, though another piece that can be moved or
    captured was touched before king and rook: the Laws do not say whether 4.3 or 4.4 goes first,
    so the arbiter chooses."""

    @property
    def free(self) -> bool:
        return self.duty is ObligationKind.NONE and not self.barred


def obligation(rules: RuleSet[Any, Any], position: Any, touches: Sequence[Touch]) -> Obligation:
    """The moves that the player having the move may still make after these touches."""
    mover = rules.turn(position)
    legal = tuple(rules.legal_moves(position))
    own = [touch for touch in touches if touch.colour is mover]
    enemy = [touch for touch in touches if touch.colour is mover.other]

    barred = _barred(rules, position, own, legal)
    left = tuple(move for move in legal if move not in barred)
    castling = _castling(rules, position, touches, own, left, barred)
    if castling is not None:
        return castling

    if own and enemy:
        pair = [
            move
            for move in left
            if _moves(rules, position, move, own[0].square)
            and _captures(rules, position, move, enemy[0].square)
        ]
        if pair:
            return Obligation(ObligationKind.PAIR, "4.3.3", tuple(pair), barred)
    article = "4.3.3" if own and enemy else "4.3.1" if own else "4.3.2"
    for touch in _in_order(own, enemy, touches):
        if touch.colour is mover:
            able = [move for move in left if _moves(rules, position, move, touch.square)]
            duty = ObligationKind.MOVE
        else:
            able = [move for move in left if _captures(rules, position, move, touch.square)]
            duty = ObligationKind.CAPTURE
        if able and not enemy:
            for at_once in _lifted_with(touch, own):
                able += [move for move in left if _moves(rules, position, move, at_once.square)]
        if able:
            return Obligation(duty, article, tuple(able), barred)
    return Obligation(ObligationKind.NONE, "4.5", left, barred)


def _lifted_with(touch: Touch, own: Sequence[Touch]) -> Iterable[Touch]:
    """Own pieces lifted after this one within the same scan: any of them may have been the
    first."""
    return takewhile(lambda later: not later.order_known, own[own.index(touch) + 1 :])


def _castling(
    rules: RuleSet[Any, Any],
    position: Any,
    touches: Sequence[Touch],
    own: Sequence[Touch],
    left: tuple[Any, ...],
    barred: tuple[Any, ...],
) -> Obligation | None:
    """King touched before a rook: 4.4.1 where castling there is legal, else 4.4.3. A rook that was
    touched before the king bars castling with it here too (4.4.2)."""
    king = next((touch for touch in own if touch.piece.upper() == KING), None)
    if king is None:
        return None
    rook = _rook_after(own, king)
    if rook is None:
        return None
    castle = tuple(m for m in left if is_castling(rules, position, m, rook.square))
    of_king = tuple(m for m in left if _moves(rules, position, m, king.square))
    if castle:
        duty, article, asked = ObligationKind.CASTLE, "4.4.1", castle
    elif of_king:
        duty, article, asked = ObligationKind.KING, "4.4.3", of_king
    else:
        duty, article, asked = ObligationKind.NONE, "4.4.3", left
    before = [touch for touch in touches[: touches.index(king)] if touch.square != rook.square]
    earlier = _bound_before(rules, position, before, left)
    doubtful = tuple(m for m in asked if m not in earlier) if earlier else ()
    return Obligation(duty, article, (*doubtful, *(earlier or asked)), barred, doubtful)


def _rook_after(own: Sequence[Touch], king: Touch) -> Touch | None:
    """The first rook touched after the king and not before it; within one scan counts as after."""
    before = _rooks_before(own, own.index(king))
    candidates = [touch for touch in own if touch.piece.upper() == ROOK]
    return next((touch for touch in candidates if touch.square not in before), None)


def _rooks_before(own: Sequence[Touch], king: int) -> list[Square]:
    """Rooks touched before the king, which is the touch of this number, a square for each touch.

    One lifted within the same scan as the king is none of them, unless it was touched before that.
    """
    first = next(at for at in range(king, -1, -1) if own[at].order_known or not at)
    return [touch.square for touch in own[:first] if touch.piece.upper() == ROOK]


def _bound_before(
    rules: RuleSet[Any, Any],
    position: Any,
    before: Sequence[Touch],
    legal: tuple[Any, ...],
) -> tuple[Any, ...]:
    """Moves of, or captures of, the first piece touched before the king that can be moved or
    captured; a rook among them is not the one castled with."""
    mover = rules.turn(position)
    for touch in before:
        if touch.colour is not mover:
            moves = tuple(m for m in legal if _captures(rules, position, m, touch.square))
        else:
            moves = tuple(m for m in legal if _moves(rules, position, m, touch.square))
        if moves:
            return moves
    return ()


def _barred(
    rules: RuleSet[Any, Any], position: Any, own: Sequence[Touch], legal: tuple[Any, ...]
) -> tuple[Any, ...]:
    """Castlings with a rook that was touched before the king (4.4.2)."""
    king = next((n for n, touch in enumerate(own) if touch.piece.upper() == KING), None)
    if king is None:
        return ()
    rooks = _rooks_before(own, king)
    return tuple(
        move for move in legal if any(is_castling(rules, position, move, rook) for rook in rooks)
    )


def _in_order(
    own: Sequence[Touch], enemy: Sequence[Touch], touches: Sequence[Touch]
) -> Iterable[Touch]:
    """In the order of touching; where it is not known, the own piece counts as first (4.3.3)."""
    if own and enemy and order_unclear(own[0], enemy[0], touches):
        return (own[0], *(touch for touch in touches if touch is not own[0]))
    return touches


def order_unclear(one: Touch, other: Touch, touches: Sequence[Touch]) -> bool:
    """Whether these two were lifted within one scan."""
    first, last = sorted((touches.index(one), touches.index(other)))
    return all(not touch.order_known for touch in touches[first + 1 : last + 1])


def is_castling(rules: RuleSet[Any, Any], position: Any, move: Any, rook: Square) -> bool:
    """Whether the move moves this rook together with the king."""
    squares = rules.touched(position, move)
    return len(squares) == 2 and squares[1] == rook and _own(rules, position, rook)


def _own(rules: RuleSet[Any, Any], position: Any, square: Square) -> bool:
    return owner_at(rules, position, square) is rules.turn(position)


def owner_at(rules: RuleSet[Any, Any], position: Any, square: Square) -> Colour | None:
    return rules.owner(rules.placement(position)[square])


def _moves(rules: RuleSet[Any, Any], position: Any, move: Any, square: Square) -> bool:
    """Castling is a move of the king, never of the rook alone."""
    return rules.touched(position, move)[:1] == (square,)


def _captures(rules: RuleSet[Any, Any], position: Any, move: Any, square: Square) -> bool:
    squares = rules.touched(position, move)[1:]
    return square in squares and not _own(rules, position, square)
