"""One board of every family on pseudo-terminals, in a folder laid out as a machine they are
plugged into: `arbiterd devices --root FOLDER` finds them there as it would on the bus.

Boards that no USB id tells (their ports are named in the configuration) stand in `dev` alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arbiterd.edges import ServiceClock
from arbiterd.simulation.devices.wires import KINDS
from arbiterd.simulation.dice import dice
from arbiterd.simulation.famous import FAMOUS
from arbiterd.simulation.game import StagedGame
from arbiterd.simulation.hall import SimulatedSeat, hall
from arbiterd.simulation.hands.handplayed import HandPlayed
from arbiterd.simulation.profiles import SECOND, Profile
from eboards.emulator import Emulator
from eboards.transport.paced import PacedLine
from eboards.transport.pty import PtyServer


@dataclass(frozen=True, slots=True)
class Place:
    """Where a board of one kind is plugged in."""

    kind: str
    """Of `simulation/devices/wires.py`, or `dgt`."""
    node: str
    ids: str = ""
    """Vendor and product on USB; empty: no USB id tells this board."""
    name: str = ""

    @property
    def driver(self) -> str:
        return self.kind if self.kind == "dgt" else KINDS[self.kind].driver


PLACES: Final = (
    Place("dgt", "ttyACM0", "045b:8111", "DGT Chessboard"),
    Place("chesslink", "ttyUSB0", "0403:6001", "FT232R USB UART"),
    Place("certabo", "ttyUSB1", "10c4:ea60", "CP2102 USB to UART Bridge"),
    Place("sentio", "ttyUSB2", "10c4:ea60", "CP2102 USB to UART Bridge"),
    Place("chessnut", "hidraw0", "2d80:8003", "Chessnut Air"),
    Place("staunton", "hidraw1", "0925:8888", "Chess board"),
    Place("ichessone", "ttyS10"),
    Place("cpp", "ttyACM1", "1a86:55d3", "USB Single Serial"),
    Place("movetext", "ttyS11"),
)
SYSFS: Final = Path("sys/bus/usb/devices")
MINUTE_NS: Final = 60 * SECOND


class _Later:
    """A device whose time begins when it is plugged in."""

    def __init__(self, emulator: Emulator, by_ns: int) -> None:
        self._emulator, self._by_ns = emulator, by_ns

    @property
    def due_at_ns(self) -> int | None:
        due_ns = self._emulator.due_at_ns
        return None if due_ns is None else due_ns + self._by_ns

    def receive(self, data: bytes, at_ns: int) -> None:
        self._emulator.receive(data, at_ns - self._by_ns)

    def advance(self, at_ns: int) -> bytes:
        return self._emulator.advance(at_ns - self._by_ns)


def mixed_hall(
    profile: Profile, seed: int, speed: float, games: Sequence[StagedGame] = FAMOUS
) -> tuple[SimulatedSeat, ...]:
    """A table for each place. Play begins a minute later, when the service is there too."""
    return hall(len(PLACES), profile, seed, games=games, begin_ns=int(MINUTE_NS * speed))


def plug_in_mixed(
    seats: Sequence[SimulatedSeat], clock: ServiceClock, root: Path
) -> tuple[list[PtyServer], list[str]]:
    """Every board behind its node under `root`; how a configuration names each."""
    servers = []
    for number, (place, seat) in enumerate(zip(PLACES, seats, strict=True), start=1):
        if place.ids:
            _lay_out(root / SYSFS, f"1-{number}", place)
        board = _board(place, seat, clock.now_ns())
        link = root / "dev" / place.node
        servers.append(PtyServer(board, clock.now_ns, speed=clock.speed, link=link))
    return servers, [f"serial:{server.port}" for server in servers]


def _board(place: Place, seat: SimulatedSeat, now_ns: int) -> Emulator:
    if place.kind == "dgt":
        return _Later(PacedLine(seat.emulated(0)), now_ns)
    noise = dice(f"{place.kind}/{seat.serial}")
    device = KINDS[place.kind].device(seat.story.before, noise, seat.rate)
    return _Later(HandPlayed(device, seat.story), now_ns)


def _lay_out(sysfs: Path, port: str, place: Place) -> None:
    """What the kernel shows of a device that is plugged in."""
    folder = sysfs / port
    interface = folder / f"{port}:1.0"
    nodes = "0003:0001/hidraw" if place.node.startswith("hidraw") else "tty"
    (interface / nodes / place.node).mkdir(parents=True, exist_ok=True)
    vendor, _, product = place.ids.partition(":")
    for file, text in (("idVendor", vendor), ("idProduct", product), ("product", place.name)):
        (folder / file).write_text(f"{text}\n", encoding="utf-8")
