"""`arbiterd journal`: the evidence, checked, shown, handed on, copied and taken back."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import msgspec

from arbiterd.cli import CONFIG_OF, FailedError, WrongError, called
from arbiterd.cli.check import checked
from arbiterd.cli.holding import journal_path, state_folder
from arbiterd.cli.journal.copies import COPY, back_up, take_back
from arbiterd.cli.journal.timeline import TimelineFilter, kinds, moment_ns, timeline
from arbiterd.config.values import long_duration_ns
from arbiterd.edges import StoreError
from arbiterd.edges.real import FileStore, WallClock
from arbiterd.journal.encode import EncodeError
from arbiterd.journal.export import export
from arbiterd.journal.head import newest
from arbiterd.journal.purge import purge
from arbiterd.journal.reader import JournalReader
from arbiterd.journal.verify import Verdict, held, verify

FILE = click.argument("file", required=False, type=click.Path(path_type=Path), metavar="[JOURNAL]")
CONFIG = click.option(
    "--config", type=click.Path(path_type=Path), envvar=CONFIG_OF, help="Whose journal."
)


def which_journal(file: Path | None, config: Path | None) -> Path:
    """The file named, the configuration's (the installed service's, where its program is asked and
    none is named), or the one that `arbiterd run` alone would write."""
    if file is not None:
        return file
    if config is not None:
        return journal_path(checked(config), config.parent)
    return state_folder("main") / "journal.db"


@contextmanager
def opened(file: Path) -> Iterator[JournalReader]:
    """A journal to read. Raises WrongError, FailedError."""
    try:
        read = JournalReader(FileStore(file).connect_for_reading()).of_this_moment()
    except StoreError as error:
        raise WrongError(str(error)) from None
    try:
        yield read
    except (sqlite3.DatabaseError, EncodeError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise FailedError(
            f"{file} cannot be read to its end ({error}); `{called()} journal verify` names what is"
            " damaged, and a start of the service takes over what can be read"
        ) from None
    finally:
        read.close()


def _tell_left_out(file: Path, read: JournalReader) -> None:
    """All that can be read was shown. Raises FailedError where that is not all."""
    if damage := read.spoilt():
        raise FailedError(
            f"{file}: {damage} and left out here; `{called()} journal verify` names all that is"
        )


@click.group()
def journal() -> None:
    """The evidence: check it, show a table's timeline, hand it on, copy it and take it back."""


@journal.command("verify")
@FILE
@CONFIG
@click.option("--seal", help="As it was noted elsewhere; proves that nothing of then was cut off.")
def verify_command(file: Path | None, config: Path | None, seal: str | None) -> None:
    """Check that every row is as it was written; name the first that is not."""
    path = which_journal(file, config)
    try:
        db = FileStore(path).connect_for_reading()
        verdict = verify(db, newest(FileStore(path).heads()))
        noted = None if seal is None or verdict.breaks else _noted(path, db, seal)
        db.close()
    except StoreError as error:
        raise WrongError(str(error)) from None
    except sqlite3.DatabaseError as error:
        raise FailedError(f"{path} is damaged: {error}; restore it from a copy") from None
    for found in verdict.breaks:
        click.echo(f"{path}: {found.chain} {found.number}: {found.note}", err=True)
    if verdict.breaks:
        sys.exit(1)
    click.echo(_whole(path, verdict))
    if noted is not None and seal != verdict.seal:
        click.echo("it goes on from the noted seal: input {}, output {}".format(*noted))


def _noted(path: Path, db: sqlite3.Connection, seal: str) -> tuple[int, int]:
    """Where a whole journal had the noted seal. Raises WrongError, FailedError."""
    try:
        found = held(db, seal)
    except ValueError:
        raise WrongError(
            f"--seal {seal!r} is no seal; write the 64 letters and digits that verify printed"
        ) from None
    if found is None:
        raise FailedError(
            f"{path} is whole, but it never had the noted seal: rows were cut off, it is another"
            " journal, or the rows of then have been taken out since ([journal] keep)"
        )
    return found


