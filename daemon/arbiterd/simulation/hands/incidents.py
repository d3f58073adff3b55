"""Episodes beside the moves: what players also do, and what goes wrong, as hands do it.

An episode is a value: its name and its act. The act gets the desk before the turn's own
half-move and leaves the pieces as it found them; it returns False where it is not possible at this
half-move. It notes what happened, with the rulings that may rightly follow (ids of the rulings
catalogue) and whether one of them must. A new kind is one function and one line here.

    restless   adjusting, holding, trying         mishaps   pieces that fall, sleeves, knocks
    offences   breaches of the Laws
    misdone    castling and promotion done wrong, half-moves changed, pieces shifted
    fouls      shogi: half-moves and drops that lose at once
    river      Guadalete: what its water and its duty forbid
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from arbiterd.simulation.hands import fouls, misdone, mishaps, offences, restless, river
from arbiterd.simulation.hands.desk import StagedTable


@dataclass(frozen=True, slots=True)
class Episode:
    """One kind of thing that happens."""

    name: str
    act: Callable[[StagedTable], bool]
    owed: bool = False
    """A ruling has to follow: what the benchmark of rulings counts."""


def _known(*episodes: Episode) -> MappingProxyType[str, Episode]:
    return MappingProxyType({episode.name: episode for episode in episodes})


EPISODES: Final[MappingProxyType[str, Episode]] = _known(
    Episode("adjust", restless.adjust),
    Episode("adjust-six", restless.adjust_six),
    Episode("lift-and-think", restless.lift_and_think),
    Episode("take-back", restless.take_back),
    Episode("knocked-piece", mishaps.knocked_piece),
    Episode("sleeve", mishaps.sleeve),
    Episode("board-knocked", mishaps.board_knocked, owed=True),
    Episode("illegal-pressed", offences.illegal_pressed, owed=True),
    Episode("own-piece-taken", offences.own_piece_taken, owed=True),
    Episode("press-no-move", offences.press_without_move, owed=True),
    Episode("piece-in-hand", offences.press_with_piece_in_hand, owed=True),
    Episode("victim-off-only", offences.victim_off_only, owed=True),
    Episode("pawn-left", offences.pawn_left_on_last_rank, owed=True),
    Episode("passed-pawn-left", offences.passed_pawn_left, owed=True),
    Episode("king-alone", offences.king_alone_castles, owed=True),
    Episode("rook-beside", offences.rook_castled_wrong, owed=True),
    Episode("out-of-turn", offences.moved_out_of_turn, owed=True),
    Episode("touched-then-other", offences.touched_then_other, owed=True),
    Episode("touched-victim", offences.touched_victim, owed=True),
    Episode("rook-before-castling", offences.rook_before_castling, owed=True),
    Episode("adjusted-on-other-time", offences.adjusted_on_other_time, owed=True),
    Episode("castled-unlawfully", misdone.castled_unlawfully, owed=True),
    Episode("nothing-placed", misdone.nothing_placed, owed=True),
    Episode("enemy-queen-placed", misdone.enemy_placed, owed=True),
    Episode("king-placed", misdone.king_placed, owed=True),
    Episode("exchanged-early", misdone.exchanged_early, owed=True),
    Episode("released-then-other", misdone.moved_on, owed=True),
    Episode("moved-twice", misdone.moved_twice, owed=True),
    Episode("shifted-on-other-time", misdone.shifted_on_other_time, owed=True),
    Episode("clock-paused", offences.clock_paused, owed=True),
)
"""Those of chess by name, as profiles give them a rate; most of them are any game's."""

OF_SHOGI: Final = _known(
    Episode("moved-wrong", fouls.moved_wrong, owed=True),
    Episode("jumped", fouls.jumped, owed=True),
    Episode("own-taken", fouls.own_taken, owed=True),
    Episode("king-left", fouls.king_left, owed=True),
    Episode("not-turned", fouls.not_turned, owed=True),
    Episode("turned-outside", fouls.turned_outside, owed=True),
    Episode("turned-back", fouls.turned_back, owed=True),
    Episode("turned-in-place", fouls.turned_in_place, owed=True),
    Episode("two-pawns", fouls.two_pawns, owed=True),
    Episode("dropped-dead", fouls.dropped_dead, owed=True),
    Episode("dropped-turned", fouls.dropped_turned, owed=True),
    Episode("dropped-theirs", fouls.dropped_theirs, owed=True),
    Episode("dropped-on-a-piece", fouls.dropped_on_a_piece, owed=True),
    Episode("two-moves", fouls.two_moves, owed=True),
    Episode("again-after-press", fouls.again_after_press, owed=True),
    Episode("matta", fouls.released_then_other, owed=True),
)

OF_THE_RIVER: Final = _known(
    Episode("in-the-river", river.in_the_river, owed=True),
    Episode("slid-over", river.slid_over, owed=True),
    Episode("king-on-the-river", river.king_on_the_river, owed=True),
    Episode("pawn-took", river.pawn_took, owed=True),
    Episode("left-on-water", river.left_on_water, owed=True),
    Episode("duty-ignored", river.duty_ignored, owed=True),
    Episode("moved-wrong-on-the-bank", river.moved_wrong, owed=True),
)

IN_ANY_GAME: Final = MappingProxyType({**EPISODES, **OF_SHOGI, **OF_THE_RIVER})
"""All of them, by name."""

OWED: Final = tuple(episode.name for episode in EPISODES.values() if episode.owed)
"""Those of chess that a ruling has to follow."""

_ON_THE_BANKS: Final = (
    "board-knocked own-piece-taken press-no-move piece-in-hand victim-off-only out-of-turn"
    " touched-then-other touched-victim adjusted-on-other-time castled-unlawfully"
    " released-then-other moved-twice shifted-on-other-time clock-paused"
).split()
"""What the Laws of chess rule on in the river game too."""

OWED_IN: Final = MappingProxyType(
    {
        "chess": OWED,
        "chess960": OWED,
        "shogi": (*OF_SHOGI, "clock-paused"),
        "guadalete": (*OF_THE_RIVER, *_ON_THE_BANKS),
    }
)
"""By the game: those that a ruling has to follow."""
