"""Scenario files: each line means what the page says, and a wrong one is named with its mend."""

from __future__ import annotations

import json

import pytest

from arbiterd.rules.ruleset import Colour
from arbiterd.table.inputs import ClockSaid
from arbiterd.table.playback import play
from arbiterd.table.scenario import ScenarioError, read_scenario
from arbiterd.table.table import Table
from arbiterd.timing.control import Kind
from eboards.events import LinkUp, Scan, SensingClass, SquareChange

HEAD = '{"scenario":"s"}\n'


def test_what_is_left_out_has_its_default() -> None:
    scenario = read_scenario('{"scenario":"the start"}')

    assert scenario.name == "the start"
    assert scenario.setup.rate.kind is Kind.STANDARD
    assert scenario.setup.rate.supervised
    link, scan = scenario.inputs
    assert isinstance(link, LinkUp)
    assert link.sensing.kind is SensingClass.IDENTITY
    assert isinstance(scan, Scan)
    assert scan.placement.count(".") == 32


@pytest.mark.parametrize(("kind", "supervised"), [("rapid", False), ("blitz", False)])
def test_quick_play_is_unsupervised_unless_said(kind: str, supervised: bool) -> None:
    scenario = read_scenario(f'{{"scenario":"s","rate":{{"kind":"{kind}"}}}}')

    assert scenario.setup.rate.supervised is supervised


def test_moves_stand_on_the_board_before_the_first_line() -> None:
    scenario = read_scenario('{"scenario":"s","moves":["e2e4"]}')

    scan = scenario.inputs[1]
    assert isinstance(scan, Scan)
    assert scan.placement[36] == "P"
    assert scenario.setup.moves == ("e2e4",)


def test_a_scan_at_the_start_is_what_the_board_showed() -> None:
    scenario = read_scenario(HEAD + '{"t":0,"scan":"8/8/8/8/8/8/8/4K3"}')

    assert [type(item) for item in scenario.inputs] == [LinkUp, Scan]


def test_sensors_that_cannot_tell_pieces_apart_show_none() -> None:
    scenario = read_scenario('{"scenario":"s","sensing":"occupancy"}\n{"t":5,"place":"e4"}')

    scan, placed = scenario.inputs[1:]
    assert isinstance(scan, Scan)
    assert set(scan.placement) == {".", "?"}
    assert placed == SquareChange(5_000_000, 36, "?")


