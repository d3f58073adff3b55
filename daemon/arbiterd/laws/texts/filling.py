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
from collections.abc import Mapping
from string import Formatter
from typing import Self

NOTHING = "–"
"""Stands where a fact is not known and its sentence cannot do without."""

_CLAUSE = re.compile(r"\[([^\[\]]*)\]")


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


class _Known(dict[str, Word]):
    """Facts by their names, by `Side` with a capital letter."""

    def __missing__(self, name: str) -> Word:
        lower = name[:1].lower() + name[1:]
        if lower == name or lower not in self:
            return UNKNOWN
        word = self[lower]
        return Word(word[:1].upper() + word[1:], known=word.known)


def fill(template: str, facts: Mapping[str, Word]) -> str:
    """The text, without the clauses that there is nothing to say in."""
    known = _Known(facts)

    def said(clause: re.Match[str]) -> str:
        names = (name for _, name, _, _ in Formatter().parse(clause[1]) if name)
        return clause[1] if all(known[name].known for name in names) else ""

    return tidy(_CLAUSE.sub(said, template).format_map(known))


def tidy(text: str) -> str:
    """Single spaces; the first letter large, as a text may begin with a fact, but a square stays
    a square."""
    text = re.sub(r" {2,}", " ", text).strip()
    return text if text[1:2].isdigit() else text[:1].upper() + text[1:]
