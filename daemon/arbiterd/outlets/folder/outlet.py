"""Writes the folder, and runs the organiser's command once something in it is new.

A file is written beside its place and renamed, and only where its content changed: whoever watches
the folder never sees half a file, and nothing moves that is not news. The command runs beside this:
while it hangs, files are written. Those are a worker's: a folder may lie on a disk or a network
that hangs, and nobody else waits for it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from arbiterd.edges import ServiceClock, Workers
from arbiterd.outlets.folder.layout import FIRST, Entries, files
from arbiterd.outlets.pgn.book import ScoreBook

log = logging.getLogger(__name__)

LANE = "broadcast"
LOOK_S = 2.0
UPLOAD_S = 120.0
"""A command that takes longer is ended."""
AGAIN_NS = 60_000_000_000
"""So long after a failure it is tried again."""
FOLDER_MODE, FILE_MODE = 0o755, 0o644
"""It is for programs of others, whatever the service keeps to itself: its unit's umask is 0027."""


class FolderOutlet:
    """`trouble` is a sentence while files cannot be written or uploaded, else empty."""

    def __init__(
        self,
        hall: str,
        book: ScoreBook,
        tables: Sequence[str],
        folder: Path,
        clock: ServiceClock,
        workers: Workers,
        upload: Sequence[str] = (),
        serials: Callable[[], Mapping[str, str]] = dict,
    ) -> None:
        self._hall, self._book, self._tables, self._folder = hall, book, tables, folder
        self._clock, self._workers = clock, workers
        self._upload, self._serials = tuple(upload), serials
        self._entries = Entries()
        self._written: dict[str, bytes] = {}
        self._to_upload = False
        self._not_before_ns = 0
        """After an upload that failed."""
        self._uploading: asyncio.Task[str] | None = None
        self._upload_trouble = ""
        self.trouble = ""
        self.looks = 0
        """How often it was looked what is new."""

    async def run(self) -> None:
        """Until cancelled; a command that runs is ended then."""
        try:
            while True:
                trouble = await self.look()
                if trouble and trouble != self.trouble:
                    log.warning("broadcast: %s; trying again", trouble)
                self.trouble = trouble
                self.looks += 1
                await self._clock.rest(LOOK_S)
        finally:
            if self._uploading is not None:
                self._uploading.cancel()

    async def look(self) -> str:
        """Writes what is new; what went wrong, in a sentence."""
        rounds = await self._book.rounds(self._tables)
        wanted = files(self._hall, rounds, self._serials(), self._entries)
        try:
            await self._workers.run(LANE, partial(self._write, wanted))
        except OSError as error:
            return f"the folder {self._folder} cannot be written ({error}); make room or mend it"
        may = self._uploading is None and self._clock.now_ns() >= self._not_before_ns
        if self._upload and self._to_upload and may:
            self._to_upload = False
            self._uploading = asyncio.create_task(_run(self._upload, self._folder))
        if self._uploading is not None:
            await self._hear(self._uploading)
        return self._upload_trouble

    def _write(self, wanted: Mapping[str, bytes]) -> None:
        """What of it is new. Raises OSError."""
        if not (self._folder / FIRST).exists():
            # Somebody has cleared the folder, or it is another disk: all of it is news there.
            self._written.clear()
        news = {path: data for path, data in wanted.items() if self._written.get(path) != data}
        # The index last: who reads it finds the games it speaks of.
        for path in sorted(news, key=lambda path: (path.endswith("index.json"), path)):
            _put(self._folder / path, news[path])
            self._written[path] = news[path]
            self._to_upload = True

    async def _hear(self, uploading: asyncio.Task[str]) -> None:
        """What became of it, if it ends soon. A network that is away keeps no file from being
        written."""
        done, _ = await asyncio.wait({uploading}, timeout=LOOK_S)
        if not done:
            return
        self._uploading, self._upload_trouble = None, uploading.result()
        if self._upload_trouble:
            self._to_upload = True
            self._not_before_ns = self._clock.now_ns() + AGAIN_NS


def _put(file: Path, data: bytes) -> None:
    """What another start left there is not written again."""
    if file.is_file() and file.read_bytes() == data:
        return
    _make(file.parent)
    beside = file.with_name(f".{file.name}.new")
    beside.write_bytes(data)
    beside.chmod(FILE_MODE)
    beside.replace(file)


def _make(folder: Path) -> None:
    if not folder.exists():
        _make(folder.parent)
        folder.mkdir()
        folder.chmod(FOLDER_MODE)


async def _run(command: Sequence[str], folder: Path) -> str:
    """The command in the folder; why it failed, in a sentence."""
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            cwd=folder,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
        )
    except OSError as error:
        return f"the upload command {command[0]} cannot be run ({error}); mend [broadcast] upload"
    try:
        async with asyncio.timeout(UPLOAD_S):
            _, said = await process.communicate()
    except TimeoutError:
        return f"the upload command {command[0]} took longer than {UPLOAD_S:.0f} s and was ended"
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode:
        last = said.decode("utf-8", errors="replace").strip().splitlines()[-1:]
        words = f": {last[0][:200]}" if last else ""
        return f"the upload command {command[0]} failed ({process.returncode}){words}"
    return ""