def test_clock_lines() -> None:
    scenario = read_scenario(
        '{"scenario":"s","press_ms":700}\n'
        '{"t":1,"press":"white","clock":{"white_ms":5,"black_ms":6}}\n'
        '{"t":2,"clock":{"white_ms":5,"black_ms":6,"running":null}}\n'
        '{"t":3,"flag":"black"}\n{"t":4,"pause":true}'
    )

    press, reading, flag, pause = scenario.inputs[2:]
    assert isinstance(press, ClockSaid)
    assert (press.press, press.white_ms, press.running_said) == (Colour.WHITE, 5, False)
    assert press.late_ns == 700_000_000
    assert isinstance(reading, ClockSaid)
    assert (reading.running_said, reading.running) == (True, None)
    assert isinstance(flag, ClockSaid)
    assert flag.flag is Colour.BLACK
    assert isinstance(pause, ClockSaid)
    assert pause.pause


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "line 1"),
        ("{", "line 1"),
        ('{"scenario":' + "[" * 100_000, "line 1.*65536 bytes"),
        ('{"scenario":' + "[" * 100, "line 1.*deeper than 8 levels"),
        (HEAD + '{"t":0,"lift":"' + "e" * 1_900 + '"}', "line 2: 'e{20}' is no square"),
        ('{"t":0}', "line 1.*scenario"),
        ('{"scenario":"s","colour":1}', "line 1.*colour"),
        ('{"scenario":"s","fen":"8/8"}', "line 1.*FEN"),
        ('{"scenario":"s","moves":["e2e5"]}', "line 1.*e2e5"),
        ('{"scenario":"s","ruleset":"ludo"}', "line 1.*ludo"),
        ('{"scenario":"s","rate":{"time":["long"]}}', "line 1.*long"),
        ('{"scenario":"s","rate":{"time":["40/90:00"]}}', "line 1.*leave its number of moves out"),
        ('{"scenario":"s","rate":{"time":["90:00","9:00"]}}', "line 1.*yet a period follows"),
        ('{"scenario":"s","settings":{"colour":1}}', "line 1.*colour"),
        ('{"scenario":"s","rate":"e3"}', "line 1.*rate: expected `object`"),
        ('{"scenario":"s","settings":[]}', "line 1.*settings: expected `object`"),
        ('{"scenario":"s","illegal":1}', "line 1.*illegal: expected `object`"),
        ('{"scenario":"s","settings":{"knock_ns":"x"}}', "line 1.*knock_ns is 'x'"),
        ('{"scenario":"s","settings":{"claims":5}}', "line 1.*claims"),
        ('{"scenario":"s","ruleset":"guadalete","settings":{"river":5}}', "line 1.*river is 5"),
        (HEAD + '{"t":0,"lift":"z9"}', "line 2.*z9"),
        (HEAD + '{"lift":"e2"}', "line 2.*'t'"),
        (HEAD + '{"t":0,"dance":"e2"}', "line 2.*'dance' is no key"),
        (HEAD + '{"t":9,"lift":"e2"}\n{"t":1,"lift":"e2"}', "line 3.*back"),
        (HEAD + '{"t":2592000001,"lift":"e2"}', "line 2.*t: expected `float` <= 2592000000"),
        (HEAD + '{"t":"soon","lift":"e2"}', "line 2.*t: expected `float`"),
        (HEAD + '{"t":0,"down":true}', "line 2.*nothing known"),
        (HEAD + '{"t":0,"place":"e4","piece":"pawn"}', "line 2.*piece: expected"),
        (HEAD + '{"t":0,"clock":{"white_ms":"1:00"}}', "line 2.*clock.white_ms: expected `int"),
        ('{"scenario":"s","clock":{"white":1}}', "line 1.*clock: .*unknown field `white`"),
        ('{"scenario":"s","illegal":{"white":-1}}', "line 1.*illegal.white: expected `int` >= 0"),
        ('{"scenario":"s","scan_ms":0}', "line 1.*scan_ms: expected `int` >= 1"),
        (HEAD + '{"t":0,"scan":"8/8"}', "line 2.*ranks"),
        (HEAD + '{"t":0,"act":{"action":"claim"}}', "line 2.*by"),
        (HEAD + '{"t":0,"press":"green"}', "line 2.*green"),
        (HEAD + '{"t":0,"clock":"gone"}', "line 2.*clock: expected `object"),
        (HEAD + '{"t":0,"hand":"P"}', "line 2.*hand: expected `object`"),
        (HEAD + '{"t":0,"scan":""}', "line 2.*ranks"),
    ],
)
def test_a_wrong_line_is_named_with_its_number(text: str, named: str) -> None:
    with pytest.raises(ScenarioError, match=named):
        read_scenario(text)


def test_half_moves_laid_before_the_first_line_can_be_taken_back_by_hand() -> None:
    """Those were never told: only what was told is withdrawn."""
    lines = [
        {"t": 1000, "lift": "f3"}, {"t": 1400, "place": "g1", "piece": "N"},
        {"t": 2000, "lift": "c6"}, {"t": 2400, "place": "b8", "piece": "n"},
        {"t": 3000, "lift": "e4"}, {"t": 3400, "place": "e2", "piece": "P"},
        {"t": 4000, "lift": "e5"}, {"t": 4400, "place": "e7", "piece": "p"},
    ]  # fmt: skip
    head = {"scenario": "s", "moves": ["e2e4", "e7e5", "g1f3", "b8c6"]}
    scenario = read_scenario("\n".join(json.dumps(line) for line in [head, *lines]))

    steps = list(play(Table(scenario.setup), enumerate(scenario.inputs, 1)))

    outputs = [json.loads(o.payload) for _, step in steps for o in step.outputs if o.seq]
    told = {body["seq"]: body["ply"] for body in outputs if body.get("uci")}
    withdrawn = [body for body in outputs if "uci" in body and body["uci"] is None]
    assert all(told[body["replaces"]] == body["ply"] for body in withdrawn)


def test_a_half_move_taken_back_leaves_the_position_that_was_laid() -> None:
    """It was the first that was told; what came before it was played, and stands."""
    lines = [
        {"t": 1000, "lift": "g1"}, {"t": 1400, "place": "f3", "piece": "N"},
        {"t": 2000, "press": "white"},
        {"t": 9000, "act": {"action": "set-move", "op": "take-back", "ply": 3, "by": "Ana"}},
    ]  # fmt: skip
    head = {"scenario": "s", "moves": ["e2e4", "e7e5"]}
    scenario = read_scenario("\n".join(json.dumps(line) for line in [head, *lines]))

    steps = list(play(Table(scenario.setup), enumerate(scenario.inputs, 1)))

    outputs = [json.loads(o.payload) for _, step in steps for o in step.outputs if o.seq]
    told = [(body["uci"], body["fen"].split()[0]) for body in outputs if "uci" in body]
    assert told == [
        ("g1f3", "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R"),
        (None, "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR"),
    ]
