"""What pieces that stand where no legal move of the river game puts them look like."""

from __future__ import annotations

from arbiterd.rules.chess_moves import KING_STEPS, KNIGHT_STEPS
from arbiterd.rules.chess_position import file, row
from arbiterd.rules.guadalete_moves import GuadaleteMove, Waters, owes
from arbiterd.rules.guadalete_position import GuadaletePosition
from arbiterd.rules.ruleset import Attempt, Colour, Reason
from eboards.events import CHESS_BOARD, COUNTER, EMPTY, UNKNOWN, Placement, Square

_PIECES = {True: frozenset("PNBRQK"), False: frozenset("pnbrqk")}


def read_attempt(
    waters: Waters, position: GuadaletePosition, placement: Placement, mover: Colour
) -> Attempt | None:
    """The attempt, or None where nothing changed or a legal move is shown."""
    board, white = position.board, mover is Colour.WHITE
    seen = _without_counters(position, placement)
    differs = [square for square in range(64) if seen[square] != board[square]]
    if not differs:
        return None
    own = _PIECES[white]
    left = [square for square in differs if board[square] in own and seen[square] not in own]
    came = [square for square in differs if seen[square] in own]
    if _is_legal(waters, position, seen, white):
        return None
    if len(left) != 1 or len(came) > 1 or set(differs) != {*left, *came}:
        reason = Reason.SEVERAL_CHANGES if left or came else Reason.NO_MOVE
        origin = left[0] if len(left) == 1 else None
        return Attempt("", mover, board[origin] if origin is not None else "", origin, None, reason)
    origin, target = left[0], came[0] if came else None
    piece = board[origin]
    laid = laid_by(waters, position, placement, white)
    if laid is not None:
        target = laid.target
        wire = f"{CHESS_BOARD.names[origin]}{CHESS_BOARD.names[target]}t"
        reason = _laid_against(waters, position, laid, white)
    elif target is None:
        wire, reason = "", Reason.SEVERAL_CHANGES
    else:
        wire = CHESS_BOARD.names[origin] + CHESS_BOARD.names[target]
        reason = _fault(waters, position, GuadaleteMove(origin, target), piece, white)
    return Attempt(wire, mover, piece, origin, target, reason)


def _without_counters(position: GuadaletePosition, placement: Placement) -> str:
    """Pieces alone; an unknown piece is taken for what stood there."""
    return "".join(
        EMPTY if piece == COUNTER else before if piece == UNKNOWN else piece
        for piece, before in zip(placement, position.board, strict=True)
    )


def _is_legal(waters: Waters, position: GuadaletePosition, seen: str, white: bool) -> bool:
    if white != position.white:
        return False
    return any(waters.play(position, move).board == seen for move in waters.legal_moves(position))


def laid_by(
    waters: Waters, position: GuadaletePosition, placement: Placement, white: bool
) -> GuadaleteMove | None:
    """The transformation by which a pawn of this side is off the board and nothing else has moved,
    whether it is allowed or not: to where a counter lies anew, or, where none is sensed, to the
    only water that it reaches."""
    seen = _without_counters(position, placement)
    gone = [square for square in range(64) if seen[square] != position.board[square]]
    if len(gone) != 1 or seen[gone[0]] != EMPTY:
        return None
    if position.board[gone[0]] != ("P" if white else "p"):
        return None
    if waters.choices.counters_sensed:
        counters = (square for square, piece in enumerate(placement) if piece == COUNTER)
        wet = [at for at in counters if at in waters.river and at not in position.planks]
    else:
        wet = waters.waters_before(position._replace(white=white), gone[0])
    return GuadaleteMove(gone[0], wet[0], transforms=True) if len(wet) == 1 else None


def _laid_against(
    waters: Waters, position: GuadaletePosition, move: GuadaleteMove, white: bool
) -> Reason:
    """Why a transformation is none."""
    if white != position.white:
        return Reason.OUT_OF_TURN
    if not waters.pawn_goes(position, move):
        return Reason.CANNOT_MOVE_SO
    return Reason.KING_LEFT_IN_CHECK if waters.in_check(position, white) else Reason.PINNED


