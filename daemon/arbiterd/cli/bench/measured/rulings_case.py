"""One case of the rulings benchmark as a story: what hands did, what was heard, what was said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import merge
from operator import itemgetter
from typing import Any, Final, TypeAlias

import msgspec

from arbiterd.laws.act import Act
from arbiterd.messages.step import Output
from arbiterd.simulation.benchmarks.recall import answers, at_the_table, verdict
from arbiterd.simulation.benchmarks.seeding import SeededGame
from arbiterd.simulation.benchmarks.tracking import line, use
from arbiterd.simulation.game import StagedGame
from arbiterd.simulation.world import LeverPress, Put, Run, SetTime, Stop, Story
from arbiterd.table.inputs import Input
from eboards.events import EMPTY, ClockReading, Geometry, LinkDown, LinkUp, Scan, SquareChange

TOLD: Final = frozenset({"moves", "rulings", "log", "result"})
"""The topics of which every message is shown."""

Lines: TypeAlias = Iterator[tuple[int, str]]
"""A time and what happened at it."""


def printed(games: list[StagedGame], text: str) -> Iterator[str]:
    """The lines of this case, in the order of time, and the verdict at their end.

    Raises:
        ValueError: the seed is none that the benchmark prints, or there is no such game.
    """
    assigned = SeededGame.read(text)
    if assigned.game >= len(games):
        raise ValueError(f"there is no game {assigned.game}: {len(games)} are given with --pgn")
    use(games)
    played = line(assigned.game)
    story, inputs = at_the_table(played, assigned.day, text)
    lines = merge(
        _done(story, played.rules.geometry),
        _meant(story),
        _heard(inputs, played.rules.geometry),
        _said(answers(inputs, assigned.day, played.game)),
        key=itemgetter(0),
    )
    for at_ns, words in lines:
        yield f"{at_ns / 1e9:10.2f}  {words}"
    found = verdict(played, assigned.day, text)
    for owed in found.owed:
        how = "found" if owed.found else f"MISSED, said instead: {', '.join(owed.instead)}"
        yield f"{owed.name} at half-move {owed.ply}: {how}"
    for call in found.vain:
        yield f"in vain: {call.kind} at half-move {call.ply}, {call.at_ns / 1e9:.2f}"


def _done(story: Story, geometry: Geometry) -> Lines:
    """What hands did."""
    for deed in story.deeds:
        match deed:
            case Put(at_ns, square, piece):
                yield at_ns, f"hand    {_shown(geometry, square, piece)}"
            case LeverPress(at_ns, side):
                yield at_ns, f"hand    press {side.value}"
            case Stop(at_ns):
                yield at_ns, "hand    both clocks stopped"
            case Run(at_ns, side):
                yield at_ns, f"hand    clock of {side.value} runs"
            case SetTime(at_ns, side, delta_ms):
                yield at_ns, f"hand    {side.value} {delta_ms:+} ms"


def _meant(story: Story) -> Lines:
    """What it was: half-moves and episodes."""
    plies = ((ply.begun_ns, f"TRUTH   half-move {ply.ply} {ply.move}") for ply in story.truth.plies)
    happened = (
        (one.at_ns, f"TRUTH   {one.name} at half-move {one.ply} until {one.until_ns / 1e9:.2f}")
        for one in story.truth.happened
    )
    losses = (
        (out.from_ns, f"TRUTH   {out.loss} lost until {out.to_ns / 1e9:.2f}")
        for out in story.outages
    )
    return merge(plies, sorted(happened), losses, key=itemgetter(0))


def _heard(inputs: Iterable[Input], geometry: Geometry) -> Lines:
    """What of it arrived. Of the clock what is new but its times."""
    clock: tuple[Any, ...] = ()
    for item in inputs:
        match item:
            case SquareChange(at_ns, square, piece):
                yield at_ns, f"board   {_shown(geometry, square, piece)}"
            case Scan(at_ns):
                yield at_ns, "board   whole"
            case LinkUp() | LinkDown():
                yield item.at_ns, f"board   {type(item).__name__}"
            case ClockReading(running=running, lever=lever) if (running, lever) != clock:
                clock = running, lever
                times = f"{item.left_ms // 1000} s, {item.right_ms // 1000} s"
                yield item.at_ns, f"clock   {times}, runs {running}, lever {lever}"
            case Act():
                yield item.at_ns, f"act     {item.action} {item.ruling}"


def _said(told: Iterable[tuple[int, Output]]) -> Lines:
    """What the table made of it."""
    for at_ns, output in told:
        if output.topic in TOLD and output.payload:
            body: dict[str, Any] = msgspec.json.decode(output.payload)
            yield at_ns, f"{output.topic:8}{_summed(output, body)}"


def _summed(output: Output, body: dict[str, Any]) -> str:
    ply = f"half-move {body.get('ply')}"
    match output.topic:
        case "moves":
            return f"{ply} {body.get('uci')} {body.get('state')}"
        case "rulings" | "log":
            state = (
                f"{body.get('state')}, revision {body.get('revision')}, urgency {output.urgency}"
            )
            return f"{ply} {body['kind']} ({state}) {_facts(body.get('facts', {}))}"
        case _:
            return str(body)


def _facts(facts: dict[str, Any]) -> str:
    return " ".join(f"{name}={value}" for name, value in facts.items())


def _shown(geometry: Geometry, square: int, piece: str) -> str:
    return f"{geometry.names[square]} {'-' if piece == EMPTY else piece}"
