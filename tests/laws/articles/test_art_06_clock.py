"""Section 8: presses, pauses, settings and defects of the clock."""

from __future__ import annotations

import json
from typing import Any

import pytest

from arbiterd.cli.replay import recorded
from arbiterd.laws.act import Act
from arbiterd.rules.ruleset import Colour
from arbiterd.table.inputs import Input
from arbiterd.table.playback import play
from arbiterd.table.scenario import read_scenario
from arbiterd.table.setup import TableSetup
from arbiterd.table.table import Table
from arbiterd.timing.control import Kind, Rate, read_periods
from eboards.events import ClockGone, ClockReading, Side
from kept_beside import RECORDED_GAME, kept_beside
from laws.talk import (
    BLITZ,
    BLITZ_WATCHED,
    CONTROL,
    OPENING,
    RAPID,
    STANDARD,
    Line,
    Said,
    act,
    claim,
    clock,
    moved,
    said,
)


def game(*lines: Line, rate: dict[str, Any] = STANDARD, **head: Any) -> Said:
    settled = {"moves": OPENING, "clock": clock(600_000, 600_000), "rate": rate}
    return said(*lines, **{**settled, **head})


PRESS = {"t": 5000, "press": "white"}


# Presses (7.5.3, 6.2.4).


@pytest.mark.parametrize(
    ("rate", "gains", "window"),
    [
        (STANDARD, {"white": -30_000, "black": 120_000}, "never"),
        (RAPID, {"white": -10_000, "black": 60_000}, "opponent-moves"),
        (BLITZ, {"white": -2_000, "black": 60_000}, "opponent-moves"),
        (BLITZ_WATCHED, {"white": -2_000, "black": 60_000}, "never"),
    ],
    ids=["standard", "A.5", "B.3", "B.2"],
)
def test_a_press_without_a_move_is_treated_as_an_illegal_one(
    rate: dict[str, Any], gains: dict[str, int], window: str
) -> None:
    heard = game(PRESS, rate=rate)
    ruling = heard.last("press-no-move")

    assert heard.opened() == ["press-no-move"]
    assert (ruling["certainty"], ruling["facts"]["certainty"]) == ("probable", "fact")
    assert (ruling["urgency"], ruling["against"], ruling["articles"][0]) == (1, "white", "7.5.3")
    assert ruling["proposal"]["clock_delta_ms"] == gains
    assert ruling["window"]["closes_on"] == window


def test_the_second_one_loses_unless_the_opponent_cannot_mate() -> None:
    lost = game(PRESS, illegal={"white": 1, "black": 0}).last("press-no-move")
    drawn = said(
        PRESS,
        fen="8/8/8/4k3/8/3Q4/8/4K3 w - - 0 1",
        illegal={"white": 1, "black": 0},
        clock=clock(600_000, 600_000),
    ).last("press-no-move")

    assert lost["proposal"]["result"] == "0-1"
    assert drawn["proposal"]["result"] == "1/2-1/2"


def test_a_press_without_a_move_is_told_right_after_a_reply_that_came_early() -> None:
    """The reply stood before the half-move, which the board never showed by itself. Both were
    pressed for: the next press is no late one of theirs."""
    heard = game(
        {"t": 1000, "lift": "g1"},
        {"t": 1300, "lift": "b8"},
        {"t": 1600, "place": "c6", "piece": "n"},
        {"t": 1700, "place": "f3", "piece": "N"},
        {"t": 2300, "press": "white"},
        {"t": 2700, "press": "black"},
        {"t": 4600, "press": "white"},
    )
    assert heard.opened() == ["press-no-move"]
    assert heard.last("press-no-move")["against"] == "white"


def test_a_piece_lifted_and_put_back_is_no_move() -> None:
    heard = game(
        {"t": 1000, "lift": "g1"},
        {"t": 2500, "place": "g1", "piece": "N"},
        {"t": 5000, "press": "white"},
    )
    assert heard.opened(8) == ["press-no-move"]


