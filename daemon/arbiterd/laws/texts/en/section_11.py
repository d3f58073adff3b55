"""Texts of catalogue section 11."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {}
