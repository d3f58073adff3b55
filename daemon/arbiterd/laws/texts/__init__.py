"""What people read: one line for the list and one paragraph for the detail, per language.

A language is a folder: `words.py` (sides, reasons, results) and a file a section with
`TEXTS: dict[kind, (line, detail)]`. A text may name, in braces, every fact of its ruling and:

    side opponent       whose act is at issue, and the other
    move                its number, as 12. or 12...
    touched             the ordered list of touches
    obligation          the moves allowed
    gain_white gain_black penalty   what the clocks are to gain
    result outcome      the result proposed; it, or where there is none what the clocks gain
    else                where it is not proven who can mate: the result if he cannot
    articles            their numbers
    block verdict       what the number of an illegal move leads to (7.5.5): sentences; and for the
                        line, from the second on, the end of the game
    hangs_on            the illegal moves that have to stand for that

What has followed from time, as its fact `then` names it, is said after the detail.

A fact whose name ends in `_ms` is written in seconds, in `_clock` as on a clock, in `_at` as a time
of the day; a move of chess as people write it, with the language's letters.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from types import MappingProxyType
from typing import Any

from arbiterd.laws.catalogue import SECTIONS
from arbiterd.laws.ruling import JsonValue, Ruling
from arbiterd.laws.texts.notation import Notation
from arbiterd.rules.ruleset import Colour, RuleSet

LANGUAGES = ("en", "es")

NOTHING = "–"
"""Stands where a fact is not known."""


@dataclass(frozen=True, slots=True)
class Text:
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


class _Facts(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return "" if key == "note" else NOTHING


def say(ruling: Ruling, language: str, rules: RuleSet[Any, Any]) -> Text:
    """The ruling in one of `LANGUAGES`."""
    line, detail = TEXTS[language][ruling.kind]
    then = dict(ruling.facts).get("then")
    if then is not None:
        detail = f"{detail} {WORDS[language][f'then: {then}']}"
    filled = _filled(ruling, WORDS[language], rules)
    return Text(_tidy(line.format_map(filled)), _tidy(detail.format_map(filled)))


def _filled(ruling: Ruling, words: dict[str, str], rules: RuleSet[Any, Any]) -> _Facts:
    gains = dict(ruling.proposal.clock_delta_ms)
    notation = Notation(rules, ruling.position, words["letters of men"])
    facts = _Facts(
        {
            name: _spoken(name, value, words, notation)
            for name, value in ruling.facts
            if name != "hangs_on"
        }
    )
    against = ruling.against
    facts["side"] = words[against.value] if against else words["a player"]
    facts["opponent"] = words[against.other.value] if against else words["the opponent"]
    facts["move"] = _number(ruling)
    facts["touched"] = (
        ", ".join(
            f"{notation.man(touch.piece.upper())}{touch.square}"
            + (f" ({_seconds(touch.down_ms, words)})" if touch.down_ms is not None else "")
            for touch in ruling.touched
        )
        or words["nothing"]
    )
    allowed = ruling.obligation
    if all(notation.is_move(wire) for wire in allowed):
        allowed = notation.moves(allowed)
    facts["obligation"] = " ".join(allowed) or words["any legal move"]
    facts["gain_white"] = _signed(gains.get(Colour.WHITE, 0))
    facts["gain_black"] = _signed(gains.get(Colour.BLACK, 0))
    facts["penalty"] = _clock(max(gains.values(), default=0))
    facts["result"] = ruling.proposal.result or NOTHING
    said = "outcome: result" if ruling.proposal.result else "outcome: clocks" if gains else ""
    facts["outcome"] = words[said].format_map(facts) if said else ""
    facts["else"] = words["else"].format_map(facts) if dict(ruling.facts).get("otherwise") else ""
    facts["articles"] = ", ".join(ruling.articles)
    facts["hangs_on"] = words["or"].join(_earlier(ruling, words, rules))
    block = str(dict(ruling.facts).get("block", ""))
    done = dict(ruling.facts).get("offender")
    by = against if done is None else Colour(str(done))
    sides = {} if by is None else {"side": words[by.value], "opponent": words[by.other.value]}
    for name in ("block", "verdict"):
        said = words[f"{name}: {block}"] if block else ""
        facts[name] = said.format_map(_Facts(facts | sides))
    return facts


def _earlier(ruling: Ruling, words: dict[str, str], rules: RuleSet[Any, Any]) -> Iterator[str]:
    """Illegal moves that are undecided, each with its number: 2.Nb1-b3."""
    for one in _list(dict(ruling.facts).get("hangs_on")):
        assert isinstance(one, dict), "a move and where it was played"
        fen, wire = str(one["position"]), str(one["move"])
        notation = Notation(rules, fen, words["letters of men"])
        played = notation.moves([wire])[0] if notation.is_move(wire) else wire
        yield _numbered(fen, int(str(one["ply"]))) + (played or words["no move"])


def _list(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []


def _spoken(name: str, value: JsonValue, words: dict[str, str], notation: Notation) -> str:
    if isinstance(value, bool):
        return words["yes"] if value else words["no"]
    if value is None:
        return NOTHING
    if isinstance(value, int):
        if name.endswith("_ms"):
            return _seconds(value, words)
        return _clock(value) if name.endswith("_clock") else str(value)
    if isinstance(value, list):
        if all(isinstance(item, str) and notation.is_move(item) for item in value):
            value = [*notation.moves(str(item) for item in value)]
        return ", ".join(_spoken("", item, words, notation) for item in value) or words["nothing"]
    if isinstance(value, dict):
        return ", ".join(
            f"{words.get(key, key)} {_spoken(key, item, words, notation)}"
            for key, item in value.items()
        )
    if name.endswith("_at"):
        return f"{value[11:21]} UTC"
    if notation.is_move(value):
        return notation.moves([value])[0]
    if name == "piece":
        return notation.man(value)
    return words.get(value, value) or ("" if name == "note" else NOTHING)


def _number(ruling: Ruling) -> str:
    """The number of the move it speaks of, from the position's own counter."""
    return _numbered(ruling.position, ruling.ply)


def _numbered(fen: str, ply: int) -> str:
    fields: list[Any] = fen.split()
    number = fields[-1] if len(fields) >= 6 and fields[-1].isdigit() else (ply + 1) // 2
    dots = "..." if len(fields) > 1 and fields[1] == "b" else "."
    return f"{number}{dots}"


def _seconds(ms: int, words: dict[str, str]) -> str:
    return f"{ms / 1000:.1f} s".replace(".", words["decimal mark"])


def _clock(ms: int) -> str:
    seconds = abs(ms) // 1000
    hours, rest = divmod(seconds, 3600)
    text = f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"
    return f"-{text}" if ms < 0 else text


def _signed(ms: int) -> str:
    return _clock(ms) if ms < 0 else f"+{_clock(ms)}"


def _tidy(text: str) -> str:
    """The first letter large, as a text may begin with a fact; but a square stays a square."""
    text = text.strip()
    return text if text[1:2].isdigit() else text[:1].upper() + text[1:]
