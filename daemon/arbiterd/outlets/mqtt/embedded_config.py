"""What the embedded brokers are told: listeners, logins and their rights, limits.

nats-server keeps MQTT topics as subjects: `/` becomes `.`, `+` becomes `*`, `#` becomes `>`.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from base64 import b64encode
from dataclasses import dataclass, field
from pathlib import Path

from arbiterd.access.people import Account, People
from arbiterd.config.values import Listen
from arbiterd.messages.limits import Limit
from arbiterd.outlets.mqtt.claims import Issuer

MEMORY_MAX = 64 * 1024**2
STORE_MAX = 1024**3
"""Bytes."""
MESSAGE_MAX = 1024**2
"""Bytes of one message, whoever sends it; our own are far shorter."""
ANSWER_S = 3
"""So long nats-server waits for our word on a login; none is a no."""
ROUNDS = 20_000
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
        "pid_file": str(wanted.folder / "broker.pid"),
        "jetstream": {
            "store_dir": str(wanted.folder / "messages"),
            "max_memory_store": MEMORY_MAX,
            "max_file_store": STORE_MAX,
        },
        "mqtt": {
            "host": wanted.listen.host,
            "port": wanted.listen.port,
            "ack_wait": "1s",
            **_nats_tls(wanted, wanted.listen),
        },
    }
    if wanted.websocket is not None:
        tls = _nats_tls(wanted, wanted.websocket)
        said["websocket"] = {
            "host": wanted.websocket.host,
            "port": wanted.websocket.port,
            "same_origin": not wanted.origins,
            **({"allowed_origins": list(wanted.origins)} if wanted.origins else {}),
            **(tls or {"no_tls": True}),
        }
    if wanted.people.accounts:
        # It asks about everybody but us (outlets/mqtt/logins.py).
        said["authorization"] = {
            "timeout": ANSWER_S,
            "users": [{"user": SERVICE, "password": wanted.own_secret}],
            "auth_callout": {"issuer": wanted.issuer.name, "auth_users": [SERVICE]},
        }
    return json.dumps(said, indent=1)


def _nats_tls(wanted: Wanted, listen: Listen) -> dict[str, object]:
    if not wanted.tls_cert or listen.on_loopback:
        return {}
    return {"tls": {"cert_file": wanted.tls_cert, "key_file": wanted.tls_key}}


def rights(hall: str, account: Account) -> dict[str, object]:
    """What a login may do at nats-server, as claims."""
    root = f"arbiterd.{hall}"
    commands = [f"{root}.tables.*.command.{account.name}", f"{root}.command.{account.name}"]
    return {
        # An empty list would allow everything.
        "pub": {"allow": commands} if account.commands else {"deny": [">"]},
        # A subscription at QoS 1 is served through subjects of its own.
        "sub": {"allow": [root, f"{root}.>", "$MQTT.sub.>"]},
    }


def mosquitto_config(wanted: Wanted) -> str:
    """For Mosquitto, where there is no nats-server."""
    lines = [
        # Started by root it would give up its rights, and with them its own folder.
        "user root",
        "per_listener_settings false",
        f"pid_file {wanted.folder / 'broker.pid'}",
        "persistence true",
        f"message_size_limit {MESSAGE_MAX}",
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
    if wanted.people.accounts:
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


def mosquitto_passwords(wanted: Wanted) -> str:
    """As Mosquitto 2 keeps them: `name:$7$rounds$salt$hash`, PBKDF2 with SHA-512."""
    logins = [(SERVICE, wanted.own_secret)]
    logins += [(account.name, account.secret) for account in wanted.people.accounts]
    return "".join(f"{name}:{_hashed(secret)}\n" for name, secret in logins)


def _hashed(secret: str) -> str:
    salt = secrets.token_bytes(12)
    digest = hashlib.pbkdf2_hmac("sha512", secret.encode(), salt, ROUNDS)
    return f"$7${ROUNDS}${b64encode(salt).decode()}${b64encode(digest).decode()}"


def mosquitto_rights(wanted: Wanted) -> str:
    """The access list."""
    root = f"arbiterd/{wanted.hall}"
    lines = [f"user {SERVICE}", f"topic readwrite {root}/#"]
    for account in wanted.people.accounts:
        lines += [f"user {account.name}", f"topic read {root}/#"]
        if account.commands:
            lines += [
                f"topic write {root}/tables/+/command/{account.name}",
                f"topic write {root}/command/{account.name}",
            ]
    return "\n".join(lines) + "\n"


LIMITS = (
    Limit("MQTT, the broker of our own", "a message", "bytes", f"{MESSAGE_MAX}",
          "the broker drops it, or its sender"),
)  # fmt: skip