@pytest.mark.parametrize(
    "lines",
    [
        moved(1000, "g1", "f3", "N", "white"),
        [
            *moved(1000, "g1", "f3", "N"),
            *moved(3000, "b8", "c6", "n"),
            PRESS,
            {"t": 5400, "press": "black"},
        ],
        [
            {"t": 1000, "pause": True},
            act(2000, action="dismiss", ruling="clock-paused-by-player"),
            PRESS,
        ],
        [act(1000, action="resign", side="white"), PRESS],
        [{"t": 1000, "press": "black"}],
    ],
    ids=["a move", "after the reply", "the restart", "after the result", "a clock that stands"],
)
def test_presses_that_are_none_of_that(lines: list[Line]) -> None:
    assert not {"press-no-move", "press-piece-in-hand", "press-burst"} & set(game(*lines).opened())


def test_blacks_press_that_starts_whites_clock_is_no_move_made() -> None:
    heard = said(
        {"t": 1000, "press": "black"},
        *moved(3000, "e2", "e4", "P", "white"),
        rate=STANDARD,
        clock=clock(5_430_000, 5_430_000, None),
    )
    assert heard.opened() == []


def test_a_press_with_a_piece_in_the_hand_leaves_the_touched_pieces_moves() -> None:
    heard = game({"t": 3000, "lift": "g1"}, PRESS)
    ruling = heard.last("press-piece-in-hand")

    assert heard.opened(8) == ["press-piece-in-hand"]
    assert ruling["facts"]["held"] == ["g1"]
    assert set(ruling["facts"]["obligation"]) == {"g1f3", "g1h3", "g1e2"}


@pytest.mark.parametrize(("gap", "fires"), [(100, False), (900, True)])
def test_the_clock_first_and_the_move_after_it(gap: int, fires: bool) -> None:
    """Within a scan of the board nobody can tell which was first."""
    heard = game({"t": 4000, "lift": "g1"}, PRESS, {"t": 5000 + gap, "place": "f3", "piece": "N"})
    assert ("press-before-move-then-move" in heard.opened()) is fires
    assert "press-no-move" not in heard.opened()


def test_presses_to_and_fro_are_one_alert() -> None:
    lines = [{"t": 3000 + 600 * n, "press": ("white", "black")[n % 2]} for n in range(6)]
    heard = game(*lines)
    assert heard.opened(8)[-1] == "press-burst"
    assert heard.opened(8).count("press-burst") == 1
    assert heard.last("press-burst")["facts"]["presses"] == 6
    assert "press-burst" not in game(*lines[:2]).opened()


def test_quick_play_is_no_burst() -> None:
    lines = [
        *moved(1000, "g1", "f3", "N", "white"),
        *moved(2000, "b8", "c6", "n", "black"),
        *moved(3000, "f1", "c4", "B", "white"),
        *moved(4000, "f8", "c5", "b", "black"),
        *moved(5000, "d2", "d3", "P", "white"),
    ]
    assert game(*lines, rate=BLITZ).opened() == []


# Pauses (6.11).


def test_a_pause_that_no_arbiter_made_calls_the_arbiter() -> None:
    heard = game({"t": 3000, "pause": True})
    ruling = heard.last("clock-paused-by-player")

    assert heard.opened() == ["clock-paused-by-player"]
    assert (ruling["certainty"], ruling["urgency"], ruling["articles"]) == (
        "fact",
        1,
        ["6.11.2", "6.11.4"],
    )
    assert ruling["facts"]["ran"] == "white"


def test_clocks_that_merely_stand_are_a_note_first_and_a_call_later() -> None:
    """Most games end so: within the time somebody gives a result, or play goes on."""
    stands = {"t": 3000, "clock": clock(597_000, 600_000, None)}
    later = {"t": 94_000, "clock": clock(597_000, 600_000, None)}
    heard = game(stands, later)
    told = [one for one in heard.rulings if one["kind"] == "clock-paused-by-player"]

    assert [(one["urgency"], one["revision"]) for one in told] == [(3, 1), (1, 2)]
    assert told[0]["id"] == told[1]["id"]
    for answer in (
        act(20_000, action="resign", side="white"),
        {"t": 20_000, "clock": clock(597_000, 600_000)},
        act(20_000, action="confirm", ruling="clock-paused-by-player"),
    ):
        heard = game(stands, answer, {**later, "clock": answer.get("clock", later["clock"])})
        assert all(one["urgency"] == 3 for one in heard.rulings)
    shelved = game(stands, act(20_000, action="shelve", ruling=told[0]["kind"], minutes=60), later)
    (note, waits, call) = [one for one in shelved.rulings if one["kind"] == told[0]["kind"]]
    assert [one["urgency"] for one in (note, waits, call)] == [3, 3, 1]
    assert "shelved_until" in waits
    assert "shelved_until" not in call, "a note that is left for an hour, and calls after all"
    soon = game(stands, later, settings={"pause_call_s": 200})
    assert [one["urgency"] for one in soon.rulings if one["kind"] == told[0]["kind"]] == [3]


