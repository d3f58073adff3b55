"""The journal on a disk, and what is kept beside it.

    journal.db                the journal; -wal and -shm are SQLite's own
    journal.db.lock           held by the one process that writes
    journal.db.head           where the journal ended after the newest commits
    journal.db.mended         a new one that is being filled from a damaged one
    journal.db.damaged-1 …    journals that were damaged, as they were found
    journal.db.replaced-1 …   journals in whose place a copy was put

All of it is for the service's own user: names stand in it.
"""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from arbiterd.edges import MAKE_ROOM, DamagedError, DiskError, StoreError
from arbiterd.edges.claim import Claim, ClaimedError

OURS = 0o600
WORLD = 0o007
PLACE = 1 << 16
"""Bytes of each of the two places of the head; a hall of 500 tables takes a quarter of it."""
PAGE = 4096
"""SQLite's, in every journal."""
STATEMENTS = 256
"""Kept parsed: rows are written many in a statement, and each number of them is one of its own."""
LATER = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EFBIG})
"""What a person can mend while we wait."""
WAL_AT, SIZE_AT, FREE_AT = slice(18, 20), slice(28, 32), slice(32, 40)
"""In the first page: that there is a write-ahead log, how many pages, where free ones begin."""

Prepare = Callable[[sqlite3.Connection], None]
"""Makes a new file a journal."""


def lenient(text: bytes) -> str:
    """Text that is damaged is still told, and its seal shows the damage."""
    return text.decode(errors="replace")


def try_folder(folder: Path) -> None:
    """Whether files can be written in a folder, or in the one where it would be made. Nothing is
    made. Raises OSError."""
    whole = folder.absolute()
    with tempfile.TemporaryFile(
        dir=next(place for place in (whole, *whole.parents) if place.exists())
    ):
        pass


