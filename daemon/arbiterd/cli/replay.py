"""`arbiterd replay`: a recording, a scenario or a journal through the same code, as JSON Lines."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click
import msgspec

from arbiterd.messages import topics
from arbiterd.messages.step import Output
from arbiterd.table import Table
from arbiterd.table.inputs import Input
from arbiterd.table.playback import StateChanges, line, play, told
from arbiterd.table.scenario import ScenarioError, read_scenario


def numbered(inputs: tuple[Input, ...]) -> Iterator[tuple[int, Input]]:
    return enumerate(inputs, 1)


def show(table: Table, inputs: Iterator[tuple[int, Input]], everything: bool) -> None:
    """Prints what each step tells, in order."""
    hall, name = table.setup.hall, table.setup.table
    states = StateChanges()
    out = sys.stdout.buffer
    for at_ns, step in play(table, inputs):
        for output in step.outputs:
            if everything or told(output):
                out.write(line(hall, name, output) + b"\n")
        if everything and states.changed(state := table.state(at_ns)):
            body = Output(topics.STATE, msgspec.json.encode(state), retained=True)
            out.write(line(hall, name, body) + b"\n")
    out.flush()


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--all", "everything", is_flag=True, help="Snapshots, replies and the log too.")
def replay(file: Path, everything: bool) -> None:
    """Feed FILE through the service's own code and print the events it leads to."""
    try:
        scenario = read_scenario(file.read_text(encoding="utf-8"))
    except ScenarioError as wrong:
        raise click.ClickException(f"{file}: {wrong}") from None
    show(Table(scenario.setup), numbered(scenario.inputs), everything)


if __name__ == "__main__":
    replay()
