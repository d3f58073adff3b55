"""What a service must have for itself, claimed before anything is read, deleted or started.

    the journal                       one service writes it
    the folder of its own broker      two journals in one folder would end each other's broker
    a hall at a broker of others      the same hall twice would tell the same topics

All of it goes with the process, however it ends.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from arbiterd.cli import FailedError
from arbiterd.config import Config
from arbiterd.edges import StoreError
from arbiterd.edges.claim import Claim, ClaimedError, ClaimHolder
from arbiterd.edges.real import FileStore

log = logging.getLogger(__name__)


def state_folder(hall: str) -> Path:
    """Where a service without a configured journal keeps what it must not forget."""
    return _state() / hall


def _state() -> Path:
    given = os.environ.get("STATE_DIRECTORY") or os.environ.get("XDG_STATE_HOME")
    base = Path(given) if given else _home() / ".local" / "state"
    return base if os.environ.get("STATE_DIRECTORY") else base / "arbiterd"


def _home() -> Path:
    """A user that is a number alone, as in a container, has `/`: what cannot be written is said."""
    try:
        return Path.home()
    except RuntimeError:
        return Path(os.sep)


def journal_path(config: Config, folder: Path) -> Path:
    """The journal of a configuration."""
    if config.journal.path:
        return folder / config.journal.path
    return state_folder(config.hall.name) / "journal.db"


def broker_folder(config: Config, folder: Path) -> Path:
    """Where the embedded broker of a configuration keeps its messages."""
    return journal_path(config, folder).parent.absolute() / "broker"


def runs(config: Config, folder: Path) -> ClaimHolder | None:
    """The service that writes the journal of a configuration; None: none does.

    Raises OSError where that cannot be seen: another user's, or never begun.
    """
    return FileStore(journal_path(config, folder)).claim.holder()


@dataclass(frozen=True, slots=True)
class OwnedState:
    """What is ours for as long as the service runs."""

    store: FileStore
    claims: tuple[Claim, ...]

    def tell(self, page: str) -> None:
        """Where the page is, for whoever starts a second service."""
        for claim in self.claims:
            if claim.held:
                claim.tell(page)


@contextmanager
def held(config: Config, folder: Path) -> Iterator[OwnedState]:
    """Raises FailedError where another service that lives has any of it; it is left as it is."""
    store = FileStore(journal_path(config, folder))
    other, told = _beside(config, folder)
    try:
        _take(store, other, told)
        yield OwnedState(store, (store.claim, other))
    finally:
        other.release()
        store.close()


def _take(store: FileStore, other: Claim, told: str) -> None:
    try:
        store.lock()
        other.take()
    except StoreError as error:
        raise FailedError(str(error)) from None
    except ClaimedError as claimed:
        raise FailedError(f"{claimed}; {told}") from None
    except OSError as error:
        # The folder beside the journal is made with the broker, which says what is wrong with it;
        # where a hall may not be claimed at all, its topics are as safe as they were.
        log.warning("%s cannot be claimed (%s)", other.file, error.strerror)


def _beside(config: Config, folder: Path) -> tuple[Claim, str]:
    """What else is claimed, and what is said where another has it."""
    url, hall = config.mqtt.url, config.hall.name
    if url is None:
        broker = broker_folder(config, folder)
        return (
            Claim(broker / "lock"),
            f"its broker lies in {broker}: give this one a [journal] path in a folder of its own",
        )
    return (
        Claim(_state() / "halls" / f"{hall}@{url.host}-{url.port}.lock"),
        f"it tells the hall {hall!r} at {url}: stop it first, or give this one another [hall] name",
    )
