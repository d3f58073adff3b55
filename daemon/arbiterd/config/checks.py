"""What no single key shows: two that do not go together, files, doors left open."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from difflib import get_close_matches
from pathlib import Path as File

from arbiterd.config.lines import Path
from arbiterd.config.model import Config, TableEntry
from arbiterd.laws.settings import LawSettings, read_settings
from arbiterd.rules.registry import RULESETS, choices_of, chosen, ruleset
from arbiterd.tracking.settings import TrackingSettings
from eboards.dgt.bus_frame import ADDRESS_MAX

Finding = tuple[Path, str]


def check(config: Config, folder: File) -> list[Finding]:
    """Everything that is wrong; paths count from `folder`."""
    return [
        *_rates(config),
        *_tables(config),
        *_people(config),
        *_settings(config),
        *_files(config, folder),
        *_doors(config),
    ]


def _rates(config: Config) -> Iterator[Finding]:
    for name, rate in config.rates.items():
        if not rate.time:
            yield ("rates", name, "time"), 'is empty; write for example ["90:00+30"]'
        for number, period in enumerate(rate.time, start=1):
            if period.moves is None and number < len(rate.time):
                yield (
                    ("rates", name, "time"),
                    f"period {number} never ends; write its number of moves and / before it",
                )
    if config.round.rate and config.round.rate not in config.rates:
        known = ", ".join(config.rates) or "none is there yet"
        yield ("round", "rate"), f"is {config.round.rate!r}; write a name of [rates.NAME] ({known})"
    if not config.round.rate and len(config.rates) > 1:
        yield ("round",), f"rate is missing; add rate = one of {', '.join(config.rates)}"


def _tables(config: Config) -> Iterator[Finding]:
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
        if entry.device != "auto" and device in by_device:
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
        try:
            ruleset(entry.ruleset).start(entry.start)
        except ValueError as error:
            yield ("tables", number, "start"), f"cannot be read: {error}"


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


def _port(device: str) -> File:
    """The port of a board on a wire or on a bus line."""
    return File(device.partition(":")[2].partition("#")[0]).resolve()


def _people(config: Config) -> Iterator[Finding]:
    seen: set[str] = set()
    for number, person in enumerate(config.people):
        if person.name in seen:
            yield ("people", number, "name"), f"{person.name!r} is there twice; keep one"
        seen.add(person.name)


def _settings(config: Config) -> Iterator[Finding]:
    laws = {spec.name for spec in fields(LawSettings)}
    tracking = {spec.name: spec.type for spec in fields(TrackingSettings)}
    games = {name: game for game in RULESETS for name in choices_of(game)}
    for name, value in config.settings.items():
        path = ("settings", name)
        if name in laws:
            try:
                read_settings({name: value})
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
        elif type(value).__name__ != tracking[name]:
            yield path, f"is {value!r}; write a value of type {tracking[name]}"


def _files(config: Config, folder: File) -> Iterator[Finding]:
    named: list[tuple[Path, str]] = [
        (("mqtt", "password_file"), config.mqtt.password_file),
        (("mqtt", "ca_file"), config.mqtt.ca_file),
        (("mqtt", "tls_cert"), config.mqtt.tls_cert),
        (("mqtt", "tls_key"), config.mqtt.tls_key),
        (("http", "tls_cert"), config.http.tls_cert),
        (("http", "tls_key"), config.http.tls_key),
        (("round", "pairings"), config.round.pairings),
    ]
    named += [
        (("people", i, "password_file"), p.password_file) for i, p in enumerate(config.people)
    ]
    for path, name in named:
        if not name:
            continue
        try:
            (folder / name).open("rb").close()
        except OSError as error:
            yield (
                path,
                f"{name} cannot be read ({error.strerror}); name a file the service may read",
            )
    for section, part in (("mqtt", config.mqtt), ("http", config.http)):
        if bool(part.tls_cert) != bool(part.tls_key):
            missing = "tls_key" if part.tls_cert else "tls_cert"
            yield (section,), f"{missing} is missing; certificate and key go together"
    if config.mqtt.username and not config.mqtt.password_file:
        yield ("mqtt", "username"), "has no password; add password_file = …"


def _doors(config: Config) -> Iterator[Finding]:
    """Whatever others on the network can reach asks who they are, over TLS where secrets pass."""
    closed = "; add [[people]], or listen on 127.0.0.1"
    http, mqtt = config.http, config.mqtt
    if http.listen is not None and not http.listen.on_loopback:
        if not config.people:
            yield (
                ("http", "listen"),
                f"{http.listen} is open to the network without accounts{closed}",
            )
        if not http.tls_cert:
            yield (
                ("http", "listen"),
                f"{http.listen} would send passwords in clear; add tls_cert and tls_key",
            )
    if mqtt.url is None:
        for name, where in (("listen", mqtt.listen), ("websocket", mqtt.websocket)):
            if where is None or where.on_loopback:
                continue
            if not config.people:
                yield ("mqtt", name), f"{where} is open to the network without accounts{closed}"
            if not mqtt.tls_cert:
                yield (
                    ("mqtt", name),
                    f"{where} would send passwords in clear; add tls_cert and tls_key",
                )
    live = config.livechess
    if live.enabled and live.listen is not None and not live.listen.on_loopback:
        yield (
            ("livechess", "listen"),
            f"{live.listen}: this protocol knows no accounts; listen on 127.0.0.1",
        )
