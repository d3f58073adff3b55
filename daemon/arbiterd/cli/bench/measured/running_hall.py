"""One hall that runs for so many seconds: boards, service, a subscriber, and what it took."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass
from functools import partial
from http.client import HTTPConnection
from pathlib import Path

from arbiterd.cli import FailedError
from arbiterd.cli.bench.measured.hall_figures import PARTS, Figures, ladder
from arbiterd.cli.bench.measured.heard_moves import HeardMoves, subscribed, written_at
from arbiterd.cli.bench.measured.processes import (
    PATIENCE_S,
    cpu_ms,
    descriptors,
    memory,
    running_python,
    waited_for,
)
from arbiterd.cli.stopping import when_told
from arbiterd.config.values import BrokerUrl, broker_url
from arbiterd.edges.real import FileStore, WallClock
from arbiterd.journal.reader import JournalReader
from arbiterd.journal.rows import OutputRow
from arbiterd.journal.verify import verify
from arbiterd.messages.topics import MOVES

BOARDS_EACH = 125
"""Boards in one process."""
DRAIN_S = 5.0
"""So long messages may still be under way when the measuring is over."""


@dataclass(frozen=True, slots=True)
class MeasuredHall:
    """What is to be measured."""

    boards: int
    pace: float
    """So many times blitz."""
    seconds: int
    seed: int
    broker: str | None
    """None: the embedded one."""
    flame: Path | None


@dataclass(frozen=True, slots=True)
class _Watched:
    """What the service did while it was watched."""

    moves: int
    passed_s: float
    spent_ms: float
    held: Sequence[tuple[int, int]]
    stations: tuple[float | None, ...]


async def measured(folder: Path, hall: MeasuredHall) -> Figures:
    """Raises FailedError where nothing comes up, or too little is played."""
    me = asyncio.current_task()
    assert me is not None, "called within a loop"
    when_told(me.cancel)  # The other processes end with this one.
    clock, heard, log = WallClock(), HeardMoves(), folder / "log"
    firsts = range(0, hall.boards, BOARDS_EACH)
    async with AsyncExitStack() as boards:
        config = await _plugged_in(boards, folder, hall, clock)
        command = ("-c", "from arbiterd.cli import main; main()", "run", "--config", str(config))
        async with running_python(*command, out=log) as service:
            url = await _broker(hall, service, log, clock)
            async with subscribed(url, heard, clock):
                await _first_heard(heard, service, folder, clock)
                watched = await _watched(hall, service, heard, log, clock)
                os.kill(service, signal.SIGINT)
                await clock.rest(DRAIN_S)
    late_ms = heard.latencies_ms(written_at([folder / f"said-{first}" for first in firsts]))
    return _figures(hall, folder / "journal.db", heard, watched, late_ms)


async def _plugged_in(
    boards: AsyncExitStack, folder: Path, hall: MeasuredHall, clock: WallClock
) -> Path:
    """The processes of the boards, and the configuration beside them."""
    parts: list[Path] = []
    for first in range(0, hall.boards, BOARDS_EACH):
        number = min(BOARDS_EACH, hall.boards - first)
        plays = (str(hall.pace), str(hall.seed), str(hall.seconds))
        words = (str(folder), str(first), str(number), *plays)
        program = "arbiterd.cli.bench.measured.timed_boards"
        await boards.enter_async_context(running_python("-m", program, *words))
        parts.append(folder / f"tables-{first}.toml")
    return await waited_for(
        partial(_completed, parts, hall.broker),
        clock,
        "the boards did not come up",
        lambda: sum(part.exists() for part in parts),
    )


async def _broker(hall: MeasuredHall, service: int, log: Path, clock: WallClock) -> BrokerUrl:
    if hall.broker:
        return broker_url(hall.broker)
    up = "the service did not come up; try arbiterd simulate and run by themselves"
    return await waited_for(partial(_address, log), clock, up, partial(cpu_ms, service))


async def _first_heard(heard: HeardMoves, service: int, folder: Path, clock: WallClock) -> None:
    """Waits for the first half-move."""
    nothing_heard, works = "no half-move was heard", partial(cpu_ms, service)
    try:
        await waited_for(lambda: heard.moves or None, clock, nothing_heard, works)
    except FailedError as nothing:
        told, _ = _journalled(folder / "journal.db")
        words = f"the journal has {len(told)}; {_last_word(folder / 'log')}"
        raise FailedError(f"{nothing}; {words}") from None


async def _watched(
    hall: MeasuredHall, service: int, heard: HeardMoves, log: Path, clock: WallClock
) -> _Watched:
    begun_ms, begun, begun_ns = cpu_ms(service), len(heard.moves), clock.now_ns()
    async with _drawn(service, hall.seconds, hall.flame):
        held = [await _held(service, hall.seconds / PARTS, clock) for _ in range(PARTS)]
    return _Watched(
        spent_ms=cpu_ms(service) - begun_ms,
        moves=len(heard.moves) - begun,
        passed_s=(clock.now_ns() - begun_ns) / 1e9,
        held=held,
        stations=await asyncio.to_thread(_stations, log),
    )


async def _held(service: int, after_s: float, clock: WallClock) -> tuple[int, int]:
    """Memory and open descriptors, so long from now."""
    await clock.rest(after_s)
    return memory(service), descriptors(service)


def _figures(
    hall: MeasuredHall,
    journal: Path,
    heard: HeardMoves,
    watched: _Watched,
    late_ms: Sequence[float],
) -> Figures:
    if len(late_ms) < 2 or not watched.moves:
        raise FailedError("too few half-moves were pressed; measure for longer")
    told, cursor = _journalled(journal)
    with closing(FileStore(journal).connect_for_reading()) as db:
        whole = verify(db).whole
    came = [(row.table, row.seq) in heard.moves for row in told]
    waiting = sum(row.number > cursor for row in told)
    # Nobody listened before the first, and what was not confirmed at the stop follows at a start.
    counted = came[came.index(True) : len(came) - waiting]
    return Figures(
        boards=hall.boards,
        pace=hall.pace,
        moves=watched.moves,
        passed_s=watched.passed_s,
        late_ms=late_ms,
        spent_ms=watched.spent_ms,
        held=watched.held,
        journal=journal.stat().st_size / len(told),
        whole=whole,
        lost=counted.count(False),
        counted=len(counted),
        waiting=waiting,
        stations=watched.stations,
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