def test_a_real_recorded_game_calls_nobody() -> None:
    table = Table(TableSetup(rate=Rate(Kind.BLITZ, True, read_periods(["3:00+2"]))))
    events = list(recorded(kept_beside(RECORDED_GAME).read_text()))
    steps = play(table, enumerate(events, 1))
    told = [output for _, step in steps for output in step.outputs if output.topic == "rulings"]

    urgencies = {json.loads(output.payload)["urgency"] for output in told}
    assert urgencies <= {3}
    assert len(table.view.tracker.record.plies) == 57


def test_the_alert_closes_when_the_clock_runs_again() -> None:
    heard = game({"t": 3000, "pause": True}, {"t": 9000, "clock": clock(597_000, 600_000)})
    assert heard.state("clock-paused-by-player") == "expired"


@pytest.mark.parametrize(
    "before",
    [
        [act(2000, action="pause")],
        [*moved(1000, "g1", "g3", "N", "white")],
        [act(2000, action="resign", side="white")],
    ],
    ids=["the arbiter's act", "an illegal move", "after the result"],
)
def test_a_pause_with_a_known_reason_is_silent(before: list[Line]) -> None:
    assert "clock-paused-by-player" not in game(*before, {"t": 4000, "pause": True}).opened()


def test_a_pause_for_a_promotion_piece_has_a_row_of_its_own() -> None:
    heard = said(
        {"t": 1000, "lift": "a7"},
        {"t": 1500, "place": "a8", "piece": "P"},
        {"t": 3000, "pause": True},
        fen="8/P6k/8/8/8/8/8/K7 w - - 0 1",
        clock=clock(60_000, 60_000),
    )
    assert "clock-paused-by-player" not in heard.opened()


def test_a_pause_on_a_mating_move_that_is_not_told_yet_is_silent() -> None:
    heard = said(
        *moved(1000, "d8", "h4", "q"),
        {"t": 2000, "pause": True},
        moves=["f2f3", "e7e5", "g2g4"],
        clock=clock(60_000, 60_000, "black"),
    )
    assert heard.opened() == ["end-checkmate"]


def test_a_long_pause_without_a_word_is_told_and_with_one_is_not() -> None:
    paused, later = (
        {"t": 3000, "pause": True},
        {"t": 130_000, "clock": clock(597_000, 600_000, None)},
    )
    seen = act(20_000, action="confirm", ruling="clock-paused-by-player")

    assert game(paused, later).opened() == ["clock-paused-by-player", "clock-paused-long"]
    assert game(paused, seen, later).opened() == ["clock-paused-by-player"]


def test_clocks_that_stand_while_a_result_waits_for_its_answer_need_no_word() -> None:
    heard = said(
        {"t": 3000, "pause": True},
        *moved(5000, "e1", "e4", "K"),
        *moved(7000, "e8", "d5", "k"),
        {"t": 400_000, "clock": clock(597_000, 600_000, None)},
        clock=clock(600_000, 600_000),
        fen="4k3/8/8/8/8/8/R7/4K3 w - - 0 1",
    )
    assert "result-kings-white" in heard.opened()
    assert not {"clock-paused-long", "result-missing"} & set(heard.opened())


def test_pieces_moved_while_the_clocks_stand() -> None:
    lines = [{"t": 3000, "pause": True}, {"t": 5000, "lift": "g1"}]
    heard = game(*lines, {"t": 5500, "place": "f3", "piece": "N"})
    assert "paused-board-changes" in heard.opened()
    assert heard.last("paused-board-changes")["facts"]["squares"] == ["f3", "g1"]

    put_back = game(*lines, {"t": 5500, "place": "g1", "piece": "N"})
    assert "paused-board-changes" not in put_back.opened()
    ordered = game(act(1000, action="pause"), *lines, {"t": 5500, "place": "f3", "piece": "N"})
    assert "paused-board-changes" not in ordered.opened()


