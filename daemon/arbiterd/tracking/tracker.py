"""One board's placements and presses in, facts out.

live      the explanations of what the board last showed, best first
bases     positions play might go on from though no legal move leads there
book      what has been told of the best of them
image     what the board shows now
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic

from arbiterd.rules.ruleset import Colour, RuleSet, differing
from arbiterd.tracking import weights
from arbiterd.tracking.book import Book
from arbiterd.tracking.checkpoint import (
    Now,
    TrackerKept,
    decode,
    encode,
    keep_lines,
    restore_lines,
)
from arbiterd.tracking.explain import Look
from arbiterd.tracking.facts import (
    BoardBack,
    BoardLost,
    BoardReset,
    Explained,
    Fact,
    GameBegun,
    Gap,
    How,
    KingsInCentre,
    Knocked,
    MoveMade,
    OutOfTurn,
    Pressed,
    Settled,
    SquareSuspect,
    StartArray,
    Turn,
)
from arbiterd.tracking.image import Image
from arbiterd.tracking.irregular import (
    BASE_SQUARES_MAX,
    BASES_KEPT,
    starts,
    taken_as_stands,
    turned_over,
)
from arbiterd.tracking.lines import Line, forked, joined
from arbiterd.tracking.presses import ORPHANS_MAX, PRESSES_KEPT, Press, misses_a_man, pressed_line
from arbiterd.tracking.reasoning import (
    POSITIONS_AT_ONCE,
    POSITIONS_AT_PAUSE,
    POSITIONS_AT_REST,
    Found,
    at_once,
    at_press,
    at_rest,
    recovered,
    retold,
)
from arbiterd.tracking.record import Record
from arbiterd.tracking.search import Effort
from arbiterd.tracking.settings import TrackingSettings
from arbiterd.tracking.sight import M, P, Sight
from eboards.events import EMPTY, Piece, Placement, Sensing, Square


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
        self._now = Now(at_ns=at_ns)
        self._image: Image[P, M] = Image(self._sight, rules.placement(position))
        self._begin(Line(self._sight.seen(position), None, None, at_ns, ply=0))
        self._lay(at_ns, moves)
        self._image = Image(self._sight, rules.placement(self.position))

    def _begin(self, root: Line[P, M]) -> None:
        """A new game from here; what the board shows stays as it is."""
        record = Record(self._rules.fen(root.seen.position))
        self._book: Book[P, M] = Book(self._sight, self._settings, root, record)
        self._live: list[Line[P, M]] = [root]
        self._bases: list[Line[P, M]] = []
        self._presses: list[Press] = []
        self._now = self._now.new_game(root.made_at_ns)

    def _lay(self, at_ns: int, moves: Sequence[str]) -> None:
        """Puts half-moves on the record as given: certain, completed, nothing told."""
        path = self._given_line(at_ns, self._book.told[0], moves, How.ARBITER)
        if path:
            self._live = [path[-1]]
            self._tell(at_ns, path, How.ARBITER)

    def _given_line(
        self, at_ns: int, root: Line[P, M], moves: Sequence[str], how: How
    ) -> list[Line[P, M]]:
        path = []
        for text in moves:
            move = self._rules.parse(root.seen.position, text)
            after = self._sight.after(root.seen, move)
            root = Line(after, root, move, at_ns, ply=root.ply + 1)
            root.completed_at_ns, root.completed_how = at_ns, how
            path.append(root)
        return path

    # What it believes.

    @property
    def record(self) -> Record:
        return self._book.record

    @property
    def position(self) -> P:
        """The position after the record."""
        return self._book.last.seen.position

    @property
    def placement(self) -> Placement:
        """What the sensors show."""
        return self._image.placement

    @property
    def turn(self) -> Turn:
        """All that was seen since the last half-move on the record."""
        return self._book.turn(self.placement)

    # Inputs.

    def changed(self, at_ns: int, square: Square, piece: Piece) -> list[Fact]:
        """One square shows something else."""
        self._now.tells_changes = True
        return self._look(at_ns) if self._write(at_ns, square, piece) else []

    def scanned(self, at_ns: int, placement: Placement) -> list[Fact]:
        """The whole board as it is shown now."""
        pairs = enumerate(zip(self._image.raw, placement, strict=True))
        squares = [square for square, (before, now) in pairs if before != now]
        for square in squares:
            self._write(at_ns, square, placement[square])
        if squares and self._now.tells_changes:
            self._now.loss_ns = at_ns
        facts = self._look(at_ns) if squares else []
        if self._agrees:
            self._now.loss_ns = None
        return facts or self._see_first_array(at_ns)

    def felt(self, at_ns: int, square: Square, down: bool) -> list[Fact]:
        """A finger was felt on a man, on boards that can."""
        self._book.feel(at_ns, square, down)
        return []

    def clock(self, _at_ns: int, running: Colour | None, known: bool) -> list[Fact]:
        """Which clock runs (None: both stand; known False: no clock at all)."""
        self._now.runs, self._now.clock_known = running, known
        return []

    def link(self, at_ns: int, up: bool, sensing: Sensing | None, reason: str = "") -> list[Fact]:
        """The board answers, or no longer does, with the reason in words."""
        lost_at_ns = self._now.lost_at_ns
        if not up:
            self._now.lost_at_ns = at_ns if lost_at_ns is None else lost_at_ns
            return [BoardLost(at_ns, reason)] if lost_at_ns is None else []
        self._now.lost_at_ns = None
        if lost_at_ns is not None:
            self._now.loss_ns = at_ns
        if sensing is not None and sensing != self._sight.sensing:
            self._sense(sensing)
        return [] if lost_at_ns is None else [BoardBack(at_ns, at_ns - lost_at_ns)]

    def _sense(self, sensing: Sensing) -> None:
        """Another board, perhaps of another kind: all positions are seen through its sensors."""
        self._sight = Sight(self._rules, sensing)
        self._book.sight = self._sight
        for line in self._lines():
            line.look_through(self._sight)
        self._image = Image(self._sight, self.placement)

    def pressed(self, at_ns: int, side: Colour, late_ns: int) -> list[Fact]:
        """`side` stopped his clock, within `late_ns` before `at_ns`."""
        self._now.at_ns = at_ns
        self._now.runs, self._now.clock_known = side.other, True
        if self._now.ended:
            return []
        self._presses.append(Press(at_ns, side, late_ns, self.placement))
        self._prefer_presser(side)
        facts = self._resolve_presses(at_ns) or self._press_at_once(at_ns)
        if len(self._presses) > PRESSES_KEPT:
            facts += self._judge_press(at_ns)
        return facts

    @property
    def due_at_ns(self) -> int | None:
        """When `due` wants to be called if nothing comes before."""
        times = (self._settle_due_ns, self._press_due_ns, self._now.kings_at_ns)
        earliest = min((time for time in times if time is not None), default=None)
        return None if earliest is None else max(earliest, self._now.at_ns)

    @property
    def _settle_due_ns(self) -> int | None:
        changed_at_ns = self._now.changed_at_ns
        return None if changed_at_ns is None else changed_at_ns + self._settings.settle_ns

    @property
    def _press_due_ns(self) -> int | None:
        if not self._presses:
            return None
        press = self._presses[0]
        if misses_a_man(self._image, self._live[0], press.side):
            return press.at_ns + self._settings.missing_ns
        return press.at_ns + 2 * self._sight.sensing.scan_ns + self._settings.press_grace_ns

    def due(self, at_ns: int) -> list[Fact]:
        """What the silence since the last input means."""
        self._now.at_ns = at_ns
        facts: list[Fact] = []
        while (press_ns := self._press_due_ns) is not None and at_ns >= press_ns:
            facts += self._judge_press(at_ns)
        if self._now.kings_at_ns is not None and at_ns >= self._now.kings_at_ns:
            facts += self._tell_kings(at_ns)
        settle_ns = self._settle_due_ns
        if settle_ns is not None and at_ns >= settle_ns:
            self._now.changed_at_ns = None
            facts += self._settle(at_ns)
        return facts

    # The arbiter's corrections.

    def set_position(self, at_ns: int, position: P) -> list[Fact]:
        """The position is this one from now on; the record begins anew with it."""
        return self.begin_game(at_ns, position)

    def set_line(self, at_ns: int, moves: Sequence[str], *, how: How = How.ARBITER) -> list[Fact]:
        """The record from the start is exactly this now. Raises ValueError for no legal line.

        `how`: by the arbiter's word, or from a source that tells finished moves.
        """
        told = self._book.told
        base = told[0]
        kept = [ply.move for ply in self.record.plies[: base.ply]]
        if list(moves[: base.ply]) != kept:
            return self._set_line_anew(at_ns, moves)
        same = base.ply
        plies = self.record.plies
        while same < min(len(moves), len(plies)) and moves[same] == plies[same].move:
            same += 1
        root = told[same - base.ply]
        path = [*told[1 : same - base.ply + 1], *self._given_line(at_ns, root, moves[same:], how)]
        self._agree_with(path[-1] if path else base, at_ns)
        return self._tell(at_ns, path, how)

    def _set_line_anew(self, at_ns: int, moves: Sequence[str]) -> list[Fact]:
        """A line that leaves the record before what is still held of it."""
        start = self._rules.start(self.record.start)
        root: Line[P, M] = Line(self._sight.seen(start), None, None, at_ns, ply=0)
        path = self._given_line(at_ns, root, moves, How.ARBITER)
        self._agree_with(path[-1] if path else root, at_ns)
        return self._book.rewrite(at_ns, root, path, self.placement)

    def _agree_with(self, line: Line[P, M], at_ns: int) -> None:
        self._live, self._bases, self._presses = [line], [], []
        self._now.unexplained = False
        self._now.changed_at_ns = None if self._agrees else at_ns

    def end_game(self, _at_ns: int) -> None:
        """A result stands: what follows is analysis until the next start array."""
        self._now.ended = True
        self._presses.clear()
        self._now.kings_at_ns = self._now.changed_at_ns = None

    def resume_game(self, at_ns: int) -> None:
        """The result was taken back: play goes on."""
        self._now.ended = False
        self._now.changed_at_ns = None if self._agrees else at_ns

    def begin_game(self, at_ns: int, position: P) -> list[Fact]:
        """A new game from this position."""
        self._begin(Line(self._sight.seen(position), None, None, at_ns, ply=0))
        self._now.changed_at_ns = None if self._agrees else at_ns
        return [GameBegun(at_ns, self.record.start, 0), *self._see_array(at_ns)]

    # The board.

    def _write(self, at_ns: int, square: Square, piece: Piece) -> bool:
        before = self._image.raw[square]
        if before == piece:
            return False
        self._now.at_ns = self._now.changed_at_ns = at_ns
        self._image.write(square, piece)
        self._book.write(at_ns, square, before, piece)
        return True

    @property
    def _agrees(self) -> bool:
        return self._live[0].seen.hash == self._image.hash

    @property
    def _stands(self) -> bool:
        """Both clocks are stopped: what happens now is an arbiter's work and no play."""
        return self._now.clock_known and self._now.runs is None and bool(self.record.plies)

    @property
    def _hides(self) -> bool:
        """Nothing tells an irregular half-move from a capture somewhere else."""
        return self._sight.men_alike and not self._now.clock_known

    def _looking(
        self, at_ns: int, positions: int, placement: Placement | None = None
    ) -> Look[P, M]:
        """A look at the board as it is, or as it was when it showed `placement`."""
        image = self._image if placement is None else Image(self._sight, placement)
        positions = POSITIONS_AT_PAUSE if self._stands else positions
        return Look(
            sight=self._sight,
            at_ns=at_ns,
            placement=image.shown,
            hash=image.hash,
            changes=self._book.changes,
            slide_ns=self._settings.slide_ns,
            effort=Effort(positions),
            loss_ns=self._now.loss_ns,
            hides=self._hides,
        )

    def _look(self, at_ns: int) -> list[Fact]:
        """The placement changed: which lines explain it now?"""
        if self._now.ended:
            return self._see_start(at_ns)
        self._watch_kings(at_ns)
        facts: list[Fact] = []
        if not self._agrees:
            if self._now.left_at_ns is None:
                self._now.left_at_ns = at_ns
            facts = self._explain(at_ns)
            if not self._agrees and self._image.otherwise:
                facts += self._explain_undoubted(at_ns)
        return [*facts, *self._agreed(at_ns)] if self._agrees else facts

    def _explain(self, at_ns: int) -> list[Fact]:
        look = self._looking(at_ns, POSITIONS_AT_ONCE)
        bases = [] if self._stands else self._bases
        return self._believe(at_ns, at_once(look, self._live, bases, pressed=bool(self._presses)))

    def _explain_undoubted(self, at_ns: int) -> list[Fact]:
        """What was doubted may not have been wrong: perhaps the board as it shows is explained."""
        doubts = self._image.believe_all()
        facts = self._explain(at_ns)
        if not self._agrees:
            for square, piece in doubts:
                self._image.take_for(square, piece)
        return facts

    def _believe(self, at_ns: int, found: Found[P, M]) -> list[Fact]:
        """Takes explanations over those held; a reading they doubt is said."""
        if not found.lines:
            return []
        self._live = found.lines
        if found.doubt is None:
            return []
        square, piece = found.doubt
        note = f"shows {self._image.raw[square]}, taken for {piece}"
        self._image.take_for(square, piece)
        return [SquareSuspect(at_ns, square, note)]

    def _agreed(self, at_ns: int) -> list[Fact]:
        """The board shows exactly what the best explanation says."""
        if self._now.left_at_ns is not None:
            self._now.agreed_at_ns, self._now.left_at_ns = at_ns, None
        self._now.orphans = 0
        facts = self._begin_from(at_ns)
        facts += self._see_array(at_ns)
        if self._now.unexplained:
            self._now.unexplained = False
            facts.append(Explained(at_ns, self.turn))
        path = self._live[0].path()
        told = self._book.told[1:]
        if len(path) > len(told) and path[:-1] != told:
            facts += self._tell(at_ns, path[:-1], How.REPLIED)
        facts += self._resolve_presses(at_ns)
        self._now.loss_ns = None
        return facts

    def _begin_from(self, at_ns: int) -> list[Fact]:
        """Where the best explanation grew from another start than the record: a new game."""
        root = list(self._live[0].back())[-1]
        if root is self._book.told[0]:
            return []
        live, presses, changed_at_ns = self._live, self._presses, self._now.changed_at_ns
        self._begin(root)
        self._live, self._presses, self._now.changed_at_ns = live, presses, changed_at_ns
        self._now.array = ()
        return [GameBegun(at_ns, self.record.start, 0)]

    # The start.

    def _see_start(self, at_ns: int) -> list[Fact]:
        """After the end: the next game's start array, or its first move from it."""
        position = self._rules.is_start(self.placement)
        if position is not None:
            return self.begin_game(at_ns, position)
        start = self._sight.seen(self._rules.start())
        if not start.moves_to(self._image.hash, self._image.shown):
            return []
        return [*self.begin_game(at_ns, start.position), *self._look(at_ns)]

    def _see_array(self, at_ns: int) -> list[Fact]:
        """Before the first move: the men stand as they should."""
        fresh = not self.record.plies and not self._live[0].ply
        if not fresh or not self._agrees or self._now.array == ():
            return []
        first = self._now.array is None
        self._now.array = ()
        begun: list[Fact] = [GameBegun(at_ns, self.record.start, 0)] if first else []
        return [*begun, StartArray(at_ns, self.placement, ())]

    def _see_first_array(self, at_ns: int) -> list[Fact]:
        """The first picture of the board: right or wrong, it is said without delay."""
        if self._now.array is not None or self._now.ended or self.record.plies:
            return []
        if self._agrees:
            return self._see_array(at_ns)
        return self._wrong_array(at_ns) if self._live[0].ply == 0 else []

    def _wrong_array(self, at_ns: int) -> list[Fact]:
        """No move was made, and the men do not stand as they should: they may be where it begins.

        Where half of the squares differ the men are being set up, or it is another position.
        """
        root, now = self._book.told[0], self._now
        found = starts(self._sight, root, self.placement, now.runs, at_ns)
        self._bases = [*self._bases, *found][-BASES_KEPT:]
        squares = differing(root.seen.placement, self._image.shown)
        wanted = self._rules.placement(root.seen.position)
        wrong = tuple((s, wanted[s], self._image.raw[s]) for s in squares)
        if 2 * len(wrong) > len(wanted) or wrong == now.array:
            return []
        now.array = wrong
        return [StartArray(at_ns, self.placement, wrong)]

    # Telling.

    def _tell(self, at_ns: int, path: Sequence[Line[P, M]], how: How) -> list[Fact]:
        facts = self._tell_gap(at_ns, path)
        rivals = [line for line in self._live if line.cost <= weights.MARGIN]
        facts += self._book.tell(
            at_ns,
            path,
            how,
            self.placement,
            self._alternatives,
            self._now.clock_known,
            forked(rivals or path or self._live),
        )
        self._live = joined([line for line in self._live if self._is_rooted(line)])
        self._bases = [base for base in self._bases if base.parent is None or self._is_rooted(base)]
        return facts

    def _is_rooted(self, line: Line[P, M]) -> bool:
        """Grown from what is still held of the record; older rivals are given up."""
        return any(past is self._book.told[0] for past in line.back())

    def _alternatives(self, ply: int, move: str) -> tuple[str, ...]:
        """What else half-move `ply` may have been, likeliest first."""
        best = next((past for past in self._live[0].back() if past.ply == ply), None)
        given_up = best.others if best is not None and best.wire() == move else ()
        found = [wire for wire in given_up if wire != move]
        for line in self._live[1:]:
            if line.cost > weights.MARGIN:
                break
            other = next((past for past in line.back() if past.ply == ply), None)
            if other is not None and other.parent is not None and not other.irregular:
                wire = other.wire()
                if wire not in (move, *found):
                    found.append(wire)
        return tuple(found)

    def _tell_gap(self, at_ns: int, path: Sequence[Line[P, M]]) -> list[Fact]:
        """Once: messages were lost, and several lines explain the board."""
        told = self._book.told
        if not any(not line.watched for line in path if line not in told):
            self._now.gap_told = False
            return []
        rivals = [line for line in self._live if line.cost <= weights.MARGIN]
        if len(rivals) < 2 or self._now.gap_told or self._now.loss_ns is None:
            return []
        self._now.gap_told = True
        last_ply = self._book.last.ply
        lines = tuple(
            tuple(past.wire() for past in line.path() if past.ply > last_ply) for line in rivals
        )
        return [Gap(at_ns, self.turn, lines)]

    # Presses.

    def _prefer_presser(self, side: Colour) -> None:
        """Among rivals, one in which the side that pressed has moved is the better one."""
        for rival in self._live:
            if pressed_line(self._image, rival, side, self._now.at_ns) is not None:
                self._live = [rival, *(line for line in self._live if line is not rival)]
                return

    def _resolve_presses(self, at_ns: int) -> list[Fact]:
        """Presses whose half-move the board shows, oldest first."""
        facts: list[Fact] = []
        while self._presses:
            press = self._presses[0]
            line = pressed_line(self._image, self._live[0], press.side, press.at_ns)
            if line is None:
                break
            facts += self._complete(at_ns, self._presses.pop(0), line)
        return facts

    def _complete(self, at_ns: int, press: Press, line: Line[P, M]) -> list[Fact]:
        for rival in self._live:
            same = next((past for past in rival.back() if past.ply == line.ply), None)
            if same is not None and same.side is press.side:
                same.pressed = True
                same.hastily_pressed = press.at_ns - press.late_ns < same.made_at_ns
        facts = self._book.complete(at_ns, line, press.at_ns, How.PRESSED)
        turn = None
        if line not in self._book.told:
            path = [past for past in self._live[0].path() if past.ply <= line.ply]
            facts += self._tell(at_ns, path, How.PRESSED)
            turn = next((f.turn for f in reversed(facts) if isinstance(f, MoveMade)), None)
        turn = turn or self._book.turn_of(line, self.placement)
        begun_ns = press.at_ns - press.late_ns
        replied = self._live[0].ply > line.ply and self._live[0].made_at_ns < begun_ns
        lifted = any(touch.lifted_at_ns < begun_ns for touch in self.turn.touches)
        begun = replied or (self._book.last is line and lifted)
        pressed = Pressed(
            press.at_ns, press.late_ns, press.side, line.wire() or None, line.ply, turn, begun
        )
        return [*facts, pressed]

    def _press_at_once(self, at_ns: int) -> list[Fact]:
        """A press says that its side has moved."""
        if self._agrees:
            return []
        found = at_press(self._looking(at_ns, POSITIONS_AT_ONCE), self._live)
        self._believe(at_ns, found)
        return self._agreed(at_ns) if found.lines else []

    def _judge_press(self, at_ns: int) -> list[Fact]:
        """The oldest press has waited long enough for its placement."""
        facts = [] if self._agrees else self._judge_placement(at_ns)
        if any(isinstance(fact, Pressed) for fact in facts):
            return facts
        press = self._presses.pop(0)
        if self._live[0].ply > self._book.last.ply and self._live[0].side is not press.side:
            # The half-move before was not pressed: told now, or this one would have no turn.
            facts += self._tell_what_rested(at_ns)
        turn = self.turn
        self._now.orphans += 1
        astray = self._now.orphans > ORPHANS_MAX and not self._agrees
        self._hold_base(press.side.other, press, astray=astray)
        if astray:
            return facts + self._tell_lost(at_ns)
        told = Pressed(press.at_ns, press.late_ns, press.side, None, turn.ply, turn, False)
        return [*facts, told]

    def _judge_placement(self, at_ns: int) -> list[Fact]:
        """Explains what the board shows, or showed when the oldest press became known."""
        found = at_rest(self._looking(at_ns, POSITIONS_AT_REST), self._live, held=False)
        facts = self._believe(at_ns, found)
        if not found.lines:
            then = self._looking(at_ns, POSITIONS_AT_REST, self._presses[0].placement)
            found = at_rest(then, self._live, held=False)
            if found.lines:
                facts += self._believe(at_ns, found)
                now = self._looking(at_ns, POSITIONS_AT_REST)
                facts += self._believe(at_ns, at_rest(now, self._live, held=True))
        if not found.lines:
            found = retold(self._looking(at_ns, POSITIONS_AT_REST), self._live)
            facts += self._believe(at_ns, found)
        if not found.lines and self._bases:
            # Not at the first placement that nothing explains: that is an irregular move.
            found = recovered(self._looking(at_ns, POSITIONS_AT_REST), self._live)
            self._believe(at_ns, found)
        if not found.lines:
            return facts
        return facts + (self._agreed(at_ns) if self._agrees else self._resolve_presses(at_ns))

    def _tell_lost(self, at_ns: int) -> list[Fact]:
        """Once: play has gone on for several presses, and nothing explains it."""
        if self._now.gap_told:
            return []
        self._now.gap_told = True
        return [Gap(at_ns, self.turn, ())]

    def _hold_base(self, to_move: Colour, press: Press | None, *, astray: bool = False) -> None:
        """Holds what the board shows as a position that play might go on from."""
        before = self._live[0]
        if press is not None and before.side is press.side and before not in self._book.told:
            assert before.parent is not None, "the root is told"
            before = before.parent
        if press is not None and not astray and misses_a_man(self._image, before, press.side):
            return
        placement = self.placement if press is None else press.placement
        at_ns = self._book.changes[-1].at_ns if self._book.changes else before.made_at_ns
        base = taken_as_stands(self._sight, before, placement, to_move, at_ns, press, astray=astray)
        if base is not None:
            self._bases = [*self._bases, base][-BASES_KEPT:]

    # Rests.

    def _settle(self, at_ns: int) -> list[Fact]:
        """Nothing has changed for a while: the hands have left the board."""
        if self._now.ended or self._rules.result_signal(self.placement) is not None:
            return []
        facts: list[Fact] = []
        if not self._agrees:
            look = self._looking(at_ns, POSITIONS_AT_REST)
            facts = self._believe(at_ns, at_rest(look, self._live, held=True))
            facts += self._agreed(at_ns) if self._agrees else self._settle_unexplained(at_ns)
        return facts + (self._tell_settled(at_ns) if self._agrees else [])

    def _tell_settled(self, at_ns: int) -> list[Fact]:
        path = self._live[0].path()
        return [] if path == self._book.told[1:] else self._tell(at_ns, path, How.SETTLED)

    def _settle_unexplained(self, at_ns: int) -> list[Fact]:
        newest, shown = self._live[0], self._image.shown
        squares = differing(newest.seen.placement, shown)
        if not self.record.plies and newest.ply == 0:
            return self._wrong_array(at_ns)
        facts = self._tell_what_rested(at_ns)
        start = self._rules.is_start(self.placement)
        if start is not None:
            self._bases = [Line(self._sight.seen(start), None, None, at_ns, ply=0)]
            return [*facts, BoardReset(at_ns, self.turn)]
        if all(shown[s] == EMPTY for s in squares):
            return facts
        if len(squares) >= self._settings.knock_squares and self._was_sudden(squares):
            self._now.unexplained = True
            return [*facts, Knocked(at_ns, self.turn, squares)]
        if len(squares) > BASE_SQUARES_MAX:
            return facts
        self._now.unexplained = True
        if self._hides:
            return [*facts, Settled(at_ns, self.turn, squares)]
        out_of_turn = self._out_of_turn(at_ns)
        self._hold_base(newest.seen.turn.other, None)
        if out_of_turn:
            return [*facts, *out_of_turn]
        return [*facts, Settled(at_ns, self.turn, squares)]

    def _tell_what_rested(self, at_ns: int) -> list[Fact]:
        """The last explanation was shown long enough to be told, before what is unclear now."""
        left_at_ns = self._now.left_at_ns
        if left_at_ns is None or self._live[0] in self._book.told:
            return []
        if left_at_ns - self._now.agreed_at_ns < self._settings.slide_ns:
            return []
        return self._tell(at_ns, self._live[0].path(), How.SETTLED)

    def _was_sudden(self, squares: Sequence[Square]) -> bool:
        """All of this came within seconds, as no hand sets men up."""
        since_ns = self._now.left_at_ns or 0
        changes = [change for change in self._book.changes if change.at_ns >= since_ns]
        times = [change.at_ns for change in changes if change.square in squares]
        return bool(times) and times[-1] - times[0] <= self._settings.knock_ns

    def _out_of_turn(self, at_ns: int) -> list[Fact]:
        """The side that has not the move has made one, legal but for that."""
        seen = self._live[0].seen
        other = turned_over(self._sight, seen)
        moves = () if other is None else other.moves_to(self._image.hash, self._image.shown)
        if other is None or not moves:
            return []
        self._hold_base(seen.turn, None)
        wire = self._rules.wire(other.position, moves[0])
        return [OutOfTurn(at_ns, other.turn, self.turn, wire)]

    # Kings in the centre.

    def _watch_kings(self, at_ns: int) -> None:
        signal = self._rules.result_signal(self.placement)
        if signal is None:
            self._now.kings_at_ns = self._now.kings_told = None
        elif signal != self._now.kings_told:
            self._now.kings_at_ns = at_ns + self._settings.kings_ns

    def _tell_kings(self, at_ns: int) -> list[Fact]:
        """First what was still to be told or to be taken back, then the result."""
        self._now.kings_at_ns = self._now.changed_at_ns = None
        result = self._rules.result_signal(self.placement)
        assert result is not None, "the signal is watched"
        self._now.kings_told = result
        line = self._live[0]
        while line.parent is not None and not line.pressed and self._is_signal(line):
            line = line.parent
        self._live = [line]
        return [*self._tell_settled(at_ns), KingsInCentre(at_ns, result, self.turn)]

    def _is_signal(self, line: Line[P, M]) -> bool:
        """The half-move only brought a man to where it makes the signal."""
        for square, piece in line.written():
            if piece != EMPTY and self._image.shown[square] == piece:
                without = list(self._image.raw)
                without[square] = EMPTY
                if self._rules.result_signal(tuple(without)) is None:
                    return True
        return False

    # Checkpoints.

    def checkpoint(self) -> bytes:
        """The whole tracker; folding on from it equals folding from the start."""
        lines = self._lines()
        place = {id(line): number for number, line in enumerate(lines)}
        return encode(
            TrackerKept(
                sensing=self._sight.sensing,
                start=self.record.start,
                plies=self.record.plies,
                lines=keep_lines(lines),
                told=[place[id(line)] for line in self._book.told],
                live=[place[id(line)] for line in self._live],
                bases=[place[id(line)] for line in self._bases],
                changes=self._book.changes,
                fingers=self._book.fingers,
                placement=self.placement,
                otherwise=self._image.otherwise,
                presses=self._presses,
                now=self._now,
            )
        )

    @classmethod
    def restored(
        cls, rules: RuleSet[P, M], settings: TrackingSettings, data: bytes
    ) -> Tracker[P, M]:
        """The tracker that `checkpoint` wrote."""
        kept = decode(data)
        tracker = cls(rules, kept.sensing, settings, rules.start(kept.start), 0)
        lines = restore_lines(tracker._sight, kept.lines)
        book = tracker._book
        book.record = Record(kept.start, kept.plies)
        book.told = [lines[place] for place in kept.told]
        book.changes, book.fingers = kept.changes, kept.fingers
        tracker._live = [lines[place] for place in kept.live]
        tracker._bases = [lines[place] for place in kept.bases]
        tracker._presses, tracker._now = kept.presses, kept.now
        tracker._image = Image(tracker._sight, kept.placement)
        for square, piece in kept.otherwise.items():
            tracker._image.take_for(square, piece)
        return tracker

    def _lines(self) -> list[Line[P, M]]:
        """Every line held, each once, parents before children."""
        found: dict[int, Line[P, M]] = {}
        for end in (*self._book.told, *self._live, *self._bases):
            for line in reversed(list(end.back())):
                found.setdefault(id(line), line)
        return list(found.values())