class FileStore:
    """A journal in a file.

    SQLite before 3.51.3 can damage a write-ahead log where two connections write or checkpoint
    at once: so one connection does both, readers do neither, and no file is mapped into memory.
    """

    connection: type[sqlite3.Connection] = sqlite3.Connection
    """What the one that writes is made of."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.claim = Claim(path.with_name(f"{path.name}.lock"))
        self._file: tuple[int, int] | None = None
        """The one that is held open: its device, and its number there."""
        self._head: int | None = None
        self._heads = 0

    def beside(self, what: str) -> Path:
        """A file of this name beside the journal."""
        return self.path.with_name(f"{self.path.name}.{what}")

    # Writing.

    def connect(self) -> sqlite3.Connection:
        """The one connection that writes. Raises StoreError, DiskError, DamagedError."""
        self.lock()
        mended = self.beside("mended")
        try:
            if not self.path.exists() and mended.exists():
                mended.rename(self.path)  # Killed between the two renames of `set_aside`.
            self._make_private()
            # Used by one thread at a time (a lane of `Workers`), not always the same one.
            db = sqlite3.connect(
                self.path,
                isolation_level=None,
                check_same_thread=False,
                cached_statements=STATEMENTS,
                factory=self.connection,
            )
            db.text_factory = lenient
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL")
            db.execute("PRAGMA secure_delete = ON")
            self._file = self._standing()
        except OSError as error:
            raise self._refused(error) from error
        except sqlite3.OperationalError as error:
            raise self.no_room(error) from error
        except sqlite3.Error as error:
            raise DamagedError(str(error)) from error
        return db

    def away(self) -> bool:
        try:
            return self._standing() != self._file
        except OSError:
            return True

    def _standing(self) -> tuple[int, int]:
        """Which file has the name now. Raises OSError."""
        found = self.path.stat()
        return found.st_dev, found.st_ino

    def connect_again(self) -> sqlite3.Connection:
        self.close()  # The lock beside the file that was there.
        return self.connect()

    def _make_private(self) -> None:
        """Made before SQLite makes it: its companions get the same rights."""
        os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, OURS))
        for file in (self.path, *(Path(f"{self.path}{end}") for end in ("-wal", "-shm"))):
            with suppress(FileNotFoundError):
                rights = file.stat().st_mode & 0o777
                if rights & WORLD:
                    file.chmod(rights & ~WORLD)

    def _refused(self, error: OSError) -> StoreError:
        if error.errno in LATER:
            return self.no_room(error)
        return StoreError(
            f"the journal {self.path} cannot be written: {error.strerror}; "
            "give [journal] path in a folder the service may write to"
        )

    def no_room(self, error: Exception) -> DiskError:
        """What to say of a disk that refuses."""
        why = error.strerror if isinstance(error, OSError) else error
        return DiskError(f"the journal {self.path} cannot be written ({why}); {MAKE_ROOM}")

    def try_writing(self) -> None:
        """Nothing is made, and nothing that is there is changed. Raises StoreError."""
        try:
            for file in (self.path, self.claim.file):
                with suppress(FileNotFoundError):
                    os.close(os.open(file, os.O_RDWR))
            try_folder(self.path.parent)
        except OSError as error:
            raise self._refused(error) from error

    def lock(self) -> None:
        """For as long as this process lives no other one writes here. Raises StoreError."""
        try:
            self.claim.take()
        except ClaimedError as claimed:
            raise StoreError(
                f"{claimed}; it writes the journal {self.path}: use it, stop it first,"
                " or give this one another [journal] path"
            ) from None
        except OSError as error:
            raise self._refused(error) from error

    def close(self) -> None:
        """Another process may write here now."""
        if self._head is not None:
            os.close(self._head)
        self._head = None
        self.claim.release()

    # Reading.

    def connect_for_reading(self) -> sqlite3.Connection:
        """A connection that never writes and never checkpoints. Raises StoreError."""
        if not self.path.exists():
            raise StoreError(f"there is no journal at {self.path}; name one that exists")
        if self.path.is_dir():
            raise StoreError(f"{self.path} is a folder; name the journal in it")
        if not self.path.is_file():
            raise StoreError(f"{self.path} is no file, and opening it might never end; name one")
        try:
            return self._readable()
        except sqlite3.OperationalError as error:
            raise StoreError(
                f"{self.path} cannot be read ({error}); read it as its owner, or copy it with all"
                " that is beside it into a folder that can be written"
            ) from error
        except sqlite3.Error as error:
            raise StoreError(
                f"{self.path} is not a journal, or its beginning is damaged ({error}); name a"
                " journal of arbiterd, or a copy of this one"
            ) from error

    def _readable(self) -> sqlite3.Connection:
        """Also where nothing can be put beside it, as long as all of it is in the one file."""
        try:
            return _reading(self.path, "mode=ro")
        except sqlite3.OperationalError:
            ahead = Path(f"{self.path}-wal")
            if ahead.exists() and ahead.stat().st_size:
                raise
            return _reading(self.path, "mode=ro&immutable=1")

    def no_journal(self, error: Exception) -> StoreError:
        """What to say of a file that never was a journal."""
        return StoreError(
            f"{self.path} is not a journal and cannot be written as one: {error};"
            " give [journal] another path"
        )

    # What is noted beside it.

    def heads(self) -> tuple[bytes, ...]:
        try:
            noted = self.beside("head").read_bytes()
        except OSError:
            return ()
        return noted[:PLACE], noted[PLACE : 2 * PLACE]

    def put_head(self, noted: bytes) -> None:
        if len(noted) > PLACE:
            return
        with suppress(OSError):
            if self._head is None:
                self._head = os.open(self.beside("head"), os.O_RDWR | os.O_CREAT, OURS)
            os.pwrite(self._head, noted, PLACE * (self._heads % 2))
            self._heads += 1

    # A damaged one.

    @contextmanager
    def replacing(
        self, prepare: Prepare
    ) -> Iterator[tuple[sqlite3.Connection, sqlite3.Connection]]:
        mended, patched = self.beside("mended"), self.beside("patched")
        new: sqlite3.Connection | None = None
        old: sqlite3.Connection | None = None
        try:
            mended.unlink(missing_ok=True)
            os.close(os.open(mended, os.O_RDWR | os.O_CREAT, OURS))
            new = sqlite3.connect(mended, isolation_level=None)
            prepare(new)
            old = self._readable_old(patched)
            yield old, new
        except OSError as error:
            raise self._refused(error) from error
        except sqlite3.OperationalError as error:
            raise self.no_room(error) from error
        finally:
            for db in (old, new):
                if db is not None:
                    db.close()
            for end in ("", "-wal", "-shm"):
                Path(f"{patched}{end}").unlink(missing_ok=True)

    def _readable_old(self, patched: Path) -> sqlite3.Connection:
        """Where its first page is no journal's, a copy with a new first page."""
        try:
            db = _reading(self.path, "mode=ro")
            db.execute("SELECT count(*) FROM chain").fetchone()
        except sqlite3.Error:
            for end in ("", "-wal"):
                with suppress(FileNotFoundError):
                    shutil.copyfile(f"{self.path}{end}", f"{patched}{end}")
            _lay_first_page(patched, self.beside("mended"))
            db = _reading(patched, "mode=rw")
        return db

    def rescue(self, db: sqlite3.Connection) -> None:
        mended = self.beside("mended")
        # A new start would make the folder too, and find nothing in it.
        mended.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        mended.unlink(missing_ok=True)
        os.close(os.open(mended, os.O_RDWR | os.O_CREAT, OURS))
        out = sqlite3.connect(mended)
        db.backup(out)
        out.close()

    def put_back(self, db: sqlite3.Connection, noted: bytes) -> Path:
        self.close()  # The lock and the head beside the file that was there.
        self.lock()
        self.rescue(db)
        aside = self.set_aside("replaced")
        self.beside("head").unlink(missing_ok=True)
        self.put_head(noted)
        return aside

    def set_aside(self, why: str = "damaged") -> Path:
        number = 1
        while (aside := self.beside(f"{why}-{number}")).exists():
            number += 1
        for end in ("-wal", "-shm"):
            with suppress(FileNotFoundError):
                Path(f"{self.path}{end}").rename(f"{aside}{end}")
        self.path.rename(aside)
        self.beside("mended").rename(self.path)
        return aside


def _reading(path: Path, how: str) -> sqlite3.Connection:
    db = sqlite3.connect(
        f"{path.absolute().as_uri()}?{how}",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
    )
    db.text_factory = lenient
    db.execute("PRAGMA wal_autocheckpoint = 0")
    db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return db


def _lay_first_page(damaged: Path, new: Path) -> None:
    """Over the first page of a copy. The tables begin at the same pages in every journal."""
    pages = max(1, damaged.stat().st_size // PAGE)
    page = bytearray(new.read_bytes()[:PAGE])
    page[WAL_AT] = b"\2\2"
    page[SIZE_AT] = pages.to_bytes(4)
    page[FREE_AT] = bytes(8)
    with damaged.open("r+b") as file:
        file.write(page)
