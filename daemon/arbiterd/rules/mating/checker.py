"""Checks verdicts of `can_mate` with none of its code: python-chess has the rules.

A line is played out and must end in mate. A certificate is a closed set, and closed is verified by
one application of each rule: every legal move from a position of the set must lead to another, to
material that cannot mate, or into a region; every region must hold what it begins with, must not
grow by any rule of movement, must exclude mate, and, where it only holds while the pawns stand,
every way to break that must lead into a region again. Small material is enumerated.

All is seen with White as the side that is to mate. Squares are python-chess's (0 is a1).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

import chess

from arbiterd.rules.bitboard_text import write_fen
from arbiterd.rules.mating.verdict import CanMate, ClosedSet, MatingVerdict
from arbiterd.rules.ruleset import Colour

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, ANY = range(1, 8)
_STRAIGHT = ((1, 0), (-1, 0), (0, 1), (0, -1))
_DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))
_JUMPS = ((1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1))
_STEPS = {
    KNIGHT: _JUMPS,
    BISHOP: _DIAGONAL,
    ROOK: _STRAIGHT,
    QUEEN: _STRAIGHT + _DIAGONAL,
    KING: _STRAIGHT + _DIAGONAL,
}
Squares = frozenset[int]
Start = tuple[tuple[int, bool, bool, tuple[int, ...]], ...]
"""The pieces a region begins with, in one order."""
ALL = frozenset(range(64))


@dataclass(frozen=True)
class RangedPiece:
    """One piece of a region: what it is, where it may stand, whether it is there for certain."""

    kind: int
    white: bool
    squares: Squares
    sure: bool


def fault(fen: str, verdict: MatingVerdict) -> str | None:
    """What is wrong with the verdict on this position, or None. NOT_PROVEN is never wrong."""
    board = chess.Board(fen if len(fen.split()) == 6 else f"{fen} 0 1")
    if verdict.answer is CanMate.POSSIBLE:
        assert verdict.line is not None
        return line_fault(board, verdict.line, verdict.side)
    if verdict.answer is CanMate.IMPOSSIBLE:
        assert verdict.proof is not None
        seen = board if verdict.side is Colour.WHITE else board.mirror()
        return certificate_fault(seen, verdict.proof.certificate)
    return None


def line_fault(board: chess.Board, line: tuple[str, ...], side: Colour) -> str | None:
    board = board.copy(stack=False)
    for number, text in enumerate(line, 1):
        move = chess.Move.from_uci(text)
        if not board.is_legal(move):
            return f"half-move {number}, {text}, is not legal"
        board.push(move)
    if not board.is_checkmate():
        return "the line does not end in mate"
    mated = Colour.WHITE if board.turn else Colour.BLACK
    return "the line ends in mate of the wrong king" if mated is side else None


def certificate_fault(start: chess.Board, certificate: ClosedSet) -> str | None:
    positions = {_key(chess.Board(f"{write_fen(pos)} 0 1")) for pos in certificate.positions}
    regions: dict[Start, tuple[list[RangedPiece], list[RangedPiece], bool]] = {}
    for region in certificate.regions:
        begins = _pieces(region.start)
        regions[_without_order(begins)] = (begins, _pieces(region.settled), region.still)
    if not _covered(start, positions, regions):
        return f"{start.fen()} is not in the set"
    for key in sorted(positions):
        board = chess.Board(f"{key} 0 1")
        if board.is_checkmate() and not board.turn:
            return f"{key} is mate"
        for move in board.legal_moves:
            after = board.copy(stack=False)
            after.push(move)
            if not _covered(after, positions, regions):
                return f"{after.fen()} is left out"
    for begins, settled, still in regions.values():
        wrong = _region_fault(begins, settled, still, regions)
        if wrong:
            return wrong
    return None


def _key(board: chess.Board) -> str:
    return board.epd(en_passant="legal")


def _covered(board: chess.Board, positions: set[str], regions: Mapping[Start, object]) -> bool:
    if _key(board) in positions:
        return True
    if any(board.legal_moves) and material_too_little(board):
        return True
    # A pawn that may be taken en passant now: the pieces alone do not tell.
    return not board.has_legal_en_passant() and _without_order(_of_board(board)) in regions


def material_too_little(board: chess.Board) -> bool:
    """The material facts for White."""
    own = {kind: len(board.pieces(kind, chess.WHITE)) for kind in range(1, 6)}
    other = {kind: len(board.pieces(kind, chess.BLACK)) for kind in range(1, 6)}
    if sum(own.values()) == 0:
        return True
    if own == {1: 0, 2: 1, 3: 0, 4: 0, 5: 0}:
        return sum(other.values()) == other[QUEEN]
    if sum(own.values()) == own[BISHOP] and not other[PAWN] and not other[KNIGHT]:
        colours = {(square & 7) + (square >> 3) & 1 for square in chess.SquareSet(board.bishops)}
        return len(colours) == 1
    return False


def _pieces(listed: tuple[tuple[int, int, int, int], ...]) -> list[RangedPiece]:
    return [
        RangedPiece(
            kind,
            bool(white),
            frozenset(square ^ 56 for square in range(64) if squares >> square & 1),
            bool(sure),
        )
        for kind, white, squares, sure in listed
    ]


def _of_board(board: chess.Board) -> list[RangedPiece]:
    return [
        RangedPiece(piece.piece_type, piece.color, frozenset((square,)), sure=True)
        for square, piece in board.piece_map().items()
    ]


def _without_order(pieces: list[RangedPiece]) -> Start:
    return tuple(sorted((m.kind, m.white, m.sure, tuple(sorted(m.squares))) for m in pieces))


# Regions.


def _beside(squares: AbstractSet[int], ways: tuple[tuple[int, int], ...]) -> set[int]:
    found = set()
    for square in squares:
        for x, y in ways:
            file, rank = (square & 7) + x, (square >> 3) + y
            if 0 <= file < 8 and 0 <= rank < 8:
                found.add(rank << 3 | file)
    return found


def _pawn_attacks(squares: AbstractSet[int], white: bool) -> set[int]:
    return _beside(squares, ((-1, 1), (1, 1)) if white else ((-1, -1), (1, -1)))


def _region_fault(
    begins: list[RangedPiece],
    settled: list[RangedPiece],
    still: bool,
    regions: Mapping[Start, object],
) -> str | None:
    for before, after in zip(begins, settled, strict=True):
        promoted = before.kind == PAWN and after.kind == ANY and not before.white and not still
        if before.kind != after.kind and not promoted:
            return "a piece of a region changed its kind"
        if (before.white, before.sure) != (after.white, after.sure):
            return "a piece of a region changed"
        if not before.squares <= after.squares:
            return "a region leaves out where it begins"
    fixed = {piece for piece in settled if _is_fixed(piece, settled, still)}
    for piece in settled:
        if not _one_step_on(piece, settled, fixed, still) <= piece.squares:
            return f"a region grows: {piece}"
    if _mate_fits(settled, fixed):
        return "a mate fits into a region"
    if still:
        for after_break in _breaks(settled, fixed):
            if after_break is None:
                return "White may promote out of a region"
            if _without_order(after_break) not in regions:
                return "a way out of a region leads nowhere"
    return None


def _takes_on(pieces: list[RangedPiece], white: bool, still: bool) -> set[int]:
    """Squares on which that side may take."""
    found: set[int] = set()
    for piece in pieces:
        if piece.white is white:
            if piece.kind == ANY:
                return set(ALL)
            if piece.kind != PAWN:
                found |= piece.squares
            elif not still:
                found |= _pawn_attacks(piece.squares, white)
    return found


def _is_fixed(piece: RangedPiece, pieces: list[RangedPiece], still: bool) -> bool:
    """On one square for certain and for ever."""
    if not piece.sure or len(piece.squares) != 1 or piece.kind == ANY:
        return False
    if piece.kind == KING or (piece.kind == PAWN and still):
        return True
    return not piece.squares & _takes_on(pieces, not piece.white, still)


def _guards(fixed: set[RangedPiece], white: bool) -> set[int]:
    """What the fixed pieces of that side attack for ever, sliders at arm's length."""
    found: set[int] = set()
    for piece in fixed:
        if piece.white is white:
            pawn = piece.kind == PAWN
            found |= _pawn_attacks(piece.squares, white) if pawn else _steps(piece)
    return found


