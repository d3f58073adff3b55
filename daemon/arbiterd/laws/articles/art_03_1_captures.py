"""Articles 3.1 and 1.4.1: captures that are none. What a press showed, read for them."""

from __future__ import annotations

from arbiterd.laws.case.misplay import Misplay, MisplayRow
from arbiterd.rules.ruleset import Reason
from eboards.events import EMPTY

CENTRAL = "K"


def king_captured(play: Misplay) -> MisplayRow | None:
    """An own piece stands where the other king stood (1.4.1)."""
    king = next((s for s in play.enemy_left if play.before[s].upper() == CENTRAL), None)
    if king is None or king not in play.own_came:
        return None
    return MisplayRow("king-captured", facts={"squares": [play.name(king)]})


def own_pieces_swapped(play: Misplay) -> MisplayRow | None:
    """Own pieces stand on each other's squares and nothing else changed."""
    left, came = play.own_left, play.own_came
    if len(left) < 2 or left != came or len(play.squares) != len(left):
        return None
    if sorted(play.before[s] for s in left) != sorted(play.now[s] for s in came):
        return None
    return MisplayRow("move-piece-swapped", facts={"squares": play.names(left)})


def own_piece_captured(play: Misplay) -> MisplayRow | None:
    """An own piece stands where another own piece stood (3.1)."""
    if play.reason is not Reason.OWN_PIECE_THERE and not _one_took_the_other(play):
        return None
    target = play.own_came[0]
    facts = {"squares": play.names(play.own_came), "piece": play.before[target].upper()}
    return MisplayRow("capture-own-piece", facts=facts)


def _one_took_the_other(play: Misplay) -> bool:
    left, came = play.own_left, play.own_came
    return (
        len(left) == 2
        and len(came) == 1
        and len(play.squares) == 2
        and came[0] in left
        and play.now[came[0]] == play.before[next(s for s in left if s != came[0])]
    )


def captured_piece_again(play: Misplay) -> MisplayRow | None:
    """A legal capture, and the piece it captured stands on another square."""
    for move, rest in play.held_moves:
        victims = play.rules.touched(play.position, move)[1:]
        taken = [s for s in victims if s in play.enemy_left]
        if not taken or len(rest) != 1 or rest != play.enemy_came:
            continue
        if play.before[rest[0]] == EMPTY and play.now[rest[0]] == play.before[taken[0]]:
            facts = {"squares": play.names(rest), "attempt": play.wire(move)}
            return MisplayRow("capture-not-removed", "", facts, either=True)
    return None


def wrong_piece_off(play: Misplay) -> MisplayRow | None:
    """A capture, and another enemy piece is off the board: beside it, or instead of it."""
    for move, rest in play.held_moves:
        victims = play.rules.touched(play.position, move)[1:]
        captures = any(s in play.enemy_left for s in victims)
        if captures and len(rest) == 1 and rest == play.enemy_gone:
            facts = {"squares": play.names(rest), "attempt": play.wire(move)}
            return MisplayRow("capture-wrong-piece-off", facts=facts)
    return _instead(play)


def _instead(play: Misplay) -> MisplayRow | None:
    """En passant with another piece taken off than the pawn that was passed."""
    for move in play.legal:
        passed = play.rules.touched(play.position, move)[1:]
        footprint = play.rules.footprint(play.position, move)
        made = [s for s, piece in footprint if play.now[s] == piece]
        others = [s for s in play.enemy_gone if s not in passed]
        if (
            len(passed) == 1
            and play.now[passed[0]] == play.before[passed[0]]
            and len(made) == len(footprint) - 1
            and len(others) == 1
            and len(play.squares) == len(made) + 1
        ):
            facts = {"squares": play.names(others), "attempt": play.wire(move)}
            return MisplayRow("capture-wrong-piece-off", facts=facts)
    return None


def taken_off_only(play: Misplay) -> MisplayRow | None:
    """One enemy piece is off, and no piece of the mover has moved."""
    if play.own_left or play.own_came or play.enemy_came or len(play.enemy_gone) != 1:
        return None
    return MisplayRow(
        "capture-removed-not-moved", "7.5.3", {"squares": play.names(play.enemy_gone)}
    )
