"""A journal folded again: what comes out, and where it differs from what was published."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from arbiterd.cli import FailedError, called
from arbiterd.cli.journal import opened
from arbiterd.cli.replay.raw_bytes import decoded
from arbiterd.journal.again import Again, folded, stored
from arbiterd.journal.reader import JournalReader
from arbiterd.messages.step import Output, Step
from arbiterd.table.explained import Explainer, Telling
from arbiterd.table.playback import line, told
from arbiterd.table.setup import TableSetup

SHOWN_DIFFERENCES = 20
"""So many are listed in full; beyond that they are counted."""
BEHEADED = (
    "its first games have been taken out of the journal, and what is left rests on them;"
    " `journal show` tells it"
)
ALTERED = (AssertionError, LookupError, TypeError, ValueError)
"""What folding a row may raise that is not as a table wrote it."""


def is_journal(file: Path) -> bool:
    """By the file's first bytes."""
    with file.open("rb") as opened:
        return opened.read(16) == b"SQLite format 3\0"


def replay_journal(file: Path, *, everything: bool, decode: bool) -> int:
    """Prints every table's events in turn, then says on stderr what differs. 0: nothing.

    Raises WrongError, FailedError.
    """
    events = differences = failed = 0
    with opened(file) as reader:
        for name in reader.tables():
            again = Again(reader, name)
            why = ""
            for step in _steps(reader, again, name, decode=decode):
                if isinstance(step, str):
                    why = step
                    break
                events += _print(name, again, step, everything)
            if why:
                failed += 1
                sys.stderr.write(f"table {name}: {why}\n")
                continue
            for output, before in again.differences[:SHOWN_DIFFERENCES]:
                _tell(name, output, before)
            differences += len(again.differences)
        sys.stderr.write(_summary(events, differences, failed))
    return 1 if differences or failed else 0


def _summary(events: int, differences: int, failed: int) -> str:
    told = f"{differences} differ from the record, which stands"
    if failed:
        return f"{events} events; {failed} tables cannot be replayed to their end; {told}\n"
    return f"{events} events; {told}\n" if differences else f"{events} events, all as recorded\n"


def _steps(reader: JournalReader, again: Again, name: str, *, decode: bool) -> Iterator[Step | str]:
    """What a table's rows lead to; in the end perhaps why it cannot be folded on, in words."""
    if any(row.place > 1 for row in reader.outputs(name, limit=1)):
        yield BEHEADED
        return
    rows = folded(reader, name)
    number = 0
    try:
        for number, item in decoded(rows) if decode else stored(rows):
            if again.table is None and not isinstance(item, TableSetup):
                yield BEHEADED
                return
            yield again.take(number, item)
        last = reader.last_output(name)
        if last is not None:
            yield again.until(last.at_ns)
    except ALTERED as error:
        yield _stopped(number, error)
        return
    again.end()


def explained_journal(file: Path, name: str | None, ply: int) -> list[Telling]:
    """The tellings of one half-move in the games of one table, or of the only one."""
    with opened(file) as reader:
        tables = reader.tables()
        if name is None and len(tables) != 1:
            raise click.UsageError(f"name one of its tables with --table: {', '.join(tables)}")
        if name is not None and name not in tables:
            raise click.UsageError(f"it has no table {name!r}; it has {', '.join(tables)}")
        chosen = name or tables[0]
        return _tellings(reader, chosen, ply)


def _tellings(reader: JournalReader, name: str, ply: int) -> list[Telling]:
    again, explainer = Again(reader, name), Explainer(ply)
    for number, item in stored(folded(reader, name)):
        if again.table is None and not isinstance(item, TableSetup):
            raise FailedError(f"table {name}: {BEHEADED}")
        try:
            step = again.take(number, item)
        except ALTERED as error:
            raise FailedError(f"table {name}: {_stopped(number, error)}") from None
        if again.table is not None:
            said = None if isinstance(item, TableSetup) else item
            explainer.watch(again.table, again.table.at_ns, said, step)
    return explainer.tellings


def _stopped(number: int, error: Exception) -> str:
    return (
        f"it cannot be folded on from input {number} ({error});"
        f" `{called()} journal verify` names what is missing or altered"
    )


def _print(name: str, again: Again, step: Step, everything: bool) -> int:
    count = 0
    for output in step.outputs:
        if everything or told(output):
            sys.stdout.buffer.write(line(again.hall, name, output) + b"\n")
            count += told(output)
    return count


def _tell(name: str, output: Output | None, before: bytes | None) -> None:
    now = output.payload.decode() if output else "nothing"
    was = before.decode() if before else "nothing"
    sys.stderr.write(f"table {name}: recorded {was}\ntable {name}: now      {now}\n")
