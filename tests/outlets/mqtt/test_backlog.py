"""The broker was away for an hour: what waited drains, and live alerts do not wait for it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from statistics import median
from time import monotonic

from arbiterd.edges.real import WallClock
from arbiterd.journal.journal import Journal
from arbiterd.journal.rows import Batch, OutputRow
from arbiterd.outlets.mqtt.client import MqttBroker
from arbiterd.outlets.mqtt.outlet import MqttOutlet
from outlets.mqtt.test_outlet import HALL

BOARDS, HALF_MOVES = 8, 720
"""A half-move each five seconds, for an hour."""
ALERTS = 6


async def an_hour(journal: Journal) -> int:
    """Each half-move with its two rows of the log, as a table writes them; says how many."""
    for half_move in range(HALF_MOVES):
        rows = []
        for board in range(1, BOARDS + 1):
            for topic in ("moves", "log", "log"):
                number = journal.next_output()
                payload = b"%d of %d" % (half_move, board)
                rows.append(
                    OutputRow(number, number, str(board), number, topic, 1, False, 0, payload)
                )
        journal.write(Batch(outputs=tuple(rows)))
    await journal.synced()
    return BOARDS * HALF_MOVES


def told_since(heard: list[tuple[str, bytes, bool]], number: int) -> list[bytes]:
    return [payload for _, payload, _ in heard[number:]]


async def test_live_alerts_do_not_wait_for_an_hour_of_moves(
    broker: MqttBroker, tmp_path: Path, opened, listening
) -> None:
    async with opened(tmp_path / "journal.db") as journal, listening(broker.url) as tablet:
        waiting = await an_hour(journal)
        outlet = MqttOutlet(HALL, journal, broker, WallClock())
        running = asyncio.create_task(outlet.run())
        heard = tablet.heard
        await tablet.until(lambda heard: any(topic.endswith("/moves") for topic, *_ in heard))

        passed, late_s = [], []
        for alert in range(ALERTS):
            number, told = journal.next_output(), b"alert %d" % alert
            before, begun_s = len(heard), monotonic()
            row = OutputRow(number, number, "1", number, "rulings", 1, False, 0, told)
            journal.write(Batch(outputs=(row,)))
            # Of what is new alone: to look at all of it each time keeps the listener behind.
            await tablet.until(lambda heard, told=told, n=before: told in told_since(heard, n))
            late_s.append(monotonic() - begun_s)
            passed.append(told_since(heard, before).index(told))
        drained = len(tablet.payloads("/moves"))

        begun_s = monotonic()
        last = b"%d of %d" % (HALF_MOVES - 1, BOARDS)
        await tablet.until(lambda heard: len(heard) >= waiting and last in told_since(heard, -20))
        print(
            f"{waiting} moves waited; an alert {median(late_s) * 1000:.0f} ms, {max(late_s):.1f} s"
            f" at most, behind {median(passed):.0f} of them; the rest in"
            f" {monotonic() - begun_s:.1f} s"
        )
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    assert drained < waiting, "the alerts were told while the backlog drained"
    assert median(passed) < waiting / 20
    for board in range(1, BOARDS + 1):
        # Once at least: who hears one again drops it.
        once = dict.fromkeys(tablet.payloads(f"/{board}/moves"))
        assert list(once) == [b"%d of %d" % (number, board) for number in range(HALF_MOVES)]
