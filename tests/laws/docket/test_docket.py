"""The docket: one situation one ruling, windows, and nothing before an arbiter confirms."""

from __future__ import annotations

import json
from typing import Any, get_args, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbiterd.cli.laws.situations import Situation, packaged, read_situations
from arbiterd.laws.decisions import Decision
from arbiterd.laws.docket.docket import Docket
from arbiterd.laws.ruling import ACTIONS
from arbiterd.messages.payloads import ResultName, RulingProposal
from arbiterd.rules.ruleset import GameEnd
from arbiterd.table.playback import play
from arbiterd.table.scenario import read_scenario
from arbiterd.table.table import Table

ALL = list(packaged())

ILLEGAL = """game chess, standard 90:00+30
play e4 e5
lift b1   after 2s
place b3  after 1s
press     after 1s
"""


def situation(text: str) -> Situation:
    (one,) = read_situations("x", text)
    return one


HEARD: dict[str, list[tuple[str, bytes]]] = {}
"""What a situation led to, by its scenario: each is played once for all tests that only look."""


def outputs(one: Situation) -> list[tuple[str, bytes]]:
    text = one.scenario()
    if text not in HEARD:
        HEARD[text] = played(one)
    return HEARD[text]


def played(one: Situation) -> list[tuple[str, bytes]]:
    scenario = read_scenario(one.scenario())
    steps = play(Table(scenario.setup), enumerate(scenario.inputs, 1))
    return [(output.topic, output.payload) for _, step in steps for output in step.outputs]


def results(told: list[tuple[str, bytes]]) -> list[Any]:
    return [json.loads(body)["result"] for topic, body in told if topic == "result"]


def rulings(told: list[tuple[str, bytes]]) -> list[dict[str, Any]]:
    return [json.loads(body) for topic, body in told if topic == "rulings"]


@pytest.mark.parametrize("one", ALL, ids=lambda one: f"{one.name}-{one.number}")
def test_the_same_inputs_give_the_same_bytes(one: Situation) -> None:
    assert outputs(one) == played(one)


@pytest.mark.parametrize("one", ALL, ids=lambda one: f"{one.name}-{one.number}")
def test_one_cause_has_one_open_ruling_and_every_change_is_a_revision(one: Situation) -> None:
    open_now: dict[str, dict[str, Any]] = {}
    for ruling in rulings(outputs(one)):
        before = open_now.get(ruling["id"])
        assert ruling["revision"] == (before["revision"] + 1 if before else 1)
        open_now[ruling["id"]] = ruling
    still = [ruling for ruling in open_now.values() if ruling["state"] == "open"]
    spoken = [(ruling["kind"], ruling["ply"], ruling["against"]) for ruling in still]
    assert len(spoken) == len(set(spoken))


@pytest.mark.parametrize(
    "one",
    [one for one in ALL if not any("act" in line for line in one.lines)],
    ids=lambda one: f"{one.name}-{one.number}",
)
def test_no_result_without_an_arbiter_but_true_ends(one: Situation) -> None:
    told = [json.loads(body) for topic, body in outputs(one) if topic == "result"]
    assert all(result["certainty"] == "fact" for result in told)
    assert {result["reason"] for result in told} <= {end.value for end in GameEnd}


NUMBERS = ("seq", "prev", "replaces")


class Silent(Docket):
    """Hears everything and says nothing."""

    def hear(self, *_: object) -> list[Decision]:
        return []


@pytest.mark.parametrize(
    "one",
    [one for one in ALL if not any("act" in line for line in one.lines)],
    ids=lambda one: f"{one.name}-{one.number}",
)
def test_no_ruling_changes_a_recorded_move_without_an_arbiter(one: Situation) -> None:
    """The record is the same where the Laws say nothing; an end of the game closes it (5.1)."""
    if results(outputs(one)):
        return
    scenario = read_scenario(one.scenario())
    table = Table(scenario.setup)
    table.view.docket = Silent(illegal=scenario.setup.illegal)
    unruled = [
        (output.topic, output.payload)
        for _, step in play(table, enumerate(scenario.inputs, 1))
        for output in step.outputs
    ]
    assert recorded(outputs(one)) == recorded(unruled)