# The side that runs (6.2.1).


@pytest.mark.parametrize("sensing", ["identity", "colour", "occupancy"])
def test_the_wrong_clock_runs_after_a_pause(sensing: str) -> None:
    """On any board: one that only counts pieces shows no letters, and was never as told."""
    lines, head = [{"t": 3000, "pause": True}], {"sensing": sensing}
    wrong = game(*lines, {"t": 9000, "clock": clock(597_000, 600_000, "black")}, **head)
    right = game(*lines, {"t": 9000, "clock": clock(597_000, 600_000, "white")}, **head)

    assert wrong.opened()[-1] == "clock-wrong-side-running"
    assert wrong.last("clock-wrong-side-running")["facts"]["to_move"] == "white"
    assert "clock-wrong-side-running" not in right.opened()


@pytest.mark.parametrize(
    "hand", [[("lift", "g1")], [("place", "f3")], [("place", "f3"), ("lift", "g1")]]
)
def test_a_move_begun_as_the_clock_is_set_going_may_be_pressed_for_already(
    hand: list[tuple[str, str]],
) -> None:
    """The board shows the piece on its new square before, or after, it has left the old one."""
    begun = [
        {"t": 8900 + 200 * number, what: square, **({"piece": "N"} if what == "place" else {})}
        for number, (what, square) in enumerate(hand)
    ]
    clocks = [{"t": t, "clock": clock(597_000, 603_000 - t, "black")} for t in (9000, 9900)]
    lines = sorted([*begun, *clocks], key=lambda line: line["t"])
    rest = {"place": "f3", "piece": "N"} if hand == [("lift", "g1")] else {"lift": "g1"}
    ends = [{"t": 10_100, **rest}] if len(hand) == 1 else []
    heard = game({"t": 3000, "pause": True}, *lines, *ends)

    assert "clock-wrong-side-running" not in heard.opened()


def test_a_move_not_yet_pressed_lets_its_own_clock_run() -> None:
    heard = game(
        *moved(1000, "g1", "f3", "N"),
        {"t": 6000, "pause": True},
        {"t": 9000, "clock": clock(594_000, 600_000, "white")},
    )
    assert "clock-wrong-side-running" not in heard.opened()


# Settings and defects (6.10).


def increments(*credits_ms: int) -> list[Line]:
    """Moves of four seconds each, their presses crediting this much."""
    left = {"white": 900_000, "black": 900_000}
    hands = [("g1", "f3", "N"), ("b8", "c6", "n"), ("f1", "c4", "B"), ("f8", "c5", "b")]
    lines: list[Line] = []
    for number, credit in enumerate(credits_ms):
        side = ("white", "black")[number % 2]
        left[side] += credit - 4000
        t = 4000 * (number + 1)
        times = {"white_ms": left["white"], "black_ms": left["black"]}
        lines += [*moved(t - 2000, *hands[number]), {"t": t, "press": side, "clock": times}]
    return lines


def rapid(*lines: Line, **settings: Any) -> Said:
    return said(*lines, rate=RAPID, moves=OPENING, clock=clock(900_000, 900_000), settings=settings)


def test_an_increment_that_is_not_the_one_announced() -> None:
    heard = rapid(*increments(5000, 5000, 5000))
    ruling = heard.last("clock-increment-wrong")

    assert heard.opened() == ["clock-increment-wrong"]
    assert (ruling["facts"]["credited_ms"], ruling["facts"]["expected_ms"]) == (5000, 10_000)
    assert ruling["articles"] == ["6.10.2"]
    assert rapid(*increments(10_000, 10_000, 10_000)).opened() == []


