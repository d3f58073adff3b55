"""Recordings of devices, and what each is read as.

A log is text: a head, then `milliseconds < bytes` from the device and `> bytes` to it. Beside it
stands what its codec tells; `--bless` rewrites that, and the difference is what we review.
"""

from __future__ import annotations

import re
import subprocess
import sys
from ast import literal_eval
from dataclasses import fields
from pathlib import Path

import pytest

from eboards.events import DeviceEvent, Scan
from eboards.registry import FAMILIES, family
from eboards.transport.recording import read_log

FOLDER = Path(__file__).parents[1] / "recordings"
LOGS = sorted(FOLDER.glob("*/*.log"))


def _text(event: DeviceEvent) -> str:
    """One line for people: a board as ranks, and of anything else only what it says."""
    if isinstance(event, Scan):
        ranks = ("".join(event.placement[begin : begin + 8]) for begin in range(0, 64, 8))
        return f"Scan {'/'.join(ranks)}"
    said = (
        f"{field.name}={getattr(event, field.name)}"
        for field in fields(event)
        if field.name != "at_ns" and getattr(event, field.name) not in (None, "", False, b"")
    )
    return " ".join((type(event).__name__, *said))


@pytest.mark.parametrize("log", LOGS, ids=lambda log: f"{log.parent.name}/{log.stem}")
def test_a_recording_still_reads_the_same(log: Path, bless: bool) -> None:
    codec = family(log.parent.name).codec()
    recording = read_log(log.read_text())
    told = "".join(
        f"{at_ns // 1_000_000} {_text(event)}\n"
        for at_ns, data in recording.heard
        for event in codec.receive(data, at_ns)
    )

    expected = log.with_suffix(".expected")
    if bless:
        expected.write_text(told)

    assert expected.read_text() == told


@pytest.mark.parametrize("log", LOGS, ids=lambda log: f"{log.parent.name}/{log.stem}")
def test_a_recording_says_what_it_is_and_from_whom(log: Path) -> None:
    head = read_log(log.read_text()).head

    assert {"Device", "From", "Notes"} <= set(head)


def test_an_emulator_is_recorded_where_nobody_has_the_board() -> None:
    """As docs/drivers.md says. What its codec reads in that is the game that was played."""
    program = FOLDER / "emulated.py"
    said = subprocess.run([sys.executable, program, "chesslink"], capture_output=True, text=True)
    recording, codec = read_log(said.stdout), family("chesslink").codec()
    told = [event for at_ns, data in recording.heard for event in codec.receive(data, at_ns)]
    boards = ["".join(event.placement) for event in told if isinstance(event, Scan)]

    assert {"Device", "From", "Notes"} <= set(recording.head), said.stderr
    assert boards[0] == "rnbqkbnrpppppppp" + "." * 32 + "PPPPPPPPRNBQKBNR"
    assert boards[-1] == (
        "r.bqkbnr.pp..pppp.p.....----p-------P---.....N..PPPP.PPPRNBQK..R"
    ).replace("-", ".")


def test_there_are_recordings_of_every_family() -> None:
    spoken = {each.codec().driver for each in FAMILIES} - {"movetext-57600"}

    missing = sorted(spoken - {log.parent.name for log in LOGS})
    assert not missing, (
        f"no recording of {', '.join(missing)}: add tests/recordings/NAME/WHAT.log (of its"
        " emulator, and From says so, where nobody has the board), then run this file with --bless"
    )


FAULT = re.compile(r"Fault .* data=(b['\"].*['\"]) count=(\d+)")


def test_each_fault_of_the_bus_is_one_frame_with_one_bit_wrong() -> None:
    """A bus frame is its id, its length in two halves of seven bits, and last the sum of what is
    before it, modulo 128. One flipped bit makes each of these frames valid; so each was damaged by
    itself, and counts once."""
    found = FAULT.findall((FOLDER / "dgt-bus" / "first-moves.expected").read_text())
    assert len(found) == 10
    for written, count in found:
        frame = literal_eval(written)
        assert not _is_frame(frame)
        near = (
            bytes(byte ^ (1 << bit) if at == place else byte for at, byte in enumerate(frame))
            for place in range(len(frame))
            for bit in range(8)
        )
        assert any(map(_is_frame, near))
        assert count == "1"


def _is_frame(data: bytes) -> bool:
    return (data[1] << 7) + data[2] == len(data) and sum(data[:-1]) % 128 == data[-1]
