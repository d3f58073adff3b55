"""All that is believed of one board, between two inputs.

live      the explanations of what the board last showed, best first
given_up  half-moves that stood, with others believed in their place now
bases     positions play might go on from though no legal move leads there
book      what has been told of the best of them
image     what the board shows now
presses   those that wait for the placements they belong to, oldest first
status    clocks, times, and what was last said
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice

from arbiterd.rules.ruleset import Colour, RuleSet, differing
from arbiterd.rules.sensed import signalled
from arbiterd.tracking import weights
from arbiterd.tracking.book import Book
from arbiterd.tracking.evidence import begun_at, had_begun
from arbiterd.tracking.facts import CHANGES_KEPT, Fact, SquareSeen, SquareSuspect, Turn
from arbiterd.tracking.given_up import GivenUp
from arbiterd.tracking.image import Image
from arbiterd.tracking.lines import Line
from arbiterd.tracking.phases import LinesFound
from arbiterd.tracking.presses import PendingPress
from arbiterd.tracking.record import Record
from arbiterd.tracking.sensors import HORIZON_PLIES, Move, Position, Sensors
from arbiterd.tracking.settings import TrackingSettings
from arbiterd.tracking.snapshot import Echo, Effort, Snapshot
from arbiterd.tracking.status import TrackingStatus
from eboards.events import EMPTY, Piece, Placement, Sensing, Square


class Belief:
    """Only the rooms beside this one write into it, one input at a time."""

    def __init__(
        self,
        rules: RuleSet[Position, Move],
        sensing: Sensing,
        settings: TrackingSettings,
        position: Position,
        at_ns: int,
    ) -> None:
        self.rules = rules
        self.settings = settings
        self.sensors: Sensors = Sensors(rules, sensing)
        self.status = TrackingStatus(at_ns=at_ns)
        self.weak: Mapping[Square, int] = {}
        """Coils that lose pieces by themselves, and since when that is known."""
        self.image: Image = Image(self.sensors, rules.placement(position))
        self.begin(Line(self.sensors.seen(position), None, None, at_ns, ply=0))

    def begin(self, root: Line) -> None:
        """A new game from here; what the board shows stays as it is."""
        record = Record(self.rules.fen(root.seen.position))
        self.book: Book = Book(self.sensors, self.settings, root, record)
        self.live: list[Line] = [root]
        self.given_up: list[GivenUp] = []
        self.bases: list[Line] = []
        self.presses: list[PendingPress] = []
        self.status = self.status.new_game(root.made_at_ns)
        self.book.weak = self.weak

    def distrust(self, squares: Mapping[Square, int]) -> None:
        """These coils are believed less from now on, and no others."""
        self.weak = self.book.weak = squares

    @property
    def record(self) -> Record:
        return self.book.record

    @property
    def position(self) -> Position:
        """The position after the record."""
        return self.book.last.seen.position

    @property
    def placement(self) -> Placement:
        """What the sensors show."""
        return self.image.placement

    @property
    def signal(self) -> str | None:
        """The result that kings in the centre stand for, where they are there."""
        return self.signalled(self.image.raw)

    def signalled(self, shown: Sequence[Piece]) -> str | None:
        """The same, if the sensors showed this."""
        wanted = self.rules.placement(self.position)
        since_ns = self.book.last.made_at_ns
        cleared = (
            seen.square
            for seen in self.book.changes
            if seen.after == EMPTY and seen.at_ns > since_ns
        )
        return signalled(self.rules, wanted, shown, self.sensors.sensing.kind, cleared)

    @property
    def turn(self) -> Turn:
        """All that was seen since the last half-move on the record."""
        return self.book.turn(self.placement)

    @property
    def agrees(self) -> bool:
        """The board shows exactly what the best explanation says."""
        return self.live[0].seen.hash == self.image.hash

    @property
    def clocks_stopped(self) -> bool:
        """Both clocks are stopped: what happens now is an arbiter's work and no play."""
        return self.status.clock_known and self.status.runs is None and bool(self.record.plies)

    def run(self, side: Colour | None, at_ns: int) -> None:
        """This side's clock runs; None: both stand."""
        starts = self.status.runs is None and side is not None
        self.status.run(side, at_ns)
        self.book.clocks_stopped = self.clocks_stopped
        first = starts and not self.record.plies and not self.status.presses
        if first and self.live[0] is self.book.last and self.agrees:
            # Whatever was touched before was put right, or shown to somebody: no player's turn.
            self.live[0].made_at_ns = at_ns

    @property
    def next_games(self) -> list[Line]:
        """Start arrays that stood ready, and that nobody has moved from."""
        return [base for base in self.bases if base.parent is None]

    @property
    def out_of_sight(self) -> bool:
        """The game is lost: nothing explains the board, and it is no player's doing."""
        return self.status.lost or self.came_in_silence(self.live[0])

    @property
    def anchors(self) -> list[Line]:
        """Positions taken as they stood, newest first, while the game is lost from sight."""
        if self.agrees or not self.out_of_sight:
            return []
        return [b for b in reversed(self.bases) if b.parent is not None and b.doubtful]

    @property
    def tells_losses(self) -> bool:
        """A whole picture that differs shows that messages were lost: the board tells changes, or
        is asked for pictures after presses."""
        return self.status.tells_changes or self.sensors.sensing.pictures

    @property
    def hides(self) -> bool:
        """Nothing tells an irregular half-move from a capture somewhere else."""
        return self.sensors.pieces_alike and not self.status.clock_known

    def witnessed(self, since_ns: int) -> bool:
        """The board was seen whole since: no lost message explains what it did not show."""
        return self.status.pictured_ns is not None and self.status.pictured_ns >= since_ns

    def came_in_silence(self, before: Line) -> bool:
        """More squares than one ply writes differ as a picture showed them after messages were
        lost: several plies were played, and when, or by whom, nobody saw."""
        return len(self._unseen(before)) > self.rules.squares_per_ply

    def came_while_away(self, before: Line) -> bool:
        """Squares differ as the first picture showed them after the board had been away: nobody
        saw who did that."""
        return self.status.back_ns is not None and bool(self._unseen(before))

    def _unseen(self, before: Line) -> set[Square]:
        """Squares that differ, and were not seen to change since messages were lost."""
        if self.status.loss_ns is None:
            return set()
        back_ns = self.status.back_ns
        unseen = {c.square for c in self.book.changes if c.pictured or c.at_ns == back_ns}
        return unseen.intersection(differing(before.seen.placement, self.image.shown))

    def path(self) -> list[Line]:
        """The half-moves of the best explanation, oldest first."""
        newest, told = self.live[0], self.book.told
        if newest is told[-1]:
            return told[1:]
        return [*told[1:], newest] if newest.parent is told[-1] else newest.path()

    def goes_on(self, line: Line) -> bool:
        """The line has grown from what is still held of the record."""
        told = self.book.told
        return line is told[-1] or line.parent is told[-1] or line.root() is told[0]

    def lines(self) -> list[Line]:
        """Every line held, each once, parents before children."""
        found: dict[int, Line] = {}
        held = [past.line for past in self.given_up]
        for end in (*self.book.told, *self.live, *held, *self.bases):
            for line in reversed(list(end.back())):
                found.setdefault(id(line), line)
        return list(found.values())

    def write(self, at_ns: int, square: Square, piece: Piece, *, pictured: bool = False) -> bool:
        """A square shows this now, as a message or a picture tells. False: it did so before."""
        before = self.image.raw[square]
        if before == piece:
            return False
        self.status.at_ns = self.status.changed_at_ns = at_ns
        self.image.write(square, piece)
        if not self.status.left_over:  # Who puts the game before away touches nothing of this one.
            stopped = self.clocks_stopped
            self.book.write(SquareSeen(at_ns, square, before, piece, pictured, stopped))
        return True

    def echo(self, at_ns: int, square: Square) -> None:
        """A square says once more what it has shown for a while: it was otherwise meanwhile, and
        that message was lost. Not just after a picture, which may cross a message on its way."""
        newest = (change.at_ns for change in reversed(self.book.changes) if change.square == square)
        if at_ns - next(newest, 0) > 2 * self.sensors.sensing.scan_ns:
            self.book.echoes = [*self.book.echoes, Echo(at_ns, square)][-CHANGES_KEPT:]
            self.status.loss_ns = at_ns

    def look_through(self, sensing: Sensing) -> None:
        """Another board, perhaps of another kind: all positions are seen through its sensors."""
        self.sensors = self.book.sensors = Sensors(self.rules, sensing)
        for line in self.lines():
            line.look_through(self.sensors)
        self.image = Image(self.sensors, self.placement)

    def snapshot(self, at_ns: int, positions: int, placement: Placement | None = None) -> Snapshot:
        """A look at the board as it is, or as it was when it showed `placement`."""
        image = self.image if placement is None else Image(self.sensors, placement)
        if self.clocks_stopped:
            positions = 0  # Half-moves are watched, and none are searched for.
        return Snapshot(
            sensors=self.sensors,
            at_ns=at_ns,
            placement=tuple(image.shown),
            hash=image.hash,
            changes=self.book.changes,
            echoes=self.book.echoes,
            slide_ns=self.settings.slide_ns,
            effort=Effort(positions),
            loss_ns=self.status.loss_ns,
            hides=self.hides,
            otherwise=image.otherwise,
            presses=self.status.presses,
        )

    def unrefuted(self, lines: Sequence[Line]) -> list[Line]:
        """Those that the pieces seen beside the board allow; all, where they allow none.

        A stand lags behind the board, or runs ahead of it, by the piece a hand still holds. So it
        speaks only where as many pieces lie on it as a line has there.
        """
        dropping, shown = self.sensors.dropping, self.status.beside
        if not shown or dropping is None:
            return list(lines)

        def allowed(line: Line) -> bool:
            held = ((dropping.beside(line.seen.position, s), pieces) for s, pieces in shown.items())
            return all(len(own) != len(pieces) or own == pieces for own, pieces in held)

        return [line for line in lines if allowed(line)] or list(lines)

    def _note_unheard(self, line: Line) -> None:
        """Of half-moves found just now, those that only a picture showed to be made."""
        if self.status.loss_ns is None:
            return
        newest = {change.square: change.pictured for change in self.book.changes}
        found: list[Line] = []
        unheard = 0
        for past in islice(line.back(), HORIZON_PLIES):
            if past not in self.live and past not in self.book.told:
                found.append(past)
                past.unheard |= any(newest.get(square, True) for square in past.brought())
            elif not past.unheard:
                break
            unheard += past.unheard
        if unheard:
            # Each press that waits was for one: of fewer, one more was lost.
            unheard = max(unheard, len(self.presses))
        for past in found:
            past.unheard_plies = max(past.unheard_plies, unheard)

    def _note_damage(self, line: Line) -> None:
        """Of half-moves found just now, those that the board never showed by itself, and in whose
        turn bytes came damaged."""
        damaged_ns = self.status.damaged_ns
        if damaged_ns is None:
            return
        for past in islice(line.back(), HORIZON_PLIES):
            if past.parent is None or past in self.live or past in self.book.told:
                return
            past.damaged |= not past.watched and damaged_ns >= past.parent.made_at_ns

    def take_presses_in_vain(self, line: Line) -> None:
        """Presses that found no ply when they were judged were for those that are known just now,
        if they came before the reply, when it had begun; or stood there, if none has come."""
        past = list(islice(line.back(), HORIZON_PLIES))
        known = {ply.completed_at_ns for ply in past} | {press.at_ns for press in self.presses}
        vain = [press for press in self.status.presses if press[1] not in known]
        if not vain:
            return
        look, until_ns = self.snapshot(self.status.at_ns, 0), self.status.at_ns
        for own in past:
            before, known_already = own.parent, own in self.book.told or own.pressed
            if before is not None and not (known_already or own.irregular):
                for side, at_ns, late_ns in vain:
                    begun = own is not line and had_begun(look, own, at_ns)
                    between = before.made_at_ns < at_ns - late_ns <= at_ns <= until_ns
                    if side is own.side and between and (begun or own.made_at_ns <= at_ns):
                        own.press(at_ns, hastily=at_ns - late_ns < begun_at(look, own))
            until_ns = own.made_at_ns

    def aloft(self, line: Line) -> float:
        """What speaks against a line only while hands are out: it is weighed anew at each look."""
        if line.seen.hash == self.image.hash:
            return 0.0
        shown, owners = self.image.shown, self.sensors.owners
        squares = differing(line.seen.placement, shown)
        came = [square for square in squares if shown[square] != EMPTY]
        if not came:
            return weights.LIFTED * len(squares)
        if owners[shown[came[0]]] is line.side:
            return weights.OVERLAPPED + weights.LIFTED
        return weights.ON_THE_WAY

    def _undecided(self, lines: list[Line]) -> list[Line]:
        """Those that leave what an arbiter has decided as it is, or begin another game."""
        told, ply = self.book.told, self.status.decided_ply
        decided = next((line for line in told if line.ply == ply), None)
        if decided is None:
            return lines
        kept = [
            line for line in lines if line.at(decided.ply) is decided or line.root() is not told[0]
        ]
        for line in reversed(kept):
            line.cost -= kept[0].cost
        return kept

    def rivals(self) -> list[Line]:
        """The best explanation, and those for which what was shown speaks about as well."""
        return [line for line in self.live if line.behind(self.live[0]) <= weights.MARGIN]

    def _held(self, line: Line) -> Line:
        """The line, or the same that is held: several half-moves found anew have the times of what
        has passed by since."""
        for held in self.live:
            if held.ply != line.ply or held.parent is line.parent or line.doubtful:
                continue
            if held.irregular_ply == line.irregular_ply and held.wires() == line.wires():
                held.cost = line.cost
                return held
        return line

    def _is_of_this_game(self, line: Line) -> bool:
        """Not of the next one, in which the same half-moves are others."""
        return not self.next_games or self.goes_on(line)

    def take(self, at_ns: int, found: LinesFound) -> list[Fact]:
        """Takes explanations over those held; a reading they doubt is said."""
        found_lines = self._undecided(found.lines)
        lines = [self._held(line) if self._is_of_this_game(line) else line for line in found_lines]
        if not lines:
            return []
        for line in lines:
            self._note_unheard(line)
            self._note_damage(line)
            if self._is_of_this_game(line):
                line.take_over_presses(self.live[0])
                line.take_over_word(self.live[0])
            if line.seen.hash == self.image.hash:
                self.take_presses_in_vain(line)
            for base in self.bases:
                own = line.at(base.ply)
                if base.pressed and not base.witnessed and own and own.takes_unheard(base):
                    own.take_press(base)
        self.live = self.unrefuted(lines)
        for line in self.live:
            line.aloft = self.aloft(line)
        if found.doubt is None:
            return []
        square, piece = found.doubt
        note = f"shows {self.image.raw[square]}, taken for {piece}"
        self.image.take_for(square, piece)
        return [SquareSuspect(at_ns, square, note)]
