"""Can this side still mate, with the opponent's help, by any series of legal moves?

`can_mate` answers with a line, with a proof, or says that its budget of nodes ran out. It serves
resignation (5.1.2), the dead position (5.2.2), flag-fall (6.9) and the second illegal move (7.5.5).
The question knows no history: whether 9.6 limits the series is reported, not decided.
"""

from __future__ import annotations

from arbiterd.rules import bitboard, bitboard_text
from arbiterd.rules.bitboard import Position
from arbiterd.rules.bitboard_constants import PAWN
from arbiterd.rules.mating.ladder import Ladder, Mate
from arbiterd.rules.mating.reach import undefined
from arbiterd.rules.mating.verdict import (
    BUDGET_NODES,
    CanMate,
    ClosedSet,
    MatingAnswer,
    MatingQuestion,
    MatingVerdict,
    Proof,
    ProofKind,
)
from arbiterd.rules.mating.wording import proof_of
from arbiterd.rules.ruleset import Colour

__all__ = [
    "BUDGET_NODES",
    "CanMate",
    "ClosedSet",
    "MatingAnswer",
    "MatingQuestion",
    "MatingVerdict",
    "Proof",
    "ProofKind",
    "answered",
    "can_mate",
]


def can_mate(
    position: str | Position, side: Colour, budget_nodes: int = BUDGET_NODES
) -> MatingVerdict:
    """Is there any series of legal moves that ends in mate by `side`?

    `position` is a FEN of four or six fields, or a position of `bitboard`. Raises ValueError with
    a sentence for what is no FEN. Where the Laws do not define the moves (not one king each, a
    king that could be taken, pawns on the first or last rank) the answer is NOT_PROVEN.
    """
    quiet_plies = 0
    if isinstance(position, str):
        fields = position.split()
        pos = bitboard_text.read_fen(position)
        quiet_plies = int(fields[4]) if len(fields) == 6 else 0
    else:
        pos = position
    if undefined(pos):
        return MatingVerdict(side, CanMate.NOT_PROVEN, 0)
    if bitboard.plain_castling(pos):
        return _asked(pos, side, budget_nodes, quiet_plies)
    # Castling as only Chess960 has it: a line without it holds in orthodox chess too.
    first = _asked(bitboard.without_castling(pos, pos.ep), side, budget_nodes, quiet_plies)
    if first.answer is CanMate.POSSIBLE:
        return first
    return _asked(pos, side, budget_nodes, quiet_plies)


def _asked(pos: Position, side: Colour, budget_nodes: int, quiet_plies: int) -> MatingVerdict:
    ladder = Ladder(pos if side is Colour.WHITE else bitboard.mirrored(pos), budget_nodes)
    found = ladder.climb()
    if found is None:
        return MatingVerdict(side, CanMate.NOT_PROVEN, ladder.nodes)
    if not isinstance(found, Mate):
        return MatingVerdict(
            side, CanMate.IMPOSSIBLE, ladder.nodes, proof=proof_of(pos, side, found)
        )
    moves = found.line
    if side is Colour.BLACK:
        moves = tuple(bitboard.mirrored_move(move) for move in moves)
    line, within = _told(pos, moves, quiet_plies)
    return MatingVerdict(side, CanMate.POSSIBLE, ladder.nodes, line=line, within_9_6=within)


def _told(pos: Position, moves: tuple[int, ...], quiet: int) -> tuple[tuple[str, ...], bool]:
    """The line in UCI, and whether it keeps within 9.6: mate on the 75th move goes first.

    Forced moves, a closure and the two walks that may follow it visit no position twice, each by
    itself, so that none occurs five times.
    """
    chess960 = not bitboard.plain_castling(pos)
    told = tuple([bitboard_text.uci(move, chess960=chess960) for move in moves])
    if quiet + len(moves) <= 150:
        return told, True
    within = True
    for move in moves[:-1]:
        enemy = pos.black if pos.white_to_move else pos.white
        taken = enemy >> bitboard.target(move) & 1
        quiet = 0 if taken or bitboard.piece(move) == PAWN else quiet + 1
        within = within and quiet < 150
        pos = bitboard.play(pos, move)
    return told, within


def answered(question: MatingQuestion) -> MatingAnswer:
    """What a worker does. Pure: the same question has the same answer on every machine."""
    verdict = can_mate(question.fen, question.side, question.budget_nodes)
    proof = verdict.proof
    return MatingAnswer(
        question,
        verdict.answer,
        verdict.nodes,
        verdict.line,
        verdict.within_9_6,
        proof.kind if proof else None,
        proof.text if proof else None,
    )
