"""`arbiterd check`: is a configuration right?"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from arbiterd.access.people import SecretError, read_people
from arbiterd.cli import WrongError
from arbiterd.cli.check.remarks import remarks
from arbiterd.cli.holding import journal_path
from arbiterd.config import Config, ConfigError, located, read_config
from arbiterd.config.lines import ConfigFinding
from arbiterd.edges import StoreError
from arbiterd.edges.ownership import as_owner
from arbiterd.edges.real import FileStore
from arbiterd.edges.store import try_folder
from arbiterd.hall.links.drivers import DRIVERS
from arbiterd.hall.round.pairings import PairingsError
from arbiterd.hall.round.rounds import setups


def checked(file: Path) -> Config:
    """A configuration that can be run. Raises WrongError with every fault, a line each."""
    try:
        config = read_config(file)
    except ConfigError as error:
        raise WrongError(str(error)) from None
    if faults := list(_beyond(config, file.parent)):
        raise WrongError(_told(file, faults))
    return config


def checked_for_service(file: Path) -> Config:
    """As `checked`, and by the eyes of who owns the journal's folder, where root asks.

    The installed service is a user of its own, and may not read all that root does. A draft that
    it cannot read yet is read by root alone.
    """
    config = checked(file)
    with as_owner(_journal_folder(config, file)) as another:
        if another and os.access(file, os.R_OK, effective_ids=True):
            checked(file)
    return config


def _journal_folder(config: Config, file: Path) -> Path:
    return journal_path(config, file.parent).absolute().parent


def _beyond(config: Config, folder: Path) -> Iterator[ConfigFinding]:
    """What other rooms know to be wrong."""
    for number, entry in enumerate(config.tables):
        if entry.driver and entry.driver not in DRIVERS:
            known = ", ".join(DRIVERS)
            yield (
                ("tables", number, "driver"),
                f"is {entry.driver!r:.60}; write one of {known}, or leave it out",
            )
    try:
        setups(config, folder)
    except PairingsError as error:
        yield ("round", "pairings"), str(error)
    try:
        read_people(config, folder)
    except SecretError as error:
        yield ("people",), str(error)


def _unwritten(config: Config, folder: Path) -> Iterator[ConfigFinding]:
    """Where the configuration has the service write, and it cannot."""
    if config.journal.path:
        try:
            FileStore(journal_path(config, folder)).try_writing()
        except StoreError as error:
            yield ("journal", "path"), str(error)
    if config.broadcast.folder:
        try:
            try_folder(folder / config.broadcast.folder)
        except OSError as error:
            why = error.strerror or str(error)
            yield (
                ("broadcast", "folder"),
                f"no file can be written there ({why}); name a folder the service may write to",
            )


def _told(file: Path, findings: Iterable[ConfigFinding]) -> str:
    text = file.read_text(encoding="utf-8-sig")
    return "\n".join(str(fault) for fault in located(list(findings), text, str(file)))


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
def check(file: Path) -> None:
    """Read a configuration FILE and name each fault with its line and the mend.

    What is no fault and may still be meant otherwise is a note; it leaves the exit status at 0.
    """
    config = checked_for_service(file)
    with as_owner(_journal_folder(config, file)):
        unwritten = list(_unwritten(config, file.parent))
    if unwritten:
        raise WrongError(_told(file, unwritten))
    tables = len(config.tables)
    if noted := [(key, f"note: {said}") for key, said in remarks(config, file.parent)]:
        click.echo(_told(file, noted), err=True)
    click.echo(f"{file}: ok, hall {config.hall.name}, {tables} table{'' if tables == 1 else 's'}")
