"""What the games of a hall have taught of its boards: coils and chips that are read wrongly."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path

import msgspec

from arbiterd.cli import FailedError, WrongError
from arbiterd.cli.journal import opened, which_journal
from arbiterd.journal.reader import JournalReader
from arbiterd.messages.payloads import Device, Sensor
from arbiterd.messages.topics import DEVICE
from eboards.bounds import readable

NEWEST = 2**62


@dataclass(frozen=True, slots=True)
class Learnt:
    """One board that has coils or chips to look at."""

    table: str
    identity: str
    sensors: tuple[Sensor, ...]

    @property
    def lines(self) -> list[str]:
        """For people, the worst first."""
        return [
            f"{_what(sensor)} {sensor.words} ({sensor.times} in {sensor.hours:g} h of play)"
            + (": believed less" if sensor.weak else "")
            for sensor in self.sensors
        ]


def _what(sensor: Sensor) -> str:
    return sensor.square or f"pieces {sensor.piece}:"


def learnt(config: Path | None) -> list[Learnt]:
    """By table, from the journal of a configuration; nothing where there is no journal."""
    path = which_journal(None, config)
    if not path.is_file():
        return []
    try:
        with opened(path) as read:
            return _boards(read)
    except (FailedError, WrongError, sqlite3.Error):
        return []


def _boards(read: JournalReader) -> list[Learnt]:
    found = []
    for row in read.retained(NEWEST):
        if row.topic == DEVICE and row.payload:
            device = msgspec.json.decode(row.payload, type=Device)
            if device.sensors is not msgspec.UNSET:
                found.append(Learnt(row.table, device.identity, tuple(device.sensors)))
    return sorted(found, key=lambda board: -sum(each.times for each in board.sensors))


def hall_list(boards: list[Learnt]) -> list[str]:
    """What to look at before the round, the worst board first."""
    if not boards:
        return []
    said = ["learnt from the games that were played, the worst board first:"]
    for board in boards:
        name = f" ({readable(board.identity, 40)})" if board.identity else ""
        said.append(f"  table {board.table}{name}: arbiterd test-board {board.table}")
        said += [f"    {line}" for line in board.lines]
    return said
