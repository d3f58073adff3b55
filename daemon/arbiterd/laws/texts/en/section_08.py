"""Texts of catalogue section 8."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {}
