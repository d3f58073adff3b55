"""Logins and their rights as brokers are told of them: made from `access.rights`, and so the same
for the embedded broker and for one of others.

nats-server keeps MQTT topics as subjects: `/` becomes `.`, `+` becomes `*`, `#` becomes `>`.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from base64 import b64encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from arbiterd.access.people import People
from arbiterd.access.rights import readable, writable
from arbiterd.messages import topics
from arbiterd.outlets.mqtt.neighbours import shown_of

ROUNDS = 20_000
AS_MQTT = {"allowed_connection_types": ["MQTT", "MQTT_WS"]}
"""nats-server's own protocol would let whoever may subscribe to `$MQTT.sub.>` hear what all others
are sent through it."""


class ClashError(Exception):
    """Two halls mean two people, or two passwords, by one name; the message names it."""


@dataclass(frozen=True, slots=True)
class HallAccess:
    """One hall at a broker."""

    hall: str
    people: People
    service: str
    """The service's own login; it may everything below its hall."""
    secret: str = field(repr=False)
    others: tuple[str, ...] = ()
    """Halls of the event that the service shows beside its own."""


@dataclass(frozen=True, slots=True)
class AccessListEntry:
    """A login with all its halls. Topics are whole."""

    name: str
    secret: str = field(repr=False)
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()


def logins(halls: Iterable[HallAccess]) -> tuple[AccessListEntry, ...]:
    """Everybody of these halls, each once. Raises ClashError."""
    found: dict[str, AccessListEntry] = {}
    for hall in halls:
        root = topics.hall(hall.hall)
        seen = tuple(topic for other in hall.others for topic in shown_of(other))
        _join(
            found, AccessListEntry(hall.service, hall.secret, (f"{root}/#", *seen), (f"{root}/#",))
        )
        for account in hall.people.accounts:
            role = hall.people.role(account.name)
            assert role is not None, "it has an account"
            reads = tuple(f"{root}/{topic}" for topic in readable(role, account.name))
            writes = tuple(f"{root}/{topic}" for topic in writable(role, account.name))
            _join(found, AccessListEntry(account.name, account.secret, reads, writes))
    return tuple(found.values())


def _join(found: dict[str, AccessListEntry], login: AccessListEntry) -> None:
    known = found.get(login.name)
    if known is None:
        found[login.name] = login
        return
    if known.secret != login.secret:
        raise ClashError(
            f"login {login.name!r} has two passwords; name one password_file in all configurations"
        )
    reads = tuple(dict.fromkeys((*known.reads, *login.reads)))
    writes = tuple(dict.fromkeys((*known.writes, *login.writes)))
    found[login.name] = AccessListEntry(login.name, login.secret, reads, writes)


def mosquitto_passwords(known: Iterable[AccessListEntry]) -> str:
    """As Mosquitto 2 keeps them: `name:$7$rounds$salt$hash`, PBKDF2 with SHA-512."""
    return "".join(f"{login.name}:{_hashed(login.secret)}\n" for login in known)


def _hashed(secret: str) -> str:
    salt = secrets.token_bytes(12)
    digest = hashlib.pbkdf2_hmac("sha512", secret.encode(), salt, ROUNDS)
    return f"$7${ROUNDS}${b64encode(salt).decode()}${b64encode(digest).decode()}"


def mosquitto_rights(known: Iterable[AccessListEntry]) -> str:
    """The access list."""
    lines: list[str] = []
    for login in known:
        lines.append(f"user {login.name}")
        lines += [f"topic read {topic}" for topic in login.reads]
        lines += [f"topic write {topic}" for topic in login.writes]
    return "\n".join(lines) + "\n"


def emqx_users(known: Iterable[AccessListEntry]) -> str:
    """As EMQX imports them: PBKDF2 with SHA-512, in hexadecimal digits."""
    lines = ["user_id,password_hash,salt,is_superuser"]
    for login in known:
        salt = secrets.token_hex(12)
        digest = hashlib.pbkdf2_hmac("sha512", login.secret.encode(), salt.encode(), ROUNDS)
        lines.append(f"{_quoted(login.name)},{digest.hex()},{salt},false")
    return "\n".join(lines) + "\n"


def _quoted(name: str) -> str:
    """As a field of a CSV file."""
    return '"' + name.replace('"', '""') + '"'


def emqx_rights(known: Iterable[AccessListEntry]) -> str:
    """The access list: terms of Erlang, of which the first that fits holds."""
    lines = ["%% -*- coding: utf-8 -*-"]
    for login in known:
        # A string of JSON is one of Erlang, as long as no letter in it is written by its number.
        who = json.dumps(login.name, ensure_ascii=False)
        for act, topics_ in (("subscribe", login.reads), ("publish", login.writes)):
            if topics_:
                lines.append(f"{{allow, {{username, {who}}}, {act}, {json.dumps(topics_)}}}.")
    return "\n".join([*lines, "{deny, all}."]) + "\n"


def nats_users(known: Iterable[AccessListEntry]) -> list[Mapping[str, object]]:
    """The users of an `authorization`, or of an account."""
    return [
        {
            "user": login.name,
            "password": login.secret,
            "permissions": {
                "publish": _publishing(login),
                "subscribe": {"allow": _subscribing(login)},
            },
            **AS_MQTT,
        }
        for login in known
    ]


def nats_claims(login: AccessListEntry) -> Mapping[str, object]:
    """The same rights as claims have them."""
    return {"pub": _publishing(login), "sub": {"allow": _subscribing(login)}}


def _publishing(login: AccessListEntry) -> Mapping[str, list[str]]:
    """An empty list would allow everything."""
    allowed = _subjects(login.writes)
    return {"allow": allowed} if allowed else {"deny": [">"]}


def _subscribing(login: AccessListEntry) -> list[str]:
    """A subscription at QoS 1 is served through subjects of its own."""
    return [*_subjects(login.reads), "$MQTT.sub.>"]


def _subjects(filters: Iterable[str]) -> list[str]:
    """`#` is the level above it too, `>` is not."""
    named = tuple(filters)
    above = [topic.removesuffix("/#") for topic in named if topic.endswith("/#")]
    marks = str.maketrans({"/": ".", "+": "*", "#": ">"})
    return [topic.translate(marks) for topic in (*above, *named)]
