"""The check list before a round and after it, in sentences."""

from __future__ import annotations

from dataclasses import replace as replaced

import pytest
from msgspec.structs import replace

from arbiterd.hall.round.round_check import after, before
from arbiterd.messages.payloads import Clock, State
from arbiterd.table.setup import TableSetup
from arbiterd.table.table import Table
from arbiterd.timing.control import Kind, Rate, read_period
from eboards.events import (
    BLACK_PIECE,
    CHESS_BOARD,
    EMPTY,
    UNKNOWN,
    WHITE_PIECE,
    LinkUp,
    Placement,
    Scan,
    Sensing,
    SensingClass,
)
from eboards.memory import START as PIECES


@pytest.mark.parametrize(
    ("open_rulings", "said"),
    [
        ((), []),
        (("7-0001",), ["table 7: 1 alert is not decided"]),
        (("7-0001", "7-0002"), ["table 7: 2 alerts are not decided"]),
    ],
)
def test_alerts_that_are_open_are_counted(open_rulings: tuple[str, ...], said: list[str]) -> None:
    table = Table(TableSetup(hall="main", table="7", white="Ada", black="Bea"))
    state = replace(table.state(0), result="1-0", open_rulings=list(open_rulings))
    assert after({"7": state}, {}) == said


SETUP = TableSetup(
    hall="main", table="7", white="Ada", black="Bea",
    rate=Rate(Kind.STANDARD, supervised=True, periods=(read_period("90:00+30"),)),
)  # fmt: skip
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
FULL_MS, CREDIT_MS, WHILE_SET_MS = 5_400_000, 30_000, 2_000


def ready(white_ms: int = FULL_MS, black_ms: int = FULL_MS) -> State:
    """A board with its pieces and its clock, as it is to be before the first half-move."""
    return replace(
        Table(SETUP).state(0),
        device="ok",
        placement=START,
        clock=Clock(white_ms=white_ms, black_ms=black_ms, running=None, flag=None),
    )


@pytest.mark.parametrize("shown_ms", [FULL_MS - WHILE_SET_MS, FULL_MS, FULL_MS + CREDIT_MS])
def test_a_table_that_is_ready_is_not_named(shown_ms: int) -> None:
    """A clock may be set already with its first credit, and may have been looked at meanwhile."""
    assert before({"7": SETUP}, {"7": ready(shown_ms, shown_ms)}) == []


@pytest.mark.parametrize(
    ("shown_ms", "shows"),
    [
        (FULL_MS - WHILE_SET_MS - 1, "1:29:57"),
        (FULL_MS + CREDIT_MS + 1, "1:30:30"),
        (3_600_000, "1:00:00"),
    ],
)
def test_a_clock_that_is_set_wrongly_is_named_with_its_side(shown_ms: int, shows: str) -> None:
    said = f"shows {shows}, the rate says 1:30:00"
    white = before({"7": SETUP}, {"7": ready(white_ms=shown_ms)})
    black = before({"7": SETUP}, {"7": ready(black_ms=shown_ms)})

    assert white == [f"table 7: the clock of White {said}"]
    assert black == [f"table 7: the clock of Black {said}"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"device": "none"}, ["no board; plug it in, or enter the moves by hand"]),
        ({"device": "lost"}, ["its board is lost; look at its cable and its battery"]),
        ({"device": "degraded"}, ["its board is degraded; look at its cable and its battery"]),
        (
            {"placement": START.replace("RNBQ", "NRBQ")},
            [f"the pieces do not stand at the start ({START.replace('RNBQ', 'NRBQ')})"],
        ),
        ({"clock": None}, ["no clock is heard"]),
        (
            {"device": "lost", "clock": None},
            ["its board is lost; look at its cable and its battery"],
        ),
        ({"status": "playing", "placement": "8/8/8/8/8/8/8/8", "clock": None}, []),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_what_a_table_lacks_is_said(change: dict[str, object], said: list[str]) -> None:
    """A game that is played already stands where it stands, with what is left on its clock."""
    found = before({"7": SETUP}, {"7": replace(ready(), **change)})

    assert found == [f"table 7: {words}" for words in said]


