"""What a value that enters the service may be, as values beside the readers that hold it.

`docs/limits.md` is all of them as a table, made by `arbiterd.service.limits`.
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
