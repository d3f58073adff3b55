"""What no single key shows: two that do not go together, names that are there twice."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import fields
from difflib import get_close_matches
from pathlib import Path

from arbiterd.config.doors import DOORS
from arbiterd.config.files import FILES, FILES_BROUGHT
from arbiterd.config.lines import ConfigFinding
from arbiterd.config.model import Config, TableEntry
from arbiterd.config.values import AUTO
from arbiterd.laws.settings import LawSettings, read_settings
from arbiterd.rules.registry import choices_of, chosen, names, ruleset
from arbiterd.timing.control import cut_short, endless
from arbiterd.tracking.settings import TrackingSettings, check_setting
from eboards.dgt.bus_frame import ADDRESS_MAX

TABLES_MAX = 1000
HALLS_MAX = 20
"""Other halls of an event."""
ROUND_ID = re.compile("[A-Za-z0-9]{8}")
RESERVED = "arbiterd"
"""The service's own login at the embedded broker."""
LAWS_MAX = 10_000_000
"""Of a setting of the Laws: seconds, milliseconds or half-moves."""


def check(
    config: Config,
    folder: Path,
    unread: Collection[str] = frozenset(),
    *,
    elsewhere: bool = False,
) -> list[ConfigFinding]:
    """Everything that is wrong; paths count from `folder`.

    `unread`: sections in which something could not be read and stands at its default. What holds
    keys of theirs against each other is not asked then, or it would find fault with a default.
    `elsewhere`: of the files that it names only passwords of logins have to be here.
    """
    found: list[ConfigFinding] = []
    for look, sections in (*KEYS, *DOORS):
        if not sections & set(unread):
            found += look(config)
    for look_at, sections in FILES_BROUGHT if elsewhere else FILES:
        if not sections & set(unread):
            found += look_at(config, folder)
    return found


def _broadcast(config: Config) -> Iterator[ConfigFinding]:
    wanted = config.broadcast
    if wanted.upload and not wanted.folder:
        yield ("broadcast", "upload"), "has nothing to upload; add folder = …"
    if wanted.lichess and not wanted.lichess_token_file:
        yield ("broadcast", "lichess"), "needs a token with study:write; add lichess_token_file = …"
    if wanted.lichess_token_file and not wanted.lichess:
        yield ("broadcast", "lichess_token_file"), "is for no round; add lichess = [ids]"
    for number, name in enumerate(wanted.lichess):
        if not ROUND_ID.fullmatch(name):
            wrong = f"entry {number + 1} is {name!r:.40}"
            yield (
                ("broadcast", "lichess"),
                f"{wrong}; write the 8 letters and digits at the end of the round's address",
            )


def _rates(config: Config) -> Iterator[ConfigFinding]:
    for name, rate in config.rates.items():
        if not rate.time:
            yield ("rates", name, "time"), 'is empty; write for example ["90:00+30"]'
        for number in endless(rate.time):
            yield (
                ("rates", name, "time"),
                f"period {number + 1} never ends; write its number of moves and / before it",
            )
        if cut_short(rate.time):
            ends = f"ends after {rate.time[-1].moves} moves of its last period"
            mend = "leave that number out, or write the period that follows"
            yield ("rates", name, "time"), f"{ends}, and no flag after them would lose; {mend}"


def _rate_of_round(config: Config) -> Iterator[ConfigFinding]:
    if config.round.rate and config.round.rate not in config.rates:
        known = ", ".join(config.rates) or "none is there yet"
        yield ("round", "rate"), f"is {config.round.rate!r}; write a name of [rates.NAME] ({known})"
    if not config.round.rate and len(config.rates) > 1:
        yield ("round",), f"rate is missing; add rate = one of {', '.join(config.rates)}"


def _tables(config: Config) -> Iterator[ConfigFinding]:
    if len(config.tables) > TABLES_MAX:
        yield ("tables", TABLES_MAX), f"is one table too many; write {TABLES_MAX} at most"
    by_name: dict[str, int] = {}
    by_device: dict[str, str] = {}
    lines = {_port(entry.device): entry.table for entry in config.tables if _on_a_line(entry)}
    for number, entry in enumerate(config.tables):
        if entry.table in by_name:
            yield (
                ("tables", number, "table"),
                f"{entry.table!r} is there twice; give each table a name of its own",
            )
        by_name.setdefault(entry.table, number)
        device = _same_device(entry.device)
        if entry.device != AUTO and device in by_device:
            yield (
                ("tables", number, "device"),
                f"table {by_device[device]} has this device already; give each table its own",
            )
        by_device.setdefault(device, entry.table)
        if entry.device.startswith("serial:") and _port(entry.device) in lines:
            holder = lines[_port(entry.device)]
            yield (
                ("tables", number, "device"),
                f"table {holder} has a bus line at this port; write dgt-bus:PATH#ADDRESS here too",
            )
        if _on_a_line(entry) and not 1 <= _address(entry.device) <= ADDRESS_MAX:
            yield (
                ("tables", number, "device"),
                f"an address is 1 to {ADDRESS_MAX}; ask the line: arbiterd devices --bus PATH",
            )


