"""Killed at any message, the outbox loses nothing, keeps the order, and repeats a few at most."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from arbiterd.edges import BrokerError, Received
from arbiterd.journal.journal import Journal
from arbiterd.journal.rows import Batch, OutputRow
from arbiterd.outlets.mqtt.outbox import IN_FLIGHT, Outbox

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
        self, topic: str, payload: bytes, *, retained: bool = False, correlation: bytes = b""
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
        outbox = Outbox(journal, Unsteady(1000, []), "arbiterd/main", "mqtt", lambda _: b"")
        work = asyncio.create_task(outbox.deliver())
        for _ in range(50):
            await journal.synced()
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)
        await journal.synced()

        assert journal.read.cursor("mqtt") == 4
