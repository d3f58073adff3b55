"""What an arbiter orders: done once, or refused with a sentence and nothing changed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from arbiterd.laws.act import Act
from arbiterd.messages.commands import CommandError, act_of, read_command
from arbiterd.messages.step import Output
from arbiterd.rules.ruleset import Colour
from arbiterd.table.books import ANSWERS_BYTES, Books
from arbiterd.table.inputs import ClockSaid, Input
from arbiterd.table.player import Player
from arbiterd.table.setup import TableSetup
from arbiterd.table.table import Table
from arbiterd.timing.control import Rate, read_periods

from .hands import OPERA, played
from .wired import SECOND


class Desk:
    """A table in the middle of a game, and an arbiter beside it."""

    def __init__(self, moves: int = 6) -> None:
        self.table = Table(TableSetup())
        self.number = 0
        for item in played(OPERA[:moves]):
            self.take(item)

    def take(self, item: Input) -> list[dict[str, Any]]:
        self.number += 1
        step = self.table.take(self.number, item)
        self.commands = step.commands
        return [
            json.loads(output.payload) | {"topic": output.topic}
            for output in step.outputs
            if output.payload
        ]

    def order(self, action: str, **fields: Any) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """The answer, and everything else that was said."""
        command = read_command({"action": action, "by": "Arbiter", **fields})
        said = self.take(act_of(command, self.table.at_ns + 1_000_000))
        answers = [one for one in said if one["topic"] == "reply"]
        assert len(answers) == 1
        return answers[0], [one for one in said if one["topic"] != "reply"]

    @property
    def moves(self) -> tuple[str, ...]:
        return self.table.moves


def test_a_move_is_taken_back_and_told_as_withdrawn() -> None:
    desk = Desk()

    answer, said = desk.order("set-move", op="take-back", id="7")

    assert (answer["ok"], answer["id"], answer["action"]) == (True, "7", "set-move")
    withdrawn = [one for one in said if one["topic"] == "moves"]
    assert [(one["ply"], one["uci"], one["san"]) for one in withdrawn] == [(6, None, None)]
    assert "replaces" in withdrawn[0]
    assert len(desk.moves) == 5


def test_moves_are_withdrawn_last_first() -> None:
    desk = Desk()

    _, said = desk.order("set-move", op="take-back", ply=3)

    assert [one["ply"] for one in said if one["topic"] == "moves"] == [6, 5, 4, 3]


def test_a_move_is_replaced() -> None:
    desk = Desk(1)

    answer, said = desk.order("set-move", op="replace", ply=1, move="d4")

    assert answer["ok"]
    assert desk.moves == ("d2d4",)
    told = [one for one in said if one["topic"] == "moves"][-1]
    assert (told["uci"], told["how"]) == ("d2d4", "arbiter")


REFUSED = [
    ("set-move", {"op": "take-back", "ply": 99}, "99"),
    ("set-move", {"op": "insert"}, "move"),
    ("set-move", {"op": "replace", "ply": 1, "move": "e2e5"}, "e2e5"),
    ("set-move", {"op": "replace", "ply": 1, "move": "a2a3"}, "d4d5|does not fit|fit"),
    ("set-position", {"fen": "nothing"}, "FEN"),
    ("set-clock", {"white_ms": 1000, "black_ms": 1000, "send": True}, "pause"),
    ("start-game", {"ruleset": "chequers"}, "chequers"),
    ("start-game", {"fen": "8/8"}, "FEN"),
    ("confirm", {"ruling": "1-0099"}, "1-0099|99"),
]


@pytest.mark.parametrize(("action", "fields", "named"), REFUSED[:3] + REFUSED[4:])
def test_a_refused_command_says_why_and_changes_nothing(
    action: str, fields: dict[str, Any], named: str
) -> None:
    desk = Desk()
    before = (desk.moves, desk.table.state(0))

    answer, said = desk.order(action, **fields)

    assert answer["ok"] is False
    assert any(word in answer["error"] for word in named.split("|"))
    assert not said
    assert (desk.moves, desk.table.state(0)) == before


def test_the_same_id_is_applied_once_and_answered_again() -> None:
    desk = Desk()

    first, _ = desk.order("set-move", op="take-back", id="once")
    again, said = desk.order("set-move", op="take-back", id="once")

    assert again == first
    assert not said
    assert len(desk.moves) == 5


def test_times_that_an_arbiter_gives_end_no_pause() -> None:
    """The clock on the table was not stopped, and ticks on."""
    desk = Desk()
    at_ns, times = desk.table.at_ns, {"white_ms": 600_000, "black_ms": 610_000}
    desk.take(ClockSaid(at_ns + SECOND, **times, running=Colour.WHITE, running_said=True))
    desk.order("pause")
    desk.order("set-clock", white_ms=500_000, black_ms=510_000)
    for s in range(2, 5):
        times = {**times, "white_ms": times["white_ms"] - 1000}
        desk.take(ClockSaid(at_ns + s * SECOND, **times, running=Colour.WHITE, running_said=True))
        assert desk.table.state(desk.table.at_ns).status == "paused"
    desk.take(ClockSaid(at_ns + 6 * SECOND, pause=True))
    desk.take(ClockSaid(at_ns + 9 * SECOND, **times, running=Colour.WHITE, running_said=True))
    assert desk.table.state(desk.table.at_ns).status == "playing"


def test_times_that_an_arbiter_says_are_no_wrong_setting() -> None:
    """6.10.2, until somebody who may decides otherwise."""
    desk = Desk(0)
    desk.table = Table(TableSetup(rate=Rate(periods=read_periods(["90:00+30"]))))
    told = desk.take(ClockSaid(SECOND, white_ms=4_200_000, black_ms=4_200_000))
    assert [(one["kind"], one["state"]) for one in told if one["topic"] == "rulings"] == [
        ("start-clock-setting-wrong", "open")
    ]
    _, said = desk.order("set-clock", white_ms=4_200_000, black_ms=4_200_000)
    assert [one["state"] for one in said if one["topic"] == "rulings"] == ["superseded"]


@pytest.mark.parametrize(
    ("periods", "increment_ms"),
    [(["90:00+30"], 30_000), (["40/90:00+30", "30:00+30"], 30_000), (["90:00d5"], 0), ([], 0)],
)
def test_a_clock_is_set_with_the_increment_of_the_time_control(
    periods: list[str], increment_ms: int
) -> None:
    desk = Desk(0)
    desk.table = Table(TableSetup(rate=Rate(periods=read_periods(periods))))
    desk.order("pause")
    desk.order("set-clock", white_ms=60_000, black_ms=61_000, send=True)

    (command,) = desk.commands
    assert (command.left_ms, command.right_ms) == (60_000, 61_000)
    assert command.increment_ms == increment_ms


def test_a_clock_command_goes_out_only_when_paused_and_asked_for() -> None:
    desk = Desk()
    desk.order("set-clock", white_ms=60_000, black_ms=61_000)
    assert desk.commands == ()

    desk.order("pause")
    answer, _ = desk.order("set-clock", white_ms=60_000, black_ms=61_000, send=True)

    assert answer["ok"]
    (command,) = desk.commands
    assert (command.left_ms, command.right_ms, command.running) == (60_000, 61_000, None)
    state = desk.table.state(desk.table.at_ns)
    assert state.clock is not None
    assert (state.clock.white_ms, state.status) == (60_000, "paused")


def test_muted_alerts_are_there_but_call_nobody() -> None:
    desk = Desk()
    desk.order("mute")

    assert desk.table.state(desk.table.at_ns).muted
    assert not desk.table.state(desk.table.at_ns).attention


@pytest.mark.parametrize(
    ("said", "named"),
    [
        (b"{", "read"),
        (b'{"action":"pause"}', "by"),
        (b'{"action":"pause","by":""}', "by whom"),
        (b'{"action":"dance","by":"A"}', "dance"),
        (b'{"action":"confirm","by":"A"}', "ruling"),
        (b'{"action":"pause","by":"A","speed":3}', "speed"),
        (b'{"action":"set-clock","by":"A","white_ms":"x"}', "white_ms"),
    ],
)
def test_a_command_that_cannot_be_read_is_named(said: bytes, named: str) -> None:
    with pytest.raises(CommandError, match=named):
        read_command(said)


def test_what_is_remembered_of_answers_has_a_bound_in_bytes() -> None:
    books = Books()
    for number in range(600):
        act = Act(0, "pause", "Ana", id=f"{number}")
        books.keep_answer(act, Output("reply", b"x" * 10_000))
    kept = sum(len(payload) for _, payload in books.answered.values())
    assert kept <= ANSWERS_BYTES
    newest = books.answer_to(Act(0, "pause", "Ana", id="599"))
    assert newest is not None
    assert len(newest.payload) == 10_000


def test_a_game_begun_anew_keeps_what_the_organiser_chose_for_its_rule_set() -> None:
    desk = Desk(0)
    desk.table = Table(TableSetup(ruleset="shogi", rules=(("impasse", "both_entered"),)))
    rules = desk.table.view.rules

    assert desk.order("start-game", white="A", black="B")[0]["ok"]
    assert desk.table.view.rules is rules
    assert desk.order("start-game", white="A", black="B", ruleset="chess")[0]["ok"]
    assert desk.table.setup.rules == ()
    assert Table.restored(desk.table.checkpoint()).view.rules.name == "chess"


@pytest.mark.parametrize(
    ("named", "white", "title", "black"),
    [
        ({}, "Zeta, Zoe", "GM", "Eta, Ed"),
        ({"white": "Zeta, Zoe"}, "Zeta, Zoe", "GM", "Eta, Ed"),
        ({"black": "Theta, Tom"}, "Zeta, Zoe", "GM", "Theta, Tom"),
        ({"white": "Theta, Tom", "black": "Zeta, Zoe"}, "Theta, Tom", "", "Zeta, Zoe"),
    ],
)
def test_who_is_not_named_at_the_start_of_a_game_plays_on(
    named: dict[str, str], white: str, title: str, black: str
) -> None:
    """A start that has to be made again is between the same two, and its result is theirs."""
    desk = Desk(0)
    desk.table = Table(
        TableSetup(white="Zeta, Zoe", black="Eta, Ed", white_player=Player(title="GM"))
    )
    assert desk.order("start-game", **named)[0]["ok"]
    setup = desk.table.setup
    assert (setup.white, setup.white_player.title, setup.black) == (white, title, black)


def test_where_both_kings_must_enter_one_is_not_said_to_be_none() -> None:
    desk = Desk(0)
    entered = "4k4/K8/9/9/9/9/9/9/9 b - 1"
    desk.table = Table(
        TableSetup(ruleset="shogi", rules=(("impasse", "both_entered"),), start=entered)
    )

    answer = desk.order("report", kind="sh-jishogi-agreed")[0]

    assert not answer["ok"]
    assert answer["error"] == "not enough kings have entered; an impasse cannot be agreed yet"


def test_an_answer_names_the_ruling_an_act_led_to_and_none_that_it_closed() -> None:
    desk = Desk()
    entered, _ = desk.order("report", kind="conduct-device", side="white")
    penalty, _ = desk.order("penalty", side="white", kind="warning")

    answer, said = desk.order("set-result", result="0-1", reason="a telephone")

    closed = [one["id"] for one in said if one["topic"] == "rulings" and one["state"] != "open"]
    assert entered["ruling"] in closed
    assert penalty["ruling"] not in closed
    assert "ruling" not in answer


@pytest.mark.parametrize("ruling", ["1-²", "1-①", "1-٣", "1-", "1-0001", "²"])
def test_a_ruling_that_is_not_there_is_refused_whatever_its_number_is_written_in(
    ruling: str,
) -> None:
    """`²` is a digit to Python, and no number."""
    desk = Desk()
    for action, more in (
        ("confirm", {}),
        ("dismiss", {}),
        ("coming", {}),
        ("shelve", {"minutes": 5}),
    ):
        answer, said = desk.order(action, ruling=ruling, **more)
        assert not answer["ok"]
        assert repr(ruling if ruling != "1-0001" else "1") in answer["error"]
        assert not said


@pytest.mark.parametrize("counters", ["0 9999999999", "9999999999 1", "0 ²", "0 ٣", "-1 1"])
def test_a_position_with_counters_beyond_any_game_is_refused_and_the_game_goes_on(
    counters: str,
) -> None:
    desk = Desk(0)
    board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
    answer, said = desk.order("set-position", fen=f"{board} {counters}")

    assert not answer["ok"]
    assert "write for example 0 1" in answer["error"]
    assert not said
    assert desk.order("set-move", op="insert", move="e2e4")[0]["ok"]
    assert desk.moves == ("e2e4",)


def test_a_position_with_the_largest_counters_is_played_on_from() -> None:
    desk = Desk(0)
    answer, _ = desk.order("set-position", fen="4k3/8/8/8/8/8/4P3/4K3 w - - 999999 999999")
    assert answer["ok"]
    for ply, move in enumerate(("e2e4", "e8e7"), 1):
        assert desk.order("set-move", op="insert", ply=ply, move=move)[0]["ok"]

    assert desk.table.state(0).fen.endswith(" w - - 1 999999")
