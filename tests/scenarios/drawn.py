"""Stories drawn from a seed: true hands at a true clock, heard late by a whole table.

A story draws its game, its sensors, its rate of play and its times; it does what it tells of, and
keeps what is true of it. What the table publishes is held to that.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from arbiterd.rules.registry import ruleset
from arbiterd.rules.ruleset import Colour
from arbiterd.simulation.drawn_games import made_game
from arbiterd.simulation.famous import FAMOUS
from arbiterd.simulation.game import step_of
from arbiterd.table import table as whole
from arbiterd.table.inputs import ClockSaid, Input
from arbiterd.table.playback import play
from arbiterd.table.scenario import sensed
from arbiterd.table.setup import TableSetup
from arbiterd.timing.control import Kind, Rate, read_periods
from eboards.events import (
    EMPTY,
    LinkDown,
    LinkUp,
    Piece,
    Scan,
    Sensing,
    SensingClass,
    Square,
    SquareChange,
)

MS = 1_000_000
SECOND = 1_000 * MS
RATES = {
    "standard": Rate(Kind.STANDARD, True, read_periods(["90:00+30"])),
    "supervised rapid": Rate(Kind.RAPID, True, read_periods(["15:00+10"])),
    "rapid": Rate(Kind.RAPID, False, read_periods(["15:00+10"])),
    "blitz": Rate(Kind.BLITZ, False, read_periods(["3:00+2"])),
}
KNOWING = (SensingClass.IDENTITY, SensingClass.KIND)
SEEING = (*KNOWING, SensingClass.COLOUR)
ALL = (*SEEING, SensingClass.OCCUPANCY)
GAPS = (0.2, 0.3, 0.4, 0.6, 0.8, 1.0, 1.5, 1.9, 2.1, 2.9, 3.1, 3.6, 3.9, 4.1, 5, 6.9, 7.1, 8)
"""Seconds, near those that tracking waits for."""


class UnfairError(Exception):
    """What was drawn has no such story."""


@dataclass
class Heard:
    """What a table made of a story."""

    record: list[str]
    told: list[dict[str, Any]] = field(default_factory=list)
    """Its half-moves, as they were published."""
    rulings: list[dict[str, Any]] = field(default_factory=list)

    def called(self) -> list[dict[str, Any]]:
        """All that an arbiter was called for, whatever became of it."""
        return [r for r in self.rulings if r["state"] == "open" and r["urgency"] < 3]

    def against(self) -> set[str]:
        return {r["against"] for r in self.called() if r["against"]}

    def standing(self) -> set[str]:
        newest = {ruling["id"]: ruling for ruling in self.rulings}
        return {
            f"{r['kind']}/{r['against']}"
            for r in newest.values()
            if r["state"] == "open" and r["urgency"] < 3
        }


class Desk:
    """A board and a clock in true time; `hear` is what their messages come to."""

    def __init__(
        self,
        seed: str,
        classes: tuple[SensingClass, ...],
        *,
        rules: str = "chess",
        fen: str = "",
        pictures: bool = False,
    ) -> None:
        self.dice = Random(seed)
        self.rules: Any = ruleset(rules)
        before = self._drawn_moves()
        self.fen, self.moves = fen, () if fen else before
        self.position = self.rules.start(fen)
        for wire in self.moves:
            self.position = self.rules.play(self.position, self.rules.parse(self.position, wire))
        if self.rules.end(self.position):
            raise UnfairError
        self.first = list(self.rules.placement(self.position))
        self.pieces = list(self.first)
        self.rate = self.dice.choice(sorted(RATES))
        self.scan_ns = self.dice.choice((50, 100, 200, 250)) * MS
        self.late_ns = self.dice.choice((0, 300, 1000)) * MS
        sensing = self.dice.choice(classes)
        self.sensing = Sensing(sensing, self.scan_ns, self.rules.geometry, pictures=pictures)
        self.at_ns = 2 * SECOND
        self.began = self.running = self.rules.turn(self.position)
        self.deeds: list[tuple[int, str, Any]] = []
        self.truth: list[str] = []
        """The record from here on, as it should be in the end."""

    def _drawn_moves(self) -> tuple[str, ...]:
        """The half-moves before the first: of a known game, or of one made by dice."""
        if self.rules.name != "chess":
            return made_game(self.dice, self.dice.randrange(2, 90), self.rules.name).moves
        game = self.dice.choice([g for g in FAMOUS if len(g.moves) > 30 and not g.start])
        return game.moves[: self.dice.randrange(2, len(game.moves) - 12)]

    @property
    def open_window(self) -> bool:
        return RATES[self.rate].open_window

    # Hands.

    def wait(self, seconds: float) -> None:
        self.at_ns += round(seconds * SECOND)

    def do(self, what: str, of: Any = None) -> None:
        self.deeds.append((self.at_ns, what, of))

    def put(self, square: Square, piece: Piece, after: tuple[float, float] = (0.15, 0.5)) -> None:
        self.wait(self.dice.uniform(*after))
        self.pieces[square] = piece
        self.do("put", (square, piece))

    def lift(self, square: Square) -> None:
        self.put(square, EMPTY)

    def press(self, side: Colour) -> None:
        """Without effect where its clock does not run."""
        self.wait(self.dice.uniform(0.15, 0.8))
        if self.running is side:
            self.running = side.other
            self.do("press", side)

    def make(self, wire: str, *, press: bool = True) -> None:
        """A legal half-move."""
        step = step_of(self.rules, self.position, self.rules.parse(self.position, wire))
        after = self.rules.play(self.position, self.rules.parse(self.position, wire))
        own = {carry.origin for carry in step.carries}
        off = [s for s, piece in step.changes if s not in own and self.pieces[s] != EMPTY]
        for square in off:
            self.lift(square)
        for origin in (carry.origin for carry in step.carries):
            if origin is not None:
                self.lift(origin)
        for carry in step.carries:
            if carry.target is not None:
                self.put(carry.target, carry.after, (0.25, 0.7))
        self.position = after
        self.truth.append(wire)
        if press:
            self.press(step.side)

    def go_on(self, plies: int, but: str = "", *, press: bool = True) -> None:
        """So many legal half-moves, each pressed or none, and none to the square `but`."""
        for number in range(plies):
            moves = self.legal(but)
            if number:
                self.wait(self.dice.uniform(0.4, 2.5))
            self.make(self.dice.choice(moves), press=press)

    def legal(self, but: str = "") -> list[str]:
        """Legal half-moves that end no game and, in chess, exchange no pawn."""
        rules, position = self.rules, self.position
        moves = [m for m in rules.legal_moves(position) if not rules.end(rules.play(position, m))]
        wires = [rules.wire(position, move) for move in moves]
        chess = rules.name == "chess"
        wires = [w for w in wires if (len(w) == 4 or not chess) and w[2:4] != but]
        if not wires:
            raise UnfairError
        return wires

    def lead(self) -> Colour:
        """Two half-moves of the game; the side to move then."""
        self.go_on(2)
        self.wait(self.dice.choice((0.9, 2.5, 5)))
        return self.rules.turn(self.position)

    def shown(self, pieces: list[Piece]) -> tuple[Piece, ...]:
        return sensed(tuple(pieces), self.sensing.kind)

    def play_wrong(self, *, press: bool) -> None:
        """A piece goes to an empty square where it may not, and no legal move looks like that."""
        rules, side = self.rules, self.rules.turn(self.position)
        legal = [rules.play(self.position, move) for move in rules.legal_moves(self.position)]
        looks = {self.shown(list(rules.placement(after))) for after in legal}
        own = [s for s, piece in enumerate(self.pieces) if rules.owner(piece) is side]
        if self.sensing.kind is SensingClass.OCCUPANCY:
            # One that can take looks as if it had, and its victim lay on the board.
            touched = [rules.touched(self.position, m) for m in rules.legal_moves(self.position)]
            takes = {
                s[0] for s in touched if len(s) > 1 and rules.owner(self.pieces[s[1]]) is not side
            }
            own = [square for square in own if square not in takes]
        for _ in range(200 if own else 0):
            origin, target = self.dice.choice(own), self.dice.randrange(len(self.pieces))
            piece, pieces = self.pieces[origin], list(self.pieces)
            pieces[origin], pieces[target] = EMPTY, piece
            on_last = rules.name == "chess" and piece in "Pp" and target // 8 in (0, 7)
            if self.pieces[target] != EMPTY or on_last or self.shown(pieces) in looks:
                continue
            after = rules.taken_as_played(self.position, tuple(pieces), side.other)
            if after and not rules.end(after) and not rules.in_check(after, side):
                self.lift(origin)
                self.put(target, piece)
                self.position = after
                self.truth.append("")
                if press:
                    self.press(side)
                return
        raise UnfairError

    # The wire.

    def hear(self) -> Heard:
        """All of it through a whole table."""
        setup = TableSetup(
            ruleset=self.rules.name,
            start=self.fen,
            moves=self.moves,
            orientation=0,
            rate=RATES[self.rate],
        )
        table = whole.Table(setup)
        heard = Heard([])
        for _, step in play(table, enumerate(self._inputs(), 1)):
            for output in step.outputs:
                if output.payload and output.topic in ("rulings", "moves"):
                    kept = heard.rulings if output.topic == "rulings" else heard.told
                    kept.append(json.loads(output.payload))
        heard.record = list(table.moves)[len(self.moves) :]
        return heard

    def _inputs(self) -> list[Input]:
        pieces, seen, away = list(self.first), self.shown(self.first), False
        deaf, hidden = False, set[Square]()
        left = dict.fromkeys(Colour, 170_000 * MS)
        found: list[Input] = [LinkUp(0, "drawn", "", self.sensing), Scan(0, seen)]
        found.append(ClockSaid(SECOND, running=self.began, running_said=True, **_times(left)))
        running, since_ns, phase_ns = self.began, SECOND, self.dice.randrange(self.scan_ns)
        ticks = range(SECOND + phase_ns, self.at_ns + 20 * SECOND, self.scan_ns)
        deeds = [*self.deeds, *((at_ns, "scan", None) for at_ns in ticks)]
        for at_ns, what, of in sorted(deeds, key=lambda deed: deed[0]):
            if what == "put":
                pieces[of[0]] = of[1]
            elif what == "hide":
                hidden ^= {of}
            elif what == "lose":
                deaf = of
                found += [] if deaf else [Scan(at_ns, seen)]
            elif what == "scan":
                now = self.shown([EMPTY if s in hidden else p for s, p in enumerate(pieces)])
                differs = [s for s in range(len(now)) if now[s] != seen[s] and not (away or deaf)]
                found += [SquareChange(at_ns, s, now[s]) for s in differs]
                seen = now
            elif what == "press":
                left[of] += RATES[self.rate].periods[0].increment_ms * MS - (at_ns - since_ns)
                running, since_ns = of.other, at_ns
                late_ns = self.dice.randrange(self.late_ns + 1)
                said = ClockSaid(at_ns + late_ns, press=of, late_ns=self.late_ns, **_times(left))
                found += [] if away else [said]
            elif what == "link":
                away = not of
                found += self._link(at_ns, of, seen)
                shows = left | {running: left[running] - (at_ns - since_ns)}
                told = ClockSaid(at_ns + MS, running=running, running_said=True, **_times(shows))
                found += [told] if of else []
        return sorted(found, key=lambda said: said.at_ns)

    def _link(self, at_ns: int, up: bool, seen: tuple[Piece, ...]) -> list[Input]:
        if not up:
            return [LinkDown(at_ns, "the cable is out")]
        return [LinkUp(at_ns, "drawn", "", self.sensing), Scan(at_ns, seen)]


def _times(left: dict[Colour, int]) -> dict[str, int]:
    return {f"{side}_ms": left_ns // MS for side, left_ns in left.items()}


Check = Callable[[Heard], None]
Story = Callable[[str], tuple[Desk, Check]]


def told_as_it_was(story: Story, seed: int) -> bool:
    """The first fair story of this seed passes its own check. Raises LookupError if none is."""
    for number in range(40):
        try:
            desk, check = story(f"{story.__name__} {number} {seed}")
        except UnfairError:
            continue
        try:
            check(desk.hear())
        except AssertionError:
            return False
        return True
    raise LookupError("nothing was drawn")
