"""What the power cut of a machine left on its disk, and what must be true of it.

The disk of the dead machine is read before it is switched on again: the file system is mended in a
copy, the journal taken out, and read by the code under test.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from arbiterd.edges.real import FileStore
from arbiterd.journal.reader import JournalReader
from arbiterd.journal.verify import verify
from hardware.image import PATH

JOURNAL: Final = "/var/lib/arbiterd/journal.db"
_MENDED: Final = 1
"""Exit status of e2fsck: errors were found and mended."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A journal as it lay on the disk."""

    whole: bool
    breaks: tuple[str, ...]
    inputs: int
    events: Mapping[str, Mapping[int, bytes]]
    """By table and number."""

    def record(self, table: str) -> list[dict[str, Any]]:
        """The half-moves that stand, in order: what replaces another stands in its place."""
        line: dict[int, dict[str, Any]] = {}
        for _, payload in sorted(self.events.get(table, {}).items()):
            said = json.loads(payload)
            if "ply" in said and "san" in said:
                line[said["ply"]] = said
        return [said for _, said in sorted(line.items()) if said["uci"] is not None]

    def lacks(self, heard: Mapping[str, Mapping[int, bytes]]) -> list[str]:
        """What was heard and is not there, byte for byte."""
        return [
            f"table {table}: {payload!r}"
            for table, said in heard.items()
            for seq, payload in sorted(said.items())
            if self.events.get(table, {}).get(seq) != payload
        ]

    def gaps(self) -> list[str]:
        """Tables whose events are not numbered 1, 2, 3 …"""
        return [
            f"table {table}: {sorted(said)}"
            for table, said in self.events.items()
            if sorted(said) != list(range(1, len(said) + 1))
        ]


def left_on(disk: Path, folder: Path) -> Kept | None:
    """The journal on the disk of a machine that is off; None: there is none."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    copy = folder / "disk"
    subprocess.run(["cp", "--sparse=always", disk, copy], check=True)
    mended = _tool("e2fsck", "-fy", str(copy))
    assert mended.returncode <= _MENDED, f"the file system is beyond e2fsck:\n{mended.stdout}"
    for end in ("", "-wal", ".head"):
        _tool("debugfs", "-R", f"dump {JOURNAL}{end} {folder / f'journal.db{end}'}", str(copy))
    copy.unlink()
    path = folder / "journal.db"
    return read(path) if path.exists() and path.stat().st_size else None


def read(path: Path) -> Kept:
    """A journal that nobody writes."""
    db = FileStore(path).connect_for_reading()
    verdict = verify(db)
    events: dict[str, dict[int, bytes]] = {}
    for row in JournalReader(db).outputs():
        if row.seq is not None:
            events.setdefault(row.table, {})[row.seq] = row.payload
    db.close()
    return Kept(verdict.whole, tuple(map(str, verdict.breaks)), verdict.inputs, events)


def _tool(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words,
        env={"PATH": PATH, "LC_ALL": "C"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
