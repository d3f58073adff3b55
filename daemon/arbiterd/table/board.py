"""The device side of a table: which way the board lies, what it is, how it does."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct, field

from arbiterd.rules.ruleset import Colour, RuleSet
from arbiterd.table.health import Health, differences
from arbiterd.table.orientation import detect, lying, square, turned
from eboards.events import (
    Battery,
    ClockGone,
    ClockReading,
    ClockReply,
    Fault,
    Identity,
    LinkDown,
    LinkUp,
    Noise,
    Placement,
    Scan,
    SensingClass,
    Side,
    Square,
    SquareChange,
)

FAULTS_KEPT = 10
"""The newest faults people see; the journal has all."""
NO_CLOCK = "answers, but no clock"
CALM_NS = 60_000_000_000
"""A line that was right for so long is all right again."""
LOW_BATTERY = "the battery of the clock is low"


class Board(Struct, kw_only=True):
    """A value that can be written and read back. Squares in `raw` are the device's own."""

    fixed: bool
    """The configuration says how the board lies; nothing is searched."""
    degrees: int = 0
    clock_stayed: bool = False
    """It was turned by half: the clock beside it, and the times on it, were not."""
    raw: list[str] | None = None
    driver: str = ""
    port: str = ""
    serial: str = ""
    firmware: str = ""
    battery: int | None = None
    state: Literal["ok", "degraded", "lost", "none"] = "none"
    since_ns: int = 0
    faults: list[str] = []
    line_faults: list[str] = []
    """Those of `faults` that a single bad moment of the line may have led to."""
    line_fault_ns: int = 0
    missed: list[str] = []
    """What the record of this game may lack, whatever the board says now."""
    health: Health = field(default_factory=Health)

    @property
    def known(self) -> bool:
        """There is one, or was. Where there never was any nothing is seen, and nothing is missing:
        half-moves are entered by hand."""
        return self.state != "none"

    def told(
        self,
        event: LinkUp
        | LinkDown
        | Identity
        | Battery
        | Fault
        | ClockReading
        | ClockGone
        | ClockReply,
    ) -> bool:
        """Takes in what the device says of itself. True if people see a difference."""
        before = self._shown()
        match event:
            case LinkUp():
                if self.driver and event.driver != self.driver:
                    self._is_another()
                self.driver, self.port = event.driver, event.port
                self._now("ok", event.at_ns)
                self.raw, self.faults = None, []
                self.health.away.clear()
            case LinkDown():
                self._now("lost", event.at_ns)
                self._fault(event.reason)
            case Identity():
                self.driver = event.driver or self.driver
                if not _one_board(self.serial, event.serial):
                    self._is_another()
                self.serial = event.serial or self.serial
                self.firmware = event.firmware or self.firmware
            case Battery():
                self.battery = event.percent
            case Fault():
                # Of a silence the loss of the link tells, with the device's name.
                if event.noise is not Noise.SILENT:
                    words = _words(event)
                    self._degraded(words, event.at_ns)
                    kept = [w for w in self.line_faults if w in self.faults and w != words]
                    self.line_faults = [*kept, words]
                    self.line_fault_ns = event.at_ns
            case ClockGone() | ClockReading() | ClockReply():
                self._told_of_clock(event)
        return before != self._shown()

    def _is_another(self) -> None:
        """What was known of the board before is not known of this one."""
        self.serial = self.firmware = ""
        self.battery, self.health = None, Health()

    def _told_of_clock(self, event: ClockGone | ClockReading | ClockReply) -> None:
        match event:
            case ClockGone():
                self._degraded(NO_CLOCK, event.at_ns)
            case ClockReading():
                self._mended(NO_CLOCK, event.at_ns)
                if event.battery_low:
                    self._degraded(LOW_BATTERY, event.at_ns)
                else:
                    self._mended(LOW_BATTERY, event.at_ns)
            case ClockReply():
                for fault in [fault for fault in self.faults if fault.startswith(event.command)]:
                    self._mended(fault, event.at_ns)
                if not event.accepted:
                    self._degraded(f"{event.command}: {event.detail}", event.at_ns)

    def misses(self, words: str) -> None:
        """The table goes on without something that was recorded."""
        if words not in self.missed:
            self.missed = [*self.missed, words][-FAULTS_KEPT:]

    def calmed(self, at_ns: int) -> bool:
        """True if what was wrong on the line has been right for long enough just now."""
        if not self.line_faults or at_ns - self.line_fault_ns < CALM_NS:
            return False
        before, calm = self._shown(), self.line_faults
        self.line_faults = []
        for words in calm:
            self._mended(words, at_ns)
        return before != self._shown()

    def _shown(self) -> tuple[object, ...]:
        """What people see of it."""
        named = (self.driver, self.port, self.serial, self.firmware)
        return (*named, self.battery, self.state, *self.faults)

    def _now(self, state: Literal["ok", "degraded", "lost"], at_ns: int) -> None:
        if state != self.state:
            self.state, self.since_ns = state, at_ns

    def _degraded(self, why: str, at_ns: int) -> None:
        self._fault(why)
        if self.state == "ok":
            self._now("degraded", at_ns)

    def _mended(self, words: str, at_ns: int) -> None:
        if words not in self.faults:
            return
        self.faults = [fault for fault in self.faults if fault != words]
        if not self.faults and self.state == "degraded":
            self._now("ok", at_ns)

    def _fault(self, words: str) -> None:
        if words not in self.faults:
            self.faults = [*self.faults, words][-FAULTS_KEPT:]

    def sees(self, event: Scan | SquareChange, sensing: SensingClass) -> bool:
        """Keeps the device's own picture, from which the way it lies is found. True if other coils
        are believed less from now on."""
        before = self.raw
        if isinstance(event, Scan):
            self.raw = list(event.placement)
            if before is None or len(before) != len(self.raw):
                return False
            changes = list(differences(before, self.raw))
            return self.health.changed(event.at_ns, changes, sensing)
        if before is None or before[event.square] == event.piece:
            return False
        change = (event.square, before[event.square], event.piece)
        before[event.square] = event.piece
        return self.health.changed(event.at_ns, [change], sensing)

    def weak(self, rules: RuleSet[Any, Any]) -> dict[Square, int]:
        """The squares, as White sees them, whose coils are believed less, and since when."""
        squares, weak = len(rules.geometry), self.health.weak
        return {self.square(rules, s): at_ns for s, at_ns in weak.items() if s < squares}

    def coil(self, rules: RuleSet[Any, Any], seen: Square) -> Square:
        """The device's own square under one that White sees."""
        own = (s for s in range(len(rules.geometry)) if self.square(rules, s) == seen)
        return next(own)

    def looks_like_start(self, rules: RuleSet[Any, Any], expected: Placement) -> bool:
        """Turns the board if it shows a start array, or the start this game has, lying otherwise.
        True if it turned."""
        if self.fixed or self.raw is None:
            return False
        found = detect(rules, tuple(self.raw), expected)
        if found is None or found == self.degrees:
            return False
        self.degrees = found
        return True

    def lies_otherwise(self, rules: RuleSet[Any, Any], expected: Placement) -> int | None:
        """By how many degrees it lies turned now, if it shows this position another way round."""
        if self.fixed or self.raw is None:
            return None
        found = lying(rules.geometry, tuple(self.raw), expected, self.degrees)
        return None if found == self.degrees else found

    def turn_in_play(self, degrees: int) -> None:
        """It was turned, and the pieces were put up on it again: each clock is whose it was."""
        left = self.colour(Side.LEFT)
        self.degrees = degrees
        if self.colour(Side.LEFT) is not left:
            self.clock_stayed = not self.clock_stayed

    def placement(self, rules: RuleSet[Any, Any]) -> Placement | None:
        """What it shows, as White sees it. None: not seen yet."""
        return None if self.raw is None else turned(rules.geometry, self.degrees, tuple(self.raw))

    def square(self, rules: RuleSet[Any, Any], device_square: Square) -> Square:
        return square(rules.geometry, self.degrees, device_square)

    def colour(self, side: Side | None) -> Colour | None:
        """Whose side of the clock this is: White sits at its left unless the board is turned."""
        if side is None:
            return None
        white = Side.RIGHT if (self.degrees == 180) is not self.clock_stayed else Side.LEFT
        return Colour.WHITE if side is white else Colour.BLACK

    def side(self, colour: Colour) -> Side:
        """The side of the clock at which this colour sits."""
        return Side.LEFT if self.colour(Side.LEFT) is colour else Side.RIGHT


def _words(fault: Fault) -> str:
    """For people. Which squares an update was lost of says the journal: they differ each time."""
    named = "" if fault.noise is Noise.LOST_UPDATE else fault.note
    return named or fault.noise.value


def _one_board(known: str, said: str) -> bool:
    """False for two numbers of two boards. Newer ones tell a short number first and then the long
    one it is the end of, with every start."""
    return known.endswith(said) or said.endswith(known)
