"""All laws, in the order in which they are asked: that of the articles, then what games add.

Of Article 6 the round and pauses come first: whether the clock may stand is asked before whose
clock runs.

A new module of laws adds its line here. In which games it is asked stands beside it; a single law
may say `unless` where it is entered.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import FunctionType, ModuleType
from typing import cast

from arbiterd.laws.articles import (
    art_02_start,
    art_03_7_pawns,
    art_03_10_unlawful,
    art_03_moves,
    art_04_2_meanwhile,
    art_04_touch,
    art_05_ends,
    art_06_6_round,
    art_06_11_pauses,
    art_06_clock,
    art_06_flags,
    art_06_presses,
    art_07_1_orders,
    art_07_4_displaced,
    art_07_4_more,
    art_07_5_5_standard_block,
    art_07_5_illegal,
    art_07_5_promotion,
    art_07_6_found_later,
    art_08_record,
    art_09_claims,
    art_09_draws,
    art_12_reports,
    claims,
    results,
)
from arbiterd.laws.docket import examined, notes
from arbiterd.laws.games import river, shogi
from arbiterd.laws.register import LAWS, OF, REPLIES, UNLESS, ActReply, Law
from arbiterd.rules.customs import Custom


@dataclass(frozen=True, slots=True)
class Chapter:
    """One module of laws."""

    module: ModuleType
    of: Custom | None = None
    """The games it is for; None: all of them."""

    def holds(self, customs: frozenset[Custom]) -> bool:
        return self.of is None or self.of in customs


CHAPTERS = (
    Chapter(art_02_start),
    Chapter(art_03_moves, Custom.PRESS),
    Chapter(art_03_7_pawns, Custom.CHESS_PIECES),
    Chapter(art_03_10_unlawful, Custom.CHESS_PIECES),
    Chapter(art_04_touch, Custom.TOUCH),
    Chapter(art_04_2_meanwhile, Custom.TOUCH),
    Chapter(art_05_ends),
    Chapter(art_06_6_round),
    Chapter(art_06_11_pauses),
    Chapter(art_06_presses, Custom.PRESS),
    Chapter(art_06_clock),
    Chapter(art_06_flags),
    Chapter(art_07_1_orders),
    Chapter(art_07_4_displaced, Custom.PRESS),
    Chapter(art_07_4_more, Custom.PRESS),
    Chapter(art_07_5_illegal, Custom.PRESS),
    Chapter(art_07_5_promotion, Custom.CHESS_PIECES),
    Chapter(art_07_5_5_standard_block, Custom.PRESS),
    Chapter(art_07_6_found_later, Custom.PRESS),
    Chapter(art_08_record),
    Chapter(art_09_draws),
    Chapter(art_09_claims, Custom.DRAW_CLAIMS),
    Chapter(art_12_reports),
    Chapter(claims),
    Chapter(results),
    Chapter(examined),
    Chapter(notes),
    Chapter(river, Custom.RIVER),
    Chapter(shogi, Custom.FOULS_LOSE),
)

_PLACE = {chapter.module.__name__: n for n, chapter in enumerate(CHAPTERS)}


def laws_of(fact: type, customs: frozenset[Custom]) -> tuple[Law, ...]:
    """The laws that hear a fact in a game with these customs, in the order of `CHAPTERS`; within
    one as they stand in it."""
    return _laws(customs).get(fact, ())


@lru_cache
def _laws(customs: frozenset[Custom]) -> Mapping[type, tuple[Law, ...]]:
    return {
        fact: tuple(sorted((law for law in laws if _holds(law, customs)), key=_place))
        for fact, laws in LAWS.items()
    }


def every() -> tuple[Law | ActReply, ...]:
    """All laws, in the order in which they are asked, and then what answers an act."""
    laws = dict.fromkeys(law for heard in LAWS.values() for law in heard)
    return (*sorted(laws, key=_place), *dict.fromkeys(sorted(REPLIES.values(), key=_place)))


def reply_of(name: str, customs: frozenset[Custom]) -> ActReply | None:
    """What answers `claim:threefold` in such a game; None: nothing does."""
    reply = REPLIES.get(name)
    return reply if reply is not None and _holds(reply, customs) else None


def answered(action: str, customs: frozenset[Custom]) -> tuple[str, ...]:
    """What this action may name in such a game: all claims that can be made in it."""
    names = sorted(REPLIES, key=lambda name: _place(REPLIES[name]))
    parts = (name.partition(":") for name in names if reply_of(name, customs) is not None)
    return tuple(named for of, _, named in parts if of == action and named)


def _place(asked: Law | ActReply) -> tuple[int, int]:
    """Its chapter, and the line it stands on there."""
    return _chapter(asked), cast("FunctionType", asked).__code__.co_firstlineno


def _chapter(asked: Law | ActReply) -> int:
    assert asked.__module__ in _PLACE, f"{asked.__module__} has no line in the book"
    return _PLACE[asked.__module__]


def _holds(asked: Law | ActReply, customs: frozenset[Custom]) -> bool:
    if not CHAPTERS[_chapter(asked)].holds(customs) or UNLESS.get(asked) in customs:
        return False
    return asked not in OF or OF[asked] in customs
