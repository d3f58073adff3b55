"""A board plays on while nobody listens: its memory puts the half-moves on the record."""

from __future__ import annotations

import json
from typing import Any

import pytest

from arbiterd.rules.ruleset import differing
from arbiterd.table.inputs import Input
from arbiterd.table.setup import TableSetup
from arbiterd.table.table import Table
from eboards.dgt.codec import DgtCodec
from eboards.events import (
    EMPTY,
    LinkDown,
    LinkUp,
    LogLine,
    LogMark,
    Remembered,
    Scan,
    SquareChange,
)
from eboards.memory import START

from .hands import OPERA
from .wired import CHESS, MS, SECOND, Hall


@pytest.mark.parametrize("said", [True, False], ids=["cable out", "service off"])
@pytest.mark.parametrize("missed", [1, 2, 5, 9])
def test_half_moves_nobody_saw_are_recovered_with_their_times(said: bool, missed: int) -> None:
    hall = Hall()
    hall.plug_in()
    for text in OPERA[:6]:
        hall.play(text)
    hall.pull_out(said)
    for text in OPERA[6 : 6 + missed]:
        hall.play(text)

    hall.plug_in()
    hall.wait(15 * SECOND)
    for text in OPERA[6 + missed : 10 + missed]:
        hall.play(text)

    line: dict[int, dict[str, Any]] = {}
    for told in hall.moves:
        line[told["ply"]] = told
    assert [line[ply]["san"] for ply in sorted(line)] == OPERA[: 10 + missed]
    assert [told["seq"] for told in hall.told] == list(range(1, len(hall.told) + 1))
    recovered = [line[ply] for ply in range(7, 7 + missed)]
    assert {told["how"] for told in recovered} == {"recovered"}
    assert {told["certainty"] for told in recovered} == {"certain"}
    own = [told["clock"][f"{told['color']}_ms"] for told in recovered]
    assert all(ms is not None and 550_000 < ms < 600_000 for ms in own)
    assert not [told for told in hall.rulings if told["state"] == "open"]


@pytest.mark.parametrize("out_s", [1, 8], ids=["not told yet", "told"])
@pytest.mark.parametrize("missed", [1, 2, 5])
def test_a_press_that_only_the_memory_has_completes_the_half_move_before(
    missed: int, out_s: int
) -> None:
    """The half-move was seen, then the cable came out: it was told as completed by a reply."""
    hall = Hall()
    hall.plug_in()
    for text in OPERA[:6]:
        hall.play(text)
    hall.make(OPERA[6])
    hall.wait(out_s * SECOND)
    hall.pull_out(said=True)
    hall.board.press("left", hall.now_ns)
    hall.wait(2 * SECOND)
    for text in OPERA[7 : 7 + missed]:
        hall.play(text)
    hall.plug_in()
    hall.wait(15 * SECOND)
    for text in OPERA[7 + missed : 11 + missed]:
        hall.play(text)

    told = [move for move in hall.moves if move["ply"] == 7]
    assert [move["how"] for move in told] == ["settled", "recovered"]
    assert told[-1]["completed_at"] is not None
    assert told[-1]["clock"]["white_ms"] is not None
    assert "replied" not in {move["how"] for move in hall.moves}


@pytest.mark.parametrize("heard_s", [0.5, 1.1])
@pytest.mark.parametrize("away_s", [3, 40])
def test_a_power_cut_while_the_memory_is_on_its_way_only_delays_it(
    heard_s: float, away_s: float
) -> None:
    """The wait for it ran out at the next start, and half-moves were made up from the pieces."""
    hall = Hall()
    hall.plug_in()
    for text in OPERA[:6]:
        hall.play(text)
    hall.pull_out(said=False)
    for text in OPERA[6:12]:
        hall.play(text)
    hall.start_service(hall.now_ns)
    hall.plug_in(heard_s)
    heard_ns = hall.now_ns
    hall.pull_out(said=False)
    hall.wait(int(away_s * SECOND))
    hall.start_service(heard_ns)

    assert hall.moves[-1]["ply"] == 6
    assert back_again(hall, 6, 6) == OPERA[:16]


def back_again(hall: Hall, before: int, missed: int) -> list[str | None]:
    """The board is back, four more are played: the record as it stands then."""
    hall.plug_in()
    hall.wait(15 * SECOND)
    for text in OPERA[before + missed : before + missed + 4]:
        hall.play(text)
    line = {told["ply"]: told for told in hall.moves}
    assert {line[ply]["how"] for ply in range(before + 1, before + missed + 1)} == {"recovered"}
    assert not [told for told in hall.rulings if told["state"] == "open"]
    return [line[ply]["san"] for ply in sorted(line)]


