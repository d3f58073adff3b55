"""An emulated clock beside an emulated DGT board: times, lever, flags, buttons.

What the board passes on of it are seven bytes, `fH MM SS fH MM SS ss`: the right side first.
A second shows until it is over, so a clock that shows 0:00:00 has no time left. The board asks
the clock at intervals: what the player does is passed on at the next of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

SECOND_NS: Final = 1_000_000_000
LEFT: Final = "left"
RIGHT: Final = "right"

NO_CLOCK: Final = bytes((0, 0, 0, 0, 0, 0, 0x20))


class EmulatedClockKind(StrEnum):
    """Which clock it is; decides its version and the texts it takes."""

    XL = "DGT XL"
    DGT3000 = "DGT 3000"


class Quirk(StrEnum):
    """What real clocks and boards do that no document promises."""

    REPEATED_ACK = "the same acknowledgement for a second instead of the times"
    PREVIOUS_ACK = "first the acknowledgement of the command before"
    ZERO_MESSAGE = "a message of zeros behind a command"
    STALE_TIMES = "the old times twice more after they were set"
    ERROR_20 = "an error that names no command"
    TURN_BITS_SWAPPED = "the turn bits of an older generation"
    NO_VERSION = "no answer to what version it is"


VERSIONS: Final = {EmulatedClockKind.XL: 0x1E, EmulatedClockKind.DGT3000: 0x20}
"""1.14 and 2.0, a nibble each."""


@dataclass(slots=True)
class Half:
    """One player's side."""

    left_ns: int
    blocked: bool = False
    """The flag is down and this side counts no more."""
    flagged: bool = False
    """The flag is shown although the clock counts on."""
    periods_ns: tuple[int, ...] = ()
    """Further periods, each added when the one before has run out."""

    def spend(self, nanoseconds: int) -> None:
        """Time goes by on this side."""
        self.left_ns -= nanoseconds
        while self.left_ns <= 0 and self.periods_ns:
            self.left_ns += self.periods_ns[0]
            self.periods_ns = self.periods_ns[1:]
            self.flagged = True
        if self.left_ns <= 0:
            self.left_ns, self.blocked = 0, True

    def shown(self, *, bonus: bool) -> bytes:
        """Flags and hours, minutes, seconds. More than 9:59:59 cannot be said."""
        seconds = min(-(-self.left_ns // SECOND_NS), 35_999)
        flags = 0x10 * self.blocked | 0x20 * bonus | 0x40 * self.flagged
        return bytes(
            (flags | seconds // 3600, _bcd(seconds // 60 % 60), _bcd(seconds % 60)),
        )


@dataclass(slots=True)
class EmulatedClock:
    """A clock that its owner starts, stops and presses after `advance` up to that time."""

    left_ms: int = 300_000
    right_ms: int = 300_000
    increment_ms: int = 0
    periods_ms: tuple[int, ...] = ()
    kind: EmulatedClockKind = EmulatedClockKind.DGT3000
    pc_mode: bool = False
    """Only in this mode does the clock take times from a computer."""
    right_high: bool = False
    """The lever. The player on the low side pressed last, and the other's time runs."""
    running: bool = False
    connected: bool = True
    text: str = ""
    """What a computer made it show instead of the times."""
    battery_low: bool = False
    quirks: frozenset[Quirk] = frozenset()
    acks_to_lose: int = 0
    """So many acknowledgements get lost on their way, then none."""
    sides: dict[str, Half] = field(init=False)
    stirred: bool = False
    """Somebody did something to it since the board asked last."""
    _at_ns: int = 0
    _stale: list[bytes] = field(default_factory=list)

    def __post_init__(self) -> None:
        periods = tuple(period * 1_000_000 for period in self.periods_ms)
        self.sides = {
            LEFT: Half(self.left_ms * 1_000_000, periods_ns=periods),
            RIGHT: Half(self.right_ms * 1_000_000, periods_ns=periods),
        }

    @property
    def turn(self) -> str:
        """The side whose time the lever lets run."""
        return RIGHT if self.right_high else LEFT

    def advance(self, at_ns: int) -> None:
        """Let time go by."""
        if self.running and at_ns > self._at_ns:
            side = self.sides[self.turn]
            side.spend(at_ns - self._at_ns)
            self.running = not side.blocked
        self._at_ns = max(self._at_ns, at_ns)

    def start(self) -> None:
        """The start button."""
        self.stirred = True
        self.running = not self.sides[self.turn].blocked

    def stop(self) -> None:
        """The stop button."""
        self.stirred = True
        self.running = False

    def press(self, side: str) -> bool:
        """A player presses. False if that side was down already: nothing happens then."""
        if side != self.turn:
            return False
        if self.running:
            self.sides[side].left_ns += self.increment_ms * 1_000_000
        self.right_high = side == LEFT
        self.stirred = True
        return True

    def plug(self, *, connected: bool) -> None:
        """Its cable to the board, or its switch."""
        self.connected = connected
        self.stirred = True

    def set_times(self, left_ms: int, right_ms: int) -> None:
        """An arbiter sets both times; flags go up again."""
        self.stirred = True
        self.sides[LEFT] = Half(left_ms * 1_000_000)
        self.sides[RIGHT] = Half(right_ms * 1_000_000)

    def polled(self) -> bytes:
        """What the board hears when it asks."""
        self.stirred = bool(self._stale)
        return self._stale.pop() if self._stale else self.shown()

    def lag(self) -> None:
        """What is shown now will be heard twice more."""
        self._stale = [self.shown()] * 2

    def shown(self) -> bytes:
        """The seven bytes that the board passes on."""
        if not self.connected:
            return NO_CLOCK
        bonus = self.increment_ms > 0
        swapped = Quirk.TURN_BITS_SWAPPED in self.quirks
        turn = 0x10 if self.right_high is not swapped else 0x08
        status = turn | 0x01 * self.running | 0x02 * self.right_high | 0x04 * self.battery_low
        return (
            self.sides[RIGHT].shown(bonus=bonus)
            + self.sides[LEFT].shown(bonus=bonus)
            + bytes((status,))
        )


def _bcd(number: int) -> int:
    return number // 10 << 4 | number % 10
