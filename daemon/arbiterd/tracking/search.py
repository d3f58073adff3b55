"""Which lines of play lead from a position to what the board shows.

The squares that differ drive the search. Of two half-moves each must write one of them; of more,
each must make one read as it should. And a half-move is followed only while the pieces that still
have to arrive can arrive in the half-moves left. So two half-moves cost about as much as one
position's moves, three or four some dozens.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from arbiterd.rules.ruleset import Change, Colour
from arbiterd.tracking.sensors import Move, Seen, Sensors
from eboards.events import EMPTY, UNKNOWN, Piece, Placement, Square

WAYS_MAX = 48
"""More ways than this to explain one placement are none."""
DETOURS = {1: 1, 2: 2, 3: 1}
"""Of so many half-moves, how many may put no square right, but are undone by a later one."""
POSITIONS_RETRACED = 100
"""So many positions may be looked at among half-moves of squares that were seen to change."""
LIFTED_MAX = 2
"""So many pieces of the side to move may be in the air while the move before is looked for."""


@dataclass(slots=True)
class Effort:
    """How many more positions may be looked at; below zero: we give up and know nothing."""

    left: int

    @property
    def spent(self) -> bool:
        return self.left < 0


def adds_a_piece(sensors: Sensors, before: Seen, shown: Placement) -> bool:
    """More pieces show than there were, of one side or in all; or one that nobody has: a piece
    shows twice, or is misread, and no play leads there."""
    pieces = {square: before.placement[square] for square in before.differing(shown)}
    return min(_to_take(sensors, pieces, shown)) < 0


def _to_take(
    sensors: Sensors, pieces: Mapping[Square, Piece], shown: Placement
) -> tuple[int, int, int]:
    """How many pieces of White, of Black and in all are gone from where `pieces` stand now.

    Less than none where no play leads. Nothing where the rules may bring pieces to the board.
    """
    if sensors.narrowing is None:
        return 0, 0, 0
    there = [shown[square] for square in pieces]
    if sensors.tells_pieces and UNKNOWN in there:
        return -1, -1, -1
    owners = sensors.owners
    now, then = [owners[piece] for piece in pieces.values()], [owners[piece] for piece in there]
    return (
        now.count(Colour.WHITE) - then.count(Colour.WHITE),
        now.count(Colour.BLACK) - then.count(Colour.BLACK),
        there.count(EMPTY) - list(pieces.values()).count(EMPTY),
    )


def ways(
    sensors: Sensors, before: Seen, shown: Placement, number: int, plies: int, effort: Effort
) -> list[tuple[Move, ...]]:
    """Every line of exactly so many legal moves after which the sensors show this placement.

    `number` is the placement's hash. Empty where there is none, or where there are too many.
    Of more than two half-moves, those with a castling are looked for only if there are no others,
    and where a piece that castles is no longer at home.
    """
    differs = {square: before.placement[square] for square in before.differing(shown)}
    castles = sensors.may_bring_two(before.position, differs)
    for spare in (0, 1) if castles and plies > 2 else (int(castles),):
        search = _Search(sensors, shown, number, spare, effort)
        if differs and search.may_lead(differs, before.turn.other, plies):
            search.follow(before, differs, plies, (), DETOURS.get(plies, 0))
        if effort.spent or len(search.found) > WAYS_MAX:
            return []
        if search.found:
            return search.found
    return []


def retraced(
    sensors: Sensors,
    before: Seen,
    shown: Placement,
    number: int,
    plies: int,
    squares: frozenset[Square],
    effort: Effort,
) -> list[tuple[Move, ...]]:
    """The same among moves that write only these squares: those that were seen to change.

    So it reaches further than `ways` does with the same effort.
    """
    differs = {square: before.placement[square] for square in before.differing(shown)}
    if not squares.issuperset(differs):
        return []
    search = _Search(sensors, shown, number, 1, effort)
    if search.may_lead(differs, before.turn.other, plies):
        search.retrace(before, differs, plies, (), squares)
    return [] if effort.spent or len(search.found) > WAYS_MAX else search.found


@dataclass(slots=True)
class _Search:
    sensors: Sensors
    shown: Placement
    number: int
    spare: int
    """So many pieces more than half-moves may arrive: castling brings two."""
    effort: Effort
    found: list[tuple[Move, ...]] = field(default_factory=list)

    def follow(
        self,
        before: Seen,
        differs: Mapping[Square, Piece],
        plies: int,
        line: tuple[Move, ...],
        detours: int,
    ) -> None:
        """Looks on from `before`, whose pieces on the squares that differ from what is shown are
        given; so many half-moves as `detours` need not put a square right."""
        if plies == 1:
            self._end(before, line)
            return
        squares = differs if detours else self._helpful(differs, before)
        if plies == 2:
            # Its side's last half-move brings all the pieces that its side has to bring.
            squares = self._to_bring(squares, before.turn)[:1] or squares
        if not squares:
            return
        for move, written in before.steps_touching(squares):
            if self.effort.spent:
                return
            rest = self._rest(differs, written)
            helps = not all(square in rest for square, _ in written)
            if not helps and (not detours or differs.keys().isdisjoint([s for s, _ in written])):
                continue
            if rest and self.still_possible(rest, before.turn, plies - 1):
                self.effort.left -= 1
                if self._hopeless(rest, before.turn, plies - 1):
                    continue
                on = detours - (not helps)
                after = self.sensors.after(before, move)
                self.follow(after, rest, plies - 1, (*line, move), on)

    def retrace(
        self,
        before: Seen,
        differs: Mapping[Square, Piece],
        plies: int,
        line: tuple[Move, ...],
        squares: frozenset[Square],
    ) -> None:
        """Looks on from `before` among moves of these squares."""
        if plies == 1:
            self._end(before, line)
            return
        for move, written in before.steps_among(squares):
            if self.effort.spent:
                return
            rest = self._rest(differs, written)
            if self.still_possible(rest, before.turn, plies - 1):
                self.effort.left -= 1
                if self._hopeless(rest, before.turn, plies - 1):
                    continue
                after = self.sensors.after(before, move)
                self.retrace(after, rest, plies - 1, (*line, move), squares)

    def _helpful(self, differs: Mapping[Square, Piece], before: Seen) -> list[Square]:
        """Those that the next half-move may put right: a piece leaves them, goes there, or is taken
        from there in passing."""
        owners, shown, other = self.sensors.owners, self.shown, before.turn.other
        squares = [square for square in differs if owners[shown[square]] is not other]
        if self.sensors.narrowing is None:
            return squares
        passing = self.sensors.narrowing.taken_in_passing(before.position)
        return [
            square
            for square in squares
            if shown[square] != EMPTY or owners[differs[square]] is not other or square == passing
        ]

    def _to_bring(self, differs: Iterable[Square], mover: Colour) -> list[Square]:
        """Those where a piece of this side must come to stand."""
        owners, shown = self.sensors.owners, self.shown
        return [square for square in differs if owners[shown[square]] is mover]

    def _rest(
        self, differs: Mapping[Square, Piece], written: Sequence[Change]
    ) -> dict[Square, Piece]:
        """What still differs once these squares were written."""
        rest = dict(differs)
        for square, piece in written:
            if self.shown[square] == piece:
                rest.pop(square, None)
            else:
                rest[square] = piece
        return rest

    def _end(self, before: Seen, line: tuple[Move, ...]) -> None:
        self.effort.left -= 1
        self.found += [(*line, move) for move in before.moves_to(self.number, self.shown)]

    def may_lead(self, rest: Mapping[Square, Piece], moved: Colour, plies: int) -> bool:
        """Whether so many half-moves may put all this right, `moved` having just moved."""
        return self.still_possible(rest, moved, plies) and not self._hopeless(rest, moved, plies)

    def _hopeless(self, rest: Mapping[Square, Piece], moved: Colour, plies: int) -> bool:
        """No half-moves lead there, for they would set pieces down, or take as many as are gone."""
        sensors, shown = self.sensors, self.shown
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

    def still_possible(self, rest: Collection[Square], moved: Colour, plies: int) -> bool:
        """Whether the pieces that must still arrive can, `moved` having just moved."""
        most = self.sensors.rules.squares_per_ply * min(plies, 2) + 2 * max(0, plies - 2)
        if len(rest) > most:
            return False
        owners, shown = self.sensors.owners, self.shown
        arrivals = [owners[shown[square]] for square in rest]
        own, others = plies // 2, plies - plies // 2
        return (
            arrivals.count(moved) <= own + self.spare * (own > 0)
            and arrivals.count(moved.other) <= others + self.spare
        )


@dataclass(frozen=True, slots=True)
class Nearly:
    """A legal move that the board shows but for what hands still hold."""

    move: Move
    lifted: int
    """So many pieces are off for the reply: the other side's, and one that it may take."""
    dragged: bool
    """The piece it took still shows beside its square."""


