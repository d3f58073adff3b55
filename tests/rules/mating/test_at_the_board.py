"""The four articles end to end: hands and clock at an emulated board, bytes in, rulings out."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import chess
import pytest

from arbiterd.journal.encode import decode, encode
from arbiterd.laws.act import Act
from arbiterd.messages.step import Output, Step
from arbiterd.rules.mating import CanMate, MatingAnswer, ProofKind
from arbiterd.rules.ruleset import Colour
from arbiterd.simulation.examiner import Examiner
from arbiterd.simulation.virtual import VirtualTime
from arbiterd.table.inputs import Input, MatingAnswered
from arbiterd.table.setup import TableSetup
from arbiterd.table.table import Table
from eboards.dgt.codec import DgtCodec
from eboards.dgt.emulated_clock import EmulatedClock
from eboards.dgt.emulator import DgtEmulator
from eboards.events import LinkUp

SECOND_NS = 1_000_000_000
SHORT_MS, LONG_MS = 6_000, 600_000
SETTLED_NS = 3 * SECOND_NS
"""The board has shown itself, and its clock runs."""


class AtTheBoard:
    """A board, its clock, the cable, the driver and the table, as one party of virtual time.

    White sits at the left; the clock of the side to move runs from the start.
    """

    def __init__(self, fen: str, short: Colour | None = None, illegal: tuple[int, int] = (0, 0)):
        white_moves = fen.split()[1] == "w"
        clock = EmulatedClock(
            left_ms=SHORT_MS if short is Colour.WHITE else LONG_MS,
            right_ms=SHORT_MS if short is Colour.BLACK else LONG_MS,
            right_high=not white_moves,
        )
        pieces = str(chess.Board(fen)).replace("\n", "").replace(" ", "")
        self.emulator = DgtEmulator(pieces, clock)
        self.emulator.start(0)
        self.codec = DgtCodec()
        self.setup = TableSetup(start=fen, orientation=0, illegal=illegal)
        self.table = Table(self.setup)
        self.outputs: list[Output] = []
        self.inputs: list[Input] = []
        self.examiner = Examiner()
        self._asks_ns: int | None = 0
        self._take(LinkUp(0, "dgt", "", self.codec.sensing))
        self.time = VirtualTime([self])
        self.time.run(SETTLED_NS)

    @property
    def due_at_ns(self) -> int | None:
        times = (
            self._asks_ns,
            self.emulator.due_at_ns,
            self.table.due_at_ns,
            self.examiner.due_at_ns,
        )
        return min((time for time in times if time is not None), default=None)

    def due(self, at_ns: int) -> None:
        if self._asks_ns is not None and self._asks_ns <= at_ns:
            asked, events = self.codec.due(at_ns)
            self.emulator.receive(asked, at_ns)
            for event in events:
                self._take(event)
        for event in self.codec.receive(self.emulator.advance(at_ns), at_ns):
            self._take(event)
        self._keep(self.table.due(at_ns))
        for answer in self.examiner.answers(at_ns):
            self._take(answer)
        self._asks_ns = self.codec.due_at_ns

    def _take(self, item: Input) -> None:
        self.inputs.append(item)
        self._keep(self.table.take(len(self.inputs), item))

    def _keep(self, step: Step) -> None:
        self.outputs += [output for output in step.outputs if output.payload]
        self.examiner.asked(self.table.questions, self.table.at_ns)

    # What people do.

    def wait(self, seconds: float) -> None:
        # What a hand or an act has just done is another appointment.
        self.time.wake(self)
        self.time.run(self.time.at_ns + int(seconds * SECOND_NS))

    def move(self, uci: str) -> None:
        """A hand moves a piece, legally or not, and takes what stands there."""
        move = chess.Move.from_uci(uci)
        piece = self.emulator.lift(move.from_square ^ 56, self.time.at_ns)
        self.wait(1)
        self.emulator.place(move.to_square ^ 56, piece, self.time.at_ns)
        self.wait(1)

    def press(self, side: str) -> None:
        assert self.emulator.press(side, self.time.at_ns)
        self.wait(3)

    def act(self, action: str, **fields: Any) -> None:
        self._take(Act(self.time.at_ns, action, by="arbiter", **fields))
        self.wait(1)

    # What is heard.

    def rulings(self) -> dict[str, dict[str, Any]]:
        """The newest revision of each ruling by its kind."""
        told = [o.payload for o in self.outputs if o.topic == "rulings" and o.seq is not None]
        return {ruling["kind"]: ruling for ruling in map(json.loads, told)}

    def result(self) -> dict[str, Any]:
        return json.loads([o.payload for o in self.outputs if o.topic == "result"][-1])


WALL = "4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 60"
WALL_WITH_BISHOP = "5b2/p7/Pp3k2/1Pp1pBp1/2P1P1P1/5K2/8/8 w - - 0 60"
"""White's king can go round it and mate; Black's pieces can do nothing."""
KNIGHT_AND_ROOK = "8/8/8/4k3/8/3r4/4K3/6N1 b - - 0 60"
KNIGHT_AND_QUEEN = "8/8/8/4k3/8/3q4/8/4K1N1 b - - 0 60"

FLAGS = [
    (WALL, Colour.WHITE, "flag-unwinnable", "1/2-1/2"),
    (WALL_WITH_BISHOP, Colour.WHITE, "flag-unwinnable", "1/2-1/2"),
    (WALL_WITH_BISHOP.replace(" w ", " b "), Colour.BLACK, "flag-last-period", "1-0"),
    (KNIGHT_AND_ROOK, Colour.BLACK, "flag-last-period", "1-0"),
    (KNIGHT_AND_QUEEN, Colour.BLACK, "flag-unwinnable", "1/2-1/2"),
]


@pytest.mark.parametrize(("fen", "flagged", "kind", "result"), FLAGS)
def test_a_flag_falls(fen: str, flagged: Colour, kind: str, result: str) -> None:
    """6.9: drawn where the opponent can never mate, lost where they still could."""
    board = AtTheBoard(fen, short=flagged)
    board.wait(SHORT_MS / 1000 + 3)
    ruling = board.rulings()[kind]

    assert ruling["proposal"]["result"] == result
    assert ruling["certainty"] == "fact"
    assert ruling["against"] == flagged.value
    if kind == "flag-unwinnable":
        assert ruling["facts"]["opponent_can_mate"] == "impossible"
        assert ruling["facts"]["proof"].endswith(".")
    board.act("confirm", ruling=ruling["id"])
    assert board.result()["result"] == result


def test_a_wall_that_a_move_completes_is_dead_before_the_flag_falls() -> None:
    """5.2.2: Black's pawn closes it, the game is over, and a flag means nothing any more."""
    board = AtTheBoard("4k3/6p1/8/p2p4/P2P2P1/8/8/4K3 b - - 0 60", short=Colour.WHITE)
    board.move("g7g5")
    board.press("right")
    board.wait(SHORT_MS / 1000 + 3)
    rulings = board.rulings()

    assert rulings["end-dead"]["proposal"]["result"] == "1/2-1/2"
    assert "blocked for ever" in rulings["end-dead"]["facts"]["proof"]
    assert not {"flag-last-period", "flag-unwinnable"} & set(rulings)


