"""What the board and the record say at one moment, asked by ends, flags and claims.

A move that stands on the board may not be on the record yet: hands are given time to leave. The
Laws count it from when it was made (4.7), so these questions look at the board too.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from arbiterd.laws.case.penalty import DRAW, lost_by
from arbiterd.laws.case.scene import Scene
from arbiterd.laws.case.winnable import Winnable, may_be_dead, winnable
from arbiterd.laws.catalogue import row
from arbiterd.rules.ruleset import Colour, GameEnd, RuleSet, differing
from arbiterd.rules.sensed import may_be
from arbiterd.tracking.facts import How, MoveMade, MoveReplaced, PlyCertainty
from arbiterd.tracking.record import Record
from eboards.events import EMPTY, Placement

UNSURE = (How.INFERRED, How.RECOVERED)


class Pending(Struct, frozen=True, gc=False):
    """A legal move that the board shows in full and the record does not have yet."""

    move: Any
    position: Any
    """After it."""
    made_at_ns: int


def pending(scene: Scene) -> Pending | None:
    """The move of the side having the move that stands on the board, if one does."""
    rules, position, sensing = scene.rules, scene.position, scene.sensing.kind
    before, shown = scene.wanted, scene.placement
    squares = set(differing(before, scene.known(shown, before)))
    if not squares:
        return None
    for move in rules.legal_moves(position):
        footprint = rules.footprint(position, move)
        stands = all(may_be(rules, piece, shown[square], sensing) for square, piece in footprint)
        if stands and squares == {square for square, _ in footprint}:
            made = scene.turn.changes[-1].at_ns if scene.turn.changes else scene.at_ns
            return Pending(move, rules.play(position, move), made)
    return None


def positions_shown(scene: Scene) -> tuple[Any, ...]:
    """The record's positions, and the one of a move that stands on the board already."""
    made = pending(scene)
    recorded = tuple(scene.record.positions(scene.rules))
    return recorded if made is None else (*recorded, made.position)


def positions_before(side: Colour, scene: Scene) -> tuple[Any, ...]:
    """Up to the one that this side claims about. The opponent's move counts as soon as it stands on
    the board (1.3), the side's own not before it is on the record."""
    if scene.rules.turn(scene.position) is side:
        return tuple(scene.record.positions(scene.rules))
    return positions_shown(scene)


def has_gap(scene: Scene) -> bool:
    """Whether a half-move of the record was inferred, is uncertain, or is irregular."""
    return any(
        ply.how in UNSURE or ply.sureness is PlyCertainty.LIKELY or ply.irregular_fen is not None
        for ply in scene.record.plies
    )


def held_squares(scene: Scene) -> tuple[int, ...]:
    """Squares whose piece is in somebody's hand: lifted in this turn, and still empty.

    None while a legal move stands on the board in full: its piece was put down elsewhere.
    """
    if pending(scene) is not None:
        return ()
    return tuple(
        touch.square
        for touch in scene.turn.touches
        if touch.returned_at_ns is None and scene.placement[touch.square] == EMPTY
    )


class BoardEnd(Struct, frozen=True, gc=False):
    """An end that follows from the position or the moves."""

    end: GameEnd
    winner: Colour | None
    kind: str
    article: str
    replayed: bool = False
    """No decision: the game is played again."""

    @property
    def result(self) -> str:
        if self.replayed:
            return "replay"
        return DRAW if self.winner is None else lost_by(self.winner.other)

    @property
    def reason(self) -> str:
        return self.end.value


_ROWS: dict[GameEnd, tuple[tuple[str, str], ...]] = {
    GameEnd.CHECKMATE: (("gu-mate", "5.1.1"), ("sh-mate", "tsumi"), ("end-checkmate", "5.1.1")),
    GameEnd.STALEMATE: (("gu-stalemate", "5.2.1"), ("end-stalemate", "5.2.1")),
    GameEnd.DEAD: (("gu-dead", "river 7"), ("end-dead", "5.2.2")),
    GameEnd.FIVEFOLD: (("gu-threefold", "9.6.1"), ("end-fivefold", "9.6.1")),
    GameEnd.SEVENTY_FIVE: (("end-seventyfive", "9.6.2"),),
    GameEnd.REPETITION: (("sh-sennichite", "sennichite"), ("end-repetition", "1.1")),
    GameEnd.PERPETUAL_CHECK: (("sh-perpetual-check", "JSA 8.7"), ("end-repetition", "1.1")),
    GameEnd.NO_MOVE: (("sh-no-legal-move", "hansoku"), ("end-no-move", "1.1")),
}
"""The rows an end is told under, a game's own before the general one, and their articles."""


