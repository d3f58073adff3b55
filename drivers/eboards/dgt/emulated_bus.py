"""What an emulated DGT board answers in bus mode.

    to it      1ccccccc, address (two 7 bit halves), sum of these three
    from it    1iiiiiii, length (two 7 bit halves), address, data, sum of all before it

A board keeps what changed until it is asked, tells it once, and keeps the last packet for a
second asking.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from eboards.dgt.emulated_memory import EmulatedMemory

if TYPE_CHECKING:
    from random import Random

    from eboards.dgt.emulated_model import Model

TURN_AROUND_NS: Final = 2_000_000
START_NS: Final = 70_000_000
PING_SPREAD_NS: Final = 1_100_000_000
RESET_NS: Final = 3_000_000_000
LAST_UNNAMED: Final = (1, 2)
"""The last version whose answer to what it is holds none."""


@dataclass(slots=True)
class BusSide:
    """One board's part of the line."""

    address: int
    version: tuple[int, int]
    memory: EmulatedMemory
    dice: Random | None = None
    """For the moment at which it answers a ping of all; None: at once."""
    two_ids: bool = False
    """A newer board, which numbers its packets of changes 85 and 8B in turn."""
    deaf_until_ns: int = 0
    _told: int = 0
    _packet: bytes = b""
    _packet_id: int = 0x85
    _skips_ping: bool = False

    def __post_init__(self) -> None:
        self._told = self.memory.end

    def answers(self, command: bytes, model: Model, at_ns: int) -> list[tuple[int, bytes]] | None:
        """What comes back and after how long. None: END_BUSMODE, the board leaves the bus."""
        number, address = command[0], command[1] << 7 | command[2]
        if at_ns < self.deaf_until_ns or address not in (0, self.address):
            return []
        if number == 0x88:
            return None
        if number == 0x89:
            self.deaf_until_ns = at_ns + RESET_NS
            self.memory.power_up(model.image)
            return []
        if address == 0:
            return self._to_all(number)
        return [
            (START_NS if number == 0x85 else TURN_AROUND_NS, self._reply(message_id, data))
            for message_id, data in self._to_me(number, model)
        ]

    def _to_all(self, number: int) -> list[tuple[int, bytes]]:
        if number == 0x8B:
            return [(TURN_AROUND_NS, self._reply(*self._version()))]
        if number != 0x87:
            return []
        if self._skips_ping:
            self._skips_ping = False
            return []
        delay_ns = TURN_AROUND_NS
        if self.dice is not None:
            delay_ns += self.dice.randrange(PING_SPREAD_NS - 2 * TURN_AROUND_NS)
        return [(delay_ns, self._reply(0x87))]

    def _to_me(self, number: int, model: Model) -> list[tuple[int, bytes]]:
        memory = self.memory
        if number == 0x81:
            return [(0x84, model.clock)]
        if number == 0x82:
            return [(0x83, model.image)]
        if number == 0x83:
            return [self._changes()]
        if number == 0x84:
            return [(self._packet_id, self._packet)]
        if number == 0x85:
            memory.mark_start(model.image)
            return [(0x88, b"")]
        if number == 0x86:
            return [(0x86, memory.between(memory.game_from, self._told))]
        if number in (0x87, 0x8A):
            self._skips_ping = self._skips_ping or number == 0x8A
            return [(0x87, b"")]
        if number == 0x8B:
            return [self._version()]
        if number == 0x8D:
            return [self._changes(), (0x84, model.clock), (0x83, model.image)]
        return []

    def _version(self) -> tuple[int, bytes]:
        """The oldest boards answer, and do not say which they are."""
        return 0x89, b"" if self.version <= LAST_UNNAMED else bytes(self.version)

    def _changes(self) -> tuple[int, bytes]:
        """All tags since this was asked last; from now on they are told."""
        self._packet = self.memory.between(self._told, self.memory.end)
        self._told = self.memory.end
        self.memory.seal()
        if self.two_ids:
            self._packet_id = 0x8B if self._packet_id == 0x85 else 0x85
        return self._packet_id, self._packet

    def _reply(self, message_id: int, data: bytes = b"") -> bytes:
        length = len(data) + 6
        place = bytes((self.address >> 7, self.address & 0x7F))
        frame = bytes((message_id, length >> 7, length & 0x7F)) + place + data
        return frame + bytes((sum(frame) & 0x7F,))
