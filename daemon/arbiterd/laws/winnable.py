"""Can this side still mate? One door for all laws that ask (5.1.2, 5.2.2, 6.9, 7.5.5)."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from arbiterd.rules.ruleset import Colour, RuleSet


class Winnable(StrEnum):
    YES = "possible"
    NO = "impossible"
    UNKNOWN = "not-proven"


def winnable(rules: RuleSet[Any, Any], position: Any, side: Colour) -> Winnable:
    """Whether `side` has any series of legal moves that mates, as far as the men tell."""
    men = [piece for piece in rules.placement(position) if rules.owner(piece) is side]
    if len(men) == 1:
        return Winnable.NO
    return Winnable.UNKNOWN
