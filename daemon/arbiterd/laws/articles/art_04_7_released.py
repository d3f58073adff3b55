"""Articles 4.4.4 and 4.7: pieces that were released before the move was made as it stands."""

from __future__ import annotations

from collections.abc import Sequence

from arbiterd.laws.articles.art_04_made import (
    Breach,
    Made,
    moves_to,
    placed,
    rested,
    touches_of,
)
from arbiterd.laws.case.hands import Stay
from arbiterd.laws.case.touching import KING, ROOK, is_castling
from eboards.events import EMPTY, Square


def released(played: Made) -> Breach | None:
    """The first release that the move does not meet."""
    return (
        _choice_changed(played)
        or _rook_released(played)
        or _king_released(played)
        or _released(played)
    )


def _choice_changed(played: Made) -> Breach | None:
    """4.4.4: the choice is final when the new piece has touched the square."""
    rules, home = played.scene.rules, played.scene.rules.placement(played.position)
    origin = played.squares()[0]
    footprint = dict(rules.footprint(played.position, played.move))
    target = next((s for s, piece in footprint.items() if piece != EMPTY), None)
    if target is None or footprint[target] == home[origin] or len(footprint) != 2:
        return None
    for stay in placed(played):
        if stay.square != target or stay.piece in (footprint[target], home[origin]):
            continue
        if _was_on_the_board(stay, played):
            continue
        first = [
            move
            for move in rules.legal_moves(played.position)
            if dict(rules.footprint(played.position, move)).get(target) == stay.piece
            and rules.touched(played.position, move)[0] == origin
        ]
        if first:
            facts = {
                "square": played.name(target),
                "first": stay.piece.upper(),
                "second": footprint[target].upper(),
                "dwell_ms": stay.dwell_ms,
            }
            return Breach("promo-choice-changed", tuple(first), facts)
    return None


def _was_on_the_board(stay: Stay, played: Made) -> bool:
    """It was off its own square all the while: it was tried there, and is no piece of a choice."""
    home = played.scene.rules.placement(played.position)
    likes = {touch.square for touch in touches_of(played) if home[touch.square] == stay.piece}
    return any(_came_from(square, stay, played) for square in likes)


def _rook_released(played: Made) -> Breach | None:
    """The rook stood on a square it may move to before the king was lifted (4.7)."""
    rules = played.scene.rules
    squares = played.squares()
    if len(squares) != 2 or not is_castling(rules, played.position, played.move, squares[1]):
        return None
    king = next((t for t in played.turn.touches if t.square == squares[0]), None)
    if king is None or not king.order_known:
        return None
    # Squares are sampled in turn: within a scan nobody knows which came first.
    before_ns = king.lifted_at_ns - played.scene.sensing.scan_ns
    for stay in placed(played):
        if stay.piece.upper() != ROOK or stay.from_ns >= before_ns:
            continue
        if not (stay.still_there or rested(played, stay)):
            continue
        if _came_from(squares[1], stay, played):
            moves = moves_to(played, squares[1], stay.square)
            if moves:
                facts = {"square": played.name(stay.square), "dwell_ms": stay.dwell_ms}
                return Breach("castle-rook-released-first", moves, facts)
    return None


def _king_released(played: Made) -> Breach | None:
    """4.7.2: the king was released two squares on, so only castling there is left."""
    rules, home = played.scene.rules, _king_home(played)
    for stay in placed(played):
        if stay.piece.upper() != KING or not rested(played, stay):
            continue
        if home is None or not _came_from(home, stay, played):
            continue
        castling = [
            move
            for move in rules.legal_moves(played.position)
            if len(touched := rules.touched(played.position, move)) == 2
            and is_castling(rules, played.position, move, touched[1])
            and (stay.square, stay.piece) in rules.footprint(played.position, move)
        ]
        if castling and played.move not in castling and not _to_king(played, stay.square):
            facts = {"square": played.name(stay.square), "dwell_ms": stay.dwell_ms}
            return Breach("castle-king-released-then-other", tuple(castling), facts)
    return None


def _to_king(played: Made, square: Square) -> bool:
    """Whether the king could simply step there."""
    king = _king_home(played)
    return king is not None and bool(moves_to(played, king, square))


def _king_home(played: Made) -> Square | None:
    """Where the mover's king stood before the half-move."""
    placement, rules = played.scene.rules.placement(played.position), played.scene.rules
    kings = (square for square, piece in enumerate(placement) if piece.upper() == KING)
    return next((s for s in kings if rules.owner(placement[s]) is played.turn.side), None)


def _released(played: Made) -> Breach | None:
    """4.7: the piece was released on a square it may move to, and then moved on."""
    origin = played.squares()[0]
    home = played.scene.rules.placement(played.position)
    stood = placed(played)
    for stay in stood:
        if stay.piece != home[origin] or not rested(played, stay):
            continue
        if not _came_from(origin, stay, played) or swept(stay, stood):
            continue
        moves = moves_to(played, origin, stay.square)
        if moves and played.move not in moves and not stay.still_there:
            facts = {
                "square": played.name(stay.square),
                "dwell_ms": stay.dwell_ms,
                "first": played.wires(moves)[0],
            }
            return Breach("move-released-then-changed", moves, facts)
    return None


def _came_from(origin: Square, stay: Stay, played: Made) -> bool:
    """The piece of this square was off it all the while, and by no accident (4.2.2)."""
    seen_ns = stay.from_ns + played.scene.sensing.scan_ns
    return any(
        touch.square == origin
        and touch.lifted_at_ns < seen_ns
        and (touch.returned_at_ns is None or touch.returned_at_ns >= stay.until_ns)
        for touch in touches_of(played)
    )


def swept(stay: Stay, stood: Sequence[Stay]) -> bool:
    """Another piece stood elsewhere meanwhile: shifted together, by a sleeve and no hand."""
    return any(
        other.square != stay.square
        and other.from_ns < stay.until_ns
        and stay.from_ns < other.until_ns
        for other in stood
    )


def wrongly_placed(played: Made) -> tuple[Square, dict[str, str]] | None:
    """A piece of the mover that stood where no legal move puts it: its own square, and the facts.
    Passing over is no standing."""
    home = played.scene.rules.placement(played.position)
    moved = played.squares()[0]
    scan_ms = played.scene.sensing.scan_ns // 1_000_000
    for stay in placed(played):
        origins = [
            touch.square
            for touch in touches_of(played)
            if home[touch.square] == stay.piece
            and touch.lifted_at_ns <= stay.from_ns
            and (touch.returned_at_ns is None or touch.returned_at_ns >= stay.until_ns)
        ]
        least_ms = played.scene.settings.release_ms if moved in origins else scan_ms
        if not origins or stay.still_there or stay.dwell_ms < least_ms:
            continue
        if not moves_to(played, origins[0], stay.square):
            facts = {"square": played.name(stay.square), "piece": stay.piece.upper()}
            return origins[0], facts
    return None
