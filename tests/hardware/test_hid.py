"""A HID board on a real kernel's USB stack: plugged, played on, unplugged in mid-game, and back.

The kernel enumerates the device, reads its report descriptor, binds hid-generic and makes a hidraw
node; every report of the emulated board and every write of the codec goes through all of that.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from eboards.chessnut.codec import ChessnutCodec
from eboards.chessnut.emulator import ChessnutEmulator
from eboards.events import DeviceEvent, Fault, Identity, Scan
from eboards.registry import families_of
from hardware.guest import Guest, build, missing

CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "arbiterd-guest"
START = "rnbqkbnrpppppppp" + "." * 32 + "PPPPPPPPRNBQKBNR"
E2, E4, E7, E5 = 52, 36, 12, 28

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.fixture
def guest(tmp_path: Path) -> Iterator[Guest]:
    if absent := missing():
        pytest.fail(
            f"install {', '.join(absent)} for a machine with a USB stack of its own", pytrace=False
        )
    with Guest(build(CACHE, tmp_path), tmp_path) as machine:
        yield machine


@dataclass
class Game:
    """Hands on the board outside, a program at the kernel's node."""

    guest: Guest
    board: ChessnutEmulator = field(default_factory=ChessnutEmulator)
    codec: ChessnutCodec = field(default_factory=ChessnutCodec)
    events: list[DeviceEvent] = field(default_factory=list)
    plugged: bool = False

    def plug(self) -> str:
        """Which node the kernel made, and the ids that it read."""
        self.plugged = True
        self.guest.order("plug")
        return self.guest.wait_for("found", 60)

    def unplug(self) -> None:
        self.guest.order("unplug")
        self.plugged = False
        self.guest.wait_for("gone", 60)

    def until(self, placement: str, seconds: float = 30) -> None:
        """Play goes on until the codec shows this board."""
        deadline = time.monotonic() + seconds
        while self.shown != placement:
            assert time.monotonic() < deadline, f"shows {self.shown}; told {self.events[-3:]}"
            now_ns = time.monotonic_ns()
            self.board.receive(self.guest.read("board"), now_ns)
            if said := self.board.advance(now_ns):
                self.guest.write("board", said)
            if (due_ns := self.codec.due_at_ns) is not None and due_ns <= now_ns:
                asked, events = self.codec.due(now_ns)
                self.events += events
                if asked:
                    self.guest.write("reader", asked)
            self.events += self.codec.receive(self.guest.read("reader"), now_ns)
            time.sleep(0.01)

    @property
    def shown(self) -> str:
        scans = [event for event in self.events if isinstance(event, Scan)]
        return "".join(scans[-1].placement) if scans else ""

    def put(self, square: int, piece: str) -> None:
        self.board.set_square(square, piece, time.monotonic_ns())


def test_a_board_is_plugged_in_played_on_unplugged_and_comes_back(guest: Guest) -> None:
    game = Game(guest)
    ids = game.plug().split()[2].split(":")
    game.until(START)
    game.put(E2, ".")
    game.until(START[:E2] + "." + START[E2 + 1 :])
    game.put(E4, "P")
    white = START[:E4] + "P" + START[E4 + 1 : E2] + "." + START[E2 + 1 :]
    game.until(white)
    game.unplug()
    game.put(E7, ".")
    game.put(E5, "p")
    game.codec = ChessnutCodec()
    game.plug()
    game.until(white[:E7] + "." + white[E7 + 1 : E5] + "p" + white[E5 + 1 :])

    vendor, product = (int(text, 16) for text in ids[1:])
    assert [of.name for of in families_of(vendor, product, "")] == ["chessnut"]
    assert any(isinstance(event, Identity) for event in game.events)
    assert not [event for event in game.events if isinstance(event, Fault)]


def test_the_same_through_libusb_which_takes_the_board_from_the_kernel_and_gives_it_back(
    guest: Guest,
) -> None:
    guest.order("pyusb")
    game = Game(guest)
    *_, raw_nodes = game.plug().split()
    assert raw_nodes == "0", "the kernel's driver has let go"
    game.until(START)
    game.put(E2, ".")
    game.put(E4, "P")
    white = START[:E4] + "P" + START[E4 + 1 : E2] + "." + START[E2 + 1 :]
    game.until(white)
    game.unplug()
    game.put(E7, ".")
    game.put(E5, "p")
    game.codec = ChessnutCodec()
    game.plug()
    game.until(white[:E7] + "." + white[E7 + 1 : E5] + "p" + white[E5 + 1 :])
    guest.order("release")

    assert guest.wait_for("released", 30) == "released 1", "and it has it back"
    assert any(isinstance(event, Identity) for event in game.events)
    assert not [event for event in game.events if isinstance(event, Fault)]
