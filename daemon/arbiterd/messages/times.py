"""Times for people and programs: RFC 3339 in UTC with milliseconds, from nanoseconds."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def rfc3339(at_ns: int) -> str:
    """`2026-11-21T14:03:22.118Z`; milliseconds are cut, not rounded, so order is kept."""
    milliseconds = at_ns // 1_000_000
    moment = _EPOCH + timedelta(milliseconds=milliseconds)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{milliseconds % 1000:03d}Z"


def from_rfc3339(text: str) -> int:
    """Nanoseconds since the epoch. Raises ValueError where it is no such time."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(f"{text!r} has no time zone; write it in UTC, with a Z at the end")
    return (moment - _EPOCH) // timedelta(milliseconds=1) * 1_000_000
