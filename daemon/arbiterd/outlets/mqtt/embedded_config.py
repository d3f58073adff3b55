"""What the embedded brokers are told: listeners, logins and their rights, limits."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

from arbiterd.access.people import People
from arbiterd.config.values import Listen
from arbiterd.messages.limits import Limit
from arbiterd.outlets.mqtt.access_lists import AccessListEntry, HallAccess, logins
from arbiterd.outlets.mqtt.claims import Issuer

MEMORY_MAX = 64 * 1024**2
STORE_MAX = 1024**3
"""Bytes."""
MESSAGE_MAX = 1024**2
"""Bytes of one message, whoever sends it; our own are far shorter."""
UNREAD_MAX = 16 * 1024**2
"""Bytes of a client that does not read; nats-server's own figure is 64 MiB for each."""
CONNECTIONS_MAX = 1000
ACK_WAIT = "5s"
"""What a client has not confirmed by then it is sent again. A thousand messages may be on their way
to one: with a shorter time a client that reads a few hundred a second gets the same again and
again, and never all of it."""
AWAY_MAX = "1h"
"""For a client that is away longer nothing is kept."""
ANSWER_S = 3
"""So long nats-server waits for our word on a login; none is a no."""
SERVICE = "arbiterd"
"""Our own login, where there are any."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """How the embedded broker shall run."""

    hall: str
    listen: Listen
    websocket: Listen | None
    folder: Path
    """For its messages and its configuration; ours alone."""
    people: People = field(default_factory=People)
    own_secret: str = ""
    tls_cert: str = ""
    tls_key: str = ""
    origins: tuple[str, ...] = ()
    """Of other pages that may connect over WebSocket."""
    native_port: int = -1
    """Of nats-server's own protocol, on loopback; it cannot be switched off. -1: any."""
    issuer: Issuer = field(default_factory=Issuer)
    """Who tells nats-server which logins are right."""
    changes: int = 0
    """How often the people have changed since the start."""


def nats_config(wanted: Wanted) -> str:
    """For nats-server. JSON is a form its reader takes.

    Its limits default to a share of the machine. A client that comes back gets what it missed
    after `ack_wait`.
    """
    said: dict[str, object] = {
        "server_name": f"arbiterd-{wanted.hall}",
        "host": "127.0.0.1",
        "port": wanted.native_port,
        "max_payload": MESSAGE_MAX,
        "max_pending": UNREAD_MAX,
        "max_connections": CONNECTIONS_MAX,
        "pid_file": str(wanted.folder / "broker.pid"),
        "jetstream": {
            "store_dir": str(wanted.folder / "messages"),
            "max_memory_store": MEMORY_MAX,
            "max_file_store": STORE_MAX,
        },
        "mqtt": {
            "host": wanted.listen.host,
            "port": wanted.listen.port,
            "ack_wait": ACK_WAIT,
            "consumer_inactive_threshold": AWAY_MAX,
            **_nats_tls(wanted, wanted.listen),
        },
    }
    if wanted.websocket is not None:
        tls = _nats_tls(wanted, wanted.websocket)
        own = f"{'https' if tls else 'http'}://{wanted.websocket}"
        said["websocket"] = {
            "host": wanted.websocket.host,
            "port": wanted.websocket.port,
            # By an address: `same_origin` lets in the pages of a name that was pointed here, too.
            "allowed_origins": list(wanted.origins) or [own],
            **(tls or {"no_tls": True}),
        }
    if wanted.own_secret:
        # It asks about everybody but us (outlets/mqtt/logins.py).
        said["authorization"] = {
            # Another value has it ask anew about everybody who is connected.
            "timeout": ANSWER_S + wanted.changes / 1000,
            "users": [{"user": SERVICE, "password": wanted.own_secret}],
            "auth_callout": {"issuer": wanted.issuer.name, "auth_users": [SERVICE]},
        }
    return json.dumps(said, indent=1)


def _nats_tls(wanted: Wanted, listen: Listen) -> dict[str, object]:
    if not wanted.tls_cert or listen.on_loopback:
        return {}
    return {"tls": {"cert_file": wanted.tls_cert, "key_file": wanted.tls_key}}


def known_logins(wanted: Wanted) -> tuple[AccessListEntry, ...]:
    """Everybody who may connect, ourselves too."""
    return logins([HallAccess(wanted.hall, wanted.people, SERVICE, wanted.own_secret)])


def mosquitto_config(wanted: Wanted) -> str:
    """For Mosquitto, where there is no nats-server."""
    lines = [
        # Started by root it would give up its rights, and with them its own folder.
        "user root",
        "per_listener_settings false",
        f"pid_file {wanted.folder / 'broker.pid'}",
        "persistence true",
        f"message_size_limit {MESSAGE_MAX}",
        f"max_queued_bytes {UNREAD_MAX}",
        f"max_connections {CONNECTIONS_MAX}",
        f"persistence_location {wanted.folder}/",
        "autosave_interval 60",
        f"listener {wanted.listen.port} {wanted.listen.host}",
        *_mosquitto_tls(wanted, wanted.listen),
    ]
    if wanted.websocket is not None:
        lines += [
            f"listener {wanted.websocket.port} {wanted.websocket.host}",
            "protocol websockets",
            *_mosquitto_tls(wanted, wanted.websocket),
        ]
    if wanted.own_secret:
        lines += [
            "allow_anonymous false",
            f"password_file {wanted.folder / 'passwords'}",
            f"acl_file {wanted.folder / 'rights'}",
        ]
    else:
        lines.append("allow_anonymous true")
    return "\n".join(lines) + "\n"


def _mosquitto_tls(wanted: Wanted, listen: Listen) -> list[str]:
    if not wanted.tls_cert or listen.on_loopback:
        return []
    return [f"certfile {wanted.tls_cert}", f"keyfile {wanted.tls_key}"]


LIMITS = (
    Limit("MQTT, the broker of our own", "a message", "bytes", f"{MESSAGE_MAX}",
          "the broker drops it, or its sender"),
    Limit("MQTT, the broker of our own", "unread of a client", "bytes", f"{UNREAD_MAX}",
          "the client is cut off; Mosquitto drops the messages instead"),
    Limit("MQTT, the broker of our own", "connections open at once", "clients",
          f"{CONNECTIONS_MAX}", "closed at once"),
)  # fmt: skip
