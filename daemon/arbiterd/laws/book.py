"""All laws, in the order of the articles. A new module of laws adds its two lines here."""

from __future__ import annotations

from arbiterd.laws import (
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
    art_07_5_illegal,
    art_07_6_found_later,
    art_08_record,
    art_09_claims,
    art_09_draws,
    art_12_reports,
    claims,
    examined,
    results,
    river,
    shogi,
)
from arbiterd.laws.register import LAWS, REPLIES, Law

# Importing a module enters its laws; they are asked in the order in which they were entered.
MODULES = (
    art_02_start,
    art_03_10_unlawful,
    art_03_7_pawns,
    art_03_moves,
    art_04_2_meanwhile,
    art_04_touch,
    art_05_ends,
    art_06_11_pauses,
    art_06_6_round,
    art_06_clock,
    art_06_flags,
    art_06_presses,
    art_07_1_orders,
    art_07_4_displaced,
    art_07_4_more,
    art_07_5_illegal,
    art_07_6_found_later,
    art_08_record,
    art_09_claims,
    art_09_draws,
    art_12_reports,
    claims,
    examined,
    results,
    river,
    shogi,
)

CHESS_ALONE = (
    art_03_10_unlawful,
    art_03_7_pawns,
    art_03_moves,
    art_04_2_meanwhile,
    art_04_touch,
    art_06_presses,
    art_07_4_displaced,
    art_07_4_more,
    art_07_5_illegal,
    art_07_6_found_later,
    art_09_claims,
)
"""Laws of chess and of games that follow it; shogi has none of touch-move and of the press."""

FOLLOW_CHESS = frozenset(("chess", "chess960", "guadalete"))

_CHESS_MODULES = frozenset(module.__name__ for module in CHESS_ALONE)
_EVERY: dict[type, tuple[Law, ...]] = {fact: tuple(laws) for fact, laws in LAWS.items()}
_GENERAL = {
    fact: tuple(law for law in laws if law.__module__ not in _CHESS_MODULES)
    for fact, laws in _EVERY.items()
}


def laws_of(fact: type, game: str) -> tuple[Law, ...]:
    """The laws that hear a fact in this game, in the order of `MODULES`."""
    return (_EVERY if game in FOLLOW_CHESS else _GENERAL).get(fact, ())


__all__ = ["LAWS", "MODULES", "REPLIES", "laws_of"]
