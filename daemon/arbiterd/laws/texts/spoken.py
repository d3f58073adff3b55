"""Facts in words: numbers, times, squares, pieces, moves, yes and no."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import lru_cache
from zoneinfo import ZoneInfo

from msgspec import Struct

from arbiterd.laws.catalogue import ROWS
from arbiterd.laws.catalogue.row import Group
from arbiterd.laws.ruling import JsonValue
from arbiterd.laws.texts.filling import UNKNOWN, Word
from arbiterd.laws.texts.notation import Notation

WHOLE_SECONDS_MS = 10_000
"""From here on tenths of a second are no news."""
MINUTE_MS, HOUR_MS = 60_000, 3_600_000
WRITTEN = frozenset({"by", "note"})
"""What people write stands as they wrote it: an arbiter who signs as `b` is no bishop."""


class Speech(Struct, frozen=True, gc=False):
    """One language, one ruling."""

    words: Mapping[str, str]
    notation: Notation
    zone: str
    """The hall's, by its name: Europe/Madrid."""

    def fact(self, name: str, value: JsonValue) -> Word:
        """A fact of a ruling as people write it."""
        match value:
            case None | "":
                return UNKNOWN if name != "note" else Word("")
            case str() if name in WRITTEN:
                return Word(value)
            case bool():
                return Word(self.words["yes" if value else "no"], truth=value)
            case int():
                return self._number(name, value)
            case list():
                return self._list(value)
            case dict():
                told = (f"{self.words.get(k, k)} {self.fact(k, v)}" for k, v in value.items())
                return Word(", ".join(told))
            case _:
                return self._text(name, value)

    def _number(self, name: str, value: int) -> Word:
        if name.endswith("_ms"):
            return Word(self.duration(value), known=value != 0)
        return Word(clock(value) if name.endswith("_clock") else str(value))

    def _list(self, value: list[JsonValue]) -> Word:
        if all(isinstance(item, str) and self.notation.is_move(item) for item in value):
            return self.listed(self.notation.moves(str(item) for item in value), "and")
        said = [self.fact("", item) for item in value]
        if any(isinstance(item, dict) or (isinstance(item, str) and " " in item) for item in value):
            return Word("; ".join(said))
        return self.listed(said, "and")

    def _text(self, name: str, value: str) -> Word:
        notation = self.notation
        if name.endswith("_at"):
            return Word(self.time_of_day(value))
        if notation.is_move(value):
            return Word(notation.moves([value])[0])
        if value in ROWS:
            return Word(self.row(value))
        line = value.split()
        if len(line) > 1 and all(map(notation.is_move, line)):
            return Word(" ".join(notation.moves(line)))
        if notation.is_placed(value):
            return Word(notation.letter(value[0]) + value[1:])
        if len(value) == 1 and (one := self.words.get(f"a {value.upper()}")):
            return Word(self.words[value.upper()], one=one)
        return Word(self.words.get(value, value))

    def row(self, kind: str) -> str:
        """A row of the catalogue in a few words, where another ruling speaks of it."""
        row = ROWS[kind]
        group = Group.ILLEGAL if row.counts else row.group
        return self.words.get(kind) or self.words[f"row: {group or 'other'}"]

    def listed(self, items: Iterable[str], link: str) -> Word:
        """`b1, c1 and d1`; `link` is the key of the last word between them."""
        *first, last = [*items] or [""]
        if not first:
            return Word(last) if last else UNKNOWN
        joint = self.words.get(f"{link} {last[:1]}", self.words[link])
        return Word(f"{', '.join(first)}{joint}{last}")

    def duration(self, ms: int) -> str:
        """`2.1 s`, `45 s`, `2:00 min`."""
        if abs(ms) >= MINUTE_MS:
            return f"{clock(ms)} min" if abs(ms) < HOUR_MS else f"{clock(ms)} h"
        if abs(ms) >= WHOLE_SECONDS_MS or ms == 0:
            return f"{round(ms / 1000)} s"
        return f"{ms / 1000:.1f} s".replace(".", self.words["decimal mark"])

    def time_of_day(self, stamp: str) -> str:
        """`14:03:22.1` where the hall is; a flag and a mate may lie within a second."""
        if self.zone == "UTC":
            return f"{stamp[11:21]} UTC".replace(".", self.words["decimal mark"])
        there = datetime.fromisoformat(stamp).astimezone(_zone(self.zone))
        tenths = there.microsecond // 100_000
        return f"{there:%H:%M:%S}{self.words['decimal mark']}{tenths}"


@lru_cache
def _zone(name: str) -> ZoneInfo:
    return ZoneInfo(name)


def clock(ms: int) -> str:
    """As a chess clock shows it; a begun second is not shown."""
    seconds = abs(ms) // 1000
    hours, rest = divmod(seconds, 3600)
    text = f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"
    return f"-{text}" if ms < 0 else text


def signed(ms: int) -> str:
    return clock(ms) if ms < 0 else f"+{clock(ms)}"
