"""`arbiterd perft`: how many positions lie so many half-moves ahead, by our own rules."""

from __future__ import annotations

import sys
import time
from typing import Any

import click
import msgspec

from arbiterd.rules.registry import RULESETS, ruleset
from arbiterd.rules.ruleset import RuleSet


def count(rules: RuleSet[Any, Any], position: Any, depth: int) -> int:
    """Leaves of the tree of legal moves."""
    moves = rules.legal_moves(position)
    if depth == 1:
        return len(moves)
    return sum(count(rules, rules.play(position, move), depth - 1) for move in moves)


@click.command()
@click.option("--ruleset", "name", type=click.Choice(RULESETS), default="chess")
@click.option("--depth", type=click.IntRange(min=1), required=True)
@click.option("--timed", is_flag=True, help="Time a node on standard error.")
@click.argument("position", required=False, default="")
def perft(name: str, depth: int, timed: bool, position: str) -> None:
    """Count the nodes of POSITION (the start where it is left out), depth by depth."""
    rules = ruleset(name)
    try:
        start = rules.start(position)
    except ValueError as wrong:
        raise click.UsageError(str(wrong)) from None
    nodes: list[int] = []
    for ahead in range(1, depth + 1):
        begun = time.perf_counter()
        nodes.append(count(rules, start, ahead))
        if timed:
            spent = time.perf_counter() - begun
            each = spent / max(1, nodes[-1]) * 1e6
            sys.stderr.write(f"depth {ahead}: {nodes[-1]} nodes, {each:.2f} µs a node\n")
    answer = {"ruleset": name, "position": rules.fen(start), "nodes": nodes}
    sys.stdout.write(msgspec.json.encode(answer).decode() + "\n")
