"""How long each table's messages wait before they are public, as the journal tells it."""

from __future__ import annotations

from collections.abc import Iterable

from arbiterd.journal.pulse import Pulse
from arbiterd.journal.reader import JournalReader
from arbiterd.table.inputs import DelaySaid
from arbiterd.table.public_delay import PublicDelay
from arbiterd.table.setup import TableSetup


class Delays:
    """What the journal says, and then what is heard; `usual_ns` where a table has no set-up.

    A table that is taken out keeps the delay that it had: its games are still public by it.
    """

    def __init__(self, read: JournalReader, tables: Iterable[str], usual_ns: int) -> None:
        self._usual_ns = usual_ns
        self._tables = tuple(tables)
        self._of: dict[str, PublicDelay] = {}
        self.configured_ns: dict[str, int] = {}
        """What the configuration said last, by table."""
        self.pulse = Pulse()
        """Beats when one has changed."""
        for row in read.delays():
            self.hear(row.table, row.at_ns, row.item)

    def of(self, table: str) -> PublicDelay:
        """What holds at a table, and has held."""
        return self._of.get(table) or PublicDelay(((0, self._usual_ns),))

    @property
    def alike(self) -> bool:
        """Every table has had the same, always: what was told first is public first."""
        return len({self.of(name) for name in self._tables}) <= 1

    def until_ns(self, table: str, now_ns: int) -> int:
        """Everything this table told up to then is public."""
        return self.of(table).until_ns(now_ns)

    def longest_ns(self, now_ns: int) -> int:
        """Of all tables, at this moment."""
        return max((self.of(name).in_force_ns(now_ns) for name in self._tables), default=0)

    def hear(self, table: str, at_ns: int, item: object) -> None:
        """An input of a table, on its way into the journal: it may say another delay."""
        before = self._of.get(table)
        match item:
            case DelaySaid(delay_ns=delay_ns, configured=configured):
                if configured:
                    self.configured_ns[table] = delay_ns
                self._of[table] = self.of(table).from_now_on(at_ns, delay_ns)
            case TableSetup(public_delay_ns=int(delay_ns), commanded=commanded):
                if not commanded:
                    self.configured_ns[table] = delay_ns
                self._of[table] = (
                    PublicDelay(((0, delay_ns),))
                    if before is None
                    else before.for_what_follows(at_ns, delay_ns)
                )
        if self._of.get(table) != before:
            self.pulse.beat()
