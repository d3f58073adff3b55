"""Sets of tagged pieces, kept beside the journal: one file a device, and every set known
everywhere.

A set that moved to another board is still known there; where two files differ, the one of the
board's own device is right.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Callable
from pathlib import Path

from arbiterd.edges.ownership import give_to_owner
from eboards.certabo.codec import CertaboCodec
from eboards.certabo.tags import TagTable, Unclear, read_table, write_table
from eboards.events import DeviceEvent

log = logging.getLogger(__name__)

FOLDER = "tags"
SUFFIX = ".tags"


class TagShelf:
    """A folder of sets. Nothing is there before something was learnt."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def file(self, device: str) -> Path:
        """Where the sets of this device are kept; `device` as a configuration names it."""
        return self._folder / f"{re.sub(r'[^A-Za-z0-9.-]+', '_', device)}{SUFFIX}"

    def known(self, device: str) -> TagTable:
        """Every set of the hall, the device's own above all. Files that cannot be read are told
        and passed over."""
        own = self.file(device)
        others = sorted(file for file in self._folder.glob(f"*{SUFFIX}") if file != own)
        table = TagTable()
        for file in [*others, own]:
            table = table.with_set(_read(file))
        return table

    def keep(self, device: str, learnt: TagTable) -> Path:
        """Add a set to those of this device. Raises OSError."""
        file = self.file(device)
        table = _read(file).with_set(learnt)
        self._make_folder()
        beside = file.with_suffix(".new")
        beside.unlink(missing_ok=True)
        with beside.open("x", encoding="utf-8") as out:
            give_to_owner(out.fileno(), self._folder)
            out.write(f"# Tags at {device}\n{write_table(table)}")
        beside.replace(file)
        return file

    def _make_folder(self) -> None:
        if self._folder.exists():
            return
        self._folder.mkdir(parents=True)
        made = os.open(self._folder, os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            give_to_owner(made, self._folder.parent)
        finally:
            os.close(made)

    def codec(self, device: str) -> CertaboCodec:
        """One for this device, that knows the hall's sets and keeps what it learns."""

        def keep(learnt: TagTable) -> None:
            try:
                self.keep(device, learnt)
            except OSError as error:
                log.warning("the tags learnt at %s are not kept: %s", device, error)

        return _KeepingCodec(self.known(device), keep)


class _KeepingCodec(CertaboCodec):
    """What it learns from a start array is handed out once."""

    def __init__(self, tags: TagTable, keep: Callable[[TagTable], None]) -> None:
        super().__init__(tags)
        self._kept, self._keep = tags, keep

    def receive(self, data: bytes, at_ns: int) -> list[DeviceEvent]:
        events = super().receive(data, at_ns)
        if self.tags is not self._kept:
            known, self._kept = self._kept.pieces, self.tags
            new = {tag: piece for tag, piece in self.tags.pieces.items() if tag not in known}
            self._keep(TagTable(new))
        return events


def _read(file: Path) -> TagTable:
    try:
        table = read_table(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return TagTable()
    except (OSError, UnicodeDecodeError) as error:
        log.warning("%s cannot be read: %s", file, error)
        return TagTable()
    if isinstance(table, Unclear):
        log.warning("%s, %s", file, table.sentence)
        return TagTable()
    return table
