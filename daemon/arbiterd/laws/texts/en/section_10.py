"""Texts of catalogue section 10."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {}
