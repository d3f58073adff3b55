"""Listeners and the broker: whatever others can reach asks who they are, and no secret goes in
clear."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from arbiterd.config.lines import ConfigFinding
from arbiterd.config.model import Config
from arbiterd.config.values import Listen, is_loopback

Door = tuple[str, str]
DEFAULTS: Mapping[Door, Listen | None] = {
    ("http", "listen"): Config().http.listen,
    ("public", "listen"): Config().public.listen,
    ("mqtt", "listen"): Config().mqtt.listen,
    ("mqtt", "websocket"): Config().mqtt.websocket,
    ("livechess", "listen"): Config().livechess.listen,
}
CLOSED = "; add [[people]], or listen on 127.0.0.1"


def _open_doors(config: Config) -> Iterator[ConfigFinding]:
    guarded = [(("http", "listen"), config.http.listen, config.http.tls_cert)]
    if config.mqtt.url is None:
        guarded += [
            (("mqtt", "listen"), config.mqtt.listen, config.mqtt.tls_cert),
            (("mqtt", "websocket"), config.mqtt.websocket, config.mqtt.tls_cert),
        ]
    for path, where, certificate in guarded:
        if where is None or where.on_loopback:
            continue
        if not config.people:
            yield path, f"{where} is open to the network without accounts{CLOSED}"
        if not certificate:
            yield path, f"{where} would send passwords in clear; add tls_cert and tls_key"


def _livechess(config: Config) -> Iterator[ConfigFinding]:
    live = config.livechess
    if not live.enabled:
        return
    if live.listen is None:
        yield ("livechess", "listen"), "is empty; write 127.0.0.1:1982, or enabled = false"
    elif not live.listen.on_loopback:
        yield (
            ("livechess", "listen"),
            f"{live.listen}: this protocol knows no accounts; listen on 127.0.0.1",
        )


def _ports(config: Config) -> Iterator[ConfigFinding]:
    """One port for two listeners: the second would move on, or fail at the start."""
    wanted: list[tuple[Door, Listen | None]] = [
        (("http", "listen"), config.http.listen),
        (("public", "listen"), config.public.listen),
    ]
    if config.mqtt.url is None:
        wanted += [
            (("mqtt", "listen"), config.mqtt.listen),
            (("mqtt", "websocket"), config.mqtt.websocket),
        ]
    if config.livechess.enabled:
        wanted.append((("livechess", "listen"), config.livechess.listen))
    taken: list[tuple[Door, Listen]] = []
    for path, where in wanted:
        if where is None or where.port == 0:
            continue
        for other, there in taken:
            if _meet(where, there):
                # The one that was written is told, and not the one that comes by itself.
                told, by = (other, path) if where == DEFAULTS[path] else (path, other)
                yield told, f"{where}: {'.'.join(by)} has this port already; write another"
                break
        taken.append((path, where))


def _meet(one: Listen, other: Listen) -> bool:
    if one.port != other.port:
        return False
    everywhere = one.is_unspecified or other.is_unspecified
    names = {"127.0.0.1" if where.host == "localhost" else where.host for where in (one, other)}
    return everywhere or len(names) == 1


def _broker(config: Config) -> Iterator[ConfigFinding]:
    mqtt = config.mqtt
    if mqtt.url is None:
        for name in ("username", "password_file", "ca_file"):
            if getattr(mqtt, name):
                yield (
                    ("mqtt", name),
                    "is for a broker of others; add url = …, or for ours [[people]]",
                )
        return
    for name in ("websocket", "origins", "tls_cert", "tls_key"):
        if getattr(mqtt, name):
            yield ("mqtt", name), "is for the embedded broker; take it out, or url"
    if mqtt.username and not mqtt.password_file:
        yield ("mqtt", "username"), "has no password; add password_file = …"
    if mqtt.password_file and not mqtt.username:
        yield ("mqtt", "password_file"), "is the password of nobody; add username = …"
    if mqtt.password_file and not mqtt.url.tls and not is_loopback(mqtt.url.host):
        secure = "wss" if mqtt.url.websocket else "mqtts"
        yield ("mqtt", "url"), f"{mqtt.url} would send the password in clear; write {secure}://"


def _event(config: Config) -> Iterator[ConfigFinding]:
    """What is shared with other halls goes through one broker, by each person's own login."""
    url = config.mqtt.url
    if not config.halls:
        return
    if url is None:
        yield ("halls",), "the embedded broker has this hall alone; add [mqtt] url = the event's"
    elif config.people and not url.tls and not is_loopback(url.host):
        secure = "wss" if url.websocket else "mqtts"
        yield ("mqtt", "url"), f"{url} would send passwords in clear; write {secure}://"


DOORS: tuple[tuple[Callable[[Config], Iterator[ConfigFinding]], frozenset[str]], ...] = (
    (_open_doors, frozenset({"http", "mqtt", "people"})),
    (_livechess, frozenset({"livechess"})),
    (_ports, frozenset({"http", "public", "mqtt", "livechess"})),
    (_broker, frozenset({"mqtt"})),
    (_event, frozenset({"halls", "mqtt", "people"})),
)
"""What is looked at, each with the sections of which it holds several keys against each other."""
