"""Another configuration for a service that runs: what can hold does, no game is touched.

[journal] keep                at once
device of a table             at once: another link
label of a table, time_zone   at once: the game goes on
all else of a table           at once where nobody plays, else from the next start
[rates], [round], [settings]  for the rounds that are begun from now on
everything else               from the next start
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace

from arbiterd.config import Config
from arbiterd.hall.tables.desk import Desk
from arbiterd.hall.tables.differing import BESIDE, DELAY, differing, relabelled, words
from arbiterd.table.setup import TableSetup

LIVE = frozenset({"journal", "tables", "rates", "round", "settings"})
"""Sections of which something holds at once."""


def reloaded(
    config: Config,
    other: Config,
    setups: Mapping[str, TableSetup],
    desk: Desk,
    rebind: Callable[[str, str], None],
) -> Iterator[str]:
    """Carries out what can be, and says the rest, a sentence each."""
    for section in fields(Config):
        if section.name not in LIVE and getattr(config, section.name) != getattr(
            other, section.name
        ):
            yield f"[{section.name}] has changed: that holds from the next start"
    if replace(config.journal, keep=None) != replace(other.journal, keep=None):
        yield "[journal] path has changed: that holds from the next start"
    if {entry.table for entry in config.tables} != {entry.table for entry in other.tables}:
        yield "tables were added or taken out: that holds from the next start"
    before = {entry.table: entry for entry in config.tables}
    for entry in other.tables:
        known = before.get(entry.table)
        if known is not None and known.device != entry.device:
            rebind(entry.table, entry.device)
            yield f"table {entry.table} reads {entry.device} from now on"
    for name, setup in setups.items():
        yield from _seated(desk, name, setup)


def _seated(desk: Desk, name: str, setup: TableSetup) -> Iterator[str]:
    seat = desk.seats.get(name)
    if seat is None or seat.failing:
        return
    # What a command said stands, as at a start, until the configuration says something else.
    changed = differing(desk.configured(name) or setup, setup)
    if not changed - BESIDE:
        if DELAY in changed:
            yield f"table {name} has another delay: that holds from the next start"
        now = seat.table.setup
        label = relabelled(now, setup, desk.now_ns(seat))
        if label:
            desk.take(seat, (label,))
        if now.label != setup.label:
            yield f"table {name} is called {setup.label or name} from now on"
        if now.laws.time_zone != setup.laws.time_zone:
            yield f"times at table {name} are of {setup.laws.time_zone} from now on"
        return
    if seat.table.in_play:
        what = words(changed - BESIDE)
        yield (
            f"table {name} is in play: what has changed of it ({what}) holds from the"
            " next start, which sets up a new game there; to put a name right in the game:"
            " arbiterd round rename"
        )
        return
    desk.set_up(seat, setup)
    yield f"table {name} is set up anew"
