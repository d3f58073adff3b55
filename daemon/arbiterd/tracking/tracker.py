"""One board's placements and presses in, facts out.

live      the explanations of what the board last showed exactly, best first
bases     positions play might go on from though no legal move leads there
book      what has been told of the best of them
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Generic

from arbiterd.rules.ruleset import Colour, RuleSet, differing
from arbiterd.tracking import weights
from arbiterd.tracking.book import Book
from arbiterd.tracking.checkpoint import (
    PressKept,
    TrackerKept,
    decode,
    encode,
    keep_lines,
    restore_lines,
)
from arbiterd.tracking.doubts import Doubt, doubted, doubts
from arbiterd.tracking.explain import (
    UNDONE_MAX,
    Look,
    almost,
    came_at_once,
    leaps,
    leaps_from,
    onward,
    put_back,
    ranked,
    slides,
    steps,
)
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
    StartArray,
    Turn,
)
from arbiterd.tracking.lines import Line
from arbiterd.tracking.record import Record
from arbiterd.tracking.search import Effort
from arbiterd.tracking.settings import TrackingSettings
from arbiterd.tracking.sight import M, P, Sight
from eboards.events import EMPTY, Piece, Placement, Sensing, Square

PRESSES_KEPT = 4
"""So many presses wait for the placements they belong to; an older one is taken as it is."""
BASES_KEPT = 4
"""So many irregular placements are held that play might go on from."""
POSITIONS_AT_ONCE = 32
"""So many positions may be looked at for one placement while hands are busy."""
POSITIONS_AT_REST = 80
"""The same for a placement that rests, or that was pressed."""
LEAP_MAX = 5
"""So many half-moves may be missing at most before what the board shows."""
BASE_SQUARES_MAX = 10
"""A placement that differs by more is a board being set up, and no position of this game."""


@dataclass(frozen=True, slots=True)
class Press:
    """A press that waits for the placement it belongs to."""

    at_ns: int
    side: Colour
    late_ns: int
    placement: Placement
    """What the board showed when it became known."""


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
        self._runs: Colour | None = None
        self._clock_known = False
        self._at_ns = at_ns
        self._lost_at_ns: int | None = None
        self._loss_ns: int | None = None
        """The last sign that messages were lost, until the board agrees again."""
        self._tells_changes = False
        """This board tells square by square: a whole picture that differs shows a loss."""
        self._show(rules.placement(position))
        self._begin(Line(self._sight.seen(position), None, None, at_ns, ply=0))
        self._lay(at_ns, moves)
        self._show(rules.placement(self.position))

    def _begin(self, root: Line[P, M]) -> None:
        """A new game from here; what the board shows stays as it is."""
        record = Record(self._rules.fen(root.seen.position))
        self._book: Book[P, M] = Book(self._sight, self._settings, root, record)
        self._live: list[Line[P, M]] = [root]
        self._bases: list[Line[P, M]] = []
        self._presses: list[Press] = []
        self._changed_at_ns: int | None = None
        self._agreed_at_ns = root.made_at_ns
        self._left_at_ns: int | None = None
        self._unexplained = False
        self._gap_told = False
        self._array: tuple[tuple[Square, Piece, Piece], ...] | None = None
        self._ended = False
        self._kings_at_ns: int | None = None
        self._kings_told: str | None = None

    def _lay(self, at_ns: int, moves: Sequence[str]) -> None:
        """Puts half-moves on the record as given: certain, completed, nothing told."""
        path = self._arbiters_line(at_ns, self._book.told[0], moves)
        if path:
            self._live = [path[-1]]
            self._tell(at_ns, path, How.ARBITER)

    def _arbiters_line(
        self, at_ns: int, root: Line[P, M], moves: Sequence[str]
    ) -> list[Line[P, M]]:
        path = []
        for text in moves:
            move = self._rules.parse(root.seen.position, text)
            after = self._sight.after(root.seen, move)
            root = Line(after, root, move, at_ns, ply=root.ply + 1)
            root.completed_at_ns, root.completed_how = at_ns, How.ARBITER
            path.append(root)
        return path

    def _show(self, placement: Placement) -> None:
        self._raw = list(placement)
        self._shown = list(self._sight.shown(placement))
        self._hash = self._sight.hashing.placement(tuple(self._shown))
        self._otherwise: dict[Square, Piece] = {}

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
        return tuple(self._raw)

    @property
    def turn(self) -> Turn:
        """All that was seen since the last half-move on the record."""
        return self._book.turn(self.placement)

    # Inputs.

    def changed(self, at_ns: int, square: Square, piece: Piece) -> list[Fact]:
        """One square shows something else."""
        self._tells_changes = True
        return self._look(at_ns) if self._write(at_ns, square, piece) else []

    def scanned(self, at_ns: int, placement: Placement) -> list[Fact]:
        """The whole board as it is shown now."""
        squares = [s for s, (a, b) in enumerate(zip(self._raw, placement, strict=True)) if a != b]
        for square in squares:
            self._write(at_ns, square, placement[square])
        if squares and self._tells_changes:
            self._loss_ns = at_ns
        facts = self._look(at_ns) if squares else []
        if self._agrees:
            self._loss_ns = None
        if squares:
            return facts
        return self._see_array(at_ns) if self._array is None else []

    def felt(self, at_ns: int, square: Square, down: bool) -> list[Fact]:
        """A finger was felt on a man, on boards that can."""
        self._book.feel(at_ns, square, down)
        return []

    def clock(self, at_ns: int, running: Colour | None, known: bool) -> list[Fact]:  # noqa: ARG002
        """Which clock runs (None: both stand; known False: no clock at all)."""
        self._runs, self._clock_known = running, known
        return []

    def link(self, at_ns: int, up: bool, sensing: Sensing | None, reason: str = "") -> list[Fact]:
        """The board answers, or no longer does, with the reason in words."""
        if not up:
            again = self._lost_at_ns is not None
            self._lost_at_ns = self._lost_at_ns if again else at_ns
            return [] if again else [BoardLost(at_ns, reason)]
        self._loss_ns = at_ns
        if sensing is not None and sensing != self._sight.sensing:
            self._sense(sensing)
        if self._lost_at_ns is None:
            return []
        lost_ns, self._lost_at_ns = at_ns - self._lost_at_ns, None
        return [BoardBack(at_ns, lost_ns)]

    def _sense(self, sensing: Sensing) -> None:
        """Another board, perhaps of another kind: all positions are seen through its sensors."""
        self._sight = Sight(self._rules, sensing)
        self._book.sight = self._sight
        for line in self._lines():
            line.look_through(self._sight)
        self._show(self.placement)

    def pressed(self, at_ns: int, side: Colour, late_ns: int) -> list[Fact]:
        """`side` stopped his clock, within `late_ns` before `at_ns`."""
        self._at_ns = at_ns
        self._runs, self._clock_known = side.other, True
        if self._ended:
            return []
        self._presses.append(Press(at_ns, side, late_ns, self.placement))
        facts = self._resolve_presses(at_ns) or self._press_at_once(at_ns)
        if len(self._presses) > PRESSES_KEPT:
            facts += self._judge_press(at_ns)
        return facts

    @property
    def due_at_ns(self) -> int | None:
        """When `due` wants to be called if nothing comes before."""
        times = (self._settle_due_ns, self._press_due_ns, self._kings_at_ns)
        earliest = min((time for time in times if time is not None), default=None)
        return None if earliest is None else max(earliest, self._at_ns)

    @property
    def _settle_due_ns(self) -> int | None:
        if self._changed_at_ns is None:
            return None
        return self._changed_at_ns + self._settings.settle_ns

    @property
    def _press_due_ns(self) -> int | None:
        if not self._presses:
            return None
        press = self._presses[0]
        if self._misses_a_man(press.side):
            return press.at_ns + self._settings.missing_ns
        return press.at_ns + 2 * self._sight.sensing.scan_ns + self._settings.press_grace_ns

    def due(self, at_ns: int) -> list[Fact]:
        """What the silence since the last input means."""
        self._at_ns = at_ns
        facts: list[Fact] = []
        while (press_ns := self._press_due_ns) is not None and at_ns >= press_ns:
            facts += self._judge_press(at_ns)
        if self._kings_at_ns is not None and at_ns >= self._kings_at_ns:
            facts += self._tell_kings(at_ns)
        settle_ns = self._settle_due_ns
        if settle_ns is not None and at_ns >= settle_ns:
            self._changed_at_ns = None
            facts += self._settle(at_ns)
        return facts

    # The arbiter's corrections.

    def set_position(self, at_ns: int, position: P) -> list[Fact]:
        """The position is this one from now on; the record begins anew with it."""
        return self.begin_game(at_ns, position)

    def set_line(self, at_ns: int, moves: Sequence[str]) -> list[Fact]:
        """The record from the start is exactly this now. Raises ValueError for no legal line."""
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
        path = [*told[1 : same - base.ply + 1], *self._arbiters_line(at_ns, root, moves[same:])]
        self._agree_with(path[-1] if path else base, at_ns)
        return self._tell(at_ns, path, How.ARBITER)

    def _set_line_anew(self, at_ns: int, moves: Sequence[str]) -> list[Fact]:
        """A line that leaves the record before what is still held of it."""
        start = self._rules.start(self.record.start)
        root: Line[P, M] = Line(self._sight.seen(start), None, None, at_ns, ply=0)
        path = self._arbiters_line(at_ns, root, moves)
        self._agree_with(path[-1] if path else root, at_ns)
        return self._book.rewrite(at_ns, root, path, self.placement)

    def _agree_with(self, line: Line[P, M], at_ns: int) -> None:
        self._live, self._bases, self._presses = [line], [], []
        self._unexplained = False
        self._changed_at_ns = None if self._agrees else at_ns

    def end_game(self, at_ns: int) -> None:  # noqa: ARG002
        """A result stands: what follows is analysis until the next start array."""
        self._ended = True
        self._presses.clear()
        self._kings_at_ns = self._changed_at_ns = None

    def resume_game(self, at_ns: int) -> None:
        """The result was taken back: play goes on."""
        self._ended = False
        self._changed_at_ns = None if self._agrees else at_ns

    def begin_game(self, at_ns: int, position: P) -> list[Fact]:
        """A new game from this position."""
        self._begin(Line(self._sight.seen(position), None, None, at_ns, ply=0))
        self._changed_at_ns = None if self._agrees else at_ns
        return [GameBegun(at_ns, self.record.start, 0), *self._see_array(at_ns)]

    # The board.

    def _write(self, at_ns: int, square: Square, piece: Piece) -> bool:
        before = self._raw[square]
        if before == piece:
            return False
        self._at_ns = at_ns
        self._raw[square] = piece
        self._book.write(at_ns, square, before, piece)
        of, shown = self._sight.hashing.of, self._sight.see(piece)
        self._hash ^= of(square, self._shown[square]) ^ of(square, shown)
        self._shown[square] = shown
        self._otherwise.pop(square, None)
        self._changed_at_ns = at_ns
        return True

    @property
    def _agrees(self) -> bool:
        return self._live[0].seen.hash == self._hash

    def _looking(
        self, at_ns: int, positions: int, placement: Placement | None = None
    ) -> Look[P, M]:
        """A look at the board as it is, or as it was when it showed `placement`."""
        shown, number = tuple(self._shown), self._hash
        if placement is not None:
            shown = self._sight.shown(placement)
            number = self._sight.hashing.placement(shown)
        changes, slide_ns = self._book.changes, self._settings.slide_ns
        effort = Effort(positions)
        return Look(
            self._sight, at_ns, shown, number, changes, slide_ns, effort, loss_ns=self._loss_ns
        )

    def _look(self, at_ns: int) -> list[Fact]:
        """The placement changed: which lines explain it now?"""
        if self._ended:
            return self._see_start(at_ns)
        self._watch_kings(at_ns)
        if not self._agrees:
            if self._left_at_ns is None:
                self._left_at_ns = at_ns
            found = self._explain(self._looking(at_ns, POSITIONS_AT_ONCE))
            if not found:
                return self._see_array(at_ns)
            self._live = found
        return self._agreed(at_ns) if self._agrees else []

    def _explain(self, look: Look[P, M]) -> list[Line[P, M]]:
        """What explains a placement while hands are still busy."""
        found = steps(look, self._live)
        dear = not found or min(cost for cost, _ in found) > weights.TAKEN_BACK
        if found:
            found = slides(look, found)
        elif self._bases and not self._stands:
            found = [way for base in self._bases for way in onward(look, base, base.cost)]
            dear = not found
        if dear and self._hides_a_reply():
            found += almost(look, self._live, at_once=True)
            found += self._leaps_at_once(look)
            if not found:
                return self._doubting(look, (1, 2), at_once=True)
        return ranked(found)

    def _leaps_at_once(self, look: Look[P, M]) -> list[tuple[float, Line[P, M]]]:
        """Two half-moves at once, men in the air or not; three if it takes them."""
        raised, lifted = put_back(look, self._live[0])
        looks = [(look, 0.0)]
        if lifted:
            looks.append((raised, weights.LIFTED * lifted))
        for plies in (2, 3):
            found = [
                (cost + against, line)
                for way, against in looks
                for cost, line in leaps(
                    way,
                    self._live[: 5 - plies],
                    plies,
                    at_once=True,
                    unseen=not lifted or bool(self._presses),
                )
            ]
            if found and not (plies == 2 and came_at_once(look)):
                return found
        return found

    def _look_deeper(self, look: Look[P, M], *, held: bool) -> list[Line[P, M]]:
        """What explains a placement that rests (men may be `held`), or that was pressed."""
        found = [*steps(look, self._live, silent=True), *almost(look, self._live, held=held)]
        found += leaps(look, self._live, 2)
        raised, lifted = put_back(look, self._live[0])
        if lifted:
            against = weights.LIFTED * lifted
            found += [(c + against, line) for c, line in leaps(raised, self._live[:1], 2)]
        for plies in range(3, LEAP_MAX + 1 - 2 * held):
            if not found:
                found = leaps(look, self._live[:1], plies)
            if not found and lifted:
                found = leaps(raised, self._live[:1], plies)
        return ranked(found) or self._doubting(look, (1, 2, 3))

    def _recovered(self, look: Look[P, M]) -> list[Line[P, M]]:
        """Lines that undo even what was pressed: better another past than none."""
        effort = Effort(POSITIONS_AT_REST)
        found: list[tuple[float, Line[P, M]]] = []
        past = [line for line in self._live[0].back() if not line.irregular][1 : UNDONE_MAX + 1]
        for undone, line in enumerate(past, start=1):
            for plies in (undone, undone + 1, undone + 2):
                again = replace(look, effort=effort)
                against = weights.TAKEN_BACK_PRESSED * undone
                found += [(c + against, end) for c, end in leaps_from(again, line, plies)]
            if found:
                break
        for _, line in found:
            line.doubtful = True
        return ranked(found)

    def _doubting(
        self, look: Look[P, M], plies: Sequence[int], *, at_once: bool = False
    ) -> list[Line[P, M]]:
        """Lines that explain the placement if one square is not what it shows."""
        found: list[tuple[float, Line[P, M], Doubt]] = []
        effort = Effort(POSITIONS_AT_ONCE)
        for doubt in doubts(look, self._live[0].seen, at_once=at_once):
            other = replace(doubted(look, doubt), effort=effort)
            for length in plies:
                ways = leaps(other, self._live[:1], length, at_once=at_once)
                found += [(cost + weights.DOUBTED, line, doubt) for cost, line in ways]
        if not found:
            return []
        found.sort(key=lambda way: way[0])
        square, piece = found[0][2]
        for _, line, _ in found:
            line.doubtful = True
        self._take_for(square, piece)
        return ranked((cost, line) for cost, line, doubt in found if doubt == (square, piece))

    def _take_for(self, square: Square, piece: Piece) -> None:
        """Until it changes, a square is read as `piece` whatever it shows."""
        of = self._sight.hashing.of
        self._hash ^= of(square, self._shown[square]) ^ of(square, piece)
        self._shown[square] = piece
        self._otherwise[square] = piece

    @property
    def _stands(self) -> bool:
        """Both clocks are stopped: what happens now is an arbiter's work and no play."""
        return self._clock_known and self._runs is None and bool(self.record.plies)

    def _hides_a_reply(self) -> bool:
        """A man has just arrived somewhere: perhaps the last of several half-moves."""
        return self._book.changes[-1].after != EMPTY

    def _agreed(self, at_ns: int) -> list[Fact]:
        """The board shows exactly what the best explanation says."""
        if self._left_at_ns is not None:
            self._agreed_at_ns, self._left_at_ns = at_ns, None
        facts = self._begin_from(at_ns)
        facts += self._see_array(at_ns)
        if self._unexplained:
            self._unexplained = False
            facts.append(Explained(at_ns, self.turn))
        path = self._live[0].path()
        told = self._book.told[1:]
        if len(path) > len(told) and path[:-1] != told:
            facts += self._tell(at_ns, path[:-1], How.REPLIED)
        return facts + self._resolve_presses(at_ns)

    def _begin_from(self, at_ns: int) -> list[Fact]:
        """Where the best explanation grew from another start than the record: a new game."""
        root = list(self._live[0].back())[-1]
        if root is self._book.told[0]:
            return []
        live, presses, changed = self._live, self._presses, self._changed_at_ns
        self._begin(root)
        self._live, self._presses, self._changed_at_ns = live, presses, changed
        self._array = ()
        return [GameBegun(at_ns, self.record.start, 0)]

    # The start.

    def _see_start(self, at_ns: int) -> list[Fact]:
        """After the end: the next game's start array, or its first move from it."""
        position = self._rules.is_start(self.placement)
        if position is not None:
            return self.begin_game(at_ns, position)
        start = self._sight.seen(self._rules.start())
        if not start.moves_to(self._hash, tuple(self._shown)):
            return []
        return [*self.begin_game(at_ns, start.position), *self._look(at_ns)]

    def _see_array(self, at_ns: int) -> list[Fact]:
        """Before the first move: whether the men stand as they should."""
        if self.record.plies or self._live[0].ply or not self._agrees or self._array == ():
            return []
        first = self._array is None
        self._array = ()
        begun: list[Fact] = [GameBegun(at_ns, self.record.start, 0)] if first else []
        return [*begun, StartArray(at_ns, self.placement, ())]

    def _wrong_array(self, at_ns: int) -> list[Fact]:
        """The men rest, no move was made, and they do not stand as they should."""
        root = self._book.told[0]
        squares = differing(root.seen.placement, tuple(self._shown))
        wanted = self._rules.placement(root.seen.position)
        wrong = tuple((s, wanted[s], self._raw[s]) for s in squares)
        if 2 * len(wrong) > len(self._raw) or wrong == self._array:
            return []
        self._array = wrong
        return [StartArray(at_ns, self.placement, wrong)]

    # Telling.

    def _tell(self, at_ns: int, path: Sequence[Line[P, M]], how: How) -> list[Fact]:
        facts = self._tell_gap(at_ns, path)
        facts += self._book.tell(
            at_ns, path, how, self.placement, self._alternatives, self._clock_known
        )
        self._live = [line for line in self._live if self._is_rooted(line)]
        self._bases = [base for base in self._bases if base.parent is None or self._is_rooted(base)]
        return facts

    def _is_rooted(self, line: Line[P, M]) -> bool:
        """Grown from what is still held of the record; older rivals are given up."""
        return any(past is self._book.told[0] for past in line.back())

    def _alternatives(self, ply: int, move: str) -> tuple[str, ...]:
        """What else half-move `ply` may have been, likeliest first."""
        found: list[str] = []
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
        """Once: half-moves were not seen, and several lines explain the board."""
        told = self._book.told
        if not any(not line.watched for line in path if line not in told):
            self._gap_told = False
            return []
        rivals = [line for line in self._live if line.cost <= weights.MARGIN]
        if len(rivals) < 2 or self._gap_told:
            return []
        self._gap_told = True
        last_ply = self._book.last.ply
        lines = tuple(
            tuple(past.wire() for past in line.path() if past.ply > last_ply) for line in rivals
        )
        return [Gap(at_ns, self.turn, lines)]

    # Presses.

    def _resolve_presses(self, at_ns: int) -> list[Fact]:
        """Presses whose half-move the board shows, oldest first."""
        facts: list[Fact] = []
        while self._presses:
            line = self._pressed_line(self._presses[0].side)
            if line is None:
                break
            facts += self._complete(at_ns, self._presses.pop(0), line)
        return facts

    def _pressed_line(self, side: Colour) -> Line[P, M] | None:
        """The half-move that a press by this side completes, if the board shows one."""
        newest = self._live[0]
        for line in newest.back():
            if line.parent is None or newest.ply - line.ply > 1:
                return None
            if line.side is side:
                fits = line.completed_how in (None, How.REPLIED) and not line.pressed
                shown = line is not newest or self._agrees or self._reply_begun(newest)
                return line if fits and shown else None
        return None

    def _reply_begun(self, line: Line[P, M]) -> bool:
        """All that differs from the line is the doing of the side that has the move."""
        men, side = self._rules.placement(line.seen.position), line.seen.turn
        return all(
            self._sight.owner(self._shown[square]) in (side, None)
            if self._shown[square] != EMPTY
            else self._rules.owner(men[square]) is side
            for square in differing(line.seen.placement, tuple(self._shown))
        )

    def _complete(self, at_ns: int, press: Press, line: Line[P, M]) -> list[Fact]:
        for rival in self._live:
            same = next((past for past in rival.back() if past.ply == line.ply), None)
            if same is not None and same.side is press.side:
                same.pressed = True
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

    def _misses_a_man(self, side: Colour) -> bool:
        """A man of this side shows nowhere: more have left their squares than have arrived."""
        seen, owner = self._live[0].seen, self._sight.owner
        men = self._rules.placement(seen.position)
        balance = 0
        for square in differing(seen.placement, tuple(self._shown)):
            now = self._shown[square]
            balance += now == EMPTY and self._rules.owner(men[square]) is side
            balance -= now != EMPTY and owner(now) in (side, None)
        return balance > 0

    def _judge_press(self, at_ns: int) -> list[Fact]:
        """The oldest press has waited long enough for its placement."""
        if not self._agrees:
            facts = self._judge_placement(at_ns)
            if facts:
                return facts
        press = self._presses.pop(0)
        turn = self.turn
        self._hold_base(press.side.other, press)
        return [Pressed(press.at_ns, press.late_ns, press.side, None, turn.ply, turn, False)]

    def _press_at_once(self, at_ns: int) -> list[Fact]:
        """A press says that its side has moved: lost half-moves are looked for without delay."""
        if self._agrees:
            return []
        look = self._looking(at_ns, POSITIONS_AT_ONCE)
        for plies in range(1, LEAP_MAX):
            found = leaps(look, self._live, plies, at_once=True, unseen=True)
            if found:
                self._live = ranked(found)
                return self._agreed(at_ns)
        return []

    def _judge_placement(self, at_ns: int) -> list[Fact]:
        """Explains what the board shows, or showed at the oldest press; facts if that helped."""
        found = self._look_deeper(self._looking(at_ns, POSITIONS_AT_REST), held=False)
        if not found:
            pressed = self._presses[0].placement
            found = self._look_deeper(self._looking(at_ns, POSITIONS_AT_REST, pressed), held=False)
            if found:
                self._live = found
                found = (
                    self._look_deeper(self._looking(at_ns, POSITIONS_AT_REST), held=True) or found
                )
        found = found or self._recovered(self._looking(at_ns, POSITIONS_AT_REST))
        if not found:
            return []
        self._live = found
        return self._agreed(at_ns) if self._agrees else self._resolve_presses(at_ns)

    # Irregular play.

    def _hold_base(self, to_move: Colour, press: Press | None) -> None:
        """Holds what the board shows as a position that play might go on from."""
        before = self._live[0]
        placement = self.placement if press is None else press.placement
        if len(differing(before.seen.placement, self._sight.shown(placement))) > BASE_SQUARES_MAX:
            return
        if press is not None and before.side is press.side and before not in self._book.told:
            assert before.parent is not None, "the root is told"
            before = before.parent
        position = self._rules.taken_as_played(before.seen.position, placement, to_move)
        if position is None:
            return
        cost = weights.IRREGULAR if press is None else weights.IRREGULAR_PRESSED
        made_at_ns = self._book.changes[-1].at_ns if self._book.changes else before.made_at_ns
        base = Line(
            self._sight.seen(position),
            before,
            None,
            max(made_at_ns, before.made_at_ns),
            ply=before.ply + 1,
            cost=before.cost + cost,
            irregular=True,
        )
        if press is not None:
            base.pressed = True
            base.completed_at_ns, base.completed_how = press.at_ns, How.PRESSED
        self._bases = [*self._bases[-BASES_KEPT + 1 :], base]

    def _hold_start(self) -> None:
        """Before the first move: the men as they stand may be where this game begins."""
        root = self._book.told[0]
        for side in (root.seen.turn, root.seen.turn.other):
            position = self._rules.taken_as_played(root.seen.position, self.placement, side)
            if position is not None:
                cost = weights.WRONG_CLOCK * (self._runs is side.other)
                at_ns = self._book.changes[-1].at_ns
                line: Line[P, M] = Line(
                    self._sight.seen(position), None, None, at_ns, ply=0, cost=cost
                )
                self._bases = [*self._bases[-BASES_KEPT + 1 :], line]

    # Rests.

    def _settle(self, at_ns: int) -> list[Fact]:
        """Nothing has changed for a while: the hands have left the board."""
        if self._ended or self._rules.result_signal(self.placement) is not None:
            return []
        if self._agrees:
            return self._tell_settled(at_ns)
        look = self._looking(at_ns, POSITIONS_AT_REST)
        self._live = self._look_deeper(look, held=True) or self._live
        return self._find_settled(at_ns)

    def _find_settled(self, at_ns: int) -> list[Fact]:
        if self._agrees:
            return [*self._agreed(at_ns), *self._tell_settled(at_ns)]
        return self._settle_unexplained(at_ns)

    def _tell_settled(self, at_ns: int) -> list[Fact]:
        path = self._live[0].path()
        return [] if path == self._book.told[1:] else self._tell(at_ns, path, How.SETTLED)

    def _settle_unexplained(self, at_ns: int) -> list[Fact]:
        newest = self._live[0]
        squares = differing(newest.seen.placement, tuple(self._shown))
        if not self.record.plies and newest.ply == 0:
            self._hold_start()
            return self._wrong_array(at_ns)
        facts = self._tell_what_rested(at_ns)
        start = self._rules.is_start(self.placement)
        if start is not None:
            self._bases = [Line(self._sight.seen(start), None, None, at_ns, ply=0)]
            return [*facts, BoardReset(at_ns, self.turn)]
        if len(squares) > BASE_SQUARES_MAX or all(self._shown[s] == EMPTY for s in squares):
            return facts
        out_of_turn = self._out_of_turn(at_ns)
        self._hold_base(newest.seen.turn.other, None)
        self._unexplained = True
        if out_of_turn:
            return [*facts, *out_of_turn]
        if len(squares) >= self._settings.knock_squares and self._was_sudden(squares):
            return [*facts, Knocked(at_ns, self.turn, squares)]
        return [*facts, Settled(at_ns, self.turn, squares)]

    def _tell_what_rested(self, at_ns: int) -> list[Fact]:
        """The last explanation was shown long enough to be told, before what is unclear now."""
        if self._left_at_ns is None or self._live[0] in self._book.told:
            return []
        if self._left_at_ns - self._agreed_at_ns < self._settings.slide_ns:
            return []
        return self._tell(at_ns, self._live[0].path(), How.SETTLED)

    def _was_sudden(self, squares: Sequence[Square]) -> bool:
        times = [change.at_ns for change in self._book.changes if change.square in squares]
        return bool(times) and times[-1] - times[0] <= self._settings.knock_ns

    def _out_of_turn(self, at_ns: int) -> list[Fact]:
        """The side that has not the move has made one, legal but for that."""
        newest = self._live[0]
        position, other = newest.seen.position, newest.seen.turn.other
        placement = self._rules.placement(position)
        turned = self._rules.taken_as_played(position, placement, other)
        if turned is None:
            return []
        seen = self._sight.seen(turned)
        moves = seen.moves_to(self._hash, tuple(self._shown))
        if not moves:
            return []
        self._hold_base(newest.seen.turn, None)
        return [OutOfTurn(at_ns, other, self.turn, self._rules.wire(turned, moves[0]))]

    # Kings in the centre.

    def _watch_kings(self, at_ns: int) -> None:
        signal = self._rules.result_signal(self.placement)
        if signal is None:
            self._kings_at_ns = self._kings_told = None
        elif signal != self._kings_told:
            self._kings_at_ns = at_ns + self._settings.kings_ns

    def _tell_kings(self, at_ns: int) -> list[Fact]:
        """First what was still to be told or to be taken back, then the result."""
        self._kings_at_ns = self._changed_at_ns = None
        result = self._rules.result_signal(self.placement)
        assert result is not None, "the signal is watched"
        self._kings_told = result
        line = self._live[0]
        while line.parent is not None and not line.pressed and self._is_signal(line):
            line = line.parent
        self._live = [line]
        return [*self._tell_settled(at_ns), KingsInCentre(at_ns, result, self.turn)]

    def _is_signal(self, line: Line[P, M]) -> bool:
        """The half-move only brought a man to where it makes the signal."""
        for square, piece in line.written():
            if piece != EMPTY and self._shown[square] == piece:
                without = list(self._raw)
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
                otherwise=self._otherwise,
                presses=[PressKept(p.at_ns, p.side, p.late_ns, p.placement) for p in self._presses],
                at_ns=self._at_ns,
                runs=self._runs,
                clock_known=self._clock_known,
                lost_at_ns=self._lost_at_ns,
                loss_ns=self._loss_ns,
                tells_changes=self._tells_changes,
                changed_at_ns=self._changed_at_ns,
                agreed_at_ns=self._agreed_at_ns,
                left_at_ns=self._left_at_ns,
                unexplained=self._unexplained,
                gap_told=self._gap_told,
                array=self._array,
                ended=self._ended,
                kings_at_ns=self._kings_at_ns,
                kings_told=self._kings_told,
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
        tracker._presses = [Press(p.at_ns, p.side, p.late_ns, p.placement) for p in kept.presses]
        tracker._show(kept.placement)
        for square, piece in kept.otherwise.items():
            tracker._take_for(square, piece)
        tracker._at_ns = kept.at_ns
        tracker._runs, tracker._clock_known = kept.runs, kept.clock_known
        tracker._lost_at_ns, tracker._changed_at_ns = kept.lost_at_ns, kept.changed_at_ns
        tracker._loss_ns, tracker._tells_changes = kept.loss_ns, kept.tells_changes
        tracker._agreed_at_ns, tracker._left_at_ns = kept.agreed_at_ns, kept.left_at_ns
        tracker._unexplained, tracker._gap_told = kept.unexplained, kept.gap_told
        tracker._array, tracker._ended = kept.array, kept.ended
        tracker._kings_at_ns, tracker._kings_told = kept.kings_at_ns, kept.kings_told
        return tracker

    def _lines(self) -> list[Line[P, M]]:
        """Every line held, each once, parents before children."""
        found: dict[int, Line[P, M]] = {}
        for end in (*self._book.told, *self._live, *self._bases):
            for line in reversed(list(end.back())):
                found.setdefault(id(line), line)
        return list(found.values())
