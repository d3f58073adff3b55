"""Which chess moves are legal, and what each one changes. Chess960 castling included.

Written for speed: pins and checks are found once from the king, so that most moves need no
trial. Positions with no king, or several, are legal to ask about: every move is then tried.
"""

from __future__ import annotations

from typing import NamedTuple

from arbiterd.rules.chess_position import ChessPosition, file, row


class ChessMove(NamedTuple):
    """A move by its squares. Castling: the king's squares, and the rook's own in `rook`."""

    origin: int
    target: int
    promotion: str = ""
    """In the mover's own letter: Q or q."""
    rook: int = -1


def _walk(square: int, right: int, down: int) -> tuple[int, ...]:
    squares = []
    x, y = file(square) + right, row(square) + down
    while 0 <= x < 8 and 0 <= y < 8:
        squares.append(y * 8 + x)
        x, y = x + right, y + down
    return tuple(squares)


def _steps(square: int, steps: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    x, y = file(square), row(square)
    return tuple(
        (y + down) * 8 + x + right
        for right, down in steps
        if 0 <= x + right < 8 and 0 <= y + down < 8
    )


_STRAIGHT = ((1, 0), (-1, 0), (0, 1), (0, -1))
_SLANTED = ((1, 1), (1, -1), (-1, 1), (-1, -1))
_JUMPS = ((1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1))

STRAIGHT_RAYS = tuple(tuple(filter(None, (_walk(s, *d) for d in _STRAIGHT))) for s in range(64))
SLANTED_RAYS = tuple(tuple(filter(None, (_walk(s, *d) for d in _SLANTED))) for s in range(64))
Ways = tuple[dict[int, tuple[int, ...]], ...]
"""For each square those in line with it, and the way there: the squares between, then itself."""


def _ways(rays: tuple[tuple[tuple[int, ...], ...], ...]) -> Ways:
    return tuple({at: ray[: n + 1] for ray in of for n, at in enumerate(ray)} for of in rays)


_STRAIGHT_WAYS, _SLANTED_WAYS = _ways(STRAIGHT_RAYS), _ways(SLANTED_RAYS)
_ALL_WAYS = tuple(a | b for a, b in zip(_STRAIGHT_WAYS, _SLANTED_WAYS, strict=True))
_SLIDERS = {
    True: (("R", _STRAIGHT_WAYS), ("B", _SLANTED_WAYS), ("Q", _ALL_WAYS)),
    False: (("r", _STRAIGHT_WAYS), ("b", _SLANTED_WAYS), ("q", _ALL_WAYS)),
}
KNIGHT_STEPS = tuple(_steps(s, _JUMPS) for s in range(64))
KING_STEPS = tuple(_steps(s, _STRAIGHT + _SLANTED) for s in range(64))
PAWN_TAKES = {
    True: tuple(_steps(s, ((-1, -1), (1, -1))) for s in range(64)),
    False: tuple(_steps(s, ((-1, 1), (1, 1))) for s in range(64)),
}
PIECES = {True: frozenset("PNBRQK"), False: frozenset("pnbrqk")}
RAYS = {
    "R": STRAIGHT_RAYS,
    "B": SLANTED_RAYS,
    "Q": tuple(a + b for a, b in zip(STRAIGHT_RAYS, SLANTED_RAYS, strict=True)),
}


def attacked(board: str, square: int, by_white: bool) -> bool:
    """Whether a piece of that side attacks the square. A pinned piece attacks too (3.1.2)."""
    knight, king, pawn = "NKP" if by_white else "nkp"
    for way in _ways_of_sliders(board, square, by_white):
        for at in way:
            if board[at] != ".":
                break
        if at == way[-1]:
            return True
    for at in KNIGHT_STEPS[square]:
        if board[at] == knight:
            return True
    for at in PAWN_TAKES[not by_white][square]:
        if board[at] == pawn:
            return True
    return any(board[at] == king for at in KING_STEPS[square])


def _ways_of_sliders(board: str, square: int, by_white: bool) -> list[tuple[int, ...]]:
    """From the square to each rook, bishop and queen of that side that is in line with it,
    whatever stands between. To look for these few costs less than to walk all eight ways."""
    found: list[tuple[int, ...]] = []
    for slider, ways in _SLIDERS[by_white]:
        at = board.find(slider)
        while at >= 0:
            way = ways[square].get(at)
            if way is not None:
                found.append(way)
            at = board.find(slider, at + 1)
    return found


def in_check(board: str, white: bool) -> bool:
    """Whether a king of that side is attacked. Without a king: no."""
    king = "K" if white else "k"
    at = board.find(king)
    while at >= 0:
        if attacked(board, at, not white):
            return True
        at = board.find(king, at + 1)
    return False


def changes(position: ChessPosition, move: ChessMove) -> list[tuple[int, str]]:
    """The squares the move writes, some perhaps with what stood there already (chess960)."""
    board = position.board
    piece = board[move.origin]
    if move.rook >= 0:
        written = {move.origin: ".", move.rook: "."}
        written[move.target] = piece
        written[rook_target(move)] = board[move.rook]
        return sorted((s, m) for s, m in written.items() if board[s] != m)
    found = [(move.origin, "."), (move.target, move.promotion or piece)]
    if move.target == position.en_passant and piece in "Pp":
        found.append((row(move.origin) * 8 + file(move.target), "."))
    found.sort()
    return found


def rook_target(move: ChessMove) -> int:
    """Where the rook goes in a castling: the f-file or the d-file."""
    return row(move.origin) * 8 + (5 if file(move.target) == 6 else 3)


def board_after(board: str, written: list[tuple[int, str]]) -> str:
    """The pieces after these squares, which ascend, were written."""
    parts: list[str] = []
    at = 0
    for square, piece in written:
        parts += (board[at:square], piece)
        at = square + 1
    parts.append(board[at:])
    return "".join(parts)


def play(position: ChessPosition, move: ChessMove) -> ChessPosition:
    """The position after a move. En passant is kept only where it can legally be used."""
    board, white = position.board, position.white
    piece = board[move.origin]
    pawn = piece in "Pp"
    quiet = 0 if pawn or (move.rook < 0 and board[move.target] != ".") else position.quiet + 1
    castling = position.castling
    if castling:
        castling = _rights_left(position, move)
    after = ChessPosition(
        board_after(board, changes(position, move)),
        not white,
        castling,
        -1,
        quiet,
        position.number + (not white),
    )
    if pawn and abs(move.target - move.origin) == 16:
        return usable_en_passant(after._replace(en_passant=(move.origin + move.target) // 2))
    return after


def _rights_left(position: ChessPosition, move: ChessMove) -> tuple[int, ...]:
    king = position.board[move.origin] in "Kk"
    base = 56 if position.white else 0
    return tuple(
        rook
        for rook in position.castling
        if rook not in (move.origin, move.target) and not (king and base <= rook < base + 8)
    )


def usable_en_passant(position: ChessPosition) -> ChessPosition:
    """The same position, its en passant square struck out unless a capture there is legal."""
    square, white = position.en_passant, position.white
    if square < 0:
        return position
    passed = square + 8 if white else square - 8
    fits = (
        row(square) == (2 if white else 5)
        and position.board[square] == "."
        and position.board[passed] == ("p" if white else "P")
    )
    pawn = "P" if white else "p"
    if fits and any(
        position.board[at] == pawn and is_safe(position, ChessMove(at, square))
        for at in PAWN_TAKES[not white][square]
    ):
        return position
    return position._replace(en_passant=-1)


def is_safe(position: ChessPosition, move: ChessMove) -> bool:
    """By trial: no own king is attacked afterwards."""
    return not in_check(board_after(position.board, changes(position, move)), position.white)


def legal_moves(position: ChessPosition) -> tuple[ChessMove, ...]:
    """All legal moves, ordered by origin; the order is always the same."""
    king = "K" if position.white else "k"
    if position.board.count(king) == 1:
        return _with_one_king(position, position.board.index(king))
    return tuple(
        move
        for square, piece in enumerate(position.board)
        if piece in PIECES[position.white]
        for move in (ChessMove(square, *rest) for rest in _reach(position, square, piece))
        if position.board[move.target] not in "Kk"
        and (king not in position.board or is_safe(position, move))
    )


def _with_one_king(position: ChessPosition, king: int) -> tuple[ChessMove, ...]:
    board, white = position.board, position.white
    own, passed = PIECES[white], position.en_passant
    checks, pins = checks_and_pins(board, king, white)
    moves: list[ChessMove] = []
    for square, piece in enumerate(board):
        if piece not in own:
            continue
        if square == king:
            moves += _king_moves(position, king, bool(checks))
            continue
        if len(checks) > 1:
            continue
        pin = pins.get(square)
        for target, promotion in _reach(position, square, piece):
            if board[target] in "Kk":
                continue
            if target == passed and piece in "Pp":
                if is_safe(position, ChessMove(square, target)):
                    moves.append(ChessMove(square, target))
            elif (pin is None or target in pin) and (not checks or target in checks[0]):
                moves.append(ChessMove(square, target, promotion))
    return tuple(moves)


def checks_and_pins(
    board: str, king: int, white: bool
) -> tuple[list[tuple[int, ...]], dict[int, tuple[int, ...]]]:
    """For each check the squares that end it (without moving the king), for each pinned piece
    the squares it may still go to."""
    own = PIECES[white]
    checks: list[tuple[int, ...]] = []
    pins: dict[int, tuple[int, ...]] = {}
    for way in _ways_of_sliders(board, king, not white):
        pieces = [at for at in way if board[at] != "."]
        if len(pieces) == 1:
            checks.append(way)
        elif len(pieces) == 2 and board[pieces[0]] in own:
            pins[pieces[0]] = way
    knight, pawn = ("n", "p") if white else ("N", "P")
    checks += [(at,) for at in KNIGHT_STEPS[king] if board[at] == knight]
    checks += [(at,) for at in PAWN_TAKES[white][king] if board[at] == pawn]
    return checks, pins


def _king_moves(position: ChessPosition, king: int, checked: bool) -> list[ChessMove]:
    board, white = position.board, position.white
    own = PIECES[white]
    lifted = board[:king] + "." + board[king + 1 :]
    moves = [
        ChessMove(king, at)
        for at in KING_STEPS[king]
        if board[at] not in own and board[at] not in "Kk" and not attacked(lifted, at, not white)
    ]
    if not checked:
        moves += [
            ChessMove(king, king_target(king, rook), "", rook)
            for rook in position.castling
            if board[rook] == ("R" if white else "r")
            and row(rook) == row(king)
            and castling_fault(position, king, rook) is None
        ]
    return moves


def king_target(king: int, rook: int) -> int:
    """Where the king castles to: the g-file or the c-file."""
    return row(king) * 8 + (6 if rook > king else 2)


def castling_fault(position: ChessPosition, king: int, rook: int) -> str | None:
    """Why this castling is not possible now (3.8.2.2): `blocked` or `attacked`; None: it is."""
    board, white = position.board, position.white
    move = ChessMove(king, king_target(king, rook), "", rook)
    squares = (king, move.target, rook, rook_target(move))
    for at in range(min(squares), max(squares) + 1):
        on_the_way = min(king, move.target) <= at <= max(king, move.target) or min(
            rook, rook_target(move)
        ) <= at <= max(rook, rook_target(move))
        if on_the_way and at not in (king, rook) and board[at] != ".":
            return "blocked"
    lifted = board[:king] + "." + board[king + 1 :]
    step = 1 if move.target > king else -1
    if any(attacked(lifted, at, not white) for at in range(king, move.target, step)):
        return "attacked"
    after = board_after(board, changes(position, move))
    return "attacked" if attacked(after, move.target, not white) else None


def _reach(position: ChessPosition, square: int, piece: str) -> list[tuple[int, str]]:
    """Where a piece can go if checks and pins are left aside; with what a pawn becomes."""
    board, white = position.board, position.white
    own, kind = PIECES[white], piece.upper()
    if kind == "P":
        return pawn_reach(position, square)
    if kind in ("N", "K"):
        steps = KNIGHT_STEPS if kind == "N" else KING_STEPS
        return [(at, "") for at in steps[square] if board[at] not in own]
    found = []
    for ray in RAYS[kind][square]:
        for at in ray:
            other = board[at]
            if other == ".":
                found.append((at, ""))
                continue
            if other not in own:
                found.append((at, ""))
            break
    return found


def pawn_reach(position: ChessPosition, square: int) -> list[tuple[int, str]]:
    board, white = position.board, position.white
    ahead = square - 8 if white else square + 8
    targets = []
    if 0 <= ahead < 64 and board[ahead] == ".":
        targets.append(ahead)
        further = 2 * ahead - square
        if row(square) == (6 if white else 1) and board[further] == ".":
            targets.append(further)
    enemies = PIECES[not white]
    targets += [
        at for at in PAWN_TAKES[white][square] if board[at] in enemies or at == position.en_passant
    ]
    if row(ahead) in (0, 7):
        return [(at, letter) for at in targets for letter in ("QRBN" if white else "qrbn")]
    return [(at, "") for at in targets]
