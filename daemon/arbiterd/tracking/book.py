"""What has been told: the record, the lines behind it, and the turn that is open.

told[0] ── told[1] ── … ── told[-1]   lines on the record, the newest few
changes ─────────────────────────▶    raw changes since some half-moves ago, for the turns
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from math import exp
from typing import Any

from msgspec.structs import replace

from arbiterd.tracking import weights
from arbiterd.tracking.evidence import REPLY_NS
from arbiterd.tracking.facts import (
    CHANGES_KEPT,
    Fact,
    How,
    IrregularEntered,
    MoveCompleted,
    MoveMade,
    MoveReplaced,
    MoveWithdrawn,
    PlyCertainty,
    SquareSeen,
    TookBack,
    Touch,
    Turn,
)
from arbiterd.tracking.lines import Line
from arbiterd.tracking.record import Record, RecordedPly
from arbiterd.tracking.sensors import Sensors
from arbiterd.tracking.settings import TrackingSettings
from arbiterd.tracking.snapshot import Echo
from arbiterd.tracking.touches import Felt, Ground, touches
from eboards.events import Placement, Square

BOOK_PLIES = 160
"""So many are held where rivals have differed for so long: pieces whose face no sensor tells."""

AS_SURE = ("sureness", "alternatives", "probability")
AS_KNOWN = ("move", "made_at_ns", "completed_at_ns", "how", *AS_SURE)
"""What a fact says of a half-move as its entry has it."""
UNPRESSED = (How.SETTLED, How.REPLIED)
"""What made a half-move known before its press was heard; the press is the better evidence."""


@dataclass(frozen=True, slots=True)
class Rivals:
    """What else a half-move may have been."""

    moves: tuple[str, ...] = ()
    """Those that explain the board about as well, likeliest first."""
    weight: float = 0.0
    """How likely all others are together, beside this one."""
    played: bool = True
    """False: it may be no half-move of the game."""


NO_RIVALS = Rivals()
"""It was this one and nothing else."""

Alternatives = Callable[[int, str], Rivals]
"""For a half-move's number and its move."""


