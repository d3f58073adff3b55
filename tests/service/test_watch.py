"""Every long task is ended and held up in turn in a running service: it is said, and it comes back.

With figures: pytest -q -s -m slow tests/service/test_watch.py
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Coroutine, Generator, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from arbiterd.edges.real import WallClock
from arbiterd.journal.verify import verify
from arbiterd.rules.mating import MatingQuestion
from arbiterd.rules.ruleset import Colour
from arbiterd.service import duties
from arbiterd.service.duties import Duties, Duty

from .conftest import CONFIG, House
from .test_service import move

Running = Callable[..., AbstractAsyncContextManager[House]]
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
    "the watch over logins",
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


def newest(told: list[dict[str, Any]]) -> list[str]:
    """Each half-move as it was told last: one that was answered at once is likely, then certain."""
    return list({event["ply"]: event["uci"] for event in told}.values())


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
        await until(lambda: len(newest(house.broker.of("tables/1/moves"))) >= played - 1)
        await until(lambda: not house.service.ill())
        assert house.service.stuck == ""
        read = house.service.journal.read
        told = newest(house.broker.of("tables/1/moves"))
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


def in_a_hurry(monkeypatch: pytest.MonkeyPatch, **seconds: float) -> None:
    for name, value in {"LOOK_S": 0.05, "END_S": 0.1, **seconds}.items():
        monkeypatch.setattr(duties, name, value)


async def test_one_that_may_wait_for_long_is_begun_again_before_it_is_beyond_help(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    in_a_hurry(monkeypatch, HOPELESS_S=0.5)
    works, watch = Works(WallClock(), held=True), Duties(WallClock())
    keeping = asyncio.create_task(watch.keep([works.duty(1.0)]))
    works.ask()
    await until(lambda: "the work stands still" in " ".join(watch.troubles()))
    assert watch.beyond_help == ""
    await until(lambda: works.begun == 2)
    await until(lambda: watch.beyond_help == "the work")
    keeping.cancel()
    await asyncio.gather(keeping, return_exceptions=True)


async def test_one_that_stands_still_is_said_begun_again_and_in_the_end_beyond_help(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    in_a_hurry(monkeypatch, HOPELESS_S=1.0, WELL_S=0.5)
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


class Stepped:
    """A coroutine that does not go on, whatever it waits for comes, until `free` is set."""

    def __init__(self, work: Coroutine[Any, Any, None], free: asyncio.Event) -> None:
        self._work, self._free = work, free

    def __await__(self) -> Generator[Any, None, None]:
        steps = self._work.__await__()
        step: Callable[[], object] = partial(next, steps)
        while True:
            try:
                wanted = step()
            except StopIteration:
                return
            try:
                yield wanted
                if not self._free.is_set():
                    yield from self._free.wait().__await__()
                step = partial(next, steps)
            except BaseException as thrown:  # noqa: BLE001 - it is handed on
                step = partial(steps.throw, thrown)


@pytest.fixture
def frees(monkeypatch: pytest.MonkeyPatch) -> defaultdict[str, asyncio.Event]:
    """By its name, what each duty goes on for."""

    def free() -> asyncio.Event:
        event = asyncio.Event()
        event.set()
        return event

    events: defaultdict[str, asyncio.Event] = defaultdict(free)

    def begun(_duties: Duties, duty: Duty) -> asyncio.Task[None]:
        async def work() -> None:
            await Stepped(duty.work(), events[duty.name])

        return asyncio.create_task(work(), name=duty.name)

    monkeypatch.setattr(Duties, "_task", begun)
    return events


def thread(house: House, lane: str) -> Callable[[], None]:
    """One that works and works."""
    held = threading.Event()
    holding = asyncio.ensure_future(house.service.journal._workers.run(lane, held.wait))
    holding.add_done_callback(lambda _: None)
    return held.set


def unconfirmed(house: House) -> Callable[[], None]:
    """A broker that does not answer."""
    publish = house.broker.publish

    def silent(*said: object, **more: object) -> asyncio.Future[None]:
        return asyncio.get_running_loop().create_future()

    house.broker.publish = silent  # type: ignore[method-assign,assignment]

    def free() -> None:
        house.broker.publish = publish  # type: ignore[method-assign]

    return free


def standing_clock(house: House) -> Callable[[], None]:
    """The gate's next time never comes."""
    gate = house.service._duties._standing["the delay gate"].duty.work.__self__
    clock = gate._clock

    class Still:
        def __getattr__(self, name: str) -> object:
            return getattr(clock, name)

        async def until(self, _at_ns: int) -> None:
            await asyncio.get_running_loop().create_future()

    gate._clock = Still()

    def free() -> None:
        gate._clock = clock

    return free


