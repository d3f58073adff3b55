"""A journal's rows for people: a line each, in the order in which they were written."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from difflib import get_close_matches
from itertools import takewhile

import msgspec

from arbiterd.cli import WrongError
from arbiterd.journal.encode import BYTES, KINDS
from arbiterd.journal.reader import JournalReader
from arbiterd.journal.rows import InputRow, OutputRow, Unread
from arbiterd.messages import topics
from arbiterd.messages.times import from_rfc3339, rfc3339

NS_PER_S = 1_000_000_000
HALF_A_DAY = timedelta(hours=12)
TOPICS = (topics.MOVES, topics.RULINGS, topics.RESULT, topics.DEVICE, topics.REPLY, topics.LOG)
INPUTS = (*KINDS, BYTES, Unread.__name__)
"""The first words of inputs' lines."""


@dataclass(frozen=True, slots=True)
class TimelineFilter:
    """Which rows are shown. Times are nanoseconds since the epoch, both included."""

    table: str | None
    kinds: Collection[str]
    """Of inputs, and topics; empty: all."""
    begin_ns: int
    end_ns: int

    def has(self, row: InputRow | OutputRow) -> bool:
        """This row is one of them."""
        return self.begin_ns <= row.at_ns and (not self.kinds or _kind(row) in self.kinds)


def moment_ns(text: str, last_ns: int, option: str) -> int:
    """14:05 or 14:05:30 on the day of `last_ns` by this machine's clock, or an RFC 3339 time.

    Where that is more than half a day after `last_ns` the evening before is meant: at twenty past
    midnight, 23:50. Raises WrongError.
    """
    try:
        if "T" in text:
            return from_rfc3339(text)
        last = datetime.fromtimestamp(last_ns / NS_PER_S, UTC).astimezone()
        # Without an offset: summer time may have begun or ended since.
        moment = datetime.combine(last.date(), time.fromisoformat(text), None)
        if moment - last.replace(tzinfo=None) > HALF_A_DAY:
            moment -= timedelta(days=1)
        return int(moment.timestamp()) * NS_PER_S
    except ValueError:
        raise WrongError(
            f"{option} {text!r} is no time; write 14:05, 14:05:30 or 2026-11-21T14:05:00Z"
        ) from None


def kinds(only: Collection[str]) -> frozenset[str]:
    """What `--only` names, none of it mistyped. Raises WrongError."""
    for each in only:
        if each not in TOPICS and each not in INPUTS:
            near = get_close_matches(each, (*TOPICS, *INPUTS), 1)
            mend = f"did you mean {near[0]}?" if near else f"write {', '.join(TOPICS)}, Scan, Act …"
            raise WrongError(f"--only {each!r} is no kind of row; {mend}")
    return frozenset(only)


def timeline(read: JournalReader, wanted: TimelineFilter) -> Iterator[str]:
    """The lines."""
    # A row may be stamped a little before the one in front of it, never by as much as a minute.
    beyond_ns = wanted.end_ns + 60 * NS_PER_S
    rows = takewhile(lambda row: row.at_ns <= beyond_ns, read.in_order(wanted.table))
    return (_line(row) for row in rows if wanted.has(row) and row.at_ns <= wanted.end_ns)


def _kind(row: InputRow | OutputRow) -> str:
    if isinstance(row, OutputRow):
        return row.topic.partition("/")[0]
    return BYTES if row.item is None else type(row.item).__name__


def _line(row: InputRow | OutputRow) -> str:
    begin = f"{rfc3339(row.at_ns)}  {row.table:>4}"
    if isinstance(row, OutputRow):
        return f"{begin}  > {row.topic} {row.seq or ''}"
    what = f"{len(row.raw)} bytes" if row.item is None else _words(row.item)
    return f"{begin}  {row.number} {what}"


def _words(item: object) -> str:
    """A value on one line: its kind, and the fields that say something."""
    said = msgspec.to_builtins(item)
    said.pop("at_ns", None)
    if "placement" in said:
        said["placement"] = "".join(said["placement"])
    fields = [
        f"{name}={value}" for name, value in said.items() if value not in (None, "", [], False)
    ]
    return f"{type(item).__name__} {' '.join(fields)}"
