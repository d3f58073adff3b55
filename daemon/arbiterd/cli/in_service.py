"""Boards that cannot be asked, since the service reads them: it has told what they said."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import msgspec

from arbiterd.cli import FailedError, WrongError
from arbiterd.cli.check import checked
from arbiterd.cli.holding import journal_path, runs
from arbiterd.cli.journal import opened
from arbiterd.config import Config
from arbiterd.messages.payloads import Device
from arbiterd.messages.topics import DEVICE
from eboards.discovery.survey import FoundDevice
from eboards.events import Identity
from eboards.registry import FAMILIES
from eboards.transport import DeviceTrouble
from eboards.transport.holders import holders

NEWEST = 2**62
UNHEARD = "the service has it open and no board answers there; is it switched on?"


def as_the_service_reads(found: Iterable[FoundDevice], file: Path | None) -> list[FoundDevice]:
    """Each board that the service of this configuration has open, as that has told of it; of a bus
    line each board of its own. All else as it was found."""
    try:
        config, folder = (Config(), Path()) if file is None else (checked(file), file.parent)
        service = runs(config, folder)
    except (OSError, WrongError):
        service = None
    if service is None:
        return list(found)
    told = _told(journal_path(config, folder))
    return [
        seen
        for each in found
        for seen in (
            _as_told(each, told)
            if each.trouble is DeviceTrouble.BUSY
            and any(holder.pid == service.pid for holder in holders(each.port))
            else (each,)
        )
    ]


def _told(journal: Path) -> list[Device]:
    """What the service said last of each table's board; nothing where that cannot be read."""
    try:
        with opened(journal) as read:
            rows = [row.payload for row in read.retained(NEWEST) if row.topic == DEVICE]
            return [msgspec.json.decode(row, type=Device) for row in rows if row]
    except (FailedError, WrongError, sqlite3.Error):
        return []


def _as_told(found: FoundDevice, told: Iterable[Device]) -> Iterator[FoundDevice]:
    port = Path(found.port).resolve()
    here = [each for each in told if Path(each.port.partition("#")[0]).resolve() == port]
    if not here:
        yield replace(found, note=f"{found.port}: {UNHEARD}")
    for device in here:
        family = next((each for each in FAMILIES if each.name == device.driver), found.family)
        _, on_line, address = device.port.partition("#")
        yield replace(
            found,
            address=f"dgt-bus:{found.port}#{address}" if on_line else found.address,
            family=family,
            identity=Identity(0, device.driver, device.identity, device.firmware),
            trouble=None,
            note="" if device.state == "ok" else _wrong(device),
        )


def _wrong(device: Device) -> str:
    return f"table {device.table}: {'; '.join(device.faults) or device.state}"
