"""An arbiter's login opens what is plugged in or configured: no file, no pipe, no other host."""

from __future__ import annotations

import asyncio
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from arbiterd.config.model import TableEntry
from arbiterd.edges.real import WallClock
from arbiterd.hall.links.assignment import Assignment
from arbiterd.hall.links.devices import Devices
from arbiterd.messages.commands import Command
from eboards.transport import WireError
from eboards.transport.hidraw import open_hidraw
from eboards.transport.recording import RecordingError, read_file


def order(device: str) -> Command:
    return Command(action="assign-device", by="ana", id=device, device=device)


@pytest.mark.parametrize(
    "device",
    [
        "replay:/etc/shadow",
        "replay:secret.txt",
        "serial:/etc/shadow",
        "serial:/dev/zero",
        "serial:/dev/watchdog",
        "tcp:127.0.0.1:22",
        "csa:tcp://127.0.0.1:22",
        "usi:tcp://127.0.0.1:22",
        "livechess:ws://127.0.0.1:1982#1",
        "dgt-bus:/dev/tty1#3",
        "ble:AA:BB:CC:DD:EE:FF",
        "usb:dead:beef",
    ],
)
async def test_what_is_neither_plugged_in_nor_configured_is_refused(
    path: Path, running, device: str
) -> None:
    async with running(path) as house:
        await house.ready()
        answer = json.loads(await house.service.journal.submit("1", order(device), ""))
        assert not answer["ok"]
        assert "named in the configuration" in answer["error"]
        assert house.broker.last("tables/1/device").get("port") == "serial:/dev/board1"


async def test_what_the_configuration_names_may_be_given_to_another_table(
    path: Path, running, config
) -> None:
    feed = TableEntry(table="2", device="tcp:127.0.0.1:9")
    named = replace(config, tables=(config.tables[0], feed))
    async with running(path, named) as house:
        await house.ready()
        answer = json.loads(await house.service.journal.submit("1", order(feed.device), ""))
        assert answer["ok"]


def test_a_journal_of_before_opens_no_file_at_the_next_start(
    caplog: pytest.LogCaptureFixture,
) -> None:
    tables = [TableEntry(table="1", device="serial:/dev/a"), TableEntry(table="2")]
    assignment = Assignment(tables, {})
    assignment.rebind_again("1", "replay:/etc/shadow")
    assignment.rebind_again("2", "serial:/dev/ttyACM3")

    assert {table: device for table, (device, _) in assignment.bound.items()} == {
        "1": "serial:/dev/a",
        "2": "serial:/dev/ttyACM3",
    }
    assert "not configured" in caplog.text


async def test_discovery_knows_a_port_by_all_its_names(tmp_path: Path) -> None:
    folder = tmp_path / "sys/bus/usb/devices/1-1"
    (folder / "1-1:1.0/tty/ttyACM0").mkdir(parents=True)
    for name, text in {"idVendor": "045b", "idProduct": "8111", "serial": "30001"}.items():
        (folder / name).write_text(text)
    (tmp_path / "dev/serial/by-id").mkdir(parents=True)
    (tmp_path / "dev/ttyACM0").write_text("")
    (tmp_path / "dev/serial/by-id/board").symlink_to("../../ttyACM0")
    devices = Devices(WallClock(), root=tmp_path)

    for name in ("ttyACM0", "serial/by-id/board"):
        assert await devices.present(f"serial:{tmp_path}/dev/{name}")
    assert await devices.present("usb:045b:8111:30001")
    for device in (f"serial:{tmp_path}/dev/ttyACM1", "usb:045b:8111:4", "tcp:h:1", "replay:x"):
        assert not await devices.present(device)


async def test_a_recording_is_a_file_and_never_keeps_the_loop_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    devices = Devices(WallClock())
    for name in (tmp_path / "pipe", tmp_path, Path("/dev/zero"), tmp_path / "missing"):
        async with asyncio.timeout(5):
            with pytest.raises(WireError):
                await devices.open(f"replay:{name}", "dgt")
    (tmp_path / "long").write_text("9" * 5_000 + " < 00\n")
    with pytest.raises(WireError):
        await devices.open(f"replay:{tmp_path / 'long'}", "dgt")
    huge = tmp_path / "huge"
    with huge.open("wb") as file:
        file.truncate(10**10)
    with pytest.raises(RecordingError, match="more than"):
        read_file(huge)


@pytest.mark.parametrize("path", ["/dev/zero", "/etc/hostname", "/dev"])
async def test_only_hid_nodes_are_opened_as_such(path: str) -> None:
    with pytest.raises(WireError):
        open_hidraw(path, WallClock().now_ns)
