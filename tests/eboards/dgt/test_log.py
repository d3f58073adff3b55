"""The memory of a board: read, written by its own rules, and joined to what was known.

No recording of a real download is public: what is tested here is what documents say.
"""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eboards.codec import AskLog
from eboards.dgt import log
from eboards.dgt.codec import DgtCodec
from eboards.dgt.emulated_clock import EmulatedClock
from eboards.dgt.emulator import DgtEmulator
from eboards.events import (
    CHESS_BOARD,
    ClockReading,
    DeviceEvent,
    Fault,
    LogLine,
    LogMark,
    Remembered,
    Side,
)
from eboards.memory import LastSeen, missed
from eboards.transport.paced import PacedLine

S = 1_000_000_000
MS = 1_000_000


def square(name: str) -> int:
    return CHESS_BOARD.square(name)


def on(name: str, piece: str, *, quick: bool = False) -> LogLine:
    return LogLine(LogMark.SQUARE, square(name), piece, quick)


def stopped(side: Side, milliseconds: int) -> LogLine:
    return LogLine(LogMark.CLOCK, side=side, stopped_ms=milliseconds)


# Reading.


def test_a_game_that_begins_as_documents_tell_it() -> None:
    lines = log.read(bytes.fromhex("6f 4034 5124 702955 400c 571c 613012 6b"))

    assert lines == (
        LogLine(LogMark.START_ARRAY),
        on("e2", "."),
        on("e4", "P", quick=True),
        stopped(Side.LEFT, 1_795_000),
        on("e7", "."),
        on("e5", "p", quick=True),
        stopped(Side.RIGHT, 5_412_000),
    )


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("7f7f7f6a 4800 423f", (LogLine(LogMark.POWER_UP), on("a8", "r"), on("h1", "R"))),
        ("6c", (LogLine(LogMark.OUTER_ROWS),)),
        ("6d", (LogLine(LogMark.EMPTY_BOARD),)),
        ("6e", (LogLine(LogMark.DOWNLOADED),)),
        ("7a", (LogLine(LogMark.START_ARRAY_TURNED),)),
        ("7b", (LogLine(LogMark.GAME_START),)),
        ("7c", (LogLine(LogMark.POWER_UP),)),
        ("7d7e7f00", ()),
        ("340010 4034", (on("e2", "."),)),
        ("40", ()),
        ("7029", ()),
        ("40 6d", (LogLine(LogMark.EMPTY_BOARD),)),
        ("70295a", ()),
        ("6a", (LogLine(LogMark.POWER_UP),)),
    ],
)
def test_each_tag_and_halves_of_tags(text: str, lines: tuple[LogLine, ...]) -> None:
    assert log.read(bytes.fromhex(text)) == lines


@given(st.binary(max_size=200))
def test_whatever_is_in_it_the_next_line_is_read(data: bytes) -> None:
    """Seven bits travel. Two bytes of nothing are enough behind half a tag."""
    lines = log.read(bytes(byte & 0x7F for byte in data) + b"\x7f\x7f\x6f")

    assert lines[-1] == LogLine(LogMark.START_ARRAY)


@given(st.integers(0, 12))
def test_a_ring_cut_in_a_tag_finds_its_feet_within_it(cut: int) -> None:
    whole = bytes.fromhex("4034 5124 702955 400c 571c")
    tail = log.read(whole + bytes.fromhex("6f4034"))[-2:]

    assert log.read(whole[cut:] + bytes.fromhex("6f4034"))[-2:] == tail


# Writing.


def remembered(emulator: DgtEmulator, at_ns: int) -> tuple[LogLine, ...]:
    """Downloaded and read, without the pieces found at power-up."""
    emulator.receive(b"\x49", at_ns)
    events = DgtCodec().receive(emulator.advance(at_ns), at_ns)
    (event,) = (event for event in events if isinstance(event, Remembered))
    begins = [place for place, line in enumerate(event.lines) if line.mark is LogMark.START_ARRAY]
    return event.lines[begins[0] :]


