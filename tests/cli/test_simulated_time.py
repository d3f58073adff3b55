"""A simulated hall has one time for its boards and its service, and keeps it over a restart."""

from __future__ import annotations

import asyncio
import json
import time
import urllib.request
from pathlib import Path
from typing import Any

from cli.test_second_start import ARBITERD, started

SPEED = 10


def asked(page: str, path: str) -> dict[str, Any]:
    with urllib.request.urlopen(f"{page}api/v1/{path}") as answer:
        return json.load(answer)


def plies(page: str) -> int:
    return sum(table["ply"] for table in asked(page, "tables")["tables"])


def play_on(page: str, more: int) -> None:
    """Returns once so many half-moves more are on the record."""
    enough = plies(page) + more
    deadline = time.monotonic() + 100
    while plies(page) < enough:
        assert time.monotonic() < deadline
        time.sleep(0.1)


def rulings(page: str) -> set[str]:
    kinds: set[str] = set()
    for table in "12":
        said = asked(page, f"tables/{table}/timeline")
        kinds |= {
            event["payload"]["kind"]
            for event in said["events"]
            if event["topic"].endswith("/rulings")
        }
    return kinds


async def test_after_a_restart_no_clock_has_jumped(tmp_path: Path) -> None:
    words = ("--boards", 2, "--speed", SPEED, "--noise", "clean", "--pty-dir", tmp_path)
    async with started(*ARBITERD, "simulate", *words) as simulation:
        await simulation.says("now")
        text = (tmp_path / "arbiterd.toml").read_text()
        file = tmp_path / "hall.toml"
        free = 'listen = "127.0.0.1:0"\n'
        file.write_text(f"[mqtt]\n{free}[http]\n{free}{text}")
        async with started(*ARBITERD, "run", "--config", file) as first:
            await asyncio.to_thread(play_on, await first.says("page"), 4)
        await asyncio.sleep(5)  # Most of a minute in the hall.
        async with started(*ARBITERD, "run", "--config", file) as second:
            page = await second.says("page")
            await asyncio.to_thread(play_on, page, 4)
            told = await asyncio.to_thread(rulings, page)
    assert not {kind for kind in told if "time" in kind or "clock" in kind}, told
