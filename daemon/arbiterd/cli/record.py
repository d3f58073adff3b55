"""`arbiterd record`: a wire into a file, with times, both ways."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import TextIO

import click
from rich.console import Console

from arbiterd.cli import FailedError, WrongError
from arbiterd.cli.stopping import when_told
from arbiterd.config.values import device as read_device
from arbiterd.edges.real import WallClock
from arbiterd.hall.links.devices import Devices
from arbiterd.hall.links.drivers import DRIVERS
from arbiterd.messages.times import rfc3339
from eboards.codec import Codec
from eboards.events import Identity
from eboards.transport import Wire, WireError
from eboards.transport.conversation import converse
from eboards.transport.recording import RecordedBytes, head_lines, line_of


@click.command()
@click.argument("device")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--driver", type=click.Choice(sorted(DRIVERS)), help="Left out: found by asking.")
@click.option("--rules", default="", help="What is played, for the head of the file.")
@click.option("--notes", default="", help="What happens in it, for the head of the file.")
def record(device: str, file: Path, driver: str | None, rules: str, notes: str) -> None:
    """Record what goes over the wire of DEVICE into FILE, until Ctrl-C."""
    try:
        read_device(device)
    except ValueError as error:
        raise WrongError(f"DEVICE {error}") from None
    if file.exists():
        raise WrongError(f"{file} is there already; name a new file")
    try:
        asyncio.run(_opened(device, driver or "", file, {"Rules": rules, "Notes": notes}))
    except OSError as error:
        why = "is there already" if isinstance(error, FileExistsError) else error.strerror
        raise WrongError(f"{file} cannot be written ({why}); name a new file") from None
    except WireError as error:
        raise FailedError(str(error)) from None


async def _opened(device: str, driver: str, file: Path, head: dict[str, str]) -> None:
    """The device first: a file that nothing is recorded into would be in the way next time."""
    clock = WallClock()
    wire, codec = await Devices(clock).open(device, driver)
    try:
        with file.open("x", encoding="utf-8") as out:
            await _record(device, (wire, codec), clock, out, head)
    finally:
        wire.close()


async def _record(
    device: str, opened: tuple[Wire, Codec], clock: WallClock, out: TextIO, head: dict[str, str]
) -> None:
    wire, codec = opened
    began_ns = clock.now_ns()
    work = asyncio.current_task()
    assert work is not None
    when_told(work.cancel)
    named = {"Device": f"{codec.driver}, {device}", "Began": rfc3339(began_ns), **head}
    out.write(head_lines({name: value for name, value in named.items() if value}))
    messages = 0
    with (
        Console(stderr=True).status(f"recording {device}") as status,
        suppress(asyncio.CancelledError),
    ):
        async for said, events in converse(wire, codec, clock.now_ns):
            if said.data:
                out.write(line_of(RecordedBytes(said.at_ns - began_ns, said.direction, said.data)))
                out.flush()
            messages += len(events)
            status.update(f"recording {device}: {messages} messages; Ctrl-C ends it")
            for event in events:
                if isinstance(event, Identity) and event.serial:
                    out.write(f"# Serial: {event.serial} {event.firmware}\n")
