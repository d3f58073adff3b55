"""What a table keeps so that an act of the last minute can be undone: how it stood, and what came.

    older ── inputs ── newer ── inputs ──▶ now
      └ up to a minute ┘  └ a minute or less since the newest act

The table as it stood is kept before an act, once a minute at most; every input since then is kept
too. So the fold can be done again without one act. With no act for a minute nothing is kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from arbiterd.laws.act import Act
from arbiterd.laws.docket.docket import Docket
from arbiterd.table.inputs import Input

MINUTE_NS = 60_000_000_000

_DECODERS: Mapping[str, msgspec.json.Decoder[Any]] = {
    kind.__name__: msgspec.json.Decoder(kind) for kind in get_args(Input)
}


class Came(Struct, frozen=True):
    """An input, as its row in the journal has it."""

    number: int
    kind: str
    body: bytes
    meant: tuple[str, str] | None = None
    """The kind and the cause of the open ruling that an act named: its number may be another one
    where the fold is done again."""

    def item(self, docket: Docket) -> Input:
        """As the table with this docket is to be told it."""
        found: Input = _DECODERS[self.kind].decode(self.body)
        if isinstance(found, Act) and self.meant is not None:
            return replace(found, ruling=docket.number_of(*self.meant))
        return found


class TableBefore(Struct, frozen=True):
    """The table before input `number`."""

    at_ns: int
    number: int
    table: bytes
    next_ruling: int
    """Rulings with smaller numbers were there already."""


class Deed(Struct, frozen=True):
    """An act that was done."""

    number: int
    at_ns: int
    id: str
    user: str
    by: str
    left: str = ""
    """What of it left the house, in words; it cannot be undone."""


class RecentActs(Struct, kw_only=True):
    """A value that can be written and read back."""

    older: TableBefore | None = None
    newer: TableBefore | None = None
    inputs: list[Came] = []
    deeds: list[Deed] = []

    def wants_to_keep(self, at_ns: int) -> bool:
        """An act comes, and the newest state that is kept is too old for it."""
        return self.newer is None or at_ns - self.newer.at_ns > MINUTE_NS

    def keep(self, stood: TableBefore) -> None:
        """How the table stands before an act."""
        self.older, self.newer = self.newer, stood

    def begin(self, number: int, act: Act) -> None:
        """An act is about to be done."""
        self.deeds.append(Deed(number, act.at_ns, act.id, act.user, act.by, _left(act)))

    def forget(self, at_ns: int) -> None:
        """What no act that can still be undone needs."""
        if self.newer is None:
            return
        self.deeds = [deed for deed in self.deeds if at_ns - deed.at_ns <= MINUTE_NS]
        if not self.deeds:
            self.older = self.newer = None
            self.inputs = []
        elif self.older is not None and self.deeds[0].number >= _number(self.newer):
            self.older = None
            self.inputs = [came for came in self.inputs if came.number >= _number(self.newer)]

    def refused(self, act: Act) -> None:
        """The act that came last was refused: nothing of it can be undone, and whatever else is
        undone, it is not done then."""
        if self.inputs and self.inputs[-1].body == msgspec.json.encode(act):
            self.inputs.pop()
        last = self.deeds[-1] if self.deeds else None
        if last is not None and (last.at_ns, last.id, last.user) == (act.at_ns, act.id, act.user):
            self.deeds.pop()

    def deed(self, act_id: str, user: str) -> Deed | None:
        """The newest of this id: the user's own, else whoever's."""
        found = [deed for deed in self.deeds if deed.id == act_id]
        own = [deed for deed in found if deed.user == user]
        return next(reversed(own or found), None)

    def before(self, deed: Deed) -> TableBefore:
        """The newest state that was kept before it."""
        kept = self.newer if deed.number >= _number(self.newer) else self.older
        assert kept is not None, "of an act of the last minute there is one"
        return kept

    def undone(self, deed: Deed) -> None:
        """It is as if it had not been: what was kept after it holds no more."""
        if deed.number < _number(self.newer):
            self.newer, self.older = self.older, None
        self.deeds = [one for one in self.deeds if one is not deed]
        self.inputs = [came for came in self.inputs if came.number != deed.number]


def _number(stood: TableBefore | None) -> int:
    assert stood is not None, "there is an act to be undone"
    return stood.number


def _left(act: Act) -> str:
    if act.action == "set-clock" and act.send:
        return "the times were sent to the clock itself; send others"
    if act.action == "assign-device":
        return "the table has taken up its device; assign another"
    return ""
