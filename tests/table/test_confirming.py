"""A confirmation counts what was done; what was played since stands where it was put right."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest

from arbiterd.table.playback import play
from arbiterd.table.scenario import read_scenario
from arbiterd.table.table import Table

Line = dict[str, Any]
RAPID = {"kind": "rapid", "supervised": True, "time": ["15:00+10"]}
STANDARD = {"kind": "standard", "supervised": True, "time": ["90:00+30"]}

ILLEGAL = [
    {"t": 1000, "lift": "g1"},
    {"t": 1500, "place": "g3", "piece": "N"},
    {"t": 2000, "press": "white"},
]
PUT_BACK = [
    {"t": 8000, "lift": "g3"},
    {"t": 8500, "place": "g1", "piece": "N"},
    {"t": 9000, "lift": "g1"},
    {"t": 9500, "place": "f3", "piece": "N"},
    {"t": 10_000, "press": "white"},
]
PLAYED_ON = [
    {"t": 12_000, "lift": "b8"},
    {"t": 12_500, "place": "c6", "piece": "n"},
    {"t": 13_000, "press": "black"},
    {"t": 15_000, "lift": "d2"},
    {"t": 15_500, "place": "d4", "piece": "P"},
    {"t": 16_000, "press": "white"},
]


def confirm(t: int, kind: str = "illegal-first", **more: Any) -> Line:
    return {"t": t, "act": {"action": "confirm", "ruling": kind, "by": "Ana", **more}}


class Told:
    """A situation played through, with what was said."""

    def __init__(self, *lines: Iterable[Line], rate: Line = STANDARD) -> None:
        minutes = int(rate["time"][0].split(":")[0])
        at_start = {"white_ms": 60_000 * minutes, "black_ms": 60_000 * minutes}
        head = {"scenario": "s", "rate": rate, "clock": at_start | {"running": "white"}}
        text = "\n".join(json.dumps(line) for line in [head, *(x for some in lines for x in some)])
        scenario = read_scenario(text)
        self.table = Table(scenario.setup)
        self.said: list[Line] = []
        for _, step in play(self.table, enumerate(scenario.inputs, 1)):
            for output in step.outputs:
                if output.payload:
                    self.said.append(json.loads(output.payload) | {"topic": output.topic})

    @property
    def withdrawn(self) -> list[int]:
        return [
            one["ply"]
            for one in self.said
            if one["topic"] == "moves" and one["uci"] is None and not one.get("irregular")
        ]

    @property
    def replies(self) -> list[Line]:
        return [one for one in self.said if one["topic"] == "reply"]

    def rulings(self, state: str) -> list[str]:
        return [
            one["kind"] for one in self.said if one["topic"] == "rulings" and one["state"] == state
        ]


@pytest.mark.parametrize("rate", [RAPID, STANDARD])
def test_confirmed_after_it_was_put_right_no_half_move_is_touched(rate: Line) -> None:
    """Once every half-move since was withdrawn."""
    told = Told(ILLEGAL, PUT_BACK, PLAYED_ON, [confirm(30_000)], rate=rate)

    assert told.replies[0]["ok"]
    assert told.table.moves == ("g1f3", "b8c6", "d2d4")
    assert told.withdrawn == []
    assert told.rulings("confirmed") == ["illegal-first"]
    order = told.table.view.docket.file.order
    assert order is not None
    assert order.fen is None, "the board is not watched"
    assert told.table.state(0).status == "playing", "and nothing is paused"


def test_it_counts_all_the_same() -> None:
    again = [
        {"t": 40_000, "lift": "g8"}, {"t": 40_500, "place": "f6", "piece": "n"},
        {"t": 41_000, "press": "black"},
        {"t": 42_000, "lift": "b1"}, {"t": 42_500, "place": "b3", "piece": "N"},
        {"t": 43_000, "press": "white"},
    ]  # fmt: skip
    told = Told(ILLEGAL, PUT_BACK, PLAYED_ON, [confirm(30_000)], again)

    assert "illegal-second" in told.rulings("open")


def test_confirmed_while_it_stands_the_board_is_to_be_put_right() -> None:
    told = Told(ILLEGAL, [confirm(5000)])

    order = told.table.view.docket.file.order
    assert order is not None
    assert order.fen is not None
    assert told.table.state(0).status == "paused"


def test_confirmed_after_a_reply_to_it_the_half_moves_are_withdrawn_last_first() -> None:
    reply = [
        {"t": 4000, "lift": "b8"},
        {"t": 4500, "place": "c6", "piece": "n"},
        {"t": 5000, "press": "black"},
    ]
    told = Told(ILLEGAL, reply, [confirm(8000, "illegal-found-later")])

    assert told.withdrawn == [2, 1]
    assert told.table.moves == ()


def test_in_a_finished_game_a_confirmation_counts_and_touches_nothing() -> None:
    over = {"t": 20_000, "act": {"action": "set-result", "result": "1/2-1/2", "by": "Ana",
                                 "reason": "arbiter"}}  # fmt: skip
    reply = [
        {"t": 4000, "lift": "b8"},
        {"t": 4500, "place": "c6", "piece": "n"},
        {"t": 5000, "press": "black"},
    ]
    told = Told(ILLEGAL, reply, [over, confirm(30_000, "illegal-found-after-end")])

    assert told.replies[-1]["ok"], told.replies
    assert told.withdrawn == []
    assert (told.table.state(0).status, told.table.state(0).result) == ("ended", "1/2-1/2")


@pytest.mark.parametrize(
    "play_goes_on",
    [
        {"t": 9000, "clock": {"white_ms": 890_000, "black_ms": 1_020_000, "running": "white"}},
        {"t": 9000, "press": "black"},
    ],
)
def test_a_pause_that_a_confirmation_began_ends_with_play(play_goes_on: Line) -> None:
    told = Told(ILLEGAL, [confirm(5000)], [{"t": 6000, "pause": True}])
    assert told.table.state(0).status == "paused"

    told = Told(ILLEGAL, [confirm(5000)], [{"t": 6000, "pause": True}, play_goes_on])

    assert told.table.state(0).status == "playing"


def test_a_pause_of_the_arbiter_s_own_lasts_while_the_clock_still_runs() -> None:
    stop = {"t": 3000, "act": {"action": "pause", "by": "Ana"}}
    runs = {"t": 4000, "clock": {"white_ms": 890_000, "black_ms": 899_000, "running": "black"}}
    stands = {"t": 5000, "pause": True}
    again = {"t": 9000, "clock": {"white_ms": 890_000, "black_ms": 898_000, "running": "black"}}

    assert Told([stop, runs]).table.state(0).status == "paused"
    assert Told([stop, runs, stands, again]).table.state(0).status == "playing"


def test_the_second_arbiter_hears_who_decided_what() -> None:
    told = Told(ILLEGAL, [confirm(5000), confirm(6000) | {"t": 6000}])

    assert [reply["ok"] for reply in told.replies] == [True, False]
    assert "Ana confirmed it at 00:00:05 UTC" in told.replies[1]["error"]


def test_somebody_is_coming_and_all_see_it() -> None:
    come = {"t": 5000, "act": {"action": "coming", "ruling": "illegal-first", "by": "Bo"}}
    told = Told(ILLEGAL, [come])

    assert told.replies[0]["ok"]
    newest = [one for one in told.said if one["topic"] == "rulings"][-1]
    assert newest["coming"] == {"by": "Bo", "at": "1970-01-01T00:00:05.000Z"}
    assert newest["state"] == "open"


def test_what_is_shelved_calls_nobody_until_its_time_is_over() -> None:
    shelve = {"action": "shelve", "ruling": "illegal-first", "by": "Bo"}
    told = Told(ILLEGAL, [{"t": 5000, "act": shelve | {"minutes": 6}}])
    assert "1 to 5 minutes" in told.replies[0]["error"]

    told = Told(ILLEGAL, [{"t": 5000, "act": shelve | {"minutes": 1}}])
    shelved = [one for one in told.said if one["topic"] == "rulings"]
    # The minute ran out in the tail of the situation.
    assert shelved[-2]["shelved_until"] == "1970-01-01T00:01:05.000Z"
    assert "shelved_until" not in shelved[-1]
    assert told.table.state(0).attention

    told = Told(ILLEGAL, [{"t": 5000, "act": shelve | {"minutes": 5}}])
    assert not told.table.state(0).attention


def test_a_result_given_closes_what_asks_for_one() -> None:
    flag = {"t": 5000, "flag": "black"}
    given = {"t": 9000, "act": {"action": "set-result", "result": "1/2-1/2", "by": "Ana"}}
    told = Told(ILLEGAL[:2], [flag, given])

    assert told.table.state(0).result == "1/2-1/2"
    assert not [
        ruling for ruling in told.table.view.docket.open if ruling.proposal.result is not None
    ]


def test_a_half_move_taken_back_takes_its_ruling_with_it() -> None:
    reply = [
        {"t": 4000, "lift": "b8"},
        {"t": 4500, "place": "c6", "piece": "n"},
        {"t": 5000, "press": "black"},
    ]
    back = {"t": 8000, "act": {"action": "set-move", "op": "take-back", "ply": 1, "by": "Ana"}}
    told = Told(ILLEGAL, reply, [back])

    assert told.table.moves == ()
    assert "illegal-found-later" in told.rulings("superseded")


BEFORE = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
AFTER_1 = "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1"
AFTER_2 = "r1bqkbnr/pppppppp/2n5/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 2 2"
TWO_PLIES = [*PUT_BACK[2:], *PLAYED_ON[:3]]
JUMPED = [
    {"t": 20_000, "lift": "h1"},
    {"t": 20_500, "place": "h4", "piece": "R"},
    {"t": 21_000, "press": "white"},
]


@pytest.mark.parametrize(
    ("restore", "withdrawn"), [(BEFORE, [2, 1]), (AFTER_1, [2]), (AFTER_2, [])]
)
def test_an_arbiter_can_go_back_to_any_position_of_the_record(
    restore: str, withdrawn: list[int]
) -> None:
    """From the start of the game to the half-move before the illegal one (7.5.1)."""
    act = confirm(30_000, changes={"restore": restore})
    told = Told(TWO_PLIES, JUMPED, [act])

    assert told.replies[0]["ok"] is True
    assert told.withdrawn == withdrawn
