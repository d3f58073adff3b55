"""`arbiterd bench rules`: positions counted beside peers, and the time a node takes.

Counts are those that are published or were counted by other means; a wrong one fails the run.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import chess
import click

from arbiterd.cli import FailedError
from arbiterd.cli.perft import count
from arbiterd.rules.registry import ruleset

MATSURI = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1"
MOST_MOVES = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1"


@dataclass(frozen=True, slots=True)
class PerftTree:
    """One tree of moves, and how many leaves it has."""

    rules: str
    position: str
    what: str
    leaves: tuple[int, ...]


WALKS = (
    PerftTree("chess", "", "start", (20, 400, 8_902, 197_281)),
    PerftTree("shogi", "", "start", (30, 900, 25_470, 719_731)),
    PerftTree("shogi", MATSURI, "matsuri", (207, 28_684, 4_809_015)),
    PerftTree("shogi", MOST_MOVES, "most moves", (593, 105_677, 53_393_368)),
    PerftTree("guadalete", "", "start", (20, 304, 4_987, 82_560)),
)


@click.command()
@click.option("--deep", is_flag=True, help="The last depth of the large trees too.")
def rules(deep: bool) -> None:
    """Count positions with our own rules and with the libraries beside them."""
    wrong = [walk.what for walk in WALKS if not _walked(walk, deep)]
    every, each = _timed(_all_960)
    click.echo(f"chess960  all 960 starts, depth 2: {every:>12,}  {each:6.2f} µs a node")
    peers = _timed(_peer_960)
    click.echo(f"          python-chess the same:    {peers[0]:>12,}  {peers[1]:6.2f} µs a node")
    _beside_rsshogi()
    if wrong or every != peers[0]:
        raise FailedError(f"counted wrong: {', '.join(wrong) or 'the 960 starts'}")


LARGE = 1_000_000


def _walked(walk: PerftTree, deep: bool) -> bool:
    game = ruleset(walk.rules)
    start, right = game.start(walk.position), True
    for depth, leaves in enumerate(walk.leaves, 1):
        if leaves > LARGE and not deep:
            continue
        found, each = _timed(partial(count, game, start, depth))
        sign = "" if found == leaves else f"  WRONG, it is {leaves:,}"
        tree = f"{walk.rules:9} {walk.what:12} depth {depth}"
        click.echo(f"{tree}: {found:>12,}  {each:6.2f} µs a node{sign}")
        right = right and found == leaves
    return right


def _timed(walk: Callable[[], int]) -> tuple[int, float]:
    begun = time.process_time()
    leaves = walk()
    return leaves, (time.process_time() - begun) / max(1, leaves) * 1e6


def _all_960() -> int:
    game = ruleset("chess960")
    return sum(count(game, game.start(str(number)), 2) for number in range(960))


def _peer_960() -> int:
    leaves = 0
    for number in range(960):
        board = chess.Board.from_chess960_pos(number)
        for move in list(board.legal_moves):
            board.push(move)
            leaves += board.legal_moves.count()
            board.pop()
    return leaves


def _beside_rsshogi() -> None:
    try:
        from rsshogi.core import Board
    except ImportError:
        sys.stderr.write("rsshogi is not installed (extra: shogi); it is not run beside ours\n")
        return

    def walk(board: Any, depth: int) -> int:
        moves = board.legal_moves()
        if depth == 1:
            return len(moves)
        leaves = 0
        for move in moves:
            board.apply_move(move)
            leaves += walk(board, depth - 1)
            board.undo_move(move)
        return leaves

    leaves, each = _timed(lambda: walk(Board(), 3))
    click.echo(f"shogi     rsshogi, start depth 3:   {leaves:>12,}  {each:6.2f} µs a node")
