"""Boards on a bus line: the line's plan, and whole halls of emulated boards.

No recording of a real bus is public: what is tested here is what documents say.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from eboards.codec import AskBoard, AskLog, SetClock, ShowText
from eboards.dgt import bus_frame
from eboards.dgt.bus_codec import DgtBusCodec
from eboards.dgt.bus_emulator import BYTE_NS, DgtBusEmulator, LineFaults
from eboards.dgt.bus_frame import BusFramer, BusReply, command
from eboards.dgt.bus_poller import BusPoller
from eboards.dgt.emulated_board import START
from eboards.dgt.emulated_clock import EmulatedClock
from eboards.dgt.emulator import Badge, DgtEmulator
from eboards.events import (
    CHESS_BOARD,
    ClockReading,
    ClockReply,
    DeviceEvent,
    Fault,
    Identity,
    Lever,
    LogLine,
    LogMark,
    Noise,
    Remembered,
    Scan,
    Side,
    SquareChange,
)

S = 1_000_000_000
MS = 1_000_000


def square(name: str) -> int:
    return CHESS_BOARD.square(name)


# A line.


class Line:
    """A bus of emulated boards, the plan of the line, and a codec for each board."""

    def __init__(
        self, addresses: list[int], *, faults: LineFaults | None = None, search: bool = False
    ) -> None:
        dice = Random(7)
        self.boards = {
            address: DgtEmulator(
                clock=EmulatedClock(180_000, 180_000, increment_ms=2000),
                badge=Badge(serial=f"{address:05}"),
                phase_ns=number * 17 * MS,
                dice=Random(address),
            )
            for number, address in enumerate(addresses)
        }
        self.bus = DgtBusEmulator(list(self.boards.values()), dice, faults)
        self.poller = BusPoller([] if search else addresses, search=search)
        self.codecs = {address: DgtBusCodec(address) for address in addresses}
        self.told: dict[int, list[DeviceEvent]] = {address: [] for address in addresses}
        self.asked: list[tuple[int, bytes]] = []
        self.now_ns = 0

    def until(self, at_ns: int) -> None:
        while True:
            times = [self.bus.due_at_ns, self.poller.due_at_ns]
            if not self.poller.searching:
                times += [codec.due_at_ns for codec in self.codecs.values()]
            now_ns = max(self.now_ns, min(t for t in times if t is not None))
            if now_ns > at_ns:
                self.now_ns = at_ns
                return
            self.now_ns = now_ns
            self.step(now_ns)

    def step(self, now_ns: int) -> None:
        data = self.bus.advance(now_ns)
        if data:
            for address, heard in self.poller.receive(data, now_ns):
                self.told[address] += self.codecs[address].receive(heard, now_ns)
        for address, codec in self.codecs.items():
            due_ns = codec.due_at_ns
            if not self.poller.searching and due_ns is not None and due_ns <= now_ns:
                wanted, events = codec.due(now_ns)
                self.told[address] += events
                self.poller.ask(wanted)
        due_ns = self.poller.due_at_ns
        if due_ns is not None and due_ns <= now_ns:
            question = self.poller.due(now_ns)
            if question:
                self.asked.append((now_ns, question))
                self.bus.receive(question, now_ns)

    def shown(self, address: int) -> list[str]:
        """The pieces as the events of this board tell them."""
        pieces: list[str] = []
        for event in self.told[address]:
            if isinstance(event, Scan):
                pieces = list(event.placement)
            elif isinstance(event, SquareChange):
                pieces[event.square] = event.piece
        return pieces

    def pieces(self, address: int) -> list[str]:
        return [self.boards[address].board.piece(number) for number in range(64)]

    def moves(self, address: int) -> list[str]:
        """Pieces put down and presses, in the order told; remembered ones behind what was known."""
        done: list[str] = []
        for event in self.told[address]:
            if isinstance(event, Remembered):
                done += remembered(event.lines)
            elif isinstance(event, Lever):
                done.append(str(event.runs))
            elif isinstance(event, SquareChange) and event.piece != ".":
                done.append(f"{event.piece}{CHESS_BOARD.names[event.square]}")
        return done


def remembered(lines: tuple[LogLine, ...]) -> list[str]:
    """As `Line.moves`: first all squares as they were known and who had pressed last, then what was
    done. Before the first whole board nothing was known."""
    known = len(CHESS_BOARD) + 1
    if [line.square for line in lines[: known - 1]] != list(range(known - 1)):
        return []
    done = []
    for line in lines[known:]:
        if line.mark is LogMark.CLOCK:
            done.append("right" if line.side is Side.LEFT else "left")
        elif line.square is not None and line.piece != ".":
            done.append(f"{line.piece}{CHESS_BOARD.names[line.square]}")
    return done


class Player:
    """Moves pieces of one board to free squares in blitz, and keeps what was done."""

    def __init__(self, line: Line, address: int) -> None:
        self.address = address
        self.done: list[str] = []
        self.times: list[int] = []
        self.next_ns = 5 * S + address % 41 * 37 * MS
        self._board = line.boards[address]
        self._board.start(0)
        self._dice = Random(address)
        self._side = "left"
        self._hand = ""

    @property
    def unfinished(self) -> bool:
        return bool(self._hand) or len(self.done) % 2 == 1

    def act(self) -> None:
        """The next thing a hand does: lift, place, press."""
        pieces = [self._board.board.piece(number) for number in range(64)]
        own = [n for n, piece in enumerate(pieces) if piece.isupper() == (self._side == "left")]
        if self._hand:
            end = self._dice.choice([n for n, piece in enumerate(pieces) if piece == "."])
            self._board.place(end, self._hand, self.next_ns)
            self.done.append(f"{self._hand}{CHESS_BOARD.names[end]}")
            self._hand = ""
        elif len(self.done) % 2 == 0:
            begin = self._dice.choice([n for n in own if pieces[n] != "."])
            self._hand = self._board.lift(begin, self.next_ns)
        else:
            self._board.press(self._side, self.next_ns)
            self._side = "right" if self._side == "left" else "left"
            self.done.append(self._side)
            self.times.append(self.next_ns)
            # The board hears its clock once a second; faster presses it cannot tell apart.
            self.next_ns += 700 * MS
        self.next_ns += self._dice.randrange(400, 900) * MS


ADDRESSES = [1025, 13116, 16383, 1, 77, 2048, 4095, 300, 9999, 12000, 15000, 8191]


def test_a_quiet_line_asks_every_board_several_times_a_second() -> None:
    line = Line(ADDRESSES)
    line.until(5 * S)
    line.asked.clear()
    line.until(15 * S)

    changes = Counter(data[1:3] for _, data in line.asked if data[0] == bus_frame.CHANGES)
    clocks = Counter(data[1:3] for _, data in line.asked if data[0] == bus_frame.CLOCK)
    assert len(changes) == len(clocks) == 12
    assert min(changes.values()) >= 45, "in ten seconds"
    assert max(changes.values()) - min(changes.values()) <= 1, "and none more than another"
    assert set(clocks.values()) <= {9, 10, 11}


def test_a_board_is_introduced_and_shows_its_pieces_and_its_clock() -> None:
    line = Line([1025, 77])
    line.until(3 * S)

    for address in (1025, 77):
        told = line.told[address]
        assert any(isinstance(e, Identity) and e.firmware == "1.8" for e in told)
        assert line.shown(address) == list(START)
        assert any(isinstance(e, ClockReading) and e.left_ms == 180_000 for e in told)
        assert not any(isinstance(e, Fault) for e in told)


def play(line: Line, players: dict[int, Player], until_ns: int) -> None:
    """All boards at once, each in its own rhythm; moves that have begun are finished."""
    for player in players.values():
        player.next_ns = max(player.next_ns, line.now_ns)
    while True:
        waiting = [p for p in players.values() if p.next_ns <= until_ns or p.unfinished]
        if not waiting:
            break
        player = min(waiting, key=lambda each: each.next_ns)
        line.until(player.next_ns)
        player.act()
    line.until(max(until_ns, line.now_ns) + 4 * S)


def players_of(line: Line) -> dict[int, Player]:
    return {address: Player(line, address) for address in line.boards}


def test_twelve_boards_play_blitz_and_every_move_is_told_in_order_and_in_time() -> None:
    line = Line(ADDRESSES)
    players = players_of(line)
    play(line, players, 40 * S)

    for address, player in players.items():
        assert line.moves(address) == player.done, address
        assert line.shown(address) == line.pieces(address)
        assert [e for e in line.told[address] if isinstance(e, Fault)] == []
        pressed = [e for e in line.told[address] if isinstance(e, Lever)]
        # Up to a second until the board hears the clock, then two rounds of the line.
        late = [e.at_ns - at_ns for e, at_ns in zip(pressed, player.times, strict=True)]
        assert max(late) < S + 2 * 300 * MS


def test_a_line_that_damages_answers_loses_no_move() -> None:
    faults = LineFaults(damaged={1025: 0.02, 77: 0.2}, deaf={300: 0.05})
    line = Line([1025, 77, 300, 4095], faults=faults)
    players = players_of(line)
    play(line, players, 120 * S)

    for address, player in players.items():
        assert line.moves(address) == player.done, address
        assert line.shown(address) == line.pieces(address)
    assert any(isinstance(e, Fault) and e.noise is Noise.CHECKSUM for e in line.told[77])


def test_a_whole_board_whose_damage_the_sum_does_not_see_is_put_right_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two squares came exchanged. The wrong pieces stood there until the next check, a minute."""
    line = Line([1025])
    line.until(5 * S)
    advance, damaged = line.bus.advance, []

    def exchanged(at_ns: int) -> bytes:
        data = advance(at_ns)
        if not damaged and data[:3] == b"\x83\x00\x46":
            damaged.append(at_ns)
            return data[:8] + data[9:10] + data[8:9] + data[10:]
        return data

    monkeypatch.setattr(line.bus, "advance", exchanged)
    line.codecs[1025].send(AskBoard(), line.now_ns)
    line.until(7 * S)

    assert damaged
    assert line.shown(1025) == line.pieces(1025)