def board_end(rules: RuleSet[Any, Any], positions: tuple[Any, ...]) -> BoardEnd | None:
    """The end that the last of these positions is; mate goes before fivefold and 75 moves."""
    found = rules.end(positions[-1]) or rules.end_by_history(positions)
    if found is None and dead(rules, positions):
        found = (GameEnd.DEAD, None)
    if found is None:
        return None
    end, winner = found
    # The last one holds for every game.
    kind, article = next(told for told in _ROWS[end] if row(told[0]).holds(rules.customs))
    return BoardEnd(end, winner, kind, article, replayed=end in rules.replayed)


REPLAYED_MAX = 500
"""So many half-moves are played anew before an end counts as open: a second in the slowest game."""


def ends_either_way(end: BoardEnd, scene: Scene) -> bool:
    """Whether the game has ended so with every half-move that the sensors cannot tell from one of
    the record, as far as the play that followed fits that one too."""
    rules, record = scene.rules, scene.record
    positions, replayed = record.positions(rules), 0
    for number, ply in enumerate(record.plies):
        for move in ply.alternatives:
            line = _instead(rules, record, number, move)
            replayed += len(record.plies) - number if line is None else len(line)
            if replayed > REPLAYED_MAX:
                return False
            if line is None:
                continue
            found = board_end(rules, (*positions[: number + 1], *line))
            if found is None or (found.kind, found.result) != (end.kind, end.result):
                return False
    return True


def _instead(
    rules: RuleSet[Any, Any], record: Record, number: int, move: str
) -> tuple[Any, ...] | None:
    """The positions after this move in the place of a half-move and after those that followed it;
    None where they cannot follow, or where it comes to the position of the record."""
    known = record.positions(rules)
    position, line = known[number], []
    for at in range(number, len(record.plies)):
        try:
            wanted = move if at == number else record.plies[at].move
            position = rules.play(position, rules.parse(position, wanted))
        except ValueError:
            return None
        if rules.key(position) == rules.key(known[at + 1]):
            return None
        line.append(position)
    return tuple(line)


DEAD_NODES = 3_000
"""Asked after every move, so no more is spent than this; a claim spends more."""


def dead(rules: RuleSet[Any, Any], positions: tuple[Any, ...]) -> bool:
    """Whether it is proven that neither side can mate in the last of these (5.2.2).

    A proof is looked for where the watch over the game cannot say that the position is alive.
    """
    if not may_be_dead(rules, positions):
        return False
    last = positions[-1]
    return all(winnable(rules, last, side, DEAD_NODES) is Winnable.NO for side in Colour)


def missing_king(rules: RuleSet[Any, Any], position: Any, shown: Placement) -> Colour | None:
    """The side whose king alone is gone from the board: it may lie on its side."""
    before = rules.placement(position)
    if before == shown:
        return None
    gone = [n for n, (was, now) in enumerate(zip(before, shown, strict=True)) if was != now]
    if len(gone) != 1 or shown[gone[0]] != EMPTY or before[gone[0]].upper() != "K":
        return None
    return rules.owner(before[gone[0]])


def put_back_after_press(fact: MoveReplaced, scene: Scene) -> MoveMade | None:
    """The half-move that was pressed for, if its piece went back to its square after that press and
    another move was made: the players took it back, and tracking did not merely learn better."""
    told, press = scene.file.told(fact.ply), scene.file.last_press
    if told is None or press is None or press.side is not told.side or told.move == fact.move:
        return None
    if not told.made_at_ns <= press.at_ns < fact.made_at_ns:
        return None
    before = scene.before(fact.ply)
    try:
        move = scene.rules.parse(before, told.move)
    except ValueError:
        return None  # The record before it is another now as well: tracking learnt better.
    origin = scene.rules.touched(before, move)[:1]
    home, sensing = scene.rules.placement(before), scene.sensing.kind
    seen = fact.turn if fact.turn is not None else scene.turn
    back = any(
        (change.square,) == origin
        and may_be(scene.rules, home[change.square], change.after, sensing)
        for change in seen.changes
        if change.at_ns > press.at_ns
    )
    return told if back else None
