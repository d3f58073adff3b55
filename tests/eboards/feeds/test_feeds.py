"""CSA and USI feeds: a game comes out as it was played, whatever else the lines say."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eboards.codec import AskBoard
from eboards.csa.codec import CsaCodec
from eboards.csa.emulator import CsaServer
from eboards.events import Ending, EndReported, Fault, LineReported, Noise, TimesReported
from eboards.usi.codec import UsiCodec
from eboards.usi.emulator import UsiProgram

GAME = ("7g7f", "3c3d", "8h2b+", "3a2b", "B*4e", "2b3c", "4e3d", "5a4b", "3d5b+", "4b5b")
CODECS = (CsaCodec, UsiCodec)


def told(codec: Any, data: bytes) -> list[LineReported]:
    """The game as it grows; faults there are none."""
    events = codec.receive(data, 5)
    assert not any(isinstance(event, Fault) for event in events), events
    return [event for event in events if isinstance(event, LineReported)]


def played_on_csa(watched: str) -> bytes:
    server = CsaServer(watched=watched)
    server.begin()
    for number, move in enumerate(GAME):
        server.play(move, seconds=number)
    server.end()
    return server.said()


def played_on_usi(_watched: str) -> bytes:
    program = UsiProgram()
    for move in GAME:
        program.play(move)
    return program.said()


@pytest.mark.parametrize("watched", ["", "wdoor+floodgate-300-10F+a+b"])
@pytest.mark.parametrize(
    ("codec", "feed"), [(CsaCodec, played_on_csa), (UsiCodec, played_on_usi)], ids=["csa", "usi"]
)
def test_a_game_grows_by_a_half_move_at_a_time(
    codec: Callable[[], Any], feed: Callable[[str], bytes], watched: str
) -> None:
    lines = told(codec(), feed(watched))

    assert [line.moves for line in lines] == [GAME[: n + 1] for n in range(len(GAME))]
    assert {line.start for line in lines} == {""}


@pytest.mark.parametrize(
    "said",
    [
        "+7776FU,T12\n-3334FU,T6\n%TORYO,T39\n",
        "+7776FU, T12 \n -3334FU ,T6\n %TORYO , T39 \n",
        "+7776FU,T12,-3334FU,T6,%TORYO,T39\n",
        "+7776FU,T12,'* 30 -3334FU\n'** 30\n-3334FU,T6 'book\n%TORYO,T39 'late\n",
    ],
    ids=["times", "spaces", "several on a line", "remarks"],
)
def test_a_move_and_an_end_may_carry_times_spaces_and_remarks(said: str) -> None:
    """An end's own time is nobody's move."""
    events = CsaCodec().receive(f"PI\n+\n{said}".encode(), 7)

    *lines, end = events
    assert end == EndReported(7, Ending.RESIGNED, "black")
    assert [(e.moves, e.spent_ms) for e in lines if isinstance(e, LineReported)] == [
        (("7g7f",), (12_000,)),
        (("7g7f", "3c3d"), (12_000, 6_000)),
    ]
    assert not any(isinstance(event, Fault) for event in events)


def test_what_a_server_says_around_a_game() -> None:
    """The summary of the protocol's own example, shortened, and two moves."""
    head = (
        "LOGIN:one OK\nBEGIN Game_Summary\nProtocol_Version:1.2\nYour_Turn:+\nTo_Move:+\n"
        "BEGIN Time\nTime_Unit:1sec\nEND Time\nBEGIN Position\n"
        "P1-KY-KE-GI-KI-OU-KI-GI-KE-KY\nP2 * -HI *  *  *  *  * -KA * \n"
        "P3-FU-FU-FU-FU-FU-FU-FU-FU-FU\nP4 *  *  *  *  *  *  *  *  * \n"
        "P5 *  *  *  *  *  *  *  *  * \nP6 *  *  *  *  *  *  *  *  * \n"
        "P7+FU+FU+FU+FU+FU+FU+FU+FU+FU\nP8 * +KA *  *  *  *  * +HI * \n"
        "P9+KY+KE+GI+KI+OU+KI+GI+KE+KY\nP+\nP-\n+\nEND Position\nEND Game_Summary\n\n"
        "START:20060505-CSA14-3-5-7\n+2726FU,T12\n-3334FU,T6\n#TIME_UP\n#LOSE\n"
    )

    lines = told(CsaCodec(), head.encode())

    assert [line.moves for line in lines] == [("2g2f",), ("2g2f", "3c3d")]


