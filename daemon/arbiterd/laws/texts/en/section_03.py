"""Texts of catalogue section 3."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {}
