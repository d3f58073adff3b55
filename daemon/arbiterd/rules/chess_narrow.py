"""Legal moves that write chosen squares, without looking at all the others.

Tracking asks for them at every placement. Geometry comes first, from tables; checks and pins are
only looked at where it leaves a move. The order is that of `legal_moves`.
"""

from __future__ import annotations

from collections.abc import Collection

from arbiterd.rules.chess_moves import (
    KING_STEPS,
    KNIGHT_STEPS,
    PAWN_TAKES,
    PIECES,
    RAYS,
    ChessMove,
    attacked,
    castling_fault,
    checks_and_pins,
    is_safe,
    king_target,
    legal_moves,
    pawn_reach,
    rook_target,
)
from arbiterd.rules.chess_position import ChessPosition, file, row

Ways = dict[int, tuple[int, ...]]
"""Where a piece gets to on an empty board, in the order of `legal_moves`, and what is between."""


def _ways(kind: str, square: int) -> Ways:
    if kind in "NK":
        return dict.fromkeys((KNIGHT_STEPS if kind == "N" else KING_STEPS)[square], ())
    return {at: ray[:n] for ray in RAYS[kind][square] for n, at in enumerate(ray)}


def _pawn_ways(white: bool, square: int) -> Ways:
    ahead, home = (-8, 6) if white else (8, 1)
    targets = [square + ahead, *PAWN_TAKES[white][square]]
    return {at: () for at in (*targets, square + 2 * ahead) if row(square) == home or at in targets}


WAYS = {piece: tuple(_ways(piece.upper(), s) for s in range(64)) for piece in "NBRQKnbrqk"} | {
    piece: tuple(_pawn_ways(piece == "P", s) for s in range(64)) for piece in "Pp"
}


REACH = {
    piece: tuple(sum(1 << at for at in ways if 0 <= at < 64) for ways in of)
    for piece, of in WAYS.items()
}
"""The same squares, a bit each: most pieces reach none of those that are asked for."""


def moves_among(position: ChessPosition, squares: Collection[int]) -> tuple[ChessMove, ...]:
    """The legal moves of pieces on these squares to these squares, and castlings that write two."""
    if len(squares) < 2:
        return ()
    board, own = position.board, PIECES[position.white]
    king = _only_king(position)
    if king < 0:
        return tuple(
            m for m in legal_moves(position) if m.origin in squares and m.target in squares
        )
    found: list[ChessMove] = []
    wanted = sum(1 << square for square in set(squares))
    for square in squares:
        piece = board[square]
        if piece in own and REACH[piece][square] & wanted:
            found += _to(position, square, squares)
    castlings = _castlings(position, king, squares, least=2) if position.castling else []
    return _legal(position, king, found, castlings)


def moves_touching(position: ChessPosition, squares: Collection[int]) -> tuple[ChessMove, ...]:
    """The legal moves that write one of these squares, and perhaps some more."""
    king = _only_king(position)
    if king < 0:
        return legal_moves(position)
    board, own, passed = position.board, PIECES[position.white], position.en_passant
    victim = passed + 8 if position.white else passed - 8
    wanted = {*squares, passed} if passed >= 0 and victim in squares else set(squares)
    wanted = {square for square in wanted if board[square] not in own}
    found: list[ChessMove] = []
    reached = sum(1 << square for square in wanted)
    for square in range(64) if wanted else sorted(squares):
        piece = board[square]
        if piece in own:
            if square in squares:
                found += _to(position, square, WAYS[piece][square])
            elif REACH[piece][square] & reached:
                found += _to(position, square, wanted)
    castlings = _castlings(position, king, squares, least=1) if position.castling else []
    return _legal(position, king, found, castlings)


def _only_king(position: ChessPosition) -> int:
    """Where the king of the side to move stands; -1: there is none, or there are several."""
    king = "K" if position.white else "k"
    return position.board.index(king) if position.board.count(king) == 1 else -1


def _to(position: ChessPosition, square: int, wanted: Collection[int]) -> list[ChessMove]:
    """The moves of one piece to these squares if checks and pins are left aside."""
    board = position.board
    piece = board[square]
    ways = WAYS[piece][square]
    targets = [at for at in wanted if at in ways]
    if not targets:
        return []
    if len(targets) > 1:
        targets = [at for at in ways if at in targets]
    if piece in "Pp":
        if len(targets) == 1 and 1 <= row(targets[0]) <= 6:
            return _pawn_to(position, square, targets[0])
        return [
            ChessMove(square, at, letter)
            for at, letter in pawn_reach(position, square)
            if at in targets and board[at] not in "Kk"
        ]
    own = PIECES[position.white]
    found = []
    for at in targets:
        if board[at] in own or board[at] in "Kk":
            continue
        for between in ways[at]:
            if board[between] != ".":
                break
        else:
            found.append(ChessMove(square, at))
    return found


def _pawn_to(position: ChessPosition, square: int, target: int) -> list[ChessMove]:
    """The pawn's move to one square of its ways that is not the last, if it is open to it."""
    board, there = position.board, position.board[target]
    if file(square) != file(target):
        takes = there in PIECES[not position.white] and there not in "Kk"
        return [ChessMove(square, target)] if takes or target == position.en_passant else []
    leaps = abs(target - square) == 16
    if there != "." or (leaps and board[(square + target) // 2] != "."):
        return []
    return [ChessMove(square, target)]


def _castlings(
    position: ChessPosition, king: int, squares: Collection[int], least: int
) -> list[ChessMove]:
    """Castlings that write so many of these squares, whatever stands in the way."""
    first = row(king)
    if first not in [row(square) for square in squares]:
        return []
    found = []
    for rook in position.castling:
        if row(rook) == first and position.board[rook] == ("R" if position.white else "r"):
            move = ChessMove(king, king_target(king, rook), "", rook)
            written = (king, rook, move.target, rook_target(move))
            if sum(at in squares for at in written) >= least:
                found.append(move)
    return found


def _legal(
    position: ChessPosition, king: int, moves: list[ChessMove], castlings: list[ChessMove]
) -> tuple[ChessMove, ...]:
    """Those that leave the king in no check; castlings stand behind the king's other moves."""
    if not moves and not castlings:
        return ()
    board, white = position.board, position.white
    checks, pins = checks_and_pins(board, king, white)
    found: list[ChessMove] = []
    for move in moves:
        square, target, _, _ = move
        if square == king:
            lifted = board[:king] + "." + board[king + 1 :]
            if not attacked(lifted, target, not white):
                found.append(move)
        elif len(checks) < 2:
            if target == position.en_passant and board[square] in "Pp":
                if is_safe(position, move):
                    found.append(move)
            elif (square not in pins or target in pins[square]) and (
                not checks or target in checks[0]
            ):
                found.append(move)
    if castlings and not checks:
        allowed = [m for m in castlings if castling_fault(position, king, m.rook) is None]
        behind = next((n for n, m in enumerate(found) if m.origin > king), len(found))
        found[behind:behind] = allowed
    return tuple(found)
