"""Times for people and programs: RFC 3339 in UTC with milliseconds, from nanoseconds."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

SECONDS_KEPT = 256
"""A message names the seconds of its half-move several times, and so do other tables."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def rfc3339(at_ns: int) -> str:
    """`2026-11-21T14:03:22.118Z`; milliseconds are cut, not rounded, so order is kept."""
    seconds, milliseconds = divmod(at_ns // 1_000_000, 1000)
    return f"{_to_the_second(seconds)}.{milliseconds:03d}Z"


@lru_cache(SECONDS_KEPT)
def _to_the_second(seconds: int) -> str:
    return f"{_EPOCH + timedelta(seconds=seconds):%Y-%m-%dT%H:%M:%S}"


def from_rfc3339(text: str) -> int:
    """Nanoseconds since the epoch. Raises ValueError where it is no such time."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(f"{text!r} has no time zone; write it in UTC, with a Z at the end")
    return (moment - _EPOCH) // timedelta(milliseconds=1) * 1_000_000


def day_there(text: str, zone: str) -> str:
    """The day on a wall of this zone at an RFC 3339 time: `2026-11-21`."""
    return f"{datetime.fromisoformat(text).astimezone(_zone(zone)):%Y-%m-%d}"


@lru_cache
def _zone(name: str) -> ZoneInfo:
    return ZoneInfo(name)
