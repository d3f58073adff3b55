"""Boards over Bluetooth LE: the real bleak, over a real D-Bus, to an emulated board behind the
objects of BlueZ. What no test here can show is the radio itself."""

from __future__ import annotations

import asyncio
import shutil
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from arbiterd.edges.real import WallClock
from arbiterd.hall.links.devices import Devices
from eboards.events import Placement, Scan
from eboards.family import Family
from eboards.registry import FAMILIES, family
from eboards.transport import DeviceTrouble, Wire, WireError
from eboards.transport.ble import heard, open_ble
from eboards.transport.conversation import converse

pytest.importorskip("bleak", reason="the extra ble is not installed")
pytest.importorskip("dbus_fast", reason="bleak needs no D-Bus on this system")
if shutil.which("dbus-daemon") is None:
    pytest.skip("there is no dbus-daemon here", allow_module_level=True)

ADDRESS = "C0:FF:EE:00:00:01"
START = tuple("rnbqkbnrpppppppp" + "." * 32 + "PPPPPPPPRNBQKBNR")
PLAYED = tuple("rnbqkbnrpppppppp" + "." * 20 + "P" + "." * 11 + "PPPP.PPPRNBQKBNR")
E2, E4 = 52, 36
AIRBORNE = [each for each in FAMILIES if each.radio is not None]
CALLED = {
    "chesslink": "MILLENNIUM CHESS 0042",
    "chessnut": "Chessnut Air",
    "ichessone": "iChessOne",
}


def now_ns() -> int:
    return time.monotonic_ns()


@asynccontextmanager
async def in_reach(of: Family, folder: Path, name: str = "") -> AsyncIterator[Any]:
    from .bluez import Air, system_bus

    assert of.radio is not None
    air = Air(of.emulator(), now_ns)
    async with system_bus(folder) as machine:
        air.publish(machine, ADDRESS, name or CALLED[of.name], of.radio.write, of.radio.notify)
        air.stir()
        try:
            yield air
        finally:
            air.stop()


async def wire_turns() -> None:
    await asyncio.sleep(0.02)


async def drained(wire: Wire) -> None:
    while True:
        await wire.read()


def test_what_goes_over_the_air_is_named() -> None:
    assert {each.name for each in AIRBORNE} == set(CALLED)


@pytest.mark.parametrize("of", AIRBORNE, ids=lambda of: of.name)
async def test_a_first_move_comes_over_the_air(of: Family, tmp_path: Path) -> None:
    """In notifications of twenty bytes."""
    async with in_reach(of, tmp_path) as air:
        wire, found = await open_ble(ADDRESS, FAMILIES, now_ns)
        assert found is of
        told: list[Placement] = []
        async with asyncio.timeout(20):
            async for _, events in converse(wire, of.codec(), now_ns):
                told += [event.placement for event in events if isinstance(event, Scan)]
                if told and told[-1] == START:
                    air.emulator.set_square(E2, ".", now_ns())
                    air.emulator.set_square(E4, "P", now_ns())
                if told and told[-1] == PLAYED:
                    break
        wire.close()
        await asyncio.sleep(0.2)

        assert not air.device.connected, "the board was let go"


@pytest.mark.parametrize("of", AIRBORNE, ids=lambda of: of.name)
async def test_writes_leave_in_order_no_closer_than_the_board_can_take(
    of: Family, tmp_path: Path
) -> None:
    assert of.radio is not None
    said = [b"one", b"two", b"three"]
    async with in_reach(of, tmp_path) as air:
        wire, _ = await open_ble(ADDRESS, FAMILIES, now_ns)
        for data in said:
            wire.write(data)
        async with asyncio.timeout(10):
            while len(air.writes) < len(said):
                await wire_turns()
        wire.close()

    assert [data for _, data in air.writes] == said
    for (early_ns, _), (late_ns, _) in pairwise(air.writes):
        assert (late_ns - early_ns) / 1e6 > 0.9 * of.radio.gap_ms


async def test_a_board_that_goes_out_of_reach_is_gone(tmp_path: Path) -> None:
    of = family("chessnut")
    async with in_reach(of, tmp_path) as air:
        wire, _ = await open_ble(ADDRESS, FAMILIES, now_ns)
        air.device.be(connected=False)
        with pytest.raises(WireError, match="is out of reach, or was switched off"):
            await asyncio.wait_for(drained(wire), 5)
        with pytest.raises(WireError) as error:
            wire.write(b"x")
        assert error.value.trouble is DeviceTrouble.GONE
        wire.close()


async def test_a_board_that_cannot_be_listened_to_is_let_go(tmp_path: Path) -> None:
    from .bluez import Air, system_bus

    of = family("chessnut")
    assert of.radio is not None
    air = Air(of.emulator(), now_ns)
    async with system_bus(tmp_path) as machine:
        other = ("0000ffff-0000-1000-8000-00805f9b34fb",)
        air.publish(machine, ADDRESS, CALLED[of.name], of.radio.write, other)
        with pytest.raises(WireError, match="Bluetooth fails"):
            await open_ble(ADDRESS, FAMILIES, now_ns)
        async with asyncio.timeout(5):
            while air.device.connected:
                await wire_turns()


async def test_boards_within_reach_are_listed_with_their_drivers(tmp_path: Path) -> None:
    async with in_reach(family("ichessone"), tmp_path):
        (found,) = await heard(FAMILIES, 0.5)

    assert (found.address, found.name, found.family.name) == (ADDRESS, "iChessOne", "ichessone")


async def test_a_table_of_the_hall_names_its_board_by_its_address(tmp_path: Path) -> None:
    async with in_reach(family("chesslink"), tmp_path):
        wire, codec = await Devices(WallClock()).open(f"ble:{ADDRESS}", "")
        wire.close()

        assert (wire.port, codec.driver) == (f"ble:{ADDRESS}", "chesslink")
        with pytest.raises(WireError, match="no driver knows that over the air"):
            await Devices(WallClock()).open(f"ble:{ADDRESS}", "chessnut")


async def test_a_device_of_another_kind_is_left_alone(tmp_path: Path) -> None:
    async with in_reach(family("chessnut"), tmp_path, name="Heart rate") as air:
        assert await heard(FAMILIES, 0.5) == ()
        with pytest.raises(WireError, match="calls itself 'Heart rate'; no driver knows that"):
            await open_ble(ADDRESS, FAMILIES, now_ns)
        assert not air.writes


async def test_without_bluetooth_a_sentence_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", f"unix:path={tmp_path}/nowhere")
    with pytest.raises(WireError, match="is the adapter on, and bluetoothd running"):
        await open_ble(ADDRESS, FAMILIES, now_ns)


async def test_without_bleak_a_sentence_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bleak", None)
    with pytest.raises(WireError, match=r"install arbiterd with its extra, arbiterd\[ble\]"):
        await open_ble(ADDRESS, FAMILIES, now_ns)
