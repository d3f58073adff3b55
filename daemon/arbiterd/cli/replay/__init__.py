"""`arbiterd replay`: a recording, a scenario or a journal through the service's own code.

Prints the events as they would be published, one JSON object a line with its topic.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import click
import msgspec

from arbiterd.cli.replay.explaining import explained
from arbiterd.cli.replay.explaining import show as show_explained
from arbiterd.cli.replay.journal import explained_journal, is_journal, replay_journal
from arbiterd.config.reading import ConfigError, read_config
from arbiterd.hall.links.drivers import DRIVERS, new_codec
from arbiterd.hall.round.pairings import PairingsError
from arbiterd.hall.round.rounds import setups
from arbiterd.messages import topics
from arbiterd.messages.step import Output
from arbiterd.rules.registry import RULESETS
from arbiterd.table.inputs import Input
from arbiterd.table.playback import StateChanges, line, play, told
from arbiterd.table.scenario import ScenarioError, read_scenario
from arbiterd.table.setup import TableSetup
from arbiterd.table.table import Table
from eboards.events import LinkUp
from eboards.transport.recording import RecordingError, has_times, read_file, read_log
from eboards.transport.replay import heard


class WrongFile(click.ClickException):
    """The file or its configuration is at fault, not the run: exit status 2."""

    exit_code = 2


@click.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--config", type=click.Path(path_type=Path), help="Its first table is the table.")
@click.option("--rate", help="A rate of play of the configuration by its name.")
@click.option("--ruleset", type=click.Choice(RULESETS), help="The rules of the recorded game.")
@click.option("--all", "everything", is_flag=True, help="Snapshots, replies and the log too.")
@click.option("--decode", is_flag=True, help="A journal from its raw bytes.")
@click.option("--explain", type=click.IntRange(1), metavar="PLY", help="Why it was told so.")
@click.option("--json", "as_json", is_flag=True, help="With --explain: JSON Lines.")
@click.option("--table", "name", help="With --explain: which table of a journal.")
def replay(
    file: Path,
    config: Path | None,
    rate: str | None,
    ruleset: str | None,
    everything: bool,
    decode: bool,
    explain: int | None,
    as_json: bool,
    name: str | None,
) -> None:
    """Feed FILE through the same code and print what it leads to.

    With --explain PLY, of that half-move alone: what was seen, which lines of play stood after each
    change, what spoke for and against them, by what margin it was told and when.
    """
    _stands_still(file)
    if is_journal(file) and explain is not None:
        show_explained(explained_journal(file, name, explain), explain, as_json=as_json)
        return
    if is_journal(file):
        sys.exit(replay_journal(file, everything=everything, decode=decode))
    text = _text(file)
    try:
        setup = _setup(config, rate, ruleset)
        if text.lstrip().startswith("{"):
            scenario = read_scenario(text)
            setup = scenario.setup if setup is None else _in_hall(scenario.setup, setup)
            inputs: Iterable[Input] = scenario.inputs
        else:
            setup = setup or TableSetup(ruleset=ruleset or "chess")
            inputs = recorded(text)
        if explain is not None:
            told_so = explained(setup, enumerate(inputs, 1), explain)
            show_explained(told_so, explain, as_json=as_json)
        else:
            show(setup, inputs, everything)
    except (ConfigError, PairingsError) as wrong:
        raise WrongFile(str(wrong)) from None
    except (ScenarioError, RecordingError, ValueError) as wrong:
        raise WrongFile(f"{file}: {wrong}") from None


def _stands_still(file: Path) -> None:
    """It can be read more than once, and has an end. Raises WrongFile."""
    if not file.is_file():
        raise WrongFile(f"{file} is no file; name a recording, a scenario or a journal")


def _text(file: Path) -> str:
    """Raises WrongFile."""
    try:
        return read_file(file)
    except (OSError, RecordingError) as wrong:
        raise WrongFile(f"{file} cannot be read as text ({wrong}); name a recording, a scenario"
                        " or a journal") from None  # fmt: skip


def _setup(config: Path | None, rate: str | None, ruleset: str | None) -> TableSetup | None:
    """The first table of a configuration, or None without one."""
    if config is None:
        if rate is not None:
            raise ValueError(f"the rate {rate!r} needs the configuration that names it: --config")
        return None
    read = read_config(config)
    seats = list(setups(read, config.parent).values())
    if not seats:
        raise ValueError(f"{config} has no table; write one [[tables]]")
    setup = seats[0]
    if rate is not None:
        if rate not in read.rates:
            known = ", ".join(read.rates) or "none"
            raise ValueError(f"{rate!r} is no rate of {config}; it has {known}")
        setup = replace(setup, rate=read.rates[rate].rate)
    return setup if ruleset is None else replace(setup, ruleset=ruleset)


def _in_hall(scene: TableSetup, setup: TableSetup) -> TableSetup:
    """A scenario says all of its own game; the configuration only where it is played."""
    return replace(scene, hall=setup.hall, table=setup.table, label=setup.label)


def recorded(text: str) -> Iterator[Input]:
    """The events of a recording, in the order and at the times it was heard."""
    driver = read_log(text).head.get("Driver", "") if has_times(text) else ""
    if driver and driver not in DRIVERS:
        raise ValueError(f"the driver {driver!r} is not known; write one of {', '.join(DRIVERS)}")
    chunks = heard(text, new_codec(driver))
    codec = new_codec(driver)
    yield LinkUp(0, codec.driver, "", codec.sensing)
    for at_ns, data in chunks:
        yield from codec.receive(data, at_ns)


def show(setup: TableSetup, inputs: Iterable[Input], everything: bool) -> None:
    """Prints what each step tells, in order."""
    table, states, out = Table(setup), StateChanges(), sys.stdout.buffer
    for at_ns, step in play(table, enumerate(inputs, 1)):
        for output in step.outputs:
            if everything or told(output):
                out.write(line(setup.hall, setup.table, output) + b"\n")
        if everything and states.changed(state := table.state(at_ns)):
            body = Output(topics.STATE, msgspec.json.encode(state), retained=True)
            out.write(line(setup.hall, setup.table, body) + b"\n")
    out.flush()
