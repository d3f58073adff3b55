"""What one process at a time may have. It is claimed before anything in it is touched.

The lock is the kernel's and goes with the process, however that ends. In the locked file stands
who holds it, for whoever comes second.
"""

from __future__ import annotations

import fcntl
import json
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from arbiterd.edges.ownership import give_to_owner


class ClaimedError(Exception):
    """Another process that lives has it; the message says which, and where its page is."""


@dataclass(frozen=True, slots=True)
class ClaimHolder:
    """A process that lives and has it."""

    pid: int | None
    """None until it has said so."""
    page: str = ""
    """Empty until it is up."""


class Claim:
    """One file that says: this is ours."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._held: int | None = None

    def take(self) -> None:
        """For as long as this process lives nobody else has it. Raises ClaimedError, OSError."""
        if self._held is not None:
            return
        self.file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = self._opened()
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(lock)
            if isinstance(error, BlockingIOError):
                raise ClaimedError(f"arbiterd runs already, as {self._holder()}") from None
            raise
        self._held = lock
        self.tell("")

    def _opened(self) -> int:
        with suppress(FileExistsError):
            made = os.open(self.file, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
            give_to_owner(made, self.file.parent)
            return made
        return os.open(self.file, os.O_RDWR)

    @property
    def held(self) -> bool:
        return self._held is not None

    def tell(self, page: str) -> None:
        """Where people find whoever holds it."""
        assert self._held is not None, "only the holder says so"
        os.ftruncate(self._held, 0)
        os.pwrite(self._held, json.dumps({"pid": os.getpid(), "page": page}).encode(), 0)

    def release(self) -> None:
        """Another process may have it now."""
        if self._held is not None:
            os.close(self._held)
            self._held = None

    def holder(self) -> ClaimHolder | None:
        """Which other process has it now; None: nobody. Raises OSError where we may not look."""
        asked = os.open(self.file, os.O_RDONLY)
        try:
            fcntl.flock(asked, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return self._said()
        finally:
            os.close(asked)
        return None

    def _said(self) -> ClaimHolder:
        try:
            said = json.loads(self.file.read_text(encoding="utf-8"))
            return ClaimHolder(int(said["pid"]), str(said["page"]))
        except (OSError, ValueError, KeyError, TypeError):
            return ClaimHolder(None)

    def _holder(self) -> str:
        said = self._said()
        if said.pid is None:
            return "a process that has not said which"
        return f"process {said.pid}; its page is {said.page or 'not up yet'}"
