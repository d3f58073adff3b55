"""Article 3.8.2: castling done wrong and pressed."""

from __future__ import annotations

from typing import Any

from arbiterd.laws.case.misplay import Misplay, MisplayRow
from arbiterd.laws.case.touching import KING, ROOK, is_castling
from arbiterd.rules.ruleset import Reason
from eboards.events import Square

LOST = (
    Reason.CASTLING_LOST,
    Reason.CASTLING_IN_CHECK,
    Reason.CASTLING_THROUGH_CHECK,
    Reason.CASTLING_BLOCKED,
)


def castling_fault(play: Misplay) -> MisplayRow | None:
    """The king went as if to castle: alone, with the rook on a wrong square, or illegally."""
    king = next((s for s in play.own_left if play.before[s] == play.piece(KING)), None)
    if play.enemy_left or play.enemy_came:
        return None
    if king is None:
        # Chess960: a king that stands where it would castle to, and the rook over it (II.3.2).
        return _told(play.reason, play.attempt.wire) if play.attempt and _shown(play) else None
    arrived = next((s for s in play.own_came if play.now[s] == play.piece(KING)), None)
    if arrived is None:
        return None
    rook = _rook(play, king, arrived)
    if rook is None:
        return None
    alone, both = play.own_left == [king], sorted(play.own_left) == sorted((king, rook))
    castling = _castling(play, rook)
    if castling is None:
        return _illegal(play, king, arrived, alone, both)
    facts = {"attempt": play.wire(castling), "squares": _expected(play, castling)}
    if alone and len(play.own_came) == 1 and arrived == _king_square(play, castling):
        return MisplayRow("castle-king-only-pressed", facts=facts, either=True)
    if both and len(play.own_came) == 2:
        return MisplayRow("castle-wrong-rook-square", facts=facts)
    return None


def _illegal(
    play: Misplay, king: Square, arrived: Square, alone: bool, both: bool
) -> MisplayRow | None:
    """Castling that is not legal: the reason is the attempt's own, else that the right is lost."""
    shown = _shown(play)
    looks = abs(play.file(king) - play.file(arrived)) == 2 and play.rank(king) == 0
    if not shown and not (looks and (alone or (both and len(play.own_came) == 2))):
        return None
    if not shown and play.file(king) != play.rules.geometry.files // 2:
        return None
    reason = play.reason if shown else Reason.CASTLING_LOST
    attempt = play.attempt.wire if play.attempt else ""
    wire = attempt or play.name(king) + play.name(arrived)
    return _told(reason, wire)


def _shown(play: Misplay) -> bool:
    """Whether what stands there is a castling that is not allowed."""
    return play.reason in LOST


def _told(reason: Reason, wire: str) -> MisplayRow:
    return MisplayRow("castle-illegal-pressed", facts={"reason": reason, "attempt": wire})


def _rook(play: Misplay, king: Square, arrived: Square) -> Square | None:
    """The own rook on the king's rank, the outermost on the side the king went to; in Chess960
    the one that left its square."""
    if play.rank(king) != play.rank(arrived):
        return None
    files = play.rules.geometry.files
    first = king // files * files
    rooks = [s for s in range(first, first + files) if play.before[s] == play.piece(ROOK)]
    gone = [s for s in rooks if s in play.own_left]
    if len(gone) == 1:
        return gone[0]
    towards = [s for s in rooks if (s > king) == (arrived > king)]
    if not towards:
        return None
    return max(towards) if arrived > king else min(towards)


def _castling(play: Misplay, rook: Square) -> Any | None:
    return next((m for m in play.legal if is_castling(play.rules, play.position, m, rook)), None)


def _king_square(play: Misplay, castling: Any) -> Square | None:
    footprint = play.rules.footprint(play.position, castling)
    return next((s for s, piece in footprint if piece == play.piece(KING)), None)


def _expected(play: Misplay, castling: Any) -> list[str]:
    footprint = play.rules.footprint(play.position, castling)
    return [f"{piece}{play.name(s)}" for s, piece in footprint if piece != "."]
