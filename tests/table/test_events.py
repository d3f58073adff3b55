"""What leaves a table: numbered without gaps, as the contract has it, and the same every time."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import jsonschema
import msgspec
import pytest

from arbiterd.messages.schema import CHANNELS, schema
from arbiterd.messages.step import Output
from arbiterd.table.inputs import Input
from arbiterd.table.playback import play
from arbiterd.table.setup import TableSetup
from arbiterd.table.table import Table

from .hands import OPERA, numbered, played

LIVE = "arbiterd/{hall}/tables/{table}/"
SCHEMAS = {
    address.removeprefix(LIVE).split("/")[0]: schema(payload)
    for _, address, payload, _ in CHANNELS
    if address.startswith(LIVE)
}
"""By the first step of a topic below its table."""


def outputs(inputs: Iterable[Input], setup: TableSetup | None = None) -> list[Output]:
    table = Table(setup or TableSetup())
    return [output for _, step in play(table, numbered(inputs)) for output in step.outputs]


def events(inputs: Iterable[Input], setup: TableSetup | None = None) -> list[dict[str, Any]]:
    return [json.loads(o.payload) | {"topic": o.topic} for o in outputs(inputs, setup) if o.seq]


def test_a_famous_game_is_told_move_by_move_and_ends_in_mate() -> None:
    told = events(played(OPERA))

    moves = [event["san"] for event in told if event["topic"] == "moves"]
    assert moves == OPERA
    assert [e["result"] for e in told if e["topic"] == "result"] == ["1-0"]
    assert [e["kind"] for e in told if e["topic"] == "rulings"] == ["end-checkmate"]


def test_numbers_have_no_gaps_and_each_topic_names_the_one_before() -> None:
    told = events(played(OPERA))

    assert [event["seq"] for event in told] == list(range(1, len(told) + 1))
    newest: dict[str, int] = {}
    for event in told:
        assert event["prev"] == newest.get(event["topic"])
        newest[event["topic"]] = event["seq"]


def test_every_payload_is_as_its_schema_says() -> None:
    for output in outputs(played(OPERA)):
        if not output.payload or output.topic == "log":
            continue
        name = output.topic.split("/")[0]
        assert name in SCHEMAS, f"give {name} its line in CHANNELS of messages/schema.py"
        jsonschema.validate(json.loads(output.payload), SCHEMAS[name])


def test_a_state_is_as_its_schema_says_and_follows_the_last_event() -> None:
    table = Table(TableSetup(white="Morphy", black="Allies", round=1))
    for number, item in numbered(played(OPERA[:9])):
        table.take(number, item)
    state = json.loads(msgspec.json.encode(table.state(table.at_ns)))

    jsonschema.validate(state, SCHEMAS["state"])
    assert state["last_move"] == "d1f3"
    assert state["turn"] == "black"
    assert state["placement"] == state["fen"].split()[0]
    assert state["status"] == "playing"


def test_a_move_carries_the_clock_of_its_press() -> None:
    first, second = [e for e in events(played(OPERA[:2])) if e["topic"] == "moves"]

    assert first["how"] == "pressed"
    assert first["completed_at"] == "1970-01-01T00:00:01.800Z"
    assert first["clock"] == {
        "white_ms": 598_000, "black_ms": 600_000, "running": "black", "flag": None
    }  # fmt: skip
    assert second["clock"]["black_ms"] == 598_000


def test_without_a_clock_moves_settle_and_have_none() -> None:
    told = [e for e in events(played(OPERA[:4], press=False)) if e["topic"] == "moves"]

    assert [event["san"] for event in told] == OPERA[:4]
    assert {event["clock"] for event in told} == {None}
    assert {event["how"] for event in told} <= {"settled", "replied"}


@pytest.mark.parametrize("cut", range(1, 70, 6))
def test_folding_from_a_checkpoint_is_folding_from_the_start(cut: int) -> None:
    inputs = numbered(played(OPERA))
    whole = [step for _, step in play(Table(TableSetup()), inputs)]

    table = Table(TableSetup())
    steps = [table.take(number, item) for number, item in inputs[:cut]]
    again = Table.restored(table.checkpoint())
    steps += [step for _, step in play(again, inputs[cut:])]

    assert steps == whole


def test_when_the_timer_woke_makes_no_difference() -> None:
    """Called at every due time, or only when the next input comes: the same bytes."""
    inputs = numbered(played(OPERA[:12], press=False))
    late = [output for _, step in play(Table(TableSetup()), inputs) for output in step.outputs]

    table, punctual = Table(TableSetup()), []
    for number, item in inputs:
        while table.due_at_ns is not None and table.due_at_ns < item.at_ns:
            punctual += table.due(table.due_at_ns).outputs
        punctual += table.take(number, item).outputs
    while table.due_at_ns is not None and table.due_at_ns < table.at_ns + 60_000_000_000:
        punctual += table.due(table.due_at_ns).outputs

    assert punctual == late
