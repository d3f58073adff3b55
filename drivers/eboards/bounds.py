"""What a device may say: a bound for each field of each event, whichever codec it comes from.

    codec ─▶ event ─▶ bounded ─▶ the event itself, or the Fault that it is

What passes can be written down, shown and counted with. Faults are cut to size and never refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from string import ascii_letters
from typing import Any, Final

from eboards.events import (
    Battery,
    Button,
    ClockGone,
    ClockReading,
    ClockReply,
    DeviceEvent,
    Ending,
    EndReported,
    Fault,
    Finger,
    Geometry,
    HandsSeen,
    Identity,
    Lever,
    LineReported,
    LinkDown,
    LinkUp,
    LogLine,
    MoveReported,
    Noise,
    Remembered,
    Scan,
    Side,
    SquareChange,
    TimesReported,
)

CLOCK_MAX_MS: Final = 359_999_999
"""99:59:59.999, more than any clock shows."""
LATE_MAX_NS: Final = 3_600_000_000_000
NAME_MAX, MOVE_MAX, START_MAX, NOTE_MAX = 80, 16, 300, 200
TRADEMARK_MAX: Final = 256
"""Of a DGT board, whose text has several lines."""
HAND_MAX: Final = 80
MOVES_MAX: Final = 2_000
"""Half-moves of one game."""
LOG_MAX: Final = 8_192
"""Lines of a board's memory; the longest there is has 7,936 bytes."""
BUS_ADDRESS_MAX: Final = 0x3FFF
VOLTS_MAX: Final = 100.0
DATA_MAX: Final = 256
"""Bytes shown with a fault; the journal has them all beside it."""


@dataclass(frozen=True, slots=True)
class Bound:
    """What a value may be, in words and as a test that never fails."""

    words: str
    holds: Callable[[Any, Geometry], bool]


def whole(least: int, most: int) -> Bound:
    """A whole number of this range."""
    return Bound(f"{least} to {most}", lambda value, _: _is_whole(value, least, most))


def text(longest: int) -> Bound:
    """Characters that people can read, on one line."""
    return Bound(f"{longest} printable characters", lambda value, _: _is_text(value, longest))


def perhaps(bound: Bound) -> Bound:
    """The same, or nothing said."""
    return Bound(
        f"{bound.words}, or nothing",
        lambda value, board: value is None or bound.holds(value, board),
    )


def several(most: int, bound: Bound) -> Bound:
    """A list."""
    return Bound(
        f"{most} times: {bound.words}",
        lambda value, board: (
            isinstance(value, tuple)
            and len(value) <= most
            and all(bound.holds(each, board) for each in value)
        ),
    )


def either(kind: type, *values: str) -> Bound:
    """One of a few."""
    named = ", ".join(values) if values else f"one of {kind.__name__}"
    return Bound(
        named, lambda value, _: isinstance(value, kind) and (not values or value in values)
    )


