"""What the public asks costs the arbiters nothing they would notice.

`python -m pytest tests/containment/test_public_load.py -m slow -s -n 0` prints the figures.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from asyncio.subprocess import PIPE
from collections.abc import Sequence
from pathlib import Path

import pytest

from .real import Arbiter, RealHall, percentile, told

TWICE = 2.0
FLOOR_S = 0.02
"""Below this nobody tells two latencies apart."""
BOARDS, SPECTATORS, STREAMS = 64, 200, 50
PHASES, PHASE_S = 6, 10.0
CROWD = Path(__file__).with_name("crowd.py")


@pytest.mark.slow
@pytest.mark.timeout(900)
async def test_two_hundred_spectators_and_fifty_streams_of_a_round(tmp_path: Path) -> None:
    hall = RealHall(BOARDS, 1, 1.0, tmp_path)
    tables = [seat.table for seat in hall.seats]
    async with hall.running():
        await asyncio.sleep(10.0)
        crowd = await asyncio.create_subprocess_exec(
            *(sys.executable, str(CROWD), hall.public),
            *map(str, (BOARDS, SPECTATORS, STREAMS)),
            stdout=PIPE,
        )
        await asyncio.sleep(5.0)
        quiet: list[float] = []
        busy: list[float] = []
        # In turn: what else this computer does meanwhile falls upon both alike.
        for _ in range(PHASES):
            crowd.send_signal(signal.SIGSTOP)
            quiet += await latencies(hall, tables)
            crowd.send_signal(signal.SIGCONT)
            busy += await latencies(hall, tables)
        crowd.terminate()
        said, _ = await crowd.communicate()
        assert await hall.health() == (200, "ok\n")
    hall.close()
    ratio = percentile(busy, 0.95) / percentile(quiet, 0.95)
    print(
        f"\n{SPECTATORS} spectators, {STREAMS} streams, {BOARDS} boards:"
        f" quiet {told(quiet)}; with them {told(busy)}; ratio {ratio:.2f},"
        f" of the medians {percentile(busy, 0.5) / percentile(quiet, 0.5):.2f};"
        f" they were told {said.splitlines()[-1].decode()}"
    )
    assert percentile(busy, 0.95) <= max(TWICE * percentile(quiet, 0.95), FLOOR_S)


async def latencies(hall: RealHall, tables: Sequence[str]) -> list[float]:
    """Of an arbiter's rulings, for a while."""
    async with Arbiter(hall, tables).at_work(0.1) as arbiter:
        await asyncio.sleep(PHASE_S)
    return arbiter.latencies_s
