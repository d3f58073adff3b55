"""Real descriptors: pseudo-terminals, sockets, and what a pulled plug looks like."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from eboards.dgt.codec import DgtCodec
from eboards.dgt.emulator import DgtEmulator
from eboards.events import DeviceEvent, Fault, Scan, SquareChange
from eboards.transport import DeviceTrouble, Wire, WireError
from eboards.transport.conversation import converse
from eboards.transport.descriptor import DescriptorWire
from eboards.transport.hidraw import open_hidraw
from eboards.transport.holders import holders
from eboards.transport.paced import BYTE_9600_NS, PacedLine
from eboards.transport.pty import PtyServer
from eboards.transport.serial import open_serial
from eboards.transport.tcp import open_tcp
from eboards.transport.usbhid import open_usb

SPEED = 20.0


def now_ns() -> int:
    """Twenty seconds in one."""
    return int(asyncio.get_running_loop().time() * 1e9 * SPEED)


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[PtyServer]:
    server = PtyServer(DgtEmulator(at_ns=now_ns()), now_ns, speed=SPEED, link=tmp_path / "board")
    yield server
    server.close()


async def until_scan(port: str, emulator: DgtEmulator, server: PtyServer) -> list[DeviceEvent]:
    """Open, wait for the first whole board, play e4, and listen until the pawn is down."""
    wire = open_serial(port, now_ns)
    told: list[DeviceEvent] = []
    try:
        async for _, events in converse(wire, DgtCodec(), now_ns, speed=SPEED):
            told += events
            if any(isinstance(event, Scan) for event in events):
                emulator.lift(52, now_ns())
                emulator.place(36, "P", now_ns())
                server.stir()
            if len([e for e in told if isinstance(e, SquareChange)]) == 2:
                return told
    finally:
        wire.close()
    raise AssertionError


async def test_a_board_behind_a_pseudo_terminal_is_read_by_a_real_port(server: PtyServer) -> None:
    assert isinstance(server.emulator, DgtEmulator)
    for _ in range(2):
        async with asyncio.timeout(60):
            told = await until_scan(server.port, server.emulator, server)

        assert any(isinstance(event, Scan) for event in told)
        assert not any(isinstance(event, Fault) for event in told)
        server.emulator.place(52, "P", now_ns())
        server.emulator.lift(36, now_ns())
        server.stir()


async def test_a_port_in_use_names_who_uses_it(server: PtyServer) -> None:
    program = (
        "import serial, sys; port = serial.Serial(sys.argv[1], exclusive=True);"
        "print('open', flush=True); sys.stdin.read()"
    )
    pipe = asyncio.subprocess.PIPE
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, server.path, stdin=pipe, stdout=pipe
    )
    try:
        assert child.stdout is not None
        await child.stdout.readline()
        with pytest.raises(WireError, match=rf"in use by pid {child.pid} \(python") as refused:
            open_serial(server.path, now_ns)
        assert refused.value.trouble is DeviceTrouble.BUSY
        assert child.pid in [holder.pid for holder in holders(server.path)]
    finally:
        await child.communicate(b"")


async def test_a_port_that_is_not_there_is_missing() -> None:
    with pytest.raises(WireError, match="plug the board in") as refused:
        open_serial("/dev/ttyACM987", now_ns)

    assert refused.value.trouble is DeviceTrouble.MISSING


@pytest.mark.parametrize("make", [Path.touch, Path.mkdir], ids=["file", "folder"])
async def test_a_file_or_a_folder_is_no_port(make: Callable[[Path], None], tmp_path: Path) -> None:
    make(tmp_path / "it")

    with pytest.raises(WireError, match="is no serial port; name the board's own") as refused:
        open_serial(str(tmp_path / "it"), now_ns)

    assert refused.value.trouble is DeviceTrouble.WRONG


@pytest.fixture
def forbidden() -> Iterator[str]:
    """A port that only its owner may open, and we are not its owner, not even as root."""
    handle, port = tempfile.mkstemp()
    os.close(handle)
    us = os.geteuid()
    Path(port).chmod(0o600 if us == 0 else 0o000)
    if us == 0:
        os.seteuid(65534)
    yield port
    os.seteuid(us)
    Path(port).unlink()


async def test_a_port_of_another_user_is_forbidden_with_a_mend(forbidden: str) -> None:
    with pytest.raises(WireError, match="may not be opened; add the user to the group") as refused:
        open_serial(forbidden, now_ns)

    assert refused.value.trouble is DeviceTrouble.FORBIDDEN


async def test_a_raw_hid_node_is_opened_by_one_program(server: PtyServer, tmp_path: Path) -> None:
    """A terminal behind the name of such a node: emulated boards are reached so."""
    node = tmp_path / "hidraw0"
    node.symlink_to(server.path)
    wire = open_hidraw(str(node), now_ns)
    os.write(server._master, b"\x01" * 64)

    async with asyncio.timeout(60):
        assert (await wire.read()).data == b"\x01" * 64
    with pytest.raises(WireError, match="in use") as refused:
        open_hidraw(str(node), now_ns)
    assert refused.value.trouble is DeviceTrouble.BUSY
    wire.close()
    with pytest.raises(WireError, match="plug the board in"):
        open_hidraw(str(tmp_path / "hidraw1"), now_ns)


async def test_a_pulled_plug_gives_what_was_read_and_then_says_so(server: PtyServer) -> None:
    wire = open_serial(server.path, now_ns)
    os.write(server._master, b"\x8e\x00")
    async with asyncio.timeout(60):
        assert (await wire.read()).data == b"\x8e\x00"
        server.close()
        with pytest.raises(WireError, match="was unplugged") as gone:
            await wire.read()
    assert gone.value.trouble is DeviceTrouble.GONE
    with pytest.raises(WireError):
        wire.write(b"\x42")
    wire.close()


async def test_a_device_that_takes_nothing_never_blocks_the_writer(server: PtyServer) -> None:
    """The emulator's end is not read; what the line does not hold waits, up to a bound."""
    wire = open_serial(server.path, now_ns)
    asyncio.get_running_loop().remove_reader(server._master)
    wire.write(b"\x45" * 60_000)
    with pytest.raises(WireError, match="takes no more bytes"):
        await fill(wire)
    wire.close()


