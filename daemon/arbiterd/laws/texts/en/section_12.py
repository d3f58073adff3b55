"""Texts of catalogue section 12."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {}
