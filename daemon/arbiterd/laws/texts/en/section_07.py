"""Texts of catalogue section 7."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {}
