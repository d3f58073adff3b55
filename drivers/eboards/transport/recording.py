"""Recordings of a wire, as text.

    # Device: DGT, 13116, 1.8
    # Began: 2026-11-21T14:03:22.118Z
    0       > 42
    12.406  < 86 00 43 08 09 ...

Milliseconds since the begin, `<` from the device or `>` to it, bytes in hexadecimal. Lines that
begin with `#` are the head. A file without any `<` or `>` is taken for bare messages, one a line
in base64; those carry no times (replay.py gives them some).
"""

from __future__ import annotations

import base64
import binascii
import os
import re
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TextIO

FROM_DEVICE: Final = "<"
TO_DEVICE: Final = ">"

_LINE = re.compile(r"(\d{1,12})(?:\.(\d{1,6}))?\s+([<>])((?:\s*[0-9a-fA-F]{2}){0,65536})\s*")
_HEAD = re.compile(r"#\s*([^:]+):\s*(.*)")


FILE_MAX: Final = 64 * 1024**2
"""Bytes. A day of a clock's messages has a tenth of that."""


class RecordingError(Exception):
    """A line that is none; the message names it and the mend."""


@dataclass(frozen=True, slots=True)
class RecordedBytes:
    """Bytes that went over the wire, and how long after the begin."""

    at_ns: int
    direction: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Recording:
    """A wire as it was heard."""

    said: tuple[RecordedBytes, ...] = ()
    head: Mapping[str, str] = field(default_factory=dict)
    """`Device`, `From`, `Rules`, `Notes`, `Began` … as the file has them."""

    @property
    def heard(self) -> tuple[tuple[int, bytes], ...]:
        """What the device sent, with times."""
        return tuple((said.at_ns, said.data) for said in self.said if said.direction == FROM_DEVICE)


def read_file(file: Path) -> str:
    """A recording's text. Raises OSError, RecordingError. Takes its time: not for a loop.

    Pipes, devices and folders are none: reading them might never end.
    """
    descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as opened:
        told = os.fstat(descriptor)
        if not stat.S_ISREG(told.st_mode):
            raise RecordingError("it is no file")
        if told.st_size > FILE_MAX:
            raise RecordingError(f"it has more than {FILE_MAX} bytes")
        data = opened.read(FILE_MAX)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise RecordingError(str(error)) from None


def read_log(text: str) -> Recording:
    """Raises `RecordingError`. Times may not go back."""
    head: dict[str, str] = {}
    said: list[RecordedBytes] = []
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if not stripped:
            continue
        if stripped.startswith("#"):
            if found := _HEAD.fullmatch(stripped):
                head[found[1].strip()] = found[2].strip()
            continue
        found = _LINE.fullmatch(stripped)
        if found is None:
            raise RecordingError(f"line {number}: write `milliseconds < bytes` or `> bytes` in hex")
        at_ns = int(found[1]) * 1_000_000 + int((found[2] or "").ljust(6, "0"))
        if said and at_ns < said[-1].at_ns:
            raise RecordingError(f"line {number}: {found[1]} ms is before the line above; sort it")
        said.append(RecordedBytes(at_ns, found[3], bytes.fromhex(found[4])))
    return Recording(tuple(said), head)


def read_messages(text: str) -> list[bytes]:
    """Bare messages, one a line in base64. Raises `RecordingError`."""
    messages = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            messages.append(base64.b64decode(line.strip(), validate=True))
        except (binascii.Error, ValueError) as error:
            raise RecordingError(
                f"line {number}: not base64 ({error}); write one message"
            ) from error
    return messages


def has_times(text: str) -> bool:
    """True for a log with times, False for bare messages."""
    lines = [line.strip() for line in text.splitlines()]
    return any(line.startswith("#") or _LINE.fullmatch(line) for line in lines if line)


def head_lines(head: Mapping[str, str]) -> str:
    """The head of a log."""
    return "".join(f"# {key}: {value}\n" for key, value in head.items())


def line_of(said: RecordedBytes) -> str:
    """One line of a log; whole milliseconds are written as such."""
    milliseconds, rest_ns = divmod(said.at_ns, 1_000_000)
    fraction = f".{rest_ns:06}".rstrip("0").rstrip(".")
    return f"{milliseconds}{fraction} {said.direction} {said.data.hex(' ')}\n"


def write_log(out: TextIO, said: Iterable[RecordedBytes], head: Mapping[str, str]) -> None:
    """Head and lines, each line on its way as soon as it is there."""
    out.write(head_lines(head))
    for each in said:
        out.write(line_of(each))
        out.flush()
