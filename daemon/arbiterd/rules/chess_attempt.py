"""What pieces that stand where no legal move puts them look like, read as one side's move."""

from __future__ import annotations

from arbiterd.rules.chess_moves import (
    ChessMove,
    board_after,
    castling_fault,
    changes,
    in_check,
    king_target,
    legal_moves,
    rook_target,
)
from arbiterd.rules.chess_position import ChessPosition, file, row
from arbiterd.rules.ruleset import Attempt, Colour, Reason
from eboards.events import CHESS_BOARD, EMPTY, UNKNOWN, Piece, Placement, Square

_PIECES = {True: "PNBRQK", False: "pnbrqk"}


def read_attempt(
    position: ChessPosition, placement: Placement, mover: Colour, *, onto_rook: bool
) -> Attempt | None:
    """The attempt, or None where nothing changed or a legal move is shown. `onto_rook`: castling is
    written as the king that goes to its rook."""
    board, white = position.board, mover is Colour.WHITE
    differs = [s for s in range(64) if placement[s] not in (board[s], UNKNOWN)]
    if not differs:
        return None
    own = _PIECES[white]
    left = [s for s in differs if board[s] in own and placement[s] not in own]
    came = [s for s in differs if placement[s] in own]
    taken = [s for s in differs if board[s] not in own and board[s] != EMPTY and s not in came]
    as_mover = position._replace(white=white)
    move = _castling_shown(as_mover, differs, placement, onto_rook) or _one_piece(
        as_mover, left, came, taken, placement
    )
    if move is None:
        reason = Reason.SEVERAL_CHANGES if left or came else Reason.NO_MOVE
        origin = left[0] if len(left) == 1 else None
        piece = board[origin] if origin is not None else ""
        return Attempt("", mover, piece, origin, None, reason)
    if white != position.white:
        return _attempt(move, board, mover, Reason.OUT_OF_TURN, onto_rook)
    reason_found = _fault(position, move, taken, placement)
    if reason_found is None:
        return None
    return _attempt(move, board, mover, reason_found, onto_rook)


def _attempt(
    move: ChessMove, board: str, mover: Colour, reason: Reason, onto_rook: bool
) -> Attempt:
    names = CHESS_BOARD.names
    target = move.rook if onto_rook and move.rook >= 0 else move.target
    wire = names[move.origin] + names[target] + move.promotion.lower()
    return Attempt(wire, mover, board[move.origin], move.origin, move.target, reason)


def _castling_shown(
    position: ChessPosition, differs: list[Square], placement: Placement, shuffled: bool
) -> ChessMove | None:
    """King and rook of one side's first rank on castling squares, allowed or not. In Chess960
    either may stand then where the other stood before, or have stood there all along (II.3.2)."""
    board = position.board
    king_piece, rook_piece = ("K", "R") if position.white else ("k", "r")
    base = 56 if position.white else 0
    rank = range(base, base + 8)
    kings = [s for s in rank if board[s] == king_piece and (shuffled or placement[s] != king_piece)]
    rooks = [s for s in rank if board[s] == rook_piece and (shuffled or placement[s] != rook_piece)]
    for king in kings:
        for rook in rooks:
            move = ChessMove(king, king_target(king, rook), "", rook)
            after = {
                king: EMPTY,
                rook: EMPTY,
                move.target: king_piece,
                rook_target(move): rook_piece,
            }
            if differs == sorted(s for s, piece in after.items() if board[s] != piece) and all(
                placement[s] == piece for s, piece in after.items()
            ):
                return move
    return None


def _one_piece(
    position: ChessPosition,
    left: list[Square],
    came: list[Square],
    taken: list[Square],
    placement: Placement,
) -> ChessMove | None:
    """One own piece left a square and one stands on another; at most one enemy piece is gone."""
    board, white = position.board, position.white
    if len(left) != 1:
        return None
    origin, piece = left[0], board[left[0]]
    last = row(origin) == (1 if white else 6)
    if not came and not taken and piece in "Pp" and last:
        # The pawn is off and nothing stands for it: which square it aimed at is unknown.
        ahead = origin - 8 if white else origin + 8
        return ChessMove(origin, ahead)
    if len(came) != 1 or len(taken) > 1:
        return None
    target, shown = came[0], placement[came[0]]
    if shown == piece:
        return ChessMove(origin, target)
    if piece in "Pp" and row(target) in (0, 7):
        return ChessMove(origin, target, shown)
    return None


def _fault(
    position: ChessPosition, move: ChessMove, taken: list[Square], placement: Placement
) -> Reason | None:
    """Why the shown move is not legal, the first thing an arbiter would say."""
    board, white = position.board, position.white
    piece = board[move.origin]
    if move.rook >= 0:
        return _castling_reason(position, move)
    shown = {s for s in range(64) if placement[s] != board[s]}
    legal = [m for m in legal_moves(position) if (m.origin, m.target) == move[:2]]
    if any(
        m.promotion == move.promotion and {s for s, _ in changes(position, m)} == shown
        for m in legal
    ):
        return None
    if piece in "Kk" and not legal and abs(move.target - move.origin) == 2:
        return _king_alone(position, move)
    if piece in "Pp" and row(move.target) in (0, 7) and legal:
        return Reason.WRONG_PROMOTION if move.promotion else Reason.NOT_PROMOTED
    if legal or len(taken) > (board[move.target] in _PIECES[not white]):
        passes = piece in "Pp" and file(move.origin) != file(move.target)
        if not passes or legal:
            return Reason.SEVERAL_CHANGES
    return _geometry(position, move) or _exposed(position, move)


