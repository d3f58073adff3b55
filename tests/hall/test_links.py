"""A link brings its device up, tells its loss once, and begins again."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from arbiterd.edges.real import WallClock
from arbiterd.hall.links.devices import Devices
from arbiterd.hall.links.link import Link
from eboards.codec import AskBoard, Codec
from eboards.dgt.codec import DgtCodec
from eboards.dgt.emulator import DgtEmulator
from eboards.discovery import usb
from eboards.events import (
    ClockGone,
    DeviceEvent,
    Identity,
    LinkDown,
    LinkUp,
    Scan,
    SquareChange,
)
from eboards.transport import Chunk, DeviceTrouble, Wire, WireError
from eboards.transport.pty import PtyServer


class Told:
    """What a table is told."""

    def __init__(self) -> None:
        self.events: list[DeviceEvent] = []
        self.raw = b""
        self.news = asyncio.Event()

    def __call__(self, events: Sequence[DeviceEvent], raw: bytes) -> None:
        self.events += events
        self.raw += raw
        self.news.set()

    def kinds(self) -> list[str]:
        return [type(event).__name__ for event in self.events]

    async def until(self, kind: type, times: int = 1) -> None:
        try:
            async with asyncio.timeout(60):
                while sum(isinstance(event, kind) for event in self.events) < times:
                    self.news.clear()
                    await self.news.wait()
        except TimeoutError:
            raise AssertionError(f"told only {self.events}") from None


@asynccontextmanager
async def linked(
    device: str, links=None, floor_ns: int = 0, clock: WallClock | None = None
) -> AsyncIterator[tuple[Link, Told]]:
    clock, told = clock or WallClock(), Told()
    link = Link(device, "dgt", links or Devices(clock), clock, lambda: floor_ns, told)
    running = asyncio.create_task(link.run())
    try:
        yield link, told
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def test_a_board_comes_up_and_says_everything() -> None:
    board = PtyServer(DgtEmulator(), WallClock().now_ns)
    async with linked(f"serial:{board.port}") as (link, told):
        await told.until(Identity)
        await told.until(ClockGone)
        await WallClock().rest(0.5)  # The last thing it is asked is to report by itself.
        emulator = board.emulator
        assert isinstance(emulator, DgtEmulator)
        emulator.set_square(52, ".", WallClock().now_ns())
        board.stir()
        await told.until(SquareChange)

        assert told.kinds()[0] == "LinkUp"
        assert told.kinds().count("LinkUp") == 1
        assert link.trouble is None
    board.close()


async def test_the_bytes_told_decode_to_the_events_told() -> None:
    board = PtyServer(DgtEmulator(), WallClock().now_ns)
    async with linked(f"serial:{board.port}") as (_, told):
        await told.until(Identity)
        await told.until(Scan)
    board.close()

    again = DgtCodec().receive(told.raw, 0)
    assert [type(event).__name__ for event in again] == [k for k in told.kinds() if k != "LinkUp"]


async def test_a_board_that_goes_is_told_once_and_comes_back(tmp_path) -> None:
    port = tmp_path / "board"
    clock = WallClock()
    board = PtyServer(DgtEmulator(), clock.now_ns, link=port)
    async with linked(f"serial:{port}") as (link, told):
        await told.until(Scan)
        board.close()
        await told.until(LinkDown)
        assert link.trouble is not None

        board = PtyServer(DgtEmulator(), clock.now_ns, link=port)
        await told.until(LinkUp, times=2)
        assert link.trouble is None
        downs = [event for event in told.events if isinstance(event, LinkDown)]
        assert len(downs) == len({down.reason for down in downs}), "each reason once"
    board.close()


class Absent:
    """Nothing is ever there; says what is wrong in turn."""

    def __init__(self, *sentences: str) -> None:
        self._sentences = list(sentences)
        self.tries = 0

    async def open(self, device: str, driver: str) -> tuple[Wire, Codec]:
        self.tries += 1
        sentence = self._sentences.pop(0) if len(self._sentences) > 1 else self._sentences[0]
        raise WireError(DeviceTrouble.MISSING, sentence)


async def test_the_same_trouble_is_told_once_and_another_one_too() -> None:
    links = Absent("busy", "busy", "busy", "gone", "gone")
    async with linked("serial:/dev/none", links) as (_, told):
        await told.until(LinkDown, times=2)
        async with asyncio.timeout(60):
            while links.tries < 5:
                await WallClock().rest(0.05)

        assert [event.reason for event in told.events if isinstance(event, LinkDown)] == [
            "busy",
            "gone",
        ]


class Deaf:
    """A board that talks all the time, and takes nothing."""

    port = "/dev/deaf"

    async def read(self) -> Chunk:
        await asyncio.sleep(0)
        return Chunk(WallClock().now_ns(), b"\x8e\x00\x05\x34\x00")

    def write(self, _data: bytes) -> None:
        raise WireError(DeviceTrouble.GONE, "it takes no more bytes")

    def close(self) -> None:
        pass


class Opened:
    async def open(self, _device: str, _driver: str) -> tuple[Wire, Codec]:
        return Deaf(), DgtCodec()


class Timed(WallClock):
    """Knows the timers that it set."""

    def __init__(self) -> None:
        super().__init__()
        self.timers: list[asyncio.TimerHandle] = []

    def wake_at(self, at_ns: int, wake: Callable[[], None]) -> asyncio.TimerHandle:
        self.timers.append(super().wake_at(at_ns, wake))
        return self.timers[-1]


async def test_no_timer_outlives_the_session_that_set_it() -> None:
    clock = Timed()
    async with linked("serial:/dev/deaf", Opened(), clock=clock) as (_, told):
        await told.until(LinkDown)

        assert clock.timers
        assert all(timer.cancelled() for timer in clock.timers), "as they are once they rang"


async def test_nothing_is_stamped_before_the_table_has_been_there() -> None:
    floor_ns = WallClock().now_ns() + 10**9
    board = PtyServer(DgtEmulator(), WallClock().now_ns)
    async with linked(f"serial:{board.port}", floor_ns=floor_ns) as (link, told):
        await told.until(Scan)
        link.send(AskBoard())
        assert all(event.at_ns >= floor_ns for event in told.events)
    board.close()


class Laptop(WallClock):
    """Its lid may be closed for a while."""

    slept_s = 0

    def asleep_ns(self) -> int:
        return super().asleep_ns() + self.slept_s * 10**9


async def test_after_a_sleep_the_board_begins_anew_and_people_hear_why() -> None:
    board = PtyServer(DgtEmulator(), WallClock().now_ns)
    laptop = Laptop()
    async with linked(f"serial:{board.port}", clock=laptop) as (_, told):
        await told.until(Scan)
        laptop.slept_s = 40
        await told.until(LinkUp, times=2)

        (down,) = [event for event in told.events if isinstance(event, LinkDown)]
        assert down.reason == f"serial:{board.port}: the computer slept for 40 s"
    board.close()


class Breaking(DgtEmulator):
    """A board whose cable breaks in the middle of a message."""

    broken = False

    def advance(self, at_ns: int) -> bytes:
        said = super().advance(at_ns)
        if self.broken:
            return b""
        self.broken = said[:1] == b"\x8e"
        return said[:3] if self.broken else said


async def test_a_bad_cable_is_guessed_from_half_a_message() -> None:
    fast = WallClock(10)
    emulator = Breaking(at_ns=fast.now_ns())
    board = PtyServer(emulator, fast.now_ns, speed=10)
    async with linked(f"serial:{board.port}", clock=fast) as (_, told):
        await told.until(ClockGone)
        while not emulator.broken:
            emulator.set_square(52, "." if emulator.board.piece(52) == "P" else "P", fast.now_ns())
            board.stir()
            await fast.rest(0.05)
        await told.until(LinkDown)

        (down,) = [event for event in told.events if isinstance(event, LinkDown)]
        assert down.reason == f"serial:{board.port}: half a message for 3 s: bad cable?"
    board.close()


async def test_a_port_that_another_program_has_is_named_as_busy() -> None:
    board = PtyServer(DgtEmulator(), WallClock().now_ns)
    async with linked(f"serial:{board.port}") as (_, first):
        await first.until(LinkUp)
        async with linked(f"serial:{board.port}") as (_, second):
            await second.until(LinkDown)
            (down,) = second.events
            assert isinstance(down, LinkDown)
            assert "in use" in down.reason
    board.close()


async def test_a_port_that_another_table_has_by_another_name_is_told_as_that_tables(
    tmp_path: Path,
) -> None:
    other_name = tmp_path / "usb-DGT-if00"
    board = PtyServer(DgtEmulator(), WallClock().now_ns)
    other_name.symlink_to(board.port)
    async with linked(f"serial:{board.port}") as (_, first):
        await first.until(LinkUp)
        async with linked(f"serial:{other_name}") as (_, second):
            await second.until(LinkDown)
            (down,) = second.events
            assert isinstance(down, LinkDown)
            assert down.reason == f"{other_name} is in use by another table; give each its own"
    board.close()


@pytest.mark.parametrize("turns", range(8))
async def test_a_link_stops_though_its_board_goes_at_that_very_moment(turns: int) -> None:
    """Stopped so many turns of the loop after the cable came out."""
    board = PtyServer(DgtEmulator(), WallClock().now_ns)
    clock, told = WallClock(), Told()
    link = Link(f"serial:{board.port}", "dgt", Devices(clock), clock, lambda: 0, told)
    running = asyncio.create_task(link.run())
    await told.until(Scan)
    board.close()
    for _ in range(turns):
        await asyncio.sleep(0)
    running.cancel()

    done, _ = await asyncio.wait((running,), timeout=2)
    running.cancel()
    assert done


@pytest.mark.parametrize("look", ["auto", "usb", "serial"])
async def test_a_device_that_is_slow_to_say_its_name_holds_up_nobody(
    look: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each on the bus is asked for its number, and one that hangs answers after a second: so long
    no board was heard."""

    def slow(**_: object) -> list[object]:
        threading.Event().wait(0.5)
        return []

    monkeypatch.setattr(usb.usb.core, "find", slow)
    monkeypatch.setattr(usb, "ROOT", tmp_path)
    loop, devices = asyncio.get_running_loop(), Devices(WallClock(), root=tmp_path)
    looks = {
        "auto": lambda: devices.plugged(()),
        "usb": lambda: devices.open("usb:04d8:000a:13116", "dgt"),
        "serial": lambda: devices.open(f"serial:{tmp_path}/ttyACM0", ""),
    }
    looking = asyncio.ensure_future(looks[look]())
    longest_s, then = 0.0, loop.time()
    while not looking.done():
        await WallClock().rest(0.01)
        longest_s, then = max(longest_s, loop.time() - then), loop.time()
    await asyncio.gather(looking, return_exceptions=True)
    assert longest_s < 0.4