def _steps(piece: RangedPiece) -> set[int]:
    return _beside(piece.squares, _STEPS[piece.kind])


def _held(fixed: set[RangedPiece], *colours: bool) -> set[int]:
    return {square for piece in fixed if piece.white in colours for square in piece.squares}


def _one_step_on(
    piece: RangedPiece, pieces: list[RangedPiece], fixed: set[RangedPiece], still: bool
) -> set[int]:
    own = _held(fixed, piece.white)
    if still:
        own |= {square for other in pieces if other.kind == PAWN for square in other.squares}
    if piece.kind == PAWN:
        return set() if still else _pawn_steps(piece, pieces, fixed)
    if piece.kind == ANY:
        return set(ALL) - own
    if piece.kind == KING:
        return _steps(piece) - own - _guards(fixed, not piece.white)
    return _steps(piece) - own


def _pawn_steps(piece: RangedPiece, pieces: list[RangedPiece], fixed: set[RangedPiece]) -> set[int]:
    pushes = _beside(piece.squares, ((0, 1 if piece.white else -1),))
    pushes -= _held(fixed, True, False)
    pushes -= {square for square in pushes if _stopped(piece, square, pieces)}
    prey = {s for o in pieces if o.white is not piece.white and o.kind != KING for s in o.squares}
    found = pushes | _pawn_attacks(piece.squares, piece.white) & prey
    assert not any(square in range(8) or square in range(56, 64) for square in found), (
        "a pawn that may promote is listed as anything"
    )
    return found


