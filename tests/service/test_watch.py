"""Every long task is ended and held up in turn in a running service: it is said, and it comes back.

With figures: pytest -q -s -m slow tests/service/test_watch.py
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from arbiterd.edges.real import WallClock
from arbiterd.journal.verify import verify
from arbiterd.service import duties
from arbiterd.service.duties import Duties, Duty
from arbiterd.service.service import Service

from .conftest import House
from .test_service import move

LINE = [(52, 36, "P"), (12, 28, "p"), (62, 45, "N"), (1, 18, "n"), (61, 34, "B"), (6, 21, "n")]
MOVES = "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6".split()
NAMES = (
    "the journal's writer",
    "the proof of the journal",
    "the tables' own time",
    "the taking up of tables",
    "the examination of positions",
    "the telling of states",
    "the keeping of the house",
    "the keeping awake",
    "the search for boards",
    "the way to the broker",
    "the delay gate",
    "the page",
    "the status",
)


def task(name: str) -> asyncio.Task[object] | None:
    found = (t for t in asyncio.all_tasks() if t.get_name() == name and not t.done())
    return next(found, None)


async def until(enough: Callable[[], object], within_s: float = 90.0) -> float:
    """How long it took."""
    begin = time.monotonic()
    async with asyncio.timeout(within_s):
        while not enough():  # noqa: ASYNC110  # What is waited for has no event of its own.
            await asyncio.sleep(0.02)
    return time.monotonic() - begin


async def test_the_list_is_whole(path: Path, running) -> None:
    """A duty that is added is ended here too."""
    async with running(path) as house:
        assert set(house.service._duties._standing) == set(NAMES)


CASES = [
    pytest.param(NAMES[::4], id="some"),
    pytest.param(NAMES, id="all", marks=pytest.mark.slow),
]


@pytest.mark.timeout(900)
@pytest.mark.parametrize("names", CASES)
async def test_each_is_ended(names: tuple[str, ...], path: Path, running) -> None:
    """Killed while a game is played: nothing of the game is lost."""
    async with running(path) as house:
        await house.ready("1")
        line = iter(LINE)
        for name in names:
            begin = time.monotonic()
            old = task(name)
            assert old is not None
            old.cancel()
            step = next(line, None)
            changes = () if step is None else ((step[0], "."), (step[1], step[2]))
            moving = asyncio.create_task(move(house, "1", *changes))
            await until(lambda name=name: name in house.service.ill())
            said_s = time.monotonic() - begin
            await until(lambda name=name, old=old: task(name) not in (None, old))
            back_s = time.monotonic() - begin
            await moving
            print(f"{name}: ended; said after {said_s:.1f} s, back after {back_s:.1f} s")
        played = len(LINE) - len(list(line))
        await until(lambda: len(house.broker.of("tables/1/moves")) >= played - 1)
        await until(lambda: not house.service.ill())
        assert house.service.stuck == ""
        read = house.service.journal.read
        told = [event["uci"] for event in house.broker.of("tables/1/moves")]
        assert told == MOVES[: len(told)]
        seqs = [row.seq for row in read.outputs("1") if row.seq is not None]
        assert seqs == list(range(1, len(seqs) + 1))
        assert verify(house.service.edges.store.connect_for_reading()).whole


@dataclass
class Works:
    """A duty that does what it is asked, until it is held up."""

    clock: WallClock
    asked: int = 0
    done: int = 0
    held: bool = False
    swallows: int = 0
    begun: int = 0
    wanted: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(self) -> None:
        self.begun += 1
        while True:
            try:
                await self.wanted.wait()
                if self.held:
                    await asyncio.get_running_loop().create_future()
            except asyncio.CancelledError:
                if self.swallows:
                    self.swallows -= 1
                    continue
                raise
            self.done = self.asked
            self.wanted.clear()

    def ask(self) -> None:
        self.asked += 1
        self.wanted.set()

    def duty(self, patience_s: float) -> Duty:
        return Duty(
            "the work", self.run, lambda: self.asked > self.done, lambda: self.done, patience_s
        )


async def test_one_that_stands_still_is_said_begun_again_and_in_the_end_beyond_help(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(duties, "LOOK_S", 0.05)
    monkeypatch.setattr(duties, "END_S", 0.1)
    monkeypatch.setattr(duties, "HOPELESS_S", 1.0)
    monkeypatch.setattr(duties, "WELL_S", 0.5)
    works, watch = Works(WallClock()), Duties(WallClock())
    keeping = asyncio.create_task(watch.keep([works.duty(0.3)]))
    works.ask()
    await until(lambda: works.done == 1)
    assert not list(watch.troubles())

    works.held = True
    works.ask()
    said_s = await until(lambda: "the work stands still" in " ".join(watch.troubles()))
    assert 0.2 < said_s < 30
    await until(lambda: works.begun >= 3)
    await until(lambda: watch.beyond_help == "the work")

    works.held = False
    await until(lambda: works.done == 2)
    await until(lambda: not list(watch.troubles()))
    assert watch.beyond_help == ""
    keeping.cancel()
    await asyncio.gather(keeping, return_exceptions=True)


async def test_a_stop_that_a_library_swallows_is_told_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(duties, "END_S", 0.1)
    works, watch = Works(WallClock(), swallows=2), Duties(WallClock())
    keeping = asyncio.create_task(watch.keep([works.duty(5.0)]))
    await until(lambda: works.begun)
    keeping.cancel()
    await asyncio.wait({keeping}, timeout=20)
    assert keeping.done()
    assert works.swallows == 0


HELD = {
    "the journal's writer": "workers",
    "the way to the broker": "broker",
}


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", HELD)
async def test_one_that_is_held_up_by_what_it_waits_for(name: str, path: Path, running) -> None:
    """Its thread, or its broker, does not answer; then it does again."""
    async with running(path) as house:
        await house.ready("1")
        free = hold_up(house, HELD[name])
        begin = time.monotonic()
        await move(house, "1", (52, "."), (36, "P"), (12, "."), (28, "p"))
        await until(lambda: name in house.service.ill(), 120)
        print(f"{name}: held up; said after {time.monotonic() - begin:.1f} s", end="")
        free()
        begin = time.monotonic()
        await until(lambda: house.broker.of("tables/1/moves"), 60)
        await until(lambda: not house.service.ill(), 60)
        print(f", well {time.monotonic() - begin:.1f} s after it was let go")
        assert house.broker.of("tables/1/moves")[0]["uci"] == "e2e4"
        assert verify(house.service.edges.store.connect_for_reading()).whole


def hold_up(house: House, what: str) -> Callable[[], None]:
    """Until what is given is called."""
    service: Service = house.service
    if what == "workers":
        held = threading.Event()
        lanes = service.journal._workers
        holding = asyncio.ensure_future(lanes.run("journal", held.wait))
        holding.add_done_callback(lambda _: None)
        return held.set
    publish = house.broker.publish

    def silent(*said: object, **more: object) -> asyncio.Future[None]:
        return asyncio.get_running_loop().create_future()

    house.broker.publish = silent  # type: ignore[method-assign,assignment]

    def free() -> None:
        house.broker.publish = publish  # type: ignore[method-assign]

    return free
