"""`arbiterd bench mating`: how fast and how surely the mating question is answered.

Over the last positions of all games of the given PGN files, every tenth position of them, and
positions of random play that starts from them, both sides: settled, median, 99th and 99.9th
percentile and worst of time and nodes; the same for the compiled twin where it is installed.
Then what the watch for dead positions costs a half-move.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import chess
import chess.pgn
import click

from arbiterd.cli import FailedError
from arbiterd.cli.bench.measured.speeds import SPEEDS, run_apart
from arbiterd.cli.bench.measured.watch_cost import told_of_watch
from arbiterd.rules.bitboard_text import read_fen
from arbiterd.rules.mating import CanMate, can_mate
from arbiterd.rules.ruleset import Colour
from arbiterd.simulation.dice import dice

SEED = 6


@dataclass(frozen=True, slots=True)
class MatingCase:
    """One position, and which of the three lots it belongs to."""

    lot: str
    fen: str


@click.command()
@click.option(
    "--games",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    default=Path("../shared/games"),
    help="A folder of PGN files.",
)
@click.option("--random", "random_positions", default=20_000, show_default=True)
@click.option("--every", default=1, show_default=True, help="Of all questions take every n-th.")
def mating(games: Path, random_positions: int, every: int) -> None:
    """Time `can-mate` over real games and random play."""
    files = sorted(games.glob("*.pgn"))
    if not files:
        raise FailedError(f"{games} has no PGN files; name a folder that has with --games")
    played = list(_games(files))
    questions = [*_from_games(played), *_from_random_play(played, random_positions)][::every]
    click.echo(f"{len(questions)} positions, both sides", err=True)
    lines = "".join(f"{question.lot} {question.fen}\n" for question in questions)
    for speed in SPEEDS:
        figures = run_apart(speed, "arbiterd.cli.bench.mating", "answer_lines", lines)
        if not figures:
            click.echo("compiled: not installed; python -m arbiterd.cli.compile_mating makes it")
            continue
        _print(speed, figures)
        click.echo(told_of_watch(speed, files, every))


def _games(files: list[Path]) -> Iterator[list[chess.Board]]:
    """For each game its positions after every half-move."""
    for file in files:
        with file.open(encoding="utf-8", errors="replace") as text:
            while (game := chess.pgn.read_game(text)) is not None:
                board = game.board()
                positions = []
                for move in game.mainline_moves():
                    board.push(move)
                    positions.append(board.copy(stack=False))
                if positions:
                    yield positions


def _from_games(played: list[list[chess.Board]]) -> Iterator[MatingCase]:
    for positions in played:
        yield MatingCase("last", positions[-1].fen())
        for board in positions[9::10]:
            yield MatingCase("tenth", board.fen())


def _from_random_play(played: list[list[chess.Board]], wanted: int) -> Iterator[MatingCase]:
    """Some positions of each playout, from the start or a game's position to its natural end."""
    luck = dice(str(SEED))
    told = 0
    while told < wanted:
        board = luck.choice(luck.choice(played)).copy() if luck.random() < 0.9 else chess.Board()
        for _ in range(luck.randrange(1, 300)):
            moves = list(board.legal_moves)
            if not moves or (board.is_insufficient_material() and luck.random() < 0.1):
                break
            board.push(luck.choice(moves))
            if told < wanted and luck.random() < 0.02:
                told += 1
                yield MatingCase("random", board.fen())
        if told < wanted:
            told += 1
            yield MatingCase("random", board.fen())


def answer_lines() -> None:
    """The child's part: lots and FENs on standard input, figures on output."""
    for number, line in enumerate(sys.stdin, 1):
        lot, _, fen = line.strip().partition(" ")
        pos = read_fen(fen)
        for side in Colour:
            begun = time.process_time_ns()
            verdict = can_mate(pos, side)
            spent = time.process_time_ns() - begun
            told = {"lot": lot, "answer": verdict.answer, "nodes": verdict.nodes, "ns": spent}
            print(json.dumps(told))
        if number % 1000 == 0:
            print(f"{number} positions", file=sys.stderr)


def _print(speed: str, figures: list[dict[str, object]]) -> None:
    for lot in ("last", "tenth", "random", "all"):
        chosen = [figure for figure in figures if lot in {figure["lot"], "all"}]
        if not chosen:
            continue
        settled = sum(figure["answer"] != CanMate.NOT_PROVEN for figure in chosen)
        times = [int(str(figure["ns"])) / 1e6 for figure in chosen]
        nodes = [int(str(figure["nodes"])) for figure in chosen]
        click.echo(
            f"{speed} {lot}: {len(chosen)} questions, settled {100 * settled / len(chosen):.3f} %; "
            f"ms {_quantiles(times, '.3f')}; nodes {_quantiles(nodes, '.0f')}"
        )


def _quantiles(values: list[float] | list[int], shape: str) -> str:
    ordered = sorted(values)
    parts = []
    for name, share in (("median", 0.5), ("99 %", 0.99), ("99.9 %", 0.999), ("worst", 1.0)):
        value = ordered[min(len(ordered) - 1, int(len(ordered) * share))]
        parts.append(f"{name} {value:{shape}}")
    return ", ".join(parts)