def test_a_download_is_as_long_as_the_memory_and_leaves_its_mark() -> None:
    emulator = DgtEmulator()
    emulator.receive(b"\x49", 0)
    sent = emulator.advance(0)

    assert len(sent) == 7939
    assert sent.startswith(b"\x8f\x3e\x03")
    assert sent.endswith(b"\x6b")
    assert remembered(emulator, 1)[-1].mark is LogMark.DOWNLOADED


def test_what_happens_without_a_computer_is_remembered() -> None:
    emulator = DgtEmulator(clock=EmulatedClock(1_800_000, 1_800_000))
    emulator.start(0)
    emulator.lift(square("e2"), S)
    emulator.place(square("e4"), "P", S + 500 * MS)
    emulator.press("left", 4 * S + 500 * MS)
    emulator.advance(6 * S)

    assert remembered(emulator, 10 * S) == (
        LogLine(LogMark.START_ARRAY),
        on("e2", "."),
        on("e4", "P"),
        stopped(Side.LEFT, 1_796_000),
    )


def test_a_flicker_of_one_piece_takes_one_entry() -> None:
    emulator = DgtEmulator()
    for second in range(1, 20, 2):
        emulator.lift(square("e2"), second * S)
        emulator.place(square("e2"), "P", (second + 1) * S)

    assert remembered(emulator, 30 * S)[1:] == (on("e2", "P"),)


def test_the_start_array_is_written_again_only_after_more_than_two_pieces_were_away() -> None:
    emulator = DgtEmulator()
    for at_ns, name, piece in [(1, "e2", "."), (2, "e2", "P"), (3, "d2", "."), (4, "d2", "P")]:
        emulator.set_square(square(name), piece, at_ns * S)
    assert [line.mark for line in remembered(emulator, 5 * S)].count(LogMark.START_ARRAY) == 1

    for at_ns, name, piece in [(6, "a2", "."), (7, "b2", "."), (8, "c2", ".")]:
        emulator.set_square(square(name), piece, at_ns * S)
    for at_ns, name, piece in [(9, "a2", "P"), (10, "b2", "P"), (11, "c2", "P")]:
        emulator.set_square(square(name), piece, at_ns * S)
    assert [line.mark for line in remembered(emulator, 12 * S)].count(LogMark.START_ARRAY) == 2


@pytest.mark.parametrize("seed", range(4))
def test_however_long_it_is_used_the_ring_leads_to_what_stands_on_the_board(seed: int) -> None:
    """Thousands of changes: the oldest are gone, the rest still ends with the board's pieces."""
    dice = Random(seed)
    emulator = DgtEmulator()
    at_ns = 0
    for _ in range(6000):
        at_ns += 300 * MS
        emulator.set_square(dice.randrange(64), dice.choice(".PRNBKQprnbkq"), at_ns)
    emulator.receive(b"\x49", at_ns + S)
    events = DgtCodec().receive(emulator.advance(at_ns + S), at_ns + S)
    (event,) = (event for event in events if isinstance(event, Remembered))

    shown: dict[int | None, str | None] = {line.square: line.piece for line in event.lines}
    pieces = [emulator.board.piece(number) for number in range(64)]
    assert [shown[number] for number in range(64)] == pieces


def test_a_download_takes_eight_seconds_and_the_board_is_not_taken_for_lost() -> None:
    line, codec = PacedLine(DgtEmulator()), DgtCodec()
    events: list[DeviceEvent] = []
    asked = False
    now_ns = 0
    while now_ns < 15 * S:
        times = [t for t in (codec.due_at_ns, line.due_at_ns) if t is not None]
        now_ns = max(now_ns, min(times))
        if now_ns > 3 * S and not asked:
            codec.send(AskLog(), now_ns)
            asked = True
        events += codec.receive(line.advance(now_ns), now_ns)
        if codec.due_at_ns is not None and codec.due_at_ns <= now_ns:
            data, told = codec.due(now_ns)
            events += told
            line.receive(data, now_ns)

    (memory,) = (event for event in events if isinstance(event, Remembered))
    assert 11 * S < memory.at_ns < 13 * S
    assert not any(isinstance(event, Fault) for event in events)


