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
from functools import partial
from importlib import import_module
from types import MappingProxyType
from typing import Any

from arbiterd.laws.catalogue import SECTIONS
from arbiterd.laws.drafting import ANY_MOVE
from arbiterd.laws.languages import LANGUAGES
from arbiterd.laws.ruling import JsonValue, Ruling
from arbiterd.laws.texts.es.proofs import proved
from arbiterd.laws.texts.filling import UNKNOWN, Facts, Saying, Word, fill
from arbiterd.laws.texts.notation import Notation
from arbiterd.laws.texts.spoken import Speech, clock, signed
from arbiterd.rules.ruleset import Colour, RuleSet


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


PROOFS: MappingProxyType[str, Callable[[str], str]] = MappingProxyType({"es": proved})
"""Proofs are written in English; how another language says them. Left out: in English."""


def say(ruling: Ruling, language: str, rules: RuleSet[Any, Any], zone: str = "UTC") -> Text:
    """The ruling in one of `LANGUAGES`; times of the day are those of `zone`."""
    line, detail = TEXTS[language][ruling.kind]
    then = dict(ruling.facts).get("then")
    if then is not None:
        detail = f"{detail} {WORDS[language][f'then: {then}']}"
    filled = _filled(ruling, language, rules, zone)
    return Text(fill(line, filled), fill(detail, filled))


def _filled(ruling: Ruling, language: str, rules: RuleSet[Any, Any], zone: str) -> Facts:
    words, given = WORDS[language], dict(ruling.facts)
    speech = Speech(words, Notation(rules, ruling.position, words["letters of pieces"]), zone)
    seen: dict[str, Saying] = {
        name: partial(speech.fact, name, value)
        for name, value in given.items()
        if name != "hangs_on"
    }
    seen |= _sides(ruling.against, words)
    gains = Facts(_gains(ruling, words))
    result, otherwise = ruling.proposal.result, seen.get("otherwise", _unknown)

    def outcome() -> Word:
        said = "outcome: result" if result else "outcome: clocks" if gains["gains"].known else ""
        return Word(fill(words[said], facts) if said else "")

    facts = Facts(
        {
            **seen,
            **{name: partial(gains.__getitem__, name) for name in gains},
            "move": lambda: Word(_numbered(rules, ruling.position, ruling.ply)),
            "touched": lambda: speech.listed(_touched(ruling, speech), "and"),
            "obligation": lambda: _obligation(ruling, speech, given),
            # Where nothing is proposed a text may speak of a result that is a fact.
            "result": (lambda: Word(words.get(f"result: {result}", result)))
            if result
            else seen.get("result", _unknown),
            "outcome": outcome,
            "else": lambda: Word(fill(words["else"], facts) if otherwise().known else ""),
            "articles": lambda: Word(", ".join(ruling.articles)),
            "hangs_on": lambda: speech.listed(_earlier(ruling, words, rules), "or"),
        }
    )
    if "proof" in seen:
        facts = facts.but({"proof": lambda: _proof(seen["proof"](), language)})
    return facts.but(_block(ruling, words, facts))


def _unknown() -> Word:
    return UNKNOWN


def _proof(english: Word, language: str) -> Word:
    return Word(PROOFS.get(language, str)(english)) if english.known else english


def _obligation(ruling: Ruling, speech: Speech, given: Mapping[str, JsonValue]) -> Word:
    allowed = ruling.obligation
    if not allowed or given.get(ANY_MOVE):
        return Word(speech.words["any legal move"], known=False)
    if all(speech.notation.is_move(wire) for wire in allowed):
        allowed = speech.notation.moves(allowed)
    return speech.listed(allowed, "or")


def _sides(side: Colour | None, words: Mapping[str, str]) -> dict[str, Saying]:
    if side is None:
        return {
            "side": lambda: Word(words["a player"]),
            "opponent": lambda: Word(words["the opponent"]),
        }
    return {
        "side": lambda: Word(words[side.value]),
        "opponent": lambda: Word(words[side.other.value]),
    }


def _gains(ruling: Ruling, words: Mapping[str, str]) -> dict[str, Saying]:
    """What is proposed for the clocks; nothing is said of a side that gains nothing."""
    gains = dict(ruling.proposal.clock_delta_ms)

    def told() -> Word:
        gaining = [side for side in Colour if gains.get(side)]
        return Word(
            ", ".join(f"{words[f'clock {side}']} {signed(gains[side])}" for side in gaining)
        )

    return {
        "gain_white": lambda: Word(signed(gains.get(Colour.WHITE, 0))),
        "gain_black": lambda: Word(signed(gains.get(Colour.BLACK, 0))),
        "gains": told,
        "penalty": lambda: Word(clock(max(gains.values(), default=0)), known=bool(gains)),
    }


def _touched(ruling: Ruling, speech: Speech) -> Iterator[str]:
    for touch in ruling.touched:
        long = f" ({speech.duration(touch.down_ms)})" if touch.down_ms is not None else ""
        yield f"{speech.notation.letter(touch.piece.upper())}{touch.square}{long}"


def _block(ruling: Ruling, words: Mapping[str, str], facts: Facts) -> dict[str, Saying]:
    """What its number leads to (7.5.5), in the same words in every row."""
    block, done = dict(ruling.facts).get("block"), dict(ruling.facts).get("offender")
    if not block:
        return {"block": lambda: Word(""), "verdict": lambda: Word("")}
    by = ruling.against if done is None else Colour(str(done))
    known = facts if by is None else facts.but(_sides(by, words))
    return {
        "block": lambda: Word(fill(words[f"block: {block}"], known)),
        "verdict": lambda: Word(fill(words[f"verdict: {block}"], known)),
    }


def _earlier(ruling: Ruling, words: Mapping[str, str], rules: RuleSet[Any, Any]) -> Iterator[str]:
    """Illegal moves that are undecided, each with its number: 2.Nb1-b3."""
    hangs_on = dict(ruling.facts).get("hangs_on")
    for one in hangs_on if isinstance(hangs_on, list) else ():
        assert isinstance(one, dict), "a move and where it was played"
        fen, wire = str(one["position"]), str(one["move"])
        notation = Notation(rules, fen, words["letters of pieces"])
        played = notation.moves([wire])[0] if notation.is_move(wire) else wire
        yield _numbered(rules, fen, int(str(one["ply"]))) + (played or words["no move"])


def _numbered(rules: RuleSet[Any, Any], fen: str, ply: int) -> str:
    """The number of the move, from the position's own counter; half-moves where it has none."""
    fields = fen.split()
    if len(fields) < 6 or not fields[5].isdigit():
        return f"{ply}."
    dots = "." if rules.turn(rules.start(fen)) is rules.first else "..."
    return f"{fields[5]}{dots}"
