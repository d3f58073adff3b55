"""Hands that play moves cleanly on a board that tells every square, as inputs of a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from arbiterd.rules.registry import ruleset
from arbiterd.rules.ruleset import Colour
from arbiterd.table.inputs import ClockSaid, Input
from eboards.events import EMPTY, LinkUp, Scan, Sensing, SensingClass, SquareChange

MS = 1_000_000
STEP_NS = 400 * MS
SENSING = Sensing(SensingClass.IDENTITY, 200 * MS)


def opened(position: Any, rules: Any) -> list[Input]:
    """The link is up and the board shows the position."""
    return [LinkUp(0, "test", "", SENSING), Scan(0, rules.placement(position))]


def played(
    moves: Sequence[str], *, name: str = "chess", start: str = "", press: bool = True
) -> list[Input]:
    """Each move lifted, placed and pressed; a move every two seconds."""
    rules = ruleset(name)
    position = rules.start(start)
    inputs = opened(position, rules)
    at_ns, white_ms, black_ms = 1_000 * MS, 600_000, 600_000
    for text in moves:
        move = rules.parse(position, text)
        side = rules.turn(position)
        changes = dict(rules.footprint(position, move))
        lifted = [square for square in rules.touched(position, move) if square in changes]
        placed = [change for change in changes.items() if change[1] != EMPTY]
        for square, piece in [*((square, EMPTY) for square in lifted), *placed]:
            inputs.append(SquareChange(at_ns, square, piece))
            at_ns += STEP_NS
        if press:
            white_ms -= 2_000 * (side is Colour.WHITE)
            black_ms -= 2_000 * (side is Colour.BLACK)
            inputs.append(ClockSaid(at_ns, white_ms, black_ms, press=side))
        at_ns += 2_000 * MS
        position = rules.play(position, move)
    return inputs


def numbered(inputs: Iterable[Input]) -> list[tuple[int, Input]]:
    return list(enumerate(inputs, 1))


OPERA = (
    "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 Bxb5+ Nbd7"
    " O-O-O Rd8 Rxd7 Rxd7 Rd1 Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#"
).split()
"""Morphy's game at the Paris opera, 1858."""
