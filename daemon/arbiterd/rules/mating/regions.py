"""Proofs by mobility: a few regions of positions that no move leaves and no mate can enter.

A region is a `Men` and what it settles to. Where a settlement with falling walls already excludes
mate, one region is the proof. Elsewhere the walls are held still; what can happen inside excludes
mate; and each way in which the stillness can end (a pawn moves, takes or is taken) leads to a
region of its own. White is the side that is to mate.
"""

from __future__ import annotations

from dataclasses import dataclass

from arbiterd.rules.bitboard_attacks import black_pawn_attacks, white_pawn_attacks
from arbiterd.rules.bitboard_constants import FULL, KING, PAWN
from arbiterd.rules.mating.mobility import (
    ANY,
    Men,
    fix_side,
    mate_conceivable,
    settle,
    steps,
    taking,
)

_START_RANK = {1: 0xFF << 48, 0: 0xFF << 8}
_LAST_RANKS = 0xFF000000000000FF

Man = tuple[int, int, int, int]
"""Kind, 1 for White, squares, 1 if there for certain."""


@dataclass(frozen=True, slots=True)
class Region:
    """All positions whose men stand on squares of `start` stay within `settled`."""

    start: tuple[Man, ...]
    settled: tuple[Man, ...]
    """The same men in the same order."""
    still: bool
    """The walls hold; what breaks them leads to another region of the proof."""


def prove(men: Men, limit: int) -> tuple[list[Region] | None, int]:
    """Regions that exclude a mate for ever, the first begins at `men`; or None.

    Also how many settlements that took; `limit` bounds them.
    """
    regions: list[Region] = []
    known = {men.key()}
    open_ = [men]
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


def _listed(men: Men) -> tuple[Man, ...]:
    return tuple((men.kind[i], men.white[i], men.reach[i], men.sure[i]) for i in range(men.count))


def outbreaks(men: Men) -> list[Men] | None:
    """All that the first move of a pawn, or the first capture of one, can lead to.

    `men` is settled with the walls still. None if White may promote: then nothing is proven.
    """
    men = _with_doubts(men)
    guarded = (fix_side(men, 0, still=True), fix_side(men, 1, still=True))
    found: list[Men] = []
    for i in range(men.count):
        if men.kind[i] == PAWN:
            moved = _pawn_moves(men, i)
            if moved is None:
                return None
            found += moved
        else:
            found += _pawns_taken(men, i, guarded[1 - men.white[i]])
    return found


def _with_doubts(men: Men) -> Men:
    """Whoever may have been taken meanwhile is no longer there for certain."""
    men = men.copy()
    taken = (taking(men, 1, still=True), taking(men, 0, still=True))
    for i in range(men.count):
        if men.kind[i] not in {PAWN, KING} and men.reach[i] & taken[men.white[i]]:
            men.doubt(i)
    return men


def _pawn_moves(men: Men, i: int) -> list[Men] | None:
    white, at = men.white[i], men.reach[i]
    forward = _ahead(at, white)
    walls = men.fixed_white | men.fixed_black
    found: list[Men] = []
    arrivals: list[tuple[int, int]] = []
    if not forward & walls:
        arrivals.append((-1, forward))
        twice = _ahead(forward, white)
        if at & _START_RANK[white] and not twice & walls:
            arrivals.append((-1, twice))
            found += _taken_in_passing(men, i, forward)
    attacks = white_pawn_attacks(at) if white else black_pawn_attacks(at)
    for j in range(men.count):
        if men.white[j] != white and men.kind[j] != KING:
            prey = men.reach[j] & attacks
            while prey:
                arrivals.append((j, prey & -prey))
                prey &= prey - 1
    for gone, square in arrivals:
        promoted = bool(square & _LAST_RANKS)
        if promoted and white:
            return None
        found.append(men.without(gone, i, ANY if promoted else PAWN, square))
    return found


def _ahead(square: int, white: int) -> int:
    return square >> 8 if white else square << 8


def _taken_in_passing(men: Men, i: int, passed: int) -> list[Men]:
    found: list[Men] = []
    for j in range(men.count):
        if men.white[j] != men.white[i] and men.kind[j] == PAWN:
            at = men.reach[j]
            if (white_pawn_attacks(at) if men.white[j] else black_pawn_attacks(at)) & passed:
                found.append(men.without(i, j, PAWN, passed))
    return found


def _pawns_taken(men: Men, i: int, guarded: int) -> list[Men]:
    """Man `i` takes a pawn. `guarded`: what the other side attacks for ever."""
    kind = men.kind[i]
    reached = FULL if kind == ANY else steps(kind, men.reach[i])
    if kind == KING:
        reached &= ~guarded
    return [
        men.without(p, i, kind, men.reach[p])
        for p in range(men.count)
        if men.kind[p] == PAWN and men.white[p] != men.white[i] and men.reach[p] & reached
    ]