def test_a_resignation_when_the_only_legal_move_mates_the_other_side() -> None:
    """5.1.2: Black resigns before ...Rxe1 mate. White has no series of moves at all."""
    board = AtTheBoard("3rkr2/3p1p2/8/8/8/8/PP6/K3R2r b - - 0 60")
    board.act("resign", side=Colour.BLACK)
    ruling = board.rulings()["resign-unwinnable"]

    assert ruling["proposal"]["result"] == "1/2-1/2"
    assert ruling["facts"]["proof_kind"] in {"terminal", "forced"}
    board.act("confirm", ruling=ruling["id"])
    assert board.result()["result"] == "1/2-1/2"


@pytest.mark.parametrize(
    ("white", "result"), [("4K3", "1/2-1/2"), ("4K2P", "1-0")], ids=["bare king", "king and pawn"]
)
def test_a_second_illegal_move(white: str, result: str) -> None:
    """7.5.5: Black's rook moves like a bishop, for the second time."""
    board = AtTheBoard(f"4k3/8/8/3r4/8/8/{white}/8 b - - 0 60", illegal=(0, 1))
    board.move("d5b3")
    board.press("right")
    ruling = board.rulings()["illegal-second"]

    assert ruling["proposal"]["result"] == result
    assert ruling["against"] == "black"
    board.act("confirm", ruling=ruling["id"])
    assert board.result()["result"] == result


LONG_PROOF = "8/1p2p1p1/1P2P1P1/Bp2pBp1/1P2P1P1/7k/1P2P3/3K4 b - - 0 60"
"""White can mate; to find the line takes more than a table may spend at once."""
LONG_FOR_BOTH = "k7/1pK3p1/6Pb/1p4pB/bP4P1/Bp6/1P4P1/8 b - - 0 60"
"""So can both, and for both it takes that much and more."""


def through_the_journal(board: AtTheBoard) -> list[tuple[str, bytes]]:
    """What the rows of this table lead to when they are read and folded again."""
    table, again = Table(board.setup), []
    for number, item in enumerate(board.inputs, 1):
        row = decode(*encode(item))
        assert row is not None
        assert not isinstance(row, TableSetup)
        again += table.take(number, row).outputs
        if number % 50 == 0:
            table = Table.restored(table.checkpoint())
    again += table.due(board.time.at_ns).outputs
    return [(output.topic, output.payload) for output in again if output.payload]


