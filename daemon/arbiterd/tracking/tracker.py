"""One board's placements and presses in, facts out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic

from arbiterd.rules.ruleset import Colour, RuleSet, differing
from arbiterd.tracking.facts import (
    CHANGES_KEPT,
    Fact,
    GameBegun,
    How,
    KingsInCentre,
    MoveCompleted,
    MoveMade,
    MoveReplaced,
    MoveWithdrawn,
    Pressed,
    Settled,
    SquareSeen,
    StartArray,
    Sureness,
    Turn,
)
from arbiterd.tracking.lines import Line
from arbiterd.tracking.record import Record, RecordedPly
from arbiterd.tracking.settings import TrackingSettings
from arbiterd.tracking.sight import M, P, Sight
from arbiterd.tracking.touches import touches
from eboards.events import Piece, Placement, Sensing, Square

HORIZON_PLIES = 6
"""So many half-moves back a line may still turn out to have gone otherwise."""


class Tracker(Generic[P, M]):
    """Keeps the lines of play that explain what the board shows; tells what is certain enough."""

    def __init__(
        self,
        rules: RuleSet[P, M],
        sensing: Sensing,
        settings: TrackingSettings,
        position: P,
        at_ns: int,
        *,
        moves: Sequence[str] = (),
    ) -> None:
        self._rules = rules
        self._settings = settings
        self._sight: Sight[P, M] = Sight(rules, sensing)
        self._running: Colour | None = None
        self._clock_known = False
        self._begin(position, at_ns)
        self._lay(at_ns, moves)
        self._show(self._line.seen.placement)

    def _begin(self, position: P, at_ns: int) -> None:
        """A new game from this position; what the board shows stays as it is."""
        self.record = Record(self._rules.fen(position))
        self._line: Line[P, M] = Line(self._sight.seen(position), None, None, at_ns, ply=0)
        self._told: list[Line[P, M]] = [self._line]
        self._since_ns = at_ns
        self._changes: list[SquareSeen] = []
        self._settling: tuple[tuple[Square, int], ...] = ()
        self._changed_at_ns: int | None = None
        self._press: tuple[int, Colour, int] | None = None
        self._settled_told = False
        self._array: tuple[tuple[Square, Piece, Piece], ...] | None = None
        self._ended = False
        self._kings_told: str | None = None
        self._kings_at_ns: int | None = None

    def _lay(self, at_ns: int, moves: Sequence[str]) -> None:
        """Puts half-moves on the record as given: certain, completed, nothing told."""
        for text in moves:
            line = self._line
            move = self._rules.parse(line.seen.position, text)
            line = Line(self._sight.after(line.seen, move), line, move, at_ns, ply=line.ply + 1)
            line.completed_at_ns, line.completed_how = at_ns, How.ARBITER
            self._line = line
            self._put_on_record(line, How.ARBITER, ())

    def _show(self, placement: Placement) -> None:
        self._raw = list(placement)
        self._shown = list(self._sight.shown(placement))
        self._hash = self._sight.hashing.placement(tuple(self._shown))

    # What it believes.

    @property
    def position(self) -> P:
        """The position after the record."""
        return self._told[-1].seen.position

    @property
    def placement(self) -> Placement:
        """What the sensors show."""
        return tuple(self._raw)

    @property
    def turn(self) -> Turn:
        """All that was seen since the last half-move on the record."""
        return self._turn_until(None)

    def _turn_until(self, until_ns: int | None) -> Turn:
        last = self._told[-1]
        position = last.seen.position
        changes = tuple(
            change for change in self._changes if until_ns is None or change.at_ns <= until_ns
        )
        found = touches(
            changes,
            self._rules.placement(position),
            last.seen.placement,
            self._rules.owner,
            scan_ns=self._sight.sensing.scan_ns,
            debounce_ns=self._settings.debounce_ns,
            settling=self._settling,
        )
        return Turn(
            ply=last.ply + 1,
            side=last.seen.turn,
            fen=self._rules.fen(position),
            since_ns=self._since_ns,
            touches=found,
            changes=changes,
            placement=self.placement,
        )

    # Inputs.

    def changed(self, at_ns: int, square: Square, piece: Piece) -> list[Fact]:
        """One square shows something else."""
        return self._look(at_ns) if self._write(at_ns, square, piece) else []

    def scanned(self, at_ns: int, placement: Placement) -> list[Fact]:
        """The whole board as it is shown now."""
        first = self._array is None and not self.record.plies
        squares = [s for s, (a, b) in enumerate(zip(self._raw, placement, strict=True)) if a != b]
        for square in squares:
            self._write(at_ns, square, placement[square])
        if squares:
            return self._look(at_ns)
        return self._see_array(at_ns) if first else []

    def felt(self, at_ns: int, square: Square, down: bool) -> list[Fact]:  # noqa: ARG002
        return []

    def clock(self, at_ns: int, running: Colour | None, known: bool) -> list[Fact]:  # noqa: ARG002
        """Which clock runs (None: both stand; known False: no clock at all)."""
        self._running, self._clock_known = running, known
        return []

    def link(self, at_ns: int, up: bool, sensing: Sensing | None) -> list[Fact]:  # noqa: ARG002
        if sensing is not None and sensing != self._sight.sensing:
            self._sight = Sight(self._rules, sensing)
        return []

    def pressed(self, at_ns: int, side: Colour, late_ns: int) -> list[Fact]:
        """`side` stopped his clock, within `late_ns` before `at_ns`."""
        facts = self._resolve_press(at_ns) if self._press is not None else []
        self._running, self._clock_known = side.other, True
        self._press = (at_ns, side, late_ns)
        if self._agrees:
            facts += self._resolve_press(at_ns)
        return facts

    @property
    def due_at_ns(self) -> int | None:
        """When `due` wants to be called if nothing comes before."""
        times = []
        if self._changed_at_ns is not None:
            times.append(self._changed_at_ns + self._settings.settle_ns)
        if self._press is not None:
            times.append(self._press[0] + self._grace_ns)
        signal = self._kings_due_ns()
        if signal is not None:
            times.append(signal)
        return min(times, default=None)

    def due(self, at_ns: int) -> list[Fact]:
        facts: list[Fact] = []
        if self._press is not None and at_ns >= self._press[0] + self._grace_ns:
            facts += self._resolve_press(at_ns)
        kings = self._kings_due_ns()
        if kings is not None and at_ns >= kings:
            facts += self._tell_kings(at_ns)
        changed = self._changed_at_ns
        if changed is not None and at_ns >= changed + self._settings.settle_ns:
            facts += self._settle(at_ns)
        return facts

    # The arbiter's corrections.

    def set_position(self, at_ns: int, position: P) -> list[Fact]:
        """The position is this one from now on."""
        return self.begin_game(at_ns, position)

    def set_line(self, at_ns: int, moves: Sequence[str]) -> list[Fact]:
        """The record from the start is exactly this now. Raises ValueError for no legal line."""
        line = self._told[0]
        path = []
        for text in moves:
            move = self._rules.parse(line.seen.position, text)
            line = Line(self._sight.after(line.seen, move), line, move, at_ns, ply=line.ply + 1)
            line.completed_at_ns, line.completed_how = at_ns, How.ARBITER
            path.append(line)
        self._line = line
        return self._tell(at_ns, path, How.ARBITER)

    def end_game(self, at_ns: int) -> None:  # noqa: ARG002
        """A result stands: what follows is analysis until the next start array."""
        self._ended = True

    def begin_game(self, at_ns: int, position: P) -> list[Fact]:
        self._begin(position, at_ns)
        return [GameBegun(at_ns, self.record.start, 0)]

    # The board.

    def _write(self, at_ns: int, square: Square, piece: Piece) -> bool:
        before = self._raw[square]
        if before == piece:
            return False
        self._raw[square] = piece
        self._changes.append(SquareSeen(at_ns, square, before, piece))
        if len(self._changes) > CHANGES_KEPT:
            del self._changes[0]
        of, shown = self._sight.hashing.of, self._sight.see(piece)
        self._hash ^= of(square, self._shown[square]) ^ of(square, shown)
        self._shown[square] = shown
        self._changed_at_ns = at_ns
        self._settled_told = False
        return True

    @property
    def _agrees(self) -> bool:
        return self._line.seen.hash == self._hash

    def _look(self, at_ns: int) -> list[Fact]:
        """The placement changed: which line explains it now?"""
        if self._ended:
            return self._see_start(at_ns)
        self._watch_kings(at_ns)
        if not self._agrees:
            self._explain(at_ns)
        facts = self._see_array(at_ns)
        if not self._agrees:
            return facts
        if self._line.ply > self._told[-1].ply + 1:
            facts += self._tell(at_ns, self._line.path()[:-1])
        if self._press is not None:
            facts += self._resolve_press(at_ns)
        return facts

    def _explain(self, at_ns: int) -> None:
        """A line that shows exactly this: as it was, one half-move on, or another last one."""
        for distance, line in enumerate(self._line.back()):
            if distance > HORIZON_PLIES:
                return
            if distance and line.seen.hash == self._hash:
                self._line = line
                return
            if distance > 1:
                continue
            for move in line.seen.moves_to(self._hash):
                after = self._sight.after(line.seen, move)
                self._line = Line(after, line, move, at_ns, ply=line.ply + 1)
                return

    def _see_start(self, at_ns: int) -> list[Fact]:
        position = self._rules.is_start(self.placement)
        return [] if position is None else self.begin_game(at_ns, position)

    def _see_array(self, at_ns: int) -> list[Fact]:
        """Before the first move: whether the men stand as they should."""
        if self.record.plies or self._line.ply:
            return []
        if self._agrees and self._array is None:
            self._array = ()
            return [GameBegun(at_ns, self.record.start, 0), StartArray(at_ns, self.placement, ())]
        return []

    # Telling.

    def _tell(self, at_ns: int, path: Sequence[Line[P, M]], how: How | None = None) -> list[Fact]:
        """Makes the record this path. Only what differs is told."""
        facts: list[Fact] = []
        root = self._told[0]
        same = 0
        wanted = [root, *path]
        while same < min(len(wanted), len(self._told)) and wanted[same] is self._told[same]:
            same += 1
        replaced = self._told[same:]
        for gone in reversed(self._told[max(same, len(wanted)) :]):
            facts.append(MoveWithdrawn(at_ns, gone.ply))
            self.record = self.record.before(gone.ply)
        del self._told[same:]
        for index, line in enumerate(wanted[same:]):
            told_how = how if line is path[-1] and how else How.REPLIED
            if line.pressed:
                told_how = How.PRESSED
            if index < len(replaced):
                facts.append(self._replace(at_ns, line, told_how))
            else:
                facts.append(self._make(at_ns, line, told_how))
        return facts

    def _make(self, at_ns: int, line: Line[P, M], how: How) -> MoveMade:
        turn = self._turn_until(line.made_at_ns)
        self._put_on_record(line, how, ())
        self._open_turn(line)
        ply = self.record.plies[-1]
        return MoveMade(
            at_ns,
            line.ply,
            line.side,
            ply.move,
            ply.made_at_ns,
            ply.completed_at_ns,
            how,
            ply.sureness,
            (),
            turn,
        )

    def _replace(self, at_ns: int, line: Line[P, M], how: How) -> MoveReplaced:
        self.record = self.record.before(line.ply)
        self._put_on_record(line, how, ())
        self._open_turn(line)
        ply = self.record.plies[-1]
        return MoveReplaced(
            at_ns,
            line.ply,
            ply.move,
            ply.made_at_ns,
            ply.completed_at_ns,
            how,
            ply.sureness,
            (),
        )

    def _put_on_record(self, line: Line[P, M], how: How, alternatives: tuple[str, ...]) -> None:
        assert line.parent is not None
        assert line.move is not None
        self.record = self.record.with_ply(
            RecordedPly(
                line.side,
                self._rules.wire(line.parent.seen.position, line.move),
                line.made_at_ns,
                line.completed_at_ns,
                how,
                Sureness.LIKELY if alternatives else Sureness.CERTAIN,
                alternatives,
            ),
            line.seen.position,
        )
        self._told.append(line)

    def _open_turn(self, line: Line[P, M]) -> None:
        self._changes = [change for change in self._changes if change.at_ns > line.made_at_ns]
        self._since_ns = line.made_at_ns
        assert line.parent is not None
        assert line.move is not None
        until = line.made_at_ns + self._settings.settle_ns
        self._settling = tuple((s, until) for s, _ in line.parent.seen.written(line.move))

    # Presses and rests.

    @property
    def _grace_ns(self) -> int:
        return self._sight.sensing.scan_ns + self._settings.press_grace_ns

    def _resolve_press(self, at_ns: int) -> list[Fact]:
        assert self._press is not None
        pressed_at_ns, side, late_ns = self._press
        self._press = None
        if self._ended:
            return []
        line = self._unpressed(side)
        if line is None:
            turn = self.turn
            return [Pressed(pressed_at_ns, late_ns, side, None, turn.ply, turn, False)]
        line.pressed = True
        line.completed_at_ns, line.completed_how = pressed_at_ns, How.PRESSED
        facts: list[Fact] = []
        turn = self.turn
        if self._told[-1].ply < line.ply or self._told[line.ply - self._told[0].ply] is not line:
            facts += self._tell(at_ns, [past for past in self._line.path() if past.ply <= line.ply])
            made = facts[-1]
            turn = made.turn if isinstance(made, MoveMade) else turn
        else:
            ply = self.record.plies[line.ply - 1]
            facts.append(MoveCompleted(at_ns, line.ply, pressed_at_ns, How.PRESSED))
            changed = RecordedPly(
                ply.side,
                ply.move,
                ply.made_at_ns,
                pressed_at_ns,
                ply.how,
                ply.sureness,
                ply.alternatives,
                ply.irregular_fen,
            )
            self.record = self.record.with_changed(line.ply, changed)
        begun = bool(self._line.ply > line.ply)
        move = self.record.plies[line.ply - 1].move
        facts.append(Pressed(pressed_at_ns, late_ns, side, move, line.ply, turn, begun))
        return facts

    def _unpressed(self, side: Colour) -> Line[P, M] | None:
        """The half-move a press by this side completes, if the board shows one."""
        for line in self._line.back():
            if line.parent is None or self._line.ply - line.ply > 1:
                return None
            if line.side is side:
                fits = line.completed_at_ns is None and (self._agrees or line is not self._line)
                return line if fits else None
        return None

    def _settle(self, at_ns: int) -> list[Fact]:
        self._changed_at_ns = None
        if self._ended or self._rules.result_signal(self.placement) is not None:
            return []
        if self._agrees:
            path = self._line.path()
            return self._tell(at_ns, path, How.SETTLED) if path != self._told[1:] else []
        squares = differing(self._line.seen.placement, tuple(self._shown))
        self._settled_told = True
        return [Settled(at_ns, self.turn, squares)]

    def _kings_due_ns(self) -> int | None:
        """Set by the board's own changes: the men must rest with the kings in the centre."""
        return self._kings_at_ns

    def _watch_kings(self, at_ns: int) -> None:
        signal = self._rules.result_signal(self.placement)
        if signal is None:
            self._kings_at_ns = self._kings_told = None
        elif signal != self._kings_told:
            self._kings_at_ns = at_ns + self._settings.kings_ns

    def _tell_kings(self, at_ns: int) -> list[Fact]:
        self._kings_at_ns = None
        result = self._rules.result_signal(self.placement)
        assert result is not None
        self._kings_told = result
        return [KingsInCentre(at_ns, result, self.turn)]
