"""`arbiterd bench`: the benchmarks, each a module of this folder."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

import click

PREFIX = "bench_"
"""What a benchmark's command is called where its bare name means something else there."""


class Benchmarks(click.Group):
    """Finds a benchmark by its name, and imports no other."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        found = [module.name for module in iter_modules(__path__) if not module.ispkg]
        return sorted(name.replace("_", "-") for name in found)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        name = cmd_name.replace("-", "_")
        module = import_module(f"{__name__}.{name}")
        command = getattr(module, name, None) or getattr(module, PREFIX + name)
        assert isinstance(command, click.Command), f"{cmd_name} is a command"
        return command


@click.command(cls=Benchmarks)
def bench() -> None:
    """Measure, as ratios where a peer can be run beside."""
