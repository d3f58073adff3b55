"""The outlets of a broadcast, as the configuration wants them: all behind the one delay."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

from arbiterd.access.people import read_secret
from arbiterd.config import Config
from arbiterd.edges import Edges
from arbiterd.journal.delays import Delays
from arbiterd.journal.journal import Journal
from arbiterd.outlets.folder.outlet import FolderOutlet
from arbiterd.outlets.lichess.http import HttpSender
from arbiterd.outlets.lichess.push import LichessOutlet
from arbiterd.outlets.pgn.book import Form, ScoreBook
from arbiterd.outlets.pgn.safe import newest_part, safe_pgn
from arbiterd.service.duties import Duty

LOOK_S = 180.0
"""A network that is slow, or asks for patience, may keep one look waiting so long."""


def broadcast_duties(
    config: Config, folder: Path, journal: Journal, edges: Edges, delays: Delays
) -> Iterator[Duty]:
    """What is to be written and pushed. Relative paths count from `folder`. Raises SecretError."""
    clock = edges.clock
    wanted, tables = config.broadcast, tuple(entry.table for entry in config.tables)

    def book(form: Form) -> ScoreBook:
        return ScoreBook(journal.read, clock, delays, form)

    if wanted.folder:
        outlet = FolderOutlet(
            config.hall.name,
            book(safe_pgn),
            tables,
            folder / wanted.folder,
            clock,
            edges.workers,
            wanted.upload,
            _serials(journal, tables),
        )
        yield _duty("the broadcast's folder", outlet.run, lambda: outlet.looks)
    if wanted.lichess:
        token = partial(read_secret, folder / wanted.lichess_token_file)
        token()
        sender = HttpSender(token)
        pushing = LichessOutlet(book(newest_part), tables, wanted.lichess, sender, clock)
        yield _duty("the push to Lichess", pushing.run, lambda: pushing.looks)


def _duty(name: str, work: Callable[[], Awaitable[None]], looks: Callable[[], int]) -> Duty:
    """A network may keep it waiting; the hall goes on without it."""
    return Duty(name, work, lambda: True, looks, LOOK_S, vital=False)


def _serials(journal: Journal, tables: tuple[str, ...]) -> Callable[[], Mapping[str, str]]:
    """What each table's board calls itself, as it was at the start."""
    return partial(dict, {name: journal.read.identity(name) for name in tables})
