"""What arbiters say to each other of an open ruling: somebody is coming, it waits for a while.

Nothing is decided by it. A ruling that is shelved calls again when its time is over.
"""

from __future__ import annotations

from msgspec.structs import replace

from arbiterd.laws.act import Act
from arbiterd.laws.ruling import GO_NOW, Coming, Ruling

SHELVED_MAX_MIN = {True: 5, False: 60}
"""For so long at most, by whether it says to go now."""
MINUTE_NS = 60_000_000_000
SHELVED = "shelved:"
"""The name, with the ruling's number, under which its time is watched."""


def attended(ruling: Ruling, act: Act) -> Ruling:
    """The ruling with what was said of it. Raises ValueError with a sentence."""
    if act.action == "coming":
        said = replace(ruling, coming=Coming(act.by, act.at_ns))
    else:
        said = replace(ruling, shelved_until_ns=act.at_ns + _minutes(ruling, act) * MINUTE_NS)
    return replace(said, revision=ruling.revision + 1)


def _minutes(ruling: Ruling, act: Act) -> int:
    most = SHELVED_MAX_MIN[ruling.urgency == GO_NOW]
    if act.minutes is None or not 1 <= act.minutes <= most:
        raise ValueError(
            f"a ruling of urgency {ruling.urgency} is shelved for 1 to {most} minutes;"
            " send 'minutes' with one of them"
        )
    return act.minutes


def carried(new: Ruling, old: Ruling) -> Ruling:
    """A revision of a ruling keeps what was said of it; what has become more urgent waits no more:
    it was shelved for longer than it may be now."""
    shelved_until_ns = None if new.urgency < old.urgency else old.shelved_until_ns
    return replace(new, coming=old.coming, shelved_until_ns=shelved_until_ns)
