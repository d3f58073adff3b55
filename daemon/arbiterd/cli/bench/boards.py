"""`arbiterd bench boards`: real games over the wire of every family, and how fast each is read."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from time import perf_counter

import click

from arbiterd.cli import FailedError
from arbiterd.cli.bench.tracking import games_from
from arbiterd.simulation.benchmarks.over_the_wire import HANDS, WiredGame
from arbiterd.simulation.devices.wires import KINDS
from arbiterd.simulation.game import StagedGame
from arbiterd.simulation.profiles import Profile
from eboards.events import ClockReading, LinkUp, MoveReported, Scan, SquareChange

GAMES = 50
READ_S = 0.5
"""So long a codec is measured."""


@click.command("boards")
@click.option("--games", type=click.IntRange(1), default=GAMES, show_default=True, help="On each.")
@click.option("--kinds", default=",".join(KINDS), show_default=True, help="Kinds of boards.")
@click.option("--hands", type=click.Choice(tuple(HANDS)), default="brisk", show_default=True,
              help="How restless.")  # fmt: skip
@click.option("--seed", default="1", show_default=True, help="Of hands and noise.")
@click.option(
    "--pgn",
    type=click.Path(exists=True, path_type=Path),
    multiple=True,
    help="PGN files or folders to play.",
)
def boards(games: int, kinds: str, hands: str, seed: str, pgn: tuple[Path, ...]) -> None:
    """Play real games on every kind of board, through its wire, its codec and the whole table.

    Exact: the record is the game. Said so: where it is not, that was told as likely at the time.
    False: calls of urgency 1 and 2 that nothing had happened for.
    """
    chosen = games_from(pgn)[:games]
    click.echo(
        f"{len(chosen)} games on each\n"
        f"{'':14} {'senses':15} {'clock':5} {'exact':>9} {'said so':>8} {'false':>6}"
        f" {'faults':>7}  {'MB/s':>7} {'states/s':>9} {'x real time':>11}"
    )
    false: Counter[str] = Counter()
    for name in kinds.split(","):
        if name not in KINDS:
            raise click.BadParameter(f"{name!r} is no kind; choose from {', '.join(KINDS)}")
        false += _played(name, chosen, HANDS[hands], seed)
    if false:
        listed = ", ".join(f"{count} x {kind}" for kind, count in sorted(false.items()))
        raise FailedError(f"somebody was called for nothing: {listed}")


def _played(name: str, games: list[StagedGame], hands: Profile, seed: str) -> Counter[str]:
    first = WiredGame(games[0], name, f"{seed}/{name}/0", hands).run()
    exact = faults = said = 0
    false: Counter[str] = Counter()
    odd: list[str] = []
    for number, game in enumerate(games):
        own = f"{seed}/{name}/{number}"
        table = WiredGame(game, name, own, hands).run() if number else first
        exact += table.exact
        said += not table.exact and table.said_so
        faults += table.faults
        false.update(table.false)
        if table.false or not (table.exact or table.said_so):
            odd.append(f"  game {number}: false {dict(Counter(table.false))}")
    senses = next((e.sensing.kind for e in first.events if isinstance(e, LinkUp)), "–")
    clock = "yes" if any(isinstance(event, ClockReading) for event in first.events) else "no"
    rate, inexact = f"{exact} of {len(games)}", f"{said} of {len(games) - exact}"
    click.echo(
        f"{name:14} {senses:15} {clock:5} {rate:>9} {inexact:>8} {false.total():6} {faults:7}"
        f"  {_speed(first)}"
    )
    for line in odd:
        click.echo(line)
    return false


def _speed(table: WiredGame) -> str:
    """Reads what the first game sent again, as often as fits the time."""
    begin, times, states = perf_counter(), 0, 0
    while perf_counter() - begin < READ_S:
        codec = table.fresh_codec()
        for at_ns, data in table.heard:
            told = codec.receive(data, at_ns)
            states += sum(isinstance(event, Scan | SquareChange | MoveReported) for event in told)
        times += 1
    spent = perf_counter() - begin
    sent = times * sum(len(data) for _, data in table.heard)
    lasted = times * table.heard[-1][0] / 1e9
    return f"{sent / spent / 1e6:7.2f} {states / spent:9.0f} {lasted / spent:11.0f}"
