"""What a press with no legal move on the board shows: the squares that changed, sorted.

    left    squares a piece of the position is gone from
    came    squares a piece stands on anew

Which row it is, is decided by readers: those of one game alone, and then those beside the
articles, in the order in which `art_07_5_illegal` names them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

from arbiterd.laws.case.scene import TELL_KINDS, Scene
from arbiterd.rules.ruleset import Attempt, Change, Colour, Reason, RuleSet, differing
from arbiterd.tracking.facts import Pressed, Touch
from eboards.events import EMPTY, UNKNOWN, Piece, Placement, Square


@dataclass(frozen=True, slots=True)
class MisplayRow:
    """The row that a press without a legal move falls under."""

    kind: str
    """Empty: an illegal move without a row of its own."""
    article: str = "7.5.1"
    """Which article makes it count; empty: it does not (a displacement, a doubt)."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    counts_as: str = ""
    """The move that stands in its place under 7.5.2, in wire form."""
    either: bool = False
    """The arbiter decides whether it is an illegal move or one left unfinished."""


class Misplay:
    """One press's board beside the position it should have come from."""

    def __init__(
        self,
        rules: RuleSet[Any, Any],
        position: Any,
        shown: Placement,
        mover: Colour,
        *,
        scene: Scene,
        ply: int,
        touches: tuple[Touch, ...] = (),
    ) -> None:
        self.rules, self.position, self.mover = rules, position, mover
        self.scene, self.ply, self.touches = scene, ply, touches
        self.before = rules.placement(position)
        self.now = scene.known(shown, self.before)
        self.squares = differing(self.before, self.now)

    def side(self, piece: Piece) -> Colour | None:
        return self.rules.owner(piece)

    def name(self, square: Square) -> str:
        return self.rules.geometry.names[square]

    def names(self, squares: tuple[Square, ...] | list[Square]) -> list[str]:
        return [self.name(square) for square in squares]

    @cached_property
    def own_left(self) -> list[Square]:
        return [s for s in self.squares if self.side(self.before[s]) is self.mover]

    @cached_property
    def own_came(self) -> list[Square]:
        return [s for s in self.squares if self.side(self.now[s]) is self.mover]

    @cached_property
    def enemy_left(self) -> list[Square]:
        """Of pieces that were captured or are simply gone."""
        return [s for s in self.squares if self.side(self.before[s]) is self.mover.other]

    @cached_property
    def enemy_came(self) -> list[Square]:
        return [s for s in self.squares if self.side(self.now[s]) is self.mover.other]

    @cached_property
    def enemy_gone(self) -> list[Square]:
        """Enemy pieces that are gone and whose square nobody took."""
        return [s for s in self.enemy_left if self.now[s] == EMPTY]

    @cached_property
    def attempt(self) -> Attempt | None:
        return self.rules.read_attempt(self.position, self.now, self.mover)

    @property
    def reason(self) -> Reason:
        return self.attempt.reason if self.attempt else Reason.SEVERAL_CHANGES

    @cached_property
    def legal(self) -> tuple[Any, ...]:
        return tuple(self.rules.legal_moves(self.position))

    @cached_property
    def held_moves(self) -> list[tuple[Any, list[Square]]]:
        """Legal moves the board shows in full, each with the other squares that changed."""
        found = []
        for move in self.legal:
            footprint = self.rules.footprint(self.position, move)
            shown = all(self.now[square] == piece for square, piece in footprint)
            if shown and not self._stands_elsewhere(move, footprint):
                of_move = {square for square, _ in footprint}
                rest = [s for s in self.squares if s not in of_move]
                found.append((move, [] if self.unread(rest) else rest))
        return found

    def unread(self, squares: Sequence[Square]) -> bool:
        """What differs on these squares is only what a board that tells kinds cannot read, on
        squares where nothing stands: no piece is off its square."""
        return self.scene.sensing.kind in TELL_KINDS and all(
            self.before[s] == EMPTY and self.now[s] == UNKNOWN for s in squares
        )

    def _stands_elsewhere(self, move: Any, footprint: tuple[Change, ...]) -> bool:
        """The move takes its own piece off the board, and one like it has come to another square:
        it has gone there."""
        if any(piece != EMPTY for _, piece in footprint):
            return False
        own, *taken = self.rules.touched(self.position, move)
        return not taken and self.before[own] in {self.now[square] for square in self.own_came}

    def wire(self, move: Any) -> str:
        return self.rules.wire(self.position, move)

    def rank(self, square: Square) -> int:
        """Counted from the mover's own side: 0 is the first rank, `last_rank` the last."""
        row = square // self.rules.geometry.files
        return self.last_rank - row if self.mover is Colour.WHITE else row

    @property
    def last_rank(self) -> int:
        return self.rules.geometry.ranks - 1

    def file(self, square: Square) -> int:
        return square % self.rules.geometry.files

    def piece(self, letter: str) -> Piece:
        """The mover's piece of this kind."""
        return letter.upper() if self.mover is Colour.WHITE else letter.lower()

    def legal_from(self, origin: Square, target: Square) -> list[Any]:
        """Legal moves between two squares, every promotion of them."""
        return [
            move
            for move in self.legal
            if self.rules.touched(self.position, move)[0] == origin
            and any(
                square == target and piece != EMPTY
                for square, piece in self.rules.footprint(self.position, move)
            )
        ]


MisplayReader: TypeAlias = Callable[[Misplay], MisplayRow | None]
"""The row of this board, or None: it is none that this reader knows."""

OF_GAMES: list[MisplayReader] = []


def of_one_game(reader: MisplayReader) -> MisplayReader:
    """Enters a reader for boards that only one game knows; it is asked before the articles'."""
    OF_GAMES.append(reader)
    return reader


def by_the_other_side(fact: Pressed, scene: Scene) -> str:
    """What the side that has not the move did on the board before this press, in wire form; empty
    where a piece of the side that pressed has left its square, or nothing was put down."""
    rules, position = scene.rules, scene.before(fact.ply)
    before = rules.placement(position)
    shown = scene.known(fact.turn.placement, before)
    squares = differing(before, shown)
    gone = [s for s in squares if rules.owner(before[s]) is fact.side and shown[s] == EMPTY]
    if gone or any(rules.owner(shown[s]) is fact.side for s in squares):
        return ""
    came = {s for s in squares if rules.owner(shown[s]) is fact.side.other}
    if not came or came & changed_since(fact, scene):
        return ""
    attempt = rules.read_attempt(position, shown, fact.side.other)
    return attempt.wire if attempt is not None else ""


def changed_since(fact: Pressed, scene: Scene) -> set[Square]:
    """Squares that changed when this press had set the other side's clock going; a change is seen
    up to one scan after it was made."""
    until_ns = fact.at_ns + scene.sensing.scan_ns
    return {seen.square for seen in fact.turn.changes if seen.at_ns > until_ns}
