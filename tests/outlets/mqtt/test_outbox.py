"""Killed at any message, the outbox loses nothing, keeps the order, and repeats a few at most."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from arbiterd.edges import BrokerError, Received
from arbiterd.journal.journal import Journal
from arbiterd.journal.reader import JournalReader
from arbiterd.journal.rows import Batch, OutputRow
from arbiterd.outlets.mqtt.outbox import FOR_ALERTS, IN_FLIGHT, OLD, OLD_S, Outbox

ROWS = 30


class VanishingSession:
    """A broker that is gone after so many steps: a message that arrived, or one confirmed."""

    def __init__(self, steps: int, arrived: list[bytes]) -> None:
        self._left, self._arrived = steps, arrived

    def _step(self) -> None:
        if self._left == 0:
            raise BrokerError("gone")
        self._left -= 1

    def publish(
        self, topic: str, payload: bytes, *, retained: bool = False, **_extras: object
    ) -> asyncio.Future[None]:
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        future.add_done_callback(lambda done: done.cancelled() or done.exception())
        try:
            self._step()
        except BrokerError as error:
            future.set_exception(error)
            return future
        self._arrived.append(payload)

        def confirm() -> None:
            try:
                self._step()
                future.set_result(None)
            except BrokerError as error:
                future.set_exception(error)

        asyncio.get_running_loop().call_soon(confirm)
        return future

    async def subscribe(self, *filters: str) -> None: ...

    async def unsubscribe(self, *filters: str) -> None: ...

    async def messages(self) -> AsyncIterator[Received]:
        raise BrokerError("gone")
        yield


def write_rows(journal: Journal, rows: int = ROWS) -> None:
    for place in range(1, rows + 1):
        number, topic = journal.next_output(), "log" if place % 7 == 0 else "moves"
        row = OutputRow(number, place, "1", place, topic, place, False, 0, b"%d" % place)
        journal.write(Batch(outputs=(row,)))


EXPECTED = [b"%d" % place for place in range(1, ROWS + 1) if place % 7]


async def delivered(journal: Journal, session: VanishingSession) -> bool:
    """True if all was delivered; False if the session was lost before."""
    outbox = Outbox(journal, session, "arbiterd/main", "mqtt", lambda _: b"")
    work = asyncio.create_task(outbox.deliver())
    while not work.done() and journal.read.cursor("mqtt") < ROWS:
        await asyncio.sleep(0)
        await journal.synced()
    lost = work.done() and isinstance(work.exception(), BrokerError)
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)
    await journal.synced()
    return not lost


async def delivered_for_a_while(journal: Journal, session: VanishingSession) -> Outbox:
    """Cancelled after fifty commits, whatever was confirmed by then."""
    outbox = Outbox(journal, session, "arbiterd/main", "mqtt", lambda _: b"")
    work = asyncio.create_task(outbox.deliver())
    for _ in range(50):
        await journal.synced()
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)
    await journal.synced()
    return outbox


@pytest.mark.parametrize("cut", range(2 * len(EXPECTED) + 1))
async def test_a_broker_that_vanishes_at_any_step_costs_repeats_only(
    cut: int, tmp_path: Path, opened
) -> None:
    arrived: list[bytes] = []
    async with opened(tmp_path / "journal.db") as journal:
        write_rows(journal)
        await journal.synced()
        first = await delivered(journal, VanishingSession(cut, arrived))
        assert first == (cut == 2 * len(EXPECTED))
        before = len(arrived)

    # The service is killed as well, and starts again.
    async with opened(tmp_path / "journal.db") as journal:
        assert await delivered(journal, VanishingSession(1000, arrived))

    assert arrived[:before] == EXPECTED[:before]
    assert arrived[before:] == EXPECTED[len(EXPECTED) - (len(arrived) - before) :]
    assert set(arrived) == set(EXPECTED)
    assert len(arrived) - len(EXPECTED) <= IN_FLIGHT


async def test_the_cursor_never_passes_what_is_not_confirmed(tmp_path: Path, opened) -> None:
    class Unsteady(VanishingSession):
        """Confirms every message but the fifth."""

        def publish(self, topic, payload, **said):
            confirmed = super().publish(topic, payload, **said)
            return asyncio.get_running_loop().create_future() if payload == b"5" else confirmed

    async with opened(tmp_path / "journal.db") as journal:
        write_rows(journal)
        await journal.synced()
        await delivered_for_a_while(journal, Unsteady(1000, []))

        assert journal.read.cursor("mqtt") == 4


@pytest.mark.parametrize("outlet", ["mqtt", "mqtt-move"])
async def test_a_cursor_beyond_the_journal_is_not_believed(
    outlet: str, tmp_path: Path, opened
) -> None:
    """It is of another journal: better told twice than never."""
    arrived: list[bytes] = []
    async with opened(tmp_path / "journal.db") as journal:
        write_rows(journal)
        journal.move_cursor(outlet, 10 * ROWS)
        await journal.synced()
    async with opened(tmp_path / "journal.db") as journal:
        outbox = await delivered_for_a_while(journal, VanishingSession(1000, arrived))
    assert arrived == EXPECTED
    assert outbox.confirmed == len(EXPECTED)


async def test_what_waited_is_not_heaped_up_in_the_broker(tmp_path: Path, opened) -> None:
    """It confirms all at once, and is given no more than its listeners can have read."""
    arrived: list[bytes] = []
    async with opened(tmp_path / "journal.db") as journal:
        write_rows(journal, 3 * OLD)
        await journal.synced()
        told, begun_s = [], asyncio.get_running_loop().time()
        outbox = Outbox(
            journal, VanishingSession(1000, arrived), "arbiterd/main", "mqtt", lambda _: b""
        )
        work = asyncio.create_task(outbox.deliver())
        while journal.read.cursor("mqtt") < 3 * OLD:
            await journal.synced()
            told.append((asyncio.get_running_loop().time() - begun_s, len(arrived)))
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)

    assert all(count <= OLD * (1 + passed_s // (0.9 * OLD_S)) for passed_s, count in told)
    assert arrived == [b"%d" % place for place in range(1, 3 * OLD + 1) if place % 7]


class SlowSession(VanishingSession):
    """A broker that confirms one message at a time, when it is told to."""

    def __init__(self) -> None:
        super().__init__(1 << 30, [])
        self.heard: list[tuple[str, bytes]] = []
        self._waiting: deque[asyncio.Future[None]] = deque()

    def publish(
        self, topic: str, payload: bytes, *, retained: bool = False, **_extras: object
    ) -> asyncio.Future[None]:
        self.heard.append((topic.removeprefix("arbiterd/main/"), payload))
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(future)
        return future

    async def confirm(self, count: int) -> int:
        """So many more are confirmed; says how many there were."""
        done = 0
        while done < count:
            for _ in range(10):
                await asyncio.sleep(0)
            if not self._waiting:
                await asyncio.sleep(1.5 * OLD_S)  # The next of what waited.
            if not self._waiting:
                break
            future = self._waiting.popleft()
            if not future.done():
                future.set_result(None)
            done += 1
        return done

    def of(self, leaf: str) -> list[bytes]:
        return [payload for topic, payload in self.heard if topic.endswith(leaf)]


def put(journal: Journal, topic: str, payload: bytes) -> asyncio.Future[None]:
    number = journal.next_output()
    row = OutputRow(number, number, "1", number, topic, number, False, 0, payload)
    return journal.write(Batch(outputs=(row,)))


BACKLOG = 3000


async def backlog(journal: Journal) -> None:
    """What waits when the broker was away: moves, states, an alert now and then, much log."""
    for number in range(BACKLOG):
        topic = ("moves", "log", "device")[number % 3]
        put(journal, "rulings" if number % 100 == 99 else topic, b"%d" % number)
    await journal.synced()


async def test_a_live_alert_overtakes_a_backlog(tmp_path: Path, opened) -> None:
    async with opened(tmp_path / "journal.db") as journal:
        await backlog(journal)
    # A start later: nothing of it is in memory any more.
    async with opened(tmp_path / "journal.db") as journal:
        session = SlowSession()
        outbox = Outbox(journal, session, "arbiterd/main", "mqtt", lambda _: b"")
        work = asyncio.create_task(outbox.deliver())
        await session.confirm(200)
        sent = len(session.heard)
        assert len(session.of("/rulings")) == BACKLOG // 100  # These went first.

        await put(journal, "rulings", b"live")
        await session.confirm(1)
        assert ("tables/1/rulings", b"live") in session.heard[sent : sent + IN_FLIGHT]
        journal.snapshots.put("tables/1/state", b"state")
        await session.confirm(3 * IN_FLIGHT)
        assert ("tables/1/state", b"state") in session.heard  # And no state waits for all of it.

        while await session.confirm(100):
            pass
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)
        await journal.synced()
        assert journal.read.cursor("mqtt") == BACKLOG + 1

    expected: dict[str, list[bytes]] = {"moves": [], "device": [], "rulings": []}
    for number in range(BACKLOG):
        topic = "rulings" if number % 100 == 99 else ("moves", "log", "device")[number % 3]
        if topic in expected:
            expected[topic].append(b"%d" % number)
    expected["rulings"].append(b"live")
    assert {topic: session.of(f"/{topic}") for topic in expected} == expected


async def test_an_alert_leaves_while_the_broker_confirms_nothing(tmp_path: Path, opened) -> None:
    """Moves that wait for its word leave room for alerts, and for no more than there is."""
    async with opened(tmp_path / "journal.db") as journal:
        session = SlowSession()
        outbox = Outbox(journal, session, "arbiterd/main", "mqtt", lambda _: b"")
        work = asyncio.create_task(outbox.deliver())
        for number in range(2 * IN_FLIGHT):
            await put(journal, "moves", b"%d" % number)
        for number in range(2 * FOR_ALERTS):
            await put(journal, "rulings", b"%d" % number)
        for _ in range(10):
            await asyncio.sleep(0)
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)

    assert len(session.of("/moves")) == IN_FLIGHT - FOR_ALERTS
    assert session.of("/rulings") == [b"%d" % number for number in range(FOR_ALERTS)]


@pytest.mark.parametrize("cut", [0, 1, 19, 40, 333, 1200])
async def test_killed_in_a_backlog_it_loses_nothing_and_repeats_a_few(
    cut: int, tmp_path: Path, opened
) -> None:
    """Of what overtook as well: alerts that were confirmed are not told again with the rest."""
    async with opened(tmp_path / "journal.db") as journal:
        await backlog(journal)
    heard: list[tuple[str, bytes]] = []
    for last in (False, True):
        async with opened(tmp_path / "journal.db") as journal:
            session = SlowSession()
            outbox = Outbox(journal, session, "arbiterd/main", "mqtt", lambda _: b"")
            work = asyncio.create_task(outbox.deliver())
            await session.confirm(cut)
            while last and await session.confirm(100):
                pass
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)
            heard += session.heard

    assert len(set(heard)) == sum(n % 100 == 99 or n % 3 != 1 for n in range(BACKLOG))
    assert len(heard) - len(set(heard)) <= IN_FLIGHT


async def test_what_follows_closely_is_not_read_back_from_the_disk(
    tmp_path: Path, opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(tmp_path / "journal.db") as journal:
        session = SlowSession()
        outbox = Outbox(journal, session, "arbiterd/main", "mqtt", lambda _: b"")
        work = asyncio.create_task(outbox.deliver())
        monkeypatch.setattr(JournalReader, "outputs", None)
        monkeypatch.setattr(JournalReader, "leaving", None)
        for number in range(300):
            await put(journal, ("moves", "log", "rulings")[number % 3], b"%d" % number)
            await session.confirm(1)

        assert not work.done()
        assert len(session.heard) == 200
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)
