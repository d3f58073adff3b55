"""Every value that enters the service, with its bound and what happens beyond: one table.

The values stand beside the readers that hold them; here they are only put together.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

import msgspec

from arbiterd.access import brake
from arbiterd.config import checks, files
from arbiterd.hall.links import budget, fragments
from arbiterd.messages import commands, reading
from arbiterd.messages.limits import Limit
from arbiterd.outlets.http import commands as http_commands
from arbiterd.outlets.http import server as http_server
from arbiterd.outlets.http import stream, turns
from arbiterd.outlets.livechess import server
from arbiterd.outlets.mqtt import answering, client, embedded_config, kept, neighbours, outlet
from arbiterd.outlets.mqtt import commands as mqtt_commands
from arbiterd.table.books import ANSWERS_BYTES, ANSWERS_KEPT
from eboards import lines
from eboards.bounds import DATA_MAX, FIELDS, NOTE_MAX
from eboards.cpp import codec as cpp
from eboards.csa import codec as csa
from eboards.dgt import frame
from eboards.livechess import codec as livechess
from eboards.movetext import codec as movetext
from eboards.transport import descriptor, inbox, recording
from eboards.usi import codec as usi

DECLARED: tuple[tuple[Limit, ...], ...] = (
    reading.LIMITS,
    mqtt_commands.LIMITS,
    client.LIMITS,
    outlet.LIMITS,
    answering.LIMITS,
    embedded_config.LIMITS,
    kept.LIMITS,
    neighbours.LIMITS,
    http_server.LIMITS,
    http_commands.LIMITS,
    brake.LIMITS,
    stream.LIMITS,
    turns.LIMITS,
    server.LIMITS,
    budget.LIMITS,
    fragments.LIMITS,
)
"""Of each room, in the order of the doors."""

LINES = {
    "cpp": cpp.LINE_MAX,
    "csa": csa.LINE_MAX,
    "livechess": livechess.LINE_MAX,
    "movetext": movetext.LINE_MAX,
    "usi": usi.LINE_MAX,
}
"""The longest line of each wire that speaks in lines, in bytes."""

HEAD = """# Limits

Every value that enters the service, what it may be, and what happens to what is beyond. The values
stand in the code beside the readers that hold them; this page is made from them, and a test keeps
it current. Keys of the configuration are in [configuration](configuration.md): each is read by its
own reader, and a start names what is beyond.
"""


def all_limits() -> tuple[Limit, ...]:
    """Door by door."""
    declared = [limit for each in DECLARED for limit in each]
    return (*declared, *_of_commands(), *_of_memory(), *_of_files(), *_of_wires(), *_of_events())


def page() -> str:
    """As Markdown."""
    parts = [HEAD]
    for where, limits in groupby(all_limits(), key=lambda limit: limit.where):
        parts.append(f"\n## {where[:1].upper()}{where[1:]}\n\n| value | type | bound | beyond |\n")
        parts.append("|---|---|---|---|\n")
        for limit in limits:
            cells = (limit.value, limit.kind, limit.bound, limit.beyond)
            parts.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n")
    return "".join(parts)


def _of_commands() -> Iterator[Limit]:
    """From the fields of the command itself."""
    schema = msgspec.json.schema(commands.Command)["$defs"]["Command"]["properties"]
    for field in commands.Command.__struct_fields__:
        kind, bound = _told(schema[field])
        yield Limit("fields of a command", f"`{field}`", kind, bound, "refused with a sentence")


def _told(said: dict[str, Any]) -> tuple[str, str]:
    """A JSON schema in words: the type, and what of it is allowed."""
    choices = [each for each in said.get("anyOf", [said]) if each.get("type") != "null"]
    kinds, bounds = [], []
    for each in choices:
        kinds.append(str(each.get("type", "word" if "enum" in each else "value")))
        bounds.append(_bound_of(each))
    return " or ".join(dict.fromkeys(kinds)), " or ".join(dict.fromkeys(bounds))


def _bound_of(said: dict[str, Any]) -> str:
    match said:
        case {"enum": [*words]}:
            return ", ".join(str(word) for word in words if word is not None)
        case {"maxLength": longest}:
            return f"{longest} characters"
        case {"minimum": least, "maximum": most}:
            return f"{least} to {most}"
        case {"type": "array", "maxItems": most, "items": {"maxLength": longest}}:
            return f"{most} times {longest} characters"
        case {"type": "object", "maxProperties": most} | {"type": "array", "maxItems": most}:
            return f"{most} entries"
        case _:
            return "any"


def _of_memory() -> Iterator[Limit]:
    where = "what a table remembers of clients"
    beyond = "the oldest is forgotten: a command sent again is then a new one"
    yield Limit(where, "answered commands", "count", str(ANSWERS_KEPT), beyond)
    yield Limit(where, "their answers", "bytes", str(ANSWERS_BYTES), beyond)


def _of_files() -> Iterator[Limit]:
    where, beyond = "the configuration and its files", "the service does not start, and says why"
    yield Limit(where, "[[tables]]", "tables", str(checks.TABLES_MAX), beyond)
    yield Limit(where, "a number of [laws]", "whole", f"0 to {checks.LAWS_MAX}", beyond)
    yield Limit(where, "a password file", "bytes", str(files.SECRET_MAX), beyond)
    yield Limit(where, "a file of pairings", "bytes", str(files.PAIRINGS_MAX), beyond)


def _of_wires() -> Iterator[Limit]:
    where = "wires and recordings"
    fault = f"a fault with its first {lines.SHOWN} bytes; the rest of the line is passed over"
    for name, longest in LINES.items():
        yield Limit(where, f"a line of {name}", "bytes", str(longest), fault)
    yield Limit(where, "a message of DGT", "bytes", str(frame.LONGEST), "a fault")
    yield Limit(
        where,
        "read and not looked at",
        "reads",
        f"{inbox.ENOUGH}, of {descriptor.READ_BYTES} bytes",
        "the wire is left alone; what it has to say waits at its own end",
    )
    yield Limit(
        where, "not taken by a device", "bytes", str(descriptor.UNSENT_MAX), "the device is let go"
    )
    yield Limit(
        where,
        "a recording",
        "a file, no pipe, device or folder",
        f"{recording.FILE_MAX} bytes",
        "not opened, with a sentence",
    )


def _of_events() -> Iterator[Limit]:
    where = "what a board, a clock or a feed says"
    for kind, fields in FIELDS.items():
        for field, bound in fields.items():
            yield Limit(where, f"{kind.__name__}.{field}", "value", bound.words, "a fault")
    cut = "cut, and what cannot be printed shown as its code"
    yield Limit(where, "Fault.data", "bytes", str(DATA_MAX), "cut")
    yield Limit(where, "Fault.note", "text", f"{NOTE_MAX} printable characters", cut)
    yield Limit(where, "LinkDown.reason", "text", f"{2 * NOTE_MAX} printable characters", cut)
