"""A table whose hands a test moves, half-move by half-move, into a journal."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count

from arbiterd.journal.journal import Journal
from arbiterd.journal.rows import Batch, InputRow, OutputRow
from arbiterd.laws.act import Act
from arbiterd.messages.step import Output
from arbiterd.rules.registry import ruleset
from arbiterd.rules.ruleset import Colour
from arbiterd.table.inputs import ClockSaid, Input
from arbiterd.table.setup import TableSetup
from arbiterd.table.table import Table
from eboards.events import LinkDown, LinkUp, Scan, Sensing, SensingClass

SECOND = 1_000_000_000
HOUR_MS = 3_600_000


class Hands:
    """One table; every deed comes some seconds after the one before."""

    def __init__(self, setup: TableSetup, begins_s: int = 1) -> None:
        self.setup, self.table = setup, Table(setup)
        self.rules = ruleset(setup.ruleset)
        self.sensing = Sensing(SensingClass.IDENTITY, 200_000_000, self.rules.geometry)
        self.at_ns = begins_s * SECOND
        self.told: list[tuple[int, int, Output]] = []
        """Time, number of the input, what was told."""
        self.inputs: list[Input] = []
        self.position = self.rules.start(setup.start)
        self.left_ms = {Colour.WHITE: HOUR_MS, Colour.BLACK: HOUR_MS}
        self.pieces = list(self.rules.placement(self.position))
        self._numbers = count(1)
        self.take(LinkUp(self.at_ns, "test", "", self.sensing))
        self.show()

    def take(self, item: Input) -> None:
        number = next(self._numbers)
        self.inputs.append(item)
        while (due_ns := self.table.due_at_ns) is not None and due_ns <= item.at_ns:
            self._keep(due_ns, number - 1, self.table.due(due_ns).outputs)
        self._keep(item.at_ns, number, self.table.take(number, item).outputs)

    def _keep(self, at_ns: int, number: int, outputs: Iterable[Output]) -> None:
        self.told += [(at_ns, number, output) for output in outputs]

    def wait(self, seconds: float) -> None:
        self.at_ns += int(seconds * SECOND)
        while (due_ns := self.table.due_at_ns) is not None and due_ns <= self.at_ns:
            self._keep(due_ns, len(self.inputs), self.table.due(due_ns).outputs)

    def show(self) -> None:
        self.take(Scan(self.at_ns, tuple(self.pieces)))

    def put(self, **squares: str) -> None:
        """Pieces as they stand from now on; `""` for an empty square."""
        for name, piece in squares.items():
            self.pieces[self.rules.geometry.square(name)] = piece or "."
        self.show()

    def carry(self, origin: str, target: str) -> None:
        """A piece from square to square, whatever the rules say."""
        piece = self.pieces[self.rules.geometry.square(origin)]
        self.wait(2)
        self.put(**{origin: ""})
        self.wait(1)
        self.put(**{target: piece})

    def press(self) -> None:
        side = self.rules.turn(self.position)
        self.wait(1)
        self.left_ms[side] -= 5_000
        white_ms, black_ms = self.left_ms[Colour.WHITE], self.left_ms[Colour.BLACK]
        self.take(ClockSaid(self.at_ns, white_ms, black_ms, side.other, True, press=side))

    def play(self, *moves: str, pressed: bool = True) -> None:
        for text in moves:
            move = self.rules.parse(self.position, text)
            self.wait(2)
            for square, piece in sorted(
                self.rules.footprint(self.position, move), key=lambda change: change[1] != "."
            ):
                self.pieces[square] = piece
                self.show()
                self.wait(0.6)
            if pressed:
                self.press()
            self.position = self.rules.play(self.position, move)

    def stands(self, fen: str) -> None:
        """The game goes on from here."""
        self.position = self.rules.start(fen)
        self.pieces = list(self.rules.placement(self.position))

    def back(self) -> None:
        """The pieces as they stood after the last half-move."""
        self.wait(2)
        self.pieces = list(self.rules.placement(self.position))
        self.show()

    def kings(self, white: str, black: str) -> None:
        """Both kings into the centre, the sign of a result."""
        for square, piece in enumerate(list(self.pieces)):
            if piece in "Kk":
                self.pieces[square] = "."
        self.wait(2)
        self.show()
        self.wait(1)
        self.put(**{white: "K", black: "k"})
        self.wait(10)

    def lose(self, seconds: float) -> None:
        self.take(LinkDown(self.at_ns, "the cable was pulled"))
        self.wait(seconds)

    def find(self) -> None:
        self.take(LinkUp(self.at_ns, "test", "", self.sensing))
        self.show()
        self.wait(10)

    def act(self, action: str, **said: object) -> None:
        self.wait(1)
        self.take(Act(at_ns=self.at_ns, action=action, by="Ada", **said))


def write(journal: Journal, tables: Iterable[Hands], at_ns: int = 0) -> None:
    """All tables into one journal, in the order of time; `at_ns`: when they are set up."""
    rows = []
    for table in tables:
        first = journal.next_input()
        journal.write(Batch((InputRow(first, at_ns, table.setup.table, table.setup),)))
        place = count(1)
        rows += [
            (told_ns, table.setup.table, next(place), first, output)
            for told_ns, _, output in table.told
        ]
    for told_ns, name, place, first, output in sorted(
        rows, key=lambda row: (row[0], row[1], row[2])
    ):
        row = OutputRow(
            journal.next_output(), told_ns, name, place, output.topic, output.seq,
            output.retained, first, output.payload,
        )  # fmt: skip
        journal.write(Batch(outputs=(row,)))
