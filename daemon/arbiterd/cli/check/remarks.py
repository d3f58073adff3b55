"""What is no fault of a configuration, and still worth a look before the round."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from arbiterd.access.authority import ending
from arbiterd.config import Config
from arbiterd.config.lines import KeyPath
from arbiterd.config.model import RateOfPlay
from arbiterd.edges.real import WallClock
from arbiterd.hall.round.pairings import read_pairings, seated
from arbiterd.timing.control import Kind, Period

ConfigRemark = tuple[KeyPath, str]
SIXTY_MOVES = 60
"""The Laws class a rate by the time for so many moves (A.1, B.1)."""
RAPID_MS, STANDARD_MS = 10 * 60_000, 60 * 60_000
SOON_NS, DAY_NS = 60 * 1_000_000_000, 24 * 60 * 60 * 1_000_000_000


def remarks(config: Config, folder: Path) -> list[ConfigRemark]:
    """Of a configuration without faults."""
    return [
        *_pairings(config, folder),
        *_names(config),
        *_rates(config),
        *_delays(config),
        *_upload(config, folder),
        *_certificate(config, folder),
    ]


def _certificate(config: Config, folder: Path) -> Iterator[ConfigRemark]:
    now = WallClock().now()
    for section in ("http", "mqtt"):
        file = getattr(config, section).tls_cert
        if file and (soon := ending((folder / file).read_bytes(), now)):
            yield (section, "tls_cert"), soon


def _pairings(config: Config, folder: Path) -> Iterator[ConfigRemark]:
    if not config.round.pairings:
        return
    pairings = read_pairings(folder / config.round.pairings, config.round.number)
    seats = seated(pairings, [entry.table for entry in config.tables])
    name = config.round.pairings
    for number, entry in enumerate(config.tables):
        if entry.table not in seats and not entry.white and not entry.black:
            yield (
                ("tables", number),
                f"table {entry.table} has no pairing in {name}, and plays without names",
            )
    for left in [pairing for pairing in pairings if pairing not in seats.values()]:
        yield ("round", "pairings"), f"{left.white} against {left.black} have no table here"
    players = Counter(who for pairing in pairings for who in (pairing.white, pairing.black))
    for who, times in players.items():
        if times > 1:
            yield ("round", "pairings"), f"{who} plays {times} games in {name}"


def _names(config: Config) -> Iterator[ConfigRemark]:
    for number, entry in enumerate(config.tables):
        if bool(entry.white) != bool(entry.black):
            missing = "black" if entry.white else "white"
            yield ("tables", number), f"table {entry.table} has no name for {missing}"


def _rates(config: Config) -> Iterator[ConfigRemark]:
    for name, rate in config.rates.items():
        kind = _kind(rate)
        if kind != Kind(rate.kind) and all(entry.ruleset == "chess" for entry in config.tables):
            yield (
                ("rates", name, "kind"),
                f"is {rate.kind}, and by its time the Laws call it {kind.value}",
            )


def _kind(rate: RateOfPlay) -> Kind:
    """By the time a player has for sixty moves."""
    total_ms = 0
    left = SIXTY_MOVES
    for period in rate.time:
        moves = min(left, period.moves or left)
        total_ms += period.base_ms + moves * _credit_ms(period)
        left -= moves
        if not left:
            break
    if total_ms >= STANDARD_MS:
        return Kind.STANDARD
    return Kind.RAPID if total_ms > RAPID_MS else Kind.BLITZ


def _credit_ms(period: Period) -> int:
    return period.increment_ms + period.delay_ms


def _delays(config: Config) -> Iterator[ConfigRemark]:
    if config.public.listen is not None and config.broadcast.delay < SOON_NS:
        yield ("broadcast", "delay"), "is less than a minute: players may learn from the public"
    delays: dict[KeyPath, int | None] = {
        ("broadcast", "delay"): config.broadcast.delay,
        ("round", "delay"): config.round.delay,
    }
    delays |= {("tables", n, "delay"): entry.delay for n, entry in enumerate(config.tables)}
    for key, delay in delays.items():
        if delay is not None and delay > DAY_NS:
            yield key, "is more than a day: the public sees nothing of a game before"


def _upload(config: Config, folder: Path) -> Iterator[ConfigRemark]:
    """The command runs in the broadcast's folder, with the service's search path."""
    for name in config.broadcast.upload[:1]:
        place = folder / config.broadcast.folder / name if "/" in name else name
        if shutil.which(place) is None:
            yield ("broadcast", "upload"), f"no program {name} is found here that can be run"