@pytest.mark.parametrize("missed", [1, 2, 5])
@pytest.mark.parametrize("soon_s", [1, 2.4, 4])
def test_what_is_played_while_the_memory_is_on_its_way_goes_behind_it(
    missed: int, soon_s: float
) -> None:
    hall = Hall()
    hall.memory_takes_ns = 8 * SECOND
    hall.plug_in()
    for text in OPERA[:6]:
        hall.play(text)
    hall.pull_out(said=True)
    for text in OPERA[6 : 6 + missed]:
        hall.play(text)
    hall.plug_in(soon_s)
    for text in OPERA[6 + missed : 12 + missed]:
        hall.play(text)
    hall.wait(15 * SECOND)
    for text in OPERA[12 + missed : 14 + missed]:
        hall.play(text)

    line = {told["ply"]: told for told in hall.moves}
    assert [line[ply]["san"] for ply in sorted(line)] == OPERA[: 14 + missed]
    assert {line[ply]["how"] for ply in range(7, 7 + missed)} == {"recovered"}
    assert {line[ply]["certainty"] for ply in line} == {"certain"}
    assert not [told for told in hall.rulings if told["state"] == "open"]


def test_what_is_played_while_a_memory_is_waited_for_in_vain_counts() -> None:
    """Only the position after twenty seconds counted, and half-moves of another order led there."""
    hall = Hall()
    hall.plug_in()
    for text in OPERA[:6]:
        hall.play(text)
    hall.pull_out(said=True)
    hall.play(OPERA[6])
    hall.forgets = True
    hall.plug_in(1)
    for text in OPERA[7:16]:
        hall.play(text)
    hall.wait(15 * SECOND)

    line = {told["ply"]: told for told in hall.moves}
    assert [line[ply]["san"] for ply in sorted(line)] == OPERA[:16]
    assert not [told for told in hall.rulings if told["state"] == "open"]


def test_pieces_that_were_only_put_right_do_not_hide_what_was_played() -> None:
    hall = Hall()
    hall.plug_in()
    for text in OPERA[:6]:
        hall.play(text)
    hall.pull_out(said=True)
    for square in (63, 0):
        piece = hall.board.lift(square, hall.now_ns)
        hall.wait(SECOND)
        hall.board.place(square, piece, hall.now_ns)
        hall.wait(SECOND)
    for text in OPERA[6:11]:
        hall.play(text)

    assert back_again(hall, 6, 5) == OPERA[:15]


def test_a_piece_in_a_hand_when_the_board_is_back_does_not_hide_what_was_played() -> None:
    hall = Hall()
    hall.plug_in()
    for text in OPERA[:6]:
        hall.play(text)
    hall.pull_out(said=True)
    for text in OPERA[6:11]:
        hall.play(text)
    (square, *_) = CHESS.touched(hall.position, CHESS.parse(hall.position, OPERA[11]))
    hall.board.lift(square, hall.now_ns)
    hall.wait(SECOND)

    assert back_again(hall, 6, 5) == OPERA[:15]


def test_a_board_lost_before_the_first_move_tells_the_opening() -> None:
    hall = Hall()
    hall.plug_in()
    hall.pull_out(said=True)
    for text in OPERA[:5]:
        hall.play(text)

    assert back_again(hall, 0, 5) == OPERA[:9]


@pytest.mark.parametrize("seen_s", [4, 40])
@pytest.mark.parametrize("missed", [1, 2, 5])
def test_a_board_lost_soon_after_its_game_was_joined_goes_on(seen_s: float, missed: int) -> None:
    """Its memory went on from a start of its own, which is not the record's: the table stopped."""
    hall = Hall()
    for text in OPERA[:6]:
        hall.play(text)
    hall.plug_in(seen_s)
    hall.pull_out(said=True)
    for text in OPERA[6 : 6 + missed]:
        hall.play(text)
    hall.plug_in()
    hall.wait(15 * SECOND)
    for text in OPERA[6 + missed : 10 + missed]:
        hall.play(text)

    line = {told["ply"]: told["san"] for told in hall.moves}
    assert [line[ply] for ply in sorted(line)][-4:] == OPERA[6 + missed : 10 + missed]
    shown = CHESS.placement(hall.table.view.tracker.position)
    assert shown == CHESS.placement(hall.position)


@pytest.mark.parametrize(
    "act", [{"action": "set-move", "op": "take-back", "ply": 8}, {"action": "start-game"}]
)
def test_what_an_arbiter_changed_while_the_board_was_away_is_not_gone_on_from(
    act: dict[str, Any],
) -> None:
    """The memory went on from half-moves that were no more on the record: the table stopped."""
    hall = Hall()
    hall.plug_in()
    for text in OPERA[:8]:
        hall.play(text)
    hall.pull_out(said=True)
    hall.act(act)
    for text in OPERA[8:11]:
        hall.play(text)
    hall.plug_in()
    hall.wait(15 * SECOND)
    for text in OPERA[11:16]:
        hall.play(text)

    assert not {told["how"] for told in hall.moves} & {"recovered"}
    assert hall.moves[-1]["san"] == OPERA[15]


