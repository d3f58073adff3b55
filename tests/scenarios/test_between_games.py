"""Games in a row at one table, and whatever happens between them: each is told as itself, and
nobody is accused of anything that was done when no game was on."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from arbiterd.rules.registry import ruleset
from arbiterd.simulation.famous import FAMOUS
from arbiterd.table import Table as WholeTable
from arbiterd.table.playback import play
from eboards.events import CHESS_BOARD, EMPTY

from .conftest import Table

START = ruleset("chess").placement(ruleset("chess").start())
GAMES = 3
OF_NO_PLAYER = ("end-", "result-", "tech-")


class Evening:
    """One table: who ends games, starts clocks and puts pieces away does so by the dice."""

    def __init__(self, seed: int) -> None:
        self.dice, self.table = Random(seed), Table()
        self.played: list[list[str]] = []

    def run(self) -> Evening:
        for number in range(GAMES):
            moves = list(self.dice.choice(FAMOUS).moves)
            self._begin(moves[: self.dice.choice([6, 15, 30, len(moves)])], first=not number)
            self._end()
            self._meanwhile()
            self._set_up()
            self._try_the_clock()
            self.table.wait(self.dice.choice([6, 60, 300]))
        return self

    def _begin(self, moves: list[str], first: bool) -> None:
        """The clock is started by Black or an arbiter, or after White's first move only."""
        table, way = self.table, self.dice.choice(["black", "arbiter", "late"])
        self.played.append(moves)
        table.position = table.rules.start()
        if first:
            table.make(*moves)
        elif way == "late":
            table.make(moves[0], press=False).wait(2).start_clock("black").make(*moves[1:])
        else:
            table.press("black") if way == "black" else table.start_clock("white")
            table.make(*moves)

    def _end(self) -> None:
        """A result is entered, kings are put in the centre, clocks are stopped, or nothing."""
        table, way = self.table, self.dice.choice(["result", "kings", "pause", "nothing"])
        table.wait(self.dice.choice([3, 20, 100]))
        self.over = way != "nothing"
        if self.over:
            table.pause()
        if way == "kings":
            self._kings()
        elif way == "result":
            table._act(action="set-result", result=self.dice.choice(["1-0", "0-1", "1/2-1/2"]))
        table.wait(10)

    def _kings(self) -> None:
        table = self.table
        for name in ("e4", "d5"):
            if table.pieces[CHESS_BOARD.square(name)] != EMPTY:
                table.lift(name)
        for king, name in (("K", "e4"), ("k", "d5")):
            if king in table.pieces:
                table.lift(CHESS_BOARD.names[table.pieces.index(king)])
            table.place(name, king)

    def _meanwhile(self) -> None:
        """The game is looked at again, the clock is switched off, the cable is pulled."""
        table, dice = self.table, self.dice
        if self.over and dice.random() < 0.4:
            for _ in range(dice.randrange(5, 40)):
                here = dice.choice([n for n, piece in enumerate(table.pieces) if piece != EMPTY])
                table.lift(CHESS_BOARD.names[here], after=dice.choice([0.2, 0.5, 2]))
                there = CHESS_BOARD.names[dice.randrange(64)]
                if table.pieces[CHESS_BOARD.square(there)] != EMPTY:
                    table.lift(there)
                    table.hand.pop()
                table.place(there, after=dice.choice([0.3, 1]))
        if dice.random() < 0.3:
            table.no_clock()
        if dice.random() < 0.3:
            table.link(False).wait(dice.choice([3, 30, 300]))
            if dice.random() < 0.5:
                self._set_up()
            table.link(True)

    def _set_up(self) -> None:
        table = self.table
        for number, name in enumerate(CHESS_BOARD.names):
            if table.pieces[number] not in (START[number], EMPTY):
                table.lift(name, after=0.4)
        table.hand.clear()
        for number, name in enumerate(CHESS_BOARD.names):
            if table.pieces[number] != START[number]:
                table.place(name, START[number], after=0.5)

    def _try_the_clock(self) -> None:
        table = self.table.pause()
        for _ in range(self.dice.randrange(3)):
            table.start_clock(self.dice.choice(["white", "black"])).wait(self.dice.choice([1, 5]))
            table.pause()

    def told(self) -> tuple[list[list[str]], list[str]]:
        """What a whole table has published of it: the games, and what it called an arbiter for
        against a player."""
        games: dict[str, dict[int, str]] = {}
        rulings: dict[str, dict[str, Any]] = {}
        inputs = enumerate(self.table.scan().inputs, 1)
        for _, step in play(WholeTable(self.table.setup), inputs):
            for output in step.outputs:
                said = json.loads(output.payload) if output.seq and output.payload else {}
                if output.topic == "moves" and said:
                    game = games.setdefault(said["game"], {})
                    if said["san"] is None and not said.get("irregular"):
                        game.pop(said["ply"], None)
                    else:
                        game[said["ply"]] = said["uci"] or ""
                elif output.topic == "rulings" and output.urgency in (1, 2):
                    rulings[said["id"]] = said
        accused = [
            ruling["text"]["en"]["line"]
            for ruling in rulings.values()
            if ruling["against"] and not ruling["kind"].startswith(OF_NO_PLAYER)
        ]
        return [[game[ply] for ply in sorted(game)] for game in games.values()], accused


@pytest.mark.parametrize(
    "seeds",
    [
        pytest.param(range(10), id="slice"),
        pytest.param(
            range(10, 300), id="whole", marks=[pytest.mark.slow, pytest.mark.timeout(900)]
        ),
    ],
)
def test_each_game_is_told_as_itself_and_nobody_is_accused(seeds: range) -> None:
    for seed in seeds:
        evening = Evening(seed).run()
        games, accused = evening.told()
        assert games == evening.played, seed
        assert not accused, (seed, accused)
