"""A table while a story is made: what stands on it, how late it is, what has been done.

`play` and the episodes of `incidents` write on it; it is then closed into a `Story`.
"""

from __future__ import annotations

from random import Random

from arbiterd.rules.ruleset import Colour, differing
from arbiterd.simulation.game import GameLine, HandMove
from arbiterd.simulation.hands.strokes import Hand
from arbiterd.simulation.profiles import Profile
from arbiterd.simulation.world import (
    Happened,
    LeverPress,
    Outage,
    PlyPlayed,
    Put,
    Run,
    StagedDeed,
    Stop,
    Story,
    Truth,
)
from eboards.events import EMPTY, Piece, Square


class StagedTable:
    """Hands, one lever, and the notes of what it all meant."""

    def __init__(self, line: GameLine, profile: Profile, dice: Random, begin_ns: int) -> None:
        self.line = line
        self.profile = profile
        self.dice = dice
        self.hand = Hand(dice, profile, line.rules.geometry)
        self.begin_ns = begin_ns
        self.now_ns = begin_ns
        self.board: list[Piece] = list(line.placements[0])
        self.ply = 1
        """The half-move whose turn it is."""
        self.running: Colour | None = None
        self.hand_free_ns = dict.fromkeys(Colour, begin_ns)
        """When each side's hand has last done something."""
        self.busy: frozenset[Square] = frozenset()
        """Where pieces stood in the half-move before, those on its way and beside it too."""
        self.pressed_ns = begin_ns
        """When the present side's clock was started."""
        self.plies: list[PlyPlayed] = []
        self.breach_ply = -len(line.steps)
        """The half-move before which the Laws were last broken; long ago at first."""
        self._deeds: list[StagedDeed] = []
        self._happened: list[Happened] = []
        self._outages: list[Outage] = []

    @property
    def step(self) -> HandMove:
        """The half-move that is to be played now."""
        return self.line.steps[self.ply - 1]

    @property
    def side(self) -> Colour:
        """Who has the move."""
        return self.line.rules.turn(self.line.positions[self.ply - 1])

    def wait(self, median_ns: int) -> None:
        """About so long nothing is done."""
        self.now_ns += self.hand.about(median_ns)

    def lift(self, square: Square) -> Piece:
        """Take what stands there off the board."""
        piece = self.board[square]
        self.place(square, EMPTY)
        return piece

    def place(self, square: Square, piece: Piece) -> None:
        self.perform([Put(self.now_ns, square, piece)])

    def perform(self, puts: list[Put]) -> None:
        """Do all these; it is then as late as the last of them, or later."""
        for put in puts:
            self.board[put.square] = put.piece
            self._deeds.append(put)
            self.now_ns = max(self.now_ns, put.at_ns)

    def press(self, side: Colour, at_ns: int | None = None) -> int | None:
        """A hand on the lever, now or at a time of its own; when it did something, else None."""
        at_ns = self.now_ns if at_ns is None else at_ns
        self._deeds.append(LeverPress(at_ns, side))
        self.hand_free_ns[side] = at_ns
        self.now_ns = max(self.now_ns, at_ns)
        if self.running not in (None, side):
            return None
        self.running, self.pressed_ns = side.other, at_ns
        return at_ns

    def stop(self) -> None:
        """Both clocks."""
        self._deeds.append(Stop(self.now_ns))
        self.running = None

    def run(self, side: Colour) -> None:
        self._deeds.append(Run(self.now_ns, side))
        self.running = side

    def put_right(self) -> None:
        """Set up the position of this turn again, square by square."""
        wanted = self.line.placements[self.ply - 1]
        wrong = differing(tuple(self.board), wanted)
        for square in wrong:
            if self.board[square] != EMPTY:
                self.wait(self.profile.pace.carry_ns // 2)
                self.lift(square)
        for square in wrong:
            if wanted[square] != EMPTY:
                self.wait(self.profile.pace.carry_ns)
                self.place(square, wanted[square])

    def note(
        self,
        name: str,
        since_ns: int,
        raises: tuple[str, ...] = (),
        *,
        must: bool = False,
        allows: tuple[str, ...] = (),
    ) -> None:
        """Something beside the moves happened from then until now."""
        happened = Happened(name, since_ns, self.now_ns, self.ply, raises, must, allows)
        self._happened.append(happened)

    def lose(self, outage: Outage) -> None:
        self._outages.append(outage)

    def close(self) -> Story:
        """Everything in the order of time."""
        ended_ns = self.plies[-1].made_ns if self.plies else self.begin_ns
        return Story(
            before=self.line.placements[0],
            deeds=tuple(sorted(self._deeds, key=lambda deed: deed.at_ns)),
            truth=Truth(tuple(self.plies), tuple(self._happened), ended_ns),
            begin_ns=self.begin_ns,
            outages=tuple(sorted(self._outages, key=lambda outage: outage.from_ns)),
        )
