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
from arbiterd.rules.mating.verdict import Answer, Certificate, Verdict
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
"""The men a region begins with, in one order."""
ALL = frozenset(range(64))


@dataclass(frozen=True)
class Man:
    """One man of a region: what he is, where he may stand, whether he is there for certain."""

    kind: int
    white: bool
    squares: Squares
    sure: bool


def fault(fen: str, verdict: Verdict) -> str | None:
    """What is wrong with the verdict on this position, or None. NOT_PROVEN is never wrong."""
    board = chess.Board(fen if len(fen.split()) == 6 else f"{fen} 0 1")
    if verdict.answer is Answer.POSSIBLE:
        assert verdict.line is not None
        return line_fault(board, verdict.line, verdict.side)
    if verdict.answer is Answer.IMPOSSIBLE:
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


def certificate_fault(start: chess.Board, certificate: Certificate) -> str | None:
    positions = {_key(chess.Board(f"{write_fen(pos)} 0 1")) for pos in certificate.positions}
    regions: dict[Start, tuple[list[Man], list[Man], bool]] = {}
    for region in certificate.regions:
        begins = _men(region.start)
        regions[_without_order(begins)] = (begins, _men(region.settled), region.still)
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
    # A pawn that may be taken in passing now: the men alone do not tell.
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


def _men(listed: tuple[tuple[int, int, int, int], ...]) -> list[Man]:
    return [
        Man(
            kind,
            bool(white),
            frozenset(square ^ 56 for square in range(64) if squares >> square & 1),
            bool(sure),
        )
        for kind, white, squares, sure in listed
    ]


def _of_board(board: chess.Board) -> list[Man]:
    return [
        Man(piece.piece_type, piece.color, frozenset((square,)), sure=True)
        for square, piece in board.piece_map().items()
    ]


def _without_order(men: list[Man]) -> Start:
    return tuple(sorted((m.kind, m.white, m.sure, tuple(sorted(m.squares))) for m in men))


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
    begins: list[Man], settled: list[Man], still: bool, regions: Mapping[Start, object]
) -> str | None:
    for before, after in zip(begins, settled, strict=True):
        promoted = before.kind == PAWN and after.kind == ANY and not before.white and not still
        if before.kind != after.kind and not promoted:
            return "a man of a region changed his kind"
        if (before.white, before.sure) != (after.white, after.sure):
            return "a man of a region changed"
        if not before.squares <= after.squares:
            return "a region leaves out where it begins"
    fixed = {man for man in settled if _is_fixed(man, settled, still)}
    for man in settled:
        if not _one_step_on(man, settled, fixed, still) <= man.squares:
            return f"a region grows: {man}"
    if _mate_fits(settled, fixed):
        return "a mate fits into a region"
    if still:
        for after_break in _breaks(settled, fixed):
            if after_break is None:
                return "White may promote out of a region"
            if _without_order(after_break) not in regions:
                return "a way out of a region leads nowhere"
    return None


def _takes_on(men: list[Man], white: bool, still: bool) -> set[int]:
    """Squares on which that side may take."""
    found: set[int] = set()
    for man in men:
        if man.white is white:
            if man.kind == ANY:
                return set(ALL)
            if man.kind != PAWN:
                found |= man.squares
            elif not still:
                found |= _pawn_attacks(man.squares, white)
    return found


def _is_fixed(man: Man, men: list[Man], still: bool) -> bool:
    """On one square for certain and for ever."""
    if not man.sure or len(man.squares) != 1 or man.kind == ANY:
        return False
    if man.kind == KING or (man.kind == PAWN and still):
        return True
    return not man.squares & _takes_on(men, not man.white, still)


def _guards(fixed: set[Man], white: bool) -> set[int]:
    """What the fixed men of that side attack for ever, sliders at arm's length."""
    found: set[int] = set()
    for man in fixed:
        if man.white is white:
            pawn = man.kind == PAWN
            found |= _pawn_attacks(man.squares, white) if pawn else _steps(man)
    return found


def _steps(man: Man) -> set[int]:
    return _beside(man.squares, _STEPS[man.kind])


def _held(fixed: set[Man], *colours: bool) -> set[int]:
    return {square for man in fixed if man.white in colours for square in man.squares}


def _one_step_on(man: Man, men: list[Man], fixed: set[Man], still: bool) -> set[int]:
    own = _held(fixed, man.white)
    if still:
        own |= {square for other in men if other.kind == PAWN for square in other.squares}
    if man.kind == PAWN:
        return set() if still else _pawn_steps(man, men, fixed)
    if man.kind == ANY:
        return set(ALL) - own
    if man.kind == KING:
        return _steps(man) - own - _guards(fixed, not man.white)
    return _steps(man) - own