DRAWN = "bqnbnrkr", "BQNBNRKR"
COUNTED = tuple(EMPTY if piece == EMPTY else UNKNOWN for piece in PIECES)
COLOURED = (BLACK_PIECE,) * 16 + (EMPTY,) * 32 + (WHITE_PIECE,) * 16


@pytest.mark.parametrize(
    ("ruleset", "start", "kind", "shown", "stands"),
    [
        ("chess", "", SensingClass.OCCUPANCY, COUNTED, True),
        ("chess", "", SensingClass.OCCUPANCY, (EMPTY, *COUNTED[1:]), False),
        ("chess", "", SensingClass.COLOUR, COLOURED, True),
        ("chess", "", SensingClass.COLOUR, (WHITE_PIECE, *COLOURED[1:]), False),
        ("chess", "", SensingClass.IDENTITY, (UNKNOWN, *PIECES[1:]), False),
        ("chess", "", SensingClass.IDENTITY, (*DRAWN[0], *PIECES[8:56], *DRAWN[1]), False),
        ("chess960", "", SensingClass.IDENTITY, (*DRAWN[0], *PIECES[8:56], *DRAWN[1]), True),
        ("chess960", "", SensingClass.IDENTITY, (*DRAWN[0], *PIECES[8:]), False),
        ("chess960", "", SensingClass.OCCUPANCY, COUNTED, True),
        ("chess960", "518", SensingClass.IDENTITY, (*DRAWN[0], *PIECES[8:56], *DRAWN[1]), False),
    ],
)
def test_pieces_stand_at_the_start_as_far_as_their_board_tells(
    ruleset: str, start: str, kind: SensingClass, shown: Placement, stands: bool
) -> None:
    """A board that only counts pieces, and an array that the players draw, are ready too."""
    setup = replaced(SETUP, ruleset=ruleset, start=start, rate=Rate())
    table = Table(setup)
    table.take(1, LinkUp(0, "maker", "usb0", Sensing(kind, 200_000_000, CHESS_BOARD)))
    table.take(2, Scan(0, tuple(shown)))
    found = before({"7": setup}, {"7": table.state(0)}, sensing={"7": table.view.sensing.kind})

    assert [line for line in found if "do not stand" in line] == found
    assert bool(found) is not stands


@pytest.mark.parametrize(("shown_ms", "ready_so"), [(30_000, True), (0, False)])
def test_a_rate_of_byo_yomi_alone_begins_with_it(shown_ms: int, ready_so: bool) -> None:
    rate = Rate(Kind.BLITZ, supervised=True, periods=(read_period("0:00b30"),))
    found = before({"7": replaced(SETUP, rate=rate)}, {"7": ready(shown_ms, shown_ms)})

    assert bool(found) is not ready_so
    assert all("the rate says 0:00:30" in line for line in found)


def test_names_are_looked_at_too() -> None:
    half, other = replaced(SETUP, black=""), replaced(SETUP, white="Cleo", black="Ada")
    found = before({"7": half, "8": other}, {"7": ready()})

    assert found == [
        "Ada plays at two tables; mend the pairings",
        "table 7: one player has no name",
        "table 8: it has stopped; start the service again",
    ]


def test_a_table_without_a_game_is_not_looked_at() -> None:
    empty = replaced(SETUP, white="", black="")

    assert before({"7": empty}, {}, {"7": ["e4"]}) == []
    assert after({"7": replace(ready(), white="", black="")}, {}) == []


def test_coils_that_lose_pieces_are_named_with_what_proves_them() -> None:
    weak = {"7": [f"{file}4" for file in "abcdefgh"] + ["a5"]}
    found = before({"7": SETUP}, {"7": ready()}, weak)

    named = "a4 b4 c4 d4 e4 f4 g4 h4"
    assert found == [f"table 7: coils lose their pieces ({named}); arbiterd test-board 7"]


@pytest.mark.parametrize(
    ("result", "shows", "said"),
    [
        (None, {}, ["table 7: no result"]),
        ("0-1", {"7": "1-0"}, ["table 7: the result is 0-1, the board says 1-0"]),
        ("1-0", {"7": "1-0"}, []),
        ("1-0", {}, []),
    ],
)
def test_a_result_is_held_against_the_board(
    result: str | None, shows: dict[str, str], said: list[str]
) -> None:
    assert after({"7": replace(ready(), result=result)}, shows) == said
