"""What pieces that stand where no legal shogi move puts them look like, read as one side's move."""

from __future__ import annotations

from arbiterd.rules.ruleset import Attempt, Colour, Reason
from arbiterd.rules.shogi_moves import (
    RAYS,
    TARGETS,
    ShogiMove,
    has_pawn_on_file,
    in_check,
    in_zone,
    is_drop_mate,
    legal_moves,
    never_moves_again,
    play,
)
from arbiterd.rules.shogi_position import (
    HAND,
    PROMOTED,
    UNPROMOTED,
    ShogiPosition,
    hand_with,
    inner,
)
from eboards.events import SHOGI_BOARD, Placement


def _seen(position: ShogiPosition, placement: Placement) -> str:
    """The board as shown; an unknown piece is taken for what stood there."""
    return "".join(
        before if piece == "?" else piece
        for piece, before in zip(inner(placement), position.board, strict=True)
    )


def read_attempt(position: ShogiPosition, placement: Placement, mover: Colour) -> Attempt | None:
    """The attempt, or None where nothing changed or a legal move is shown."""
    board, black = position.board, mover is Colour.BLACK
    seen = _seen(position, placement)
    differs = [square for square in range(81) if seen[square] != board[square]]
    if not differs or _is_legal(position, seen, black):
        return None
    left = [s for s in differs if _owns(board[s], black) and not _owns(seen[s], black)]
    came = [s for s in differs if _owns(seen[s], black)]
    alone = set(differs) == {*left, *came}
    if alone and not left and len(came) == 1:
        if _kind(board[came[0]]) == _kind(seen[came[0]]) and _owns(board[came[0]], black):
            return _turned_over(position, seen, came[0], mover)
        return _drop(position, seen, came[0], mover)
    if alone and len(left) == 1 and len(came) == 1:
        if not _from_hand(position, seen, left[0], came[0], black):
            return _one_piece(position, seen, left[0], came[0], mover)
        if not _is_legal(position, _put_back(seen, board, left[0]), black):
            return _drop(position, seen, came[0], mover)
    reason = Reason.SEVERAL_CHANGES if left or came else Reason.NO_MOVE
    return Attempt("", mover, "", left[0] if len(left) == 1 else None, None, reason)


def _owns(piece: str, black: bool) -> bool:
    return piece != "." and piece.isupper() == black


def _is_legal(position: ShogiPosition, seen: str, black: bool) -> bool:
    return black == position.black and any(
        play(position, move).board == seen for move in legal_moves(position)
    )


def _from_hand(position: ShogiPosition, seen: str, origin: int, target: int, black: bool) -> bool:
    """The piece that came is of another kind than the one that left, and of one that lies in the
    hand: it was dropped, and the other is off its square besides."""
    kind, hand = _kind(seen[target]), position.hands[0 if black else 1]
    if position.board[target] != "." or kind == _kind(position.board[origin]):
        return False
    return kind in HAND and bool(hand[HAND.index(kind)])


def _put_back(seen: str, board: str, square: int) -> str:
    """The same with the piece of the position on this square."""
    return seen[:square] + board[square] + seen[square + 1 :]


def _kind(piece: str) -> str:
    """Its plain face, a capital."""
    return UNPROMOTED.get(piece, piece).upper()


def _turned_over(position: ShogiPosition, seen: str, square: int, mover: Colour) -> Attempt:
    """A piece shows its other face where it stands."""
    wire = 2 * SHOGI_BOARD.names[square] + ("+" if seen[square] in UNPROMOTED else "")
    own_turn = position.black is (mover is Colour.BLACK)
    reason = Reason.CANNOT_PROMOTE if own_turn else Reason.OUT_OF_TURN
    return Attempt(wire, mover, position.board[square], square, square, reason)


def _drop(position: ShogiPosition, seen: str, target: int, mover: Colour) -> Attempt:
    piece, black = seen[target], mover is Colour.BLACK
    kind = _kind(piece)
    wire = f"{kind}*{SHOGI_BOARD.names[target]}"
    reason = _drop_fault(position, piece, kind, target, black)
    return Attempt(wire, mover, piece, None, target, reason)