def recorded(told: list[tuple[str, bytes]]) -> list[dict[str, Any]]:
    """The moves as they were told; the numbers of messages count the rulings too."""
    moves = [json.loads(body) for topic, body in told if topic == "moves"]
    return [{key: move[key] for key in move if key not in NUMBERS} for move in moves]


@pytest.mark.parametrize("word", ["confirm", "dismiss"])
def test_consequences_follow_only_a_yes(word: str) -> None:
    second = ILLEGAL.replace("play", "illegal white 1\nplay") + f"{word} illegal-second after 2s\n"
    told = outputs(situation(second))
    assert results(told) == (["0-1"] if word == "confirm" else [])


def test_a_dismissed_ruling_is_not_raised_again() -> None:
    text = """game chess, standard 90:00+30
play e4 e5 Nf3 Nc6
lift f1   after 4s
place f1  after 2s
move d4
dismiss touch-own-then-other after 9s
press     after 2s
"""
    states = [(r["kind"], r["state"]) for r in rulings(outputs(situation(text)))]
    assert states == [("touch-own-then-other", "open"), ("touch-own-then-other", "dismissed")]


def test_the_arbiter_may_change_what_is_proposed() -> None:
    text = (
        ILLEGAL
        + 'confirm illegal-first {"clock_delta_ms":{"black":60000},"count":false} after 2s\n'
    )
    last = rulings(outputs(situation(text)))[-1]
    assert last["state"] == "confirmed"
    assert last["proposal"]["clock_delta_ms"] == {"black": 60000}
    assert last["ack"]["by"] == "arbiter"


@pytest.mark.parametrize("name", get_args(ResultName))
def test_every_result_of_the_contract_can_be_wanted_in_place_of_the_proposed_one(name: str) -> None:
    told = outputs(situation(ILLEGAL + f'confirm illegal-first {{"result":"{name}"}} after 2s\n'))
    assert results(told) == [name]


def test_what_can_be_proposed_is_what_payloads_have() -> None:
    (said,) = get_args(get_type_hints(RulingProposal)["actions"])
    assert get_args(said) == ACTIONS


@pytest.mark.parametrize(
    "changes",
    [
        '{"clocks":1}',
        '{"result":7}',
        '{"result":"1-1"}',
        '{"clock_delta_ms":"more"}',
        '{"clock_delta_ms":{"white":null}}',
        '{"clock_delta_ms":{"white":[1]}}',
        '{"clock_delta_ms":{"white":true}}',
        '{"clock_delta_ms":{"white":1.5}}',
        '{"clock_delta_ms":{"white":"60000"}}',
        '{"clock_delta_ms":{"white":360000000}}',
        '{"clock_delta_ms":{"white":-360000000}}',
        '{"clock_delta_ms":{"green":60000}}',
        '{"actions":"pause"}',
        '{"actions":["pause","explode"]}',
        '{"actions":[null]}',
    ],
)
def test_a_change_that_makes_no_sense_is_refused_and_nothing_happens(changes: str) -> None:
    told = outputs(situation(ILLEGAL + f"confirm illegal-first {changes} after 2s\n"))
    assert [ruling["state"] for ruling in rulings(told)] == ["open"]
    (reply,) = [json.loads(body) for topic, body in told if topic.startswith("reply")]
    assert not reply["ok"]
    assert "use clock_delta_ms" in reply["error"]


@settings(max_examples=25)
@given(st.sampled_from(ALL), st.data())
def test_put_down_anywhere_and_taken_up_it_tells_the_same(one: Situation, data: Any) -> None:
    """A checkpoint after any input, through bytes, changes nothing."""
    scenario = read_scenario(one.scenario())
    cut = data.draw(st.integers(0, len(scenario.inputs)))
    table = Table(scenario.setup)
    told = []
    for number, item in enumerate(scenario.inputs, 1):
        told += table.take(number, item).outputs
        if number == cut:
            table.view.docket = Docket.restored(table.view.docket.checkpoint())
    whole = Table(scenario.setup)
    assert told == [
        output
        for number, item in enumerate(scenario.inputs, 1)
        for output in whole.take(number, item).outputs
    ]