@pytest.mark.parametrize(
    ("lines", "start"),
    [
        (
            ["PI82HI22KA", "-"],
            "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        ),
        (
            ["P1 *  *  *  * -OU *  *  *  * ", "P+23TO00KI00FU00FU", "P-00AL", "+"],
            "4k4/9/7+P1/9/9/9/9/9/9 b G2P2r2b3g4s4n4l15p 1",
        ),
    ],
)
def test_a_game_from_another_start(lines: list[str], start: str) -> None:
    codec = CsaCodec()
    codec.receive("\n".join([*lines, "+0055KI", "-0034FU", ""]).encode(), 0)
    again = codec.receive("\n".join([*lines, ""]).encode(), 0)

    assert again[-1] == LineReported(0, start, ())


FIRST_GAME = "Time_Unit:1min\nTotal_Time:15\nByoyomi:1\n+\n+7776FU,T1\n%TORYO\n"


@pytest.mark.parametrize(
    ("between", "control"),
    [
        ("BEGIN Game_Summary\nTotal_Time:300\nIncrement:10\nEND Game_Summary\n", "5:00+10"),
        ("V2.2\n$TIME_LIMIT:00:05+10\n", "5:00b10"),
        ("/\nN+one\n", ""),
    ],
)
def test_each_game_has_a_time_control_of_its_own(between: str, control: str) -> None:
    codec = CsaCodec()
    codec.receive(FIRST_GAME.encode(), 0)

    events = codec.receive(f"{between}+\n+2726FU,T5\n".encode(), 0)

    line = events[-1]
    assert isinstance(line, LineReported)
    assert (line.time, line.spent_ms) == (control, (5_000,))
    assert not any(isinstance(event, Fault) for event in events)


def test_a_second_game_is_said_to_begin() -> None:
    server, program = CsaServer(), UsiProgram()
    server.begin()
    server.play("7g7f")
    server.end()
    server.begin()
    program.play("7g7f")
    program.begin()

    for codec, said in ((CsaCodec(), server.said()), (UsiCodec(), program.said())):
        assert [line.moves for line in told(codec, said)] == [("7g7f",), ()]


@pytest.mark.parametrize("line", ["+5554FU", "+7776OU", "+0055TO", "+7776XX"])
def test_a_feed_that_does_not_fit_says_so_once_and_is_followed_from_its_next_game(
    line: str,
) -> None:
    codec = CsaCodec()
    events = codec.receive(f"PI\n+\n{line}\n-3334FU\n".encode(), 0)
    assert [type(event) for event in events] == [Fault]
    assert codec.due_at_ns is None

    server = CsaServer()
    server.begin()
    server.play("7g7f")
    assert [line.moves for line in told(codec, server.said())] == [(), ("7g7f",)]


@pytest.mark.parametrize(
    ("codec", "line"),
    [
        (CsaCodec, b"hello there"),
        (CsaCodec, b"P1-XX"),
        (UsiCodec, b"position nowhere"),
        (UsiCodec, b"position startpos moves 7g7z"),
        (UsiCodec, b"position sfen 9/9 b"),
        (UsiCodec, b"\xff\xfe"),
    ],
)
def test_what_is_no_line_is_a_fault(codec: Callable[[], Any], line: bytes) -> None:
    (fault,) = codec().receive(line + b"\n", 0)

    assert isinstance(fault, Fault)
    assert fault.noise in (Noise.UNKNOWN_MESSAGE, Noise.RANGE)


@pytest.mark.parametrize("codec", CODECS)
def test_nothing_is_ever_sent(codec: Callable[[], Any]) -> None:
    feed = codec()

    assert (feed.send(AskBoard(), 0), feed.due_at_ns, feed.due(0)) == (b"", None, (b"", []))


@given(st.integers(0, 1), st.lists(st.integers(0, 400), max_size=20))
def test_events_do_not_depend_on_where_the_reads_fall(which: int, cuts: list[int]) -> None:
    heard = (played_on_csa(""), played_on_usi(""))[which]
    whole = CODECS[which]().receive(heard, 0)
    codec, pieces = CODECS[which](), []
    for begin, end in pairwise([0, *sorted(min(cut, len(heard)) for cut in cuts), len(heard)]):
        pieces += codec.receive(heard[begin:end], 0)

    assert whole == pieces


@given(st.integers(0, 1), st.binary(max_size=200))
def test_no_bytes_can_raise_or_jam_a_feed(which: int, rubbish: bytes) -> None:
    codec = CODECS[which]()
    codec.receive(rubbish + b"\n", 0)
    good = (played_on_csa(""), played_on_usi(""))[which]

    *_, last = (e for e in codec.receive(good, 0) if isinstance(e, LineReported))

    assert last.moves == GAME


# Times.


@pytest.mark.parametrize("apart", [False, True], ids=["beside the move", "on a line of its own"])
def test_each_move_brings_the_time_it_took(apart: bool) -> None:
    server = CsaServer(times_apart=apart)
    server.begin("$TIME_LIMIT:00:15+60", "PI", "+")
    for move, seconds in zip(GAME, (3, 0, 12), strict=False):
        server.play(move, seconds)

    lines = told(CsaCodec(), server.said())

    assert [line.spent_ms for line in lines] == [(3000,), (3000, 0), (3000, 0, 12000)]
    assert {line.time for line in lines} == {"15:00b60"}


def test_a_move_whose_time_does_not_come_is_told_after_a_moment() -> None:
    codec = CsaCodec()
    assert codec.receive(b"PI\n+\n+7776FU\n", 0) == []
    due_ns = codec.due_at_ns
    assert due_ns is not None
    assert codec.due(due_ns - 1) == (b"", [])

    assert codec.due(due_ns) == (b"", [LineReported(due_ns, "", ("7g7f",))])
    assert codec.receive(b"T5\n", due_ns) == [], "too late, and no other move's time"


@pytest.mark.parametrize(
    ("lines", "control"),
    [
        (["$TIME:300+0+10"], "5:00+10"),
        (["$TIME:600.0+30.0+0.0"], "10:00b30"),
        (["Time_Unit:1sec", "Total_Time:900", "Byoyomi:60"], "15:00b60"),
        (["Time_Unit:1min", "Total_Time:15"], "15:00"),
        (["$TIME:300+10+10"], ""),
        (["Time_Unit:1min", "Total_Time:60", "Byoyomi:20"], ""),
        (["Time_Unit:1sec", "Total_Time:59999", "Byoyomi:999"], "999:59b999"),
    ],
)
def test_the_time_control_is_read_in_every_spelling(lines: list[str], control: str) -> None:
    server = CsaServer()
    server.begin(*lines, "PI", "+")
    server.play("7g7f")

    assert told(CsaCodec(), server.said())[-1].time == control


def test_usi_tells_what_each_side_has_left() -> None:
    program = UsiProgram()
    program.left_ms = [50_000, 0]
    program.play("7g7f")

    times, line = UsiCodec().receive(program.said(), 5)

    assert times == TimesReported(5, white_ms=10_000, black_ms=50_000, running="white")
    assert line == LineReported(5, "", ("7g7f",))


def test_what_an_engine_ponders_on_is_not_played() -> None:
    program = UsiProgram()
    program.play("7g7f")
    program.ponder("3c3d")
    program.play("8c8d")

    assert [line.moves for line in told(UsiCodec(), program.said())] == [
        ("7g7f",),
        ("7g7f", "8c8d"),
    ]


def test_a_position_after_which_nothing_follows_is_told_after_a_moment() -> None:
    codec = UsiCodec()
    assert codec.receive(b"position startpos moves 7g7f\n", 0) == []
    due_ns = codec.due_at_ns
    assert due_ns is not None

    assert codec.due(due_ns) == (b"", [LineReported(due_ns, "", ("7g7f",))])


def test_the_last_move_may_be_an_answer_alone() -> None:
    program = UsiProgram()
    program.play("7g7f")
    program.answer("3c3d")

    assert told(UsiCodec(), program.said())[-1].moves == ("7g7f", "3c3d")


# Ends.


@pytest.mark.parametrize(
    ("words", "end"),
    [
        (["%TORYO"], (Ending.RESIGNED, "white")),
        (["%KACHI", "#JISHOGI"], (Ending.DECLARED, "white")),
        (["%TIME_UP"], (Ending.TIME, "white")),
        (["#TIME_UP", "#LOSE"], (Ending.TIME, "white")),
        (["%ILLEGAL_MOVE"], (Ending.FOUL, "white")),
        (["%+ILLEGAL_ACTION"], (Ending.FOUL, "black")),
        (["%-ILLEGAL_ACTION"], (Ending.FOUL, "white")),
        (["%CHUDAN"], (Ending.BROKEN_OFF, None)),
        (["%SENNICHITE"], (Ending.REPETITION, None)),
        (["%JISHOGI"], (Ending.IMPASSE, None)),
        (["%HIKIWAKE"], (Ending.DRAWN, None)),
        (["%TSUMI"], (Ending.MATE, None)),
        (["Your_Turn:-", "#ILLEGAL_MOVE", "#WIN"], (Ending.FOUL, "black")),
        (["Your_Turn:-", "#LOSE"], (Ending.WON, "black")),
        (["#ILLEGAL_MOVE", "#WIN"], None),
        (["%MATTA"], None),
    ],
)
def test_an_end_is_told_once_and_of_whom(
    words: list[str], end: tuple[Ending, str | None] | None
) -> None:
    server = CsaServer()
    server.begin()
    server.play("7g7f")
    for word in (*words, *words):
        server.end(word)

    events = CsaCodec().receive(server.said(), 5)

    ends = [event for event in events if isinstance(event, EndReported)]
    assert ends == ([] if end is None else [EndReported(5, *end)])


@pytest.mark.parametrize(
    ("lines", "end"),
    [
        (["bestmove resign"], (Ending.RESIGNED, "white")),
        (["bestmove win"], (Ending.DECLARED, "white")),
        (["gameover win"], (Ending.WON, "white")),
        (["bestmove resign", "gameover lose"], (Ending.RESIGNED, "white")),
        (["gameover lose"], (Ending.WON, "black")),
        (["gameover draw"], (Ending.DRAWN, None)),
    ],
)
def test_a_usi_game_ends_once(lines: list[str], end: tuple[Ending, str | None]) -> None:
    program = UsiProgram()
    program.play("7g7f")
    said = program.said() + "\n".join([*lines, ""]).encode()

    events = UsiCodec().receive(said, 5)

    assert [e for e in events if isinstance(e, EndReported)] == [EndReported(5, *end)]


def test_a_resignation_over_a_guess_is_none() -> None:
    program = UsiProgram()
    program.play("7g7f")
    program.ponder("3c3d")
    program.answer("resign")

    events = UsiCodec().receive(program.said(), 5)

    assert not [e for e in events if isinstance(e, EndReported)]
