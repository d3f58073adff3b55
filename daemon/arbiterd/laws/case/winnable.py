"""Can this side still mate? One door for all laws that ask (5.1.2, 5.2.2, 6.9, 7.5.5)."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from typing import Any

from msgspec import Struct

from arbiterd.rules.bitboard_text import read_fen
from arbiterd.rules.mating import CanMate, MatingQuestion, can_mate
from arbiterd.rules.mating.reach import undefined
from arbiterd.rules.mating.watch import DeadWatch
from arbiterd.rules.ruleset import Colour, Prospects, Provable, RuleSet

NODES = 60_000
"""Beyond this the answer is not proven yet, and a worker goes on. A second or so at the worst."""
CACHED = 256
"""The same position is asked about from several articles."""
BEING_EXAMINED = "being-examined"
"""A worker has been asked: the ruling is revised when it answers."""


class Winnable(StrEnum):
    YES = "possible"
    NO = "impossible"
    UNKNOWN = "not-proven"


class Chance(Struct, frozen=True, gc=False):
    """The answer for one side, and what it rests on."""

    answer: Winnable
    proof: str | None = None
    """NO: why, in a sentence."""
    kind: str | None = None
    """NO: material, mobility, closed-set, forced or terminal."""
    line: tuple[str, ...] = ()
    """YES: moves that end in mate, where they were looked for."""
    question: MatingQuestion | None = None
    """UNKNOWN: what a worker with more nodes may still answer."""

    @property
    def said(self) -> str:
        """As it stands in the facts of a ruling."""
        return self.answer.value if self.question is None else BEING_EXAMINED


def winnable(rules: RuleSet[Any, Any], position: Any, side: Colour, nodes: int = NODES) -> Winnable:
    """Whether `side` has any series of legal moves that mates."""
    return chance(rules, position, side, nodes).answer


def chance(rules: RuleSet[Any, Any], position: Any, side: Colour, nodes: int = NODES) -> Chance:
    """The same with the proof or the line."""
    if isinstance(rules, Prospects):
        return _own_answer(rules.can_mate(position, side))
    if not isinstance(rules, Provable):
        return Chance(Winnable.YES)  # A game that knows no draw for want of force.
    pieces = [piece for piece in rules.placement(position) if rules.owner(piece) is side]
    if len(pieces) == 1:
        return Chance(Winnable.NO, "A bare king never mates.", "material")
    return _asked(rules.chess_fen(position), side, nodes)


def _own_answer(can: bool | None) -> Chance:
    """What a game that knows its own answer says."""
    if can is False:
        return Chance(Winnable.NO, "Its pieces can never mate in this game.", "material")
    return Chance(Winnable.YES if can else Winnable.UNKNOWN)


@lru_cache(maxsize=CACHED)
def _asked(fen: str, side: Colour, nodes: int) -> Chance:
    verdict = can_mate(fen, side, nodes)
    proof = verdict.proof
    ran_out = verdict.answer is CanMate.NOT_PROVEN and verdict.nodes > 0
    return Chance(
        Winnable(verdict.answer.value),
        None if proof is None else proof.text,
        None if proof is None else proof.kind.value,
        verdict.line or (),
        MatingQuestion(fen, side) if ran_out else None,
    )


def may_be_dead(rules: RuleSet[Any, Any], positions: tuple[Any, ...]) -> bool:
    """False where the last position is certainly alive; asked after every half-move.

    Other games than chess know their dead positions themselves (`RuleSet.end`).
    """
    if not isinstance(rules, Provable):
        return False
    fens = tuple(rules.chess_fen(position) for position in positions[-2:])
    if fens[-1] not in _watches:
        before = _watches.get(fens[0], DeadWatch())
        while len(_watches) >= WATCHES_KEPT:
            del _watches[next(iter(_watches))]
        position = read_fen(fens[-1])
        _watches[fens[-1]] = DeadWatch() if undefined(position) else before.after(position)
    return _watches[fens[-1]].may_be_dead


WATCHES_KEPT = 1024
"""Over all tables of one service. One that was forgotten is looked at anew, with the same answer
to what may be dead in the end: the proof itself never rests on it."""

_watches: dict[str, DeadWatch] = {}
