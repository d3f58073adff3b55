"""White's Bb5 is not heard of, and is pressed for. Nobody did anything wrong."""

from __future__ import annotations

import json
from typing import Any

import pytest

from arbiterd.table.playback import play
from arbiterd.table.scenario import read_scenario
from arbiterd.table.table import Table

RATES = {
    "standard": ("90:00+30", 30_000),
    "rapid": ("15:00+10", 10_000),
}
LOST, REPLY, LATER = "f1b5", "a7a6", ("b5a4", "g8f6")
OPENING = ["e2e4", "e7e5", "g1f3", "b8c6"]
SHOWS_BOTH = "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R"
SHOWS_LIFT = "r1bqkbnr/1ppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R"
SHOWS_NOTHING = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R"
SHOWS_ONLY_THE_REPLY = "r1bqkbnr/1ppp1ppp/p1n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R"

LIFTED, PLACED, PRESSED = (
    {"t": 13_800, "lift": "a7"},
    {"t": 14_400, "place": "a6", "piece": "p"},
    {"t": 16_500, "press": "black"},
)
WHEN = {
    "after the lift": [LIFTED, {"t": 14_000, "scan": SHOWS_LIFT}, PLACED, PRESSED],
    "after the reply": [LIFTED, PLACED, {"t": 15_000, "scan": SHOWS_BOTH}, PRESSED],
    "after its press": [LIFTED, PLACED, PRESSED, {"t": 17_000, "scan": SHOWS_BOTH}],
    "never": [LIFTED, PLACED, PRESSED],
}
THEN = [
    {"t": 22_000, "lift": "b5"},
    {"t": 22_600, "place": "a4", "piece": "B"},
    {"t": 23_500, "press": "white"},
    {"t": 28_000, "lift": "g8"},
    {"t": 28_600, "place": "f6", "piece": "n"},
    {"t": 29_500, "press": "black"},
]


def told(rate: str, lines: list[dict[str, Any]], **head: object) -> tuple[Table, list[Any]]:
    """The table at the end, and every ruling as it was told."""
    time, credit_ms = RATES[rate]
    left = {"white": 600_000, "black": 600_000}
    scene = {
        "scenario": "a lost message",
        "rate": {"kind": rate, "time": [time]},
        "moves": OPENING,
        "clock": {"white_ms": 600_000, "black_ms": 600_000, "running": "white"},
        "scan_ms": 250,
        "press_ms": 1000,
        **head,
    }
    written, before = [scene], 0
    for line in [{"t": 12_000, "press": "white"}, *lines]:
        if "press" in line:
            left[line["press"]] += credit_ms - (line["t"] - before)
            before = line["t"]
            line = {**line, "clock": {f"{side}_ms": ms for side, ms in left.items()}}
        written.append(line)
    scenario = read_scenario("\n".join(json.dumps(line) for line in written))
    table, rulings = Table(scenario.setup), []
    for _, step in play(table, enumerate(scenario.inputs, 1)):
        for output in step.outputs:
            if output.topic == "rulings":
                rulings.append(json.loads(output.payload))
    return table, rulings


def facts(rulings: list[Any]) -> list[str]:
    """What calls an arbiter to a player as a fact."""
    urgent = [r for r in rulings if r["urgency"] < 3 and r["against"] and r["state"] == "open"]
    return [r["kind"] for r in urgent if r["certainty"] == "fact"]


@pytest.mark.parametrize("when", WHEN)
@pytest.mark.parametrize("pictures", [False, True], ids=["plain", "asked for pictures"])
@pytest.mark.parametrize("rate", RATES)
def test_the_reply_makes_no_fact_of_it_and_what_follows_ends_it(
    rate: str, pictures: bool, when: str
) -> None:
    table, rulings = told(rate, [*WHEN[when], *THEN], pictures=pictures)

    assert facts(rulings) == []
    assert table.moves == (*OPENING, LOST, REPLY, *LATER)
    assert [r.kind for r in table.view.docket.open if r.urgency < 3] == []
    if pictures:
        sure = [r["kind"] for r in rulings if r["facts"]["certainty"] == "fact" and r["against"]]
        assert sure == []


@pytest.mark.parametrize("rate", RATES)
def test_a_picture_that_comes_in_time_leaves_nothing_to_say(rate: str) -> None:
    _, rulings = told(rate, [*WHEN["after the reply"], *THEN], pictures=True)
    assert [r["kind"] for r in rulings if r["against"]] == []


@pytest.mark.parametrize("rate", RATES)
def test_where_nothing_follows_the_entry_is_marked(rate: str) -> None:
    table, rulings = told(rate, WHEN["never"], pictures=True)
    entry = table.view.tracker.record.plies[4]
    assert (entry.move, entry.sureness.value) == ("", "likely")
    assert table.moves == (*OPENING, "", REPLY)
    assert facts(rulings) == []


@pytest.mark.parametrize("rate", RATES)
def test_a_picture_that_shows_nothing_makes_it_a_fact(rate: str) -> None:
    """Both pictures came: White has pressed without a move, and Black has replied."""
    shown = [
        {"t": 12_100, "scan": SHOWS_NOTHING},
        *WHEN["never"],
        {"t": 17_000, "scan": SHOWS_ONLY_THE_REPLY},
    ]
    table, rulings = told(rate, shown, pictures=True)
    assert rulings[0]["kind"] == "press-no-move"
    assert rulings[0]["facts"]["certainty"] == "fact"
    assert table.view.tracker.record.plies[4].sureness.value == "certain"
    if rate == "standard":
        assert facts(rulings) == ["illegal-found-later"]


@pytest.mark.parametrize("rate", RATES)
def test_a_late_picture_that_shows_the_same_makes_the_entry_certain(rate: str) -> None:
    late = [*WHEN["never"], {"t": 21_000, "scan": SHOWS_ONLY_THE_REPLY}]
    table, rulings = told(rate, late, pictures=True)
    assert table.view.tracker.record.plies[4].sureness.value == "certain"
    assert facts(rulings) == []


@pytest.mark.parametrize("rate", RATES)
def test_a_bare_press_is_a_fact_once_a_late_picture_shows_it(rate: str) -> None:
    _, rulings = told(rate, [{"t": 21_000, "scan": SHOWS_NOTHING}], pictures=True)
    said = [(r["kind"], r["facts"]["certainty"], r["revision"]) for r in rulings]
    assert said == [("press-no-move", "probable", 1), ("press-no-move", "fact", 2)]
