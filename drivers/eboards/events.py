"""What any board or clock can say, as frozen values.

Squares are numbers in reading order, as in a FEN board field: 0 is the upper left square seen
from the first player (a8; 9a in shogi), the last one the lower right. A board that lies the
other way round still counts as its maker does; turning it is the reader's business.

Piece codes are the letters of FEN (shogi with a leading `+`), and:

    .   nothing          ?   something, kind and colour unknown (all that occupancy can say)
    w b a piece of that colour, kind unknown        o   a loose counter (Guadalete)

Times are integer nanoseconds since the Unix epoch, taken once when the bytes were read; within
a link they never go back.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

Square: TypeAlias = int
Piece: TypeAlias = str
Placement: TypeAlias = tuple[Piece, ...]

EMPTY: Piece = "."
UNKNOWN: Piece = "?"
WHITE_PIECE: Piece = "w"
BLACK_PIECE: Piece = "b"
COUNTER: Piece = "o"


class SensingClass(StrEnum):
    """How much the sensors under a square can tell."""

    IDENTITY = "identity"
    IDENTITY_NOISY = "identity-noisy"
    """Identity, with misreads: RFID tags at the edge of their field."""
    KIND = "kind"
    """Colour and kind without the promoted face (shogi)."""
    COLOUR = "colour"
    OCCUPANCY = "occupancy"
    MOVES = "moves"
    """The device plays along and reports finished moves only; nothing can be ruled from it."""


@dataclass(frozen=True, slots=True)
class Geometry:
    """How many files and ranks, and what the squares are called."""

    files: int
    ranks: int
    names: tuple[str, ...]
    """In reading order."""

    def __post_init__(self) -> None:
        assert len(self.names) == self.files * self.ranks, "every square has a name"

    def __len__(self) -> int:
        return self.files * self.ranks

    def square(self, name: str) -> Square:
        """The number of a square. Raises ValueError for a name this board does not have."""
        return self.names.index(name)

    def turned(self, square: Square) -> Square:
        """The square that lies here once the board is turned by 180 degrees."""
        return len(self) - 1 - square


CHESS_BOARD = Geometry(8, 8, tuple(f"{f}{r}" for r in "87654321" for f in "abcdefgh"))
SHOGI_BOARD = Geometry(9, 9, tuple(f"{f}{r}" for r in "abcdefghi" for f in "987654321"))


class Side(StrEnum):
    """A side of a clock, seen from its front. It never swaps when the board is turned."""

    LEFT = "left"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Sensing:
    """What a board can and cannot know. Travels with a link, and so with every event on it."""

    kind: SensingClass
    scan_ns: int
    """One pass over all squares: nothing shorter can be seen, nothing within one has an order."""
    geometry: Geometry = CHESS_BOARD
    feels_touch: bool = False
    """True only where the board really feels a finger."""
    remembers: bool = False
    """True where the board keeps what it saw while nobody listened, and `AskLog` is answered."""
    pictures: bool = False
    """True where changes are told one by one, each once, and the whole board is asked for after
    each press: until it has come, what was not told may have been lost."""
    one_wire: bool = False
    """True where the clock speaks on the board's wire: what came before a message was before it."""


@dataclass(frozen=True, slots=True)
class Scan:
    """The whole board as it is shown at one time."""

    at_ns: int
    placement: Placement


@dataclass(frozen=True, slots=True)
class SquareChange:
    """One square shows something else now."""

    at_ns: int
    square: Square
    piece: Piece


@dataclass(frozen=True, slots=True)
class Finger:
    """A finger rests on, or leaves, the piece on a square. Only from boards that feel it."""

    at_ns: int
    square: Square
    down: bool


@dataclass(frozen=True, slots=True)
class HandsSeen:
    """What lies on the hand stands (shogi), where they are sensed."""

    at_ns: int
    men: str  # As journals keep it.
    """Letters with counts before them, as in an SFEN: `2Pr`; capitals the first player's."""


@dataclass(frozen=True, slots=True)
class MoveReported:
    """A finished move as the device's own computer believes it (SensingClass.MOVES)."""

    at_ns: int
    text: str
    """Coordinates, as USI or UCI would write it."""


@dataclass(frozen=True, slots=True)
class LineReported:
    """The whole game as a source that knows it tells it (SensingClass.MOVES).

    Without moves: a new game begins. What was told before may be told again.
    """

    at_ns: int
    start: str
    """The position it began from, in the game's own text form; empty: the usual start."""
    moves: tuple[str, ...]
    """Coordinates, as USI or UCI would write them."""
    spent_ms: tuple[int | None, ...] = ()
    """What the source counted for each half-move; None, or shorter than `moves`: not said."""
    time: str = ""
    """The time control as the source states it: `15:00b60`, `5:00+10`. Empty: not said."""


@dataclass(frozen=True, slots=True)
class TimesReported:
    """What each side has left, by a source that keeps the times and knows the sides."""

    at_ns: int
    white_ms: int
    black_ms: int
    running: str
    """`white` or `black`: who is on the move."""


class Ending(StrEnum):
    """How a game ended, in the words of a source that knows it."""

    RESIGNED = "resigned"
    DECLARED = "declared that the king has entered"
    TIME = "overstepped the time"
    FOUL = "played illegally"
    WON = "won"
    DRAWN = "a draw"
    IMPASSE = "an impasse"
    REPETITION = "a repetition"
    MATE = "mate"
    BROKEN_OFF = "broken off"


