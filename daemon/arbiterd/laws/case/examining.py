"""Proofs that take long: what a ruling asks a worker, and what workers have answered.

A ruling is made at once and says "being examined"; `examined` revises it when the answer comes.
"""

from __future__ import annotations

from typing import Any

from arbiterd.laws.case.scene import Scene
from arbiterd.laws.case.winnable import Chance, Winnable, chance
from arbiterd.laws.ruling import Asked
from arbiterd.rules.mating import MatingAnswer
from arbiterd.rules.ruleset import Colour


def chance_at(scene: Scene, position: Any, side: Colour) -> Chance:
    """Whether `side` can still mate, by what can be found at once or a worker has found."""
    found = chance(scene.rules, position, side)
    answers = (told for told in scene.file.examined if told.question == found.question)
    known = next(answers, None)
    return found if known is None else chance_told(known)


def chance_told(told: MatingAnswer) -> Chance:
    """The same as a worker told it."""
    kind = None if told.proof_kind is None else told.proof_kind.value
    return Chance(Winnable(told.answer.value), told.proof_text, kind, told.moves or ())


def asked(**chances: Chance) -> tuple[Asked, ...]:
    """The questions behind these facts that a worker is still to answer."""
    return tuple(
        Asked(fact, found.question) for fact, found in chances.items() if found.question is not None
    )
