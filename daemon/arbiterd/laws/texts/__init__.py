"""What people read: one line for the list and one paragraph for the detail, per language.

A language is a folder: `words.py` (sides, reasons, results) and a file a section with
`TEXTS: dict[kind, (line, detail)]`. How they are filled stands in `filling.py`. A text may name
every fact of its ruling and:

    side opponent       whose act is at issue, and the other
    move                its number, as 12. or 12...
    touched             the ordered list of touches
    obligation          the moves allowed
    gains               what the clocks are to gain; gain_white gain_black penalty the same apart
    result outcome      the result proposed; it, or where there is none what the clocks gain
    else                where it is not proven who can mate: the result if they cannot
    articles            their numbers

A fact whose name ends in `_ms` is written as a duration, in `_clock` as on a clock, in `_at` as a
time of the day where the hall is; a move, a piece, a list as people write them.
"""

from __future__ import annotations

from importlib import import_module
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from arbiterd.laws.catalogue import SECTIONS
from arbiterd.laws.languages import LANGUAGES
from arbiterd.laws.ruling import Ruling
from arbiterd.laws.texts.filling import fill
from arbiterd.laws.texts.naming import NamedFacts
from arbiterd.laws.texts.notation import Notation
from arbiterd.laws.texts.spoken import Speech
from arbiterd.rules.ruleset import RuleSet


class Text(Struct, frozen=True, gc=False):
    line: str
    detail: str


def _gather(language: str) -> MappingProxyType[str, tuple[str, str]]:
    texts: dict[str, tuple[str, str]] = {}
    for section in SECTIONS:
        module = import_module(f"arbiterd.laws.texts.{language}.section_{section:02}")
        texts |= module.TEXTS
    return MappingProxyType(texts)


TEXTS = MappingProxyType({language: _gather(language) for language in LANGUAGES})
WORDS: MappingProxyType[str, dict[str, str]] = MappingProxyType(
    {
        language: import_module(f"arbiterd.laws.texts.{language}.words").WORDS
        for language in LANGUAGES
    }
)


def say(ruling: Ruling, language: str, rules: RuleSet[Any, Any], zone: str = "UTC") -> Text:
    """The ruling in one of `LANGUAGES`; times of the day are those of `zone`."""
    words = WORDS[language]
    line, detail = TEXTS[language][ruling.kind]
    then = dict(ruling.facts).get("then")
    if then is not None:
        detail = f"{detail} {words[f'then: {then}']}"
    notation = Notation(rules, ruling.position, words["letters of pieces"])
    facts = NamedFacts(ruling, Speech(words, notation, zone), language)
    return Text(fill(line, facts), fill(detail, facts))