def test_a_blitz_clock_that_was_set_without_its_two_seconds() -> None:
    """Read once a second one press does not tell it, and eight do."""
    left, lines = {"white": 180, "black": 180}, list[Line]()
    hands = ["g1f3N", "b8c6n", "f3g1N", "c6b8n"] * 3
    for second in range(1, 40):
        side = ("white", "black")[(second - 1) // 4 % 2]
        left[side] -= 1
        runs = ("white", "black")[second // 4 % 2]
        if second % 4 == 0:
            hand = hands[second // 4 - 1]
            lines += moved(second * 1000 - 1500, hand[:2], hand[2:4], hand[4])
        face = clock(left["white"] * 1000, left["black"] * 1000, runs)
        lines.append({"t": second * 1000, "clock": face})
    head = {"moves": OPENING, "clock": clock(180_000, 180_000), "press_ms": 1000}
    lines.sort(key=lambda line: float(line["t"]))
    heard = said(*lines, rate=BLITZ_WATCHED, **head)
    facts = heard.last("clock-increment-wrong")["facts"]
    assert (facts["credited_ms"], facts["expected_ms"], facts["presses"]) == (0, 2000, 8)


def test_after_ten_moves_each_nothing_is_changed_unless_the_schedule_suffers() -> None:
    """A.5.1.1; five seconds instead of ten, noticed late: play on."""
    wrong = increments(5000, 5000)
    assert rapid(*wrong, set_up_moves=1).opened() == []
    assert rapid(*wrong, set_up_moves=1, schedule_suffers=True).opened() == [
        "clock-increment-wrong"
    ]


@pytest.mark.parametrize(
    ("shown", "fires"),
    [
        (clock(500_000, 600_000), True),
        (clock(596_000, 600_000), False),
        (clock(596_000, 720_000), True),
    ],
)
def test_a_time_that_jumped(shown: Line, fires: bool) -> None:
    heard = game({"t": 4000, "clock": shown})
    assert ("clock-time-jump" in heard.opened()) is fires


def test_times_that_an_order_explains_are_no_jump() -> None:
    heard = game(
        {"t": 1000, "pause": True},
        act(2000, action="set-clock", white_ms=500_000, black_ms=600_000, running="white"),
        {"t": 3000, "clock": clock(499_000, 600_000)},
    )
    assert "clock-time-jump" not in heard.opened()


def test_times_set_while_both_stand_are_kept_for_the_file_only() -> None:
    heard = game({"t": 1000, "pause": True}, {"t": 9000, "clock": clock(500_000, 600_000, None)})
    assert heard.logged(8) == ["clock-edited"]
    assert "clock-edited" not in heard.opened()


def test_little_time_is_noted_once_a_side() -> None:
    slow = {"kind": "standard", "supervised": True, "time": ["60:00"]}
    lines = [{"t": 1000 * n, "clock": clock(301_000 - 1000 * n, 900_000)} for n in range(1, 6)]
    low = {"moves": OPENING, "clock": clock(301_000, 900_000)}

    heard = said(*lines, rate=slow, **low)
    assert heard.opened() == ["low-time"]
    assert heard.last("low-time")["urgency"] == 3
    assert said(*lines, rate=STANDARD, **low).opened() == [], "thirty seconds a move"
    quick = {"kind": "rapid", "supervised": True, "time": ["20:00"]}
    assert said(*lines, rate=quick, **low).opened() == [], "nobody records in rapid"


# Periods and counters (6.3, 6.4).


def test_the_periods_time_after_the_wrong_number_of_moves() -> None:
    three = [*OPENING, "g1f3", "b8c6"]
    press = {"t": 1500, "press": "white", "clock": {"white_ms": 2_428_500, "black_ms": 600_000}}
    lines = [*moved(500, "f1", "c4", "B"), press]
    at_three = said(*lines, rate=CONTROL, moves=three, clock=clock(600_000, 600_000))
    late = said(
        *moved(500, "d2", "d3", "P"),
        press,
        rate=CONTROL,
        moves=[*three, "f1c4", "f8c5"],
        clock=clock(600_000, 600_000),
    )
    assert at_three.opened() == []
    assert late.opened() == ["clock-extra-time-early-or-late"]
    facts = late.last("clock-extra-time-early-or-late")["facts"]
    assert (facts["completed"], facts["required"], facts["missed_presses"]) == (4, 3, 1)


def test_a_missed_press_makes_the_counter_short_before_the_control() -> None:
    lines = [
        *moved(1000, "g1", "f3", "N"),
        *moved(3000, "b8", "c6", "n"),
        *moved(6000, "f1", "c4", "B", "white"),
        *moved(9000, "f8", "c5", "b", "black"),
    ]
    five = {"kind": "standard", "supervised": True, "time": ["6/90:00+30", "30:00+30"]}
    heard = game(*lines, *moved(12_000, "d2", "d3", "P", "white"), rate=five)
    assert "clock-counter-mismatch" in heard.opened()
    assert heard.last("clock-counter-mismatch")["facts"]["white_missed"] == 1
    assert "clock-counter-mismatch" not in game(*lines, rate=STANDARD).opened()


# What people enter.


@pytest.mark.parametrize("kind", ["press-wrong-hand", "press-held", "press-neighbour"])
def test_what_no_sensor_sees_is_entered(kind: str) -> None:
    heard = game(act(1000, action="report", kind=kind, side="white"))
    assert heard.opened() == [kind]
    assert heard.replies[-1]["ok"]


def test_a_claim_closes_the_question_why_the_clock_stands() -> None:
    heard = game({"t": 3000, "pause": True}, claim(5000, "threefold", "white"))
    assert heard.state("clock-paused-by-player") == "superseded"


# A clock that is not heard (6.10.1). Scenario lines cannot say it: a device does.


def wire(*inputs: Input, rate: dict[str, Any] = STANDARD) -> list[dict[str, Any]]:
    """Rulings of a game under way at a board whose clock says this."""
    head = {
        "scenario": "a wire",
        "moves": OPENING,
        "clock": clock(600_000, 600_000),
        "rate": rate,
    }
    scenario = read_scenario(json.dumps(head))
    steps = play(Table(scenario.setup), enumerate([*scenario.inputs, *inputs], 1))
    outputs = [output for _, step in steps for output in step.outputs]
    return [json.loads(one.payload) for one in outputs if one.topic == "rulings"]


def reading(t: int, white_ms: int, black_ms: int) -> ClockReading:
    return ClockReading(t * 1_000_000, white_ms, black_ms, Side.LEFT, Side.LEFT)


def test_a_flag_shown_since_the_period_before_hides_not_that_of_the_last_one() -> None:
    """DGT clocks that do not block at zero may leave the flag up while the next period runs."""
    rate = {"kind": "standard", "supervised": True, "time": ["1/10:00", "30:00"]}
    left = [(600, 0), (601, 1_799_000), (2_399, 1_000), (2_400, 0)]
    readings = [
        ClockReading(
            second * 1_000_000_000,
            white_ms,
            600_000,
            None if second == 2_400 else Side.LEFT,
            Side.LEFT,
            left_flag=True,
        )
        for second, white_ms in left
    ]
    told = wire(*readings, rate=rate)
    assert [one["kind"] for one in told if one["urgency"] == 1] == ["flag-last-period"]
    assert not [one for one in told if one["kind"].startswith("clock-paused")]


def test_a_lost_clock_stays_valid_and_its_return_closes_the_alert() -> None:
    told = wire(ClockGone(5_000_000_000), reading(20_000, 580_000, 600_000))
    assert [(one["kind"], one["state"]) for one in told] == [
        ("clock-lost", "open"),
        ("clock-lost", "expired"),
    ]
    assert told[0]["facts"]["white_clock"] == 600_000


def test_a_clock_that_comes_back_with_other_times_is_another_one() -> None:
    told = wire(ClockGone(5_000_000_000), reading(20_000, 900_000, 900_000))
    assert [one["kind"] for one in told if one["state"] == "open"] == [
        "clock-lost",
        "clock-defect-replaced",
    ]


def test_a_clock_that_comes_back_after_an_arbiter_gave_it_times_is_back_and_no_other_one() -> None:
    given = Act(9_000_000_000, "set-clock", "An arbiter", white_ms=591_000, black_ms=720_000)
    still_gone = ClockGone(12_000_000_000)
    told = wire(ClockGone(5_000_000_000), given, still_gone, reading(20_000, 580_000, 720_000))
    assert [(one["kind"], one["state"]) for one in told] == [
        ("clock-lost", "open"),
        ("clock-lost", "expired"),
    ]


def test_a_clock_put_away_after_the_game_is_no_loss() -> None:
    resigned = Act(4_000_000_000, "resign", "An arbiter", side=Colour.WHITE)
    assert wire(resigned, ClockGone(5_000_000_000)) == []
