"""`arbiterd trust broker`: what a broker of others is to be told of the hall's logins."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import click

from arbiterd.access.people import SecretError, read_people, read_secret
from arbiterd.cli import CONFIG_OF, FailedError, WrongError
from arbiterd.cli.trust.files import PRIVATE_MODE, write_whole
from arbiterd.config import ConfigError, read_config
from arbiterd.outlets.mqtt.access_lists import (
    AccessListEntry,
    ClashError,
    HallAccess,
    emqx_rights,
    emqx_users,
    logins,
    mosquitto_passwords,
    mosquitto_rights,
    nats_users,
)


@click.command()
@click.option(
    "--config",
    "configs",
    type=click.Path(path_type=Path),
    envvar=CONFIG_OF,
    required=True,
    multiple=True,
    help="Of each hall at this broker.",
)
@click.option(
    "--for",
    "kind",
    type=click.Choice(["mosquitto", "nats", "emqx"]),
    default="mosquitto",
    show_default=True,
)
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("broker"),
    show_default=True,
    help="Where the files are written.",
)
def broker(configs: tuple[Path, ...], kind: str, folder: Path) -> None:
    """Write logins and access lists for a broker of others, from the halls' [[people]].

    Run it again whenever somebody gets a password or loses one, and have the broker read its files
    again.
    """
    try:
        known = logins(_hall(config) for config in configs)
    except (ClashError, SecretError) as error:
        raise WrongError(str(error)) from None
    files = {"mosquitto": _mosquitto, "nats": _nats, "emqx": _emqx}[kind](folder, known)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            write_whole(folder / name, text.encode(), PRIVATE_MODE)
            click.echo(f"{folder / name}: written, {len(known)} logins")
    except OSError as error:
        raise FailedError(f"{folder} cannot be written ({error.strerror})") from None
    click.echo(_advice(kind, folder.absolute()))


def _hall(file: Path) -> HallAccess:
    """What the broker is to be told of one hall; all that is not about its logins is where the
    hall is. Raises SecretError.
    """
    try:
        config, folder = read_config(file, elsewhere=True), file.parent
    except ConfigError as error:
        raise WrongError(str(error)) from None
    mqtt = config.mqtt
    if mqtt.url is None or not mqtt.username:
        raise WrongError(
            f"{file}: the embedded broker makes its own access lists; for one of others name"
            " [mqtt] url, username and password_file"
        )
    secret = read_secret(folder / mqtt.password_file)
    others = tuple(hall.name for hall in config.halls)
    return HallAccess(config.hall.name, read_people(config, folder), mqtt.username, secret, others)


def _mosquitto(folder: Path, known: tuple[AccessListEntry, ...]) -> Mapping[str, str]:
    place = folder.absolute()
    settings = (
        "allow_anonymous false\n"
        f"password_file {place / 'arbiterd.passwords'}\n"
        f"acl_file {place / 'arbiterd.rights'}\n"
    )
    return {
        "arbiterd.passwords": mosquitto_passwords(known),
        "arbiterd.rights": mosquitto_rights(known),
        "arbiterd.conf": settings,
    }


def _nats(_folder: Path, known: tuple[AccessListEntry, ...]) -> Mapping[str, str]:
    # Its reader takes JSON without the outer braces for an include.
    return {
        "arbiterd.conf": f"authorization {json.dumps({'users': nats_users(known)}, indent=1)}\n"
    }


def _emqx(_folder: Path, known: tuple[AccessListEntry, ...]) -> Mapping[str, str]:
    return {"arbiterd.users.csv": emqx_users(known), "arbiterd.acl": emqx_rights(known)}


def _advice(kind: str, folder: Path) -> str:
    if kind == "emqx":
        return (
            f"\nIn emqx.conf:   authorization.sources, a file with path {folder / 'arbiterd.acl'}\n"
            "Its users:      import arbiterd.users.csv under authentication\n"
            "All of it:      docs/technicians.md, under EMQX, with which this has not been tried"
        )
    if kind == "nats":
        return (
            f"\nIn nats-server's configuration:   include {folder / 'arbiterd.conf'}\n"
            "Then:                             nats-server --signal reload"
        )
    return (
        f"\nIn mosquitto.conf:   include_dir {folder}\n"
        "Mosquitto's user must be able to read the files (chgrp mosquitto).\n"
        "Then:                systemctl reload mosquitto"
    )