def _is_whole(value: object, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _is_text(value: object, longest: int) -> bool:
    return isinstance(value, str) and len(value) <= longest and value.isprintable()


_PIECES: Final = frozenset((".", "?", *ascii_letters, *(f"+{each}" for each in ascii_letters)))


def _is_piece(value: object, _: Geometry) -> bool:
    return isinstance(value, str) and value in _PIECES


def _is_placement(value: object, board: Geometry) -> bool:
    if not isinstance(value, tuple) or len(value) != len(board):
        return False
    try:
        return _PIECES.issuperset(value)
    except TypeError:  # Something in it cannot be looked up, so it is no text.
        return False


def _is_volts(value: object, _: Geometry) -> bool:
    return isinstance(value, int | float) and 0 <= value <= VOLTS_MAX


def _is_log_line(value: object, board: Geometry) -> bool:
    return isinstance(value, LogLine) and all(
        bound.holds(getattr(value, field), board) for field, bound in LOG_LINE.items()
    )


TIME: Final = whole(0, CLOCK_MAX_MS)
SQUARE: Final = Bound("a square of the board", lambda v, board: _is_whole(v, 0, len(board) - 1))
PIECE: Final = Bound("a letter of FEN, perhaps with +, or . or ?", _is_piece)
COLOUR: Final = either(str, "white", "black")
SIDE: Final = either(Side)
FLAG: Final = either(bool)
LOG_LINE: Final[Mapping[str, Bound]] = {
    "square": perhaps(SQUARE),
    "piece": perhaps(PIECE),
    "stopped_ms": perhaps(TIME),
}

FIELDS: Final[Mapping[type, Mapping[str, Bound]]] = {
    Scan: {"placement": Bound("a piece or nothing for each square of the board", _is_placement)},
    SquareChange: {"square": SQUARE, "piece": PIECE},
    Finger: {"square": SQUARE, "down": FLAG},
    HandsSeen: {"men": text(HAND_MAX)},
    MoveReported: {"text": text(MOVE_MAX)},
    LineReported: {
        "start": text(START_MAX),
        "moves": several(MOVES_MAX, text(MOVE_MAX)),
        "spent_ms": several(MOVES_MAX, perhaps(TIME)),
        "time": text(NAME_MAX),
    },
    TimesReported: {"white_ms": TIME, "black_ms": TIME, "running": COLOUR},
    EndReported: {"ending": either(Ending), "side": perhaps(COLOUR)},
    ClockReading: {
        "left_ms": TIME,
        "right_ms": TIME,
        "running": perhaps(SIDE),
        "lever": perhaps(SIDE),
        "left_flag": FLAG,
        "right_flag": FLAG,
        "battery_low": FLAG,
        "late_ns": whole(0, LATE_MAX_NS),
    },
    ClockGone: {},
    Lever: {"runs": SIDE, "late_ns": whole(0, LATE_MAX_NS)},
    Button: {"name": text(NAME_MAX)},
    ClockReply: {"command": text(NAME_MAX), "accepted": FLAG, "detail": text(NOTE_MAX)},
    Identity: {
        "driver": text(NAME_MAX),
        "serial": text(NAME_MAX),
        "firmware": text(NAME_MAX),
        "trademark": text(TRADEMARK_MAX),
        "bus_address": perhaps(whole(0, BUS_ADDRESS_MAX)),
    },
    Battery: {
        "percent": perhaps(whole(0, 100)),
        "charging": perhaps(FLAG),
        "volts": perhaps(Bound(f"0 to {VOLTS_MAX:.0f}", _is_volts)),
    },
    Remembered: {"lines": Bound(f"{LOG_MAX} lines, each in its own bounds", lambda v, board: (
        len(v) <= LOG_MAX and all(_is_log_line(line, board) for line in v)
    ))},
}  # fmt: skip
"""All but the times of events, which are ours."""


def bounded(event: DeviceEvent, board: Geometry) -> DeviceEvent:
    """The event, or a fault that names what of it is beyond its bound."""
    match event:
        case Fault():
            return _cut(event)
        case LinkDown():
            return replace(event, reason=readable(event.reason, 2 * NOTE_MAX))
        case LinkUp():
            return event
    for field, bound in FIELDS[type(event)].items():
        if not bound.holds(getattr(event, field), board):
            what = f"{type(event).__name__}: {field} is not {bound.words}"
            return Fault(event.at_ns, Noise.RANGE, note=what[:NOTE_MAX])
    return event


def _cut(fault: Fault) -> Fault:
    if len(fault.data) <= DATA_MAX and _is_text(fault.note, NOTE_MAX):
        return fault
    return replace(fault, data=fault.data[:DATA_MAX], note=readable(fault.note, NOTE_MAX))


def readable(said: str, longest: int) -> str:
    """What a device said, for people: short, and what cannot be printed as its code."""
    short = said[:longest]
    if short.isprintable():
        return short
    shown = (letter if letter.isprintable() else ascii(letter)[1:-1] for letter in short)
    return "".join(shown)[:longest]
