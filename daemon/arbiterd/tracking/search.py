"""Which lines of play lead from a position to what the board shows.

The squares that differ drive the search. Of two half-moves each must write one of them; of more,
each must make one read as it should. And a half-move is followed only while the pieces that still
have to arrive can arrive in the half-moves left. So two half-moves cost about as much as one
position's moves, three or four some dozens.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from msgspec import Struct

from arbiterd.rules.ruleset import Change, Colour
from arbiterd.tracking.sensors import Excess, Move, Seen, SensedMove, Sensors
from arbiterd.tracking.snapshot import LIFTED_MAX, Snapshot
from eboards.events import EMPTY, Square

WAYS_MAX = 48
"""More ways than this to explain one placement are none."""
DETOURS = {1: 1, 2: 2, 3: 1}
"""Of so many half-moves, how many may put no square right, but are undone by a later one."""


def adds_a_piece(look: Snapshot, before: Seen) -> bool:
    """More pieces show than there were, of one side or in all; or one that nobody has: a piece
    shows twice, or is misread, and no play leads there."""
    return max(before.excess(look.placement)) > 0


class _Rest(Struct, frozen=True, gc=False):
    """How a position differs from what the board shows."""

    squares: int
    """Those that do not read as they should, a bit each."""
    excess: Excess
    """So many pieces more show: as many less than none are to be taken yet."""


class _Room(Struct, frozen=True, gc=False):
    """What half-moves can put right at most."""

    squares: int
    own: int
    """The squares that show a piece of one side, a bit each."""
    own_most: int
    """So many of them."""
    others: int
    others_most: int

    def holds(self, squares: int) -> bool:
        """The pieces that must still arrive on these can."""
        return (
            squares.bit_count() <= self.squares
            and (squares & self.own).bit_count() <= self.own_most
            and (squares & self.others).bit_count() <= self.others_most
        )


def ways(look: Snapshot, before: Seen, plies: int) -> list[tuple[Move, ...]]:
    """Every line of exactly so many legal moves after which the sensors show this placement.

    Empty where there is none, or where there are too many. Of more than two half-moves, those with
    a castling are looked for only if there are no others, and where a piece that castles is no
    longer at home.
    """
    differing = before.differing(look.placement)
    castles = look.sensors.may_bring_two(before.position, differing)
    for spare in (0, 1) if castles and plies > 2 else (int(castles),):
        found = Search(look, before, spare).lines(plies, DETOURS.get(plies, 0))
        if found or look.effort.spent:
            return found
    return []


class Search:
    """Lines of legal moves from a position to what the board shows."""

    def __init__(
        self, look: Snapshot, before: Seen, spare: int, among: frozenset[Square] | None = None
    ) -> None:
        differing = before.differing(look.placement)
        assert among is None or among.issuperset(differing), "no play changes what never changed"
        self.look = look
        self.before = before
        self.spare = spare
        """So many pieces more than half-moves may arrive: castling brings two."""
        self.among = among
        """Moves that write other squares are not followed: these were seen to change, so lines
        reach further with the same effort. None: moves that put squares right are followed."""
        self.owned = look.sensors.owned(look.placement)
        self.rest = _Rest(sum([1 << square for square in differing]), before.excess(look.placement))
        self.found: list[tuple[Move, ...]] = []

    def lines(self, plies: int, detours: int) -> list[tuple[Move, ...]]:
        """All those of so many half-moves; none where they are too many, or the budget ended."""
        self.found, rest, turn = [], self.rest, self.before.turn
        possible = rest.squares > 0 or self.among is not None
        possible = possible and self._room(turn.other, plies).holds(rest.squares)
        if possible and not self._hopeless(rest, turn.other, plies):
            self._follow(self.before, rest, plies, (), detours)
        return [] if self.look.effort.spent or len(self.found) > WAYS_MAX else self.found

    def _follow(
        self, before: Seen, rest: _Rest, plies: int, line: tuple[Move, ...], detours: int
    ) -> None:
        """Looks on from `before`, which differs by the `rest` from what is shown; so many
        half-moves as `detours` need not put a square right."""
        look = self.look
        if plies == 1:
            if look.effort.take():
                shown = before.moves_to(look.hash, look.placement)
                self.found += [(*line, move) for move in shown]
            return
        room = self._room(before.turn, plies - 1)
        for move, written in self._steps(before, rest, plies, detours):
            if look.effort.spent:
                return
            right, wrong = self._put(written)
            squares = rest.squares & ~right | wrong
            if self.among is None:
                undone = detours > 0 and rest.squares & (right | wrong)
                if not squares or not (right or undone):
                    continue
            if room.holds(squares):
                if not look.effort.take():
                    return
                (white, black, pieces), added = rest.excess, before.added(written)
                then = _Rest(squares, (white - added[0], black - added[1], pieces - added[2]))
                if not self._hopeless(then, before.turn, plies - 1):
                    after = look.sensors.after(before, move)
                    self._follow(after, then, plies - 1, (*line, move), detours - (not right))

    def _put(self, written: Sequence[Change]) -> tuple[int, int]:
        """The squares of these that read as they should once they are written, and the others."""
        right = wrong = 0
        for square, piece in written:
            if self.look.placement[square] == piece:
                right |= 1 << square
            else:
                wrong |= 1 << square
        return right, wrong

    def _steps(self, before: Seen, rest: _Rest, plies: int, detours: int) -> Iterable[SensedMove]:
        """The moves that are followed from `before`, and perhaps some more."""
        if self.among is not None:
            return before.steps_among(self.among)
        squares = rest.squares if detours else self._helpful(rest, before)
        if plies == 2:
            # Its side's last half-move brings all the pieces that its side has to bring.
            brought = squares & self.owned[before.turn]
            squares = brought & -brought or squares
        return before.steps_touching(_listed(squares)) if squares else ()

    def _helpful(self, rest: _Rest, before: Seen) -> int:
        """Those that the next half-move may put right: a piece leaves them, goes there, or is taken
        from there in passing."""
        squares, other = rest.squares & ~self.owned[before.turn.other], before.turn.other
        narrowing = self.look.sensors.narrowing
        if narrowing is None:
            return squares
        owners, passing = self.look.sensors.owners, narrowing.taken_in_passing(before.position)
        for square in _listed(squares):
            emptied = self.look.placement[square] == EMPTY and square != passing
            if emptied and owners[before.placement[square]] is other:
                squares ^= 1 << square
        return squares

    def _hopeless(self, rest: _Rest, moved: Colour, plies: int) -> bool:
        """No half-moves lead there, for they would set pieces down, or take as many as are gone."""
        own, others = plies // 2, plies - plies // 2
        white, black, pieces = rest.excess
        # What one side has to take are the other's pieces.
        taken, taken_others = (-black, -white) if moved is Colour.WHITE else (-white, -black)
        if not (0 <= taken <= own and 0 <= taken_others <= others and 0 <= -pieces <= plies):
            return True
        if plies > 3 or not self.look.sensors.sets_down:
            return False
        brought = rest.squares & self.owned[moved]
        brought_others = rest.squares & self.owned[moved.other]
        if plies == 1:
            return not brought_others
        # A side's only half-move brings a piece, unless it was taken, or took where one of its kind
        # had stood.
        if plies == 2 and not brought_others and not taken:
            return True
        if brought:
            return False
        return not taken_others or (plies == 2 and not taken)

    def _room(self, moved: Colour, plies: int) -> _Room:
        """What so many half-moves can put right, `moved` having just moved."""
        own, others = plies // 2, plies - plies // 2
        return _Room(
            self.look.sensors.rules.squares_per_ply * min(plies, 2) + 2 * max(0, plies - 2),
            self.owned[moved],
            own + self.spare * (own > 0),
            self.owned[moved.other],
            others + self.spare,
        )


def _listed(squares: int) -> list[Square]:
    found: list[Square] = []
    while squares:
        found.append((squares & -squares).bit_length() - 1)
        squares &= squares - 1
    return found


@dataclass(frozen=True, slots=True)
class Nearly:
    """A legal move that the board shows but for what hands still hold."""

    move: Move
    lifted: int
    """So many pieces are off for the reply: the other side's, and one that it may take."""
    dragged: bool
    """The piece it took still shows beside its square."""


