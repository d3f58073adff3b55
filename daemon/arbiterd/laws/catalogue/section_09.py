"""Section 9 of the rulings catalogue."""

from __future__ import annotations

from arbiterd.laws.catalogue.row import Row

ROWS: tuple[Row, ...] = ()
