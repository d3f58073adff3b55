"""`arbiterd replay --explain PLY`: why one half-move was told as it was."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import click
import msgspec

from arbiterd.table.explained import Explainer, Moment, Telling
from arbiterd.table.inputs import Input
from arbiterd.table.playback import play
from arbiterd.table.setup import TableSetup
from arbiterd.table.table import Table
from arbiterd.tracking.hypothesis import Held


def explained(setup: TableSetup, inputs: Iterable[tuple[int, Input]], ply: int) -> list[Telling]:
    """The tellings of half-move `ply`, in order."""
    table, explainer = Table(setup), Explainer(ply)
    now: list[Input | None] = [None]

    def each() -> Iterator[tuple[int, Input]]:
        for number, item in inputs:
            now[0] = item
            yield number, item
        now[0] = None

    for at_ns, step in play(table, each()):
        explainer.watch(table, at_ns, now[0], step)
        now[0] = None
    return explainer.tellings


def show(tellings: Sequence[Telling], ply: int, *, as_json: bool) -> None:
    """As JSON Lines, one a telling; else for people."""
    if not tellings:
        raise click.ClickException(f"half-move {ply} is never told here; name one that is")
    for number, telling in enumerate(tellings):
        if as_json:
            click.echo(msgspec.json.encode(telling).decode())
            continue
        for line in _lines(telling, again=number > 0):
            click.echo(line)


def _lines(telling: Telling, *, again: bool) -> Iterator[str]:
    before: tuple[Held, ...] = ()
    for moment in telling.moments:
        yield f"{moment.at[11:23]}  {moment.seen or 'time goes on'}"
        if moment.held != before:
            yield from _held(moment, telling.ply - 1)
        before = moment.held
    what = telling.uci or "nothing (withdrawn, or no legal move)"
    margin = "no other was held" if telling.margin is None else f"margin {telling.margin:.1f} nats"
    others = f"; or {', '.join(telling.alternatives)}" if telling.alternatives else ""
    yield (
        f"{telling.at[11:23]}  told{' again' if again else ''}: half-move {telling.ply} is {what}, "
        f"{telling.how or '-'}, {telling.certainty}, {telling.probability:.3f} ({margin}){others}"
    )
    yield ""


def _held(moment: Moment, since: int) -> Iterator[str]:
    """The lines, with what speaks for and against their half-moves from `since` on."""
    for line in moment.held:
        first = line.ply - len(line.moves) + 1
        moves = " ".join(
            f"{first + place}.{move or '(irregular)'}" for place, move in enumerate(line.moves)
        )
        here = "shows this" if line.shown else "not shown"
        yield f"    {line.share:7.2%}  +{line.nats:<5.2f} {moves or 'the start'}  ({here})"
        for item in line.items:
            if item.ply < since:
                continue
            yield f"                      {item.nats:+5.1f}  {item.ply}. {item.name}"