def _castling_reason(position: ChessPosition, move: ChessMove) -> Reason | None:
    if move.rook not in position.castling:
        return Reason.CASTLING_LOST
    if in_check(position.board, position.white):
        return Reason.CASTLING_IN_CHECK
    fault = castling_fault(position, move.origin, move.rook)
    if fault == "blocked":
        return Reason.CASTLING_BLOCKED
    return Reason.CASTLING_THROUGH_CHECK if fault else None


def _king_alone(position: ChessPosition, move: ChessMove) -> Reason:
    """The king went two squares as if to castle and the rook stayed."""
    rooks = [s for s in position.castling if row(s) == row(move.origin)]
    towards = [s for s in rooks if (s > move.origin) == (move.target > move.origin)]
    if not towards:
        return Reason.CANNOT_MOVE_SO
    reason = _castling_reason(position, move._replace(rook=towards[0]))
    return reason or Reason.CANNOT_MOVE_SO


def _geometry(position: ChessPosition, move: ChessMove) -> Reason | None:
    """What is wrong with the way the piece went, the kings left aside."""
    board, white = position.board, position.white
    origin, target = move.origin, move.target
    piece = board[origin]
    if board[target] in _PIECES[white]:
        return Reason.OWN_PIECE_THERE
    if board[target] in "Kk":
        return Reason.KING_CAPTURED
    right, down = file(target) - file(origin), row(target) - row(origin)
    if piece in "Pp":
        return _pawn_geometry(position, move, right, down)
    straight, slanted = right == 0 or down == 0, abs(right) == abs(down)
    fits = {
        "N": sorted((abs(right), abs(down))) == [1, 2],
        "K": max(abs(right), abs(down)) == 1,
        "R": straight,
        "B": slanted,
        "Q": straight or slanted,
    }[piece.upper()]
    if not fits:
        return Reason.CANNOT_MOVE_SO
    if piece in "NnKk":
        return None
    return None if _clear(board, origin, target) else Reason.BLOCKED


def _clear(board: str, origin: Square, target: Square) -> bool:
    right = (file(target) > file(origin)) - (file(target) < file(origin))
    down = (row(target) > row(origin)) - (row(target) < row(origin))
    step = 8 * down + right
    return all(board[at] == EMPTY for at in range(origin + step, target, step))


def _pawn_geometry(
    position: ChessPosition, move: ChessMove, right: int, down: int
) -> Reason | None:
    board, white = position.board, position.white
    ahead = -1 if white else 1
    if right == 0 and down in (ahead, 2 * ahead):
        if down == 2 * ahead and row(move.origin) != (6 if white else 1):
            return Reason.CANNOT_MOVE_SO
        way = range(move.origin + 8 * ahead, move.target + 8 * ahead, 8 * ahead)
        return None if all(board[at] == EMPTY for at in way) else Reason.BLOCKED
    if abs(right) != 1 or down != ahead:
        return Reason.CANNOT_MOVE_SO
    if board[move.target] != EMPTY or move.target == position.en_passant:
        return None
    passed = row(move.origin) * 8 + file(move.target)
    if board[passed] == ("p" if white else "P") and row(move.origin) == (3 if white else 4):
        # A double step earlier or none at all: the position alone cannot tell.
        return Reason.EN_PASSANT_LATE
    return Reason.CANNOT_MOVE_SO


def _exposed(position: ChessPosition, move: ChessMove) -> Reason:
    board, white = position.board, position.white
    if board[move.origin] in "Kk":
        return Reason.KING_INTO_CHECK
    if in_check(board, white):
        return Reason.KING_LEFT_IN_CHECK
    after = board_after(board, changes(position, move))
    return Reason.PINNED if in_check(after, white) else Reason.SEVERAL_CHANGES


def taken_as_played(
    position: ChessPosition, placement: Placement, to_move: Colour
) -> ChessPosition | None:
    """These pieces with that side to move; None unless each side has one king (3.10.3 aside).

    A right to castle stays while king and rook stand where they stood. Unknown pieces are taken for
    what the position has there.
    """
    pieces: list[Piece] = [
        before if shown == UNKNOWN else shown
        for before, shown in zip(position.board, placement, strict=True)
    ]
    if not all(piece in ".PNBRQKpnbrqk" for piece in pieces):
        return None
    if pieces.count("K") != 1 or pieces.count("k") != 1:
        return None
    castling = tuple(
        rook
        for rook in position.castling
        if pieces[rook] == position.board[rook]
        and pieces.index("K" if pieces[rook] == "R" else "k")
        == position.board.find("K" if pieces[rook] == "R" else "k")
    )
    pawns = [(s, m) for s, m in enumerate(pieces) if m in "Pp"]
    pawns_before = [(s, m) for s, m in enumerate(position.board) if m in "Pp"]
    fewer = pieces.count(EMPTY) != position.board.count(EMPTY)
    return ChessPosition(
        "".join(pieces),
        to_move is Colour.WHITE,
        castling,
        -1,
        0 if fewer or pawns != pawns_before else position.quiet + 1,
        position.number + (to_move is Colour.WHITE and not position.white),
    )
