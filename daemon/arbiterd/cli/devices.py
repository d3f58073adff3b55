"""`arbiterd devices`: what is plugged in, and what is wrong with it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from arbiterd.edges.real import WallClock
from eboards.discovery.survey import Found, Survey, survey
from eboards.discovery.usb import ROOT

COLUMNS = ("family", "identity", "firmware", "port", "configure as", "driver is", "what is wrong")


@click.command()
@click.option("--root", type=click.Path(path_type=Path), default=ROOT, help="Another machine.")
def devices(root: Path) -> None:
    """List boards and clocks: family, identity, port, firmware, and what is wrong."""
    console = Console()
    with console.status("asking every board who it is"):
        found = asyncio.run(survey(WallClock().now_ns, root=root))
    if found.note:
        click.echo(found.note, err=True)
    if not found.found:
        click.echo("no board or clock is plugged in; a board on a serial port without USB ids is")
        click.echo('not looked for: name it in [[tables]] as device = "serial:/dev/…"')
        return
    console.print(_table(found))


def _table(found: Survey) -> Table:
    table = Table()
    for name in COLUMNS:
        # Whatever the width: a name that is cut off cannot be copied into a configuration.
        table.add_column(name, overflow="fold")
    for each in found.found:
        table.add_row(*_row(each))
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
