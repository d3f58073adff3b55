"""Whatever hands, clocks and arbiters do at random: no game is ruled by a row that is not its own,
and no table stops."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from tests.rules.test_a_new_rule_set import PawnRace

from arbiterd.laws.catalogue import ROWS
from arbiterd.rules.registry import ruleset
from arbiterd.rules.ruleset import board_field
from arbiterd.table.playback import play
from arbiterd.table.scenario import read_scenario
from arbiterd.table.table import Table
from eboards.events import EMPTY

GAMES = ("shogi", "guadalete", PawnRace.name)
FAILED_ONCE = [90, 164]
SIDES = ("white", "black")
CLAIMS = ("threefold", "flag", "illegal-move", "touched-piece", "checkmate", "declaration", "x")
REPORTS = [row.id for row in ROWS.values() if row.entered]


class AnyHands:
    """One table at which anything may happen, from a seed."""

    def __init__(self, game: str, seed: int) -> None:
        self.dice, self.rules = Random(seed), ruleset(game)
        self.home = list(self.rules.placement(self.rules.start()))
        self.pieces, self.t = list(self.home), 0
        self.hand: list[str] = []
        self.runs = self.rules.first.value
        self.head = {
            "scenario": f"{game} {seed}",
            "ruleset": game,
            "rate": {
                "kind": self.dice.choice(("standard", "rapid", "blitz")),
                "supervised": self.dice.random() < 0.5,
                "time": ["10:00+5"],
            },
            "clock": {"white_ms": 605_000, "black_ms": 605_000, "running": self.runs},
        }

    def scenario(self) -> str:
        lines = [self.head, *(self._line() for _ in range(self.dice.randrange(3, 40)))]
        return "\n".join(json.dumps(line) for line in lines)

    def _line(self) -> dict[str, Any]:
        self.t += self.dice.choice((100, 300, 800, 2000, 9000, 100_000))
        does = self.dice.choices(
            (self._hand, self._press, self._clock, self._link, self._scan, self._act),
            (50, 15, 8, 3, 3, 20),
        )[0]
        return {"t": self.t, **does()}

    def _hand(self) -> dict[str, Any]:
        square = self.dice.randrange(len(self.pieces))
        name = self.rules.geometry.names[square]
        if self.pieces[square] != EMPTY and self.dice.random() < 0.5:
            self.hand.append(self.pieces[square])
            self.pieces[square] = EMPTY
            return {"lift": name}
        if not self.hand:
            return self._press()
        self.pieces[square] = self.hand.pop()
        return {"place": name, "piece": self.pieces[square]}

    def _press(self) -> dict[str, Any]:
        pressed, self.runs = self.runs, SIDES[self.runs == "white"]
        return {"press": pressed}

    def _clock(self) -> dict[str, Any]:
        times = {f"{side}_ms": self.dice.randrange(10**7) for side in SIDES}
        return self.dice.choice(
            (
                {"pause": True},
                {"clock": None},
                {"flag": self.dice.choice(SIDES)},
                {"clock": {**times, "running": self.dice.choice((*SIDES, None))}},
            )
        )

    def _link(self) -> dict[str, Any]:
        return {"link": self.dice.choice(("up", "down"))}

    def _scan(self) -> dict[str, Any]:
        self.pieces, self.hand = list(self.home), []
        return {"scan": board_field(self.rules.geometry, self.home)}

    def _act(self) -> dict[str, Any]:
        side, kind = self.dice.choice(SIDES), self.dice.choice(list(ROWS))
        said = self.dice.choice(
            (
                {"action": "claim", "claim": self.dice.choice(CLAIMS), "side": side},
                {"action": "report", "kind": self.dice.choice(REPORTS), "side": side},
                {"action": "confirm", "ruling": kind},
                {"action": "draw-offer", "side": side},
                {"action": "resign", "side": side},
                {"action": "set-result", "result": None},
                {"action": "set-move", "op": "take-back", "ply": 1},
            )
        )
        return {"act": {"by": "An arbiter", **said}}


@pytest.mark.parametrize("seed", [*range(40), *FAILED_ONCE])
@pytest.mark.parametrize("game", GAMES)
def test_no_table_stops_and_every_ruling_is_of_its_game(game: str, seed: int) -> None:
    scenario = read_scenario(AnyHands(game, seed).scenario())
    customs = ruleset(game).customs
    for _, step in play(Table(scenario.setup), enumerate(scenario.inputs, 1)):
        for output in step.outputs:
            if output.topic == "rulings":
                assert ROWS[json.loads(output.payload)["kind"]].holds(customs)


def test_a_piece_between_squares_is_told_in_every_game() -> None:
    for game in GAMES:
        assert ROWS["move-between-squares"].holds(ruleset(game).customs)
