"""`arbiterd check`: is a configuration right?"""

from __future__ import annotations

from pathlib import Path

import click

from arbiterd.access.people import SecretError, read_people
from arbiterd.cli import WrongError
from arbiterd.config import Config, ConfigError, read_config
from arbiterd.hall.drivers import DRIVERS
from arbiterd.hall.pairings import PairingsError
from arbiterd.hall.rounds import setups


def checked(file: Path) -> Config:
    """A configuration that can be run. Raises WrongError with every fault, a line each."""
    try:
        config = read_config(file)
    except ConfigError as error:
        raise WrongError(str(error)) from None
    faults = [
        f"{file}: tables.{entry.table}.driver: is {entry.driver!r};"
        f" write one of {', '.join(DRIVERS)}, or leave it out"
        for entry in config.tables
        if entry.driver and entry.driver not in DRIVERS
    ]
    try:
        setups(config, file.parent)
    except PairingsError as error:
        faults.append(f"{file}: round.pairings: {error}")
    try:
        read_people(config, file.parent)
    except SecretError as error:
        faults.append(f"{file}: people: {error}")
    if faults:
        raise WrongError("\n".join(faults))
    return config


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
def check(file: Path) -> None:
    """Read a configuration FILE and name each fault with its line and the mend."""
    config = checked(file)
    tables = len(config.tables)
    click.echo(f"{file}: ok, hall {config.hall.name}, {tables} table{'' if tables == 1 else 's'}")
