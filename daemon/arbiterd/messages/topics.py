"""Every topic of the contract, in one place. Names below are relative to `arbiterd/<hall>/`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import IntEnum

ROOT = "arbiterd"

STATUS = "status"
MOVES = "moves"
RULINGS = "rulings"
RESULT = "result"
STATE = "state"
DEVICE = "device"
REPLY = "reply"
LOG = "log"
"""What people read in the journal and nowhere else."""
HEARD = "heard"
"""Below the name of another hall: how it is heard here. No hall tells it of itself."""

EVENTS = frozenset({MOVES, RULINGS, RESULT})
"""What takes a number, QoS 1, and is not retained (but the result)."""


def hall(name: str) -> str:
    """The root of a hall's topics."""
    return f"{ROOT}/{name}"


def table(name: str, leaf: str) -> str:
    """`tables/12/moves`, relative to the hall."""
    return f"tables/{name}/{leaf}"


def tables_in(topics: Iterable[str]) -> list[str]:
    """The tables whose state is among these topics, which are relative to the hall."""
    parts = (topic.split("/") for topic in topics)
    return [part[1] for part in parts if len(part) == 3 and part[::2] == ["tables", STATE]]


def place_of(name: str) -> tuple[tuple[bool, int, str], ...]:
    """Where a table stands among others by its name: 2 before 10, A2 before A10, 10 before A2."""
    parts = re.findall(r"([0-9]+)|([^0-9]+)", name)
    return tuple((bool(word), int(number or 0), word) for number, word in parts)


def ruling(ruling_id: str) -> str:
    """The retained topic of one open ruling, relative to the table."""
    return f"{RULINGS}/{ruling_id}"


def reply(user: str) -> str:
    """Where a command is answered, relative to the table."""
    return f"{REPLY}/{user}" if user else REPLY


def answers(topic: str) -> bool:
    """A command is answered here, by the topic relative to the table."""
    return topic.partition("/")[0] == REPLY


def command(user: str) -> str:
    """Where a login's commands come in, relative to the table or to the hall."""
    return f"command/{user}" if user else "command"


def public(name: str, leaf: str) -> str:
    """`public/tables/12/moves`, relative to the hall."""
    return f"public/tables/{name}/{leaf}"


class Rank(IntEnum):
    """What goes first where much waits to leave."""

    ALERT = 0
    """Somebody is waited for: rulings, and answers to commands."""
    MOVE = 1
    STATE = 2
    """The last one wins."""
    HOME = 3
    """It does not leave."""


def rank(topic: str) -> Rank:
    """Of a topic that is relative to the table."""
    return _RANKS.get(topic.partition("/")[0], Rank.STATE)


_RANKS = {
    RULINGS: Rank.ALERT,
    REPLY: Rank.ALERT,
    MOVES: Rank.MOVE,
    RESULT: Rank.MOVE,
    LOG: Rank.HOME,
}