async def fill(wire: Wire) -> None:
    """Write without end; only an error stops it."""
    while True:
        wire.write(b"\x45" * 4096)


async def test_written_bytes_that_had_to_wait_arrive_in_order(server: PtyServer) -> None:
    wire = open_serial(server.path, now_ns)
    asyncio.get_running_loop().remove_reader(server._master)
    sent = bytes(number % 251 for number in range(30_000))
    wire.write(sent)
    wire.write(b"end")
    far_end = DescriptorWire(server._master, "far end", now_ns, lambda: None)
    got = bytearray()
    async with asyncio.timeout(60):
        while not got.endswith(b"end"):
            got += (await far_end.read()).data

    assert bytes(got) == sent + b"end"
    far_end.close()
    wire.close()


async def test_a_device_behind_a_tcp_port() -> None:
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(await reader.readexactly(3))
        writer.close()

    host = await asyncio.start_server(echo, "127.0.0.1", 0)
    port = host.sockets[0].getsockname()[1]
    wire = await open_tcp("127.0.0.1", port, now_ns)
    wire.write(b"abc")

    async with asyncio.timeout(60):
        assert (await wire.read()).data == b"abc"
        with pytest.raises(WireError, match="unplugged"):
            await wire.read()
    host.close()
    with pytest.raises(WireError, match="refuses") as refused:
        await open_tcp("127.0.0.1", port, now_ns)
    assert refused.value.trouble is DeviceTrouble.MISSING


async def test_a_name_with_several_addresses_is_called_at_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As `localhost` where the board's server listens on 127.0.0.1 alone."""

    async def greet(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"abc")
        writer.close()

    host = await asyncio.start_server(greet, "127.0.0.1", 0)
    port = host.sockets[0].getsockname()[1]

    async def both(*_asked: object, **_how: object) -> list[object]:
        stream = (socket.SOCK_STREAM, 0, "")
        return [
            (socket.AF_INET6, *stream, ("::1", port, 0, 0)),
            (socket.AF_INET, *stream, ("127.0.0.1", port)),
        ]

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", both)
    wire = await open_tcp("localhost", port, now_ns)
    assert (await asyncio.wait_for(wire.read(), 60)).data == b"abc"
    wire.close()
    host.close()


def test_a_paced_line_carries_a_dump_in_seventy_milliseconds() -> None:
    line = PacedLine(DgtEmulator())
    line.receive(b"\x42", 0)
    got, at_ns = b"", 0
    while len(got) < 67:
        assert line.due_at_ns is not None
        at_ns = line.due_at_ns
        got += line.advance(at_ns)

    assert at_ns == 68 * BYTE_9600_NS, "the command's byte, and the 67 of the answer"
    assert got.startswith(b"\x86\x00\x43\x08")
    assert line.due_at_ns is None


async def test_a_usb_board_that_is_not_there_is_named() -> None:
    with pytest.raises(WireError, match=r"usb:2d80:8003:77 is not there|no libusb") as error:
        open_usb(0x2D80, 0x8003, "77", lambda: 0)
    assert error.value.trouble in (DeviceTrouble.MISSING, DeviceTrouble.WRONG)


LEADER = """
import asyncio, sys
from eboards.transport import WireError
from eboards.transport.hidraw import open_hidraw
from eboards.transport.serial import open_serial

async def listen(opened, path):
    wire = opened(path, lambda: 0)
    print("open", flush=True)
    try:
        while True:
            await wire.read()
    except WireError as gone:
        print(gone, flush=True)

asyncio.run(listen(globals()[sys.argv[1]], sys.argv[2]))
"""


@pytest.mark.parametrize("opened", ["open_serial", "open_hidraw"])
async def test_a_board_pulled_out_does_not_end_a_service_without_a_terminal(
    opened: str, server: PtyServer
) -> None:
    """A device must not become its terminal: the kernel would hang up with the board."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", LEADER, opened, server.path),
        stdout=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdout is not None
    assert await process.stdout.readline() == b"open\n"
    server.close()
    told = await process.stdout.read()
    assert await process.wait() == 0
    assert b"unplugged" in told
