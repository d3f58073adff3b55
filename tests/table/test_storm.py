"""Whatever sensors, clock and arbiter do: a table answers, numbers its events, and goes on."""

from __future__ import annotations

import json
from random import Random

import pytest

from arbiterd.messages.commands import act_of, read_command
from arbiterd.rules.registry import ruleset
from arbiterd.rules.ruleset import Colour
from arbiterd.table.inputs import ClockSaid, Input
from arbiterd.table.playback import play
from arbiterd.table.setup import TableSetup
from arbiterd.table.table import Table
from arbiterd.timing.control import Kind, Period, Rate
from eboards.events import (
    EMPTY,
    Fault,
    LinkDown,
    LinkUp,
    Noise,
    Scan,
    Sensing,
    SensingClass,
    SquareChange,
)

MS = 1_000_000
RATES = [
    Rate(Kind.STANDARD, True, (Period(40, 5_400_000, 30_000), Period(None, 1_800_000, 30_000))),
    Rate(Kind.BLITZ, False, (Period(None, 180_000, 2_000),)),
]


class Storm:
    """Random doings, most of them small steps from where the game stands, some absurd."""

    def __init__(self, name: str, seed: int) -> None:
        self.dice, self.rules = Random(seed), ruleset(name)
        self.position = self.rules.start()
        self.pieces = list(self.rules.placement(self.position))
        self.shown = sorted({*self.pieces, "?", "w"})
        self.at_ns = 0

    def inputs(self, number: int) -> list[Input]:
        geometry = self.rules.geometry
        sensing = Sensing(SensingClass.IDENTITY, 200 * MS, geometry)
        found: list[Input] = [LinkUp(0, "test", "", sensing), Scan(0, tuple(self.pieces))]
        while len(found) < number:
            self.at_ns += self.dice.choice([1, 50, 300, 900, 4000]) * MS
            deed = self.dice.choices(
                [self.move, self.fumble, self.clock, self.act, self.link],
                weights=[40, 20, 20, 6, 2],
            )[0]
            found += deed()
        return found

    def _put(self, square: int, piece: str) -> Input:
        self.pieces[square] = piece
        self.at_ns += self.dice.randrange(1, 500) * MS
        return SquareChange(self.at_ns, square, piece)

    def move(self) -> list[Input]:
        legal = self.rules.legal_moves(self.position)
        if not legal:
            self.position = self.rules.start()
            self.pieces = list(self.rules.placement(self.position))
            return [Scan(self.at_ns, tuple(self.pieces))]
        move = self.dice.choice(legal)
        changes = list(self.rules.footprint(self.position, move))
        self.dice.shuffle(changes)
        side = self.rules.turn(self.position)
        self.position = self.rules.play(self.position, move)
        done = [self._put(square, piece) for square, piece in changes]
        if self.dice.random() < 0.8:
            done.append(ClockSaid(self.at_ns, press=side))
        return done

    def fumble(self) -> list[Input]:
        square = self.dice.randrange(len(self.pieces))
        before = self.pieces[square]
        found = [self._put(square, self.dice.choice([EMPTY, EMPTY, *self.shown]))]
        if self.dice.random() < 0.7:
            found.append(self._put(square, before))
        return found

    def clock(self) -> list[Input]:
        side = self.dice.choice(list(Colour))
        white, black = self.dice.randrange(200_000), self.dice.randrange(200_000)
        return [
            self.dice.choice(
                [
                    ClockSaid(self.at_ns, white, black, running=side, running_said=True),
                    ClockSaid(self.at_ns, white, black, press=side),
                    ClockSaid(self.at_ns, flag=side),
                    ClockSaid(self.at_ns, pause=True),
                ]
            )
        ]

    def act(self) -> list[Input]:
        said = self.dice.choice(
            [
                {"action": "pause"},
                {"action": "resume"},
                {"action": "resign", "side": "white"},
                {"action": "draw-offer", "side": "black"},
                {"action": "claim", "claim": "threefold", "side": "white"},
                {"action": "claim", "claim": "flag", "side": "black"},
                {"action": "confirm", "ruling": "1-0001"},
                {"action": "dismiss", "ruling": "1-0002"},
                {"action": "set-move", "op": "take-back"},
                {"action": "set-result", "result": self.dice.choice([None, "1-0"]), "reason": "x"},
                {"action": "set-position", "fen": self.rules.fen(self.position)},
                {"action": "start-game"},
            ]
        )
        return [act_of(read_command({"by": "A", **said}), self.at_ns)]

    def link(self) -> list[Input]:
        sensing = Sensing(SensingClass.IDENTITY, 200 * MS, self.rules.geometry)
        down = LinkDown(self.at_ns, "the cable")
        up = LinkUp(self.at_ns + 5, "test", "", sensing)
        self.at_ns += 10
        return [Fault(down.at_ns, Noise.STRAY), down, up, Scan(self.at_ns, tuple(self.pieces))]


WHOLE = [pytest.mark.slow, pytest.mark.timeout(3600)]
CASES = [
    pytest.param(range(3), 400, id="slice"),
    pytest.param(range(60), 3000, id="whole", marks=WHOLE),
]
BROKE = [("shogi", 7), ("guadalete", 45), ("shogi", 42)]
"""Long storms in which a table once broke."""


@pytest.mark.parametrize(("name", "seed"), BROKE)
def test_what_once_broke_a_table_breaks_none(name: str, seed: int) -> None:
    test_no_storm_breaks_a_table(name, range(seed, seed + 1), 3000)


@pytest.mark.parametrize(("seeds", "length"), CASES)
@pytest.mark.parametrize("name", ["chess", "chess960", "shogi", "guadalete"])
def test_no_storm_breaks_a_table(name: str, seeds: range, length: int) -> None:
    for seed in seeds:
        table = Table(TableSetup(ruleset=name, rate=RATES[seed % 2]))
        numbered = enumerate(Storm(name, seed).inputs(length), 1)

        events = [
            json.loads(output.payload)
            for _, step in play(table, numbered)
            for output in step.outputs
            if output.seq is not None
        ]

        assert [event["seq"] for event in events] == list(range(1, len(events) + 1)), seed
        on_air: dict[tuple[str, int], int] = {}
        for event in (event for event in events if "uci" in event):
            half_move = (event["game"], event["ply"])
            assert event.get("replaces") == on_air.pop(half_move, None), "what it corrects"
            if event["uci"] is not None or event.get("irregular"):
                on_air[half_move] = event["seq"]
