"""`arbiterd journal backup` and `restore`: the evidence copied while it grows, and taken back."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import click

from arbiterd.cli import FailedError, WrongError, called
from arbiterd.edges import StoreError
from arbiterd.edges.copies import copied, restored
from arbiterd.edges.real import FileStore
from arbiterd.journal.reader import JournalReader
from arbiterd.journal.verify import Verdict, verify
from arbiterd.messages.times import rfc3339

COPY = click.argument("copy", type=click.Path(path_type=Path), metavar="COPY")


def back_up(journal: Path, copy: Path) -> None:
    """Writes a copy and reads it through. Raises WrongError, FailedError."""
    newest = _newest(journal)  # What is no journal is not copied.
    target = copy / f"{journal.stem}-{newest}.db" if copy.is_dir() else copy
    try:
        copied(FileStore(journal), target)
        verdict = _looked_at(target)
    except StoreError as error:
        raise FailedError(str(error)) from None
    except sqlite3.DatabaseError as error:
        raise FailedError(
            f"{journal} is damaged ({error}) and cannot be copied whole; a start of the service"
            " takes over what can be read of it"
        ) from None
    for found in verdict.breaks:
        click.echo(f"{target}: {found.chain} {found.number}: {found.note}", err=True)
    if not verdict.whole:
        raise FailedError(f"{target} is a copy of a journal that is not as it was written")
    click.echo(f"{target}: whole, {_counted(verdict)}\nseal {verdict.seal}")


def take_back(copy: Path, journal: Path, *, sure: bool) -> None:
    """Puts a copy in the journal's place, once a person agrees. Raises WrongError, FailedError."""
    if copy.resolve() == journal.resolve():
        raise WrongError(f"{copy} is the journal itself; name a copy of it")
    store = FileStore(journal)
    try:
        store.lock()
        click.echo(f"the copy     {copy}: {_whole(copy)}")
        click.echo(f"in its place {journal}: {_as_it_is(journal)}")
        if not sure:
            click.confirm("Put the copy in the place of this journal?", abort=True)
        aside = restored(FileStore(copy), store)
    except StoreError as error:
        raise FailedError(str(error)) from None
    finally:
        store.close()
    click.echo(f"{journal} is the copy now")
    if aside is not None:
        click.echo(f"what it replaced is {aside}; to undo this:")
        click.echo(f"  {called()} journal restore {aside} {journal}")


def _newest(journal: Path) -> str:
    """The newest time in a journal, as a file's name has it."""
    try:
        with closing(FileStore(journal).connect_for_reading()) as db:
            return rfc3339(JournalReader(db).last_at_ns())[:19].replace(":", "")
    except StoreError as error:
        raise WrongError(str(error)) from None
    except sqlite3.DatabaseError:
        return "damaged"


def _looked_at(path: Path) -> Verdict:
    with closing(FileStore(path).connect_for_reading()) as db:
        JournalReader(db)  # Raises StoreError where it is no journal.
        return verify(db)


def _whole(copy: Path) -> str:
    """What a copy holds. Raises WrongError where it is no copy, FailedError where it is damaged."""
    try:
        verdict = _looked_at(copy)
    except StoreError as error:
        raise WrongError(str(error)) from None
    except sqlite3.DatabaseError as error:
        raise FailedError(f"{copy} is damaged ({error}); take another copy") from None
    if not verdict.whole:
        found = verdict.breaks[0]
        raise FailedError(
            f"{copy}: {found.chain} {found.number}: {found.note}; take another copy, or start the"
            " service on this one: it takes over what can be read"
        )
    return f"{_counted(verdict)}, until {_newest(copy)}"


def _as_it_is(journal: Path) -> str:
    if not journal.exists():
        return "nothing yet"
    try:
        return f"{_counted(_looked_at(journal))}, until {_newest(journal)}; it is kept"
    except (StoreError, sqlite3.DatabaseError) as error:
        return f"damaged ({error}); it is kept"


def _counted(verdict: Verdict) -> str:
    return f"{verdict.inputs} inputs and {verdict.outputs} outputs"
