"""The name under which the service is known to a broker: nobody can guess it, and so take it.

A broker throws a client off when another comes with the same id, and asks no login whose it is.
The name stays the same from start to start, so that the broker knows an old connection as ours.
"""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

FILE = "mqtt-id"
SECRET_BYTES = 16


def client_id(hall: str, folder: Path) -> str:
    """`arbiterd-HALL-…`, with a secret of this installation, kept in a file for our eyes only.

    Where the folder cannot be written it is new with each start.
    """
    file = folder / FILE
    with suppress(OSError, UnicodeDecodeError):
        kept = file.read_text(encoding="ascii").strip()
        if len(kept) == 2 * SECRET_BYTES and kept.isalnum():
            return f"arbiterd-{hall}-{kept}"
    secret = secrets.token_hex(SECRET_BYTES)
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        file.unlink(missing_ok=True)
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
            out.write(f"{secret}\n")
    return f"arbiterd-{hall}-{secret}"
