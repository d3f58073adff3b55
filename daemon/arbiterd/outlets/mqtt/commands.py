"""Arbiters' commands in. What cannot be done is refused in one sentence and changes nothing.

tables/<t>/command/<user>     one table, answered on tables/<t>/reply/<user>
command/<user>                several, each answering on its own
…/command                     without a login, only while every listener is on loopback
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from arbiterd.edges import Received
from arbiterd.messages.commands import (
    Command,
    CommandError,
    read_command,
    sent_from,
    signed,
)
from arbiterd.messages.limits import Limit
from arbiterd.messages.reading import MessageError, read_json
from arbiterd.outlets.mqtt.answering import Answering

May = Callable[[str, Command], str]
"""Why a login may not do this, in a sentence; empty: it may."""

ORIGIN = "mqtt"
"""The broker does not tell from which machine."""
USER_MAX = 64
ECHO_MAX = 64
"""So much of an id or an action comes back with a refusal."""
TABLE = re.compile("[A-Za-z0-9_-]{1,20}")

LIMITS = (
    Limit("MQTT command topic", "login", "text", f"{USER_MAX} printable characters", "not heard"),
    Limit("MQTT command topic", "table", "name", TABLE.pattern, "not heard"),
)


@dataclass(frozen=True, slots=True)
class Address:
    """Where a command came in."""

    table: str | None
    """None: for the hall; its payload names the tables."""
    user: str
    """The login; empty on the bare topic."""


def filters(root: str, open_doors: bool) -> tuple[str, ...]:
    """What is subscribed to. `open_doors`: the bare topics too."""
    named = (f"{root}/tables/+/command/+", f"{root}/command/+")
    bare = (f"{root}/tables/+/command", f"{root}/command")
    return (*named, *bare) if open_doors else named


def read_address(root: str, topic: str) -> Address | None:
    """None: the topic is no command's."""
    match topic.removeprefix(f"{root}/").split("/"):
        case ["tables", table, "command"]:
            found = Address(table, "")
        case ["tables", table, "command", user]:
            found = Address(table, user)
        case ["command"]:
            found = Address(None, "")
        case ["command", user]:
            found = Address(None, user)
        case _:
            return None
    named = found.table is None or TABLE.fullmatch(found.table)
    return found if named and len(found.user) <= USER_MAX and found.user.isprintable() else None


@dataclass(frozen=True, slots=True)
class Order:
    """A command that may be carried out, or what is wrong with it."""

    tables: tuple[str, ...]
    """Empty where it is about a round: it is the hall's to answer."""
    command: Command | None
    error: str
    id: str
    action: str
    op: str = ""
    """Of a round."""


@dataclass(frozen=True, slots=True)
class WaitingCommand:
    """A command that may be carried out when its turn comes."""

    order: Order
    user: str
    answering: Answering
    until_ns: int | None
    """Later its sender does not want it any more; None: ever."""


def anything(_user: str, _command: Command) -> str:
    """Nobody asks who sends what."""
    return ""


def read_order(
    received: Received, address: Address, tables: tuple[str, ...], may: May = anything
) -> Order:
    """Checks what came in at an address. `tables`: all of the hall."""
    here = (address.table,) if address.table is not None else ()
    said: dict[str, Any] = {}
    try:
        said = _said(received.payload)
        command = _command(said, received, address)
        why_not = may(address.user, command)
        if why_not:
            raise CommandError(why_not)
        if command.action == "round":
            if here:
                raise CommandError("a round belongs to no table; send it to the hall's command")
            return Order((), command, "", command.id, command.action, command.op or "")
        named = here or _named(command, tables)
        for table in named:
            if table not in tables:
                raise CommandError(f"there is no table {table!r}; the hall has {', '.join(tables)}")
    except CommandError as error:
        return _refused(said, str(error), here, tables)
    return Order(named, command, "", command.id, command.action)


def too_many(received: Received, address: Address, tables: tuple[str, ...]) -> Order:
    """The refusal of a command that came too soon after others of its login."""
    here = (address.table,) if address.table is not None else ()
    try:
        said = _said(received.payload)
    except CommandError:
        said = {}
    sentence = "too many commands of this login wait already; send this one again in a moment"
    return _refused(said, sentence, here, tables)


def too_late(order: Order) -> Order:
    """The refusal of a command that waited longer than its sender wanted it to."""
    sentence = "the command's time (its message expiry) was over before its turn; send it again"
    return replace(order, command=None, error=sentence)


def _refused(
    said: dict[str, Any], sentence: str, here: tuple[str, ...], tables: tuple[str, ...]
) -> Order:
    """With as much of the command as an answer needs, whatever else is wrong with it."""
    command_id, action, op = (_echo(said.get(name)) for name in ("id", "action", "op"))
    answering = here or (() if action == "round" else _listening(said, tables))
    return Order(answering, None, sentence, command_id, action, op)


def _listening(said: dict[str, Any], tables: tuple[str, ...]) -> tuple[str, ...]:
    """Where the sender waits for answers: at each table that is named and is there."""
    named = said.get("tables")
    there = tuple(name for name in tables if isinstance(named, list) and name in named)
    return there or tables[:1]


def _echo(value: object) -> str:
    return value[:ECHO_MAX] if isinstance(value, str) else ""


def _said(payload: bytes) -> dict[str, Any]:
    try:
        said = read_json(payload)
    except MessageError as wrong:
        raise CommandError(f"the command cannot be read: {wrong}") from None
    if not isinstance(said, dict):
        raise CommandError("the command cannot be read: it is no JSON object")
    return said


def _command(said: dict[str, Any], received: Received, address: Address) -> Command:
    if received.retained:
        raise CommandError("a retained command is not carried out; send it again without retain")
    command = read_command(signed(said, address.user))
    if address.user and command.by != address.user:
        raise CommandError(
            f"'by' is {command.by!r}, but the login is {address.user!r}; they must be the same"
        )
    if address.table is not None and command.tables is not None:
        raise CommandError("'tables' belongs on the hall's own command topic; leave it out here")
    return sent_from(command, ORIGIN)


def _named(command: Command, tables: tuple[str, ...]) -> tuple[str, ...]:
    if not command.tables:
        raise CommandError("the command names no tables; fill 'tables' with a list, or 'all'")
    return tables if command.tables == "all" else tuple(dict.fromkeys(command.tables))
