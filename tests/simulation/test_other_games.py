"""Shogi and the river game over the open protocol's wire, for every class of sensing.

Games are played at random from a seed and end anywhere. A board that tells men apart gives every
game exactly. Where kinds, faces or men cannot be told a game may come out otherwise; then each
half-move that is not what was played was never told as certain.

`python -m pytest tests/simulation/test_other_games.py -m slow -s` plays 200 of each.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from arbiterd.rules.registry import chosen
from arbiterd.table import Table, TableSetup
from arbiterd.table.inputs import ClockSaid, Input
from eboards.cpp.codec import CppCodec
from eboards.cpp.emulator import CppEmulator
from eboards.events import EMPTY, LinkUp, SensingClass

MS = 1_000_000
PLIES = 60


@dataclass
class Played:
    """One game: what was played, what was told of it, and what went up besides."""

    moves: list[str]
    record: list[str]
    silent: list[int]
    """Half-moves that stand on the record otherwise than they were played, told as certain."""
    alarms: Counter[str]

    @property
    def exact(self) -> bool:
        return self.moves == self.record


class Desk:
    """A board on a wire, a clock beside it, and the table that reads both."""

    def __init__(self, name: str, kind: SensingClass, *, counters: bool) -> None:
        choices = {"counters_sensed": True} if counters else {}
        self.rules = chosen(name, choices)
        self.position = self.rules.start()
        geometry = self.rules.geometry
        self.board = CppEmulator(list(self.rules.placement(self.position)), geometry, kind)
        self.codec = CppCodec(geometry, kind)
        self.table = Table(TableSetup(ruleset=name, rules=tuple(choices.items())))
        self.told: list[dict[str, Any]] = []
        self.now_ns, self._inputs = 0, 0
        self._take(LinkUp(0, "cpp", "", self.codec.sensing))

    def _take(self, item: Input) -> None:
        self._inputs += 1
        self._keep(self.table.take(self._inputs, item).outputs)

    def _keep(self, outputs: Any) -> None:
        self.told += [json.loads(o.payload) | {"topic": o.topic} for o in outputs if o.seq]

    def wait(self, ns: int) -> None:
        """Time goes by, a scan at a time."""
        end_ns = self.now_ns + ns
        while self.now_ns < end_ns:
            self.now_ns = min(end_ns, self.now_ns + 100 * MS)
            if self.codec.due_at_ns is not None and self.codec.due_at_ns <= self.now_ns:
                out, events = self.codec.due(self.now_ns)
                self.board.receive(out, self.now_ns)
                for event in events:
                    self._take(event)
            for event in self.codec.receive(self.board.advance(self.now_ns), self.now_ns):
                self._take(event)
            self._keep(self.table.due(self.now_ns).outputs)

    def play(self, move: Any, dice: Random) -> None:
        """By hand: lifted, the victim first or dragged off, put down, pressed."""
        rules, before = self.rules, self.rules.placement(self.position)
        changes = dict(rules.footprint(self.position, move))
        touched = list(rules.touched(self.position, move))
        side = rules.turn(self.position)
        takes = len(touched) > 1 and rules.owner(before[touched[1]]) is not side
        if takes and dice.random() < 0.7:
            touched = touched[::-1] if dice.random() < 0.5 else touched[:1]
        for square in touched:
            if before[square] != EMPTY:
                self.board.set_square(square, EMPTY, self.now_ns)
                self.wait(dice.randrange(300, 900) * MS)
        for square, piece in sorted(changes.items(), key=lambda change: change[1] == EMPTY):
            self.board.set_square(square, piece, self.now_ns)
            self.wait(dice.randrange(300, 900) * MS)
        self.wait(dice.randrange(500, 900) * MS)
        self._take(ClockSaid(self.now_ns, press=side))
        self.position = rules.play(self.position, move)
        self.wait(dice.randrange(1_000, 5_000) * MS)


def game(name: str, kind: SensingClass, seed: int, *, counters: bool = False) -> Played:
    dice, desk, moves = Random(seed), Desk(name, kind, counters=counters), []
    desk.wait(2_000 * MS)
    for _ in range(dice.randrange(PLIES // 2, PLIES)):
        legal = desk.rules.legal_moves(desk.position)
        if not legal or desk.rules.end(desk.position) is not None:
            break
        move = dice.choice(legal)
        moves.append(desk.rules.wire(desk.position, move))
        desk.play(move, dice)
    desk.wait(30_000 * MS)
    record = list(desk.table.moves)
    alarms = Counter(
        told["kind"]
        for told in desk.told
        if told["topic"] == "rulings" and told["urgency"] < 3 and told["state"] == "open"
    )
    return Played(moves, record, _silent(moves, desk), alarms)


def _silent(moves: list[str], desk: Desk) -> list[int]:
    """Half-moves of the record that are wrong, or missing, and said to be certain."""
    last = {told["ply"]: told for told in desk.told if told["topic"] == "moves"}
    return [
        ply
        for ply, played in enumerate(moves, 1)
        if ply not in last or (last[ply]["uci"] != played and last[ply]["certainty"] == "certain")
    ]


RULED = {"gu-obligation", "end-checkmate", "sh-mate", "gu-mate"}
"""What honest play raises."""

WIRES = [
    ("shogi", SensingClass.IDENTITY, False),
    ("shogi", SensingClass.KIND, False),
    ("shogi", SensingClass.OCCUPANCY, False),
    ("guadalete", SensingClass.IDENTITY, True),
    ("guadalete", SensingClass.IDENTITY, False),
    ("guadalete", SensingClass.COLOUR, False),
    ("guadalete", SensingClass.OCCUPANCY, False),
]
GAMES = [
    pytest.param(2, id="slice"),
    pytest.param(200, id="whole", marks=[pytest.mark.slow, pytest.mark.timeout(7200)]),
]


@pytest.mark.parametrize("games", GAMES)
@pytest.mark.parametrize(("name", "kind", "counters"), WIRES)
def test_games_come_out_exact_or_say_that_they_may_not(
    name: str, kind: SensingClass, counters: bool, games: int
) -> None:
    played = [game(name, kind, seed, counters=counters) for seed in range(games)]

    exact = sum(one.exact for one in played)
    silent = {seed: one.silent for seed, one in enumerate(played) if one.silent}
    alarms = sum((one.alarms for one in played), Counter())
    flagged = games - exact - len(silent)
    print(
        f"\n{name}, {kind}: {exact} of {games} exact, {flagged} flagged, {len(silent)} in silence"
    )
    print(f"alarms: {dict(alarms)}")
    assert silent == {}
    assert set(alarms) <= RULED
    if kind is SensingClass.IDENTITY:
        assert exact == games
