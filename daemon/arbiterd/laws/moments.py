"""Times as rulings name them."""

from __future__ import annotations

from datetime import UTC, datetime


def stamp(at_ns: int) -> str:
    """RFC 3339, UTC, milliseconds."""
    ms = at_ns // 1_000_000
    moment = datetime.fromtimestamp(ms // 1000, UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{ms % 1000:03}Z"