def test_a_flag_falls_and_the_proof_takes_long() -> None:
    """6.9: the ruling is there at once and says so; the answer revises it, and a replay agrees."""
    board = AtTheBoard(LONG_PROOF, short=Colour.BLACK)
    board.wait(SHORT_MS / 1000)
    first = board.rulings()["flag-last-period"]

    assert first["facts"]["opponent_can_mate"] == "being-examined"
    assert (first["certainty"], first["revision"]) == ("probable", 1)
    assert first["proposal"]["result"] == "1-0"
    assert "being examined" in first["text"]["en"]["detail"]
    assert "en examen" in first["text"]["es"]["detail"]

    board.wait(8)
    then = board.rulings()["flag-last-period"]

    assert (then["id"], then["revision"]) == (first["id"], 2)
    assert then["facts"]["opponent_can_mate"] == "possible"
    assert then["facts"]["otherwise"] is None
    assert (then["certainty"], then["proposal"]["result"]) == ("fact", "1-0")
    assert board.table.questions == ()
    assert through_the_journal(board) == [(o.topic, o.payload) for o in board.outputs]


def test_two_runs_of_the_same_examination_are_the_same() -> None:
    runs = [AtTheBoard(LONG_PROOF, short=Colour.BLACK) for _ in range(2)]
    for board in runs:
        board.wait(SHORT_MS / 1000 + 8)

    assert runs[0].outputs == runs[1].outputs
    assert runs[0].inputs == runs[1].inputs


class Told(Examiner):
    """A worker that is given its answer."""

    def __init__(self, answer: CanMate) -> None:
        super().__init__()
        self._answer = answer

    def answers(self, at_ns: int) -> list[MatingAnswered]:
        ready = super().ready(at_ns)
        proof = self._answer is CanMate.IMPOSSIBLE
        kind, text = (ProofKind.CLOSED_SET, "No mate can arise.") if proof else (None, None)
        return [
            MatingAnswered(
                at_ns,
                MatingAnswer(question, self._answer, 1, proof_kind=kind, proof_text=text),
            )
            for question in ready
        ]


def flag(board: AtTheBoard) -> None:
    board.wait(SHORT_MS / 1000)


def claimed_flag(board: AtTheBoard) -> None:
    board.wait(SHORT_MS / 1000)
    board.act("claim", claim="flag", side=Colour.WHITE)


def resignation(board: AtTheBoard) -> None:
    board.act("resign", side=Colour.BLACK)


def second_illegal_move(board: AtTheBoard) -> None:
    board.move("a8c8")
    board.press("right")


WAITING = [
    (flag, "flag-last-period", "flag-unwinnable", "opponent_can_mate"),
    (claimed_flag, "claim-flag", "claim-flag", "opponent_can_mate"),
    (resignation, "resign-unwinnable", "resign-unwinnable", "opponent_can_mate"),
    (second_illegal_move, "illegal-second", "illegal-second", "can_mate"),
]


@pytest.mark.parametrize("answer", CanMate)
@pytest.mark.parametrize(("deed", "kind", "drawn", "fact"), WAITING)
def test_whatever_waits_for_the_answer_follows_it(
    deed: Callable[[AtTheBoard], None], kind: str, drawn: str, fact: str, answer: CanMate
) -> None:
    short = Colour.BLACK if deed in (flag, claimed_flag) else None
    board = AtTheBoard(LONG_FOR_BOTH, short=short, illegal=(0, 1))
    board.examiner = Told(answer)
    deed(board)
    first = board.rulings()[kind]
    assert first["facts"][fact] == "being-examined"

    board.wait(8)
    then = board.rulings()[drawn if answer is CanMate.IMPOSSIBLE else kind]

    assert (then["id"], then["revision"]) == (first["id"], first["revision"] + 1)
    assert then["facts"][fact] == answer.value
    assert then["proposal"]["result"] == ("1/2-1/2" if answer is CanMate.IMPOSSIBLE else "1-0")
    if answer is CanMate.NOT_PROVEN:
        assert then["certainty"] == first["certainty"]
    else:
        assert then["certainty"] == "fact"
    board.act("confirm", ruling=then["id"])
    assert board.result()["result"] == then["proposal"]["result"]
    assert through_the_journal(board) == [(o.topic, o.payload) for o in board.outputs]


@pytest.mark.parametrize("answer", CanMate)
def test_a_dead_position_is_claimed_and_both_sides_are_examined(answer: CanMate) -> None:
    """5.2.2: a line to mate refutes the claim, two proofs make it sure."""
    board = AtTheBoard(LONG_FOR_BOTH)
    board.examiner = Told(answer)
    board.act("claim", claim="dead-position", side=Colour.WHITE)
    assert board.rulings()["end-dead"]["certainty"] == "probable"
    assert len(board.table.questions) == 2

    board.wait(8)
    then = board.rulings()["end-dead"]

    assert board.table.questions == ()
    assert then["state"] == ("expired" if answer is CanMate.POSSIBLE else "open")
    assert then["certainty"] == ("fact" if answer is CanMate.IMPOSSIBLE else "probable")


def test_a_ruling_that_was_decided_meanwhile_stays_decided() -> None:
    board = AtTheBoard(LONG_PROOF, short=Colour.BLACK)
    board.wait(SHORT_MS / 1000)
    (question,) = board.table.questions
    board.act("confirm", ruling="flag-last-period")
    assert board.table.questions == ()
    outputs = len(board.outputs)

    board._take(MatingAnswered(board.time.at_ns, MatingAnswer(question, CanMate.POSSIBLE, 1)))
    assert len(board.outputs) == outputs
