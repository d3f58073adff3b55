"""Texts of catalogue section 6."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {}
