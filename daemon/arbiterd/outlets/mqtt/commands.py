"""Arbiters' commands in. What cannot be done is refused in one sentence and changes nothing.

tables/<t>/command/<user>     one table, answered on tables/<t>/reply/<user>
command/<user>                several, each answering on its own
…/command                     without a login, only while every listener is on loopback
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import msgspec

from arbiterd.edges import Received
from arbiterd.messages.commands import Command, CommandError, read_command

Submit = Callable[[str, Command, str], Awaitable[bytes]]
"""Folds a command by a login into a table; gives the answer's payload."""


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
            return Address(table, "")
        case ["tables", table, "command", user]:
            return Address(table, user)
        case ["command"]:
            return Address(None, "")
        case ["command", user]:
            return Address(None, user)
        case _:
            return None


@dataclass(frozen=True, slots=True)
class Order:
    """A command that may be carried out, or what is wrong with it."""

    tables: tuple[str, ...]
    command: Command | None
    error: str
    id: str
    action: str


class _Sketch(msgspec.Struct):
    """As much of a command as an answer needs, whatever else is wrong with it."""

    id: object = ""
    action: object = ""


def read_order(received: Received, address: Address, tables: tuple[str, ...]) -> Order:
    """Checks what came in at an address. `tables`: all of the hall."""
    here = (address.table,) if address.table is not None else ()
    try:
        sketch = msgspec.json.decode(received.payload, type=_Sketch)
    except (msgspec.DecodeError, UnicodeDecodeError):
        sketch = _Sketch()
    command_id = sketch.id if isinstance(sketch.id, str) else ""
    action = sketch.action if isinstance(sketch.action, str) else ""
    try:
        command = _command(received, address)
        named = here or _named(command, tables)
        for table in named:
            if table not in tables:
                raise CommandError(f"there is no table {table!r}; the hall has {', '.join(tables)}")
    except CommandError as error:
        answering = tuple(table for table in here if table in tables) or here or tables[:1]
        return Order(answering, None, str(error), command_id, action)
    return Order(named, command, "", command_id, action)


def _command(received: Received, address: Address) -> Command:
    if received.retained:
        raise CommandError("a retained command is not carried out; send it again without retain")
    command = read_command(received.payload)
    if address.user and command.by != address.user:
        raise CommandError(
            f"'by' is {command.by!r}, but the login is {address.user!r}; they must be the same"
        )
    if address.table is not None and command.tables is not None:
        raise CommandError("'tables' belongs on the hall's own command topic; leave it out here")
    return command


def _named(command: Command, tables: tuple[str, ...]) -> tuple[str, ...]:
    if command.tables is None:
        raise CommandError("the command names no tables; fill 'tables' with a list, or 'all'")
    return tables if command.tables == "all" else tuple(dict.fromkeys(command.tables))
