"""The rule sets by the names they have in a configuration. A new one adds its line here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from importlib import import_module
from typing import Any, Literal, get_args, get_origin, get_type_hints

from arbiterd.rules.ruleset import RuleSet

_MODULES = {
    "chess": "arbiterd.rules.chess:CHESS",
    "chess960": "arbiterd.rules.chess:CHESS960",
    "shogi": "arbiterd.rules.shogi:SHOGI",
    "guadalete": "arbiterd.rules.guadalete:GUADALETE",
}
"""Where each stands. It is imported on its first use: a hall of chess never pays for shogi."""

RULESETS = tuple(_MODULES)
"""Those that come with the service; `names` has those of one's own as well."""

_made: dict[str, RuleSet[Any, Any]] = {}


def ruleset(name: str) -> RuleSet[Any, Any]:
    """The rule set of this name. Raises ValueError with a sentence for any other."""
    if name not in _made:
        if name not in _MODULES:
            raise ValueError(f"{name!r} is no rule set; write one of {', '.join(names())}")
        module, _, value = _MODULES[name].partition(":")
        _made[name] = getattr(import_module(module), value)
    return _made[name]


def choices_of(name: str) -> tuple[str, ...]:
    """The choices that a rule set leaves to the organiser, by their names."""
    options = getattr(ruleset(name), "choices", None)
    return () if options is None else tuple(field.name for field in fields(options))


def chosen(name: str, options: Mapping[str, Any]) -> RuleSet[Any, Any]:
    """The rule set with these choices made otherwise. Raises ValueError with a sentence."""
    rules: Any = ruleset(name)
    if not options:
        return ruleset(name)
    given = {key: tuple(v) if isinstance(v, list) else v for key, v in options.items()}
    for key, value in given.items():
        if key not in choices_of(name):
            raise ValueError(f"{key!r} is no choice of {name}")
        _check(key, get_type_hints(type(rules.choices))[key], value)
    made: RuleSet[Any, Any] = type(rules)(replace(rules.choices, **given))
    return made


def _check(key: str, wanted: Any, value: object) -> None:
    if get_origin(wanted) is Literal and value not in get_args(wanted):
        raise ValueError(f"{key} is {value!r}; write one of {', '.join(get_args(wanted))}")
    texts = isinstance(value, tuple) and all(isinstance(each, str) for each in value)
    if get_origin(wanted) is tuple and not texts:
        raise ValueError(f"{key} is {value!r:.60}; write a list of texts")
    if wanted in (bool, int) and type(value) is not wanted:
        raise ValueError(f"{key} is {value!r}; write {'true or false' if wanted is bool else 0}")


def names() -> tuple[str, ...]:
    """All there are now, those that were added from outside last."""
    return tuple(dict.fromkeys((*RULESETS, *_made)))


def add(name: str, make: Callable[[], RuleSet[Any, Any]]) -> None:
    """Adds a rule set from outside. Raises ValueError where the name is taken."""
    if name in _MODULES or name in _made:
        raise ValueError(f"{name!r} is a rule set already; give yours another name")
    _made[name] = make()
