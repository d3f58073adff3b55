"""`arbiterd can-mate`: FENs in, one line of JSON out for each, in order."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator

import click

from arbiterd.rules.bitboard_text import read_fen
from arbiterd.rules.mating import BUDGET_NODES, MatingVerdict
from arbiterd.rules.mating import can_mate as ask
from arbiterd.rules.mating.reach import unreachable
from arbiterd.rules.ruleset import Colour


@click.command("can-mate")
@click.option(
    "--nodes",
    type=click.IntRange(min=1),
    default=BUDGET_NODES,
    show_default=True,
    help="The budget for one side of one position, in positions made.",
)
@click.argument("fens", metavar="[FEN]...", nargs=-1)
def can_mate(nodes: int, fens: tuple[str, ...]) -> None:
    """Can White still mate, can Black? With a line or with a proof.

    FENs of six fields, or four, as arguments or one a line on standard input. Exit status 1 when a
    line was no FEN.
    """
    failed = False
    for text in fens or _lines(sys.stdin.buffer):
        told = answer(text, nodes)
        failed = failed or "error" in told
        click.echo(json.dumps(told))
        sys.stdout.flush()
    if failed:
        sys.exit(1)


def _lines(stream: Iterable[bytes]) -> Iterator[str]:
    for line in stream:
        yield line.decode(errors="replace").rstrip("\r\n")


def answer(text: str, nodes: int) -> dict[str, object]:
    """One line of output as a JSON object."""
    try:
        pos = read_fen(text)
    except ValueError as why:
        return {"fen": text, "error": str(why)}
    told: dict[str, object] = {"fen": text}
    for side in Colour:
        told[side.value] = _told(ask(text, side, nodes))
    if unreachable(pos, text):
        told["unreachable"] = True
    return told


def _told(verdict: MatingVerdict) -> dict[str, object]:
    proof = verdict.proof
    return {
        "verdict": verdict.answer.value,
        "line": None if verdict.line is None else list(verdict.line),
        "proof": None if proof is None else {"kind": proof.kind.value, "text": proof.text},
        "nodes": verdict.nodes,
    }
