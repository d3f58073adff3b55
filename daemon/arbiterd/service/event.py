"""What a hall sees of the other halls of its event."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from arbiterd.access.people import Account
from arbiterd.config import Config
from arbiterd.edges import Edges
from arbiterd.outlets.mqtt.neighbours import Neighbours
from arbiterd.service.duties import Duty


def neighbours(
    config: Config, edges: Edges, account: Callable[[str], Account | None]
) -> Neighbours | None:
    """The other halls, where there are any; `account`: a login with its secret."""
    halls = {hall.name: hall.page for hall in config.halls}
    if not halls or edges.event is None:
        return None
    return Neighbours(halls, edges.event, edges.clock, account)


def event_duties(others: Neighbours | None) -> Iterator[Duty]:
    """Listening to them, where there are any; this hall goes on without it."""
    if others is not None:
        yield Duty(
            "the view of the other halls",
            others.run,
            waiting=lambda: True,
            progress=lambda: others.looks,
            vital=False,
        )
