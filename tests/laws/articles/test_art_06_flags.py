"""Section 9: what a flag means, and what goes before it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from arbiterd.table.playback import play
from arbiterd.table.setup import TableSetup
from arbiterd.table.table import Table
from arbiterd.timing.control import Kind, Period, Rate
from eboards.events import ClockReading, Side
from laws.talk import BLITZ, CONTROL, OPENING, STANDARD, Line, Said, act, claim, clock, moved, said

FLAG = {"t": 2000, "flag": "white"}
MATE_IN_ONE = ["f2f3", "e7e5", "g2g4"]


def game(*lines: Line, **head: Any) -> Said:
    scene = {"moves": OPENING, "clock": clock(2000, 600_000), "rate": STANDARD}
    return said(*lines, **{**scene, **head})


# Loss or draw (6.9).


@pytest.mark.parametrize("rate", [STANDARD, BLITZ], ids=["standard", "B.3"])
def test_a_flag_in_the_last_period_is_called_by_the_arbiter(rate: dict[str, Any]) -> None:
    heard = game(FLAG, rate=rate)
    ruling = heard.last("flag-last-period")

    assert heard.opened() == ["flag-last-period"]
    assert (ruling["certainty"], ruling["urgency"], ruling["against"]) == ("fact", 1, "white")
    assert ruling["articles"] == ["6.8", "6.9"]
    assert ruling["proposal"] == {
        "actions": ["declare-result"],
        "clock_delta_ms": {},
        "restore": None,
        "result": "0-1",
    }
    assert ruling["facts"]["opponent_can_mate"] == "possible"
    assert heard.result is None, "it falls when it is noticed"


def test_the_arbiters_word_makes_it_the_result() -> None:
    heard = game(FLAG, act(3000, action="confirm", ruling="flag-last-period"))
    assert heard.result == ("0-1", "flag", "6.9", "fact")


BARE = [
    # Flagged Black; what White has, what Black has; whether White can still mate.
    ("3q", "1N", False),
    ("3q", "1B", False),
    ("3r", "1N", True),
    ("3r", "1B", False),
    ("3n", "1N", True),
    ("3b", "1N", True),
    ("3p", "1N", True),
    ("3n", "1B", True),
    ("3q", "2", False),
    ("3q", "P1", True),
]


@pytest.mark.parametrize(("black", "white", "can"), BARE)
def test_the_table_of_few_pieces(black: str, white: str, can: bool) -> None:
    """The side that would win has a single piece; the flagged side has one too."""
    heard = said(
        {"t": 1000, "flag": "black"},
        fen=f"8/5k2/8/8/{black}4/8/{white}5K/8 b - - 0 1",
        clock=clock(60_000, 1000, "black"),
    )
    kind = "flag-last-period" if can else "flag-unwinnable"
    assert heard.opened(9) == [kind]
    assert heard.last(kind)["proposal"]["result"] == ("1-0" if can else "1/2-1/2")
    if not can:
        assert heard.last(kind)["facts"]["proof"]
        assert heard.last(kind)["certainty"] == "fact"


def test_a_wall_of_pawns_is_no_win_either() -> None:
    heard = said(
        {"t": 1000, "flag": "black"},
        fen="8/8/3k4/1p1p1p1p/1P1P1P1P/3K4/3B4/8 b - - 0 1",
        clock=clock(60_000, 1000, "black"),
    )
    assert heard.opened(9) == ["flag-unwinnable"]


# Periods (6.3, 6.4).


def control(*lines: Line, plies: int) -> Said:
    moves = [*OPENING, "g1f3", "b8c6", "f1c4", "f8c5"][:plies]
    return said(*lines, rate=CONTROL, moves=moves, clock=clock(2000, 600_000))


def test_the_moves_of_the_period_decide_first() -> None:
    short = control(FLAG, plies=4)
    reached = control(FLAG, plies=6)

    assert short.opened() == ["flag-period-short"]
    facts = short.last("flag-period-short")["facts"]
    assert (facts["completed"], facts["required"]) == (2, 3)
    assert reached.opened() == ["flag-period-reached"]
    assert reached.last("flag-period-reached")["urgency"] == 3
    assert reached.last("flag-period-reached")["proposal"]["result"] is None


def test_the_last_move_made_and_not_pressed_is_not_completed() -> None:
    unpressed = control(*moved(500, "f1", "c4", "B"), FLAG, plies=4)
    pressed = control(
        *moved(500, "f1", "c4", "B", "white"),
        {"t": 5000, "clock": clock(0, 595_000, "black")},
        plies=4,
    )
    assert unpressed.opened() == ["flag-period-short"]
    assert pressed.opened() == ["flag-period-reached"]


@pytest.mark.parametrize(("plies", "opened"), [(2, ["flag-period-short"]), (4, [])])
def test_a_time_that_ran_out_as_its_player_pressed_is_over(plies: int, opened: list[str]) -> None:
    """The clock adds at zero, and reads so only after the press: with that White has two moves of
    three, or the third, which may have been completed in time."""
    made = [("g1", "f3", "N"), ("f1", "c4", "B")][plies // 2 - 1]
    heard = control(
        *moved(1500, *made), {"t": 2100, "clock": clock(1_800_000, 600_000, "black")}, plies=plies
    )

    assert heard.opened() == opened


def test_a_clock_that_adds_at_zero_shows_no_loss() -> None:
    heard = control(FLAG, {"t": 3000, "clock": clock(1_799_000, 600_000)}, plies=6)
    assert heard.state("flag-period-reached") == "expired"


def test_presses_that_nobody_saw_make_the_count_uncertain() -> None:
    heard = said(
        *moved(1000, "g1", "f3", "N"),
        *moved(3000, "b8", "c6", "n"),
        *moved(6000, "f1", "c4", "B", "white"),
        *moved(9000, "f8", "c5", "b", "black"),
        {"t": 15_000, "flag": "white"},
        rate=CONTROL,
        moves=OPENING,
        clock=clock(20_000, 600_000),
    )
    assert heard.opened(9) == ["flag-count-uncertain"]
    facts = heard.last("flag-count-uncertain")["facts"]
    assert (facts["completed"], facts["completed_at_most"], facts["required"]) == (2, 3, 3)


# Both flags.


def test_of_two_flags_the_first_to_fall_loses() -> None:
    heard = game(FLAG, {"t": 4000, "flag": "black"}, clock=clock(2000, 1000))
    ruling = heard.last("flag-both-order-known")

    assert heard.opened() == ["flag-last-period", "flag-both-order-known"]
    assert heard.state("flag-last-period") == "superseded"
    assert (ruling["against"], ruling["proposal"]["result"]) == ("white", "0-1")


DRAWN = ("1/2-1/2", ["ask", "declare-result"])
TO_JUDGE = (None, ["ask"])


@pytest.mark.parametrize(
    ("kind", "supervised", "time", "guided", "proposed", "said_of_it"),
    [
        ("standard", True, "90:00", False, TO_JUDGE, "for you to judge"),
        ("standard", True, "90:00", True, DRAWN, "drawn (III.3.1)"),
        ("standard", True, "90:00+30", True, TO_JUDGE, "for you to judge"),
        ("standard", True, "90:00d5", True, TO_JUDGE, "for you to judge"),
        ("rapid", True, "15:00", True, DRAWN, "drawn (III.3.1)"),
        ("rapid", False, "15:00", True, TO_JUDGE, "sign on the clock decides"),
        ("blitz", True, "5:00", True, TO_JUDGE, "for you to judge"),
        ("blitz", False, "5:00", True, TO_JUDGE, "sign on the clock decides"),
    ],
)
def test_two_flags_in_one_reading_have_no_order(
    kind: str,
    supervised: bool,
    time: str,
    guided: bool,
    proposed: tuple[str | None, list[str]],
    said_of_it: str,
) -> None:
    """III.2, A.5: Guidelines III are for standard and rapid play without increment; and where the
    sign on the clock decides, no draw is proposed beside it."""
    heard = game(
        {"t": 4000, "clock": clock(0, 0, None)},
        clock=clock(2000, 1000),
        rate={"kind": kind, "supervised": supervised, "time": [time]},
        settings={"guidelines_iii": guided},
    )
    assert heard.opened(9) == ["flag-both-order-unknown"]
    ruling = heard.last("flag-both-order-unknown")
    assert (ruling["proposal"]["result"], ruling["proposal"]["actions"]) == proposed
    assert said_of_it in ruling["text"]["en"]["detail"]


# What goes before a flag (6.8).


THREE = ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4"]
"""White has completed three moves, Black two; `CONTROL` asks for three."""


@pytest.mark.parametrize("first", ["white", "black"])
def test_of_two_flags_that_of_a_period_whose_moves_are_completed_means_nothing(first: str) -> None:
    """6.4: the moves are counted first, so Black has overstepped, whichever flag fell first."""
    second = {"white": "black", "black": "white"}[first]
    flags: list[Line] = [
        {"t": 2000, "flag": first},
        {"t": 2500, "clock": clock(0, 0, second)},
        {"t": 5000, "flag": second},
    ]
    heard = game(*flags, moves=THREE, clock=clock(2000, 2000, first), rate=CONTROL)
    newest = {ruling["id"]: ruling for ruling in heard.rulings}.values()
    results = [one["proposal"]["result"] for one in newest if one["state"] == "open"]

    assert [result for result in results if result] == ["1-0"]


def test_two_flags_in_one_reading_need_no_order_where_one_side_has_its_moves() -> None:
    both: Line = {"t": 4000, "clock": clock(0, 0)}
    heard = game(both, moves=THREE, clock=clock(2000, 1000, "black"), rate=CONTROL)

    assert heard.opened(9) == ["flag-period-short"]
    assert heard.last("flag-period-short")["against"] == "black"


def test_two_flags_of_completed_periods_are_no_loss() -> None:
    both: Line = {"t": 4000, "clock": clock(0, 0)}
    heard = game(both, moves=[*THREE, "f8c5"], clock=clock(2000, 1000), rate=CONTROL)

    assert set(heard.opened(9)) == {"flag-period-reached"}


@pytest.mark.parametrize(
    ("late_ms", "opened", "logged"),
    [(0, ["end-checkmate"], ["mate-then-flag"]), (1000, ["flag-then-mate"], [])],
)
def test_a_mate_within_what_the_clock_can_tell_apart_is_asked_about(
    late_ms: int, opened: list[str], logged: list[str]
) -> None:
    """A clock that speaks once a second may show a flag that had fallen before the mate."""
    heard = said(
        *moved(1000, "d8", "h4", "q"),
        {"t": 1900, "clock": clock(60_000, 0, None)},
        moves=MATE_IN_ONE,
        clock=clock(60_000, 1900, "black"),
        press_ms=late_ms,
    )

    assert (heard.opened(9) or heard.opened(), heard.logged(9)) == (opened, logged)


def test_mate_made_after_a_flag_that_nobody_called_stands() -> None:
    heard = said(
        {"t": 1000, "flag": "black"},
        *moved(1500, "d8", "h4", "q"),
        moves=MATE_IN_ONE,
        clock=clock(60_000, 1000, "black"),
    )
    ruling = heard.last("flag-then-mate")

    assert heard.opened() == ["flag-last-period", "flag-then-mate"]
    assert heard.state("flag-last-period") == "superseded"
    assert (ruling["certainty"], ruling["proposal"]["result"]) == ("probable", "0-1")
    assert ruling["facts"]["flag_at"] < ruling["facts"]["made_at"]
    assert heard.result is None, "the arbiter confirms it"


def test_a_flag_that_was_called_before_the_mate_counts() -> None:
    heard = said(
        {"t": 1000, "flag": "black"},
        claim(1200, "flag", "white"),
        *moved(1500, "d8", "h4", "q"),
        moves=MATE_IN_ONE,
        clock=clock(60_000, 1000, "black"),
    )
    assert heard.opened() == ["flag-last-period", "claim-flag"]
    assert heard.last("claim-flag")["proposal"]["result"] == "1-0"
    assert heard.last("claim-flag")["against"] == "white"
    assert heard.result is None


@pytest.mark.parametrize("settled", [False, True], ids=["hand still out", "told"])
def test_mate_before_the_flag_ends_the_game(settled: bool) -> None:
    heard = said(
        *moved(1000, "d8", "h4", "q"),
        {"t": 9000 if settled else 2000, "flag": "black"},
        moves=MATE_IN_ONE,
        clock=clock(60_000, 2000, "black"),
    )
    assert heard.opened() == ["end-checkmate"]
    assert heard.logged(9) == ["mate-then-flag"]
    assert heard.result == ("0-1", "checkmate", "5.1.1", "fact")


def test_stalemate_after_a_flag_that_nobody_called_stands() -> None:
    heard = said(
        {"t": 1000, "flag": "white"},
        *moved(1500, "g5", "g6", "Q"),
        fen="7k/8/8/6Q1/8/8/p7/K7 w - - 0 1",
        clock=clock(1000, 60_000),
    )
    assert heard.opened(9)[-1] == "flag-then-stalemate-or-dead"
    assert heard.last("flag-then-stalemate-or-dead")["proposal"]["result"] == "1/2-1/2"


@pytest.mark.parametrize(
    "ended",
    [
        act(1000, action="set-result", result="1/2-1/2", reason="agreement"),
        act(1000, action="resign", side="white"),
    ],
    ids=["agreement", "resignation"],
)
def test_a_flag_after_the_result_is_a_note(ended: Line) -> None:
    heard = game(ended, FLAG)
    assert heard.opened() == ["flag-after-agreement-or-resign"]
    assert heard.last("flag-after-agreement-or-resign")["urgency"] == 3


def test_a_claim_made_before_the_flag_is_decided_first() -> None:
    shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"] * 2
    heard = game(claim(1000, "threefold", "white"), FLAG, moves=shuffle)
    assert heard.opened() == ["claim-3-onboard-ok", "flag-during-claim"]
    assert heard.last("flag-during-claim")["facts"]["claim"] == "claim-3-onboard-ok"


def test_an_illegal_move_not_yet_decided_is_told_with_both_outcomes() -> None:
    heard = said(
        *moved(1000, "g1", "g3", "N", "white"),
        {"t": 8000, "flag": "black"},
        moves=OPENING,
        clock=clock(60_000, 6000),
        rate=STANDARD,
    )
    assert "flag-last-period" not in heard.opened()
    assert heard.opened()[-1] == "illegal-v-flag"


# The hand and the pause.


def test_a_flag_that_means_nothing_has_nothing_to_do_with_an_open_illegal_move() -> None:
    """6.4: White's moves of the period are completed, so play goes on when Black's is put right."""
    illegal = moved(1000, "g8", "g6", "n", press="black")
    flag: Line = {"t": 6000, "flag": "white"}
    heard = game(*illegal, flag, moves=THREE, clock=clock(4000, 600_000, "black"), rate=CONTROL)

    assert heard.opened(7) == ["illegal-first"]
    assert heard.opened(9) == ["flag-period-reached"]


def test_a_piece_in_the_air_leaves_the_position_before() -> None:
    heard = game({"t": 1000, "lift": "g1"}, FLAG)
    ruling = heard.last("flag-piece-in-hand")

    assert heard.opened() == ["flag-piece-in-hand"]
    assert set(ruling["facts"]["obligation"]) == {"g1f3", "g1h3", "g1e2"}
    assert ruling["facts"]["held"] == ["g1"]
    assert "forced_move" not in ruling["facts"]


def test_the_only_move_of_the_touched_piece_gives_a_second_answer() -> None:
    """The rook must take and then nobody can mate: both answers are said."""
    heard = said(
        {"t": 1000, "lift": "a1"},
        FLAG,
        fen="7k/8/8/8/8/8/r7/RNK5 w - - 0 1",
        clock=clock(2000, 60_000),
    )
    facts = heard.last("flag-piece-in-hand")["facts"]
    assert heard.last("flag-piece-in-hand")["proposal"]["result"] == "0-1"
    assert facts["obligation"] == ["a1a2"]
    assert (facts["forced_move"], facts["after_forced_move"]) == ("a1a2", "1/2-1/2")


def test_a_flag_on_a_clock_that_stood_is_the_clocks_matter() -> None:
    heard = game({"t": 1000, "pause": True}, FLAG)
    assert heard.opened() == ["clock-paused-by-player", "flag-while-paused"]
    assert heard.last("flag-while-paused")["articles"] == ["6.10.1"]


def test_a_flag_claimed_that_the_clock_does_not_show() -> None:
    heard = game(claim(1000, "flag", "black"))
    ruling = heard.last("flag-claimed-without")
    assert heard.opened() == ["flag-claimed-without"]
    assert (ruling["certainty"], ruling["urgency"], ruling["against"]) == ("human", 2, "black")


def test_a_dismissed_flag_can_fall_again_later() -> None:
    heard = game(
        FLAG,
        act(3000, action="dismiss", ruling="flag-last-period"),
        {"t": 9000, "clock": clock(5000, 600_000, None)},
        {"t": 10_000, "clock": clock(5000, 600_000)},
        {"t": 15_000, "flag": "white"},
    )
    assert heard.opened(9) == ["flag-last-period", "flag-last-period"]


def test_a_flag_beside_the_next_periods_time_speaks_of_the_period_before() -> None:
    """A clock that adds at zero goes on running under its flag; a second one does so too."""
    shuffle = ("g1f3", "g8f6", "f3g1", "f6g8") * 20
    rate = Rate(
        Kind.STANDARD, True, (Period(40, 5_400_000, 30_000), Period(None, 1_800_000, 30_000))
    )
    table = Table(TableSetup(rate=rate, moves=shuffle, orientation=0))
    inputs = [
        ClockReading(0, 2_000, 61_000, Side.LEFT, Side.LEFT),
        ClockReading(1_000_000_000, 1_000, 61_000, Side.LEFT, Side.LEFT),
        ClockReading(2_000_000_000, 1_800_000, 61_000, Side.LEFT, Side.LEFT, left_flag=True),
    ]

    kinds = [
        json.loads(output.payload)["kind"]
        for _, step in play(table, enumerate(inputs, 1))
        for output in step.outputs
        if output.topic == "rulings"
    ]

    assert kinds == ["flag-period-reached"]


def test_a_game_that_was_dead_before_the_flag_ends_by_that() -> None:
    """White's press without a move is undecided when the flag is shown, 4.5 s after the capture
    that left no side with mating material."""
    heard = said(
        {"t": 5400, "lift": "d3"},
        {"t": 7900, "place": "e3", "piece": "q"},
        {"t": 8500, "press": "black"},
        {"t": 8600, "press": "white"},
        {"t": 12_600, "lift": "e3"},
        {"t": 12_800, "lift": "f2"},
        {"t": 13_000, "place": "e3", "piece": "K"},
        {"t": 13_600, "press": "white"},
        {"t": 14_000, "lift": "e3"},
        {"t": 14_300, "place": "e3", "piece": "K"},
        {"t": 17_500, "flag": "white"},
        sensing="identity-noisy",
        fen="8/8/8/4k3/8/3q4/8/4K1N1 w - - 0 60",
        moves=["e1f2"],
        clock=clock(600_000, 90_000, "black"),
    )

    assert "flag-then-stalemate-or-dead" not in heard.opened()
    assert heard.last("end-dead")["proposal"]["result"] == "1/2-1/2"
