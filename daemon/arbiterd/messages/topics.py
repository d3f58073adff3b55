"""Every topic of the contract, in one place. Names below are relative to `arbiterd/<hall>/`."""

from __future__ import annotations

ROOT = "arbiterd"

STATUS = "status"
MOVES = "moves"
RULINGS = "rulings"
RESULT = "result"
STATE = "state"
DEVICE = "device"

EVENTS = frozenset({MOVES, RULINGS, RESULT})
"""What takes a number, QoS 1, and is not retained (but the result)."""


def hall(name: str) -> str:
    """The root of a hall's topics."""
    return f"{ROOT}/{name}"


def table(name: str, leaf: str) -> str:
    """`tables/12/moves`, relative to the hall."""
    return f"tables/{name}/{leaf}"


def ruling(ruling_id: str) -> str:
    """The retained topic of one open ruling, relative to the table."""
    return f"{RULINGS}/{ruling_id}"


def reply(user: str) -> str:
    """Where a command is answered, relative to the table."""
    return f"reply/{user}" if user else "reply"


def command(user: str) -> str:
    """Where a login's commands come in, relative to the table or to the hall."""
    return f"command/{user}" if user else "command"


def public(name: str, leaf: str) -> str:
    """`public/tables/12/moves`, relative to the hall."""
    return f"public/tables/{name}/{leaf}"
