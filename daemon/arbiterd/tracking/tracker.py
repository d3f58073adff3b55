"""One board's placements and presses in, facts out: the door to tracking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arbiterd.rules.ruleset import Colour, RuleSet, differing
from arbiterd.tracking import checkpoint, correcting
from arbiterd.tracking.arrays import begin_game, is_array, press_before_array, see_first_array
from arbiterd.tracking.belief import Belief
from arbiterd.tracking.completing import resolve_presses
from arbiterd.tracking.facts import BoardBack, BoardLost, Fact, How, Turn
from arbiterd.tracking.hypothesis import Held, held_now
from arbiterd.tracking.image import Image
from arbiterd.tracking.kings import tell_kings
from arbiterd.tracking.next_game import see_next_game
from arbiterd.tracking.on_change import see, see_beside, witness
from arbiterd.tracking.on_press import POSITIONS_JUDGED, judge_press, press_at_once, presses_are_due
from arbiterd.tracking.on_rest import see_after_silence, settle
from arbiterd.tracking.press_waits import press_due_ns
from arbiterd.tracking.presses import PRESSES_KEPT, PendingPress
from arbiterd.tracking.record import Entry, Record
from arbiterd.tracking.sensors import Position
from arbiterd.tracking.settings import TrackingSettings
from arbiterd.tracking.snapshot import Effort
from eboards.events import Piece, Placement, Sensing, Square

MISSED_SQUARES = 3
"""So many squares that differ without a word are several messages that were lost."""


class Tracker:
    """Keeps the lines of play that explain what the board shows; tells what is certain enough."""

    def __init__(
        self,
        rules: RuleSet[Any, Any],
        sensing: Sensing,
        settings: TrackingSettings,
        position: Position,
        at_ns: int,
        *,
        moves: Sequence[str] = (),
    ) -> None:
        self._belief = Belief(rules, sensing, settings, position, at_ns)
        correcting.lay(self._belief, at_ns, moves)
        self._belief.image = Image(self._belief.sensors, rules.placement(self.position))

    # What it believes.

    @property
    def record(self) -> Record:
        return self._belief.record

    @property
    def position(self) -> Position:
        """The position after the record."""
        return self._belief.position

    @property
    def believed(self) -> tuple[str, ...]:
        """The half-moves of the best explanation so far, told or not, in wire form.

        Empty text for an irregular one. It may change with every input; the record does not.
        """
        best = self._belief.live[0]
        before = self.record.plies[: best.root().ply]
        return (*(ply.move for ply in before), *(line.wire() for line in best.path()))

    @property
    def placement(self) -> Placement:
        """What the sensors show."""
        return self._belief.placement

    @property
    def damaged_ns(self) -> int | None:
        """When bytes last came damaged."""
        return self._belief.status.damaged_ns

    @property
    def missed_ns(self) -> int | None:
        """When messages were last known to be missing: a picture showed that several had been
        lost, or has not come that a press waited for."""
        status = self._belief.status
        return status.unpictured_ns or status.missed_ns

    def shows_record(self, placement: Placement) -> bool:
        """Whether that is how the pieces stand after the record, as far as the sensors tell."""
        sensors = self._belief.sensors
        return sensors.shown(placement) == sensors.seen(self._belief.position).placement

    @property
    def left_over(self) -> bool:
        """The board shows the game before; nobody has set the pieces up yet."""
        return self._belief.status.left_over

    @property
    def turn(self) -> Turn:
        """All that was seen since the last half-move on the record."""
        return self._belief.turn

    def hypotheses(self) -> tuple[Held, ...]:
        """The lines held now, best first, with what speaks for and against each."""
        return held_now(self._belief.live, self._belief.image.hash)

    # Inputs.

    def changed(self, at_ns: int, square: Square, piece: Piece) -> list[Fact]:
        """One square shows something else."""
        self._belief.status.tells_changes = True
        if not self._belief.write(at_ns, square, piece):
            self._belief.echo(at_ns, square)
            return []
        return see(self._belief, at_ns)

    def scanned(self, at_ns: int, placement: Placement) -> list[Fact]:
        """The whole board as it is shown now."""
        belief = self._belief
        pictured, first = belief.tells_losses, belief.status.pictured_ns is None
        if first and not belief.record.plies and belief.rules.result_signal(placement):
            return self._left_over(at_ns, placement)
        belief.status.pictured_ns, belief.status.unpictured_ns = at_ns, None
        if belief.status.away:
            belief.status.away, belief.status.back_ns = False, at_ns
        squares = differing(belief.image.raw, placement)
        for square in squares:
            belief.write(at_ns, square, placement[square], pictured=pictured or first)
        if squares and pictured:
            belief.status.loss_ns = at_ns
        if belief.status.tells_changes and len(squares) >= MISSED_SQUARES:
            belief.status.missed_ns = at_ns
        if not pictured:
            # A board that never shows less than the whole loses nothing.
            for base in belief.bases:
                base.witnessed = True
        facts = see(belief, at_ns) if squares else []
        if squares:
            facts += see_after_silence(belief, at_ns)
        if belief.agrees:
            belief.status.loss_ns = belief.status.back_ns = None
        facts += witness(belief, at_ns)
        return facts or see_first_array(belief, at_ns)

    def stands(self, at_ns: int, placement: Placement, *, played: bool) -> list[Fact]:
        """What stood there when this game was called, and was seen to come there before it.

        Nothing of it is of this game, unless the pieces are set up; `played`: as they may be, a
        game that is over has left them so.
        """
        belief = self._belief
        wanted, shown = belief.live[0].seen.placement, belief.sensors.shown(placement)
        ready = shown == wanted or belief.sensors.start_shown(placement) is not None
        if ready or belief.record.plies or (is_array(wanted, shown) and not played):
            return self.scanned(at_ns, placement)
        return self._left_over(at_ns, placement)

    def _left_over(self, at_ns: int, placement: Placement) -> list[Fact]:
        """The pieces of the game before. Kings that stand in the centre before anybody has moved
        show that it is over: they are its result, and none of this game."""
        belief, status = self._belief, self._belief.status
        status.left_over, status.pictured_ns = True, at_ns
        for square in differing(belief.image.raw, placement):
            belief.write(at_ns, square, placement[square])
        status.changed_at_ns = None
        return []

    def felt(self, at_ns: int, square: Square, down: bool) -> list[Fact]:
        """A finger was felt on a piece, on boards that can."""
        self._belief.book.feel(at_ns, square, down)
        return []

    def beside(self, at_ns: int, side: Colour, pieces: tuple[Piece, ...]) -> list[Fact]:
        """These pieces lie beside the board for this side, where that is sensed."""
        return see_beside(self._belief, at_ns, side, pieces)

    @property
    def clock_runs(self) -> tuple[Colour | None, bool]:
        """Whose clock runs, and whether there is one, as it was told."""
        return self._belief.status.runs, self._belief.status.clock_known

    def clock(self, at_ns: int, running: Colour | None, known: bool) -> list[Fact]:
        """Which clock runs (None: both stand; known False: no clock at all)."""
        belief, status = self._belief, self._belief.status
        stood = belief.clocks_stopped
        status.clock_known = known
        belief.run(running, at_ns)
        return see_next_game(belief, at_ns) if stood and not belief.clocks_stopped else []

    def link(self, at_ns: int, up: bool, sensing: Sensing | None, reason: str = "") -> list[Fact]:
        """The board answers, or no longer does, with the reason in words.

        One that has shown itself and answers anew was away, also where nobody said that it went:
        the service was stopped, and is started again.
        """
        belief, status = self._belief, self._belief.status
        heard_ns, lost_at_ns = status.at_ns, status.lost_at_ns
        status.at_ns = at_ns
        if not up:
            status.lost_at_ns = at_ns if lost_at_ns is None else lost_at_ns
            return [BoardLost(at_ns, reason)] if lost_at_ns is None else []
        status.lost_at_ns = None
        if lost_at_ns is None and status.pictured_ns is not None:
            lost_at_ns = heard_ns
        if lost_at_ns is not None:
            status.loss_ns, status.away = at_ns, True
        if sensing is not None and sensing != belief.sensors.sensing:
            belief.look_through(sensing)
        return [] if lost_at_ns is None else [BoardBack(at_ns, at_ns - lost_at_ns)]

    def damaged(self, at_ns: int) -> list[Fact]:
        """Bytes came damaged: what they said nobody knows."""
        self._belief.status.damaged_ns = at_ns
        return []

    def pressed(
        self, at_ns: int, side: Colour, late_ns: int, followed: int = 0, seen: bool = True
    ) -> list[Fact]:
        """`side` stopped its clock, within `late_ns` before `at_ns`; `followed` by so many presses
        that are heard of at the same time. Not `seen`: only the times tell of them."""
        belief, status = self._belief, self._belief.status
        status.at_ns = at_ns
        stood, status.clock_known = belief.clocks_stopped, True
        belief.run(side.other, at_ns)
        if status.left_over:
            press_before_array(belief, at_ns, side, late_ns)
        if status.ended or status.left_over:
            return []
        begun = see_next_game(belief, at_ns) if stood else []
        changed_at_ns = belief.book.changes[-1].at_ns if belief.book.changes else 0
        left_at_ns, shown = status.left_at_ns, self.placement
        press = PendingPress(
            at_ns, side, late_ns, shown, followed, changed_at_ns, seen, left_at_ns, restart=stood
        )
        belief.presses.append(press)
        status.presses = (*status.presses, (side, at_ns, late_ns))[-PRESSES_KEPT:]
        facts = begun + (resolve_presses(belief, at_ns) or press_at_once(belief, at_ns))
        if len(belief.presses) > PRESSES_KEPT:
            facts += judge_press(belief, at_ns, Effort(POSITIONS_JUDGED))
        return facts

    def distrust(self, squares: Mapping[Square, int]) -> None:
        """These coils lose pieces by themselves, as is known since then: what left one later, and
        is back on it at once, was in no hand."""
        self._belief.distrust(squares)

    # Silence.

    @property
    def due_at_ns(self) -> int | None:
        """When `due` wants to be called if nothing comes before."""
        belief, status = self._belief, self._belief.status
        if status.kings_at_ns is None and not belief.presses:
            changed_at_ns = status.changed_at_ns
            if changed_at_ns is None:
                return None
            return max(changed_at_ns + belief.settings.settle_ns, status.at_ns)
        times = (self._settle_due_ns, press_due_ns(belief), status.kings_at_ns)
        return max(min([time for time in times if time is not None]), status.at_ns)

    @property
    def _settle_due_ns(self) -> int | None:
        changed_at_ns = self._belief.status.changed_at_ns
        return None if changed_at_ns is None else changed_at_ns + self._belief.settings.settle_ns

    def due(self, at_ns: int) -> list[Fact]:
        """What the silence since the last input means."""
        belief = self._belief
        belief.status.at_ns = at_ns
        facts = presses_are_due(belief, at_ns)
        if belief.status.kings_at_ns is not None and at_ns >= belief.status.kings_at_ns:
            facts += tell_kings(belief, at_ns)
        settle_ns = self._settle_due_ns
        if settle_ns is not None and at_ns >= settle_ns:
            belief.status.changed_at_ns = None
            facts += settle(belief, at_ns)
        return facts

    # The arbiter's corrections.

    def set_position(self, at_ns: int, position: Position) -> list[Fact]:
        """The position is this one from now on; the record begins anew with it."""
        return self.begin_game(at_ns, position)

    def stand(self, at_ns: int, position: Position) -> list[Fact]:
        """The same game goes on from this position, though no move on the record leads there."""
        return correcting.stand(self._belief, at_ns, position)

    def set_line(self, at_ns: int, moves: Sequence[Entry], *, how: How = How.ARBITER) -> list[Fact]:
        """The record from the start is exactly this now. Raises ValueError for no legal line.

        `how`: by the arbiter's word, or from a source that tells finished moves.
        """
        return correcting.set_line(self._belief, at_ns, moves, how)

    def end_game(self, _at_ns: int) -> None:
        """A result stands: what follows is analysis until the next start array."""
        correcting.end_game(self._belief)

    def resume_game(self, at_ns: int) -> None:
        """The result was taken back: play goes on."""
        correcting.resume_game(self._belief, at_ns)

    def begin_game(self, at_ns: int, position: Position) -> list[Fact]:
        """A new game from this position."""
        return begin_game(self._belief, at_ns, position)

    # Checkpoints.

    def checkpoint(self) -> bytes:
        """The whole tracker; folding on from it equals folding from the start."""
        return checkpoint.keep(self._belief)

    @classmethod
    def restored(cls, rules: RuleSet[Any, Any], settings: TrackingSettings, data: bytes) -> Tracker:
        """The tracker that `checkpoint` wrote."""
        belief = checkpoint.restore(rules, settings, data)
        tracker = cls(rules, belief.sensors.sensing, settings, belief.position, 0)
        tracker._belief = belief
        return tracker
