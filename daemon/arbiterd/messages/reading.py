"""JSON from outside, read within limits: commands, logins, LiveChess calls, lines of scenarios.

    bytes ─▶ size ─▶ nesting, counted before anything is built ─▶ JSON ─▶ texts and numbers

What passes can be written down again, shown on a terminal and put into a record.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Any

import msgspec

from arbiterd.messages.limits import Limit

BYTES_MAX = 64 * 1024
DEPTH_MAX = 8
BRACKETS_MAX = 4096
TEXT_MAX = 2000
INTEGER_MAX = 2**53 - 1
"""What a page's JavaScript can count exactly."""

_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)
_BRACKET = re.compile(rb"[][{}]")
_BREAKING = frozenset(("Cc", "Cs", "Zl", "Zp"))
"""Unicode categories that end a line, command a terminal, or cannot be written at all."""
_TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""They let a text be read in another order than it is written."""
_LAYOUT = frozenset("\n\t")

LIMITS = (
    Limit("commands, LiveChess calls", "a message", "JSON", f"{BYTES_MAX} bytes", "refused unread"),
    Limit("commands, LiveChess calls", "nesting", "levels", f"{DEPTH_MAX}", "refused unread"),
    Limit("commands, LiveChess calls", "lists and objects", "count", f"{BRACKETS_MAX // 2}",
          "refused unread"),
    Limit("commands, LiveChess calls", "any text", "Unicode",
          f"{TEXT_MAX} characters; no control or turning characters, no half of a pair", "refused"),
    Limit("commands, LiveChess calls", "any number", "integer or decimal",
          f"±{INTEGER_MAX}", "refused"),
)  # fmt: skip


class MessageError(ValueError):
    """One sentence that says what is wrong with a message."""


def read_json(data: bytes) -> Any:
    """The value. Raises MessageError; nothing that is sent ends in anything else."""
    if len(data) > BYTES_MAX:
        raise MessageError(f"it has more than {BYTES_MAX} bytes; send less at once")
    _check_nesting(data)
    try:
        value = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as wrong:
        raise MessageError(f"it is no JSON ({wrong}); mend it") from None
    check_value(value)
    return value


def _check_nesting(data: bytes) -> None:
    depth = 0
    for number, bracket in enumerate(_BRACKET.finditer(_STRING.sub(b"", data))):
        depth += 1 if bracket[0] in b"[{" else -1
        if depth > DEPTH_MAX:
            raise MessageError(f"it is nested deeper than {DEPTH_MAX} levels; send it flatter")
        if number >= BRACKETS_MAX:
            raise MessageError("it has too many lists and objects; send fewer at once")


def check_value(value: object) -> None:
    """Texts and numbers of a value of JSON, wherever they stand in it. Raises MessageError."""
    for each in _leaves(value, DEPTH_MAX):
        if isinstance(each, str):
            _check_text(each)
        elif isinstance(each, int | float) and not -INTEGER_MAX <= each <= INTEGER_MAX:
            raise MessageError(f"a number in it is beyond ±{INTEGER_MAX}; nothing here is so large")


def _leaves(value: object, levels: int) -> Iterator[object]:
    if not isinstance(value, dict | list | tuple):
        yield value
        return
    if not levels:
        raise MessageError(f"it is nested deeper than {DEPTH_MAX} levels; send it flatter")
    if isinstance(value, dict):
        yield from value
        value = tuple(value.values())
    for inner in value:
        yield from _leaves(inner, levels - 1)


def _check_text(text: str) -> None:
    if len(text) > TEXT_MAX:
        raise MessageError(f"a text in it has more than {TEXT_MAX} characters; send a shorter one")
    strange = next((letter for letter in text if not is_plain(letter)), None)
    if strange is not None:
        raise MessageError(
            f"a text in it holds the character U+{ord(strange):04X}, which cannot be shown;"
            " leave it out"
        )


def is_plain(letter: str) -> bool:
    """True for what people can read; line ends and tabs are for whoever reads the field."""
    if letter in _LAYOUT:
        return True
    return unicodedata.category(letter) not in _BREAKING and letter not in _TURNING


def on_one_line(text: str) -> str:
    """As one line of a record: what would break it or turn it round is a space."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(" " if letter in _LAYOUT or not is_plain(letter) else letter for letter in text)
