"""`arbiterd bench hall`: a running hall, from a board's last byte to the message at a subscriber.

    process 1   emulated boards ─▶ pseudo-terminals     writes down when each said something
    process 2   arbiterd run ─▶ broker                  its processor time and memory are read
    this one    a subscriber                            writes down when each message came

A half-move counts that was told because of a press: it follows from the last bytes that its board
had written by the time stamp of the message. One that was told because time had passed is left out.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
import tempfile
from bisect import bisect_right
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from statistics import median, quantiles
from typing import TypeVar

import aiomqtt
import click
import msgspec

from arbiterd.cli import FailedError
from arbiterd.cli.stopping import when_told
from arbiterd.config.values import BrokerUrl, broker_url
from arbiterd.edges.real import FileStore, WallClock
from arbiterd.journal.reader import Reader
from arbiterd.journal.rows import OutputRow
from arbiterd.journal.verify import verify
from arbiterd.messages.topics import MOVES

PATIENCE_S = 60.0
DRAIN_S = 5.0
"""So long messages may still be under way when the measuring is over."""
MILLISECOND = 1_000_000


T = TypeVar("T")


class _Move(msgspec.Struct):
    table: str
    seq: int
    at: str
    how: str


@dataclass
class Heard:
    """What a subscriber heard, and when."""

    moves: dict[tuple[str, int], tuple[_Move, int]] = field(default_factory=dict)

    def latencies_ms(self, said: Mapping[str, Sequence[int]]) -> list[float]:
        """Of half-moves told at a press: since the last byte its board had written."""
        found = []
        for move, heard_ns in self.moves.values():
            at_ns = int(datetime.fromisoformat(move.at).timestamp() * 1000 + 1) * MILLISECOND
            writes = said.get(move.table, ())
            place = bisect_right(writes, at_ns)
            if move.how == "pressed" and place:
                found.append((heard_ns - writes[place - 1]) / MILLISECOND)
        return found


@click.command()
@click.option("--boards", type=click.IntRange(1, 500), default=8, show_default=True)
@click.option("--pace", type=click.FloatRange(0.1, 20), default=1.0, show_default=True)
@click.option("--seconds", type=click.IntRange(5, 3600), default=60, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--broker", help="A broker that runs, mqtt://…; left out: the embedded one.")
def hall(boards: int, pace: float, seconds: int, seed: int, broker: str | None) -> None:
    """Measure a running hall at so many times blitz pace (a half-move each five seconds).

    Lost: half-moves in the journal that no subscriber heard. Whatever else the machine does is in
    the figures too; compare two runs of one day.
    """
    folder = tempfile.TemporaryDirectory(prefix="arbiterd-hall-")
    try:
        with folder as made, suppress(asyncio.CancelledError):
            asyncio.run(_measured(Path(made), boards, pace, seconds, seed, broker))
    except aiomqtt.MqttError as error:
        raise FailedError(f"the broker does not answer ({error}); name one that runs") from None


async def _measured(
    folder: Path, boards: int, pace: float, seconds: int, seed: int, broker: str | None
) -> None:
    me = asyncio.current_task()
    assert me is not None, "called within a loop"
    when_told(me.cancel)  # The other processes end with this one.
    clock, heard = WallClock(), Heard()
    words = (str(folder), str(boards), str(pace), str(seed))
    async with _running("-m", "arbiterd.cli.timed_boards", *words):
        made = partial(_completed, folder / "hall.toml", broker)
        config = await _found(made, clock, "the boards did not come up")
        code = "from arbiterd.cli import main; main()"
        log = folder / "log"
        async with _running("-c", code, "run", "--config", str(config), out=log) as service:
            at = partial(_address, log)
            up = "the service did not come up; try arbiterd simulate and run by themselves"
            url = broker_url(broker) if broker else await _found(at, clock, up)
            async with _subscribed(url, heard, clock):
                try:
                    await _found(lambda: heard.moves or None, clock, "no half-move was heard")
                except FailedError as nothing:
                    told, _ = _journalled(folder / "journal.db")
                    raise FailedError(f"{nothing}; the journal has {len(told)}") from None
                begun_ms, begun, begun_ns = _cpu_ms(service), len(heard.moves), clock.now_ns()
                await clock.rest(seconds)
                spent_ms, moves = _cpu_ms(service) - begun_ms, len(heard.moves) - begun
                passed_s, memory = (clock.now_ns() - begun_ns) / 1e9, _memory(service)
                os.kill(service, signal.SIGINT)
                await clock.rest(DRAIN_S)
    said = _said(folder / "said")
    journal = folder / "journal.db"
    told, cursor = _journalled(journal)
    with closing(FileStore(journal).connect_for_reading()) as db:
        whole = verify(db).whole
    came = [(row.table, row.seq) in heard.moves for row in told]
    waiting = sum(row.number > cursor for row in told)
    # Nobody listened before the first, and what was not confirmed at the stop follows at a start.
    counted = came[came.index(True) : len(came) - waiting]
    lost = counted.count(False)
    late = heard.latencies_ms(said)
    if len(late) < 2 or not moves:
        raise FailedError("too few half-moves were pressed; measure for longer")
    click.echo(
        f"{boards} boards at pace {pace:g}: {moves} half-moves in {passed_s:.0f} s"
        f" ({moves / passed_s / boards:.2f} a second and board)\n"
        f"  byte to subscriber  median {median(late):.1f} ms, 99 % {_most(late):.1f} ms,"
        f" worst {max(late):.1f} ms, of {len(late)}\n"
        f"  processor           {spent_ms / moves:.1f} ms a half-move,"
        f" {spent_ms / passed_s / 10:.0f} % of a core\n"
        f"  memory              {memory / 1e6:.0f} MB, {memory / boards / 1e3:.0f} kB a board\n"
        f"  journal             {journal.stat().st_size / len(told):.0f} B a half-move,"
        f" {'whole' if whole else 'NOT WHOLE'}\n"
        f"  lost                {lost} of {len(counted)}, {waiting} not sent before the stop"
    )
    if lost or not whole:
        raise FailedError(f"{lost} half-moves were not heard; the journal is whole: {whole}")


def _journalled(file: Path) -> tuple[list[OutputRow], int]:
    """The half-moves of a journal, and up to where they were delivered."""
    with closing(FileStore(file).connect_for_reading()) as db:
        read = Reader(db)
        told = [row for row in read.outputs() if row.topic == MOVES]
        return told, max(map(read.cursor, ("mqtt", "mqtt-move")))


def _most(late: Sequence[float]) -> float:
    return quantiles(late, n=100, method="inclusive")[-1]


def _listening(broker: str | None) -> str:
    told = f'url = "{broker}"' if broker else 'listen = "127.0.0.1:0"'
    return f'\n[mqtt]\n{told}\n\n[http]\nlisten = "127.0.0.1:0"\n'


@asynccontextmanager
async def _running(*words: str, out: Path | None = None) -> AsyncIterator[int]:
    """A Python of its own, by its process id; told to stop in the end."""
    with (out or Path(os.devnull)).open("w") as file:
        process = await asyncio.create_subprocess_exec(
            sys.executable, *words, stdout=file, stderr=file
        )
        try:
            yield process.pid
        finally:
            with suppress(ProcessLookupError):
                process.send_signal(signal.SIGINT)
            await process.wait()


async def _found(look: Callable[[], T | None], clock: WallClock, missing: str) -> T:
    """What is there in the end. Raises FailedError after a minute."""
    end_ns = clock.now_ns() + int(PATIENCE_S * 1e9)
    while (found := look()) is None:
        if clock.now_ns() > end_ns:
            raise FailedError(missing)
        await clock.rest(0.1)
    return found


def _address(log: Path) -> BrokerUrl | None:
    """Where the embedded broker listens, as the service prints it."""
    found = re.search(r"mqtt://127\.0\.0\.1:\d+", log.read_text())
    return broker_url(found[0]) if found else None


def _completed(config: Path, broker: str | None) -> Path | None:
    """The configuration the boards have written, with listeners of its own."""
    if not config.exists():
        return None
    config.write_text(config.read_text() + _listening(broker))
    return config


@asynccontextmanager
async def _subscribed(url: BrokerUrl, heard: Heard, clock: WallClock) -> AsyncIterator[None]:
    async with aiomqtt.Client(url.host, url.port) as client:
        await client.subscribe(f"arbiterd/+/tables/+/{MOVES}", qos=1)

        async def listen() -> None:
            async for message in client.messages:
                at_ns = clock.now_ns()
                assert isinstance(message.payload, bytes), "the library hands on what came in"
                move = msgspec.json.decode(message.payload, type=_Move)
                heard.moves.setdefault((move.table, move.seq), (move, at_ns))

        listening = asyncio.create_task(listen())
        try:
            yield
        finally:
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)


def _said(file: Path) -> Mapping[str, list[int]]:
    found: dict[str, list[int]] = {}
    for line in file.read_text().splitlines():
        table, at_ns = line.split()
        found.setdefault(table, []).append(int(at_ns))
    return found


def _cpu_ms(pid: int) -> float:
    """The processor time of a process, its threads included, without its children."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def _memory(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