# Recovery.


class Game:
    """Moves on an emulated board, and what a computer knew of them at some time."""

    def __init__(self) -> None:
        self.emulator = DgtEmulator(clock=EmulatedClock(180_000, 180_000, increment_ms=2000))
        self.emulator.start(0)
        self.at_ns = 0
        self.pressed = "left"

    def play(self, *moves: str) -> None:
        for move in moves:
            self.at_ns += 3 * S
            piece = self.emulator.lift(square(move[:2]), self.at_ns)
            self.emulator.place(square(move[2:]), piece, self.at_ns + 400 * MS)
            self.at_ns += S
            self.emulator.press(self.pressed, self.at_ns)
            self.pressed = "right" if self.pressed == "left" else "left"
        self.at_ns += 2 * S
        self.emulator.advance(self.at_ns)

    def known(self) -> LastSeen:
        """As the last dump and the last reading showed it."""
        self.emulator.receive(b"\x42\x41", self.at_ns)
        codec = DgtCodec()
        scan, clock = codec.receive(self.emulator.advance(self.at_ns), self.at_ns)
        assert isinstance(clock, ClockReading)
        side = Side.LEFT if clock.lever is Side.RIGHT else Side.RIGHT
        stands_ms = clock.left_ms if side is Side.LEFT else clock.right_ms
        return LastSeen(scan.placement, side, stands_ms)  # type: ignore[union-attr]

    def memory(self) -> tuple[LogLine, ...]:
        codec = DgtCodec()
        codec.send(AskLog(), self.at_ns)
        self.emulator.receive(b"\x49", self.at_ns)
        events = codec.receive(self.emulator.advance(self.at_ns), self.at_ns)
        (event,) = (event for event in events if isinstance(event, Remembered))
        return event.lines


def moves_in(lines: tuple[LogLine, ...]) -> list[str]:
    """Places and presses, as text."""
    return [
        CHESS_BOARD.names[line.square] if line.square is not None else str(line.side)
        for line in lines
        if line.mark is LogMark.CLOCK or (line.mark is LogMark.SQUARE and line.piece != ".")
    ]


def test_five_moves_without_a_computer_are_found_behind_what_was_known() -> None:
    game = Game()
    game.play("e2e4", "e7e5", "g1f3")
    before = game.known()
    game.play("b8c6", "f1b5", "a7a6", "b5a4", "g8f6")

    (found,) = missed(game.memory(), before)

    assert moves_in(found.lines) == [
        *("c6", "right", "b5", "left", "a6", "right", "a4", "left", "f6", "right"),
    ]
    assert found.placement == game.known().placement


def test_a_board_that_looked_the_same_before_is_told_apart_by_the_clock() -> None:
    game = Game()
    shuffle = ("g1f3", "g8f6", "f3g1", "f6g8")
    game.play(*shuffle)
    before = game.known()
    game.play("e2e4")

    (found,) = missed(game.memory(), before)

    assert moves_in(found.lines) == ["e4", "left"]


def test_without_a_clock_every_place_that_fits_is_given() -> None:
    game = Game()
    game.play("g1f3", "g8f6", "f3g1", "f6g8")
    before = LastSeen(game.known().placement)
    game.play("e2e4")

    found = missed(game.memory(), before)

    assert [moves_in(each.lines)[-2:] for each in found] == [["e4", "left"]] * len(found)
    assert len(found) > 1


def test_a_memory_that_does_not_reach_back_explains_nothing() -> None:
    game = Game()
    game.play("e2e4")

    assert missed(game.memory(), LastSeen(tuple("Q" * 64))) == ()
    assert missed((), game.known()) == ()