BY_OTHERS: dict[str, Callable[[House], Callable[[], None]]] = {
    "the journal's writer": lambda house: thread(house, "journal"),
    "the examination of positions": lambda house: thread(house, "mating"),
    "the way to the broker": unconfirmed,
    "the delay gate": standing_clock,
}
"""Duties whose work others do, who are held up for them."""
UNTOLD = ("the journal's writer", "the telling of states", "the way to the broker", "the status")
"""While one of these stands still the broker cannot be told; the page and systemd are."""
QUESTION = MatingQuestion("8/8/8/8/8/8/8/K1k5 w - - 0 1", Colour.WHITE)


def something_to_do(house: House, name: str) -> None:
    """What comes seldom comes now."""
    if name == "the examination of positions":
        work = house.service._duties._standing[name].duty.work
        examination, answered = work.__self__, work.__self__.answered
        examination._next = lambda: QUESTION if examination.answered == answered else None
        house.service.desk.asked.set()
    if name == "the taking up of tables":
        desk = house.service.desk
        desk._stumbles["2"] = {1 << 40: "as told"}
        desk.seats["2"].failing = "table 2 has stopped"
        desk.stumbled.set()


@pytest.mark.slow
@pytest.mark.timeout(400)
@pytest.mark.parametrize("name", NAMES)
async def test_each_is_held_up(
    name: str,
    path: Path,
    running: Running,
    frees: Mapping[str, asyncio.Event],
) -> None:
    """It never gets on, a game is played meanwhile; then it goes on, and nothing is lost."""
    prompt = replace(CONFIG, broadcast=replace(CONFIG.broadcast, delay=1_000_000_000))
    async with running(path, prompt) as house:
        await house.ready("1")
        service = house.service
        await move(house, "1", (52, "."), (36, "P"), (12, "."), (28, "p"))
        frees[name].set()
        free = BY_OTHERS.get(name, lambda _: frees[name].set)(house)
        if name not in BY_OTHERS:
            frees[name].clear()
        begin = time.monotonic()
        something_to_do(house, name)
        await move(house, "1", (62, "."), (45, "N"), (1, "."), (18, "n"))
        await until(lambda: f"{name} stands still" in service.ill(), 200)
        said_s = time.monotonic() - begin
        told_s = 0.0
        if name not in UNTOLD:
            await until(lambda: name in str(house.broker.last("status").get("ill", "")))
            told_s = time.monotonic() - begin
        free()
        begin = time.monotonic()
        await until(lambda: len(newest(house.broker.of("tables/1/moves"))) >= 3)
        await until(lambda: not service.ill(), 120)
        print(
            f"{name}: held up; said after {said_s:.1f} s"
            + (f", on the broker after {told_s:.1f} s" if told_s else "")
            + f"; well {time.monotonic() - begin:.1f} s after it was let go"
        )
        told = newest(house.broker.of("tables/1/moves"))
        assert told == MOVES[: len(told)]
        seqs = [row.seq for row in service.journal.read.outputs("1") if row.seq is not None]
        assert seqs == list(range(1, len(seqs) + 1))
        assert verify(service.edges.store.connect_for_reading()).whole
