"""What a clock shows or a source says of it, as readings by colours."""

from __future__ import annotations

from msgspec.structs import replace

from arbiterd.rules.ruleset import Colour
from arbiterd.table.board import Board
from arbiterd.table.inputs import ClockSaid
from arbiterd.table.state import TableState
from arbiterd.timing.face import Reading
from eboards.events import ClockReading, Lever, Side


def beside_its_clock(view: TableState, event: ClockReading) -> Board:
    """The board as this reading has it: where it was turned by half, the clock may have stayed.

    Nothing tells before the clock of the side that moves first is set going (6.6): until somebody
    has moved, each start of it says on which side that player sits.
    """
    board, rules = view.board, view.rules
    turned = not board.fixed and (board.degrees == 180 or board.clock_stayed)
    starts = event.running is not None and view.shown().running is None
    if not turned or not starts or view.tracker.record.plies:
        return board
    first = board.colour(event.running) is rules.turn(view.tracker.position)
    if first or board.placement(rules) != view.start_placement:
        return board
    return replace(board, clock_stayed=not board.clock_stayed)


def reading_of(event: ClockReading, board: Board) -> Reading:
    """White's side follows the way the board lies."""
    white = (event.left_ms, event.left_flag)
    black = (event.right_ms, event.right_flag)
    if board.colour(Side.LEFT) is Colour.BLACK:
        white, black = black, white
    return Reading(
        event.at_ns,
        white_ms=white[0],
        black_ms=black[0],
        running=board.colour(event.running),
        lever=board.colour(event.lever),
        white_flag=white[1],
        black_flag=black[1],
        late_ns=event.late_ns,
    )


def reading_of_lever(event: Lever, board: Board) -> Reading:
    """A lever that was heard to turn: the side whose clock stands has pressed."""
    runs = board.colour(event.runs)
    assert runs is not None, "a lever has a side"
    return Reading(event.at_ns, running_said=False, press=runs.other, late_ns=event.late_ns)


def reading_said(said: ClockSaid) -> Reading:
    """A reading, or a press with or without one."""
    return Reading(
        said.at_ns,
        white_ms=said.white_ms,
        black_ms=said.black_ms,
        running=said.running,
        running_said=said.running_said,
        press=said.press,
        late_ns=said.late_ns,
    )
