"""Files of keys, passwords and access lists: whole or not at all, and read by whom they are for."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

OWN_MODE = 0o600
"""For the owner alone."""
PRIVATE_MODE = 0o640
"""For the owner, and for a service or a broker that runs in the group of the folder."""
PUBLIC_MODE = 0o644


def write_new(file: Path, content: bytes, mode: int) -> None:
    """A file of the group that owns its folder. Raises FileExistsError, and OSError."""
    _write(file, content, mode, -1, file.parent.stat().st_gid)


def write_whole(file: Path, content: bytes, mode: int) -> None:
    """Whoever could read the file before can read it again; a new one is as of `write_new`.

    Raises OSError; what stood there then stands there still.
    """
    part = file.with_name(f"{file.name}.part")
    part.unlink(missing_ok=True)
    try:
        old = file.stat()
    except FileNotFoundError:
        write_new(part, content, mode)
    else:
        _write(part, content, stat.S_IMODE(old.st_mode), old.st_uid, old.st_gid)
    part.replace(file)


def _write(file: Path, content: bytes, mode: int, owner: int, group: int) -> None:
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as out:
        # Who is neither root nor in that group keeps the file to their own.
        with suppress(PermissionError):
            os.fchown(out.fileno(), owner, group)
        out.write(content)
