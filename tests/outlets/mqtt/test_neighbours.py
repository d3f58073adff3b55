"""Other halls of an event: what they say is held to its shape, and their silence is told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgspec

from arbiterd.edges import Received
from arbiterd.outlets.mqtt.neighbours import SILENT_S, TABLES_MAX, Neighbours
from paper.hall import AT, AT_NS, ruling, state

SECOND = 1_000_000_000
ROOT = "arbiterd/north"


class Steps:
    """A clock that a test moves."""

    speed = 1.0
    now = AT_NS

    def now_ns(self) -> int:
        return self.now

    async def rest(self, _seconds: float) -> None:
        await asyncio.sleep(0)

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"nobody asks for {name}")


class Told:
    """A broker at which a test speaks."""

    def __init__(self) -> None:
        self.listened_to = asyncio.Event()
        self.queue: asyncio.Queue[Received] = asyncio.Queue()

    @asynccontextmanager
    async def visit(self, name: str = "", secret: str = "") -> AsyncIterator[Any]:
        yield self

    async def subscribe(self, *filters: str) -> None:
        assert all(name.startswith(f"{ROOT}/") for name in filters)
        self.listened_to.set()

    async def messages(self) -> AsyncIterator[Received]:
        while True:
            yield await self.queue.get()
            self.queue.task_done()

    async def say(self, topic: str, payload: bytes, *, retained: bool = False) -> None:
        self.queue.put_nowait(Received(topic, payload, retained))
        await self.queue.join()


def status(state: str = "online", hall: str = "north") -> bytes:
    said = {"v": 1, "hall": hall, "at": AT, "simulated": False, "state": state, "version": "1",
            "started": AT, "tables": 1}  # fmt: skip
    return msgspec.json.encode(said)


async def listening(told: Told, clock: Steps) -> tuple[Neighbours, asyncio.Task[None]]:
    halls = Neighbours({"north": "https://north.local"}, told, clock, lambda _: None)
    task = asyncio.create_task(halls.run())
    await told.listened_to.wait()
    return halls, task


def heard(halls: Neighbours) -> dict[str, Any]:
    said: dict[str, Any] = msgspec.json.decode(halls.retained()["north/heard"])
    return said


async def test_a_hall_that_says_nothing_for_longer_than_a_minute_is_old_and_since_when() -> None:
    told, clock = Told(), Steps()
    halls, task = await listening(told, clock)
    assert (heard(halls)["link"], heard(halls)["heard"]) == ("never", None)

    await told.say(f"{ROOT}/status", status(), retained=True)
    await told.say(f"{ROOT}/tables/1/state", msgspec.json.encode(state("1", hall="north")))
    assert heard(halls)["link"] == "live"

    clock.now += int((SILENT_S + 1) * SECOND)
    mark = halls.mark
    await asyncio.wait_for(halls.changed(mark), 5)
    assert heard(halls)["link"] == "silent"
    assert heard(halls)["heard"] == AT
    assert heard(halls)["silent_s"] == int(SILENT_S) + 1
    assert "north/tables/1/state" in halls.retained(), "what was known last is kept"

    await told.say(f"{ROOT}/status", status("offline"))
    assert heard(halls)["heard"] == AT, "that it is gone was said by the broker"
    await told.say(f"{ROOT}/status", status())
    assert heard(halls)["link"] == "live"
    task.cancel()


async def test_what_is_no_payload_of_its_place_is_not_shown() -> None:
    told, clock = Told(), Steps()
    halls, task = await listening(told, clock)
    good = msgspec.json.encode(state("1", hall="north"))
    wrong = {
        "tables/2/state": good,
        "tables/1/state": msgspec.json.encode(state("1", hall="main")),
        "tables/1/rulings/1-0009": msgspec.json.encode(
            ruling("1", 8, "illegal-first", 1, "Told.") | {"hall": "north"}
        ),
        "tables/1/device": b"[" * 50_000,
        "tables/3/state": good.replace(b",", b",\n"),
        "tables/4/state": b"{}" * 2_000_000,
        "tables/1/moves": good,
        "status": status(hall="main"),
    }
    for topic, payload in wrong.items():
        await told.say(f"{ROOT}/{topic}", payload)
    await told.say("arbiterd/south/status", status(hall="south"))
    assert list(halls.retained()) == ["north/heard"]

    for number in range(TABLES_MAX + 5):
        said = msgspec.json.encode(state(f"{number}", hall="north"))
        await told.say(f"{ROOT}/tables/{number}/state", said)
    assert len(halls.retained()) == TABLES_MAX + 1
    task.cancel()


async def test_a_ruling_that_is_closed_goes() -> None:
    told, clock = Told(), Steps()
    halls, task = await listening(told, clock)
    said = ruling("1", 8, "illegal-first", 1, "Told.") | {"hall": "north"}
    topic = f"tables/1/rulings/{said['id']}"
    await told.say(f"{ROOT}/{topic}", msgspec.json.encode(said))
    assert f"north/{topic}" in halls.retained()

    await told.say(f"{ROOT}/{topic}", b"")
    assert f"north/{topic}" not in halls.retained()
    task.cancel()
