"""What an illegal move leads to (7.5.5): the times for a first one, the result for a second."""

from __future__ import annotations

from typing import Any

from arbiterd.laws.examining import chance_at
from arbiterd.laws.penalty import DRAW, lost_by, penalty_ms
from arbiterd.laws.ruling import Proposal
from arbiterd.laws.scene import Scene
from arbiterd.laws.winnable import Chance, Winnable
from arbiterd.rules.ruleset import Colour


def increment_ms(scene: Scene, ply: int) -> int:
    """What a press for this half-move credits: the increment of the period it falls into."""
    number = (ply + 1) // 2
    for period in scene.rate.periods:
        if period.moves is None or number <= period.moves:
            return period.increment_ms
        number -= period.moves
    return scene.rate.periods[-1].increment_ms if scene.rate.periods else 0


def illegal_gains(scene: Scene, side: Colour, ply: int, article: str) -> dict[Colour, int]:
    """What each clock gains for a first illegal move of `side` (7.5.5, A.3)."""
    gains = {side.other: penalty_ms(scene.rate, scene.settings)}
    takes_back = {
        "7.5.1": scene.settings.increment_back_7_5_1,
        "7.5.2": scene.settings.increment_back_7_5_2,
        "7.5.3": scene.settings.increment_back_7_5_3,
        "7.5.4": scene.settings.increment_back_7_5_4,
    }
    credited = increment_ms(scene, ply)
    if credited and takes_back[article]:
        gains[side] = -credited
    return gains


def ordered(gains: dict[Colour, int]) -> tuple[tuple[Colour, int], ...]:
    """White first, as a proposal has it."""
    return tuple((side, gains[side]) for side in Colour if side in gains)


def first_offence(
    scene: Scene, side: Colour, ply: int, article: str, restore: str, *, enforce: bool
) -> Proposal:
    """Pause, restore, have the touched piece moved, give the time."""
    actions = ("pause", "restore", *(("enforce-move",) if enforce else ()), "add-time")
    gains = illegal_gains(scene, side, ply, article)
    return Proposal(actions, ordered(gains), restore)


def second_offence(scene: Scene, side: Colour, position: Any) -> tuple[Proposal, Chance]:
    """Lost, or drawn where the opponent can never mate."""
    chance = chance_at(scene, position, side.other)
    result = DRAW if chance.answer is Winnable.NO else lost_by(side)
    return Proposal(("pause", "declare-result"), result=result), chance
