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
from collections.abc import Callable, Iterator, Mapping
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

Saying = Callable[[], Word]
"""Puts one fact into words."""


class Facts(Mapping[str, Word]):
    """Facts by their names, each put into words when a text first names it."""

    def __init__(self, sayings: Mapping[str, Saying]) -> None:
        self._sayings = sayings
        self._words: dict[str, Word] = {}

    def __getitem__(self, name: str) -> Word:
        word = self._words.get(name)
        if word is None:
            word = self._words[name] = self._sayings[name]()
        return word

    def __contains__(self, name: object) -> bool:
        return name in self._sayings

    def __iter__(self) -> Iterator[str]:
        return iter(self._sayings)

    def __len__(self) -> int:
        return len(self._sayings)

    def but(self, sayings: Mapping[str, Saying]) -> Facts:
        """The same facts, some of them otherwise."""
        return Facts({**self._sayings, **sayings})


class _Piece(NamedTuple):
    """A literal, and the fact after it."""

    literal: str
    name: str | None
    form: str


@lru_cache(_TEMPLATES_KEPT)
def _parts(template: str) -> tuple[tuple[_Piece, ...], ...]:
    """What always stands and what is a clause, in turns."""
    return tuple(
        tuple(
            _Piece(literal, name, form or "") for literal, name, form, _ in Formatter().parse(part)
        )
        for part in _CLAUSE.split(template)
    )


def _word(name: str, facts: Mapping[str, Word]) -> Word:
    """A fact by its name, by `Side` with a capital letter."""
    if name in facts:
        return facts[name]
    lower = name[:1].lower() + name[1:]
    if lower not in facts:
        return UNKNOWN
    word = facts[lower]
    return Word(word[:1].upper() + word[1:], known=word.known)


def fill(template: str, facts: Mapping[str, Word]) -> str:
    """The text, without the clauses that there is nothing to say in."""
    return tidy("".join(_said(template, facts)))


def _said(template: str, facts: Mapping[str, Word]) -> Iterator[str]:
    for place, part in enumerate(_parts(template)):
        words = [None if name is None else _word(name, facts) for _, name, _ in part]
        if place % 2 and not all(word is None or word.known for word in words):
            continue
        for piece, word in zip(part, words, strict=True):
            yield piece.literal if word is None else piece.literal + format(word, piece.form)


def tidy(text: str) -> str:
    """Single spaces; the first letter large, as a text may begin with a fact, but a square stays
    a square."""
    text = _SPACES.sub(" ", text).strip()
    return text if text[1:2].isdigit() else text[:1].upper() + text[1:]
