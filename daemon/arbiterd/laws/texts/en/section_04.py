"""Texts of catalogue section 4."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {}
