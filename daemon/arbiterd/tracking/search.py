"""Which lines of play lead from a position to what the board shows.

The squares that differ drive the search. Of two half-moves each must write one of them; of more,
each must make one read as it should. And a half-move is followed only while the pieces that still
have to arrive can arrive in the half-moves left. So two half-moves cost about as much as one
position's moves, three or four some dozens.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeAlias

from arbiterd.rules.ruleset import Change, Colour
from arbiterd.tracking.sensors import Move, Seen, SensedMove, Sensors
from arbiterd.tracking.snapshot import LIFTED_MAX, Snapshot
from eboards.events import EMPTY, UNKNOWN, Piece, Placement, Square

WAYS_MAX = 48
"""More ways than this to explain one placement are none."""
DETOURS = {1: 1, 2: 2, 3: 1}
"""Of so many half-moves, how many may put no square right, but are undone by a later one."""

Pieces: TypeAlias = Mapping[Square, Piece]
"""Squares that do not read as they should, and what stands on them now."""


def adds_a_piece(look: Snapshot, before: Seen) -> bool:
    """More pieces show than there were, of one side or in all; or one that nobody has: a piece
    shows twice, or is misread, and no play leads there."""
    return min(_to_take(look.sensors, _differing(look, before), look.placement)) < 0


def _differing(look: Snapshot, before: Seen) -> dict[Square, Piece]:
    return {square: before.placement[square] for square in before.differing(look.placement)}


def _to_take(sensors: Sensors, pieces: Pieces, shown: Placement) -> tuple[int, int, int]:
    """How many pieces of White, of Black and in all are gone from where `pieces` stand now.

    Less than none where no play leads. Nothing where the rules may bring pieces to the board.
    """
    if sensors.narrowing is None:
        return 0, 0, 0
    owners, gone, free = sensors.owners, {Colour.WHITE: 0, Colour.BLACK: 0, None: 0}, 0
    for square, piece in pieces.items():
        there = shown[square]
        if there == UNKNOWN and sensors.tells_pieces:
            return -1, -1, -1
        gone[owners[piece]] += 1
        gone[owners[there]] -= 1
        free += (there == EMPTY) - (piece == EMPTY)
    return gone[Colour.WHITE], gone[Colour.BLACK], free


def ways(look: Snapshot, before: Seen, plies: int) -> list[tuple[Move, ...]]:
    """Every line of exactly so many legal moves after which the sensors show this placement.

    Empty where there is none, or where there are too many. Of more than two half-moves, those with
    a castling are looked for only if there are no others, and where a piece that castles is no
    longer at home.
    """
    differs = _differing(look, before)
    castles = look.sensors.may_bring_two(before.position, differs)
    for spare in (0, 1) if castles and plies > 2 else (int(castles),):
        found = _Search(look, spare).search(before, differs, plies, DETOURS.get(plies, 0))
        if found or look.effort.spent:
            return found
    return []


def retraced(
    look: Snapshot, before: Seen, plies: int, squares: frozenset[Square]
) -> list[tuple[Move, ...]]:
    """The same among moves that write only these squares: those that were seen to change.

    So it reaches further than `ways` does with the same effort. All that differ are among them.
    """
    differs = _differing(look, before)
    assert squares.issuperset(differs), "what differs and never changed is no play's doing"
    return _Search(look, 1, squares).search(before, differs, plies, plies)


@dataclass(slots=True)
class _Search:
    look: Snapshot
    spare: int
    """So many pieces more than half-moves may arrive: castling brings two."""
    among: frozenset[Square] | None = None
    """Moves that write other squares are not followed; None: moves that put squares right are."""
    found: list[tuple[Move, ...]] = field(default_factory=list)

    def search(
        self, before: Seen, differs: Pieces, plies: int, detours: int
    ) -> list[tuple[Move, ...]]:
        """All the lines; none where they are too many, or the budget ended."""
        if (differs or self.among is not None) and self._may_lead(
            differs, before.turn.other, plies
        ):
            self._follow(before, differs, plies, (), detours)
        return [] if self.look.effort.spent or len(self.found) > WAYS_MAX else self.found

    def _follow(
        self, before: Seen, differs: Pieces, plies: int, line: tuple[Move, ...], detours: int
    ) -> None:
        """Looks on from `before`, whose pieces on the squares that differ from what is shown are
        given; so many half-moves as `detours` need not put a square right."""
        look = self.look
        if plies == 1:
            if look.effort.take():
                shown = before.moves_to(look.hash, look.placement)
                self.found += [(*line, move) for move in shown]
            return
        for move, written in self._steps(before, differs, plies, detours):
            if look.effort.spent:
                return
            rest = self._rest(differs, written)
            helps = not all(square in rest for square, _ in written)
            if self.among is None and not (rest and (helps or _undoes(differs, written, detours))):
                continue
            if self._still_possible(rest, before.turn, plies - 1):
                if not look.effort.take():
                    return
                if not self._hopeless(rest, before.turn, plies - 1):
                    after = look.sensors.after(before, move)
                    self._follow(after, rest, plies - 1, (*line, move), detours - (not helps))

    def _steps(
        self, before: Seen, differs: Pieces, plies: int, detours: int
    ) -> Iterable[SensedMove]:
        """The moves that are followed from `before`, and perhaps some more."""
        if self.among is not None:
            return before.steps_among(self.among)
        squares = list(differs) if detours else self._helpful(differs, before)
        if plies == 2:
            # Its side's last half-move brings all the pieces that its side has to bring.
            owners, shown = self.look.sensors.owners, self.look.placement
            brought = (square for square in squares if owners[shown[square]] is before.turn)
            squares = list(islice(brought, 1)) or squares
        return before.steps_touching(squares) if squares else ()

    def _helpful(self, differs: Pieces, before: Seen) -> list[Square]:
        """Those that the next half-move may put right: a piece leaves them, goes there, or is taken
        from there in passing."""
        owners, shown, other = self.look.sensors.owners, self.look.placement, before.turn.other
        squares = [square for square in differs if owners[shown[square]] is not other]
        if self.look.sensors.narrowing is None:
            return squares
        passing = self.look.sensors.narrowing.taken_in_passing(before.position)
        return [
            square
            for square in squares
            if shown[square] != EMPTY or owners[differs[square]] is not other or square == passing
        ]

    def _rest(self, differs: Pieces, written: Sequence[Change]) -> dict[Square, Piece]:
        """What still differs once these squares were written."""
        rest = dict(differs)
        for square, piece in written:
            if self.look.placement[square] == piece:
                rest.pop(square, None)
            else:
                rest[square] = piece
        return rest

    def _may_lead(self, rest: Pieces, moved: Colour, plies: int) -> bool:
        """Whether so many half-moves may put all this right, `moved` having just moved."""
        return self._still_possible(rest, moved, plies) and not self._hopeless(rest, moved, plies)

    def _hopeless(self, rest: Pieces, moved: Colour, plies: int) -> bool:
        """No half-moves lead there, for they would set pieces down, or take as many as are gone."""
        sensors, shown = self.look.sensors, self.look.placement
        white, black, pieces = _to_take(sensors, rest, shown)
        own, others = plies // 2, plies - plies // 2
        by_black, by_white = (own, others) if moved is Colour.BLACK else (others, own)
        if not (0 <= white <= by_black and 0 <= black <= by_white and 0 <= pieces <= plies):
            return True
        if plies > 3 or not sensors.sets_down:
            return False
        owners = sensors.owners
        brought = [owners[shown[square]] for square in rest]
        if plies == 1:
            return moved.other not in brought
        # A side's only half-move brings a piece, unless it was taken, or took where one of its kind
        # had stood.
        to_take = {Colour.WHITE: white, Colour.BLACK: black}
        if plies == 2 and moved.other not in brought and not to_take[moved.other]:
            return True
        if moved in brought:
            return False
        return not to_take[moved] or (plies == 2 and not to_take[moved.other])

    def _still_possible(self, rest: Collection[Square], moved: Colour, plies: int) -> bool:
        """Whether the pieces that must still arrive can, `moved` having just moved."""
        most = self.look.sensors.rules.squares_per_ply * min(plies, 2) + 2 * max(0, plies - 2)
        if len(rest) > most:
            return False
        owners, shown = self.look.sensors.owners, self.look.placement
        own, others = plies // 2, plies - plies // 2
        own += self.spare * (own > 0)
        others += self.spare
        for square in rest:
            owner = owners[shown[square]]
            if owner is moved:
                own -= 1
            elif owner is not None:
                others -= 1
        return own >= 0 and others >= 0


def _undoes(differs: Pieces, written: Sequence[Change], detours: int) -> bool:
    """A half-move that puts no square right, and that a later one may undo."""
    return detours > 0 and not differs.keys().isdisjoint([square for square, _ in written])


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
