"""Textos de la sección 4 del catálogo."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {}