def nearly(
    sensors: Sensors, before: Seen, shown: Placement, *, replying: bool = False
) -> list[Nearly]:
    """Moves the board shows, the rest being as it was but for lifted pieces and the victim.

    With `replying`, the other side may have set down pieces too: half a castling.
    """
    differs = before.differing(shown)
    if len(differs) > 2 * sensors.rules.squares_per_ply:
        return []
    found = []
    for move, written in before.steps_among(differs):
        if all(shown[square] == piece for square, piece in written):
            squares = {square for square, _ in written}
            rest = [square for square in differs if square not in squares]
            near = _rest(sensors, before, shown, move, rest, replying)
            if near is not None:
                found.append(near)
    return found


def _rest(
    sensors: Sensors, before: Seen, shown: Placement, move: Move, rest: list[Square], replying: bool
) -> Nearly | None:
    rules, replier = sensors.rules, before.turn.other
    pieces = rules.placement(before.position)
    lifted = [s for s in rest if shown[s] == EMPTY]
    extra = [s for s in rest if shown[s] != EMPTY]
    if len(lifted) > LIFTED_MAX or len(extra) > 1:
        return None
    own = [s for s in lifted if rules.owner(pieces[s]) is not replier]
    if own and not _is_taken(sensors, before, move, own, lifted):
        return None
    for square in extra:
        taken = {before.placement[s] for s in rules.touched(before.position, move)[1:]}
        dragged = before.placement[square] == EMPTY and shown[square] in taken
        if not dragged and not (replying and lifted and sensors.owners[shown[square]] is replier):
            return None
    return Nearly(move, len(lifted), bool(extra))


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
