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

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from types import MappingProxyType
from typing import Any

from arbiterd.laws.catalogue import SECTIONS
from arbiterd.laws.drafting import ANY_MOVE
from arbiterd.laws.ruling import Ruling
from arbiterd.laws.texts.es.proofs import proved
from arbiterd.laws.texts.filling import UNKNOWN, Word, fill
from arbiterd.laws.texts.notation import Notation
from arbiterd.laws.texts.spoken import Speech, clock, signed
from arbiterd.rules.ruleset import Colour, RuleSet

LANGUAGES = ("en", "es")


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


PROOFS: MappingProxyType[str, Callable[[str], str]] = MappingProxyType({"en": str, "es": proved})
"""Proofs are written in English; how another language says them."""


def say(ruling: Ruling, language: str, rules: RuleSet[Any, Any], zone: str = "UTC") -> Text:
    """The ruling in one of `LANGUAGES`; times of the day are those of `zone`."""
    line, detail = TEXTS[language][ruling.kind]
    then = dict(ruling.facts).get("then")
    if then is not None:
        detail = f"{detail} {WORDS[language][f'then: {then}']}"
    filled = _filled(ruling, WORDS[language], rules, zone)
    if filled.get("proof", UNKNOWN).known:
        filled["proof"] = Word(PROOFS[language](filled["proof"]))
    return Text(fill(line, filled), fill(detail, filled))


def _filled(
    ruling: Ruling, words: Mapping[str, str], rules: RuleSet[Any, Any], zone: str
) -> dict[str, Word]:
    speech = Speech(words, Notation(rules, ruling.position, words["letters of men"]), zone)
    facts = {name: speech.fact(name, value) for name, value in ruling.facts if name != "hangs_on"}
    facts |= _sides(ruling.against, words) | _gains(ruling, words)
    facts["move"] = Word(_numbered(rules, ruling.position, ruling.ply))
    facts["touched"] = speech.listed(_touched(ruling, speech), "and")
    allowed = ruling.obligation
    if all(speech.notation.is_move(wire) for wire in allowed):
        allowed = speech.notation.moves(allowed)
    bound = allowed and not dict(ruling.facts).get(ANY_MOVE)
    free = Word(words["any legal move"], known=False)
    facts["obligation"] = speech.listed(allowed, "or") if bound else free
    result = ruling.proposal.result
    # Where nothing is proposed a text may speak of a result that is a fact.
    facts["result"] = (
        Word(words.get(f"result: {result}", result)) if result else facts.get("result", UNKNOWN)
    )
    said = "outcome: result" if result else "outcome: clocks" if facts["gains"].known else ""
    facts["outcome"] = Word(fill(words[said], facts) if said else "")
    otherwise = facts.get("otherwise", UNKNOWN).known
    facts["else"] = Word(fill(words["else"], facts) if otherwise else "")
    facts["articles"] = Word(", ".join(ruling.articles))
    facts["hangs_on"] = speech.listed(_earlier(ruling, words, rules), "or")
    return facts | _block(ruling, words, facts)


def _sides(side: Colour | None, words: Mapping[str, str]) -> dict[str, Word]:
    if side is None:
        return {"side": Word(words["a player"]), "opponent": Word(words["the opponent"])}
    return {"side": Word(words[side.value]), "opponent": Word(words[side.other.value])}


def _gains(ruling: Ruling, words: Mapping[str, str]) -> dict[str, Word]:
    """What is proposed for the clocks; nothing is said of a side that gains nothing."""
    gains = dict(ruling.proposal.clock_delta_ms)
    told = [f"{words[f'clock {side}']} {signed(gains[side])}" for side in Colour if gains.get(side)]
    return {
        "gain_white": Word(signed(gains.get(Colour.WHITE, 0))),
        "gain_black": Word(signed(gains.get(Colour.BLACK, 0))),
        "gains": Word(", ".join(told), known=bool(told)),
        "penalty": Word(clock(max(gains.values(), default=0)), known=bool(gains)),
    }


def _touched(ruling: Ruling, speech: Speech) -> Iterator[str]:
    for touch in ruling.touched:
        long = f" ({speech.duration(touch.down_ms)})" if touch.down_ms is not None else ""
        yield f"{speech.notation.man(touch.piece.upper())}{touch.square}{long}"


def _block(ruling: Ruling, words: Mapping[str, str], facts: dict[str, Word]) -> dict[str, Word]:
    """What its number leads to (7.5.5), in the same words in every row."""
    block, done = dict(ruling.facts).get("block"), dict(ruling.facts).get("offender")
    if not block:
        return {"block": Word(""), "verdict": Word("")}
    by = ruling.against if done is None else Colour(str(done))
    known = facts | (_sides(by, words) if by is not None else {})
    return {name: Word(fill(words[f"{name}: {block}"], known)) for name in ("block", "verdict")}


def _earlier(ruling: Ruling, words: Mapping[str, str], rules: RuleSet[Any, Any]) -> Iterator[str]:
    """Illegal moves that are undecided, each with its number: 2.Nb1-b3."""
    hangs_on = dict(ruling.facts).get("hangs_on")
    for one in hangs_on if isinstance(hangs_on, list) else ():
        assert isinstance(one, dict), "a move and where it was played"
        fen, wire = str(one["position"]), str(one["move"])
        notation = Notation(rules, fen, words["letters of men"])
        played = notation.moves([wire])[0] if notation.is_move(wire) else wire
        yield _numbered(rules, fen, int(str(one["ply"]))) + (played or words["no move"])


def _numbered(rules: RuleSet[Any, Any], fen: str, ply: int) -> str:
    """The number of the move, from the position's own counter; half-moves where it has none."""
    fields = fen.split()
    if len(fields) < 6 or not fields[5].isdigit():
        return f"{ply}."
    dots = "." if rules.turn(rules.start(fen)) is rules.first else "..."
    return f"{fields[5]}{dots}"
