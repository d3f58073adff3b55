"""What each table is told before its game: the configuration, the round, the pairings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from arbiterd.config import Config
from arbiterd.config.model import TableEntry
from arbiterd.hall.round.pairings import Pairing, read_pairings, seated
from arbiterd.table.player import players_of
from arbiterd.table.setup import TableSetup, with_settings


def setups(config: Config, folder: Path) -> Mapping[str, TableSetup]:
    """By table, in the order of the configuration. Raises PairingsError."""
    names = [entry.table for entry in config.tables]
    pairings: Mapping[str, Pairing] = {}
    if config.round.pairings:
        read = read_pairings(folder / config.round.pairings, config.round.number)
        pairings = seated(read, names)
    return {
        entry.table: setup_of(config, entry, pairings.get(entry.table)) for entry in config.tables
    }


def setup_of(config: Config, entry: TableEntry, pairing: Pairing | None) -> TableSetup:
    """One table: its own names in the configuration go before those of the pairings it names."""
    setup = TableSetup(
        hall=config.hall.name,
        table=entry.table,
        label=entry.label,
        ruleset=entry.ruleset,
        rate=config.rate,
        laws_version=config.hall.laws,
        start=entry.start,
        white=entry.white,
        black=entry.black,
        round=config.round.number,
        simulated=config.simulation is not None,
        orientation=entry.orientation,
        public_delay_ns=config.delay_of(entry),
    )
    if pairing is not None and not entry.white and not entry.black:
        setup = replace(setup, **players_of(pairing))
    return with_settings(setup, config.settings)