def _whole(path: Path, verdict: Verdict) -> str:
    counted = f"{verdict.inputs} inputs and {verdict.outputs} outputs"
    return f"{path}: whole, {counted}\nseal {verdict.seal}"


@journal.command()
@FILE
@CONFIG
@click.option("--table", help="Only this table.")
@click.option("--only", multiple=True, metavar="KIND", help="Only inputs or topics of this kind.")
@click.option("--since", metavar="TIME", help="From 14:05, 14:05:30 or an RFC 3339 time on.")
@click.option("--until", metavar="TIME", help="Up to this time.")
def show(
    file: Path | None,
    config: Path | None,
    table: str | None,
    only: tuple[str, ...],
    since: str | None,
    until: str | None,
) -> None:
    """Show what came in and what was made of it, a line each, in order.

    A kind is the first word of an input's line (Scan, ClockReading, Act) or a topic (moves,
    rulings, result). A time of day is one of the journal's last day, by this machine's clock; soon
    after midnight 23:50 is that of the evening before.
    """
    path = which_journal(file, config)
    with opened(path) as read:
        if table is not None and table not in read.tables():
            known = ", ".join(read.tables()) or "none"
            raise WrongError(f"the journal knows no table {table!r}; it has {known}")
        last_ns = read.last_at_ns()
        begin_ns = 0 if since is None else moment_ns(since, last_ns, "--since")
        end_ns = last_ns if until is None else moment_ns(until, last_ns, "--until")
        for line in timeline(read, TimelineFilter(table, kinds(only), begin_ns, end_ns)):
            click.echo(line)
        _tell_left_out(path, read)


@journal.command()
@click.argument("copy")
@FILE
@CONFIG
def backup(copy: str, file: Path | None, config: Path | None) -> None:
    """Copy the journal to COPY, a new file or a folder; the service may run.

    The copy is one file, read through once it is written.
    """
    folder = copy if copy.endswith("/") else str(Path(copy).parent)
    if not Path(folder).is_dir():
        raise WrongError(f"{folder} is no folder; see that the stick is mounted, or make it")
    back_up(which_journal(file, config), Path(copy))


@journal.command()
@COPY
@FILE
@CONFIG
@click.option("--yes", is_flag=True, help="Do not ask.")
def restore(copy: Path, file: Path | None, config: Path | None, yes: bool) -> None:
    """Put COPY in the place of the journal; the service must not run.

    The journal that stood there is kept beside it.
    """
    take_back(copy, which_journal(file, config), sure=yes)


@journal.command("export")
@FILE
@CONFIG
@click.option("--without-names", is_flag=True, help="Players and arbiters by number only.")
def export_command(file: Path | None, config: Path | None, without_names: bool) -> None:
    """Write the journal as JSON Lines."""
    path = which_journal(file, config)
    with opened(path) as read:
        for line in export(read, names=not without_names):
            sys.stdout.buffer.write(line + b"\n")
        _tell_left_out(path, read)


@journal.command("purge")
@FILE
@CONFIG
@click.option("--older", required=True, metavar="365d", help="What is older by the clock goes.")
def purge_command(file: Path | None, config: Path | None, older: str) -> None:
    """Take out old games for good, with the names in them. The service must not run."""
    store = FileStore(which_journal(file, config))
    try:
        keep_ns = long_duration_ns(older)
        JournalReader(store.connect_for_reading()).close()  # What is no journal is left alone.
        db = store.connect()
        gone = purge(db, WallClock().now_ns() - keep_ns)
        db.close()
    except ValueError as error:
        raise WrongError(f"--older {error}") from None
    except (StoreError, sqlite3.Error) as error:
        raise FailedError(str(error)) from None
    finally:
        store.close()
    click.echo(f"{store.path}: {gone} rows are gone")
