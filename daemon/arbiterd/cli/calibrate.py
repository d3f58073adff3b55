"""`arbiterd calibrate`: teach a board with tags (Certabo, Cerno) which tag is which piece."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click
from rich.console import Console
from rich.status import Status

from arbiterd.cli import CONFIG_OF, FailedError, WrongError
from arbiterd.cli.check import checked
from arbiterd.cli.holding import journal_path
from arbiterd.cli.squares import named
from arbiterd.config import Config
from arbiterd.config.values import device as read_device
from arbiterd.edges.real import WallClock
from arbiterd.hall.links.devices import Devices
from arbiterd.hall.links.drivers import TAGGED
from arbiterd.hall.links.tags import FOLDER, TagShelf
from eboards.certabo.lesson import Lesson, Progress
from eboards.certabo.tags import TagTable, Unclear
from eboards.transport import Wire, WireError

SILENT_S = 10.0
"""A board that has said nothing for so long is switched off, or is none of these."""

ASKED = """\
Put the pieces up for a game, White on the first two ranks as the board counts (a1 is white's
left corner). Put the spare white queen on d3 and the spare black queen on d6, if there are any."""
ASKED_COUNTERS = "Put the sixteen counters on the fifth and the fourth rank, one on each square."


@click.command()
@click.argument("device")
@click.option("--config", "file", type=click.Path(path_type=Path), envvar=CONFIG_OF,
              help="Whose journal is used.")  # fmt: skip
@click.option("--counters", is_flag=True, help="Sixteen loose counters too (Guadalete).")
@click.option("--yes", is_flag=True, help="Keep what is learnt without asking.")
def calibrate(device: str, file: Path | None, counters: bool, yes: bool) -> None:
    """Teach the board at DEVICE which tag is which piece.

    DEVICE is written as in a configuration: serial:/dev/ttyUSB0. What is learnt is kept beside
    the journal, and the whole hall knows the set from its next start on.
    """
    try:
        read_device(device)
    except ValueError as error:
        raise WrongError(f"DEVICE {error}") from None
    config, folder = (checked(file), file.parent) if file is not None else (Config(), Path())
    shelf = TagShelf(journal_path(config, folder).parent / FOLDER)
    asked = f"{ASKED}\n{ASKED_COUNTERS}" if counters else ASKED
    try:
        table = asyncio.run(_taught(device, Lesson(counters=counters), asked))
    except WireError as error:
        raise FailedError(str(error)) from None
    click.echo(f"learnt: {_counted(table)}")
    if not yes and not click.confirm("Did all pieces stand where they belong?", default=True):
        raise FailedError("nothing is kept; put the pieces up and run it again")
    try:
        kept = shelf.keep(device, table)
    except OSError as error:
        raise FailedError(f"{shelf.file(device)} cannot be written: {error.strerror}") from None
    click.echo(f"kept in {kept}")


async def _taught(device: str, lesson: Lesson, asked: str) -> TagTable:
    """The set, as soon as every piece is read steadily: `asked` of people once the port is there.

    Raises WireError, FailedError.
    """
    clock = WallClock()
    wire, _ = await Devices(clock).open(device, TAGGED)
    try:
        click.echo(asked)
        with Console(stderr=True).status("waiting for the board") as status:
            while True:
                await _heard(wire, lesson, status)
                learnt = lesson.table
                if isinstance(learnt, TagTable):
                    return learnt
                if isinstance(learnt, Unclear):
                    status.update(learnt.sentence)
    finally:
        wire.close()


async def _heard(wire: Wire, lesson: Lesson, status: Status) -> None:
    """One read, and what it says for people. Raises FailedError where there is nothing to learn."""
    try:
        async with asyncio.timeout(SILENT_S):
            chunk = await wire.read()
    except TimeoutError:
        raise FailedError(f"{wire.port} says nothing; is the board switched on?") from None
    progress = lesson.receive(chunk.data, chunk.at_ns)
    if lesson.occupancy:
        raise FailedError(f"{wire.port} tells what is occupied and reads no tags: nothing to teach")
    if progress is not None:
        status.update(_in_words(progress))


def _in_words(progress: Progress) -> str:
    told = f"{progress.read} of {progress.wanted} pieces are read"
    if progress.missing:
        told += f"; not yet, centre them: {named(progress.missing)}"
    if progress.strangers:
        told += f"; take away what stands on {named(progress.strangers)}"
    return told


def _counted(table: TagTable) -> str:
    pieces = sorted(table.pieces.values())
    return ", ".join(f"{pieces.count(piece)} {piece}" for piece in dict.fromkeys(pieces))