def test_boards_that_are_unplugged_and_back_again_tell_what_was_played_meanwhile() -> None:
    line = Line(ADDRESSES)
    away = ADDRESSES[:3]
    players = players_of(line)
    play(line, players, 20 * S)
    for address in away:
        line.bus.unplug(address, line.now_ns)
    play(line, players, 35 * S)
    for address in away:
        line.bus.plug(address, line.now_ns)
    play(line, players, 60 * S)

    for address, player in players.items():
        assert line.moves(address) == player.done, address
        assert line.shown(address) == line.pieces(address)
        silent = [e for e in line.told[address] if isinstance(e, Fault)]
        assert [e.noise for e in silent] == ([Noise.SILENT] if address in away else [])


def test_what_a_board_saw_in_an_absence_comes_as_a_memory_from_where_it_was_known() -> None:
    line = Line([1025])
    line.until(5 * S)
    line.bus.unplug(1025, 5 * S)
    line.until(6 * S)
    line.boards[1025].lift(square("e2"), 6 * S)
    line.until(12 * S)
    line.told[1025].clear()
    line.bus.plug(1025, 12 * S)
    line.until(30 * S)

    memory, scan = line.told[1025][:2]
    assert isinstance(memory, Remembered)
    assert [each.piece for each in memory.lines[:64]] == list(START)
    last = memory.lines[-1]
    assert (last.square, last.piece) == (square("e2"), ".")
    assert isinstance(scan, Scan)
    assert scan.placement[square("e2")] == "."


