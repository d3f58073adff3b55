"""Shogi and the river game over the open protocol's wire, for every class of sensing.

Games are played at random from a seed and end anywhere. A board that tells pieces apart gives every
game exactly. Where kinds, faces or pieces cannot be told a game may come out otherwise; then each
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
from arbiterd.table.inputs import ClockSaid, Input
from arbiterd.table.scenario import sensed
from arbiterd.table.setup import TableSetup
from arbiterd.table.table import Table
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
    doubts: frozenset[str]
    """What kind of doubt each half-move is that came out otherwise."""
    same_pictures: bool
    """The record shows these sensors what was played, half-move by half-move: play as it went
    cannot tell them apart."""

    @property
    def exact(self) -> bool:
        return self.moves == self.record


class Desk:
    """A board on a wire, a clock beside it, and the table that reads both."""

    def __init__(
        self,
        name: str,
        kind: SensingClass,
        *,
        counters: bool = False,
        stands: bool = False,
        start: str = "",
        handicaps: bool = False,
    ) -> None:
        choices = {"counters_sensed": True} if counters else {}
        choices |= {"handicaps": True} if handicaps else {}
        self.rules = chosen(name, choices)
        self.position = self.rules.start(start)
        geometry = self.rules.geometry
        self.board = CppEmulator(list(self.rules.placement(self.position)), geometry, kind)
        self.codec = CppCodec(geometry, kind)
        said = "" if handicaps else start
        self.table = Table(TableSetup(ruleset=name, rules=tuple(choices.items()), start=said))
        self.told: list[dict[str, Any]] = []
        self.now_ns, self._inputs = 0, 0
        self.stands, self.turned = stands, False
        self._pace = Random(1)
        """Of hands at the stands: the game itself is the same with them and without."""
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

    def _own(self, square: int) -> int:
        """The square as the board counts it, which may lie the other way round."""
        return self.rules.geometry.turned(square) if self.turned else square

    def play(self, move: Any, dice: Random) -> None:
        """By hand: lifted, the victim first or dragged off, put down, pressed."""
        rules, before = self.rules, self.rules.placement(self.position)
        changes = dict(rules.footprint(self.position, move))
        touched = list(rules.touched(self.position, move))
        side = rules.turn(self.position)
        takes = len(touched) > 1 and rules.owner(before[touched[1]]) is not side
        if takes and dice.random() < 0.7:
            touched = touched[::-1] if dice.random() < 0.5 else touched[:1]
        after = rules.play(self.position, move)
        if self.stands and not touched:
            # Dropped: the piece leaves the stand first.
            self.board.set_hands(stands(rules, after))
            self.wait(self._pace.randrange(300, 900) * MS)
        for square in touched:
            if before[square] != EMPTY:
                self.board.set_square(self._own(square), EMPTY, self.now_ns)
                self.wait(dice.randrange(300, 900) * MS)
        for square, piece in sorted(changes.items(), key=lambda change: change[1] == EMPTY):
            self.board.set_square(self._own(square), piece, self.now_ns)
            self.wait(dice.randrange(300, 900) * MS)
        self.wait(dice.randrange(500, 900) * MS)
        late = self.stands and self._pace.random() < 0.5
        if self.stands and not late:
            self.board.set_hands(stands(rules, after))
            self.wait(self._pace.randrange(300, 900) * MS)
        self._take(ClockSaid(self.now_ns, press=side))
        self.position = after
        if late:
            self.wait(self._pace.randrange(300, 2_000) * MS)
            self.board.set_hands(stands(rules, after))
        self.wait(dice.randrange(1_000, 5_000) * MS)


def stands(rules: Any, position: Any) -> str:
    """What lies on the hand stands."""
    return str(rules.fen(position)).split()[2]


def game(
    name: str, kind: SensingClass, seed: int, *, counters: bool = False, stands: bool = False
) -> Played:
    dice, moves = Random(seed), []
    desk = Desk(name, kind, counters=counters, stands=stands)
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
    return Played(
        moves,
        record,
        _silent(moves, desk),
        alarms,
        frozenset(map(_doubt, moves, record)) - {""},
        pictures(desk, moves) == pictures(desk, record),
    )


def _doubt(played: str, told: str) -> str:
    if played == told:
        return ""
    if played.rstrip("+") == told.rstrip("+"):
        return "face"
    if "*" in played and "*" in told:
        return "dropped"
    return "taken" if played[:2] == told[:2] else "other"


def pictures(desk: Desk, moves: list[str]) -> list[Any]:
    """What the sensors show after each half-move, and the stands where they are sensed."""
    rules, position = desk.rules, desk.rules.start()
    shown = []
    for text in moves:
        position = rules.play(position, rules.parse(position, text))
        pieces = sensed(rules.placement(position), desk.codec.sensing.kind)
        shown.append((pieces, stands(rules, position) if desk.stands else ""))
    return shown


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
    ("shogi", SensingClass.IDENTITY, ""),
    ("shogi", SensingClass.KIND, ""),
    ("shogi", SensingClass.OCCUPANCY, ""),
    ("shogi", SensingClass.OCCUPANCY, "stands"),
    ("guadalete", SensingClass.IDENTITY, "counters"),
    ("guadalete", SensingClass.IDENTITY, ""),
    ("guadalete", SensingClass.COLOUR, ""),
    ("guadalete", SensingClass.OCCUPANCY, ""),
]
GAMES = [
    pytest.param(2, id="slice"),
    pytest.param(200, id="whole", marks=[pytest.mark.slow, pytest.mark.timeout(7200)]),
]


@pytest.mark.parametrize("games", GAMES)
@pytest.mark.parametrize(("name", "kind", "besides"), WIRES)
def test_games_come_out_exact_or_say_that_they_may_not(
    name: str, kind: SensingClass, besides: str, games: int
) -> None:
    counters, stands = besides == "counters", besides == "stands"
    played = [game(name, kind, seed, counters=counters, stands=stands) for seed in range(games)]

    inexact = [one for one in played if not one.exact]
    silent = {seed: one.silent for seed, one in enumerate(played) if one.silent}
    alarms = sum((one.alarms for one in played), Counter())
    doubts = Counter("+".join(sorted(one.doubts)) or "length" for one in inexact)
    alike = sum(one.same_pictures for one in inexact)
    print(f"\n{name}, {kind} {besides}: {games - len(inexact)} of {games} exact,")
    print(f"  {len(inexact) - len(silent)} flagged {dict(doubts)}, {len(silent)} in silence;")
    print(f"  {alike} of them look the same to these sensors from the first to the last half-move")
    print(f"  alarms: {dict(alarms)}")
    assert silent == {}
    assert alike == len(inexact), "what its sensors can tell apart is told apart"
    assert set(alarms) <= RULED
    if kind is SensingClass.IDENTITY:
        assert inexact == []
    if kind is SensingClass.KIND:
        assert set(doubts) <= {"face"}, "nothing else is left open"
    if stands:
        assert not any("dropped" in one.doubts for one in inexact), "the stand tells"


HANDICAP = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"


@pytest.mark.parametrize("handicaps", [False, True], ids=["configured", "recognised"])
@pytest.mark.parametrize("turned", [False, True], ids=["upright", "turned"])
def test_a_handicap_game_comes_over_a_wire(handicaps: bool, turned: bool) -> None:
    dice = Random(3)
    desk = Desk("shogi", SensingClass.IDENTITY, start=HANDICAP, handicaps=handicaps)
    if turned:
        desk.board.pieces.reverse()
    desk.turned = turned
    desk.wait(10_000 * MS)
    moves = []
    for _ in range(12):
        move = dice.choice(desk.rules.legal_moves(desk.position))
        moves.append(desk.rules.wire(desk.position, move))
        desk.play(move, dice)
    desk.wait(10_000 * MS)

    assert list(desk.table.moves) == moves
    assert desk.table.view.tracker.record.start == HANDICAP
    assert [told["kind"] for told in desk.told if told["topic"] == "rulings"] == []


def test_an_array_that_lacks_pieces_is_a_wrong_start_unless_handicaps_are_played() -> None:
    desk = Desk("shogi", SensingClass.IDENTITY)
    for name in ("8b", "2b"):
        desk.board.pieces[desk.rules.geometry.square(name)] = EMPTY
    desk.wait(10_000 * MS)

    assert "sh-wrong-start" in [told.get("kind") for told in desk.told]
