"""The rule sets by the names they have in a configuration. A new one adds its line here."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from arbiterd.rules.ruleset import RuleSet

_MODULES = {
    "chess": "arbiterd.rules.chess:CHESS",
    "chess960": "arbiterd.rules.chess:CHESS960",
    "shogi": "arbiterd.rules.shogi:SHOGI",
    "guadalete": "arbiterd.rules.guadalete:GUADALETE",
}
"""Where each stands. It is imported on its first use: a hall of chess never pays for shogi."""

RULESETS = tuple(_MODULES)

_made: dict[str, RuleSet[Any, Any]] = {}


def ruleset(name: str) -> RuleSet[Any, Any]:
    """The rule set of this name. Raises ValueError with a sentence for any other."""
    if name not in _made:
        if name not in _MODULES:
            raise ValueError(f"{name!r} is no rule set; write one of {', '.join(RULESETS)}")
        module, _, value = _MODULES[name].partition(":")
        _made[name] = getattr(import_module(module), value)
    return _made[name]


def add(name: str, make: Callable[[], RuleSet[Any, Any]]) -> None:
    """Adds a rule set from outside. Raises ValueError where the name is taken."""
    if name in _MODULES or name in _made:
        raise ValueError(f"{name!r} is a rule set already; give yours another name")
    _made[name] = make()