def test_what_is_played_after_a_position_that_an_arbiter_entered_is_recovered() -> None:
    """One entry that no move made, and no outage for the rest of the game was recovered."""
    hall = Hall()
    hall.plug_in()
    for text in OPERA[:8]:
        hall.play(text)
    stood = CHESS.placement(hall.position)
    for text in OPERA[8:10]:
        hall.position = CHESS.play(hall.position, CHESS.parse(hall.position, text))
    hall.act({"action": "set-position", "fen": CHESS.fen(hall.position)})
    for square in differing(stood, CHESS.placement(hall.position)):
        hall.put(square, CHESS.placement(hall.position)[square])
    hall.wait(SECOND)
    hall.pull_out(said=True)
    for text in OPERA[10:13]:
        hall.play(text)
    hall.plug_in()
    hall.wait(15 * SECOND)

    assert [move["san"] for move in hall.moves if move["how"] == "recovered"] == OPERA[10:13]


def test_a_board_that_was_without_power_for_a_moment_tells_again_at_once() -> None:
    """It answers, and reports nothing by itself: for up to a minute nobody saw a move."""
    hall = Hall()
    hall.plug_in()
    for text in OPERA[:6]:
        hall.play(text)
    hall.board.stop(hall.now_ns)
    hall.board.power_cycle(hall.now_ns)
    hall.wait(5 * SECOND)
    hall.board.start(hall.now_ns)
    hall.play(OPERA[6])

    assert hall.moves[-1]["san"] == OPERA[6]
    assert hall.moves[-1]["how"] == "pressed"


def squares(*changes: str) -> tuple[LogLine, ...]:
    """`e4P`: this piece is there now."""
    names = CHESS.geometry.names
    return tuple(
        LogLine(LogMark.SQUARE, square=names.index(text[:2]), piece=text[2]) for text in changes
    )


def test_where_the_memory_fits_twice_the_arbiter_gets_the_candidates() -> None:
    """Without a clock nothing tells whether the knights went out and home in the gap, or before."""
    table, told = Table(TableSetup()), []
    begun = ("e2.", "e4P", "e7.", "e5p")
    shuffled = ("g1.", "f3N", "g8.", "f6n", "f3.", "g1N", "f6.", "g8n")
    last = ("d2.", "d4P")

    def take(number: int, item: Input) -> None:
        told.extend(json.loads(o.payload) for o in table.take(number, item).outputs if o.seq)

    def pieces(*changes: str) -> tuple[str, ...]:
        shown = list(START)
        for line in squares(*changes):
            shown[line.square or 0] = line.piece or EMPTY
        return tuple(shown)

    sensing = DgtCodec.sensing
    take(1, LinkUp(0, "dgt", "", sensing))
    take(2, Scan(0, START))
    for number, line in enumerate(squares(*begun), 1):
        assert line.square is not None
        assert line.piece is not None
        take(2 + number, SquareChange(number * SECOND, line.square, line.piece))
    take(10, LinkDown(20 * SECOND, "the cable is out"))
    take(11, LinkUp(80 * SECOND, "dgt", "", sensing))
    take(12, Scan(81 * SECOND, pieces(*begun, *last)))
    mark = LogLine(LogMark.START_ARRAY)
    take(13, Remembered(90 * SECOND, (mark, *squares(*begun, *shuffled, *last))))

    (ruling,) = [said for said in told if said.get("kind") == "tech-gap"]
    assert ruling["state"] == "open"
    assert sorted(ruling["facts"]["candidates"]) == ["d2d4", "g1f3 g8f6 f3g1 f6g8 d2d4"]


def test_nothing_is_asked_where_nothing_happened() -> None:
    hall = Hall()
    hall.plug_in()
    for text in OPERA[:4]:
        hall.play(text)
    before = list(hall.told)
    hall.pull_out(said=True)
    hall.wait(5 * SECOND)

    hall.plug_in()

    assert [told for told in hall.told if told["topic"] == "moves"] == [
        told for told in before if told["topic"] == "moves"
    ]
    assert hall.table.view.books.absence is None


@pytest.mark.parametrize("said", [True, False], ids=["cable out", "service off"])
@pytest.mark.parametrize("missed", [1, 3])
def test_a_press_that_nobody_heard_is_not_held_against_the_player(said: bool, missed: int) -> None:
    """The cable comes out within the second in which the board would have told of the press."""
    hall = Hall()
    hall.plug_in()
    for move in OPERA[:3]:
        hall.play(move)
    hall.wait(SECOND - hall.now_ns % SECOND + 100 * MS)
    hall.make(OPERA[3])
    hall.board.press("right", hall.now_ns)
    hall.pull_out(said)
    heard_ns = hall.now_ns
    hall.wait(5 * SECOND)
    for move in OPERA[4 : 4 + missed]:
        hall.play(move)
    if not said:
        hall.start_service(heard_ns)
    hall.plug_in(20)
    for move in OPERA[4 + missed : 9]:
        hall.play(move)
    hall.wait(10 * SECOND)
    assert [told["san"] for told in hall.moves if "replaces" not in told] == OPERA[:9]
    assert [told["text"]["en"]["line"] for told in hall.rulings if told["against"]] == []
