"""Explanations: lines of play that share their beginnings, each with what speaks for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from math import exp

from msgspec import Struct

from arbiterd.rules.ruleset import Colour, differing
from arbiterd.tracking import weights
from arbiterd.tracking.facts import How
from arbiterd.tracking.sensors import Move, Position, Seen, Sensors
from eboards.events import EMPTY, Piece, Square

PRESSES_BACK = 6
"""So many half-moves back a press is remembered when they are told anew."""
NEVER = -(10**6)
"""The number of a half-move longer ago than any."""


class Line(Struct, eq=False):
    """One half-move of a line of play, and the line before it.

    Lines grow at their ends and share what is before; only evidence about a half-move (when it
    was completed, and how) is ever written into one again.
    """

    seen: Seen
    parent: Line | None
    move: Move | None
    """None: the root, or an irregular half-move."""
    made_at_ns: int
    ply: int
    """How many half-moves the record has up to here."""
    cost: float = 0.0
    """What speaks against the whole line, in the unit of `weights`."""
    aloft: float = 0.0
    """Of that, what hands did that they may yet undo: it counts while the board shows it."""
    own: float = 0.0
    """Of that, what spoke against its last half-move when that was found: who undoes the half-move
    has it no longer to explain."""
    watched: bool = True
    """The board showed exactly this; False: it follows from what it showed later."""
    irregular: bool = False
    irregular_ply: int = NEVER
    """The newest half-move up to here that no legal move made, by its number."""
    doubtful: bool = False
    """Never certain, even without an alternative."""
    unheard: bool = False
    """Messages of it were lost: when it was made is not known."""
    unheard_plies: int = 0
    """So many such half-moves it was found among, itself counted."""
    witnessed: bool = True
    """False: an irregular half-move that may have been a legal one, with a message lost."""
    crowded: bool = False
    """More lines were as likely as it than are held: what is true may be none of them."""
    others: tuple[str, ...] = ()
    """What this half-move may have been in lines that were given up for this one."""
    others_weight: float = 0.0
    """How likely they were together, beside this one."""
    unseen: float = 0.0
    """Of what spoke against it when it was found: pieces that were never seen where they stood."""
    passed: float = 0.0
    """Likewise: pieces that showed where it has none."""
    presumed: float = 0.0
    """Of what speaks against the whole line, what no sensor said: players seldom choose so."""
    damaged: bool = False
    """The board never showed it by itself, and bytes came damaged in its turn: perhaps what they
    said was another half-move."""
    pressed: bool = False
    hastily_pressed: bool = False
    """The press may have come before the half-move was begun: perhaps it was another's."""
    completed_at_ns: int | None = None
    completed_how: How | None = None
    _wire: str | None = None
    _written: tuple[tuple[Square, Piece], ...] | None = None

    def __post_init__(self) -> None:
        before = self.parent.irregular_ply if self.parent else NEVER
        self.irregular_ply = self.ply if self.irregular else before
        if self.parent is not None:
            self.presumed, self.crowded = self.parent.presumed, self.parent.crowded
            if self.move is not None and self.seen.promotes_seldom(self.move):
                self.presumed += weights.SELDOM_CHOSEN

    def look_through(self, sensors: Sensors) -> None:
        """The same position through other sensors."""
        self.seen = sensors.seen(self.seen.position)
        self._written = None

    @property
    def side(self) -> Colour:
        """Who made the last half-move."""
        return self.seen.turn.other

    @property
    def has_move(self) -> bool:
        """A legal move leads here from the line before."""
        return self.parent is not None and self.move is not None

    @property
    def standing(self) -> float:
        """What speaks against the whole line, whatever is in the air."""
        return self.cost - self.aloft

    def cut(self) -> None:
        """Forgets what was before: this is a root now."""
        self.parent = self.move = None
        self._wire = self._written = None

    def wire(self) -> str:
        """The half-move in wire form; empty for the root and for an irregular one."""
        if self._wire is None:
            if self.parent is None or self.move is None:
                self._wire = ""
            else:
                self._wire = self.seen.rules.wire(self.parent.seen.position, self.move)
        return self._wire

    def written(self) -> tuple[tuple[Square, Piece], ...]:
        """The squares that read differently since the half-move, and what they read."""
        if self._written is None:
            if self.parent is None:
                self._written = ()
            elif self.move is not None:
                self._written = self.parent.seen.written(self.move)
            else:
                squares = differing(self.parent.seen.placement, self.seen.placement)
                self._written = tuple((s, self.seen.placement[s]) for s in squares)
        return self._written

    def back(self) -> Iterator[Line]:
        """This line, and the ones it grew from, newest first; the root is the last."""
        line: Line | None = self
        while line is not None:
            yield line
            line = line.parent

    def path(self) -> list[Line]:
        """The lines after the root, oldest first."""
        path: list[Line] = []
        line = self
        while line.parent is not None:
            path.append(line)
            line = line.parent
        path.reverse()
        return path

    def wires(self) -> tuple[str, ...]:
        """Its half-moves in wire form, newest first, the root's empty text last."""
        return tuple(past.wire() for past in self.back())

    def at(self, ply: int) -> Line | None:
        """The half-move of this number in this line of play, if it is still held."""
        line: Line | None = self
        while line is not None and line.ply != ply:
            line = line.parent
        return line

    def root(self) -> Line:
        """The line this one grew from in the end, perhaps itself."""
        line = self
        while line.parent is not None:
            line = line.parent
        return line

    def take_over_presses(self, believed: Line) -> None:
        """Half-moves that nobody saw, or that are told again, were pressed: that holds for those in
        their place."""
        presses = {past.ply: past for past in islice(believed.back(), PRESSES_BACK) if past.pressed}
        given = set[int | None]()
        for own in self.back() if presses else ():
            other = presses.get(own.ply)
            if own is other:
                return
            if own.pressed:
                given.add(own.completed_at_ns)
                continue
            again = other is not None and (
                not other.watched or not other.witnessed or other.wire() == own.wire()
            )
            if other is not None and again and other.completed_at_ns not in given:
                own.take_press(other)

    def take_over_word(self, believed: Line) -> None:
        """A half-move that was given stays given, though the same is found again on the board."""
        words = {past.ply: past for past in islice(believed.back(), PRESSES_BACK) if past.given}
        for own in self.back() if words else ():
            other = words.get(own.ply)
            if own is other:
                return
            same = other is not None and own.seen.hash == other.seen.hash
            if other is not None and same and own.wire() == other.wire() and not own.pressed:
                own.completed_at_ns, own.completed_how = other.completed_at_ns, other.completed_how

    @property
    def given(self) -> bool:
        """An arbiter, a memory or a feed told it: it owes no press."""
        return self.completed_how not in (None, How.REPLIED, How.PRESSED)

    def takes_unheard(self, pressed: Line) -> bool:
        """It is what was pressed for when the board showed nothing of it."""
        return self.unheard and not self.pressed and self.side is pressed.side

    def press(self, at_ns: int, *, hastily: bool = False) -> None:
        """Its side pressed for it then."""
        self.pressed, self.completed_at_ns, self.completed_how = True, at_ns, How.PRESSED
        self.hastily_pressed = hastily

    def made_as(self, seen: Seen, parent: Line, move: Move) -> Line:
        """The same half-move after another past: made and pressed for when it was."""
        again = Line(seen, parent, move, self.made_at_ns, self.ply, watched=self.watched)
        if self.pressed:
            again.take_press(self)
        return again

    def brought(self) -> list[Square]:
        """The squares where it set a piece down."""
        return [square for square, piece in self.written() if piece != EMPTY]

    def left(self) -> list[Square]:
        """The squares that are empty since."""
        return [square for square, piece in self.written() if piece == EMPTY]

    @property
    def dropped(self) -> bool:
        """Its piece came from beside the board: no square tells when the half-move was begun."""
        squares = [square for square, _ in self.written()]
        return self.parent is not None and self.parent.seen.drops_on(squares)

    def in_place(self, shown: Sequence[Piece]) -> bool:
        """What it set down stands there."""
        return all(shown[square] == piece for square, piece in self.written() if piece != EMPTY)

    def take_press(self, other: Line) -> None:
        """The press that was taken to be for the other was for this one."""
        self.pressed, self.hastily_pressed = True, other.hastily_pressed
        self.completed_at_ns, self.completed_how = other.completed_at_ns, other.completed_how

    def behind(self, best: Line) -> float:
        """By how much less what was shown speaks for it than for the best."""
        return self.cost - self.presumed - (best.cost - best.presumed)

    def speak_for(self, given_up: Line, behind: float) -> None:
        """A line given up for this one was about as likely, `behind` by so much: where they differ,
        this one says so."""
        theirs = {past.ply: past for past in given_up.back()}
        for own in self.back():
            other = theirs.get(own.ply)
            if own is other:
                return
            text = "" if other is None else other.wire()
            if text and text != own.wire() and text not in own.others:
                own.others = (*own.others, text)
                own.others_weight += exp(-max(0.0, behind))


def joined(lines: Sequence[Line]) -> list[Line]:
    """Of lines that leave the same position the best: nothing that comes can tell them apart."""
    if len(lines) == 1:
        return list(lines)
    kept: dict[tuple[Position, int], Line] = {}
    for line in lines:
        same = kept.setdefault((line.seen.position, line.ply), line)
        if same is not line and line.behind(same) <= weights.MARGIN:
            same.speak_for(line, line.cost - same.cost)
    return list(kept.values())


def forked(lines: Sequence[Line]) -> int:
    """The last half-move that all of these lines share, by its number."""
    if len(lines) == 1:
        return lines[0].ply
    shared = list(lines[0].back())
    for line in lines[1:]:
        known = {id(past) for past in line.back()}
        shared = [past for past in shared if id(past) in known]
    return shared[0].ply if shared else 0
