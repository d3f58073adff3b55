"""Real games over the wire of each family, with its own noise, through the whole table.

`python -m pytest tests/eboards/games -m slow -s` plays fifty games on each and prints how many came
out move by move, and what was ruled that should not have been.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import Any

import pytest

from arbiterd.messages.step import Step
from arbiterd.rules.ruleset import Colour
from arbiterd.simulation.clock import STANDARD
from arbiterd.simulation.dice import dice
from arbiterd.simulation.famous import FAMOUS
from arbiterd.simulation.game import Game, follow, read_games
from arbiterd.simulation.play import play
from arbiterd.simulation.profiles import CLEAN, MS, SECOND, Pace
from arbiterd.simulation.virtual import VirtualTime
from arbiterd.simulation.world import Press, Put
from arbiterd.table.setup import TableSetup
from arbiterd.table.table import Table
from eboards.certabo.codec import CertaboCodec
from eboards.certabo.emulator import CertaboEmulator, CoilNoise
from eboards.certabo.tags import SPARE_QUEENS, TagTable
from eboards.chesslink.emulator import ChessLinkEmulator
from eboards.chessnut.emulator import ChessnutEmulator
from eboards.codec import Codec
from eboards.cpp.emulator import CppEmulator
from eboards.events import DeviceEvent, Fault, LinkUp, SensingClass
from eboards.ichessone.emulator import IChessOneEmulator
from eboards.movetext.emulator import MoveTextEmulator
from eboards.registry import family
from eboards.staunton.emulator import StauntonEmulator
from eboards.transport.noisy import LineNoise, NoisyLine
from eboards.transport.paced import PacedLine

ROUND = Path(__file__).parents[3] / "../shared/games/world-cup-2025-round-4.pgn"
LEAD_NS = 20 * SECOND
"""The board is switched on so long before the first hand."""
BRISK = replace(CLEAN, pace=Pace(6 * SECOND, 700 * MS, 500 * MS, 500 * MS, published=False))
BYTE_38400_NS = 260_417
LINE_NOISE = LineNoise(lost=1e-5, inserted=1e-5, flipped=1e-5)
"""A byte in thirty thousand: far more than a cable in order has."""


COILS = CoilNoise(noise=0.3, missed=0.002, altered=0.005)
MANY = 50
FACE_MS = 5_460_000
"""An hour and a half and half a minute, with the increment of the first move."""
ENDS = {"end-checkmate", "end-stalemate", "result-missing", "clock-paused-by-player"}
"""What the end of a game may raise by itself."""


class Reports:
    """USB that loses a whole report now and then, as it does when a hub is short of power."""

    def __init__(self, device: Any, dice: Random, lost: float = 0.01) -> None:
        self._device, self._dice, self._lost = device, dice, lost

    @property
    def due_at_ns(self) -> int | None:
        return self._device.due_at_ns

    def receive(self, data: bytes, at_ns: int) -> None:
        self._device.receive(data, at_ns)

    def advance(self, at_ns: int) -> bytes:
        said = self._device.advance(at_ns)
        return b"" if self._dice.random() < self._lost else said


KINDS = {
    "chesslink": "chesslink",
    "certabo": "certabo",
    "sentio": "certabo",
    "chessnut": "chessnut",
    "staunton": "staunton",
    "ichessone": "ichessone",
    "cpp": "cpp",
    "cpp, colours": "cpp",
    "cpp, occupancy": "cpp",
    "movetext": "movetext",
}
"""What is played on, and its driver."""


def device_of(kind: str, men: list[str], dice: Random) -> Any:
    """A board of this kind, as it lies on the table before the game."""
    match kind:
        case "chesslink":
            return ChessLinkEmulator(men)
        case "certabo":
            return CertaboEmulator(men, coils=COILS, dice=dice)
        case "sentio":
            return CertaboEmulator(men, occupancy=True, period_ns=100 * MS)
        case "chessnut":
            return ChessnutEmulator(men)
        case "staunton":
            return StauntonEmulator(men, left_ms=FACE_MS, right_ms=FACE_MS, increment_ms=30_000)
        case "ichessone":
            return IChessOneEmulator(men)
        case "cpp, colours":
            return CppEmulator(men, kind=SensingClass.COLOUR)
        case "cpp, occupancy":
            return CppEmulator(men, kind=SensingClass.OCCUPANCY)
        case "movetext":
            return MoveTextEmulator()
    return CppEmulator(men)


def taught(device: CertaboEmulator) -> TagTable:
    """The set as it was learnt before the round, with the spare queens on d3 and d6."""
    for square, queen in SPARE_QUEENS.items():
        device.set_square(square, queen, 0)
    codec = CertaboCodec()
    for at_ns in range(0, LEAD_NS // 2, SECOND // 2):
        codec.receive(device.advance(at_ns), at_ns)
    for square in SPARE_QUEENS:
        device.set_square(square, ".", LEAD_NS // 2)
    return codec.tags


def wire_of(kind: str, device: Any, dice: Random) -> Any:
    """What lies between: a noisy line at its true pace, or reports that get lost."""
    if kind in ("chessnut", "staunton"):
        return Reports(device, dice)
    if KINDS[kind] in ("cpp", "movetext"):
        return device
    return PacedLine(NoisyLine(device, LINE_NOISE, dice), BYTE_38400_NS)


EXACT = dict.fromkeys(KINDS, 0.98) | {"sentio": 0.8, "cpp, occupancy": 0.8, "cpp, colours": 0.95}
"""Least share of games that come out move by move. Where men are only counted and no clock is
there, nobody can tell which of two men was taken unless a later move says so."""


class Played:
    """Hands, board, wire, codec and table, as one party of virtual time."""

    def __init__(self, game: Game, kind: str, seed: str) -> None:
        self.game = game
        self.story = play(follow(game), BRISK, dice(seed), LEAD_NS)
        self._device = device_of(kind, list(self.story.before), dice(f"{seed}/device"))
        self._wire = wire_of(kind, self._device, dice(f"{seed}/wire"))
        self._codec: Codec = family(KINDS[kind]).codec()
        if kind == "certabo":
            self._codec = CertaboCodec(taught(self._device))
        self._deeds: list[tuple[int, Any]] = [(deed.at_ns, deed) for deed in self.story.deeds]
        if kind == "movetext":
            self._deeds = [(ply.made_ns, ply.move) for ply in self.story.truth.plies]
        self.table = Table(TableSetup(table="1", rate=STANDARD, simulated=True))
        self.outputs: list[Any] = []
        self.events: list[DeviceEvent] = []
        self._up = False
        self._end_ns = self.story.end_ns + 10 * SECOND

    @property
    def due_at_ns(self) -> int | None:
        times = [self._codec.due_at_ns, self._wire.due_at_ns, self.table.due_at_ns]
        times += [self._deeds[0][0]] if self._deeds else []
        due_ns = min((time for time in times if time is not None), default=self._end_ns + 1)
        return max(0, due_ns) if due_ns <= self._end_ns else None

    def due(self, at_ns: int) -> None:
        while self._deeds and self._deeds[0][0] <= at_ns:
            self._do(self._deeds.pop(0)[1], at_ns)
        if self._codec.due_at_ns is not None and self._codec.due_at_ns <= at_ns:
            out, events = self._codec.due(at_ns)
            self._wire.receive(out, at_ns)
            self._take(events, at_ns)
        self._take(self._codec.receive(self._wire.advance(at_ns), at_ns), at_ns)
        self._keep(self.table.due(at_ns))

    def _do(self, deed: Any, at_ns: int) -> None:
        if isinstance(deed, Put):
            self._device.set_square(deed.square, deed.piece, at_ns)
        elif isinstance(deed, str):
            self._device.play(deed, at_ns)
        elif isinstance(deed, Press) and isinstance(self._device, StauntonEmulator):
            self._device.press("left" if deed.side is Colour.WHITE else "right", at_ns)

    def _take(self, events: list[DeviceEvent], at_ns: int) -> None:
        if events and not self._up and not all(isinstance(event, Fault) for event in events):
            self._up = True
            events = [LinkUp(at_ns, self._codec.driver, "", self._codec.sensing), *events]
        for event in events:
            self.events.append(event)
            self._keep(self.table.take(len(self.events), event))

    def _keep(self, step: Step) -> None:
        self.outputs += [output for output in step.outputs if output.seq is not None]

    def told(self, topic: str) -> list[dict[str, Any]]:
        return [json.loads(o.payload) for o in self.outputs if o.topic == topic and o.payload]

    @property
    def moves(self) -> tuple[str, ...]:
        record: list[str] = []
        for move in self.told("moves"):
            record[move["ply"] - 1 : move["ply"]] = [move["uci"]] if move["uci"] else []
        return tuple(record)

    @property
    def said_so(self) -> bool:
        """Where the record is not the game it is told as likely, or the board as lost."""
        plies = enumerate(zip_longest(self.game.moves, self.moves), start=1)
        wrong = next((ply for ply, (true, told) in plies if true != told), None)
        doubted = {move["ply"] for move in self.told("moves") if move["certainty"] == "likely"}
        return wrong is None or wrong in doubted or "tech-gap" in self.alarms

    @property
    def alarms(self) -> list[str]:
        return [
            ruling["kind"]
            for ruling in self.told("rulings")
            if ruling["state"] == "open" and ruling["urgency"] in (1, 2)
        ]


def played(kind: str, games: list[Game]) -> list[Played]:
    tables = [Played(game, kind, f"{kind}/{n}") for n, game in enumerate(games)]
    VirtualTime(tables).run()
    return tables


@pytest.mark.parametrize("kind", KINDS)
def test_a_famous_game_comes_out_move_by_move_and_nobody_is_called(kind: str) -> None:
    (table,) = played(kind, [FAMOUS[0]])

    assert table.moves == table.game.moves
    assert set(table.alarms) <= ENDS


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("kind", KINDS)
def test_fifty_real_games(kind: str) -> None:
    if not ROUND.is_file():
        pytest.skip("no ../shared/games beside this checkout: real games are not played")
    games = list(read_games(ROUND.read_text("utf-8")))[:MANY]
    tables = played(kind, games)
    exact = sum(table.moves == table.game.moves for table in tables)
    false = Counter(alarm for table in tables for alarm in table.alarms if alarm not in ENDS)
    faults = sum(isinstance(event, Fault) for table in tables for event in table.events)
    print(
        f"\n{kind}: {exact} of {len(games)} exact, {false.total()} false rulings {dict(false)},"
        f" {faults} faults on the wire"
    )

    assert exact >= len(games) * EXACT[kind]
    assert all(table.said_so for table in tables)
    assert not false
