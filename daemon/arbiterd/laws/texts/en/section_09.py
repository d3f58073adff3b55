"""Texts of catalogue section 9."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {}
