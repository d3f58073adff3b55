"""Texts of catalogue section 1."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {}
