"""Commands as they arrive, read strictly: a wrong one gives one sentence and changes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec
from msgspec import Struct, structs

from arbiterd.laws.act import Act
from arbiterd.messages.payloads import ColourName, ResultName
from arbiterd.rules.ruleset import Colour

Action = Literal[
    "confirm", "dismiss", "claim", "draw-offer", "resign", "set-move", "set-position",
    "set-clock", "set-result", "penalty", "report", "assign-device", "start-game",
    "pause", "resume", "mute", "unmute",
]  # fmt: skip

NEEDED: Mapping[str, tuple[str, ...]] = {
    "confirm": ("ruling",),
    "dismiss": ("ruling",),
    "claim": ("claim",),
    "draw-offer": ("side",),
    "resign": ("side",),
    "set-move": ("op",),
    "set-position": ("fen",),
    "penalty": ("side", "kind"),
    "report": ("kind",),
    "assign-device": ("device",),
}
"""What an action cannot do without."""


class CommandError(ValueError):
    """One sentence that names the field and the mend."""


class Command(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a tablet sends; fields by action as the contract lists them."""

    action: Action
    by: str
    id: str = ""
    tables: list[str] | Literal["all"] | None = None
    ruling: str | None = None
    reason: str | None = None
    changes: dict[str, Any] | None = None
    claim: str | None = None
    side: ColourName | None = None
    move: str | None = None
    op: Literal["insert", "replace", "take-back"] | None = None
    ply: int | None = None
    fen: str | None = None
    white_ms: int | None = None
    black_ms: int | None = None
    running: ColourName | None = None
    send: bool = False
    result: ResultName | None = None
    kind: str | None = None
    note: str | None = None
    clock_delta_ms: int | None = None
    white: str | None = None
    black: str | None = None
    ruleset: str | None = None
    device: str | None = None
    v: Literal[1] | None = None


def read_command(data: bytes | Mapping[str, Any]) -> Command:
    """A command from JSON or an object already read. Raises CommandError."""
    try:
        if isinstance(data, bytes):
            command = msgspec.json.decode(data, type=Command)
        else:
            command = msgspec.convert(dict(data), Command)
    except (msgspec.DecodeError, UnicodeDecodeError) as wrong:
        raise CommandError(f"the command cannot be read: {wrong}") from None
    if not command.by:
        raise CommandError("the command does not say by whom; fill 'by' with the arbiter's name")
    for field in NEEDED.get(command.action, ()):
        if getattr(command, field) in (None, ""):
            raise CommandError(f"{command.action!r} needs {field!r}; send it again with it")
    return command


_COLOURS = ("side", "running")
_NOT_IN_ACT = ("changes", "tables", "v")


def act_of(command: Command, at_ns: int, user: str = "") -> Act:
    """The command as an input of a table. `user` is the login it came by, empty on loopback."""
    said: dict[str, Any] = {
        name: value
        for name, value in structs.asdict(command).items()
        if value is not None and name not in _NOT_IN_ACT
    }
    for name in _COLOURS:
        if name in said:
            said[name] = Colour(said[name])
    changes = tuple(sorted((command.changes or {}).items()))
    return Act(at_ns=at_ns, user=user, changes=changes, **said)
