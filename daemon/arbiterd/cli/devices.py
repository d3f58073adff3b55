"""`arbiterd devices`: what is plugged in, and what is wrong with it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from arbiterd.cli import FailedError
from arbiterd.edges.real import WallClock
from eboards.discovery.bus import configuration, search
from eboards.discovery.survey import Found, Survey, survey
from eboards.discovery.usb import ROOT
from eboards.registry import FAMILIES
from eboards.transport import WireError
from eboards.transport.ble import Heard, heard

COLUMNS = ("family", "identity", "firmware", "port", "configure as", "driver is", "what is wrong")


@click.command()
@click.option("--root", type=click.Path(path_type=Path), default=ROOT, help="Another machine.")
@click.option("--bus", "line", metavar="PORT", help="Who is on this bus line; a configuration.")
@click.option("--ble", is_flag=True, help="Listen for boards on Bluetooth LE too.")
def devices(root: Path, line: str | None, ble: bool) -> None:
    """List boards and clocks: family, identity, port, firmware, and what is wrong.

    With --bus the DGT boards on the bus line at PORT are looked for instead, and their tables
    printed as a configuration has them. Only for a line: a board alone on its wire is taken out
    of its mode by it.
    """
    if line is not None:
        click.echo(_tables(line), nl=False)
        return
    console = Console()
    with console.status("asking every board who it is"):
        found = asyncio.run(survey(WallClock().now_ns, root=root))
        air = _in_the_air() if ble else ()
    if found.note:
        click.echo(found.note, err=True)
    if not found.found and not air:
        click.echo("no board or clock is plugged in; a board on a serial port without USB ids is")
        click.echo('not looked for: name it in [[tables]] as device = "serial:/dev/…"')
        return
    console.print(_table(found, air))


def _in_the_air() -> tuple[Heard, ...]:
    try:
        return asyncio.run(heard(FAMILIES))
    except WireError as error:
        click.echo(error, err=True)
        return ()


def _tables(line: str) -> str:
    """Raises FailedError."""
    try:
        with Console(stderr=True).status("pinging all boards of the line"):
            addresses = asyncio.run(search(line, WallClock().now_ns))
    except WireError as error:
        raise FailedError(str(error)) from None
    if not addresses:
        raise FailedError(f"nobody answers on the bus at {line}; power of the boards, adapter?")
    return configuration(line, addresses)


def _table(found: Survey, air: tuple[Heard, ...]) -> Table:
    table = Table()
    for name in COLUMNS:
        # Whatever the width: a name that is cut off cannot be copied into a configuration.
        table.add_column(name, overflow="fold")
    for each in found.found:
        table.add_row(*_row(each))
    for board in air:
        title, standing = board.family.title, board.family.standing.value
        where = f"ble:{board.address}"
        table.add_row(title, board.name, "", "Bluetooth LE", where, standing, "nothing")
    return table


def _row(each: Found) -> tuple[str, ...]:
    identity = each.identity
    return (
        each.family.title if each.family else "unknown",
        identity.serial if identity else "",
        identity.firmware if identity else "",
        each.port,
        each.address,
        each.family.standing.value if each.family else "",
        each.note or "nothing",
    )
