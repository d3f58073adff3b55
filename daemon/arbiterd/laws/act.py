"""What an arbiter does, as a value: the commands of the contract, already read and checked.

An act is an input like any other: it is in the journal before anything of it is told.
"""

from __future__ import annotations

from msgspec import Struct

from arbiterd.rules.ruleset import Colour


class Act(Struct, frozen=True, gc=False):
    """One command. Only the fields that its action has are filled; the rest keep their default."""

    at_ns: int
    action: str
    by: str
    id: str = ""
    user: str = ""
    """The login it came by; empty while every listener is on loopback."""
    origin: str = ""
    """The door it came by: `mqtt`, or `http` and the address; empty where nothing says it."""
    ruling: str = ""
    """A ruling's id; in a scenario also a kind: the newest open ruling of it."""
    reason: str = ""
    changes: tuple[tuple[str, object], ...] = ()
    claim: str = ""
    side: Colour | None = None
    move: str = ""
    op: str = ""
    ply: int | None = None
    fen: str = ""
    white_ms: int | None = None
    black_ms: int | None = None
    running: Colour | None = None
    send: bool = False
    result: str | None = None
    kind: str = ""
    note: str = ""
    clock_delta_ms: int | None = None
    white: str = ""
    black: str = ""
    ruleset: str = ""
    device: str = ""
    of: str = ""
    """The `id` of the act that is undone."""
    minutes: int | None = None


class Answer(Struct, frozen=True, gc=False):
    """What the arbiter is told: done, or why not in one sentence."""

    ok: bool
    error: str = ""
    ruling: str = ""
    """The ruling that the act led to, if one."""
