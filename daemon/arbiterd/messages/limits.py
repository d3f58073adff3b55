"""What a value that enters the service may be, as values beside the readers that hold it.

`arbiterd limits` prints them all; `docs/limits.md` is that table.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limit:
    """One kind of value at one door."""

    where: str
    """The door: a topic, a route, a wire, a file."""
    value: str
    kind: str
    bound: str
    beyond: str
    """What happens to what is beyond it."""
