"""Proofs in sentences that an arbiter can read out."""

from __future__ import annotations

from arbiterd.rules import bitboard, bitboard_text
from arbiterd.rules.bitboard import Position
from arbiterd.rules.bitboard_constants import KING, PAWN
from arbiterd.rules.mating.ladder import NoMate
from arbiterd.rules.mating.material import army
from arbiterd.rules.mating.mobility import RangedPieces, attackable, fix_side
from arbiterd.rules.mating.regions import Region
from arbiterd.rules.mating.verdict import ClosedSet, Proof, ProofKind
from arbiterd.rules.ruleset import Colour


def proof_of(pos: Position, side: Colour, found: NoMate) -> Proof:
    """`pos` as it was asked; `found` seen with `side` as White."""
    at = pos
    moves: list[str] = []
    for move in found.forced:
        played = move if side is Colour.WHITE else bitboard.mirrored_move(move)
        uci = bitboard_text.uci(played)
        moves.append(f"{uci[:2]}-{uci[2:]}")
        at = bitboard.play(at, played)
    reason = _reason(at, side, found)
    kind = found.kind
    if moves:
        kind = ProofKind.FORCED
        listed = " ".join(moves[:12]) + (" ..." if len(moves) > 12 else "")
        reason = f"Only one series of moves exists, {listed}. Then: {reason}"
    return Proof(kind, reason, ClosedSet(found.positions, found.regions))


def _reason(pos: Position, side: Colour, found: NoMate) -> str:
    side_name, other_name = side.value.capitalize(), side.other.value.capitalize()
    if found.kind is ProofKind.TERMINAL:
        mover = "White" if pos.white_to_move else "Black"
        if bitboard.in_check(pos, pos.white_to_move):
            return f"{mover} is checkmated, the game is over."
        return f"{mover} is stalemated, the game is over."
    if found.kind is ProofKind.MATERIAL:
        return (
            f"White: {army(pos, pos.white)}; Black: {army(pos, pos.black)}: "
            f"no mate by {side_name} exists."
        )
    if found.kind is ProofKind.FORCED:
        return "the position repeats for ever."
    if found.kind is ProofKind.CLOSED_SET:
        count = len(found.positions) - len(found.forced)
        ways = f"; {len(found.regions)} walls that arise hold for ever" if found.regions else ""
        return (
            f"Only {count} positions that matter can still arise, and in none is {other_name} "
            f"checkmated{ways}."
        )
    return _mobility_reason(found.regions, side_name, other_name)


def _mobility_reason(regions: tuple[Region, ...], side: str, other: str) -> str:
    first = regions[0]
    pieces = RangedPieces()
    for kind, white, squares, sure in first.settled:
        pieces.add(kind, white, squares, sure)
    fix_side(pieces, 1, first.still)
    fix_side(pieces, 0, first.still)
    king = next(
        pieces.reach[i]
        for i in range(pieces.count)
        if pieces.kind[i] == KING and not pieces.white[i]
    )
    pawns = [piece for piece in first.settled if piece[0] == PAWN]
    blocked = all(squares & (squares - 1) == 0 for _, _, squares, _ in pawns)
    text = ""
    if pawns and blocked and not first.still:
        text = "The pawns are blocked for ever, and "
    elif first.still:
        text = "As long as the pawns stand, "
    if attackable(pieces) & king:
        text += f"wherever {side} may check, {other}'s king keeps a square that nothing can cover"
    else:
        text += f"no piece of {side} can ever attack a square that {other}'s king can reach"
    if len(regions) > 1:
        text += (
            f"; the same holds after each of the {len(regions) - 1} ways in which that can change"
        )
    return text[0].upper() + text[1:] + "."
