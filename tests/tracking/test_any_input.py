"""Whatever arrives: no exception, bounded memory, and put back right the game goes on."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from arbiterd.rules.chess import ChessRules
from arbiterd.rules.ruleset import Colour
from arbiterd.tracking.facts import CHANGES_KEPT, MoveMade
from arbiterd.tracking.settings import TrackingSettings
from arbiterd.tracking.tracker import Tracker
from arbiterd.tracking.weights import EXPLANATIONS_MAX
from eboards.events import Sensing, SensingClass

from .hands import MS, SECOND, Hands

RULES = ChessRules()
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
PIECES = st.sampled_from(".PNBRQKpnbrqk?wb")
SQUARES = st.integers(0, 63)
SIDES = st.sampled_from(list(Colour))


def assert_bounded(tracker: Tracker) -> None:
    assert len(tracker._belief.book.changes) <= 2 * CHANGES_KEPT
    assert len(tracker._belief.live) <= EXPLANATIONS_MAX
    assert len(tracker._belief.lines()) < 500
    assert len(tracker._belief.sensors._seen) <= 257
    assert len(tracker.turn.changes) <= CHANGES_KEPT


class AnyInput(RuleBasedStateMachine):
    """Inputs in any order; time goes on by whatever it likes."""

    def __init__(self) -> None:
        super().__init__()
        self.at_ns = 0
        sensing = Sensing(SensingClass.IDENTITY, 200 * MS)
        self.tracker = Tracker(RULES, sensing, TrackingSettings(), RULES.start(), 0)

    @rule(square=SQUARES, piece=PIECES)
    def change(self, square: int, piece: str) -> None:
        self.tracker.changed(self.at_ns, square, piece)

    @rule(number=st.integers(0, 40))
    def legal_move(self, number: int) -> None:
        moves = RULES.legal_moves(self.tracker.position)
        if moves:
            for square, piece in RULES.footprint(self.tracker.position, moves[number % len(moves)]):
                self.tracker.changed(self.at_ns, square, piece)

    @rule(pieces=st.lists(PIECES, min_size=64, max_size=64))
    def scan(self, pieces: list[str]) -> None:
        self.tracker.scanned(self.at_ns, tuple(pieces))

    @rule()
    def put_back(self) -> None:
        self.tracker.scanned(self.at_ns, RULES.placement(self.tracker.position))

    @rule(side=SIDES, late=st.integers(0, 3 * SECOND))
    def press(self, side: Colour, late: int) -> None:
        self.tracker.pressed(self.at_ns, side, late)

    @rule(runs=st.none() | SIDES, known=st.booleans())
    def clock(self, runs: Colour | None, known: bool) -> None:
        self.tracker.clock(self.at_ns, runs, known)

    @rule(up=st.booleans(), kind=st.sampled_from(list(SensingClass)))
    def link(self, up: bool, kind: SensingClass) -> None:
        self.tracker.link(self.at_ns, up, Sensing(kind, 100 * MS) if up else None)

    @rule(square=SQUARES, down=st.booleans())
    def finger(self, square: int, down: bool) -> None:
        self.tracker.felt(self.at_ns, square, down)

    @rule(plies=st.integers(0, 8))
    def arbiters_line(self, plies: int) -> None:
        line = [ply.move for ply in self.tracker.record.plies][:plies]
        if all(line):
            self.tracker.set_line(self.at_ns, line)

    @rule()
    def end(self) -> None:
        self.tracker.end_game(self.at_ns)

    @rule()
    def resume(self) -> None:
        self.tracker.resume_game(self.at_ns)

    @rule()
    def begin(self) -> None:
        self.tracker.begin_game(self.at_ns, RULES.start())

    @rule()
    def put_down_and_take_up(self) -> None:
        self.tracker = Tracker.restored(RULES, TrackingSettings(), self.tracker.checkpoint())

    @rule(milliseconds=st.integers(0, 9_000))
    def wait(self, milliseconds: int) -> None:
        until_ns = self.at_ns + milliseconds * MS
        while (due_ns := self.tracker.due_at_ns) is not None and due_ns <= until_ns:
            assert due_ns >= self.at_ns
            self.at_ns = due_ns
            self.tracker.due(due_ns)
        self.at_ns = until_ns

    @invariant()
    def bounded_and_of_one_mind(self) -> None:
        assert_bounded(self.tracker)
        positions = self.tracker.record.positions(RULES)
        assert positions[-1] == self.tracker.position
        assert self.tracker.turn.ply == len(self.tracker.record.plies) + 1


AnyInput.TestCase.settings = settings(max_examples=40, stateful_step_count=30)
TestAnyInput = AnyInput.TestCase


def rummage(seed: int, changes: int) -> None:
    """Random lifts and placements; then the pieces are put back and the game goes on."""
    dice = Random(seed)
    hands = Hands().scan(START).move("e2", "e4").press("white")
    for _ in range(changes):
        hands.now_ns += dice.randrange(10, 400) * MS
        hands.facts.clear()
        hands.wait(0)
        hands.tracker.changed(hands.now_ns, dice.randrange(64), dice.choice(".PNBRQKpnbrqk"))
    assert_bounded(hands.tracker)
    position = hands.tracker.position
    hands.pieces = list(hands.tracker.placement)
    board = RULES.fen(position).split()[0]
    hands.scan(board).wait(8)

    move = RULES.legal_moves(hands.tracker.position)[0]
    plies = len(hands.moves)
    for square, piece in RULES.footprint(hands.tracker.position, move):
        hands.facts += hands.tracker.changed(hands.now_ns, square, piece)
    hands.wait(8)
    assert len(hands.moves) == plies + 1
    assert hands.of(MoveMade)[-1].move == hands.moves[-1]


@pytest.mark.parametrize("seed", range(3))
def test_random_lifts_and_placements_leave_a_game_that_goes_on(seed: int) -> None:
    rummage(seed, 400)


@given(st.integers(0, 10**6))
@settings(max_examples=15)
def test_going_on_from_a_checkpoint_tells_the_same(seed: int) -> None:
    """At every input the tracker is put down and taken up; nothing it tells is different."""
    assert told(seed, checkpoints=True) == told(seed, checkpoints=False)


def told(seed: int, *, checkpoints: bool) -> list[object]:
    dice = Random(seed)
    hands = Hands().scan(START)

    def rest() -> None:
        if checkpoints:
            kept = hands.tracker.checkpoint()
            hands.tracker = Tracker.restored(RULES, TrackingSettings(), kept)
            assert hands.tracker.checkpoint() == kept

    for _ in range(12):
        position = hands.tracker.position
        moves = RULES.legal_moves(position)
        if not moves:
            break
        written = list(RULES.footprint(position, dice.choice(moves)))
        dice.shuffle(written)
        if dice.random() < 0.3:
            written.insert(dice.randrange(len(written)), (dice.randrange(64), "."))
        for square, piece in written:
            hands.show(RULES.geometry.names[square], piece)
            rest()
        if dice.random() < 0.7:
            hands.press(RULES.turn(position).value)
            rest()
        hands.wait(dice.choice((0.1, 1.0, 5.0)))
        rest()
    return hands.facts
