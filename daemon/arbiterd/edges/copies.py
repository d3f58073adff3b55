"""A journal copied while it is written, and a copy put in a journal's place.

    journal.db ─▶ COPY.part ─▶ COPY                     on the disk before it has its name
    COPY ─▶ journal.db.mended ─▶ journal.db             what stood there: journal.db.replaced-1

A copy is one file that can be read anywhere, also from a medium that cannot be written.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from arbiterd.edges import MAKE_ROOM, StoreError
from arbiterd.edges.ownership import give_to_owner
from arbiterd.edges.store import OURS, FileStore

NO_LINKS = frozenset({errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS})
"""What a file system says that has no hard links: FAT and exFAT, as sticks come with."""


def copied(store: FileStore, target: Path) -> None:
    """All that is on the disk at one moment, at `target`; whoever writes is not held up.

    Raises StoreError: the journal cannot be read, the target is there or cannot be written.
    """
    if target.exists():
        raise StoreError(f"{target} is there already; name a file that is not")
    part = target.with_name(f"{target.name}.part")
    try:
        _begun(part)
        try:
            _written(store, part)
            _named(part, target)
        finally:
            with suppress(OSError):
                part.unlink(missing_ok=True)
    except FileExistsError:
        raise StoreError(f"{target} is there already; name a file that is not") from None
    except (OSError, sqlite3.OperationalError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise StoreError(
            f"{target} cannot be written ({why}); make room, or name another place"
        ) from None
    _settled(target.parent)


def restored(copy: FileStore, store: FileStore) -> Path | None:
    """Puts a copy in the place of a journal; where the one that stood there is now.

    Nobody else may write that journal: `store` is locked. What is noted beside it stays, so that
    numbers go on behind all that was ever published. Raises StoreError.
    """
    store.lock()
    new = store.beside("mended")  # A start that finds only this takes it as the journal.
    try:
        new.unlink(missing_ok=True)
        _made(new, store.path.parent)
        _written(copy, new)
        _gathered(store.path)
        aside = store.set_aside("replaced") if store.path.exists() else None
        if aside is None:
            new.rename(store.path)
        _settled(store.path.parent)
    except (OSError, sqlite3.OperationalError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise StoreError(f"{store.path} cannot be written ({why}); {MAKE_ROOM}") from None
    return aside


def _begun(part: Path) -> None:
    """From here on the file is this copy's. Raises StoreError where it is another one's."""
    try:
        _made(part)
    except FileExistsError:
        raise StoreError(
            f"{part} is there: another copy is being written, or one was broken off; take it away"
            " if nobody writes it"
        ) from None


def _named(part: Path, target: Path) -> None:
    """Unlike a rename, a link never takes the place of another file. Raises FileExistsError."""
    try:
        os.link(part, target)
    except OSError as error:
        if error.errno not in NO_LINKS:
            raise
        # Whoever copies here under this name has `part`, and that is ours.
        if target.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), target) from None
        part.rename(target)


def _made(file: Path, owned_as: Path | None = None) -> None:
    made = os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL, OURS)
    try:
        if owned_as is not None:
            give_to_owner(made, owned_as)
    finally:
        os.close(made)


def _written(store: FileStore, target: Path) -> None:
    """Into an empty file, in one reading: what is written meanwhile is not in it."""
    with closing(store.connect_for_reading()) as db, closing(sqlite3.connect(target)) as out:
        db.backup(out)
        out.execute("PRAGMA journal_mode = DELETE")  # One file, without companions.
    _settled(target)


def _gathered(path: Path) -> None:
    """What stands in the write-ahead log goes into the journal: then one rename takes it all."""
    if not path.exists():
        return
    with suppress(sqlite3.Error), closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()


def _settled(path: Path) -> None:
    """On the disk, whatever happens to the power."""
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
