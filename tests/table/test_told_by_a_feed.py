"""A source that knows the game tells its moves, its times and its end."""

from __future__ import annotations

import json
from typing import Any

import pytest

from arbiterd.laws.act import Act
from arbiterd.table.inputs import Input
from arbiterd.table.playback import play
from arbiterd.table.scenario import read_scenario
from arbiterd.table.setup import TableSetup
from arbiterd.table.table import Table
from arbiterd.timing.control import Rate, read_periods
from eboards.events import (
    SHOGI_BOARD,
    Ending,
    EndReported,
    LineReported,
    LinkUp,
    MoveReported,
    Sensing,
    SensingClass,
    TimesReported,
)

S = 1_000_000_000
OPENING = ("7g7f", "3c3d", "8h2b+")
SENSING = Sensing(SensingClass.MOVES, S, SHOGI_BOARD)


class Fed:
    """A shogi table on a feed, and what left it."""

    def __init__(self, *time: str, start: str = "") -> None:
        rate = Rate(periods=read_periods(time))
        self.table = Table(TableSetup(ruleset="shogi", rate=rate, start=start))
        self.told: list[dict[str, Any]] = []
        self.at_ns = 0
        self.take(LinkUp(0, "csa", "", SENSING))

    def take(self, item: Input) -> None:
        self.at_ns = item.at_ns
        step = self.table.take(item.at_ns // S, item)
        self.told += [json.loads(o.payload) | {"topic": o.topic} for o in step.outputs]

    def line(self, moves: tuple[str, ...], **said: Any) -> None:
        self.take(LineReported(self.at_ns + S, "", moves, **said))

    def ends(self, ending: Ending, side: str | None = None) -> None:
        self.take(EndReported(self.at_ns + S, ending, side))

    def of(self, topic: str) -> list[dict[str, Any]]:
        return [told for told in self.told if told["topic"] == topic]

    @property
    def clocks(self) -> list[tuple[int, int, str]]:
        """Sente's and gote's time after each half-move, and whose runs."""
        clocks = [told["clock"] for told in self.of("moves")]
        return [(c["black_ms"], c["white_ms"], c["running"]) for c in clocks]

    @property
    def open(self) -> list[str]:
        return [ruling.kind for ruling in self.table.view.docket.open]


def test_each_half_move_goes_with_what_it_left_on_the_clock() -> None:
    fed = Fed("10:00b30")
    fed.line(OPENING[:1], spent_ms=(61_000,))
    fed.line(OPENING[:2], spent_ms=(61_000, 600_000))
    fed.line(OPENING, spent_ms=(61_000, 600_000, 1_000))

    assert fed.clocks == [
        (539_000, 600_000, "white"),
        (539_000, 30_000, "black"),
        (538_000, 30_000, "white"),
    ]
    assert len(fed.of("moves")) == 3, "each is told once"
    assert fed.open == [], "nothing in a counted time is to be judged"


def test_the_sources_own_time_control_counts_where_none_is_set() -> None:
    fed = Fed()
    fed.line(OPENING[:1], spent_ms=(61_000,), time="5:00+10")
    assert fed.clocks == [(259_000, 310_000, "white")]

    other = Fed("10:00")
    other.line(OPENING[:1], spent_ms=(60_000,), time="5:00+10")
    assert other.clocks == [(540_000, 600_000, "white")]


@pytest.mark.parametrize("spent_ms", [(), (1000, None)])
def test_no_clock_is_told_where_a_time_is_missing(spent_ms: tuple[int | None, ...]) -> None:
    fed = Fed("10:00")
    fed.line(OPENING[:2], spent_ms=spent_ms)

    assert [told["clock"] for told in fed.of("moves")] == [None, None]


def test_a_time_control_that_cannot_be_read_leaves_the_game_without_a_clock() -> None:
    fed = Fed()
    fed.line(OPENING, spent_ms=(1_000, 2_000, 3_000), time="60:00b1200")

    assert len(fed.of("moves")) == 3
    assert all(told["clock"] is None for told in fed.of("moves"))


def test_a_feed_that_begins_anew_says_nothing_new() -> None:
    fed = Fed("10:00")
    for plies in (1, 2, 1, 2):
        fed.line(OPENING[:plies], spent_ms=(1000, 2000)[:plies])
    fed.line(OPENING, spent_ms=(1000, 2000, 3000))

    assert fed.clocks == [
        (599_000, 600_000, "white"),
        (599_000, 598_000, "black"),
        (596_000, 598_000, "white"),
    ]


def test_times_that_are_told_by_themselves_are_the_clock() -> None:
    fed = Fed()
    fed.take(TimesReported(S, 300_000, 290_000, "white"))
    fed.line(OPENING[:1])

    assert fed.clocks == [(290_000, 299_000, "white")]


@pytest.mark.parametrize(("side", "result"), [("white", "0-1"), ("black", "1-0")])
def test_who_resigns_has_lost(side: str, result: str) -> None:
    fed = Fed("10:00")
    fed.line(OPENING, spent_ms=(1000, 2000, 3000))
    fed.ends(Ending.RESIGNED, side)
    fed.ends(Ending.RESIGNED, side)

    (told,) = fed.of("result")
    assert (told["result"], told["reason"], told["certainty"]) == (result, "resignation", "human")
    assert fed.table.state(fed.at_ns).status == "ended"
    assert fed.table.view.shown().running is None
    assert fed.open == []


ENTERED = "4K4/PPPPPPPPP/1B5R1/9/9/9/9/9/4k4 b RBGSNL2g3s3n3l9p 1"


@pytest.mark.parametrize(
    ("start", "result"), [(ENTERED, "0-1"), ("", "1-0")], ids=["conditions met", "king at home"]
)
def test_a_declaration_is_counted_before_the_arbiter_is_asked(start: str, result: str) -> None:
    fed = Fed(start=start)
    fed.ends(Ending.DECLARED, "black")

    (ruling,) = fed.table.view.docket.open
    assert ruling.kind == "sh-declaration"
    assert ruling.proposal.result == result
    assert fed.table.view.books.result is None, "the arbiter has the word"


@pytest.mark.parametrize(
    ("ending", "kind"), [(Ending.TIME, "sh-time-byoyomi"), (Ending.FOUL, "sh-found-later")]
)
def test_a_loss_by_rule_is_proposed_to_the_arbiter(ending: Ending, kind: str) -> None:
    fed = Fed("10:00b30")
    fed.line(OPENING, spent_ms=(1000, 2000, 3000))
    fed.ends(ending, "white")

    (ruling,) = fed.table.view.docket.open
    assert (ruling.kind, ruling.proposal.result) == (kind, "0-1")


def test_who_is_said_to_have_won_has_won_until_the_arbiter_says_other() -> None:
    fed = Fed()
    fed.line(OPENING)
    fed.ends(Ending.WON, "white")
    assert fed.table.view.books.result == "1-0"

    fed.take(Act(fed.at_ns + S, "set-result", "arbiter", result=None))
    assert fed.table.view.books.result is None


def test_what_the_board_shows_itself_needs_no_word() -> None:
    mate = "4k4/9/4G4/9/9/9/9/9/4K4 b G2r2b2g4s4n4l18p 1"
    fed = Fed(start=mate)
    fed.take(LineReported(S, mate, ("G*5b",)))
    fed.ends(Ending.MATE)
    fed.ends(Ending.RESIGNED, "white")

    assert fed.open == ["sh-mate"]
    assert fed.table.view.board.faults == []


@pytest.mark.parametrize("ending", [Ending.REPETITION, Ending.MATE, Ending.IMPASSE])
def test_an_end_that_the_moves_do_not_show_is_a_fault_of_the_source(ending: Ending) -> None:
    fed = Fed()
    fed.line(OPENING)
    fed.ends(ending)

    assert fed.table.view.books.result is None
    (fault,) = fed.table.view.board.faults
    assert ending.value in fault


def test_a_game_broken_off_stands_and_has_no_result() -> None:
    fed = Fed("10:00")
    fed.line(OPENING, spent_ms=(1000, 2000, 3000))
    fed.ends(Ending.BROKEN_OFF)

    assert fed.table.view.books.result is None
    assert fed.table.state(fed.at_ns).status == "paused"
    assert fed.table.view.board.faults == []


def test_a_game_told_anew_takes_back_nothing_that_was_pressed_for() -> None:
    """The bishop's move was pressed for; in the game as it is told now it is not even legal."""
    lines = [
        {"scenario": "pressed", "moves": ["e2e4", "e7e5"]},
        {"t": 1000, "lift": "f1"},
        {"t": 1500, "place": "c4", "piece": "B"},
        {"t": 2000, "press": "white"},
    ]
    scenario = read_scenario("\n".join(json.dumps(line) for line in lines))
    table = Table(scenario.setup)
    for _ in play(table, enumerate(scenario.inputs, 1)):
        pass
    assert table.moves == ("e2e4", "e7e5", "f1c4")
    anew = ("d2d4", "d7d5", "g1f3")

    step = table.take(100, LineReported(table.at_ns + S, "", anew))

    assert table.moves == anew
    assert [o.topic for o in step.outputs if o.topic in ("rulings", "result")] == []


def test_a_computer_that_tells_its_moves_plays_on_from_an_arbiters_position() -> None:
    """The position stands on the record as an entry of its own, which no move led to."""
    table = Table(TableSetup())
    table.take(1, LinkUp(S, "movetext", "", Sensing(SensingClass.MOVES, S)))
    for second, move in enumerate(("e2e4", "e7e5"), 2):
        table.take(second, MoveReported(second * S, move))
    fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"
    table.take(4, Act(4 * S, "set-position", "arbiter", fen=fen))

    step = table.take(5, MoveReported(5 * S, "b8c6"))

    told = [json.loads(o.payload) for o in step.outputs if o.topic == "moves"]
    assert [(move["ply"], move["uci"], move["color"]) for move in told] == [(4, "b8c6", "black")]
    assert table.state(5 * S).fen.startswith("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/")
    assert table.moves == ("e2e4", "e7e5", "", "b8c6")