def nearly(look: Snapshot, before: Seen, *, replying: bool = False) -> list[Nearly]:
    """Moves the board shows, the rest being as it was but for lifted pieces and the victim.

    With `replying`, the other side may have set down pieces too: half a castling.
    """
    shown, differs = look.placement, before.differing(look.placement)
    if len(differs) > 2 * look.sensors.rules.squares_per_ply:
        return []
    found = []
    for move, written in before.steps_among(differs):
        if all(shown[square] == piece for square, piece in written):
            squares = {square for square, _ in written}
            rest = [square for square in differs if square not in squares]
            near = _rest(look, before, move, rest, replying)
            if near is not None:
                found.append(near)
    return found


def _rest(
    look: Snapshot, before: Seen, move: Move, rest: list[Square], replying: bool
) -> Nearly | None:
    rules, replier, shown = look.sensors.rules, before.turn.other, look.placement
    pieces = rules.placement(before.position)
    lifted = [s for s in rest if shown[s] == EMPTY]
    extra = [s for s in rest if shown[s] != EMPTY]
    if len(lifted) > LIFTED_MAX or len(extra) > 1:
        return None
    own = [s for s in lifted if rules.owner(pieces[s]) is not replier]
    if own and not _is_taken(look.sensors, before, move, own, lifted):
        return None
    if own and _is_carried(look, before, move, own):
        return None
    for square in extra:
        taken = {before.placement[s] for s in rules.touched(before.position, move)[1:]}
        dragged = before.placement[square] == EMPTY and shown[square] in taken
        replied = lifted and look.sensors.owners[shown[square]] is replier
        shown_so = dragged or (replying and replied)
        if not shown_so or not _came_since(look, before, move, square):
            return None
    return Nearly(move, len(lifted), bool(extra))