@dataclass(frozen=True, slots=True)
class EndReported:
    """A game is over, as a source that knows it tells it (SensingClass.MOVES)."""

    at_ns: int
    ending: Ending
    side: str | None = None
    """`white` or `black`: who resigned, declared, overstepped, played illegally, won."""


@dataclass(frozen=True, slots=True)
class ClockReading:
    """What the clock shows. A press is a change of `lever` between two readings.

    On DGT clocks a reading comes about once a second, so a press is known to a second, and two
    presses between two readings are not seen at all.
    """

    at_ns: int
    left_ms: int
    right_ms: int
    running: Side | None
    lever: Side | None
    """The side whose time the lever lets run: not the one it is high on. None: not known."""
    left_flag: bool = False
    right_flag: bool = False
    battery_low: bool = False
    late_ns: int = 1_000_000_000
    """How long before `at_ns` what changed here may have happened."""


@dataclass(frozen=True, slots=True)
class ClockGone:
    """The board says that no clock is connected to it."""

    at_ns: int


@dataclass(frozen=True, slots=True)
class Lever:
    """A press seen by itself, apart from any reading: `runs` is the side whose time now runs."""

    at_ns: int
    runs: Side
    late_ns: int


@dataclass(frozen=True, slots=True)
class Button:
    """A button of the clock or the board went down."""

    at_ns: int
    name: str


@dataclass(frozen=True, slots=True)
class ClockReply:
    """The clock's answer to a command sent to it."""

    at_ns: int
    command: str
    accepted: bool
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Identity:
    """What a device says of itself. Empty where it has not said it yet."""

    at_ns: int
    driver: str
    serial: str = ""
    firmware: str = ""
    trademark: str = ""
    bus_address: int | None = None


@dataclass(frozen=True, slots=True)
class Battery:
    """How long the device will last."""

    at_ns: int
    percent: int | None
    charging: bool | None = None
    volts: float | None = None


class LogMark(StrEnum):
    """What a line in the memory of a board is about. Journals keep these sentences."""

    SQUARE = "a square shows something else"
    CLOCK = "the lever changed: this side stopped, with this time"
    POWER_UP = "the board was switched on; all its men follow"
    GAME_START = "a computer marked a start; all men follow"
    START_ARRAY = "the men stand as at the start"
    START_ARRAY_TURNED = "the men stand as at the start, the board lying the other way round"
    OUTER_ROWS = "all men on the outer rows, otherwise than at the start"
    EMPTY_BOARD = "no man on the board"
    DOWNLOADED = "the memory was read"


@dataclass(frozen=True, slots=True)
class LogLine:
    """One thing that a board remembered. It has an order and no time of its own."""

    mark: LogMark
    square: Square | None = None
    piece: Piece | None = None
    quick: bool = False
    """Within a quarter of a second of the line before."""
    side: Side | None = None
    stopped_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Remembered:
    """The memory of a board, oldest first, as it was asked for."""

    at_ns: int
    lines: tuple[LogLine, ...]


class Noise(StrEnum):
    """What was wrong with the bytes."""

    CUT_OFF = "a message was cut off by another"
    STRAY = "bytes outside any message"
    LENGTH = "a length that does not fit its message"
    CHECKSUM = "a wrong checksum"
    RANGE = "a value out of its range"
    UNKNOWN_MESSAGE = "a message of an unknown kind"
    STRANGE_BITS = "bits set that mean nothing known"
    SILENT = "no answer in time"
    UNEXPECTED_REPLY = "an answer to something not asked"
    LOST_UPDATE = "the whole board shows what no update had said"
    TOO_MUCH = "more is said than a board can say"
    LATE = "what is said comes late"

    @property
    def damaged(self) -> bool:
        """Bytes came as others than were sent, or not all of them: what they said nobody knows."""
        return self in _DAMAGED


_DAMAGED: Final = frozenset(
    (
        Noise.CUT_OFF,
        Noise.STRAY,
        Noise.LENGTH,
        Noise.CHECKSUM,
        Noise.RANGE,
        Noise.UNKNOWN_MESSAGE,
        Noise.STRANGE_BITS,
    )
)


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong on the wire, as a value that flows on like any other event."""

    at_ns: int
    noise: Noise
    data: bytes = b""
    note: str = ""
    count: int = 1
    """How often it was, where several were summed."""


@dataclass(frozen=True, slots=True)
class LinkUp:
    """The device answers. Begins every session of a link; what was known of its board is void."""

    at_ns: int
    driver: str
    port: str
    sensing: Sensing


@dataclass(frozen=True, slots=True)
class LinkDown:
    """The device is gone or silent, with the reason in words for people."""

    at_ns: int
    reason: str


DeviceEvent: TypeAlias = (
    Scan
    | SquareChange
    | Finger
    | HandsSeen
    | MoveReported
    | LineReported
    | TimesReported
    | EndReported
    | ClockReading
    | ClockGone
    | Lever
    | Button
    | ClockReply
    | Identity
    | Battery
    | Remembered
    | Fault
    | LinkUp
    | LinkDown
)
