"""Texts of catalogue section 5."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {}
