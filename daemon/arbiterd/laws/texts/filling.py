"""How a text is filled: facts in braces, clauses in square brackets.

{squares}                   the fact, as people write it
{Side}                      the same with a capital
{moves:move|moves}          a number and its word: 1 move, 2 moves
{in_time:in time|too late}  a yes or a no in words
{piece:a}                   a piece as "a rook" instead of "the rook"
[ Allowed: {obligation}.]   falls away where a fact in it is not known, or is nothing
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from string import Formatter
from typing import NamedTuple, Self

NOTHING = "–"
"""Stands where a fact is not known and its sentence cannot do without."""

_CLAUSE = re.compile(r"\[([^\[\]]*)\]")
_SPACES = re.compile(r" {2,}")
_TEMPLATES_KEPT = 4096
"""More than there are: each is taken apart once."""


class Word(str):
    """A fact as it is written, and the other forms a text may ask for."""

    __slots__ = ("known", "one", "truth")

    known: bool
    """Whether there is anything to say."""
    one: str
    """A piece as one of several: a rook."""
    truth: bool | None
    """A yes or a no."""

    def __new__(
        cls, text: str, *, known: bool = True, one: str = "", truth: bool | None = None
    ) -> Self:
        word = super().__new__(cls, text)
        word.known, word.one, word.truth = known and bool(text), one, truth
        return word

    def __format__(self, form: str) -> str:
        first, split, second = form.partition("|")
        if not split:
            return self.one or str(self) if form == "a" else str(self)
        if self.truth is not None:
            return first if self.truth else second
        return f"{self} {first if self == '1' else second}"


UNKNOWN = Word(NOTHING, known=False)


class _Slot(NamedTuple):
    """A literal, and the fact after it; without a name there is none."""

    literal: str
    name: str
    capital_of: str
    """The fact that `name` means with a capital letter, where there is none of its own."""
    form: str


class _Part(NamedTuple):
    """What always stands, or a clause."""

    is_clause: bool
    slots: tuple[_Slot, ...]


@lru_cache(_TEMPLATES_KEPT)
def _parts(template: str) -> tuple[_Part, ...]:
    return tuple(
        _Part(bool(place % 2), tuple(_slots(part)))
        for place, part in enumerate(_CLAUSE.split(template))
    )


def _slots(part: str) -> Iterator[_Slot]:
    for literal, name, form, _ in Formatter().parse(part):
        name = name or ""
        yield _Slot(literal, name, name[:1].lower() + name[1:], form or "")


def _word(slot: _Slot, facts: Mapping[str, Word]) -> Word:
    """A fact by its name, by `Side` with a capital letter."""
    if slot.name in facts:
        return facts[slot.name]
    if slot.capital_of not in facts:
        return UNKNOWN
    word = facts[slot.capital_of]
    return Word(word[:1].upper() + word[1:], known=word.known)


def fill(template: str, facts: Mapping[str, Word]) -> str:
    """The text, without the clauses that there is nothing to say in."""
    text = ""
    for is_clause, slots in _parts(template):
        said = ""
        for slot in slots:
            said += slot.literal
            if slot.name:
                word = _word(slot, facts)
                if is_clause and not word.known:
                    break
                said += format(word, slot.form) if slot.form else word
        else:
            text += said
    return tidy(text)


def tidy(text: str) -> str:
    """Single spaces; the first letter large, as a text may begin with a fact, but a square stays
    a square."""
    text = _SPACES.sub(" ", text).strip()
    return text if text[1:2].isdigit() else text[:1].upper() + text[1:]
