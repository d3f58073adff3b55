"""A table with more rows to fold than a start may wait for: the hall comes up without it."""

from __future__ import annotations

import asyncio
import json
import signal
import sqlite3
import sys
from asyncio.subprocess import DEVNULL, PIPE
from pathlib import Path
from random import Random
from time import monotonic

import aiohttp
import pytest

from arbiterd.hall.tables.seat import Seat
from arbiterd.hall.tables.seating import START_ROWS
from arbiterd.hall.tables.taking_up import SLICE_ROWS, TakingUp
from arbiterd.journal.rows import Batch, InputRow
from arbiterd.messages.commands import Command
from arbiterd.table.setup import TableSetup
from arbiterd.table.table import Table
from conftest import free_port
from eboards.events import LinkUp, Scan, Sensing, SensingClass, SquareChange

SECOND = 1_000_000_000
START = tuple("rnbqkbnrpppppppp" + "." * 32 + "PPPPPPPPRNBQKBNR")
TABLES = ("1", "2")
PAUSE = Command(action="pause", by="ana", id="p1")
LINE = ((52, 36, "P"), (12, 28, "p"), (62, 45, "N"))


async def noisy(path: Path, opened, rows: int) -> None:
    """Two tables without a checkpoint: table 1's board has said anything so often, table 2's
    little."""
    dice, begin_ns = Random(7), 1_700_000_000 * SECOND
    async with opened(path) as journal:
        for name, count in zip(TABLES, (rows, 20), strict=True):
            setup = TableSetup(hall="main", table=name)
            row = InputRow(journal.next_input(), begin_ns, name, setup)
            journal.write(Batch((row,)))
            seat = Seat(name, Table(setup), 0, row.number)
            link = LinkUp(begin_ns, "dgt", "p", Sensing(SensingClass.IDENTITY, SECOND // 4))
            noise = (
                SquareChange(
                    begin_ns + (n + 1) * SECOND // 20,
                    dice.randrange(64),
                    dice.choice("pnbrqkPNBRQK......"),
                )
                for n in range(count)
            )
            for item in (link, Scan(begin_ns, START), *noise):
                row = InputRow(journal.next_input(), item.at_ns, name, item)
                journal.write(Batch((row,), seat.fold(journal, row).outputs))
        await journal.synced()


async def replayed(path: Path) -> bytes:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", "from arbiterd.cli import main; main()", "replay", str(path)),
        stdout=DEVNULL,
        stderr=PIPE,
    )
    _, said = await process.communicate()
    return said


async def test_the_others_play_while_it_is_made_again(
    path: Path, running, opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    await noisy(path, opened, 400)
    monkeypatch.setattr("arbiterd.hall.tables.seating.START_ROWS", 100)
    slices: list[int] = []
    fold = TakingUp.fold

    def counted(taking: TakingUp, rows: int) -> int:
        slices.append(fold(taking, rows) if taking.seat.name == "1" else 0)
        return slices[-1] if taking.seat.name == "1" else fold(taking, rows)

    monkeypatch.setattr(TakingUp, "fold", counted)
    async with running(path) as house:
        desk = house.service.desk
        one, two = (desk.seats[name] for name in TABLES)
        assert one.failing
        assert not two.failing
        assert sum(slices) <= SLICE_ROWS, "at most one slice came before us"
        state = desk.state(one)
        assert state is not None
        assert state.attention
        assert "is being made again" in state.standing
        assert state.comes_back
        reply = json.loads(await house.service.command("1", PAUSE, "ana"))
        assert not reply["ok"]
        assert reply["id"] == PAUSE.id
        assert "table 1 is being made again from the journal" in reply["error"]
        assert reply["error"].endswith("Send this again in a minute")
        assert "table 1 is being made again" in house.service.ill()
        # It is played on meanwhile.
        at_ns = desk.now_ns(one)
        sensing = Sensing(SensingClass.IDENTITY, SECOND // 4)
        desk.take(one, (LinkUp(at_ns, "dgt", "p", sensing), Scan(at_ns, START)))
        for square, target, piece in LINE:
            at_ns = desk.now_ns(one) + SECOND
            desk.take(one, (SquareChange(at_ns, square, "."),))
            desk.take(one, (SquareChange(at_ns + SECOND, target, piece),))
        recorded = one.recorded
        await house.until(lambda: not one.failing)
        assert one.input >= recorded
        assert max(slices) <= SLICE_ROWS
        assert sum(slices) >= 400
        assert not one.table.view.board.missed
        assert not house.service.ill()
        assert json.loads(await house.service.command("1", PAUSE, "ana"))["ok"]
        await house.service.journal.synced()
    slices.clear()
    assert b"all as recorded" in await replayed(path)
    async with running(path) as house:  # It was put down, and is there at once.
        assert not house.service.desk.seats["1"].failing


@pytest.mark.timeout(120)
async def test_the_page_is_there_and_a_stop_is_heard(tmp_path: Path, opened) -> None:
    await noisy(tmp_path / "journal.db", opened, START_ROWS + 2000)
    port = free_port()
    config = tmp_path / "arbiterd.toml"
    config.write_text(
        f'[hall]\nname = "main"\n[http]\nlisten = "127.0.0.1:{port}"\n'
        f'[mqtt]\nlisten = "127.0.0.1:{free_port()}"\n'
        f'[journal]\npath = "{tmp_path}/journal.db"\n'
        + "".join(f'[[tables]]\ntable = "{name}"\ndevice = "auto"\n' for name in TABLES)
    )
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", "from arbiterd.cli import main; main()"),
        *("run", "--config", str(config)),
        stdout=DEVNULL,
        stderr=DEVNULL,
    )
    try:
        async with aiohttp.ClientSession() as client:
            said = ""
            while not said:
                await asyncio.sleep(0.05)
                assert process.returncode is None
                try:
                    async with client.get(f"http://127.0.0.1:{port}/healthz") as answer:
                        said = await answer.text()
                except aiohttp.ClientError:
                    continue
        assert "table 1 is being made again" in said
        assert "table 2" not in said
        process.send_signal(signal.SIGTERM)
        asked_s = monotonic()
        assert await asyncio.wait_for(process.wait(), 60) == 0
        assert monotonic() - asked_s < 5
    finally:
        if process.returncode is None:
            process.kill()
    db = sqlite3.connect(tmp_path / "journal.db")
    (kinds,) = db.execute("SELECT count(*) FROM input WHERE kind = 'ServiceStarted'").fetchone()
    db.close()
    assert kinds == 2, "both tables have it on record"
    assert b"all as recorded" in await replayed(tmp_path / "journal.db")