class Book:
    """Keeps the record and tells what changes in it."""

    def __init__(
        self, sensors: Sensors, settings: TrackingSettings, root: Line, record: Record
    ) -> None:
        self.sensors = sensors
        self._settings = settings
        self.record = record
        self.told: list[Line] = [root]
        self.changes: list[SquareSeen] = []
        self.fingers: list[Felt] = []
        self.echoes: list[Echo] = []
        self.weak: Mapping[Square, int] = {}
        """Coils that lose pieces by themselves, and since when that is known."""
        self.clocks_stopped = False
        self._turn: tuple[tuple[object, ...], Turn] | None = None
        """The present turn, with what it was made of: a running clock asks for it each second."""

    @property
    def last(self) -> Line:
        """The newest half-move on the record, or the root."""
        return self.told[-1]

    def write(self, change: SquareSeen) -> None:
        self.changes.append(change)
        if len(self.changes) > 2 * CHANGES_KEPT:
            del self.changes[:CHANGES_KEPT]

    def feel(self, at_ns: int, square: Square, down: bool) -> None:
        self.fingers.append(Felt(at_ns, square, down))
        if len(self.fingers) > CHANGES_KEPT:
            del self.fingers[0]

    # Turns.

    def turn(self, placement: Placement, made: Line | None = None) -> Turn:
        """The turn after the last half-move told; with `made`, as it stood when that was made."""
        if made is not None:
            return self._turn_after(len(self.told) - 1, placement, made)
        made_of = (
            *((line, line.made_at_ns, line.completed_at_ns) for line in self.told[-2:]),
            self.changes[-1] if self.changes else None,
            self.fingers[-1] if self.fingers else None,
            self.sensors,
            self.weak,
            self.clocks_stopped,
            placement,
        )
        if self._turn is None or self._turn[0] != made_of:
            self._turn = (made_of, self._turn_after(len(self.told) - 1, placement, None))
        return self._turn[1]

    def turn_of(self, line: Line, placement: Placement) -> Turn:
        """The turn in which a half-move on the record was made."""
        return self._turn_after(max(0, self.told.index(line) - 1), placement, line)

    def _turn_after(self, place: int, placement: Placement, made: Line | None) -> Turn:
        last = self.told[place]
        until_ns = None if made is None else made.made_at_ns
        changes = self._between(last.made_at_ns, until_ns)
        found = self._touches(last, changes, until_ns)
        if made is not None and (replies := self._replies_begun(made, found)):
            found = tuple(touch for touch in found if touch not in replies)
        return Turn(
            ply=last.ply + 1,
            side=last.seen.turn,
            fen=last.seen.fen,
            since_ns=last.made_at_ns,
            touches=found,
            changes=tuple(changes[-CHANGES_KEPT:]),
            placement=placement,
            early_touches=self._early(place),
        )

    def touches(self) -> tuple[Touch, ...]:
        """Those of the turn after the last half-move told."""
        return self._touches(self.last, self._between(self.last.made_at_ns, None), None)

    def _touches(
        self, last: Line, changes: Sequence[SquareSeen], until_ns: int | None
    ) -> tuple[Touch, ...]:
        fingers = self._felt_between(last.made_at_ns, until_ns) if self.fingers else ()
        return touches(self._ground(last), changes, fingers) if changes or fingers else ()

    def _between(self, since_ns: int, until_ns: int | None) -> list[SquareSeen]:
        """The newest of them, looked for from the end: they are in order."""
        changes = self.changes
        first = end = len(changes)
        if until_ns is not None:
            while end and changes[end - 1].at_ns > until_ns:
                end -= 1
            first = end
        while first and changes[first - 1].at_ns > since_ns:
            first -= 1
        return changes[first:end]

    def squares_since(self, at_ns: int) -> list[Square]:
        """Squares that have changed then or later, ascending."""
        found = set()
        for change in reversed(self.changes):
            if change.at_ns < at_ns:
                break
            found.add(change.square)
        return sorted(found)

    def _felt_between(self, since_ns: int, until_ns: int | None) -> list[Felt]:
        return [
            finger
            for finger in self.fingers
            if finger.at_ns > since_ns and (until_ns is None or finger.at_ns <= until_ns)
        ]

    def _ground(self, line: Line) -> Ground:
        """What the turn after `line` began with."""
        sensing, rules = self.sensors.sensing, self.sensors.rules
        debounce_ns = max(self._settings.debounce_ns, 2 * sensing.scan_ns)
        until_ns = line.made_at_ns + self._settings.slide_ns
        if line.completed_at_ns is not None:
            until_ns = line.completed_at_ns
        return Ground(
            home=rules.placement(line.seen.position),
            shown=line.seen.placement,
            owner=self.sensors.owners.__getitem__,
            scan_ns=sensing.scan_ns,
            debounce_ns=debounce_ns,
            settling=dict.fromkeys(self._handled(line), until_ns),
            presser=line.side if line.pressed else None,
            pressed_at_ns=until_ns,
            weak=self.weak,
            weak_ns=max(debounce_ns, self._settings.weak_ns),
            goes_on=not self.clocks_stopped,
        )

    def _handled(self, line: Line) -> list[Square]:
        """The squares at which hands made the half-move; where pieces are alike it may read the
        same after a capture as before."""
        written = [square for square, _ in line.written()]
        if not self.sensors.pieces_alike or line.parent is None or line.move is None:
            return written
        return [*written, *self.sensors.rules.touched(line.parent.seen.position, line.move)]

    def _replies_begun(self, made: Line, found: Sequence[Touch]) -> list[Touch]:
        """Pieces the other side had lifted when `made` was made, and had not put back."""
        turn, at_ns = made.seen.turn, made.made_at_ns
        begun = [
            touch
            for touch in found
            if touch.colour is turn
            and touch.lifted_at_ns <= at_ns
            and (touch.returned_at_ns is None or touch.returned_at_ns > at_ns)
        ]
        if not begun:
            return []
        written = {square for square, _ in made.written()}
        return [touch for touch in begun if touch.square not in written]

    def _early(self, place: int) -> tuple[Touch, ...]:
        """Pieces of the side that has the move, lifted before the half-move before was made."""
        if place < 1:
            return ()
        before, last = self.told[place - 1], self.told[place]
        changes = self._between(before.made_at_ns, last.made_at_ns)
        written = {square for square, _ in last.written()}
        if written.issuperset([change.square for change in changes]):
            return ()
        # What came after shows which of them were missed for a scan and were in no hand.
        found = touches(self._ground(before), self._between(before.made_at_ns, None))
        return tuple(self._replies_begun(last, found))

    # Telling.

    def tell(
        self,
        at_ns: int,
        path: Sequence[Line],
        how: How,
        placement: Placement,
        alternatives: Alternatives,
        completing: bool,
        forked: int,
        newest: Line,
    ) -> list[Fact]:
        """Makes the record this path; what differs is told.

        `how` is what makes the last of them known; those before it were replied to. With
        `completing`, a half-move is completed by its side's next one (a clock takes part).
        Rivals of this path have left it after half-move `forked`; `newest` may be its reply.
        """
        wanted, same = [self.told[0], *path], self._shared(path)
        # What was made later than all that is withdrawn was played after it was taken back.
        told_anew = same < len(wanted) and wanted[same].made_at_ns <= self.last.made_at_ns
        ordered = told_anew or how is How.ARBITER
        facts: list[Fact] = []
        if (keep := max(same, len(wanted))) < len(self.told):
            facts += self._withdraw(at_ns, keep, placement, clock=completing, told_anew=ordered)
        facts += self.settle_doubts(at_ns, same, newest, alternatives)
        if same < len(wanted):
            old = self.record.plies[wanted[same].ply - 1 :]
            corrected = how is How.ARBITER and len(old) == len(wanted) - same
            self.record = self.record.before(wanted[same].ply)
            del self.told[same:]
            for line, before in zip_longest(wanted[same:], old):
                known = how if line is wanted[-1] or how is How.ARBITER else How.REPLIED
                entry = self._entry(line, known, newest, alternatives)
                if corrected and before is not None and line is not wanted[-1]:
                    entry = entry.at_the_time_of(before)
                facts += self._put(at_ns, line, known, before, placement, entry)
                if completing and before is None:
                    facts += self._complete_by_next(at_ns)
        self._forget(forked)
        return facts

    def _shared(self, path: Sequence[Line]) -> int:
        """So many lines of the record stay as they are, the root counted."""
        if path[: len(self.told) - 1] == self.told[1:]:
            return len(self.told)
        pairs = enumerate(zip(path, self.told[1:], strict=False), 1)
        return next((n for n, (line, before) in pairs if line is not before), len(path) + 1)

    def begin_anew(self, at_ns: int, root: Line, plies: int) -> list[Fact]:
        """The record is to be told from its start; what is longer than so many half-moves goes."""
        numbers = range(len(self.record.plies), plies, -1)
        self.told, self.record = [root], self.record.before(plies + 1)
        return [MoveWithdrawn(at_ns, number) for number in numbers]

    def complete(self, at_ns: int, line: Line, completed_at_ns: int, how: How) -> list[Fact]:
        """A half-move is completed; told if it is on the record."""
        line.completed_at_ns, line.completed_how = completed_at_ns, how
        if line not in self.told[1:]:
            return []
        known = self.record.plies[line.ply - 1].how
        known = how if how is How.PRESSED and known in UNPRESSED else known
        self._change(line, how=known, completed_at_ns=completed_at_ns)
        if line.irregular:
            return []
        return [MoveCompleted(at_ns, line.ply, completed_at_ns, how)]

    def vouch(self, line: Line) -> None:
        """An irregular half-move on the record is certain now."""
        if line not in self.told[1:]:
            return
        self._change(line, sureness=PlyCertainty.CERTAIN, probability=_probability(line, NO_RIVALS))

    def _change(self, line: Line, **changes: Any) -> RecordedPly:
        """Another account of a half-move on the record."""
        changed = replace(self.record.plies[line.ply - 1], **changes)
        self.record = self.record.with_changed(line.ply, changed)
        return changed

    def _withdraw(
        self, at_ns: int, keep: int, placement: Placement, *, clock: bool, told_anew: bool
    ) -> list[Fact]:
        """Takes told half-moves off the end, last first. The players took them back, unless those
        before them are told anew, an arbiter withdraws them, or the board never showed them; nor
        where a `clock` takes part, and was pressed for none of them."""
        gone = self.told[keep:]
        if not gone:
            return []
        moves = tuple(ply.move for ply in self.record.plies[gone[0].ply - 1 :])
        facts: list[Fact] = [MoveWithdrawn(at_ns, line.ply) for line in reversed(gone)]
        del self.told[keep:]
        self.record = self.record.before(gone[0].ply)
        completed = any(line.completed_at_ns is not None for line in gone)
        shown = all(line.watched for line in gone)
        made = not clock or any(line.pressed or line.given for line in gone)
        if made and (completed or len(gone) > 1) and shown and not told_anew:
            facts.append(TookBack(at_ns, gone[0].ply - 1, moves, self.turn(placement)))
        return facts

    def settle_doubts(
        self, at_ns: int, same: int, newest: Line, alternatives: Alternatives
    ) -> list[Fact]:
        """Of the first `same` lines of the record those that were likely and are certain now, and
        those of whose alternatives some are ruled out."""
        facts: list[Fact] = []
        known: dict[str, Any]
        entered = self.record.plies[self.told[0].ply : self.told[same - 1].ply]
        certain = PlyCertainty.CERTAIN
        for line, ply in zip(self.told[1:same], entered, strict=True):
            if ply.sureness is certain or line.irregular or _may_go_on(line, newest):
                continue
            rivals = alternatives(line.ply, ply.move)
            share = _probability(line, rivals)
            if _is_sure(line, rivals, share) and (ply.alternatives or not line.doubtful):
                how = How.PRESSED if line.pressed else ply.how
                known = {"how": how, "sureness": certain}
            elif rivals.moves and set(rivals.moves) < set(ply.alternatives):
                known = {}
            else:
                continue
            changed = self._change(line, alternatives=rivals.moves, probability=share, **known)
            facts.append(_replaced(at_ns, line.ply, changed))
        return facts

    def _put(
        self,
        at_ns: int,
        line: Line,
        how: How,
        old: RecordedPly | None,
        placement: Placement,
        ply: RecordedPly,
    ) -> list[Fact]:
        """The next half-move of the record, in place of the `old` one if there was one."""
        another = old is None or ply.move != old.move
        turn = self.turn(placement, made=line) if another else None
        if old is not None and not another and ply.irregular_fen == old.irregular_fen:
            how = How.PRESSED if line.pressed else old.how
            sure = {name: getattr(ply, name) for name in AS_SURE}
            ply = replace(old, how=how, **sure)
        assert line.ply == len(self.record.plies) + 1, "half-moves are entered in order"
        self.record = self.record.with_ply(ply, line.seen.position)
        self.told.append(line)
        if old is None:
            assert turn is not None, "one that is new has a turn"
            return self._made(at_ns, line, how, ply, turn)
        same = all(
            getattr(ply, n) == getattr(old, n) for n in ("move", "sureness", "irregular_fen")
        )
        return [] if same else [_replaced(at_ns, line.ply, ply, turn, unheard=line.unheard)]

    def _made(self, at_ns: int, line: Line, how: How, ply: RecordedPly, turn: Turn) -> list[Fact]:
        """A half-move that is new on the record; what an arbiter put there needs no telling."""
        side, number, unheard = line.side, line.ply, line.unheard
        if not line.irregular:
            known = _as_known(ply)
            return [MoveMade(at_ns, number, side, turn=turn, unheard=unheard, **known)]
        if how is How.ARBITER:
            return []
        unclear = line.doubtful or ply.alternatives
        sureness = PlyCertainty.LIKELY if unclear else PlyCertainty.CERTAIN
        stood = (line.seen.fen, line.pressed, sureness, line.witnessed)
        return [IrregularEntered(at_ns, number, side, turn, *stood)]

    def _entry(self, line: Line, how: How, newest: Line, alternatives: Alternatives) -> RecordedPly:
        wire = line.wire()
        rivals = alternatives(line.ply, wire)
        unanswered = False
        if line.pressed:
            how = How.PRESSED
        elif not line.watched and how is not How.ARBITER:
            unanswered = how is How.SETTLED
            how = How.INFERRED
        unanswered |= _may_go_on(line, newest)
        share = 1.0 if how is How.ARBITER else _probability(line, rivals, unanswered=unanswered)
        doubtful = line.doubtful or unanswered or not line.witnessed
        doubtful |= not _is_sure(line, rivals, share)
        return RecordedPly(
            side=line.side,
            move=wire,
            made_at_ns=line.made_at_ns,
            completed_at_ns=line.completed_at_ns,
            how=how,
            sureness=PlyCertainty.LIKELY if doubtful else PlyCertainty.CERTAIN,
            alternatives=rivals.moves,
            probability=share,
            irregular_fen=line.seen.fen if line.irregular else None,
        )

    def _complete_by_next(self, at_ns: int) -> list[Fact]:
        """The side moved again without having pressed: its move before is completed (6.2.1.2)."""
        if len(self.told) < 4:
            return []
        before, last = self.told[-3], self.told[-1]
        if before.completed_at_ns is not None:
            return []
        return self.complete(at_ns, before, last.made_at_ns, How.REPLIED)

    def _forget(self, forked: int) -> None:
        """Bounds the lines and changes kept; the record itself stays whole.

        Of the lines, those since half-move `forked` are kept as long as the book holds.
        """
        horizon = self.sensors.horizon_plies
        keep = max(horizon, min(self.last.ply - forked, BOOK_PLIES))
        if len(self.told) > keep + horizon:
            del self.told[: -keep - 1]
            self.told[0].cut()
        kept_ns = self.told[max(0, len(self.told) - 4)].made_at_ns
        if self.changes and self.changes[0].at_ns <= kept_ns:
            self.changes = self._between(kept_ns, None)
        if self.echoes:
            self.echoes = [echo for echo in self.echoes if echo.at_ns > kept_ns]
        if self.fingers and self.fingers[0].at_ns <= kept_ns:
            self.fingers = [finger for finger in self.fingers if finger.at_ns > kept_ns]