def test_a_board_on_which_pieces_are_never_still_shows_itself_all_the_same() -> None:
    """The service was started in the middle of a blitz game."""
    line = Line(ADDRESSES)
    board = line.boards[1025]
    for number in range(40):
        line.until(number * 250 * MS)
        begin, end = (("e2", "e4"), ("e4", "e2"))[number // 2 % 2]
        if number % 2 == 0:
            board.lift(square(begin), line.now_ns)
        else:
            board.place(square(end), "P", line.now_ns)
    first = next(e for e in line.told[1025] if isinstance(e, Scan))
    line.until(12 * S)

    assert first.at_ns < 4 * S
    assert line.shown(1025) == line.pieces(1025)
    assert not any(isinstance(e, Fault) for e in line.told[1025])


def test_a_piece_lifted_behind_the_first_picture_is_told_behind_it() -> None:
    line = Line(ADDRESSES)
    address = ADDRESSES[-1]
    while not any(asked == command(bus_frame.BOARD, address) for _, asked in line.asked):
        line.until(line.now_ns + 10 * MS)
    line.until(line.now_ns + 100 * MS)
    line.boards[address].lift(square("e2"), line.now_ns)
    line.until(line.now_ns + 6 * S)

    told = [e for e in line.told[address] if isinstance(e, (Scan, SquareChange))]
    assert isinstance(told[0], Scan)
    assert told[0].placement == tuple(START)
    assert isinstance(told[1], SquareChange)
    assert (told[1].square, told[1].piece) == (square("e2"), ".")


def test_a_silent_board_holds_up_nobody() -> None:
    line = Line(ADDRESSES)
    line.bus.unplug(1, 0)
    line.until(30 * S)
    line.asked.clear()
    line.until(40 * S)

    counts = Counter(data[1:3] for _, data in line.asked if data[0] == bus_frame.CHANGES)
    assert len(counts) == 11
    assert min(counts.values()) >= 45


def test_a_long_line_loses_only_who_does_not_answer() -> None:
    """A round of 49 boards takes longer, while they are met, than a board alone may be silent."""
    line = Line([1000 + 7 * number for number in range(49)])
    line.until(15 * S)
    line.bus.unplug(1007, 15 * S)
    line.until(30 * S)

    silent = {
        address: event.note
        for address, events in line.told.items()
        for event in events
        if isinstance(event, Fault) and event.noise is Noise.SILENT
    }
    assert silent == {1007: "no answer from address 1007 for 9 s"}


def test_a_ping_whose_answer_comes_damaged_is_sent_again_at_once() -> None:
    """Somebody is there: without it the board stays away for up to sixteen seconds more."""
    poller, at_ns, sent = BusPoller([1025]), 0, b""
    while sent[:1] != bytes([bus_frame.PING]):
        at_ns = poller.due_at_ns or at_ns
        sent = poller.due(at_ns)
    poller.receive(bytes.fromhex("870006080117"), at_ns + 10 * MS)
    again_ns = poller.due_at_ns or at_ns

    assert again_ns - at_ns <= 100 * MS
    assert poller.due(again_ns) == sent
    poller.receive(bytes.fromhex("870006080116"), again_ns + 10 * MS)
    assert poller.due(again_ns + 10 * MS)[0] == bus_frame.CHANGES


def test_a_read_of_nothing_is_no_answer_that_still_comes() -> None:
    poller = BusPoller([1025])
    poller.due(0)
    before_ns = poller.due_at_ns
    poller.receive(b"", 90 * MS)

    assert poller.due_at_ns == before_ns


def test_a_board_that_lost_its_power_shows_what_stands_on_it_now() -> None:
    line = Line([1025, 77])
    line.until(5 * S)
    line.bus.unplug(1025, 5 * S)
    line.boards[1025].lift(square("e2"), 6 * S)
    line.boards[1025].place(square("e4"), "P", 6 * S)
    line.bus.plug(1025, 20 * S, powered=False)
    line.until(45 * S)

    assert line.shown(1025) == line.pieces(1025)


@pytest.mark.parametrize("number", [1, 3, 12])
def test_a_search_finds_every_board_however_they_collide(number: int) -> None:
    line = Line(ADDRESSES[:number], search=True)
    while line.poller.searching and line.now_ns < 60 * S:
        line.until(line.now_ns + S)

    assert line.poller.addresses == tuple(sorted(ADDRESSES[:number]))
    assert not line.poller.searching


def test_a_board_in_single_board_mode_is_brought_back_to_the_bus() -> None:
    line = Line([1025])
    line.boards[1025].receive(b"\x4b", 0)
    line.until(5 * S)

    assert line.shown(1025) == list(START)


def test_a_start_array_is_marked_once_and_the_log_of_the_game_begins_there() -> None:
    line = Line([1025])
    line.until(5 * S)
    marks = [data for _, data in line.asked if data[0] == bus_frame.MARK_START]
    assert len(marks) == 1
    players = players_of(line)
    play(line, players, 15 * S)
    line.codecs[1025].send(AskLog(), line.now_ns)
    line.until(line.now_ns + 2 * S)

    (log,) = [e for e in line.told[1025] if isinstance(e, Remembered) and len(e.lines) > 32]
    assert len([line for line in log.lines if line.side is not None]) == len(players[1025].times)


def test_a_press_on_a_bus_carries_how_late_it_may_be() -> None:
    line = Line([1025])
    line.boards[1025].start(0)
    line.until(5 * S)
    line.boards[1025].press("left", 5 * S)
    line.until(8 * S)

    (press,) = [e for e in line.told[1025] if isinstance(e, Lever)]
    assert press.runs is Side.RIGHT
    assert press.late_ns >= S, "the board asks its clock once a second, and we ask the board"
    assert press.at_ns - press.late_ns <= 5 * S


def test_asking_for_a_board_tells_it_again() -> None:
    line = Line([1025])
    line.until(5 * S)
    line.told[1025].clear()
    line.codecs[1025].send(AskBoard(), 5 * S)
    line.until(6 * S)

    assert [e for e in line.told[1025] if isinstance(e, Scan)] == [
        next(e for e in line.told[1025] if isinstance(e, Scan))
    ]


@pytest.mark.parametrize(
    ("order", "name"),
    [(SetClock(1000, 1000, None), "set-clock"), (ShowText("hello"), "show-text")],
)
def test_a_clock_on_a_bus_cannot_be_written_to_and_that_is_told(
    order: SetClock | ShowText, name: str
) -> None:
    line = Line([1025])
    line.until(5 * S)
    line.codecs[1025].send(order, 5 * S)
    line.until(6 * S)

    (reply,) = [event for event in line.told[1025] if isinstance(event, ClockReply)]
    assert (reply.command, reply.accepted) == (name, False)
    assert all(data[0] >= 0x80 for _, data in line.asked)


def test_two_who_speak_at_once_spoil_both_and_the_line_says_so() -> None:
    boards = [DgtEmulator(badge=Badge(serial=f"{n:05}")) for n in (5, 80)]
    bus = DgtBusEmulator(boards, Random(1))
    bus.receive(command(bus_frame.PING, bus_frame.ALL), 0)
    at_ns, heard = 0, b""
    while bus.due_at_ns is not None:
        at_ns = bus.due_at_ns
        heard += bus.advance(at_ns)

    assert len(heard) == 6
    assert at_ns >= 10 * BYTE_NS, "the line takes its time"
    assert not any(isinstance(each, BusReply) for each in BusFramer().feed(heard, 0))
