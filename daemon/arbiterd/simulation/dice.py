"""The one place where dice are made. From there they are handed down."""

from __future__ import annotations

from random import Random


def dice(seed: str) -> Random:
    """Dice from a text; the same text rolls the same in every process and on every machine."""
    return Random(seed)
