"""Commands as they arrive, read strictly: a wrong one gives one sentence and changes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct, structs

from arbiterd.laws.act import Act
from arbiterd.messages.payloads import ColourName, ResultName
from arbiterd.messages.reading import MessageError, check_value, read_json
from arbiterd.rules.ruleset import Colour
from arbiterd.timing.arithmetic import CLOCK_MAX_MS

Action = Literal[
    "confirm", "dismiss", "claim", "draw-offer", "resign", "set-move", "set-position",
    "set-clock", "set-result", "penalty", "report", "assign-device", "start-game",
    "pause", "resume", "mute", "unmute", "undo", "coming", "shelve", "round",
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
    "undo": ("of",),
    "coming": ("ruling",),
    "shelve": ("ruling", "minutes"),
    "round": ("op",),
}
"""What an action cannot do without."""

NAMED: Mapping[str, tuple[str, ...]] = {
    "set-result": ("result",),
    "set-clock": ("white_ms", "black_ms", "running"),
}
"""Of these an action names one at least, where null is an order too: the game is open again, both
clocks stand. What was left out by mistake orders nothing."""

DELAY_MAX_S = 86_400
"""A day."""
PLY_MAX = 20_000
"""No game of any rule set here is so long."""

Name = Annotated[str, Meta(max_length=100)]
ShortText = Annotated[str, Meta(max_length=60)]
LineText = Annotated[str, Meta(max_length=300)]
LongText = Annotated[str, Meta(max_length=1000)]
"""The one kind of text that may have several lines."""
Milliseconds = Annotated[int, Meta(ge=0, le=CLOCK_MAX_MS)]
Difference = Annotated[int, Meta(ge=-CLOCK_MAX_MS, le=CLOCK_MAX_MS)]
REMARKS = frozenset({"reason", "note"})


class CommandError(ValueError):
    """One sentence that names the field and the mend."""


class PlayerSaid(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is known of a player beside the name."""

    title: ShortText = ""
    rating: Annotated[int, Meta(ge=0, le=9999)] = 0
    fide_id: Annotated[int, Meta(ge=0, le=99_999_999_999)] = 0
    federation: ShortText = ""
    team: Name = ""


class GameSaid(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game of a round; no table: the next one in the hall's order."""

    table: ShortText = ""
    white: Name
    black: Name
    white_player: PlayerSaid | None = None
    black_player: PlayerSaid | None = None


ORIGIN_MAX = 80
"""So much of where a command came from is kept."""
ROUND_OPS = ("check", "begin", "end", "swap", "move", "rename", "bye", "delay")


class Command(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a tablet sends; fields by action as the contract lists them."""

    action: Action
    by: Name
    id: Annotated[str, Meta(max_length=64)] = ""
    tables: Annotated[list[ShortText], Meta(max_length=1000)] | Literal["all"] | None = None
    ruling: ShortText | None = None
    reason: LongText | None = None
    changes: Annotated[dict[ShortText, Any], Meta(max_length=20)] | None = None
    claim: ShortText | None = None
    side: ColourName | None = None
    move: ShortText | None = None
    op: (
        Literal[
            "insert",
            "replace",
            "take-back",
            "check",
            "begin",
            "end",
            "swap",
            "move",
            "rename",
            "bye",
            "delay",
        ]
        | None
    ) = None
    """Of `set-move` the first three, of `round` the others."""
    ply: Annotated[int, Meta(ge=-PLY_MAX, le=PLY_MAX)] | None = None
    fen: LineText | None = None
    white_ms: Milliseconds | None = None
    black_ms: Milliseconds | None = None
    running: ColourName | None = None
    send: bool = False
    result: ResultName | None = None
    kind: ShortText | None = None
    note: LongText | None = None
    clock_delta_ms: Difference | None = None
    white: Name | None = None
    black: Name | None = None
    ruleset: ShortText | None = None
    device: LineText | None = None
    preview: bool = False
    """Nothing is done: the answer says what would be."""
    of: Annotated[str, Meta(max_length=64)] | None = None
    minutes: Annotated[int, Meta(ge=1, le=60)] | None = None
    round: Annotated[int, Meta(ge=1, le=999)] | None = None
    games: Annotated[list[GameSaid], Meta(max_length=600)] | None = None
    """Of a round, in place of `file`."""
    file: LineText | None = None
    """Pairings in the configuration's folder."""
    rate: ShortText | None = None
    """A name under `[rates]`; empty: as configured."""
    delay_s: Annotated[int, Meta(ge=0, le=DELAY_MAX_S)] | None = None
    """Of a round: how far the public is behind."""
    v: Literal[1] | None = None


class Sent(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A command with where it came from, which a door writes on it and no client can."""

    origin: str = ""
    """`mqtt`, or `http` and the address."""


def sent_from(command: Command, origin: str) -> Sent:
    """The command, come in by this door."""
    return Sent(**structs.asdict(command), origin=origin[:ORIGIN_MAX])


def signed(said: Mapping[str, Any], user: str) -> Mapping[str, Any]:
    """A command that says by whom it is: the login says it where the sender has left it out."""
    return {"by": user, **said} if user else said


def read_command(data: bytes | Mapping[str, Any]) -> Command:
    """A command from JSON or an object already read. Raises CommandError."""
    try:
        said = read_json(data) if isinstance(data, bytes) else dict(data)
        check_value(said)
        command = msgspec.convert(said, Command)
    except (MessageError, msgspec.ValidationError) as wrong:
        raise CommandError(f"the command cannot be read: {wrong}") from None
    if not command.by:
        raise CommandError("the command does not say by whom; fill 'by' with the arbiter's name")
    for field in NEEDED.get(command.action, ()):
        if getattr(command, field) in (None, ""):
            raise CommandError(f"{command.action!r} needs {field!r}; send it again with it")
    one_of = NAMED.get(command.action, ())
    if one_of and not any(field in said for field in one_of):
        words = " or ".join(map(repr, one_of))
        raise CommandError(f"{command.action!r} needs {words}; send it again with it")
    if command.op is not None and (command.op in ROUND_OPS) != (command.action == "round"):
        raise CommandError(f"{command.action!r} has no 'op' {command.op!r}; send another one")
    if command.action == "round" and command.preview:
        words = "a round has no preview; 'op' 'check' says what is to be looked at before it"
        raise CommandError(words)
    _check_lines(command)
    _check_games(command)
    return command


def _check_games(command: Command) -> None:
    """Names of players are one line each, wherever they stand."""
    for game in command.games or ():
        players = (game.white_player, game.black_player)
        texts = [game.table, game.white, game.black]
        texts += [text for p in players if p for text in (p.title, p.federation, p.team)]
        if any("\n" in text or "\t" in text for text in texts):
            raise CommandError("a name in 'games' has more than one line; send it as one")


def _check_lines(command: Command) -> None:
    """A name or a word is one line: what it becomes part of is read line by line."""
    for field, value in structs.asdict(command).items():
        text = value if isinstance(value, str) and field not in REMARKS else ""
        if "\n" in text or "\t" in text:
            raise CommandError(f"{field!r} has more than one line; send it as one")


_COLOURS = ("side", "running")
_NOT_IN_ACT = ("changes", "tables", "v", "preview", "round", "games", "file", "rate", "delay_s")


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
