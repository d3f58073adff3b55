"""What the public asks costs the arbiters nothing they would notice.

`python -m pytest tests/containment/test_public_load.py -m slow -s -n 0` prints the figures.
"""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest

from .real import Arbiter, RealHall, percentile, told

TWICE = 2.0
FLOOR_S = 0.02
"""Below this nobody tells two latencies apart."""
BOARDS, SPECTATORS, STREAMS = 64, 200, 50
PHASE_S = 25.0
CROWD = Path(__file__).with_name("crowd.py")


@pytest.mark.slow
@pytest.mark.timeout(900)
async def test_two_hundred_spectators_and_fifty_streams_of_a_round(tmp_path: Path) -> None:
    hall = RealHall(BOARDS, 1, 1.0, tmp_path)
    tables = [seat.table for seat in hall.seats]
    async with hall.running():
        await asyncio.sleep(10.0)
        async with Arbiter(hall, tables).at_work(0.1) as quiet:
            await asyncio.sleep(PHASE_S)
        crowd = await asyncio.create_subprocess_exec(
            *(sys.executable, str(CROWD), hall.public),
            *map(str, (BOARDS, SPECTATORS, STREAMS)),
            stdout=PIPE,
        )
        await asyncio.sleep(5.0)
        async with Arbiter(hall, tables).at_work(0.1) as busy:
            await asyncio.sleep(PHASE_S)
        crowd.terminate()
        said, _ = await crowd.communicate()
        assert await hall.health() == (200, "ok\n")
    hall.close()
    ratio = percentile(busy.latencies_s, 0.95) / percentile(quiet.latencies_s, 0.95)
    print(
        f"\n{SPECTATORS} spectators, {STREAMS} streams, {BOARDS} boards:"
        f" quiet {told(quiet.latencies_s)}; with them {told(busy.latencies_s)};"
        f" ratio {ratio:.2f}; in {PHASE_S + 5:.0f} s {said.splitlines()[-1].decode()}"
    )
    limit_s = max(TWICE * percentile(quiet.latencies_s, 0.95), FLOOR_S)
    assert percentile(busy.latencies_s, 0.95) <= limit_s
