"""What a text may name of its ruling, each put into words when a text first names it.

Names that hold for every ruling stand in `SAID`; all others are facts of the ruling itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from arbiterd.laws.drafting import ANY_MOVE
from arbiterd.laws.ruling import Ruling
from arbiterd.laws.texts.es.proofs import proved
from arbiterd.laws.texts.filling import UNKNOWN, Word, fill
from arbiterd.laws.texts.notation import Notation
from arbiterd.laws.texts.spoken import Speech, clock, signed
from arbiterd.rules.ruleset import Colour

PROOFS: Mapping[str, Callable[[str], str]] = MappingProxyType({"es": proved})
"""Proofs are written in English; how another language says them. Left out: in English."""


class NamedFacts(Mapping[str, Word]):
    """The words of one ruling in one language, by name."""

    __slots__ = ("_words", "given", "language", "ruling", "side", "speech")

    def __init__(
        self, ruling: Ruling, speech: Speech, language: str, side: Colour | None = None
    ) -> None:
        self.ruling, self.speech, self.language = ruling, speech, language
        self.side = ruling.against if side is None else side
        """Whose act is at issue."""
        self.given = dict(ruling.facts)
        self._words: dict[str, Word] = {}

    def __getitem__(self, name: str) -> Word:
        word = self._words.get(name)
        if word is None:
            said = SAID.get(name)
            word = self._words[name] = self.fact(name) if said is None else said(self)
        return word

    def __contains__(self, name: object) -> bool:
        return name in SAID or name in self.given

    def __iter__(self) -> Iterator[str]:
        return iter({**SAID, **self.given})

    def __len__(self) -> int:
        return len({**SAID, **self.given})

    def fact(self, name: str) -> Word:
        """A fact of the ruling itself. Raises KeyError where it has none of this name."""
        word = self.speech.fact(name, self.given[name])
        if name == "proof" and word.known:
            return Word(PROOFS.get(self.language, str)(word))
        return word

    def of(self, side: Colour | None) -> NamedFacts:
        """The same facts where it is this side's act that is at issue."""
        return self if side is None else NamedFacts(self.ruling, self.speech, self.language, side)


def _side(facts: NamedFacts) -> Word:
    words = facts.speech.words
    return Word(words["a player"] if facts.side is None else words[facts.side.value])


def _opponent(facts: NamedFacts) -> Word:
    words = facts.speech.words
    return Word(words["the opponent"] if facts.side is None else words[facts.side.other.value])


def _gain(facts: NamedFacts, side: Colour) -> Word:
    return Word(signed(dict(facts.ruling.proposal.clock_delta_ms).get(side, 0)))


def _gains(facts: NamedFacts) -> Word:
    """What is proposed for the clocks; nothing is said of a side that gains nothing."""
    gains, words = dict(facts.ruling.proposal.clock_delta_ms), facts.speech.words
    gaining = [side for side in Colour if gains.get(side)]
    return Word(", ".join(f"{words[f'clock {side}']} {signed(gains[side])}" for side in gaining))


def _penalty(facts: NamedFacts) -> Word:
    gains = dict(facts.ruling.proposal.clock_delta_ms)
    return Word(clock(max(gains.values(), default=0)), known=bool(gains))


def _penalty_kind(facts: NamedFacts) -> Word:
    """In words where it is one of the kinds the page offers (12.9), else as it was written."""
    kind = str(facts.given.get("penalty_kind") or "")
    return Word(facts.speech.words.get(f"penalty: {kind}", kind)) if kind else UNKNOWN


def _move(facts: NamedFacts) -> Word:
    return Word(_numbered(facts.speech.notation, facts.ruling.ply))


def _touched(facts: NamedFacts) -> Word:
    return facts.speech.listed(_touches(facts.ruling, facts.speech), "and")


def _touches(ruling: Ruling, speech: Speech) -> Iterator[str]:
    for touch in ruling.touched:
        long = f" ({speech.duration(touch.down_ms)})" if touch.down_ms is not None else ""
        yield f"{speech.notation.letter(touch.piece.upper())}{touch.square}{long}"


def _obligation(facts: NamedFacts) -> Word:
    speech, allowed = facts.speech, facts.ruling.obligation
    if not allowed or facts.given.get(ANY_MOVE):
        return Word(speech.words["any legal move"], known=False)
    if all(speech.notation.is_move(wire) for wire in allowed):
        allowed = speech.notation.moves(allowed)
    return speech.listed(allowed, "or")


def _result(facts: NamedFacts) -> Word:
    """Where nothing is proposed a text may speak of a result that is a fact."""
    result = facts.ruling.proposal.result
    if result:
        return Word(facts.speech.words.get(f"result: {result}", result))
    return facts.fact("result") if "result" in facts.given else UNKNOWN


def _outcome(facts: NamedFacts) -> Word:
    if facts.ruling.proposal.result:
        return Word(fill(facts.speech.words["outcome: result"], facts))
    return Word(fill(facts.speech.words["outcome: clocks"], facts) if facts["gains"].known else "")


def _else(facts: NamedFacts) -> Word:
    known = "otherwise" in facts.given and facts["otherwise"].known
    return Word(fill(facts.speech.words["else"], facts) if known else "")


def _articles(facts: NamedFacts) -> Word:
    return Word(", ".join(facts.ruling.articles))


def _hangs_on(facts: NamedFacts) -> Word:
    return facts.speech.listed(_earlier(facts), "or")


def _earlier(facts: NamedFacts) -> Iterator[str]:
    """Illegal moves that are undecided, each with its number: 2.Nb1-b3."""
    hangs_on, here = facts.given.get("hangs_on"), facts.speech.notation
    for one in hangs_on if isinstance(hangs_on, list) else ():
        assert isinstance(one, dict), "a move and where it was played"
        fen, wire = str(one["position"]), str(one["move"])
        notation = Notation(here.rules, fen, here.letters)
        played = notation.moves([wire])[0] if notation.is_move(wire) else wire
        number = _numbered(notation, int(str(one["ply"])))
        yield number + (played or facts.speech.words["no move"])


def _numbered(notation: Notation, ply: int) -> str:
    """The number of the move, from the position's own counter; half-moves where it has none."""
    fields, rules = notation.fen.split(), notation.rules
    if len(fields) < 6 or not fields[5].isdigit():
        return f"{ply}."
    dots = "." if rules.turn(rules.start(notation.fen)) is rules.first else "..."
    return f"{fields[5]}{dots}"


def _of_block(facts: NamedFacts, key: str) -> Word:
    """What its number leads to (7.5.5), in the same words in every row."""
    block, done = facts.given.get("block"), facts.given.get("offender")
    if not block:
        return Word("")
    by = facts.ruling.against if done is None else Colour(str(done))
    return Word(fill(facts.speech.words[f"{key}: {block}"], facts.of(by)))


SAID: Mapping[str, Callable[[NamedFacts], Word]] = MappingProxyType(
    {
        "side": _side,
        "opponent": _opponent,
        "move": _move,
        "touched": _touched,
        "obligation": _obligation,
        "gain_white": lambda facts: _gain(facts, Colour.WHITE),
        "gain_black": lambda facts: _gain(facts, Colour.BLACK),
        "gains": _gains,
        "penalty": _penalty,
        "penalty_kind": _penalty_kind,
        "result": _result,
        "outcome": _outcome,
        "else": _else,
        "articles": _articles,
        "hangs_on": _hangs_on,
        "block": lambda facts: _of_block(facts, "block"),
        "verdict": lambda facts: _of_block(facts, "verdict"),
    }
)
"""What every text may name, whatever its ruling is."""
