"""Emulated DGT boards on one bus line, at the line's own pace.

All hear everything that is sent; who answers at the same time as another garbles both answers.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Generic, Protocol, TypeVar

from eboards.dgt.emulator import Badge
from eboards.emulator import Emulator

if TYPE_CHECKING:
    from random import Random

BYTE_NS: Final = 1_041_667
"""Ten bits at 9600 baud."""
SLICE: Final = 16


@dataclass(slots=True)
class LineFaults:
    """How bad the line is. Rates are from 0 to 1, by address."""

    damaged: Mapping[int, float] = field(default_factory=dict)
    """Answers in which one bit is wrong."""
    deaf: Mapping[int, float] = field(default_factory=dict)
    """Questions that this board does not hear."""


class BoardOnLine(Emulator, Protocol):
    """A board as the line knows it."""

    @property
    def badge(self) -> Badge: ...

    def power_cycle(self, at_ns: int) -> None:
        """The power was off for a moment."""
        ...


BoardT = TypeVar("BoardT", bound=BoardOnLine)


class DgtBusEmulator(Generic[BoardT]):
    """Several boards as one device. Their owner plays on `boards` and pulls their plugs here."""

    def __init__(
        self,
        boards: Sequence[BoardT],
        dice: Random | None = None,
        faults: LineFaults | None = None,
    ) -> None:
        assert dice is not None or faults is None, "faults are drawn"
        self.boards = {board.badge.address: board for board in boards}
        assert len(self.boards) == len(boards), "no two boards have the same address"
        self._dice = dice
        self._faults = faults or LineFaults()
        self._unplugged: set[int] = set()
        self._questions: list[tuple[int, bytes]] = []
        self._line: list[tuple[int, int, int]] = []
        """Bytes on their way: when the last bit has passed, the byte, whose it is."""
        self._heard_until_ns = 0

    @property
    def due_at_ns(self) -> int | None:
        """When there will be something to send or to hear. None: not before something happens."""
        times = [self._questions[0][0]] if self._questions else []
        # Handed over in slices, as a serial adapter does; nobody reads byte by byte.
        times += [self._line[min(len(self._line), SLICE) - 1][0]] if self._line else []
        times += [due for board in self.boards.values() if (due := board.due_at_ns) is not None]
        return min(times, default=None)

    def unplug(self, address: int, at_ns: int) -> None:
        """This board's cable is out: it hears and says nothing, and goes on watching its pieces."""
        self._run(at_ns)
        self._unplugged.add(address)

    def plug(self, address: int, at_ns: int, *, powered: bool = True) -> None:
        """Its cable is in again. Not powered: it had no power either, and begins anew."""
        self._run(at_ns)
        self._unplugged.discard(address)
        if not powered:
            self.boards[address].power_cycle(at_ns)

    def receive(self, data: bytes, at_ns: int) -> None:
        """Bytes from the computer; each takes its time on the line."""
        self._run(at_ns)
        begin_ns = max(at_ns, self._heard_until_ns)
        self._heard_until_ns = begin_ns + len(data) * BYTE_NS
        self._questions.append((self._heard_until_ns, data))

    def advance(self, at_ns: int) -> bytes:
        """Let time go by, and take what has passed the line until then."""
        self._run(at_ns)
        passed = [byte for end_ns, byte, _ in self._line if end_ns <= at_ns]
        del self._line[: len(passed)]
        return bytes(passed)

    def _run(self, at_ns: int) -> None:
        """Every board lives through every moment at which it hears or says something."""
        while self._questions and self._questions[0][0] <= at_ns:
            heard_ns, data = self._questions.pop(0)
            self._let_answer(heard_ns)
            for address, board in self.boards.items():
                if self._hears(address):
                    board.receive(data, heard_ns)
        self._let_answer(at_ns)

    def _hears(self, address: int) -> bool:
        return address not in self._unplugged and not self._happens(self._faults.deaf, address)

    def _happens(self, rates: Mapping[int, float], address: int) -> bool:
        rate = rates.get(address, 0.0)
        return rate > 0 and self._dice is not None and self._dice.random() < rate

    def _let_answer(self, at_ns: int) -> None:
        for address, board in self.boards.items():
            while (due_ns := board.due_at_ns) is not None and due_ns <= at_ns:
                said = board.advance(due_ns)
                if said and address not in self._unplugged:
                    self._put(address, self._damaged(address, said), due_ns)

    def _damaged(self, address: int, said: bytes) -> bytes:
        if self._dice is None or not self._happens(self._faults.damaged, address):
            return said
        hurt = bytearray(said)
        hurt[self._dice.randrange(len(hurt))] ^= 1 << self._dice.randrange(7)
        return bytes(hurt)

    def _put(self, address: int, said: bytes, at_ns: int) -> None:
        """On the line, byte by byte; where another board speaks at the time, both are spoilt."""
        own = [end_ns for end_ns, _, whose in self._line if whose == address]
        begin_ns = max([at_ns, *own])
        for number, byte in enumerate(said, 1):
            end_ns = begin_ns + number * BYTE_NS
            clash = next(
                (
                    place
                    for place, (other_ns, _, whose) in enumerate(self._line)
                    if whose != address and abs(other_ns - end_ns) < BYTE_NS
                ),
                None,
            )
            if clash is None:
                insort(self._line, (end_ns, byte, address))
            else:
                other_ns, other, whose = self._line[clash]
                self._line[clash] = (other_ns, byte & other, whose)