def _came_since(look: Snapshot, before: Seen, move: Move, square: Square) -> bool:
    """What was set down there came since this move was begun: nobody replies to what they have not
    seen, and what is captured is put aside then."""
    newest = {change.square: change.at_ns for change in look.changes if change.after == EMPTY}
    touched = look.sensors.rules.touched(before.position, move)
    begun_ns = min((newest[s] for s in touched if s in newest), default=0)
    came = (c.at_ns for c in look.changes if c.square == square and c.after != EMPTY)
    return max(came, default=look.at_ns) + look.sensors.sensing.scan_ns >= begun_ns


def _is_carried(look: Snapshot, before: Seen, move: Move, own: Sequence[Square]) -> bool:
    """What was set down as if from the hand is the like of a piece that had left its square before:
    that was moved where it may not go, and nothing was dropped."""
    written = dict(before.written(move))
    if any(piece == EMPTY for piece in written.values()):
        return False
    newest = {change.square: change.at_ns for change in look.changes}
    came_ns = min(newest.get(square, look.at_ns) for square in written)
    likes = (square for square in own if before.placement[square] in written.values())
    return any(newest.get(square, came_ns + 1) <= came_ns for square in likes)


def _is_taken(
    sensors: Sensors, before: Seen, move: Move, own: Sequence[Square], lifted: list[Square]
) -> bool:
    """A reply takes the mover's only piece that is lifted, with the other side's piece if that is
    lifted too; where pieces look alike it is to be."""
    if sensors.pieces_alike and len(own) == len(lifted):
        return False
    after = sensors.after(before, move)
    return any(
        set(lifted) <= set(sensors.rules.touched(after.position, reply))
        for reply, _ in after.steps_touching(own)
    )
