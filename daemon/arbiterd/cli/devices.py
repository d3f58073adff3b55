"""`arbiterd devices`: what is plugged in, and what is wrong with it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from arbiterd.cli import CONFIG_OF, FailedError
from arbiterd.cli.coils import hall_list, learnt
from arbiterd.cli.in_service import as_the_service_reads
from arbiterd.edges.real import WallClock
from eboards.bounds import readable
from eboards.discovery.bus import configuration, search
from eboards.discovery.survey import FoundDevice, survey
from eboards.discovery.usb import ROOT
from eboards.registry import FAMILIES
from eboards.transport import WireError
from eboards.transport.ble import AdvertisedBoard, heard

COLUMNS = ("family", "identity", "firmware", "port", "configure as", "driver is", "what is wrong")
SENTENCE = 40
"""What is wrong may be broken into lines of so many letters."""
CELL_MAX = 300


@click.command()
@click.option(
    "--root",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    default=ROOT,
    help="Another machine.",
)
@click.option("--bus", "line", metavar="PORT", help="Who is on this bus line; a configuration.")
@click.option("--ble", is_flag=True, help="Listen for boards on Bluetooth LE too.")
@click.option("--config", type=click.Path(path_type=Path), envvar=CONFIG_OF,
              help="Whose journal knows the boards.")  # fmt: skip
def devices(root: Path, line: str | None, ble: bool, config: Path | None) -> None:
    """List boards and clocks: family, identity, port, firmware, and what is wrong.

    Beneath stand, of the hall's boards, the coils and chips that games showed to be read wrongly.

    With --bus the DGT boards on the bus line at PORT are looked for instead, and their tables
    printed as a configuration has them. Only for a line: a board alone on its wire is taken out
    of its mode by it.
    """
    if line is not None:
        click.echo(_tables(line), nl=False)
        return
    _survey(root, ble, config)
    for said in hall_list(learnt(config)):
        click.echo(said)


def _survey(root: Path, ble: bool, config: Path | None) -> None:
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
    boards = as_the_service_reads(found.found, config)
    _show([*map(_row, boards), *map(_row_in_the_air, air)], console)


def _in_the_air() -> tuple[AdvertisedBoard, ...]:
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


def _show(rows: Sequence[tuple[str, ...]], console: Console) -> None:
    """A table where it fits; else a block each: a broken name cannot be copied.

    What a device calls itself is shown letter by letter, whatever a terminal would do with it.
    """
    rows = [tuple(readable(cell, CELL_MAX) for cell in row) for row in rows]
    *names, wrong = COLUMNS
    table = Table()
    for name in names:
        table.add_column(name, no_wrap=True)
    table.add_column(wrong)
    for row in rows:
        table.add_row(*map(Text, row))
    widest = [max(map(len, column)) for column in zip(COLUMNS, *rows, strict=True)]
    if sum(widest[:-1]) + min(widest[-1], SENTENCE) + 3 * len(widest) + 1 <= console.width:
        console.print(table)
        return
    for family, *cells in rows:
        click.echo(family)
        for name, cell in zip(COLUMNS[1:], cells, strict=True):
            if cell:
                click.echo(f"  {name:<15}{cell}")


def _row(each: FoundDevice) -> tuple[str, ...]:
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


def _row_in_the_air(each: AdvertisedBoard) -> tuple[str, ...]:
    title, standing = each.family.title, each.family.standing.value
    return title, each.name, "", "Bluetooth LE", f"ble:{each.address}", standing, "nothing"