def _drop_fault(position: ShogiPosition, piece: str, kind: str, target: int, black: bool) -> Reason:
    if black != position.black:
        return Reason.OUT_OF_TURN
    if position.board[target] != ".":
        return Reason.OCCUPIED
    if kind not in HAND or not position.hands[0 if black else 1][HAND.index(kind)]:
        return Reason.NOT_IN_HAND
    if piece in UNPROMOTED:
        return Reason.DROP_PROMOTED
    if never_moves_again(kind, target, black):
        return Reason.DEAD_END_DROP
    if kind == "P" and has_pawn_on_file(position.board, target, black):
        return Reason.TWO_PAWNS
    if in_check(play(position, ShogiMove(-1, target, drop=kind)).board, black):
        return Reason.KING_LEFT_IN_CHECK
    assert kind == "P", "nothing else is wrong with a drop"
    assert is_drop_mate(position, target), "nothing else is wrong with a pawn's drop"
    return Reason.DROP_MATE


def _one_piece(
    position: ShogiPosition, seen: str, origin: int, target: int, mover: Colour
) -> Attempt:
    names = SHOGI_BOARD.names
    turned = seen[target] != position.board[origin]
    wire = names[origin] + names[target] + ("+" if turned else "")
    reason = _fault(position, seen, origin, target, mover is Colour.BLACK)
    return Attempt(wire, mover, position.board[origin], origin, target, reason)


def _fault(position: ShogiPosition, seen: str, origin: int, target: int, black: bool) -> Reason:
    board = position.board
    piece, after = board[origin], seen[target]
    if black != position.black:
        return Reason.OUT_OF_TURN
    if _owns(board[target], black):
        return Reason.OWN_PIECE_THERE
    if board[target] in ("K", "k"):
        return Reason.KING_CAPTURED
    on_ray = next((ray for ray in RAYS[piece][origin] if target in ray), None)
    if target not in TARGETS[piece][origin] and on_ray is None:
        return Reason.CANNOT_MOVE_SO
    if target not in TARGETS[piece][origin] and on_ray is not None:
        way = on_ray[: on_ray.index(target)]
        if any(board[at] != "." for at in way):
            return Reason.BLOCKED
    if after == piece:
        if never_moves_again(piece.upper(), target, black):
            return Reason.MUST_PROMOTE
    elif PROMOTED.get(piece) != after or not (in_zone(origin, black) or in_zone(target, black)):
        return Reason.CANNOT_PROMOTE
    if piece in ("K", "k"):
        return Reason.KING_INTO_CHECK
    return Reason.KING_LEFT_IN_CHECK if in_check(board, black) else Reason.PINNED


def taken_as_played(
    position: ShogiPosition, placement: Placement, to_move: Colour
) -> ShogiPosition | None:
    """These pieces with that side to move; None unless each side has one king.

    What left the board lies in the other side's hand, what came onto it was taken from its own.
    """
    seen = _seen(position, placement)
    if seen.count("K") != 1 or seen.count("k") != 1:
        return None
    hands = list(position.hands)
    for side, black in enumerate((True, False)):
        for kind in HAND:
            other = 1 - side
            more = _count(seen, kind, black) - _count(position.board, kind, black)
            if more < 0:
                hands[other] = hand_with(hands[other], kind, -more)
            elif more > 0:
                held = hands[side][HAND.index(kind)]
                hands[side] = hand_with(hands[side], kind, -min(more, held))
    return ShogiPosition(seen, to_move is Colour.BLACK, (hands[0], hands[1]), position.number + 1)


def _count(board: str, kind: str, black: bool) -> int:
    """Pieces of this kind, turned or not."""
    letters = (kind, PROMOTED.get(kind, kind))
    return sum(
        piece.upper() in letters and piece.isupper() == black for piece in board if piece != "."
    )
