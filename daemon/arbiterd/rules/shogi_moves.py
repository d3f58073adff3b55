"""Which shogi moves and drops are legal, and what each changes.

Checks and pins are found once from the king; a pawn drop that gives mate is found by trying the
answers. Positions without a king are legal to ask about (a problem's attacking side has none).
"""

from __future__ import annotations

from typing import NamedTuple

from arbiterd.rules.shogi_position import (
    HAND,
    PROMOTED,
    UNPROMOTED,
    ShogiPosition,
    hand_with,
)


class ShogiMove(NamedTuple):
    """From a square to a square, or a drop."""

    origin: int
    """-1: a drop."""
    target: int
    promotes: bool = False
    drop: str = ""
    """The kind dropped, a capital."""


def row(square: int) -> int:
    """0 is rank a."""
    return square // 9


def file(square: int) -> int:
    """0 is file 9."""
    return square % 9


Offset = tuple[int, int]
_GOLD: tuple[Offset, ...] = ((0, -1), (-1, -1), (1, -1), (-1, 0), (1, 0), (0, 1))
_SILVER: tuple[Offset, ...] = ((0, -1), (-1, -1), (1, -1), (-1, 1), (1, 1))
_STRAIGHT: tuple[Offset, ...] = ((0, -1), (-1, 0), (1, 0), (0, 1))
_SLANTED: tuple[Offset, ...] = ((-1, -1), (1, -1), (-1, 1), (1, 1))
_ALL = _STRAIGHT + _SLANTED

STEPS: dict[str, tuple[Offset, ...]] = {
    "P": ((0, -1),), "N": ((-1, -2), (1, -2)), "S": _SILVER, "G": _GOLD, "K": _ALL,
    "T": _GOLD, "M": _GOLD, "J": _GOLD, "Z": _GOLD, "H": _STRAIGHT, "D": _SLANTED,
}  # fmt: skip
"""Single steps by kind (right, down), as sente moves: up the board."""

SLIDES: dict[str, tuple[Offset, ...]] = {
    "L": ((0, -1),), "B": _SLANTED, "R": _STRAIGHT, "H": _SLANTED, "D": _STRAIGHT,
}  # fmt: skip


def _at(square: int, step: Offset) -> int:
    x, y = file(square) + step[0], row(square) + step[1]
    return y * 9 + x if 0 <= x < 9 and 0 <= y < 9 else -1


def _ray(square: int, step: Offset) -> tuple[int, ...]:
    squares: list[int] = []
    at = _at(square, step)
    while at >= 0:
        squares.append(at)
        at = _at(at, step)
    return tuple(squares)


def _mirrored(steps: tuple[Offset, ...], black: bool) -> tuple[Offset, ...]:
    return steps if black else tuple((right, -down) for right, down in steps)


_KINDS = sorted(set(STEPS) | set(SLIDES))
TARGETS: dict[str, tuple[tuple[int, ...], ...]] = {}
RAYS: dict[str, tuple[tuple[tuple[int, ...], ...], ...]] = {}
for _kind in _KINDS:
    for _black in (True, False):
        _piece = _kind if _black else _kind.lower()
        _steps = _mirrored(STEPS.get(_kind, ()), _black)
        _slides = _mirrored(SLIDES.get(_kind, ()), _black)
        TARGETS[_piece] = tuple(
            tuple(t for t in (_at(s, step) for step in _steps) if t >= 0) for s in range(81)
        )
        RAYS[_piece] = tuple(
            tuple(filter(None, (_ray(s, step) for step in _slides))) for s in range(81)
        )

_FROM_KING = tuple(tuple((step, _ray(s, step)) for step in _ALL) for s in range(81))


def _comers(table: dict[str, tuple[Offset, ...]], black: bool) -> dict[Offset, frozenset[str]]:
    """By direction seen from the target: which pieces of this side come from there."""
    return {
        step: frozenset(
            kind if black else kind.lower()
            for kind, steps in table.items()
            if (-step[0], -step[1]) in _mirrored(steps, black)
        )
        for step in _ALL
    }


_STEPPERS = {black: _comers(STEPS, black) for black in (True, False)}
_SLIDERS = {black: _comers(SLIDES, black) for black in (True, False)}
_KNIGHT_FROM = {
    # A knight of this side that attacks the square stands where the other side's would go.
    True: TARGETS["n"],
    False: TARGETS["N"],
}


def attackers(board: str, square: int, by_black: bool) -> list[tuple[int, ...]]:
    """For each piece that attacks the square, the squares that would stop it: the way and
    itself."""
    found: list[tuple[int, ...]] = []
    steppers, sliders = _STEPPERS[by_black], _SLIDERS[by_black]
    for step, ray in _FROM_KING[square]:
        for n, at in enumerate(ray):
            piece = board[at]
            if piece != ".":
                if (n == 0 and piece in steppers[step]) or piece in sliders[step]:
                    found.append(ray[: n + 1])
                break
    knight = "N" if by_black else "n"
    found += [(at,) for at in _KNIGHT_FROM[by_black][square] if board[at] == knight]
    return found


def attacked(board: str, square: int, by_black: bool) -> bool:
    steppers, sliders = _STEPPERS[by_black], _SLIDERS[by_black]
    for step, ray in _FROM_KING[square]:
        for n, at in enumerate(ray):
            piece = board[at]
            if piece != ".":
                if (n == 0 and piece in steppers[step]) or piece in sliders[step]:
                    return True
                break
    knight = "N" if by_black else "n"
    return any(board[at] == knight for at in _KNIGHT_FROM[by_black][square])


