"""What a clock model remembers from one reading to the next, and writes into a checkpoint."""

from __future__ import annotations

from dataclasses import dataclass, field

from arbiterd.rules.ruleset import Colour
from arbiterd.timing.arithmetic import TICK_MS
from arbiterd.timing.balance import Balance
from arbiterd.timing.face import Face

FACES_KEPT = 64
"""Old faces kept, so that the time at a move told late can still be said."""


@dataclass(slots=True)
class ClockState:
    """All that the model remembers."""

    face: Face = field(default_factory=lambda: Face(0))
    faces: list[Face] = field(default_factory=list)
    """The newest `FACES_KEPT`, the last one is `face`."""
    turns: list[Face] = field(default_factory=list)
    """The newest `FACES_KEPT` of this game at which more was new than the ticking."""
    lost: bool = False
    """It was heard and is heard no more, whatever an arbiter has said of it since."""
    running_known: bool = False
    lever: Colour | None = None
    heard: bool = False
    """What it shows was told by the clock itself or by a source, and not by an arbiter alone."""
    guessed: list[Colour] = field(default_factory=list)
    """Presses since the last reading: their credit was taken from the time control."""
    passed: list[Colour] = field(default_factory=list)
    """Sides whose flag is shown still, beside the time of another period: it may fall again."""
    adopt: bool = False
    """The arbiter has set the clock: the next reading is taken as it is."""
    fresh: bool = True
    """Nobody has pressed in this game, and no arbiter has said what the clock is to show."""
    setting_told: tuple[int | None, int | None] | None = None
    presses: dict[Colour, int] = field(default_factory=lambda: dict.fromkeys(Colour, 0))
    periods: dict[Colour, int] = field(default_factory=lambda: dict.fromkeys(Colour, 0))
    odd_ms: int | None = None
    """What the newest presses credited, where it was not what the time control says."""
    odd_run: int = 0
    balance: Balance | None = None
    """Counted since the newest reading that told anything else than presses that were seen."""
    credit_seen_ms: int | None = None
    """What a press credits, learnt where the time control is not known."""
    credit_once_ms: int | None = None
    """What the newest press credited there."""

    def turn_to(self, face: Face, lever: Colour | None = None) -> None:
        """It shows this face from now on; `lever`: whose is down, where that is told."""
        self.face = face
        self.faces = [*self.faces[-FACES_KEPT + 1 :], face]
        if not (self.turns and face.follows(self.turns[-1])):
            self.turns = [*self.turns[-FACES_KEPT + 1 :], face]
        left = {side: face.of(side) or 0 for side in face.flags}
        self.passed = [s for s, ms in left.items() if ms > (0 if s in self.passed else TICK_MS)]
        self.running_known = face.known
        if lever is not None:
            self.lever = lever

    def learn_credit(self, credited: int) -> None:
        """No time control is known: what two presses running were credited is what it gives.

        One alone may come from a lost reading, and would make presses of every later one.
        """
        if credited == self.credit_once_ms:
            self.credit_seen_ms = credited
        self.credit_once_ms = credited