def _pawn_steps(man: Man, men: list[Man], fixed: set[Man]) -> set[int]:
    pushes = _beside(man.squares, ((0, 1 if man.white else -1),))
    pushes -= _held(fixed, True, False)
    pushes -= {square for square in pushes if _stopped(man, square, men)}
    prey = {s for o in men if o.white is not man.white and o.kind != KING for s in o.squares}
    found = pushes | _pawn_attacks(man.squares, man.white) & prey
    assert not any(square in range(8) or square in range(56, 64) for square in found), (
        "a pawn that may promote is listed as anything"
    )
    return found


def _stopped(man: Man, square: int, men: list[Man]) -> bool:
    """Does a pawn that for ever faces this one on its file bar the square?"""
    files = {at & 7 for at in man.squares}
    takes = _takes_on(men, man.white, still=False)
    for other in men:
        if other.kind != PAWN or other.white is man.white or not other.sure:
            continue
        if files | {at & 7 for at in other.squares} != {square & 7} or other.squares & takes:
            continue
        # A pawn began on the rearmost of its squares; facing: each ahead of the other's start.
        if man.white and max(man.squares) < max(other.squares) <= square:
            return True
        if not man.white and min(man.squares) > min(other.squares) >= square:
            return True
    return False


def _attacks(men: list[Man], fixed: set[Man]) -> set[int]:
    """All that White's men but the king could ever attack."""
    walls = _held(fixed, True, False)
    found: set[int] = set()
    for man in men:
        if not man.white or man.kind == KING:
            continue
        if man.kind == PAWN:
            found |= _pawn_attacks(man.squares, white=True)
        elif man.kind == KNIGHT:
            found |= _steps(man)
        else:
            for x, y in _STEPS[man.kind]:
                front: AbstractSet[int] = man.squares
                ray: set[int] = set()
                while front:
                    front = _beside(front, ((x, y),)) - ray
                    ray |= front
                    front = front - walls
                found |= ray
    return found


def _mate_fits(men: list[Man], fixed: set[Man]) -> bool:
    """Is there a square for a mated king whose flights could all be attacked, held or filled?"""
    attacked = _attacks(men, fixed)
    king = next(man for man in men if man.kind == KING and not man.white)
    other = next(man for man in men if man.kind == KING and man.white)
    black = [man for man in men if not man.white and man.kind != KING]
    for square in sorted(king.squares & attacked):
        around = _beside({square}, _STEPS[KING])
        flights = (around & king.squares) - attacked
        if _fill(flights, black):
            return True
        for post in sorted(other.squares - around - {square}):
            if _fill(flights - _beside({post}, _STEPS[KING]), black):
                return True
    return False


def _fill(flights: set[int], men: list[Man]) -> bool:
    """Can different men stand on all of these squares?"""
    if not flights:
        return True
    square, *rest = sorted(flights)
    return any(
        square in man.squares and _fill(set(rest), men[:number] + men[number + 1 :])
        for number, man in enumerate(men)
    )


def _breaks(men: list[Man], fixed: set[Man]) -> Iterator[list[Man] | None]:
    """All men after a first pawn's move or a first capture of one; None: White promotes."""
    takes = {white: _takes_on(men, white, still=True) for white in (True, False)}
    men = [
        replace(man, sure=False)
        if man.kind not in {PAWN, KING} and man.squares & takes[not man.white]
        else man
        for man in men
    ]
    walls = _held(fixed, True, False)
    for man in men:
        others = [other for other in men if other is not man]
        enemies = [other for other in others if other.white is not man.white]
        pawns = [other for other in enemies if other.kind == PAWN]
        if man.kind != PAWN:
            steps = set(ALL) if man.kind == ANY else _steps(man)
            if man.kind == KING:
                steps -= _guards(fixed, not man.white)
            for pawn in pawns:
                if pawn.squares & steps:
                    rest = [other for other in others if other is not pawn]
                    yield [*rest, replace(man, squares=pawn.squares, sure=True)]
            continue
        (ahead,) = _beside(man.squares, ((0, 1 if man.white else -1),))
        if ahead not in walls:
            yield _pawn_arrives(man, ahead, others)
            (home,) = man.squares
            twice = ahead + (8 if man.white else -8)
            if home >> 3 == (1 if man.white else 6) and twice not in walls:
                yield _pawn_arrives(man, twice, others)
                for pawn in pawns:
                    if ahead in _pawn_attacks(pawn.squares, pawn.white):
                        rest = [other for other in others if other is not pawn]
                        yield [*rest, replace(pawn, squares=frozenset((ahead,)))]
        for prey in enemies:
            if prey.kind != KING:
                rest = [other for other in others if other is not prey]
                for square in sorted(prey.squares & _pawn_attacks(man.squares, man.white)):
                    yield _pawn_arrives(man, square, rest)


def _pawn_arrives(man: Man, square: int, others: list[Man]) -> list[Man] | None:
    kind = ANY if square >> 3 in {0, 7} else PAWN
    if kind == ANY and man.white:
        return None
    return [*others, Man(kind, man.white, frozenset((square,)), sure=True)]