def _starts(config: Config) -> Iterator[ConfigFinding]:
    for number, entry in enumerate(config.tables):
        yield from _start(number, entry)


def _start(number: int, entry: TableEntry) -> Iterator[ConfigFinding]:
    rules = ruleset(entry.ruleset)
    try:
        position = rules.start(entry.start)
    except ValueError as error:
        yield ("tables", number, "start"), f"cannot be read: {error}"
        return
    if next(iter(rules.legal_moves(position)), None) is None:
        yield ("tables", number, "start"), "leaves no legal move; write the FEN of a game to play"


def _same_device(device: str) -> str:
    """A device under its one name: links like /dev/serial/by-id/… are followed."""
    kind = device.partition(":")[0]
    if kind == "serial":
        return f"serial:{_port(device)}"
    if kind == "dgt-bus":
        return f"dgt-bus:{_port(device)}#{_address(device)}"
    return device.lower() if kind == "usb" else device


def _on_a_line(entry: TableEntry) -> bool:
    return entry.device.startswith("dgt-bus:")


def _address(device: str) -> int:
    return int(device.rpartition("#")[2])


def _port(device: str) -> Path:
    """The port of a board on a wire or on a bus line."""
    return Path(device.partition(":")[2].partition("#")[0]).resolve()


def _people(config: Config) -> Iterator[ConfigFinding]:
    seen: set[str] = set()
    for number, person in enumerate(config.people):
        if person.name == RESERVED:
            yield ("people", number, "name"), f"{RESERVED!r} is the service itself; write another"
        if person.name in seen:
            yield ("people", number, "name"), f"{person.name!r} is there twice; keep one"
        seen.add(person.name)


def _halls(config: Config) -> Iterator[ConfigFinding]:
    if len(config.halls) > HALLS_MAX:
        yield ("halls", HALLS_MAX), f"is one hall too many; write {HALLS_MAX} at most"
    seen = {config.hall.name}
    for number, hall in enumerate(config.halls):
        if hall.name in seen:
            mine = hall.name == config.hall.name
            what = "is this hall itself; take it out" if mine else "is there twice; keep one"
            yield ("halls", number, "name"), f"{hall.name!r} {what}"
        seen.add(hall.name)


def _settings(config: Config) -> Iterator[ConfigFinding]:
    laws = {spec.name for spec in fields(LawSettings)}
    tracking = {spec.name for spec in fields(TrackingSettings)}
    games = {name: game for game in names() for name in choices_of(game)}
    for name, value in config.settings.items():
        path = ("settings", name)
        if name in laws:
            try:
                read_settings({name: value})
                if isinstance(value, int) and value > LAWS_MAX:
                    yield path, f"is larger than {LAWS_MAX}; write less"
            except ValueError as error:
                yield path, str(error)
        elif name in games:
            try:
                chosen(games[name], {name: value})
            except ValueError as error:
                yield path, str(error)
        elif name not in tracking:
            near = get_close_matches(name, [*laws, *tracking, *games], n=1)
            yield (
                path,
                f"is no setting; {f'did you mean {near[0]}?' if near else 'see the settings page'}",
            )
        else:
            try:
                check_setting(value)
            except ValueError as error:
                yield path, str(error)


KEYS: tuple[tuple[Callable[[Config], Iterator[ConfigFinding]], frozenset[str]], ...] = (
    (_rates, frozenset()),
    (_rate_of_round, frozenset({"rates", "round"})),
    (_tables, frozenset()),
    (_starts, frozenset({"tables"})),
    (_people, frozenset()),
    (_halls, frozenset({"hall"})),
    (_settings, frozenset()),
    (_broadcast, frozenset({"broadcast"})),
)
"""What is looked at, each with the sections of which it holds several keys against each other."""
