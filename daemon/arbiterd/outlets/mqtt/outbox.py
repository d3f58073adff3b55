"""Journal rows out to the broker: each sent until confirmed, with a cursor behind.

    alerts   rulings, answers       3 . . 9 . .      go first, whatever else waits
    moves    moves, results         . 4 5 . . 8      then these
    states   devices; snapshots     . . . 6 7 .      then these; snapshots, one in eight at least
                                    ^
    cursor                          everything up to here is confirmed, without a hole
    cursors of each kind            the same for alerts, moves and states alone

What waited when the session began leaves a little at a time: brokers take it faster than those who
read from them, and queue it before whatever is new.

Order holds within a kind, and so on every topic. What has just been committed comes from memory,
what waits from before from the disk. Killed anywhere, it loses nothing; what was in flight, or
confirmed in the last moment, comes again, and its `seq` shows it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import NamedTuple

from arbiterd.edges import BrokerError, BrokerSession
from arbiterd.journal.journal import Journal
from arbiterd.journal.rows import OutputRow
from arbiterd.journal.stations import Left
from arbiterd.messages import topics
from arbiterd.messages.topics import Rank
from arbiterd.outlets.mqtt.answering import EXPIRY_S, Answering

IN_FLIGHT = 20
"""So many messages are sent and not confirmed yet; brokers take no more at once."""
FOR_ALERTS = 8
"""So many of them may be alerts alone: none waits for a slow broker to confirm a backlog."""
PAGE = 200
TURN = 8
"""One message in so many is a snapshot, where some wait."""
OLD, OLD_S = 40, 0.04
"""So much of what waited is sent in so many seconds: a thousand messages a second. A broker takes
ten times that, and what no listener has read yet would stand before every alert."""
LEAVE = (Rank.ALERT, Rank.MOVE, Rank.STATE)

HowToAnswer = Callable[[OutputRow], Answering]
"""How the sender of a command wants this reply to go back."""


def delivered(journal: Journal, outlet: str) -> Mapping[Rank, int]:
    """Up to where each kind has been confirmed."""
    # One beyond all rows is of another journal, or damaged: what was sent is sent again.
    known = {name: journal.read.cursor(name) for name in (outlet, *_names(outlet).values())}
    known = {name: n if n <= journal.committed_outputs else 0 for name, n in known.items()}
    return {kind: max(known[outlet], known[name]) for kind, name in _names(outlet).items()}


def _names(outlet: str) -> Mapping[Rank, str]:
    return {kind: f"{outlet}-{kind.name.lower()}" for kind in LEAVE}


class _Flying(NamedTuple):
    number: int
    at_ns: int
    confirmed: asyncio.Future[None]


class _Line:
    """Rows of one kind that wait, and those that fly."""

    def __init__(self, journal: Journal, kind: Rank, cursor: int) -> None:
        self._journal, self.kind = journal, kind
        self._read = cursor
        """All up to here was looked at."""
        self._page: deque[OutputRow] = deque()
        self.flying: deque[_Flying] = deque()

    @property
    def first(self) -> OutputRow | None:
        """The next one to be sent."""
        if not self._page:
            self._look()
        return self._page[0] if self._page else None

    def next(self) -> OutputRow | None:
        """Takes it out."""
        return None if self.first is None else self._page.popleft()

    def _look(self) -> None:
        committed = self._journal.committed_outputs
        if self._read >= committed:
            return
        rows = self._journal.leaving(self._read, PAGE, self.kind)
        self._page.extend(rows)
        last = rows[-1].number if rows else 0
        self._read = last if len(rows) == PAGE else max(committed, last)

    def landed(self) -> int:
        """Takes out what is confirmed, the oldest first; says how many. Raises BrokerError."""
        count = 0
        while self.flying and self.flying[0].confirmed.done():
            self.flying[0].confirmed.result()
            landed = self.flying.popleft()
            self._journal.stations.aged(self.kind, Left.CONFIRMED, landed.at_ns)
            count += 1
        return count

    def cursor(self) -> int:
        """All of this kind up to here is confirmed."""
        if self.flying:
            return self.flying[0].number - 1
        if not self._page:
            self._look()
        return self._page[0].number - 1 if self._page else self._read


class Outbox:
    """Delivers one journal and its snapshots over one session; made anew with each."""

    def __init__(
        self, journal: Journal, session: BrokerSession, root: str, outlet: str, asked: HowToAnswer
    ) -> None:
        self._journal, self._session, self._root = journal, session, root
        self._outlet, self._asked = outlet, asked
        cursors = delivered(journal, outlet)
        self._noted = {outlet: min(cursors.values())}
        self._lines = {kind: _Line(journal, kind, cursors[kind]) for kind in LEAVE}
        self._snapshots: dict[str, bytes] = {}
        self._count = 0
        self._flying_snapshots: set[asyncio.Future[None]] = set()
        self._unnoted = 0
        """Confirmed, and still behind the cursor."""
        self._turn = 0
        self._waited = journal.committed_outputs
        """What has a number up to here waited when the session began."""
        self._old_left = OLD
        """So much of it may be sent until `_again`."""
        self._again: asyncio.TimerHandle | None = None
        self._stir = asyncio.Event()
        self.confirmed = 0
        """How much the broker has confirmed."""

    async def deliver(self) -> None:
        """For as long as the session lasts. Raises BrokerError."""
        listening = asyncio.create_task(self._listen())
        try:
            while True:
                self._stir.clear()
                self._land()
                self._note()
                self._send_what_may()
                self._note()
                await self._stir.wait()
        finally:
            listening.cancel()
            if self._again is not None:
                self._again.cancel()
            with suppress(BrokerError):
                self._land()
            self._note(at_once=True)

    async def _listen(self) -> None:
        pulse = self._journal.pulse
        while True:
            mark = pulse.mark
            self._stir.set()
            await pulse.changed(mark)

    # Out.

    @property
    def unconfirmed(self) -> int:
        """How much is sent, and waits for the broker's word."""
        rows = sum(len(line.flying) for line in self._lines.values())
        return rows + len(self._flying_snapshots)

    def _flies(self) -> int:
        return self.unconfirmed + self._unnoted

    def _send_what_may(self) -> None:
        alerts = self._lines[Rank.ALERT]
        while self._flies() < IN_FLIGHT and (row := alerts.next()) is not None:
            self._send(alerts, row)
        while self._flies() < IN_FLIGHT - FOR_ALERTS and self._send_next():
            pass

    def _send_next(self) -> bool:
        """The next message that is no alert; False: nothing waits."""
        self._count, newer = self._journal.snapshots.after(self._count)
        self._snapshots.update(newer)
        self._turn += 1
        if self._snapshots and self._turn % TURN == 0:
            self._send_snapshot()
            return True
        for kind in (Rank.MOVE, Rank.STATE):
            line = self._lines[kind]
            row = line.first
            if row is not None and self._leaves_now(row):
                line.next()
                self._send(line, row)
                return True
        if self._snapshots:
            self._send_snapshot()
            return True
        return False

    def _leaves_now(self, row: OutputRow) -> bool:
        """What is new does; of what waited a little at a time."""
        if row.number > self._waited:
            return True
        if not self._old_left:
            return False
        if self._old_left == OLD:
            self._again = asyncio.get_running_loop().call_later(OLD_S, self._go_on)
        self._old_left -= 1
        return True

    def _go_on(self) -> None:
        self._old_left = OLD
        self._stir.set()

    def _send(self, line: _Line, row: OutputRow) -> None:
        topic = f"{self._root}/tables/{row.table}/{row.topic}"
        if topics.answers(row.topic):
            how = self._asked(row)
            sent = self._session.publish(
                how.topic or topic, row.payload, correlation=how.correlation, expiry_s=EXPIRY_S
            )
        else:
            sent = self._session.publish(topic, row.payload, retained=row.retained)
        confirmed = asyncio.ensure_future(sent)
        line.flying.append(_Flying(row.number, row.at_ns, confirmed))
        self._journal.stations.aged(line.kind, Left.SENT, row.at_ns)
        confirmed.add_done_callback(lambda _: self._stir.set())

    def _send_snapshot(self) -> None:
        topic = next(iter(self._snapshots))
        payload = self._snapshots.pop(topic)
        confirmed = asyncio.ensure_future(
            self._session.publish(f"{self._root}/{topic}", payload, retained=True)
        )
        self._flying_snapshots.add(confirmed)
        confirmed.add_done_callback(lambda _: self._stir.set())

    # And confirmed.

    def _land(self) -> None:
        """Raises BrokerError."""
        for line in self._lines.values():
            landed = line.landed()
            self._unnoted += landed
            self.confirmed += landed
        for confirmed in [each for each in self._flying_snapshots if each.done()]:
            self._flying_snapshots.remove(confirmed)
            confirmed.result()
            self.confirmed += 1

    def _note(self, *, at_once: bool = False) -> None:
        """Moves the cursors, at a quarter of a window or where nothing flies."""
        flies = any(line.flying for line in self._lines.values())
        if flies and self._unnoted < IN_FLIGHT // 4 and not at_once:
            return
        cursors = {kind: line.cursor() for kind, line in self._lines.items()}
        whole = min(cursors.values())
        names = _names(self._outlet)
        ahead = {names[kind]: number for kind, number in cursors.items() if number > whole}
        for name, number in {self._outlet: whole, **ahead}.items():
            if number > self._noted.get(name, 0):
                self._noted[name] = number
                self._journal.move_cursor(name, number)
        self._unnoted = 0
