"""Texts of catalogue section 2."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {}
