"""The folder of a simulated hall: one hall plays in it, and it takes no configuration's place."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arbiterd.cli import FailedError, WrongError
from arbiterd.cli.boards import WRITTEN

FILE = "arbiterd.toml"
ANOTHER = "name another --pty-dir"


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Made where it is not there, and nobody else's until the end. Raises FailedError, WrongError.

    A hall that plays in it would lose its boards, and a configuration that a person wrote its text.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise FailedError(f"{folder} cannot be made ({error.strerror}); {ANOTHER}") from None
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise FailedError(
                f"a simulated hall plays in {folder} already; stop it first, or {ANOTHER}"
            ) from None
        if not _ours(folder / FILE):
            file = folder / FILE
            raise WrongError(
                f"{file} was not written by arbiterd simulate, and would be lost; {ANOTHER}"
            )
        yield
    finally:
        os.close(handle)


def _ours(file: Path) -> bool:
    """It is not there, or an earlier hall wrote it."""
    try:
        with file.open(encoding="utf-8", errors="replace") as text:
            return WRITTEN in text.readline(200)
    except FileNotFoundError:
        return True
    except OSError:
        return False