def _fault(
    waters: Waters, position: GuadaletePosition, move: GuadaleteMove, piece: str, white: bool
) -> Reason:
    if white != position.white:
        return Reason.OUT_OF_TURN
    board, target = position.board, move.target
    wet = not waters.passable(position, target)
    kind = piece.upper()
    if kind == "P":
        return _pawn_fault(waters, position, move, wet)
    if kind == "K" and target in waters.river:
        return Reason.KING_ON_RIVER
    if wet:
        return Reason.WATER
    if board[target] in _PIECES[white]:
        return Reason.OWN_PIECE_THERE
    if board[target] in ("K", "k"):
        return Reason.KING_CAPTURED
    if not _moves_so(kind, move.origin, target):
        return Reason.CANNOT_MOVE_SO
    if kind in "RBQ" and (barred := _barred(waters, position, move)):
        return barred
    if owes(position) and move in waters.safe_moves(position):
        return Reason.DUTY
    if kind == "K":
        return Reason.KING_INTO_CHECK
    return Reason.KING_LEFT_IN_CHECK if waters.in_check(position, white) else Reason.PINNED


def _barred(waters: Waters, position: GuadaletePosition, move: GuadaleteMove) -> Reason | None:
    """What lies in the way of a piece that goes along a line."""
    way = _between(move.origin, move.target)
    if any(not waters.passable(position, at) for at in way):
        return Reason.WATER_IN_THE_WAY
    return Reason.BLOCKED if any(position.board[at] != EMPTY for at in way) else None


def _pawn_fault(
    waters: Waters, position: GuadaletePosition, move: GuadaleteMove, wet: bool
) -> Reason:
    ahead = -8 if position.white else 8
    if file(move.origin) != file(move.target):
        beside = abs(file(move.origin) - file(move.target)) == 1
        captures = beside and row(move.target) == row(move.origin + ahead)
        return Reason.PAWN_CAPTURES_NOT if captures else Reason.CANNOT_MOVE_SO
    if wet and waters.pawn_goes(position, move._replace(transforms=True)):
        return Reason.NOT_PLANKED
    if (move.target - move.origin) not in (ahead, 2 * ahead):
        return Reason.CANNOT_MOVE_SO
    if position.board[move.origin + ahead] != EMPTY or position.board[move.target] != EMPTY:
        return Reason.BLOCKED
    if move in waters.safe_moves(position):
        return Reason.DUTY
    if not waters.pawn_goes(position, move):
        return Reason.CANNOT_MOVE_SO
    return Reason.KING_LEFT_IN_CHECK if waters.in_check(position, position.white) else Reason.PINNED


def _moves_so(kind: str, origin: Square, target: Square) -> bool:
    right, down = abs(file(target) - file(origin)), abs(row(target) - row(origin))
    straight, slanted = right == 0 or down == 0, right == down
    return {
        "N": target in KNIGHT_STEPS[origin],
        "K": target in KING_STEPS[origin],
        "R": straight,
        "B": slanted,
        "Q": straight or slanted,
    }[kind]


def _between(origin: Square, target: Square) -> range:
    right = (file(target) > file(origin)) - (file(target) < file(origin))
    down = (row(target) > row(origin)) - (row(target) < row(origin))
    step = 8 * down + right
    return range(origin + step, target, step)


def taken_as_played(
    waters: Waters, position: GuadaletePosition, placement: Placement, to_move: Colour
) -> GuadaletePosition | None:
    """These pieces with that side to move; None unless each side has one king, and where nobody
    knows what stands on a square that was empty. Planks stay; a pawn that became one counts."""
    came = (s for s, piece in enumerate(placement) if piece == UNKNOWN)
    if any(position.board[square] == EMPTY for square in came):
        return None
    board = _without_counters(position, placement)
    if not set(board) <= set(".PNBRQKpnbrqk") or board.count("K") != 1 or board.count("k") != 1:
        return None
    castling = tuple(
        rook
        for rook in position.castling
        if board[rook] == position.board[rook]
        and board.index("K" if board[rook] == "R" else "k")
        == position.board.find("K" if board[rook] == "R" else "k")
    )
    counters = {s for s, piece in enumerate(placement) if piece == COUNTER and s in waters.river}
    white, (by_white, by_black) = to_move is not Colour.WHITE, position.transformed
    laid = laid_by(waters, position, placement, white)
    if laid is not None:
        counters.add(laid.target)
        by_white, by_black = by_white + white, by_black + (not white)
    return position._replace(
        board=board,
        white=not white,
        castling=castling,
        planks=tuple(sorted({*position.planks, *counters})),
        transformed=(by_white, by_black),
        quiet=position.quiet + 1 if laid is None else 0,
        number=position.number + (to_move is Colour.WHITE and not position.white),
    )
