"""Article 3.7: promotion and capture en passant, done wrong and pressed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from arbiterd.laws.case.misplay import Misplay, MisplayRow
from arbiterd.laws.case.scene import Scene
from arbiterd.laws.drafting import ASK, draft
from arbiterd.laws.register import Finding, Opinion, law
from arbiterd.rules.customs import Custom
from arbiterd.rules.ruleset import Colour, Reason, RuleSet
from arbiterd.timing.facts import Paused
from eboards.events import COUNTER, EMPTY, Square

PAWN, KING, ROOK, QUEEN = "P", "K", "R", "Q"


def promotes(rules: RuleSet[Any, Any], position: Any, move: Any) -> bool:
    """Whether a pawn leaves with this move and another piece stands in its place."""
    squares = rules.touched(position, move)
    if not squares:
        return False
    footprint = dict(rules.footprint(position, move))
    home = rules.placement(position)
    arrived = [piece for piece in footprint.values() if rules.owner(piece) is not None]
    gone = footprint.get(squares[0]) == EMPTY
    return gone and bool(arrived) and home[squares[0]] not in arrived


def exchanged_on(scene: Scene, ply: int, wire: str) -> Square | None:
    """The square on which half-move `ply` puts another piece for its pawn; None: on none."""
    if not wire or Custom.CHESS_PIECES not in scene.rules.customs:
        return None
    position = scene.before(ply)
    move = scene.rules.parse(position, wire)
    if not promotes(scene.rules, position, move):
        return None
    return next(s for s, piece in scene.rules.footprint(position, move) if piece != EMPTY)


def _about_to_promote(play: Misplay) -> Square | None:
    """The square of the one own pawn that left the rank before its last."""
    pawns = [
        s
        for s in play.own_left
        if play.before[s] == play.piece(PAWN) and play.rank(s) == play.last_rank - 1
    ]
    return pawns[0] if len(pawns) == 1 else None


def _queen(play: Misplay, origin: Square, target: Square) -> str:
    """The promotion to a queen between these squares, if it is legal; else nothing."""
    queen = play.piece(QUEEN)
    for move in play.legal_from(origin, target):
        if (target, queen) in play.rules.footprint(play.position, move):
            return play.wire(move)
    return ""


def pawn_left(play: Misplay) -> MisplayRow | None:
    """The pawn stands on its last rank as a pawn (7.5.2)."""
    origin = _about_to_promote(play)
    if origin is None or play.own_left != [origin] or len(play.own_came) != 1:
        return None
    target = play.own_came[0]
    if play.now[target] != play.piece(PAWN) or play.rank(target) != play.last_rank:
        return None
    counts_as = _queen(play, origin, target)
    if not counts_as or len(play.squares) != 2:
        return None
    return MisplayRow("promo-pawn-left", "7.5.2", {"square": play.name(target)}, counts_as)


def nothing_placed(play: Misplay) -> MisplayRow | None:
    """The pawn is off, and nothing stands on the promotion square (7.5.2)."""
    origin = _about_to_promote(play)
    if origin is None or play.own_left != [origin] or play.own_came or play.enemy_came:
        return None
    if len(play.enemy_left) > 1:
        return None
    target = play.enemy_left[0] if play.enemy_left else _ahead(play, origin)
    counts_as = _queen(play, origin, target)
    if not counts_as:
        return None
    return MisplayRow("promo-nothing-placed", "7.5.2", {"square": play.name(target)}, counts_as)


def _ahead(play: Misplay, origin: Square) -> Square:
    files = play.rules.geometry.files
    return origin - files if play.mover is Colour.WHITE else origin + files


def wrong_piece_placed(play: Misplay) -> MisplayRow | None:
    """A piece of the other colour, or a second king, on the promotion square (3.7.3.3)."""
    origin = _about_to_promote(play)
    if origin is None or play.own_left != [origin]:
        return None
    came = play.own_came + play.enemy_came
    if len(came) != 1 or not _queen(play, origin, came[0]):
        return None
    target, placed = came[0], play.now[came[0]]
    facts = {"square": play.name(target), "piece": placed.upper()}
    if play.side(placed) is play.mover.other:
        return MisplayRow("promo-wrong-colour", facts=facts)
    if placed.upper() == KING:
        return MisplayRow("promo-king-or-pawn", facts=facts)
    return None


def exchanged_early(play: Misplay) -> MisplayRow | None:
    """A pawn was exchanged on the rank before its last."""
    if len(play.squares) != 1 or play.own_left != play.own_came or len(play.own_left) != 1:
        return None
    square = play.own_left[0]
    if play.before[square] != play.piece(PAWN) or play.rank(square) != play.last_rank - 1:
        return None
    facts = {"square": play.name(square), "piece": play.now[square].upper()}
    return MisplayRow("promo-early", facts=facts)


def inverted_rook(play: Misplay) -> MisplayRow | None:
    """A rook that a pawn became moved slantwise: taken for a queen by its owner (4.4.4)."""
    attempt = play.attempt
    if attempt is None or attempt.reason is not Reason.CANNOT_MOVE_SO:
        return None
    if attempt.piece.upper() != ROOK or attempt.origin is None or attempt.target is None:
        return None
    files = abs(play.file(attempt.origin) - play.file(attempt.target))
    if files != abs(play.rank(attempt.origin) - play.rank(attempt.target)):
        return None
    if not _was_promoted(play.scene, play.ply, attempt.origin):
        return None
    facts = {"square": play.name(attempt.origin), "attempt": attempt.wire}
    return MisplayRow("promo-inverted-rook", facts=facts)


def _recorded_before(scene: Scene, ply: int) -> range:
    """The half-moves before this one, newest first. Where it answers an illegal move that one is
    not on the record."""
    return range(min(ply - 1, len(scene.record.plies)), 0, -1)


def _was_promoted(scene: Scene, ply: int, square: Square) -> bool:
    """Whether the piece on this square before this half-move came there as a pawn."""
    rules = scene.rules
    positions = scene.record.positions(rules)
    for number in _recorded_before(scene, ply):
        wire = scene.record.plies[number - 1].move
        if not wire:
            return False
        position = positions[number - 1]
        move = rules.parse(position, wire)
        if dict(rules.footprint(position, move)).get(square, EMPTY) == EMPTY:
            continue
        square = rules.touched(position, move)[0]
        if rules.placement(position)[square].upper() == PAWN:
            return True
    return False


def king_exposed_en_passant(play: Misplay) -> MisplayRow | None:
    """Captured en passant in time, and the own king is left or put in check (3.7.3.1, 3.9)."""
    passed = _en_passant(play)
    if passed is None or len(play.squares) not in (2, 3):
        return None
    origin, target = play.own_left[0], play.own_came[0]
    if play.legal_from(origin, target) or not _in_time(play, passed):
        return None
    in_check = play.rules.in_check(play.position, play.mover)
    reason = Reason.KING_LEFT_IN_CHECK if in_check else Reason.EN_PASSANT_EXPOSES
    return MisplayRow(
        "", facts={"attempt": play.name(origin) + play.name(target), "reason": reason}
    )


def _in_time(play: Misplay, passed: Square) -> bool:
    """Whether the passed pawn made its double step just before. Before the first half-move of the
    record nobody knows, and then it is said if the king would be in check for certain."""
    if play.ply > 1:
        return _double_step(play.scene, play.ply, passed) == play.ply - 1
    shown = list(play.now)
    shown[passed] = EMPTY
    after = play.rules.taken_as_played(play.position, tuple(shown), play.mover.other)
    return after is not None and play.rules.in_check(after, play.mover)


def passed_pawn_left(play: Misplay) -> MisplayRow | None:
    """Legally captured en passant, and the captured pawn still stands (4.7.1)."""
    passed = _en_passant(play)
    if passed is None or play.now[passed] == EMPTY or len(play.squares) != 2:
        return None
    move = play.legal_from(play.own_left[0], play.own_came[0])
    if not move:
        return None
    facts = {"square": play.name(passed), "attempt": play.wire(move[0])}
    return MisplayRow("ep-pawn-not-removed", facts=facts, either=True)


def passed_pawn_taken(play: Misplay) -> MisplayRow | None:
    """Captured en passant too late, or a pawn that never made a double step (3.7.3.2)."""
    passed = _en_passant(play)
    if passed is None or play.now[passed] != EMPTY or len(play.squares) != 3:
        return None
    double = _double_step(play.scene, play.ply, passed)
    if double == play.ply - 1:
        return None
    facts = {"square": play.name(passed)}
    if double is None:
        return MisplayRow("ep-never-double", facts={**facts, "reason": Reason.EN_PASSANT_NEVER})
    number = play.scene.move_number(double) if double else None
    return MisplayRow(
        "ep-too-late", facts={**facts, "double_step": number, "reason": Reason.EN_PASSANT_LATE}
    )


def _en_passant(play: Misplay) -> Square | None:
    """The square beside the pawn that went slantwise to an empty square, if a pawn was there."""
    if len(play.own_left) != 1 or len(play.own_came) != 1:
        return None
    origin, target = play.own_left[0], play.own_came[0]
    pawn = play.piece(PAWN)
    if play.before[origin] != pawn or play.now[target] != pawn or play.before[target] != EMPTY:
        return None
    beside = abs(play.file(origin) - play.file(target)) == 1
    if not beside or play.rank(target) - play.rank(origin) != 1:
        return None
    files = play.rules.geometry.files
    passed = origin // files * files + play.file(target)
    other = play.before[passed]
    if other.upper() != PAWN or play.side(other) is not play.mover.other:
        return None
    return passed


def _double_step(scene: Scene, ply: int, square: Square) -> int | None:
    """The half-move in which the pawn that stands here made its double step; 0: before the
    record began, which cannot be excluded; None: it came here by single steps."""
    rules = scene.rules
    positions = scene.record.positions(rules)
    for number in _recorded_before(scene, ply):
        wire = scene.record.plies[number - 1].move
        if not wire:
            return 0
        position = positions[number - 1]
        move = rules.parse(position, wire)
        if dict(rules.footprint(position, move)).get(square, EMPTY) == EMPTY:
            continue
        origin = rules.touched(position, move)[0]
        files = rules.geometry.files
        return number if abs(origin // files - square // files) == 2 else None
    return 0


@law(Paused)
def piece_called_for(fact: Paused, scene: Scene) -> Iterator[Opinion]:
    """6.11.2: a pause with a pawn about to promote is a call for a piece; the choice is open."""
    side = scene.rules.turn(scene.position)
    if fact.ran is side and scene.playing and promotion_awaited(scene):
        yield Finding(draft("promo-pause-for-piece", scene, side, ASK), "pause")


def promotion_awaited(scene: Scene) -> bool:
    """Whether the side to move is about to promote: a pause may be a call for a piece (6.11.2).
    Who becomes a plank needs none."""
    position, rules = scene.position, scene.rules
    side = rules.turn(position)
    pawn = PAWN if side is Colour.WHITE else PAWN.lower()
    placement = rules.placement(position)
    return any(
        placement[rules.touched(position, move)[0]] == pawn
        and any(p not in (pawn, EMPTY, COUNTER) for _, p in rules.footprint(position, move))
        for move in rules.legal_moves(position)
    )