def in_check(board: str, black: bool) -> bool:
    """Whether that side's king is attacked. Without a king: no."""
    king = board.find("K" if black else "k")
    return king >= 0 and attacked(board, king, not black)


def _pins(board: str, king: int, black: bool) -> dict[int, tuple[int, ...]]:
    pins: dict[int, tuple[int, ...]] = {}
    sliders = _SLIDERS[not black]
    for step, ray in _FROM_KING[king]:
        shield = -1
        for n, at in enumerate(ray):
            piece = board[at]
            if piece == ".":
                continue
            if piece.isupper() == black:
                if shield >= 0:
                    break
                shield = at
                continue
            if shield >= 0 and piece in sliders[step]:
                pins[shield] = ray[: n + 1]
            break
    return pins


def in_zone(square: int, black: bool) -> bool:
    """The three ranks farthest from the player."""
    return row(square) < 3 if black else row(square) > 5


def never_moves_again(kind: str, square: int, black: bool) -> bool:
    """An unpromoted pawn, lance or knight there would have no move left."""
    ahead = row(square) if black else 8 - row(square)
    return (kind in "PL" and ahead == 0) or (kind == "N" and ahead < 2)


def legal_moves(position: ShogiPosition) -> tuple[ShogiMove, ...]:
    """All of them: pieces on the board in square order, then drops in the order of the hand."""
    board, black = position.board, position.black
    king = board.find("K" if black else "k")
    checks = attackers(board, king, not black) if king >= 0 else []
    pins = _pins(board, king, black) if king >= 0 else {}
    moves: list[ShogiMove] = []
    for square, piece in enumerate(board):
        if piece == "." or piece.isupper() != black:
            continue
        if square == king:
            moves += _king_moves(board, king, black)
        elif len(checks) < 2:
            pin = pins.get(square)
            for target in _reach(board, square, piece, black):
                if (pin is None or target in pin) and (not checks or target in checks[0]):
                    moves += _with_faces(square, target, piece, black)
    if len(checks) < 2:
        free = [at for at in (checks[0] if checks else range(81)) if board[at] == "."]
        moves += _drops(position, free)
    return tuple(moves)


def _reach(board: str, square: int, piece: str, black: bool) -> list[int]:
    found = [
        at for at in TARGETS[piece][square] if board[at] == "." or board[at].isupper() != black
    ]
    for ray in RAYS[piece][square]:
        for at in ray:
            other = board[at]
            if other == ".":
                found.append(at)
                continue
            if other.isupper() != black:
                found.append(at)
            break
    return [at for at in found if board[at] not in ("K", "k")]


def _king_moves(board: str, king: int, black: bool) -> list[ShogiMove]:
    lifted = board[:king] + "." + board[king + 1 :]
    return [
        ShogiMove(king, at)
        for at in _reach(board, king, board[king], black)
        if not attacked(lifted, at, not black)
    ]


def _with_faces(square: int, target: int, piece: str, black: bool) -> list[ShogiMove]:
    """Promoted where it may turn, unpromoted where it may stay so; the likelier face first."""
    found: list[ShogiMove] = []
    if piece in PROMOTED and (in_zone(square, black) or in_zone(target, black)):
        found.append(ShogiMove(square, target, promotes=True))
    if not never_moves_again(piece.upper(), target, black):
        found.insert(len(found) if piece not in "Ss" else 0, ShogiMove(square, target))
    return found


def _drops(position: ShogiPosition, free: list[int]) -> list[ShogiMove]:
    black = position.black
    hand = position.hands[0 if black else 1]
    found: list[ShogiMove] = []
    for kind, count in zip(HAND, hand, strict=True):
        if not count:
            continue
        for at in free:
            if never_moves_again(kind, at, black):
                continue
            if kind == "P" and (
                has_pawn_on_file(position.board, at, black) or _mates(position, at)
            ):
                continue
            found.append(ShogiMove(-1, at, drop=kind))
    return found


def has_pawn_on_file(board: str, square: int, black: bool) -> bool:
    """Nifu: an own unpromoted pawn stands on this file."""
    return ("P" if black else "p") in board[file(square) :: 9]


def _mates(position: ShogiPosition, square: int) -> bool:
    """Uchifuzume: the pawn dropped here would mate at once."""
    black = position.black
    ahead = square - 9 if black else square + 9
    if not 0 <= ahead < 81 or position.board[ahead] != ("k" if black else "K"):
        return False
    return is_drop_mate(position, square)


def is_drop_mate(position: ShogiPosition, square: int) -> bool:
    after = play(position, ShogiMove(-1, square, drop="P"))
    return in_check(after.board, after.black) and not legal_moves(after)


def play(position: ShogiPosition, move: ShogiMove) -> ShogiPosition:
    board, black = position.board, position.black
    own = 0 if black else 1
    hands = list(position.hands)
    target = move.target
    if move.drop:
        piece = move.drop if black else move.drop.lower()
        hands[own] = hand_with(hands[own], move.drop, -1)
    else:
        piece = board[move.origin]
        if move.promotes:
            piece = PROMOTED[piece]
        taken = board[target]
        if taken not in (".", "K", "k"):
            hands[own] = hand_with(hands[own], UNPROMOTED.get(taken, taken).upper(), 1)
        board = board[: move.origin] + "." + board[move.origin + 1 :]
    board = board[:target] + piece + board[target + 1 :]
    return ShogiPosition(board, not black, (hands[0], hands[1]), position.number + 1)
