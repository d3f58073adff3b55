"""Who may read and do what: one table, which every door asks.

    role ─▶ what it reads ─▶ topics of the broker, routes of the pages
         └▶ what it does  ─▶ commands over MQTT and over HTTP

docs/security.md shows the same table, made from this one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import get_args

from arbiterd.messages import topics
from arbiterd.messages.commands import ROUND_OPS, Action, Command


class Reads(StrEnum):
    """What is told apart by who may know it."""

    PUBLIC = "what is public"
    """What the delay has let through."""
    GAMES = "the games, live"
    """Boards, moves, clocks, results, devices; not what an arbiter has to decide."""
    RULINGS = "rulings and evidence"
    """All else that is told of a hall, answers to others' commands too."""


TOPICS: Mapping[Reads, tuple[str, ...]] = {
    Reads.PUBLIC: ("public/#",),
    Reads.GAMES: (
        topics.STATUS,
        *(topics.table("+", leaf) for leaf in (topics.STATE, topics.MOVES, topics.RESULT)),
        topics.table("+", topics.DEVICE),
    ),
    Reads.RULINGS: ("#",),
}
"""Topic filters below the hall. What follows covers what comes before it."""

ROUTES: Mapping[str, Reads | None] = {
    "/healthz": None,
    "/authority.pem": None,
    "/api/v1/me": Reads.PUBLIC,
    "/pgn": Reads.PUBLIC,
    "/api/v1/languages": Reads.PUBLIC,
    "/api/v1/games": Reads.PUBLIC,
    "/api/v1/catalogue": Reads.PUBLIC,
    "/web": Reads.PUBLIC,
    "/": Reads.GAMES,
    "/design": Reads.GAMES,
    "/overlay": Reads.GAMES,
    "/overlays": Reads.GAMES,
    "/live/pgn": Reads.GAMES,
    "/metrics": Reads.GAMES,
    "/api/v1/status": Reads.GAMES,
    "/api/v1/events": Reads.GAMES,
    "/api/v1/halls": Reads.GAMES,
    "/api/v1/boards": Reads.GAMES,
    "/api/v1/tables": Reads.GAMES,
    "/api/v1/tables/{table}/rulings": Reads.RULINGS,
    "/api/v1/tables/{table}/inputs": Reads.RULINGS,
    "/api/v1/rulings": Reads.RULINGS,
}
"""What a route of the arbiter's listener shows, by the longest beginning; None: asks for no login.

A stream and a timeline leave out what the reader may not know.
"""

ROUND = tuple(f"round {op}" for op in ROUND_OPS)
AT_A_TABLE = tuple(action for action in get_args(Action) if action != "round")
DEEDS = (*AT_A_TABLE, *ROUND)
"""Everything that a command can ask for."""


@dataclass(frozen=True, slots=True)
class Role:
    """What everybody of this role may."""

    name: str
    who: str
    """For people: whom it is meant for."""
    reads: frozenset[Reads]
    does: frozenset[str]
    """Of `DEEDS`."""


def _role(name: str, who: str, reads: Iterable[Reads], does: Iterable[str] = ()) -> Role:
    return Role(name, who, frozenset(reads), frozenset(does))


ROLES: Mapping[str, Role] = {
    role.name: role
    for role in (
        _role("spectator", "screens and telephones in the hall", [Reads.PUBLIC]),
        _role("producer", "the broadcast: live boards and overlays", [Reads.PUBLIC, Reads.GAMES]),
        _role("viewer", "who looks over arbiters' shoulders", Reads),
        _role(
            "technician",
            "who minds boards, clocks and this computer",
            [Reads.PUBLIC, Reads.GAMES],
            ["assign-device", "mute", "unmute", "round check"],
        ),
        _role("arbiter", "who decides at the tables", Reads, [*AT_A_TABLE, "round check"]),
        _role("chief-arbiter", "who also decides about rounds", Reads, DEEDS),
    )
}
CHIEF = ROLES["chief-arbiter"]


def role_of(name: str, *, has_chief: bool) -> Role:
    """The role of a login. Where no login is the chief arbiter's, each arbiter stands in."""
    return CHIEF if name == "arbiter" and not has_chief else ROLES[name]


def deed_of(command: Command) -> str:
    """What a command asks for, as the table names it."""
    return f"round {command.op}" if command.action == "round" else command.action


def refusal(name: str, role: Role, command: Command) -> str:
    """Why this login may not do that, in a sentence; empty: it may."""
    deed = deed_of(command)
    if deed in role.does:
        return ""
    if not role.does:
        return f"{name!r} may look and not act; log in as an arbiter"
    able = " or ".join(other.name for other in ROLES.values() if deed in other.does)
    return f"{name!r} is {role.name}, and {deed!r} is for {able or 'nobody'}; ask one of them"


def reads_of_route(path: str) -> Reads | None:
    """What a route shows, by its path or its pattern. One that nobody knows is an arbiter's."""
    steps = path.split("/")
    for length in range(len(steps), 1, -1):
        known = "/".join(steps[:length])
        if known in ROUTES:
            return ROUTES[known]
    return ROUTES["/"] if path == "/" else Reads.RULINGS


def readable(role: Role, user: str) -> tuple[str, ...]:
    """Topic filters that a login may subscribe to, below the hall."""
    if Reads.RULINGS in role.reads:
        return TOPICS[Reads.RULINGS]
    told = [filter_ for reads in Reads if reads in role.reads for filter_ in TOPICS[reads]]
    own = f"{topics.reply(user)}/#"  # And above: MQTT 5 has response topics of the client's own.
    answers = [own, topics.table("+", own)] if role.does else []
    return (*told, *answers)


def writable(role: Role, user: str) -> tuple[str, ...]:
    """Topics that a login may publish to, below the hall: its own commands, or none."""
    return (topics.table("+", topics.command(user)), topics.command(user)) if role.does else ()


def is_of_rulings(topic: str) -> bool:
    """A message, by its topic below the hall, that only those may know who read rulings."""
    match topic.split("/"):
        case [topics.STATUS] | ["tables", _, topics.STATE | topics.MOVES]:
            return False
        case ["tables", _, topics.RESULT | topics.DEVICE]:
            return False
        case _:
            return True


def page() -> str:
    """The table as docs/security.md shows it, in Markdown."""
    lines = ["| role | is for | reads | does |", "|---|---|---|---|"]
    for role in ROLES.values():
        reads = ", ".join(reads for reads in Reads if reads in role.reads)
        lines.append(f"| `{role.name}` | {role.who} | {reads} | {_told(role)} |")
    return "\n".join(lines) + "\n"


def _told(role: Role) -> str:
    if role.does == frozenset(DEEDS):
        return "everything"
    if role.does >= set(AT_A_TABLE):
        own = [deed for deed in ROUND if deed in role.does]
        return f"everything at a table, {', '.join(f'`{deed}`' for deed in own)}"
    return ", ".join(f"`{deed}`" for deed in DEEDS if deed in role.does) or "nothing"
