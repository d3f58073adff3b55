"""Games in a row at one table, and whatever happens between them: each is told as itself, and
nobody is accused of anything that was done when no game was on."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from arbiterd.messages.commands import act_of, read_command
from arbiterd.rules.ruleset import Colour
from arbiterd.simulation.famous import FAMOUS
from eboards.events import EMPTY, Piece, Square

from .wired import CHESS, SECOND, Hall

START = CHESS.placement(CHESS.start())
NAMES = CHESS.geometry.names
GAMES = 3
OF_NO_MOVE = ("end-", "result-", "tech-", "flag-")
SIDE = {Colour.WHITE: "left", Colour.BLACK: "right"}


class Evening(Hall):
    """Who ends games, starts clocks and puts pieces away does so by the dice."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.dice = Random(seed)
        self.pieces = list(START)
        self.played: list[list[str]] = []
        self._time = self.dice.choice([180_000, 600_000, 5_400_000])
        self.board.set_times(self._time, self._time, 0)

    def pause(self, *seconds: float) -> None:
        self.wait(round(self.dice.choice(seconds) * SECOND))

    def put(self, square: Square, piece: Piece, *seconds: float) -> None:
        self.pieces[square] = piece
        self.board.set_square(square, piece, self.now_ns)
        self.pause(*(seconds or (0.4,)))

    def run(self) -> Evening:
        self.plug_in()
        for _ in range(GAMES):
            moves = list(self.dice.choice(FAMOUS).moves)
            self._game(moves[: self.dice.choice([6, 15, 30, len(moves)])])
            self._ends()
            self._meanwhile()
            self._ready()
        self.pause(20)
        return self

    def _game(self, moves: list[str]) -> None:
        """The clock is started by Black or an arbiter, or after White's first move only."""
        self.played.append(moves)
        self.position = CHESS.start()
        way = self.dice.choice(["black", "arbiter", "late"])
        if way == "late":
            self.make(moves[0])
            self.pause(2)
            self.board.press("left", self.now_ns)
        self.board.start(self.now_ns)
        self.pause(1)
        for text in moves[way == "late" :]:
            side = CHESS.turn(self.position)
            self.make(text)
            self.board.press(SIDE[side], self.now_ns)
            self.pause(0.3)

    def make(self, text: str) -> None:
        self.pause(0.5, 1, 2, 5)
        super().make(text)

    def _ends(self) -> None:
        """A result is entered, kings are put in the centre, clocks are stopped, a flag falls, or
        the players just leave."""
        way = self.dice.choice(["result", "kings", "stop", "flag", "nothing"])
        self.pause(5, 10, 40)  # A half-move that nobody pressed for is told after four seconds.
        if way == "flag":
            self.pause(200)
        self.stopped = way in ("kings", "stop", "result")
        if self.stopped:
            self.board.stop(self.now_ns)
            self.pause(2)
        if way == "kings":
            self._kings()
        elif way == "result":
            result = self.dice.choice(["1-0", "0-1", "1/2-1/2"])
            said = read_command({"by": "ana", "action": "set-result", "result": result})
            self._take(act_of(said, self.now_ns))
            self.pause(2)

    def _kings(self) -> None:
        for name in ("e4", "d5"):
            if self.pieces[NAMES.index(name)] != EMPTY:
                self.put(NAMES.index(name), EMPTY, 1)
        for king, name in (("K", "e4"), ("k", "d5")):
            if king in self.pieces:
                self.put(self.pieces.index(king), EMPTY, 0.5)
            self.put(NAMES.index(name), king, 1)
        self.pause(10)

    def _meanwhile(self) -> None:
        """In any order: pieces are set up, times set, the game is looked at again, and some of what
        is electric is off for a while."""
        todo = [self._set_up, self._set_times]
        often = [(self._clock_off, 0.25), (self._cable, 0.25), (self._power, 0.2)]
        if self.stopped:
            often += [(self._levers, 0.5), (self._look_again, 0.3)]
        todo += [deed for deed, share in often if self.dice.random() < share]
        self.dice.shuffle(todo)
        for deed in todo:
            deed()

    def _ready(self) -> None:
        self._set_up()
        self.board.stop(self.now_ns)
        self.board.set_times(self._time, self._time, self.now_ns)
        self.pause(6, 30, 120)
        self.board.press("right", self.now_ns)
        self.pause(1)

    def _set_up(self) -> None:
        for square, piece in enumerate(START):
            if self.pieces[square] not in (piece, EMPTY):
                self.put(square, EMPTY, 0.4)
        for square, piece in enumerate(START):
            if self.pieces[square] != piece:
                self.put(square, piece, 0.5)

    def _set_times(self) -> None:
        self.board.stop(self.now_ns)
        self.pause(0.5, 3)
        if self.dice.random() < 0.5:
            self.board.set_times(0, 0, self.now_ns)
            self.pause(1)
        self._time = self.dice.choice([180_000, 600_000, 5_400_000])
        self.board.set_times(self._time, self._time, self.now_ns)
        self.pause(2)

    def _clock_off(self) -> None:
        self.board.plug_clock(connected=False, at_ns=self.now_ns)
        self.pause(3, 60)
        self.board.plug_clock(connected=True, at_ns=self.now_ns)
        self.pause(2)

    def _cable(self) -> None:
        self.pull_out(self.dice.random() < 0.7)
        self.pause(5, 60)
        if self.dice.random() < 0.4:
            self._set_up()
        self.plug_in()

    def _power(self) -> None:
        self.board.power_cycle(self.now_ns)
        self.pause(8)

    def _levers(self) -> None:
        for _ in range(self.dice.randrange(1, 4)):
            self.board.press(self.dice.choice(["left", "right"]), self.now_ns)
            self.pause(0.3, 1, 4)

    def _look_again(self) -> None:
        """Pieces go anywhere, one after another."""
        for _ in range(self.dice.randrange(5, 30)):
            here = self.dice.choice([n for n, piece in enumerate(self.pieces) if piece != EMPTY])
            piece, there = self.pieces[here], self.dice.randrange(64)
            self.put(here, EMPTY, 0.3, 1)
            if self.pieces[there] != EMPTY:
                self.put(there, EMPTY, 0.3)
            self.put(there, piece, 0.5)

    @property
    def games(self) -> list[list[str]]:
        """As a reader holds them that have a half-move."""
        found: dict[str, dict[int, str]] = {}
        for told in self.moves:
            game = found.setdefault(told["game"], {})
            if told["san"] is None and not told.get("irregular"):
                game.pop(told["ply"], None)
            else:
                game[told["ply"]] = told["uci"] or ""
        return [[game[ply] for ply in sorted(game)] for game in found.values() if game]

    @property
    def accused(self) -> list[str]:
        """What an arbiter was called for against a player, ever."""
        calls: list[dict[str, Any]] = [
            told for told in self.told if told["topic"] == "rulings" and told["urgency"] in (1, 2)
        ]
        return [
            ruling["text"]["en"]["line"]
            for ruling in calls
            if ruling["against"] and not ruling["kind"].startswith(OF_NO_MOVE)
        ]


@pytest.mark.parametrize(
    "seeds",
    [
        pytest.param(range(8), id="slice"),
        pytest.param(range(8, 320), id="whole", marks=[pytest.mark.slow, pytest.mark.timeout(900)]),
    ],
)
def test_each_game_is_told_as_itself_and_nobody_is_accused(seeds: range) -> None:
    for seed in seeds:
        evening = Evening(seed).run()
        assert evening.games == evening.played, seed
        assert not evening.accused, (seed, evening.accused)
