"""Proofs by mobility: a few regions of positions that no move leaves and no mate can enter.

A region is a `RangedPieces` and what it settles to. Where a settlement with falling walls already
excludes mate, one region is the proof. Elsewhere the walls are held still; what can happen inside
excludes mate; and each way in which the stillness can end (a pawn moves, takes or is taken) leads
to a region of its own. White is the side that is to mate.
"""

from __future__ import annotations

from dataclasses import dataclass

from arbiterd.rules.bitboard_attacks import black_pawn_attacks, white_pawn_attacks
from arbiterd.rules.bitboard_constants import FULL, KING, PAWN
from arbiterd.rules.mating.mobility import (
    ANY,
    RangedPieces,
    fix_side,
    mate_conceivable,
    settle,
    steps,
    taking,
)

_START_RANK = {1: 0xFF << 48, 0: 0xFF << 8}
_LAST_RANKS = 0xFF000000000000FF

RangedPiece = tuple[int, int, int, int]
"""Kind, 1 for White, squares, 1 if there for certain."""


@dataclass(frozen=True, slots=True)
class Region:
    """All positions whose pieces stand on squares of `start` stay within `settled`."""

    start: tuple[RangedPiece, ...]
    settled: tuple[RangedPiece, ...]
    """The same pieces in the same order."""
    still: bool
    """The walls hold; what breaks them leads to another region of the proof."""


def prove(pieces: RangedPieces, limit: int) -> tuple[list[Region] | None, int]:
    """Regions that exclude a mate for ever, the first begins at `pieces`; or None.

    Also how many settlements that took; `limit` bounds them.
    """
    regions: list[Region] = []
    known = {pieces.key()}
    open_ = [pieces]
    spent = 0
    while open_:
        start = open_.pop()
        if spent >= limit:
            return None, spent
        spent += 1
        settled = start.copy()
        if settle(settled, still=False) and not mate_conceivable(settled):
            regions.append(Region(_listed(start), _listed(settled), still=False))
            continue
        spent += 1
        settled = start.copy()
        settle(settled, still=True)
        if mate_conceivable(settled):
            return None, spent
        following = outbreaks(settled)
        if following is None:
            return None, spent
        regions.append(Region(_listed(start), _listed(settled), still=True))
        for after in following:
            key = after.key()
            if key not in known:
                known.add(key)
                open_.append(after)
    return regions, spent


def _listed(pieces: RangedPieces) -> tuple[RangedPiece, ...]:
    return tuple(
        (pieces.kind[i], pieces.white[i], pieces.reach[i], pieces.sure[i])
        for i in range(pieces.count)
    )


def outbreaks(pieces: RangedPieces) -> list[RangedPieces] | None:
    """All that the first move of a pawn, or the first capture of one, can lead to.

    `pieces` is settled with the walls still. None if White may promote: then nothing is proven.
    """
    pieces = _with_doubts(pieces)
    guarded = (fix_side(pieces, 0, still=True), fix_side(pieces, 1, still=True))
    found: list[RangedPieces] = []
    for i in range(pieces.count):
        if pieces.kind[i] == PAWN:
            moved = _pawn_moves(pieces, i)
            if moved is None:
                return None
            found += moved
        else:
            found += _pawns_taken(pieces, i, guarded[1 - pieces.white[i]])
    return found


def _with_doubts(pieces: RangedPieces) -> RangedPieces:
    """Whoever may have been taken meanwhile is no longer there for certain."""
    pieces = pieces.copy()
    taken = (taking(pieces, 1, still=True), taking(pieces, 0, still=True))
    for i in range(pieces.count):
        if pieces.kind[i] not in {PAWN, KING} and pieces.reach[i] & taken[pieces.white[i]]:
            pieces.doubt(i)
    return pieces


def _pawn_moves(pieces: RangedPieces, i: int) -> list[RangedPieces] | None:
    white, at = pieces.white[i], pieces.reach[i]
    forward = _ahead(at, white)
    walls = pieces.fixed_white | pieces.fixed_black
    found: list[RangedPieces] = []
    arrivals: list[tuple[int, int]] = []
    if not forward & walls:
        arrivals.append((-1, forward))
        twice = _ahead(forward, white)
        if at & _START_RANK[white] and not twice & walls:
            arrivals.append((-1, twice))
            found += _taken_in_passing(pieces, i, forward)
    attacks = white_pawn_attacks(at) if white else black_pawn_attacks(at)
    for j in range(pieces.count):
        if pieces.white[j] != white and pieces.kind[j] != KING:
            prey = pieces.reach[j] & attacks
            while prey:
                arrivals.append((j, prey & -prey))
                prey &= prey - 1
    for gone, square in arrivals:
        promoted = bool(square & _LAST_RANKS)
        if promoted and white:
            return None
        found.append(pieces.without(gone, i, ANY if promoted else PAWN, square))
    return found


def _ahead(square: int, white: int) -> int:
    return square >> 8 if white else square << 8


def _taken_in_passing(pieces: RangedPieces, i: int, passed: int) -> list[RangedPieces]:
    found: list[RangedPieces] = []
    for j in range(pieces.count):
        if pieces.white[j] != pieces.white[i] and pieces.kind[j] == PAWN:
            at = pieces.reach[j]
            if (white_pawn_attacks(at) if pieces.white[j] else black_pawn_attacks(at)) & passed:
                found.append(pieces.without(i, j, PAWN, passed))
    return found


def _pawns_taken(pieces: RangedPieces, i: int, guarded: int) -> list[RangedPieces]:
    """Piece `i` takes a pawn. `guarded`: what the other side attacks for ever."""
    kind = pieces.kind[i]
    reached = FULL if kind == ANY else steps(kind, pieces.reach[i])
    if kind == KING:
        reached &= ~guarded
    return [
        pieces.without(p, i, kind, pieces.reach[p])
        for p in range(pieces.count)
        if pieces.kind[p] == PAWN
        and pieces.white[p] != pieces.white[i]
        and pieces.reach[p] & reached
    ]
