"""Who is asked when on a bus line: one question at a time, as often as the line allows.

    round     for each board in turn: its changes, its clock once a second, and one other thing
              that is wanted of it; long answers only at every third turn, lest others wait
    error     changes that came damaged are asked for again, never asked for anew: what a board
              has told once it does not tell again
    silence   a board that missed three rounds is pinged now and then, less and less often, and
              holds up nobody; back again, it is asked for its changes and its whole board
    search    ping all; each answers at a random moment within 1.1 s; those already known are told
              to keep quiet; until two pings brought nobody new

At 9600 baud an empty answer and its question take 11 ms, a clock 18 ms: twelve boards are each
asked five times a second.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from eboards.dgt import bus_frame

ANSWER_NS: Final = 100_000_000
"""A board answers within milliseconds, while it writes its memory within 20."""
SLOW_ANSWER_NS: Final = 300_000_000
"""Marking a start takes a board some 70 ms."""
GAP_IN_ANSWER_NS: Final = 50_000_000
"""An answer that stops for so long has ended."""
CLOCK_NS: Final = 1_000_000_000
LONG: Final = frozenset({bus_frame.BOARD, bus_frame.FROM_START, bus_frame.MARK_START})
LONG_TURNS: Final = 3
"""A whole board takes 83 ms: were all twelve asked in one round, it would last a second longer."""
TRIES: Final = 4
AWAY_AFTER: Final = 3
PING_NS: Final = 2_000_000_000
PING_MAX_NS: Final = 16_000_000_000
SEARCH_NS: Final = 1_200_000_000
SEARCHES_IN_VAIN: Final = 2


@dataclass(slots=True)
class BusSeat:
    """A board on the line, as far as the line knows it."""

    address: int
    misses: int = 0
    back: bool = False
    """It was away: what it saw meanwhile is asked for first."""
    repeat: bool = False
    """The last changes may have been lost on their way."""
    clock_at_ns: int = 0
    ping_at_ns: int = 0
    ping_ns: int = PING_NS
    wanted: deque[int] = field(default_factory=deque)
    served: bool = False
    """It has been asked something else in this turn; its changes end the turn."""

    @property
    def away(self) -> bool:
        return self.misses >= AWAY_AFTER

    def want(self, *numbers: int) -> None:
        """To be asked at its next turn, once."""
        self.wanted.extend(number for number in numbers if number not in self.wanted)


@dataclass(slots=True)
class BusQuestion:
    """What the line is waiting for."""

    seat: BusSeat | None
    """None: all boards."""
    number: int
    deadline_ns: int
    tried: int = 1
    damaged: bool = False
    """Something came back, and it was no answer."""


class BusPoller:
    """Plans one line. Bytes come out with the board they were heard from while it was asked."""

    def __init__(self, addresses: Iterable[int] = (), *, search: bool = False) -> None:
        self._seats: dict[int, BusSeat] = {}
        self._turns: deque[int] = deque()
        self._framer = bus_frame.BusFramer()
        self._question: BusQuestion | None = None
        self._free_at_ns = 0
        self._in_vain = 0 if search else SEARCHES_IN_VAIN
        self._quieted: deque[int] = deque()
        self._met_now = False
        self._turns_until_long = 0
        self._missed: list[int] = []
        """Who was asked and gave no whole answer, once for each question; not told yet."""
        for address in addresses:
            self.add(address)

    @property
    def addresses(self) -> tuple[int, ...]:
        """All boards known on the line."""
        return tuple(sorted(self._seats))

    @property
    def searching(self) -> bool:
        """True until everybody has been found who can be."""
        return self._in_vain < SEARCHES_IN_VAIN

    @property
    def waiting(self) -> bool:
        """True while a question has no answer yet."""
        return self._question is not None

    def add(self, address: int) -> None:
        """A board that should be there. Known ones are left as they are."""
        if address not in self._seats:
            self._seats[address] = BusSeat(address)
            self._turns.append(address)

    def remove(self, address: int) -> None:
        """Nobody wants to hear of this board any more."""
        if self._seats.pop(address, None) is not None:
            self._turns.remove(address)

    def ask(self, data: bytes) -> None:
        """Whole commands for boards on this line, to be asked as soon as it is their turn."""
        for begin in range(0, len(data) - 3, 4):
            seat = self._seats.get(data[begin + 1] << 7 | data[begin + 2])
            if seat is not None:
                seat.want(data[begin])

    def receive(self, data: bytes, at_ns: int) -> list[tuple[int, bytes]]:
        """The bytes, for each board that was being asked when they came.

        Before them none, for each question that was given up since: the board did not answer.
        """
        question = self._question
        heard = [(address, b"") for address in self._missed]
        self._missed.clear()
        if question is not None and data:
            question.deadline_ns = max(question.deadline_ns, at_ns + GAP_IN_ANSWER_NS)
            if question.seat is not None:
                heard.append((question.seat.address, data))
        for found in self._framer.feed(data, at_ns):
            if isinstance(found, bus_frame.BusReply):
                self._answered(found, at_ns)
            elif question is not None:
                question.damaged = True
        return heard

    @property
    def due_at_ns(self) -> int | None:
        """When there is something to ask, or to give up waiting for. None: no boards."""
        if self._question is not None:
            return self._question.deadline_ns
        if self.searching or any(not seat.away for seat in self._seats.values()):
            return self._free_at_ns
        pings = [seat.ping_at_ns for seat in self._seats.values()]
        return max(self._free_at_ns, min(pings)) if pings else None

    def due(self, at_ns: int) -> bytes:
        """The next question. First what was asked and not answered is dealt with."""
        if self._question is not None:
            if at_ns < self._question.deadline_ns:
                return b""
            again = self._unanswered(self._question, at_ns)
            if again:
                return again
        if at_ns < self._free_at_ns:
            return b""
        return self._search(at_ns) if self.searching else self._round(at_ns)

    def _answered(self, reply: bus_frame.BusReply, at_ns: int) -> None:
        """A whole answer: it was what we waited for, or one of those a ping of all brings."""
        question = self._question
        if question is None:
            return
        if question.seat is None:
            self._met(reply)
            return
        if reply.address != question.seat.address:
            return
        if reply.message_id not in bus_frame.ANSWERS[question.number]:
            return
        seat = question.seat
        if seat.away:
            seat.back = True
            seat.want(bus_frame.BOARD, bus_frame.CLOCK)
        seat.misses, seat.ping_ns = 0, PING_NS
        if reply.message_id in bus_frame.CHANGED:
            seat.repeat = False
        self._question = None
        self._free_at_ns = at_ns

    def _unanswered(self, question: BusQuestion, at_ns: int) -> bytes:
        """Ask again while that makes sense; else count the miss and go on with the next."""
        seat, self._question = question.seat, None
        self._framer.drop()
        if seat is None:
            self._in_vain = 0 if self._met_now else self._in_vain + 1
            self._quieted.extend(each.address for each in self._seats.values() if not each.away)
            return b""
        if question.number in (bus_frame.CHANGES, bus_frame.CHANGES_AGAIN):
            seat.repeat = True
            if question.damaged and question.tried < TRIES:
                return self._out(seat, bus_frame.CHANGES_AGAIN, at_ns, question.tried + 1)
            if question.damaged:
                # What changed is gone from the packets; the board and its log still have it.
                seat.repeat = False
                seat.want(bus_frame.BOARD, bus_frame.FROM_START)
        elif question.damaged and question.tried < TRIES:
            return self._out(seat, question.number, at_ns, question.tried + 1)
        elif question.number != bus_frame.PING:
            seat.want(question.number)
            self._end_turn(seat)
        seat.misses += 1
        self._missed.append(seat.address)
        if seat.away:
            seat.ping_at_ns = at_ns + seat.ping_ns
            seat.ping_ns = min(2 * seat.ping_ns, PING_MAX_NS)
        return b""

    def _round(self, at_ns: int) -> bytes:
        """Whoever's turn it is; boards that are away only for a ping."""
        for _ in range(len(self._turns)):
            seat = self._seats[self._turns[0]]
            if seat.away:
                self._turns.rotate(-1)
                if at_ns >= seat.ping_at_ns:
                    return self._out(seat, bus_frame.PING, at_ns)
                continue
            if seat.back:
                return self._changes(seat, at_ns)
            beside = None if seat.served else self._beside(seat, at_ns)
            seat.served = beside is not None
            if beside is not None:
                return self._out(seat, beside, at_ns)
            self._turns.rotate(-1)
            self._turns_until_long -= 1
            return self._changes(seat, at_ns)
        return b""

    def _beside(self, seat: BusSeat, at_ns: int) -> int | None:
        """What a board is asked in this turn beside its changes. Its clock follows the changes of
        the round before, so that pieces go before the lever."""
        if seat.wanted and (seat.wanted[0] not in LONG or self._turns_until_long <= 0):
            if seat.wanted[0] in LONG:
                self._turns_until_long = LONG_TURNS
            return seat.wanted.popleft()
        if at_ns < seat.clock_at_ns:
            return None
        seat.clock_at_ns = at_ns + CLOCK_NS - (at_ns - seat.clock_at_ns) % CLOCK_NS
        return bus_frame.CLOCK

    def _end_turn(self, seat: BusSeat) -> None:
        """Who is silent is not asked a second time at once: the others wait already."""
        seat.served = False
        if self._turns and self._turns[0] == seat.address:
            self._turns.rotate(-1)

    def _changes(self, seat: BusSeat, at_ns: int) -> bytes:
        """An old packet asked for again is no news: a new one follows it at once."""
        again = seat.repeat
        seat.back = seat.back and again
        number = bus_frame.CHANGES_AGAIN if again else bus_frame.CHANGES
        return self._out(seat, number, at_ns)

    def _search(self, at_ns: int) -> bytes:
        """Everybody known is told to keep quiet, then all are pinged."""
        if self._quieted:
            seat = self._seats.get(self._quieted.popleft())
            return b"" if seat is None else self._out(seat, bus_frame.PING_ONCE, at_ns)
        self._met_now = False
        self._question = BusQuestion(None, bus_frame.PING, at_ns + SEARCH_NS)
        return bus_frame.command(bus_frame.PING, bus_frame.ALL)

    def _met(self, reply: bus_frame.BusReply) -> None:
        if reply.message_id == bus_frame.PINGED and reply.address not in self._seats:
            self._met_now = True
            self.add(reply.address)

    def _out(self, seat: BusSeat, number: int, at_ns: int, tried: int = 1) -> bytes:
        patience_ns = SLOW_ANSWER_NS if number == bus_frame.MARK_START else ANSWER_NS
        self._question = BusQuestion(seat, number, at_ns + patience_ns, tried)
        return bus_frame.command(number, seat.address)
