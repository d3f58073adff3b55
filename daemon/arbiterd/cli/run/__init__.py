"""`arbiterd run`: the service in the foreground, until it is told to stop."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from arbiterd.cli.check import checked
from arbiterd.cli.holding import held
from arbiterd.cli.run.defaults import run_defaults
from arbiterd.cli.run.logs import set_up
from arbiterd.cli.run.serving import serve


@click.command()
@click.option("--config", "file", type=click.Path(path_type=Path), help="A TOML file.")
@click.option("--speed", type=click.FloatRange(0.01, 1000), help="How fast time passes.")
@click.pass_obj
def run(debug: bool, file: Path | None, speed: float | None) -> None:
    """Run the service in the foreground.

    Without a configuration it takes every board that is plugged in; where there is none at all,
    it plays a simulated hall, and says so.
    """
    set_up(debug)
    if file is None:
        asyncio.run(run_defaults(speed))
        return
    config = checked(file)
    with held(config, file.parent) as ours:
        asyncio.run(serve(config, file.parent, ours, speed, file=file))