def _may_go_on(line: Line, newest: Line) -> bool:
    """It was replied to sooner than anybody replies to what they see made, and was not pressed:
    its piece may be on its way yet."""
    if newest.parent is not line or line.completed_how is not None:
        return False
    return 0 < newest.made_at_ns - line.made_at_ns < REPLY_NS


def _is_sure(line: Line, rivals: Rivals, share: float) -> bool:
    """Nothing else that is likely is held, nor was left out; and it was a half-move of the game."""
    alone = rivals.played and not rivals.moves and not line.crowded
    return alone and share >= weights.CERTAIN_LEAST


def _as_known(entry: RecordedPly) -> dict[str, Any]:
    """What is told of a half-move as the record has it."""
    return {name: getattr(entry, name) for name in AS_KNOWN}


def _probability(line: Line, rivals: Rivals, *, unanswered: bool = False) -> float:
    """That a half-move was this one: its share of all that is held, what nobody thought of
    included; to a thousandth, so that every machine says the same."""
    others = rivals.weight + exp(-weights.SOMETHING_ELSE)
    others += exp(-weights.UNWATCHED) * (line.doubtful + unanswered)
    others += exp(-weights.DAMAGED) * line.damaged
    if line.unheard_plies:
        others += exp(line.unheard_plies - weights.UNHEARD)
    # A press with nothing to show for it: nothing was played, or it was not heard of.
    others += not line.witnessed
    return round(1 / (1 + others), 3)


def _replaced(
    at_ns: int, ply: int, entry: RecordedPly, turn: Turn | None = None, *, unheard: bool = False
) -> MoveReplaced:
    return MoveReplaced(at_ns, ply, turn=turn, unheard=unheard, **_as_known(entry))
