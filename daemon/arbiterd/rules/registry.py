"""The rule sets by the names they have in a configuration. A new one adds its line here."""

from __future__ import annotations

from functools import cache
from typing import Any

from arbiterd.rules.ruleset import RuleSet

RULESETS = ("chess", "chess960", "shogi", "guadalete")


@cache
def ruleset(name: str) -> RuleSet[Any, Any]:
    """The rule set of this name. Raises ValueError with a sentence for any other.

    Each is imported on its first use, so that a hall of chess never pays for shogi.
    """
    if name in {"chess", "chess960"}:
        from arbiterd.rules.chess import ChessRules

        return ChessRules(chess960=name == "chess960")
    if name == "shogi":
        from arbiterd.rules.shogi import ShogiRules

        return ShogiRules()
    if name == "guadalete":
        from arbiterd.rules.guadalete import GuadaleteRules

        return GuadaleteRules()
    raise ValueError(f"{name!r} is no rule set; write one of {', '.join(RULESETS)}")
