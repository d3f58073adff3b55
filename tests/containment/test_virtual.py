"""2,000 hostile acts under virtual time, each with a start of the service after it.

`python -m pytest tests/containment/test_virtual.py -m slow -s` prints the figures.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

import pytest

from arbiterd.edges import Received
from arbiterd.simulation.virtual_loop import run_virtually

from .hostile import Case, drawn
from .house import EightBoards

CASES_A_HALL = 20
HOSTILE_S, AFTER_S = 4.0, 3.0
"""Two parts of a case: hostility, then what comes after it."""
BLOCKS = 4


@dataclass
class Figures:
    cases: int = 0
    wrong: list[str] = field(default_factory=list)
    doors: Counter[str] = field(default_factory=Counter)
    ill: int = 0
    half_moves: int = 0
    started_s: list[float] = field(default_factory=list)


def test_a_hall_under_attack_plays_on(tmp_path: Path) -> None:
    figures = Figures()
    run_virtually(attacked(0, tmp_path, figures, 12))
    show(figures)
    assert not figures.wrong, "\n".join(figures.wrong)


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("block", range(BLOCKS))
def test_two_thousand_hostile_acts(tmp_path: Path, block: int) -> None:
    """A quarter of them each."""
    figures = Figures()
    halls = 2_000 // CASES_A_HALL // BLOCKS
    for seed in range(1 + block * halls, 1 + (block + 1) * halls):
        folder = tmp_path / str(seed)
        folder.mkdir()
        run_virtually(attacked(seed, folder, figures, CASES_A_HALL))
        if seed % 5 == 0:
            show(figures)
            print("\n".join(figures.wrong[-10:]), flush=True)
    assert figures.cases == 2_000 // BLOCKS
    assert not figures.wrong, "\n".join(figures.wrong[:20])


async def attacked(seed: int, folder: Path, figures: Figures, cases: int) -> None:
    hall = EightBoards(seed, folder)
    async with hall.running():
        await hall.clock.rest(30.0)
    for number in range(cases):
        case = drawn(f"{seed}/{number}", hall.victim)
        name = f"seed {seed}, case {number} ({case.door}, {case.kind})"
        await one(hall, case, name, figures)
        hall.venom = None
    figures.half_moves += sum(
        len(hall.broker.record(table)) for table in hall.tables if table != hall.victim
    )


async def one(hall: EightBoards, case: Case, name: str, figures: Figures) -> None:
    """The act, and a start after it: both belong to the case."""
    if case.damage is not None:
        case.damage(hall.folder / "journal.db", hall.victim)
    if case.venom is not None:
        hall.venom = case.venom()
    began = perf_counter()
    try:
        async with hall.running():
            figures.started_s.append(perf_counter() - began)
            await attack(hall, case)
            await hall.clock.rest(AFTER_S)
            wrong = [*hall.wrong(), *await untruths(hall)]
            figures.ill += bool(hall.service.ill())
    except Exception as failed:  # noqa: BLE001 - whatever ends the service is looked for
        wrong = [f"the service ended: {failed!r}"]
    figures.cases += 1
    figures.doors[case.door] += 1
    figures.wrong += [f"{name}: {sentence}" for sentence in wrong]


async def attack(hall: EightBoards, case: Case) -> None:
    for topic, payload in case.payloads:
        hall.broker.inbox.put_nowait(Received(f"arbiterd/main/{topic}", payload, retained=False))
    asked = [
        asyncio.create_task(ask(address, request))
        for request in case.requests
        for address in (hall.service.addresses.page, hall.service.addresses.public)
        if address
    ]
    await hall.clock.rest(HOSTILE_S)
    for task in asked:
        task.cancel()
    await asyncio.gather(*asked, return_exceptions=True)


async def ask(address: str, request: bytes) -> bytes:
    """The answer's first bytes, if there is any."""
    host, _, port = address.removeprefix("http://").rstrip("/").rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        with suppress(ConnectionError):
            writer.write(request)
            await writer.drain()
            return await reader.read(2_000)
        return b""
    finally:
        writer.close()


async def untruths(hall: EightBoards) -> list[str]:
    """What /healthz says that is not so: only the table that is attacked may be named."""
    answer = (
        await asyncio.wait_for(
            ask(hall.service.addresses.page, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"),
            20,
        )
    ).decode()
    ill = hall.service.ill()
    found = []
    if ("503" in answer.split("\r\n", 1)[0]) != bool(ill):
        found.append(f"/healthz says {answer!r}, but {ill!r}")
    if ill and f"table {hall.victim}" not in ill:
        found.append(f"ill without its table: {ill}")
    failing = hall.service.desk.seats[hall.victim].failing
    if failing and failing not in ill:
        found.append(f"table {hall.victim} has stopped and nobody says so")
    return found


def show(figures: Figures) -> None:
    starts = sorted(figures.started_s)
    print(
        f"\n{figures.cases} hostile acts ({dict(figures.doors)}): {len(figures.wrong)} wrong;"
        f" {figures.half_moves} half-moves at the seven other tables;"
        f" said to be ill {figures.ill} times, of the attacked table;"
        f" a start took {starts[len(starts) // 2] * 1e3:.0f} ms in the median,"
        f" {starts[-1] * 1e3:.0f} ms at most"
    )
