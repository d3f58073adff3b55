"""`arbiterd trust`: certificates of the hall's own, so that tablets reach the service over TLS."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from ipaddress import ip_address
from pathlib import Path

import click
import segno

from arbiterd.access.authority import (
    RENEWED,
    NameRefusedError,
    Pair,
    authority_of,
    ends,
    fingerprint,
    names_of,
    new_authority,
    service_certificate,
    vouches,
)
from arbiterd.access.rights import ROLES
from arbiterd.cli import CONFIG_OF, FailedError, WrongError, called
from arbiterd.cli.check import checked
from arbiterd.cli.trust.broker import broker
from arbiterd.cli.trust.files import (
    OWN_MODE,
    PRIVATE_MODE,
    PUBLIC_MODE,
    write_new,
    write_whole,
)
from arbiterd.config import Config
from arbiterd.config.checks import RESERVED
from arbiterd.config.values import Listen, is_loopback, login
from arbiterd.edges.real import WallClock

FOLDER = click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("trust"),
    show_default=True,
    help="Where the certificates lie.",
)
PASSWORD_BYTES = 9
ENROL = "authority.pem"


@click.group()
def trust() -> None:
    """A local authority, the service's certificate, and the way of a tablet to it."""


trust.add_command(broker)


@trust.command()
@FOLDER
@click.option("--name", "names", multiple=True, help="By which tablets reach this machine.")
@click.option("--hall", default="main", show_default=True, help="Stands in the authority's name.")
@click.option("--anew", is_flag=True, help="Another authority: every tablet is to be told again.")
def init(folder: Path, names: tuple[str, ...], hall: str, anew: bool) -> None:
    """Make the authority and the service's certificate; run again, renew what ends soon.

    Without --name: this machine's name, the same under .local, and its addresses.
    """
    now = WallClock().now()
    wanted = tuple(dict.fromkeys(name.lower() for name in names or own_names()))
    files = Files(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for line in _made(files, hall, wanted, now, anew=anew):
            click.echo(line)
    except NameRefusedError as error:
        raise WrongError(f"--name {error}") from None
    except OSError as error:
        raise FailedError(
            f"{error.filename or folder} cannot be written ({error.strerror}); name a --folder"
            " that may be"
        ) from None
    click.echo(_advice(files, wanted))


@trust.command()
@click.option("--config", type=click.Path(path_type=Path), envvar=CONFIG_OF, required=True)
def renew(config: Path) -> None:
    """Make the certificate of a configuration anew, for the names it has, if it ends soon.

    A service that runs shows the new one within seconds, and closes no connection.
    """
    read = checked(config)
    chain = _chain(read, config.parent)
    files = Files((config.parent / read.http.tls_cert).parent)
    now = WallClock().now()
    authority, service = _read(files.authority), _read(files.service)
    if authority is None or service is None or service.certificate != chain:
        raise WrongError(
            f"{read.http.tls_cert} was not made by arbiterd trust init in its folder; renew it"
            " where it comes from"
        )
    try:
        for line in _made(files, read.hall.name, sorted(names_of(chain)), now, anew=False):
            click.echo(line)
    except OSError as error:
        raise FailedError(f"{error.filename} cannot be written ({error.strerror})") from None


@trust.command()
@FOLDER
@click.argument("name")
@click.option("--role", type=click.Choice(list(ROLES)), default="arbiter", show_default=True)
def person(folder: Path, name: str, role: str) -> None:
    """Make a password for NAME, and the lines of the configuration for this login."""
    try:
        login(name)
    except ValueError as error:
        raise WrongError(f"NAME {error}") from None
    if name == RESERVED:
        raise WrongError(f"{name!r} is the service itself; write another NAME")
    file = folder / f"{name}.password"
    secret = secrets.token_urlsafe(PASSWORD_BYTES)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_new(file, f"{secret}\n".encode(), PRIVATE_MODE)
    except FileExistsError:
        raise WrongError(
            f"{file} is there already; to shut its owner out: {called()} trust shut-out {name}"
            " --config FILE"
        ) from None
    except OSError as error:
        raise FailedError(f"{file} cannot be written ({error.strerror})") from None
    click.echo(
        f'[[people]]\nname = "{name}"\nrole = "{role}"\npassword_file = "{file.absolute()}"\n'
    )
    click.echo(f"login {name}, password {secret}")


@trust.command("shut-out")
@click.argument("name")
@click.option("--config", type=click.Path(path_type=Path), envvar=CONFIG_OF, required=True)
@click.option("--for-good", is_flag=True, help="Tell the new password to nobody.")
def shut_out(name: str, config: Path, for_good: bool) -> None:
    """A tablet is lost: give the login NAME another password, at once.

    A service that runs notices within a second: what the old password has opened is closed, the
    pages, the streams and the connections to the embedded broker. The same person goes on with the
    new password on another tablet.
    """
    read = checked(config)
    person = next((each for each in read.people if each.name == name), None)
    if person is None:
        known = ", ".join(each.name for each in read.people) or "none"
        raise WrongError(f"{config} knows no login {name!r}; it has {known}")
    file = config.parent / person.password_file
    secret = secrets.token_urlsafe(PASSWORD_BYTES)
    try:
        write_whole(file, f"{secret}\n".encode(), PRIVATE_MODE)
    except OSError as error:
        raise FailedError(f"{file} cannot be written ({error.strerror})") from None
    click.echo(f"login {name} is shut out" if for_good else f"login {name}, password {secret}")
    if read.mqtt.url is not None:
        click.echo(
            f"the broker {read.mqtt.url} keeps passwords of its own: write its lists again"
            " (arbiterd trust broker) and have it read them"
        )


@trust.command()
@click.option("--config", type=click.Path(path_type=Path), envvar=CONFIG_OF, required=True)
@click.option("--name", help="By which tablets reach this machine.")
def tablet(config: Path, name: str | None) -> None:
    """Show the way of a tablet to the page: two pictures to scan, and what to compare."""
    read = checked(config)
    chain = _chain(read, config.parent)
    host = name or next((each for each in own_names() if each in names_of(chain)), None)
    if host is None or host not in names_of(chain):
        raise WrongError(
            f"the certificate is for {', '.join(sorted(names_of(chain)))}; name one of them"
        )
    listen = read.http.listen
    page = Listen(host, listen.port if listen else 8480)
    for line in _enrolment(f"https://{page}", chain):
        click.echo(line)


@dataclass(frozen=True, slots=True)
class Files:
    """Where the four files lie."""

    folder: Path

    @property
    def authority(self) -> tuple[Path, Path]:
        return self.folder / "authority.pem", self.folder / "authority.key"

    @property
    def service(self) -> tuple[Path, Path]:
        return self.folder / "hall.pem", self.folder / "hall.key"


def own_names() -> tuple[str, ...]:
    """By which others may reach this machine, the likeliest first."""
    host = socket.gethostname().split(".")[0].lower()
    found = []
    for family, probe in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        # Connecting a datagram socket sends nothing: it asks which address would be used.
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asked:
            asked.connect((probe, 9))
            found.append(asked.getsockname()[0])
    private = [address for address in found if ip_address(address).is_private]
    return (f"{host}.local", *private, "localhost", "127.0.0.1")


def _made(
    files: Files, hall: str, names: Sequence[str], now: datetime, *, anew: bool
) -> Iterator[str]:
    authority = _read(files.authority)
    if authority is None or anew:
        if authority is not None:
            yield f"{_kept_aside(files.authority)} is the authority of before"
        authority = new_authority(hall, names, now)
        # Only these commands sign: a service that is broken into cannot vouch for another.
        _keep(files.authority, authority, OWN_MODE)
        yield _said(files.authority[0], authority.certificate, "made")
    else:
        yield _said(files.authority[0], authority.certificate, "kept")
    service = _read(files.service)
    if service is not None and _still_good(service, authority, names, now):
        yield _said(files.service[0], service.certificate, "kept")
        return
    service = service_certificate(authority, names, now)
    _keep(files.service, service, PRIVATE_MODE)
    yield _said(files.service[0], service.certificate, f"made for {', '.join(names)}")


def _still_good(service: Pair, authority: Pair, names: Sequence[str], now: datetime) -> bool:
    return (
        vouches(authority.certificate, service.certificate)
        and names_of(service.certificate) >= set(names)
        and ends(service.certificate) > now + RENEWED
    )


def _read(files: tuple[Path, Path]) -> Pair | None:
    try:
        pair = Pair(files[0].read_bytes(), files[1].read_bytes())
        ends(pair.certificate)
    except (FileNotFoundError, ValueError):
        return None
    return pair


def _keep(files: tuple[Path, Path], pair: Pair, key_mode: int) -> None:
    write_whole(files[1], pair.key, key_mode)
    write_whole(files[0], pair.certificate, PUBLIC_MODE)


def _kept_aside(files: tuple[Path, Path]) -> Path:
    number = 1
    while (aside := files[0].with_name(f"{files[0].stem}-{number}.pem")).exists():
        number += 1
    files[0].rename(aside)
    files[1].rename(aside.with_suffix(".key"))
    return aside


def _said(file: Path, certificate: bytes, what: str) -> str:
    return f"{file}: {what}; ends {ends(certificate):%Y-%m-%d}"


def _advice(files: Files, names: Sequence[str]) -> str:
    certificate, key = files.service
    pair = f'tls_cert = "{certificate.absolute()}"\ntls_key = "{key.absolute()}"'
    authority = files.authority[0].read_bytes()
    outside = next((name for name in names if not is_loopback(name)), names[0])
    return (
        "\nFor the configuration (the pages; the same two lines in [mqtt] for its own broker):\n\n"
        f'[http]\nlisten = "0.0.0.0:8480"\n{pair}\n\n'
        "Then, for each person:   arbiterd trust person NAME\n"
        f"and for each tablet:     arbiterd trust tablet --config FILE --name {outside}\n\n"
        f"authority, SHA-256 {fingerprint(authority)}"
    )


def _chain(config: Config, folder: Path) -> bytes:
    if not config.http.tls_cert:
        raise WrongError("[http] tls_cert is not set; begin with: arbiterd trust init")
    return (folder / config.http.tls_cert).read_bytes()


def _enrolment(page: str, chain: bytes) -> Iterator[str]:
    authority = authority_of(chain)
    if authority is not None:
        yield f"1  Scan this, and let the tablet keep the authority: {page}/{ENROL}"
        yield _picture(f"{page}/{ENROL}")
        yield f"   It must show SHA-256 {fingerprint(authority)}"
        yield "   iPad: Settings, profile, install; then General, About, trust settings.\n"
    yield f"2  Scan this for the page: {page}/"
    yield _picture(f"{page}/")


def _picture(text: str) -> str:
    """A code of half blocks, as terminals show it."""
    rows = [[bool(cell) for cell in row] for row in segno.make(text, micro=False).matrix_iter(1, 2)]
    if len(rows) % 2:
        rows.append([False] * len(rows[0]))
    blocks = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
    lines = (
        click.style(
            "".join(blocks[pair] for pair in zip(upper, lower, strict=True)),
            fg="bright_white",
            bg="black",
        )
        for upper, lower in zip(rows[::2], rows[1::2], strict=True)
    )
    return "\n".join(lines)
