"""The clock's face, and what a source says of it."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from arbiterd.rules.ruleset import Colour
from arbiterd.timing.arithmetic import TICK_MS
from arbiterd.timing.facts import ClockShown

MS = 1_000_000


class Reading(Struct, frozen=True, gc=False):
    """What the clock shows, by colours. None: this source does not say."""

    at_ns: int
    white_ms: int | None = None
    black_ms: int | None = None
    running: Colour | None = None
    running_said: bool = True
    """False: `running` says nothing."""
    lever: Colour | None = None
    """The side whose time the lever lets run. None: not known."""
    white_flag: bool | None = None
    """None: not said; a time of 0 is then a flag, a time above it none."""
    black_flag: bool | None = None
    press: Colour | None = None
    """This side pressed, by the source's own word."""
    late_ns: int = 0
    """How long before `at_ns` what changed may have happened."""

    @property
    def has_times(self) -> bool:
        return self.white_ms is not None or self.black_ms is not None


class Face(Struct, frozen=True, gc=False):
    """The clock's face at one time: it ticks from here until the next one."""

    at_ns: int
    white_ms: int | None = None
    black_ms: int | None = None
    running: Colour | None = None
    flags: tuple[Colour, ...] = ()
    """In the order in which they were shown."""
    known: bool = False

    def of(self, side: Colour) -> int | None:
        return self.white_ms if side is Colour.WHITE else self.black_ms

    def with_time(self, side: Colour, ms: int | None) -> Face:
        if side is Colour.WHITE:
            return replace(self, white_ms=ms)
        return replace(self, black_ms=ms)

    def ticked(self, at_ns: int) -> Face:
        """The same face later: the running side has less."""
        white, black = self.white_ms, self.black_ms
        used = max(0, at_ns - self.at_ns) // MS
        if self.running is Colour.WHITE and white is not None:
            white = max(0, white - used)
        elif self.running is Colour.BLACK and black is not None:
            black = max(0, black - used)
        return Face(at_ns, white, black, self.running, self.flags, self.known)

    def gained(self, before: Face, side: Colour) -> int:
        """What this side shows more than before; 0 where either is not known."""
        was, shows = before.of(side), self.of(side)
        return 0 if was is None or shows is None else shows - was

    def follows(self, before: Face) -> bool:
        """True where it has only ticked since."""
        then = before.ticked(self.at_ns)
        if then.running is not None and abs(self.gained(then, then.running)) <= TICK_MS:
            then = then.with_time(then.running, self.of(then.running))
        return self == then

    @property
    def shown(self) -> ClockShown:
        return ClockShown(
            at_ns=self.at_ns,
            white_ms=self.white_ms,
            black_ms=self.black_ms,
            running=self.running,
            flag=self.flags[0] if self.flags else None,
            both_flags=len(self.flags) > 1,
            known=self.known,
        )


def face_of(reading: Reading, now: Face) -> Face:
    """What the clock shows by this reading; `now` ticks on where it does not say."""
    return Face(
        reading.at_ns,
        now.white_ms if reading.white_ms is None else reading.white_ms,
        now.black_ms if reading.black_ms is None else reading.black_ms,
        reading.running if reading.running_said else now.running,
        _flags_of(reading, now),
        known=True,
    )


def _flags_of(reading: Reading, now: Face) -> tuple[Colour, ...]:
    """The flags shown, first fallen first; of two new at once the side that ran comes first."""
    fallen = reading.white_flag or reading.black_flag or bool(now.flags)
    if not fallen and reading.white_ms and reading.black_ms:
        return ()
    up: dict[Colour, bool] = {}
    for side, said in ((Colour.WHITE, reading.white_flag), (Colour.BLACK, reading.black_flag)):
        ms = reading.white_ms if side is Colour.WHITE else reading.black_ms
        if said is not None:
            up[side] = said
        elif ms is not None:
            up[side] = ms == 0
        else:
            up[side] = side in now.flags
    first = now.running or Colour.WHITE
    kept = [side for side in now.flags if up[side]]
    new = [side for side in (first, first.other) if up[side] and side not in kept]
    return (*kept, *new)
