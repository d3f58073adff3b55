"""Emulated boards on pseudo-terminals, for a service in this process or in another one.

Hands and wires keep their true durations in scaled time. A board begins to live, and its game to
be played, when somebody first asks it something.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from arbiterd.edges import ServiceClock
from arbiterd.messages.times import rfc3339
from arbiterd.simulation.dice import dice
from arbiterd.simulation.hall import SimulatedSeat
from arbiterd.timing.control import Period, Rate
from eboards.dgt.bus_emulator import DgtBusEmulator, LineFaults
from eboards.dgt.emulator import Badge
from eboards.emulator import Emulator
from eboards.transport.paced import PacedLine
from eboards.transport.pty import PtyServer


class Asleep:
    """A device that is off until it is first asked; its own time begins then."""

    def __init__(self, emulator: Emulator, begin_ns: int) -> None:
        self._emulator, self._begin_ns = emulator, begin_ns
        self._later_ns: int | None = None

    @property
    def due_at_ns(self) -> int | None:
        due_ns = self._emulator.due_at_ns
        return None if self._later_ns is None or due_ns is None else due_ns + self._later_ns

    def receive(self, data: bytes, at_ns: int) -> None:
        if self._later_ns is None:
            self._later_ns = at_ns - self._begin_ns
        self._emulator.receive(data, at_ns - self._later_ns)

    def advance(self, at_ns: int) -> bytes:
        return b"" if self._later_ns is None else self._emulator.advance(at_ns - self._later_ns)


WRITTEN = "Written by arbiterd simulate."
"""In the first line of its configuration."""


def plug_in(
    seats: Sequence[SimulatedSeat], clock: ServiceClock, folder: Path | None
) -> list[PtyServer]:
    """A pseudo-terminal for each table; in `folder` a link to it, `board-<table>`."""
    servers = []
    for seat in seats:
        board = Asleep(PacedLine(seat.emulated()), seat.story.begin_ns)
        link = None if folder is None else folder / f"board-{seat.table}"
        servers.append(PtyServer(board, clock.now_ns, speed=clock.speed, link=link))
    return servers


def plug_in_line(
    seats: Sequence[SimulatedSeat], clock: ServiceClock, folder: Path | None, damaged: float = 0.0
) -> PtyServer:
    """All boards on one bus line behind one pseudo-terminal; in `folder` a link to it, `bus`.

    The line takes its time for every byte. So many of its answers arrive damaged, from 0 to 1.
    """
    begin_ns = min(seat.story.begin_ns for seat in seats)
    boards = [seat.emulated(begin_ns) for seat in seats]
    faults = LineFaults({board.badge.address: damaged for board in boards})
    line = DgtBusEmulator(boards, dice("line"), faults)
    asleep = Asleep(line, begin_ns)
    link = None if folder is None else folder / "bus"
    return PtyServer(asleep, clock.now_ns, speed=clock.speed, link=link)


def on_line(seats: Sequence[SimulatedSeat], port: str) -> list[str]:
    """The boards of a line as a configuration names them."""
    return [f"dgt-bus:{port}#{Badge(serial=seat.serial).address}" for seat in seats]


def configuration(
    seats: Sequence[SimulatedSeat],
    devices: Sequence[str],
    speed: float,
    seed: int,
    drivers: Sequence[str] = (),
    since_ns: int | None = None,
) -> str:
    """The TOML that `arbiterd run` needs beside the boards; all of them DGT unless said.

    `since_ns` is when time began to pass at this speed: after a restart it must have moved on as
    fast as the boards' own.
    """
    lines = [
        f"# {len(seats)} emulated boards, seed {seed}. {WRITTEN}",
        "[hall]",
        'name = "simulated"',
        "",
        "[simulation]",
        f"speed = {speed:g}",
        *([] if since_ns is None else [f"since = {rfc3339(since_ns)}"]),
        "",
        "[journal]",
        'path = "journal.db"',
        "",
        "[rates.played]",
        f"kind = {_text(seats[0].rate.kind.value)}",
        f"supervised = {'true' if seats[0].rate.supervised else 'false'}",
        f"time = [{', '.join(_text(period_text(each)) for each in seats[0].rate.periods)}]",
    ]
    every = drivers or ["dgt-bus" if name.startswith("dgt-bus:") else "dgt" for name in devices]
    for seat, device, driver in zip(seats, devices, every, strict=True):
        lines += [
            "",
            "[[tables]]",
            f"table = {_text(seat.table)}",
            f"device = {_text(device)}",
            f"driver = {_text(driver)}",
            f"white = {_text(seat.game.white)}",
            f"black = {_text(seat.game.black)}",
            f"ruleset = {_text(seat.game.ruleset)}",
        ]
        if seat.game.start:
            lines.append(f"start = {_text(seat.game.start)}")
    return "\n".join(lines) + "\n"


def _text(value: str) -> str:
    """A TOML string: what JSON escapes, TOML reads."""
    return json.dumps(value, ensure_ascii=False)


def period_text(period: Period) -> str:
    """As a configuration writes it: `40/90:00+30`."""
    moves = "" if period.moves is None else f"{period.moves}/"
    minutes, seconds = divmod(period.base_ms // 1000, 60)
    credit = f"+{period.increment_ms // 1000}" if period.increment_ms else ""
    credit = f"d{period.delay_ms // 1000}" if period.delay_ms else credit
    return f"{moves}{minutes}:{seconds:02d}{credit}"


def rate_name(rate: Rate) -> str:
    """For people: `standard 90:00+30`."""
    return " ".join([rate.kind.value, *(period_text(period) for period in rate.periods)])
