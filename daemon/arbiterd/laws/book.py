"""All laws, in the order of the articles. A new module of laws adds its two lines here."""

from __future__ import annotations

from arbiterd.laws import (
    art_02_start,
    art_03_7_pawns,
    art_03_10_unlawful,
    art_03_moves,
    art_04_touch,
    art_05_ends,
    art_06_6_round,
    art_06_11_pauses,
    art_06_clock,
    art_06_flags,
    art_06_presses,
    art_07_1_orders,
    art_07_4_displaced,
    art_07_5_illegal,
    art_07_6_found_later,
    art_08_record,
    art_09_claims,
    art_09_draws,
    art_12_reports,
    claims,
    results,
    river,
    shogi,
)
from arbiterd.laws.register import LAWS, REPLIES

# Importing a module enters its laws; they are asked in the order in which they were entered.
MODULES = (
    art_02_start,
    art_03_10_unlawful,
    art_03_7_pawns,
    art_03_moves,
    art_04_touch,
    art_05_ends,
    art_06_11_pauses,
    art_06_6_round,
    art_06_clock,
    art_06_flags,
    art_06_presses,
    art_07_1_orders,
    art_07_4_displaced,
    art_07_5_illegal,
    art_07_6_found_later,
    art_08_record,
    art_09_claims,
    art_09_draws,
    art_12_reports,
    claims,
    results,
    river,
    shogi,
)

__all__ = ["LAWS", "MODULES", "REPLIES"]
