"""`arbiterd bench hall`: a running hall, from a board's last byte to the message at a subscriber.

    processes   emulated boards ─▶ pseudo-terminals     write down when each said something
    process     arbiterd run ─▶ broker                  its processor time and memory are read
    this one    a subscriber                            writes down when each message came

A half-move counts that was told because of a press: it follows from the last bytes that its board
had written by the time stamp of the message. One that was told because time had passed is left out.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import sys
import tempfile
from bisect import bisect_right
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing, suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from http.client import HTTPConnection
from itertools import product
from pathlib import Path
from typing import TypeVar

import aiomqtt
import click
import msgspec

from arbiterd.cli import FailedError
from arbiterd.cli.bench.measured.hall_figures import HEAD, Figures, ladder
from arbiterd.cli.stopping import when_told
from arbiterd.config.values import BrokerUrl, broker_url
from arbiterd.edges.real import FileStore, WallClock
from arbiterd.journal.reader import JournalReader
from arbiterd.journal.rows import OutputRow
from arbiterd.journal.verify import verify
from arbiterd.messages.topics import MOVES

PATIENCE_S, AT_MOST_S = 60.0, 600.0
"""So long nothing may go on, and so long it may take where something does: on a machine that is
busy with other things boards and service are late, and none of them is broken."""
BOARDS_EACH = 125
"""Boards in one process."""
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
class HeardMoves:
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


def _several(
    each: click.IntRange | click.FloatRange,
) -> Callable[[click.Context, click.Parameter, Sequence[str]], list[float]]:
    """Reads numbers with commas between them, each in its range."""

    def read(ctx: click.Context, param: click.Parameter, said: Sequence[str]) -> list[float]:
        words = (word for numbers in said for word in numbers.split(","))
        return [each(word, param, ctx) for word in words]

    return read


@click.command()
@click.option("--boards", default=["8"], multiple=True, callback=_several(click.IntRange(1, 1000)))
@click.option("--pace", default=["1"], multiple=True, callback=_several(click.FloatRange(0.1, 20)))
@click.option("--seconds", type=click.IntRange(5, 3600), default=60, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--broker", help="A broker that runs, mqtt://…; left out: the embedded one.")
@click.option(
    "--flame",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write where the service's time went, as a picture (SVG); needs py-spy.",
)
def hall(
    boards: Sequence[int],
    pace: Sequence[float],
    seconds: int,
    seed: int,
    broker: str | None,
    flame: Path | None,
) -> None:
    """Measure a running hall at so many times blitz pace (a half-move each five seconds).

    8 boards at pace 1 unless said; several numbers and paces (1,8,64) are measured one after
    another and make one table.
    Lost: half-moves in the journal that no subscriber heard. Whatever else the machine does is in
    the figures too; compare two runs of one day.
    """
    cells = [*product(boards, pace)]
    if flame is not None and (len(cells) > 1 or shutil.which("py-spy") is None):
        raise click.UsageError(
            "a flame graph is of one number of boards at one pace, and made by py-spy:"
            " install it (pip install py-spy)"
        )
    failures = []
    try:
        if len(cells) > 1:
            click.echo(HEAD)
        for number, times in cells:
            folder = tempfile.TemporaryDirectory(prefix="arbiterd-hall-")
            try:
                with folder as made:
                    found = _measured(Path(made), number, times, seconds, seed, broker, flame)
                    figures = asyncio.run(found)
            except FailedError as failed:
                if len(cells) == 1:
                    raise
                click.echo(f"{number:6} {times:5g}  {failed}")
                failures.append(str(failed))
                continue
            click.echo(figures.row if len(cells) > 1 else figures.block)
            if figures.lost or not figures.whole:
                failures.append(
                    f"{figures.lost} half-moves were not heard; the journal is whole:"
                    f" {figures.whole}"
                )
    except asyncio.CancelledError:
        return
    except aiomqtt.MqttError as error:
        raise FailedError(f"the broker does not answer ({error}); name one that runs") from None
    if failures:
        raise FailedError("; ".join(failures))


async def _measured(
    folder: Path,
    boards: int,
    pace: float,
    seconds: int,
    seed: int,
    broker: str | None,
    flame: Path | None,
) -> Figures:
    me = asyncio.current_task()
    assert me is not None, "called within a loop"
    when_told(me.cancel)  # The other processes end with this one.
    clock, heard = WallClock(), HeardMoves()
    async with AsyncExitStack() as stack:
        firsts = range(0, boards, BOARDS_EACH)
        for first in firsts:
            number = min(BOARDS_EACH, boards - first)
            words = (str(folder), str(first), str(number), str(pace), str(seed))
            await stack.enter_async_context(
                _running("-m", "arbiterd.cli.bench.measured.timed_boards", *words)
            )
        parts = [folder / f"tables-{first}.toml" for first in firsts]
        config = await _found(
            partial(_completed, parts, broker),
            clock,
            "the boards did not come up",
            lambda: sum(part.exists() for part in parts),
        )
        code = "from arbiterd.cli import main; main()"
        log = folder / "log"
        async with _running("-c", code, "run", "--config", str(config), out=log) as service:
            at = partial(_address, log)
            up = "the service did not come up; try arbiterd simulate and run by themselves"
            works = partial(_cpu_ms, service)
            url = broker_url(broker) if broker else await _found(at, clock, up, works)
            async with _subscribed(url, heard, clock):
                try:
                    nothing_heard = "no half-move was heard"
                    await _found(lambda: heard.moves or None, clock, nothing_heard, works)
                except FailedError as nothing:
                    told, _ = _journalled(folder / "journal.db")
                    words_of = f"the journal has {len(told)}; {_last_word(log)}"
                    raise FailedError(f"{nothing}; {words_of}") from None
                begun_ms, begun, begun_ns = _cpu_ms(service), len(heard.moves), clock.now_ns()
                async with _drawn(service, seconds, flame):
                    await clock.rest(seconds)
                spent_ms, moves = _cpu_ms(service) - begun_ms, len(heard.moves) - begun
                passed_s, memory = (clock.now_ns() - begun_ns) / 1e9, _memory(service)
                stations = await asyncio.to_thread(_stations, log)
                os.kill(service, signal.SIGINT)
                await clock.rest(DRAIN_S)
    said = _said([folder / f"said-{first}" for first in firsts])
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
    return Figures(
        boards=boards,
        pace=pace,
        moves=moves,
        passed_s=passed_s,
        late_ms=late,
        spent_ms=spent_ms,
        memory=memory,
        journal=journal.stat().st_size / len(told),
        whole=whole,
        lost=lost,
        counted=len(counted),
        waiting=waiting,
        stations=stations,
    )


@asynccontextmanager
async def _drawn(service: int, seconds: int, flame: Path | None) -> AsyncIterator[None]:
    """Samples of the service's stacks meanwhile, drawn as a flame graph."""
    if flame is None:
        yield
        return
    asked = ("record", "--pid", str(service), "--duration", str(seconds), "--output", str(flame))
    drawing = await asyncio.create_subprocess_exec(
        "py-spy",
        *asked,
        "--gil",
        "--function",
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    yield
    _, words = await drawing.communicate()
    if drawing.returncode:
        raise FailedError(f"py-spy may not look at the service: {words.decode().strip()[-160:]}")


def _stations(log: Path) -> tuple[float | None, ...]:
    """From `/metrics`, whose address the service prints."""
    found = re.search(r"http://(127\.0\.0\.1:\d+)", log.read_text())
    if found is None:
        return ladder("")
    with closing(HTTPConnection(found[1], timeout=PATIENCE_S)) as page:
        page.request("GET", "/metrics")
        return ladder(page.getresponse().read().decode())


def _journalled(file: Path) -> tuple[list[OutputRow], int]:
    """The half-moves of a journal, and up to where they were delivered."""
    with closing(FileStore(file).connect_for_reading()) as db:
        read = JournalReader(db)
        told = [row for row in read.outputs() if row.topic == MOVES]
        return told, max(map(read.cursor, ("mqtt", "mqtt-move")))


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


async def _found(
    look: Callable[[], T | None],
    clock: WallClock,
    missing: str,
    works: Callable[[], object] = lambda: None,
) -> T:
    """What is there in the end. Raises FailedError after a minute in which nothing works."""
    begun_ns = moved_ns = clock.now_ns()
    done = works()
    while (found := look()) is None:
        now_ns, before, done = clock.now_ns(), done, works()
        moved_ns = now_ns if done != before else moved_ns
        if now_ns - moved_ns > PATIENCE_S * 1e9 or now_ns - begun_ns > AT_MOST_S * 1e9:
            raise FailedError(missing)
        await clock.rest(0.1)
    return found


def _last_word(log: Path) -> str:
    """What the service complained of last."""
    words = re.findall(r'"level": "(?:warning|error|critical)".*?"says": "(.*)"}', log.read_text())
    return f"the service said: {words[-1]}" if words else "the service complained of nothing"


def _address(log: Path) -> BrokerUrl | None:
    """Where the embedded broker listens, as the service prints it."""
    found = re.search(r"mqtt://127\.0\.0\.1:\d+", log.read_text())
    return broker_url(found[0]) if found else None


def _completed(parts: Sequence[Path], broker: str | None) -> Path | None:
    """What the processes of the boards have written, as one, with listeners of its own."""
    if not all(part.exists() for part in parts):
        return None
    texts = [part.read_text() for part in parts]
    tables = [text[text.index("\n[[tables]]") :] for text in texts[1:]]
    config = parts[0].with_name("hall.toml")
    config.write_text("".join([texts[0], *tables, _listening(broker)]))
    return config


@asynccontextmanager
async def _subscribed(url: BrokerUrl, heard: HeardMoves, clock: WallClock) -> AsyncIterator[None]:
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


def _said(files: Sequence[Path]) -> Mapping[str, list[int]]:
    found: dict[str, list[int]] = {}
    for line in (line for file in files for line in file.read_text().splitlines()):
        table, at_ns = line.split()
        found.setdefault(table, []).append(int(at_ns))
    return found


def _cpu_ms(pid: int) -> float:
    """The processor time of a process, its threads included, without its children."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def _memory(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
