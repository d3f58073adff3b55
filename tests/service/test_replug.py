"""Two cables are pulled, one in the middle of a message, and come back crosswise in other sockets.

`pytest tests/service/test_replug.py -s` prints how long it took from each return to "ok".
"""

from __future__ import annotations

import asyncio
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from arbiterd.config import Config
from arbiterd.config.model import TableEntry
from arbiterd.edges import Edges
from arbiterd.edges.real import FileStore, Threads, WallClock
from arbiterd.hall.links.devices import Devices
from arbiterd.service import build
from eboards.dgt.emulated_clock import EmulatedClock
from eboards.dgt.emulator import Badge, DgtEmulator
from eboards.events import CHESS_BOARD
from eboards.transport.pty import PtyServer

from .conftest import MemoryBroker

FIRST, SECOND = "30001", "30002"


class Cut:
    """A board whose cable can break within a message: only so many bytes more come through."""

    def __init__(self, board: DgtEmulator) -> None:
        self.board = board
        self.left: int | None = None

    @property
    def due_at_ns(self) -> int | None:
        return self.board.due_at_ns

    def receive(self, data: bytes, at_ns: int) -> None:
        if self.left is None:
            self.board.receive(data, at_ns)

    def advance(self, at_ns: int) -> bytes:
        said = self.board.advance(at_ns)
        if self.left is None:
            return said
        through, self.left = said[: self.left], max(0, self.left - len(said))
        return through


class Socket:
    """A place on a hub of a machine laid out in folders, and the node it makes."""

    def __init__(self, root: Path, place: str, node: str) -> None:
        self.folder = root / "sys/bus/usb/devices" / place
        self._place, self.link = place, root / "dev" / node

    def plug(self, board: DgtEmulator, clock: WallClock) -> tuple[Cut, PtyServer]:
        (self.folder / f"{self._place}:1.0/tty" / self.link.name).mkdir(parents=True)
        texts = {"idVendor": "04d8", "idProduct": "000a", "serial": f"00{board.badge.serial}"}
        for name, text in texts.items():
            (self.folder / name).write_text(text + "\n")
        cable = Cut(board)
        return cable, PtyServer(cable, clock.now_ns, link=self.link)

    def pull(self, server: PtyServer) -> None:
        server.close()
        shutil.rmtree(self.folder)


async def moved(board: DgtEmulator, server: PtyServer | None, text: str, clock: WallClock) -> None:
    assert board.clock is not None
    piece = board.lift(CHESS_BOARD.square(text[:2]), clock.now_ns())
    for deed in (None, CHESS_BOARD.square(text[2:])):
        if deed is not None:
            board.place(deed, piece, clock.now_ns())
        if server is not None:
            server.stir()
        await clock.rest(0.4)
    if not board.clock.running:
        board.start(clock.now_ns())
    board.press("left" if piece.isupper() else "right", clock.now_ns())
    if server is not None:
        server.stir()
    await clock.rest(1.5)


@pytest.mark.timeout(180)
@pytest.mark.parametrize("device", ["auto", "usb"])
async def test_boards_that_come_back_in_other_sockets_go_to_their_tables(
    tmp_path: Path, config: Config, device: str
) -> None:
    clock, root = WallClock(), tmp_path / "machine"
    (root / "dev").mkdir(parents=True)
    boards = {
        serial: DgtEmulator(
            clock=EmulatedClock(600_000, 600_000),
            badge=Badge(serial=serial),
            at_ns=clock.now_ns(),
        )
        for serial in (FIRST, SECOND)
    }
    one, two = Socket(root, "1-1.1", "ttyACM0"), Socket(root, "1-1.2", "ttyACM1")
    three = Socket(root, "2-4", "ttyACM7")
    cable, first = one.plug(boards[FIRST], clock)
    _, second = two.plug(boards[SECOND], clock)
    names = {"auto": ("auto", "auto"), "usb": tuple(f"usb:04d8:000a:00{n}" for n in boards)}
    tables = tuple(
        TableEntry(table=str(number), device=name) for number, name in enumerate(names[device], 1)
    )
    workers, store, broker = Threads(), FileStore(tmp_path / "journal.db"), MemoryBroker()
    edges = Edges(clock, Devices(clock, root=root), store, broker, workers)
    work = asyncio.create_task(build(replace(config, tables=tables), edges).run())

    def shows(table: str, state: str, port: str = "") -> bool:
        told = broker.last(f"tables/{table}/device")
        return told.get("state") == state and str(told.get("port", "")).endswith(port)

    async def until(table: str, state: str, port: str = "") -> None:
        async with asyncio.timeout(60):
            while not shows(table, state, port):
                await clock.rest(0.02)

    async def record(plies: int) -> list[object]:
        async with asyncio.timeout(60):
            while broker.last("tables/1/moves").get("ply") != plies:
                await clock.rest(0.02)
        newest = {int(str(move["ply"])): move["uci"] for move in broker.of("tables/1/moves")}
        return [newest[ply] for ply in sorted(newest, key=int)]

    try:
        await until("1", "ok", "ttyACM0")
        await until("2", "ok", "ttyACM1")
        await clock.rest(2)
        for text in ("e2e4", "e7e5"):
            await moved(boards[FIRST], first, text, clock)
        assert await record(2) == ["e2e4", "e7e5"]

        cable.left = 3  # Of the five bytes that a piece lifted takes.
        await moved(boards[FIRST], first, "g1f3", clock)
        one.pull(first)
        two.pull(second)
        await until("1", "lost")
        await until("2", "lost")
        await moved(boards[FIRST], None, "b8c6", clock)

        # The second board comes first, into the socket of the first.
        for board, socket, table, port in (
            (boards[SECOND], one, "2", "ttyACM0"),
            (boards[FIRST], three, "1", "ttyACM7"),
        ):
            back_ns = clock.now_ns()
            _, server = socket.plug(board, clock)
            await until(table, "ok", port)
            seconds = (clock.now_ns() - back_ns) / 1e9
            print(f"{device}: table {table} is back at {port} {seconds:.2f} s after its return")
        assert broker.last("tables/1/device")["identity"] == FIRST
        assert broker.last("tables/2/device")["identity"] == SECOND
        await clock.rest(2)
        await moved(boards[FIRST], server, "f1b5", clock)
        assert await record(5) == ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"]
        how = {move["ply"]: move["how"] for move in broker.of("tables/1/moves")}
        assert [how[ply] for ply in (3, 4)] == ["recovered", "recovered"]
    finally:
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)
        workers.close()
        store.close()