def _stopped(piece: RangedPiece, square: int, pieces: list[RangedPiece]) -> bool:
    """Does a pawn that for ever faces this one on its file bar the square?"""
    files = {at & 7 for at in piece.squares}
    takes = _takes_on(pieces, piece.white, still=False)
    for other in pieces:
        if other.kind != PAWN or other.white is piece.white or not other.sure:
            continue
        if files | {at & 7 for at in other.squares} != {square & 7} or other.squares & takes:
            continue
        # A pawn began on the rearmost of its squares; facing: each ahead of the other's start.
        if piece.white and max(piece.squares) < max(other.squares) <= square:
            return True
        if not piece.white and min(piece.squares) > min(other.squares) >= square:
            return True
    return False


def _attacks(pieces: list[RangedPiece], fixed: set[RangedPiece]) -> set[int]:
    """All that White's pieces but the king could ever attack."""
    walls = _held(fixed, True, False)
    found: set[int] = set()
    for piece in pieces:
        if not piece.white or piece.kind == KING:
            continue
        if piece.kind == PAWN:
            found |= _pawn_attacks(piece.squares, white=True)
        elif piece.kind == KNIGHT:
            found |= _steps(piece)
        else:
            for x, y in _STEPS[piece.kind]:
                front: AbstractSet[int] = piece.squares
                ray: set[int] = set()
                while front:
                    front = _beside(front, ((x, y),)) - ray
                    ray |= front
                    front = front - walls
                found |= ray
    return found


def _mate_fits(pieces: list[RangedPiece], fixed: set[RangedPiece]) -> bool:
    """Is there a square for a mated king whose flights could all be attacked, held or filled?"""
    attacked = _attacks(pieces, fixed)
    king = next(piece for piece in pieces if piece.kind == KING and not piece.white)
    other = next(piece for piece in pieces if piece.kind == KING and piece.white)
    black = [piece for piece in pieces if not piece.white and piece.kind != KING]
    for square in sorted(king.squares & attacked):
        around = _beside({square}, _STEPS[KING])
        flights = (around & king.squares) - attacked
        if _fill(flights, black):
            return True
        for post in sorted(other.squares - around - {square}):
            if _fill(flights - _beside({post}, _STEPS[KING]), black):
                return True
    return False


def _fill(flights: set[int], pieces: list[RangedPiece]) -> bool:
    """Can different pieces stand on all of these squares?"""
    if not flights:
        return True
    square, *rest = sorted(flights)
    return any(
        square in piece.squares and _fill(set(rest), pieces[:number] + pieces[number + 1 :])
        for number, piece in enumerate(pieces)
    )


def _breaks(
    pieces: list[RangedPiece], fixed: set[RangedPiece]
) -> Iterator[list[RangedPiece] | None]:
    """All pieces after a first pawn's move or a first capture of one; None: White promotes."""
    takes = {white: _takes_on(pieces, white, still=True) for white in (True, False)}
    pieces = [
        replace(piece, sure=False)
        if piece.kind not in {PAWN, KING} and piece.squares & takes[not piece.white]
        else piece
        for piece in pieces
    ]
    walls = _held(fixed, True, False)
    for piece in pieces:
        others = [other for other in pieces if other is not piece]
        enemies = [other for other in others if other.white is not piece.white]
        pawns = [other for other in enemies if other.kind == PAWN]
        if piece.kind != PAWN:
            steps = set(ALL) if piece.kind == ANY else _steps(piece)
            if piece.kind == KING:
                steps -= _guards(fixed, not piece.white)
            for pawn in pawns:
                if pawn.squares & steps:
                    rest = [other for other in others if other is not pawn]
                    yield [*rest, replace(piece, squares=pawn.squares, sure=True)]
            continue
        (ahead,) = _beside(piece.squares, ((0, 1 if piece.white else -1),))
        if ahead not in walls:
            yield _pawn_arrives(piece, ahead, others)
            (home,) = piece.squares
            twice = ahead + (8 if piece.white else -8)
            if home >> 3 == (1 if piece.white else 6) and twice not in walls:
                yield _pawn_arrives(piece, twice, others)
                for pawn in pawns:
                    if ahead in _pawn_attacks(pawn.squares, pawn.white):
                        rest = [other for other in others if other is not pawn]
                        yield [*rest, replace(pawn, squares=frozenset((ahead,)))]
        for prey in enemies:
            if prey.kind != KING:
                rest = [other for other in others if other is not prey]
                for square in sorted(prey.squares & _pawn_attacks(piece.squares, piece.white)):
                    yield _pawn_arrives(piece, square, rest)


def _pawn_arrives(
    piece: RangedPiece, square: int, others: list[RangedPiece]
) -> list[RangedPiece] | None:
    kind = ANY if square >> 3 in {0, 7} else PAWN
    if kind == ANY and piece.white:
        return None
    return [*others, RangedPiece(kind, piece.white, frozenset((square,)), sure=True)]
