"""CSA lines, one game after another. We listen; nothing is ever sent.

    < PI  P1-KY-KE …  P+00KI  P-00AL     the board, hands, all that is left; unsaid: the even game
    < $TIME:300+60+0  Total_Time:900     the time control (`summary`)
    < +   -                              who moves first: a game begins
    < +7776FU   -3334FU,T6               side, from, to (00: the hand), the piece after it, its time
    < T12                                the time of the move before, by itself
    < %TORYO,T39   #TIME_UP   #LOSE      an end, in the record's or the server's words; its time is
                                         what the side to move had thought for
    < V2.2  'note  $EVENT:  N+name  BEGIN Game_Summary  Your_Turn:+  START:id
    < /                                  between two records
    < ##[MONITOR2][id] +7776FU           what a server puts before each line of a watched game

Whether a move is legal is not asked here. Sources: firmware_notes/csa-usi.md
"""

from __future__ import annotations

import re
from typing import Final

from eboards.bounds import CLOCK_MAX_MS, MOVES_MAX
from eboards.codec import DeviceCommand, Standing
from eboards.csa.board import EVEN, CsaBoard
from eboards.csa.summary import CsaTime
from eboards.events import (
    SHOGI_BOARD,
    DeviceEvent,
    Ending,
    EndReported,
    Fault,
    LineReported,
    Noise,
    Sensing,
    SensingClass,
)
from eboards.lines import LineBuffer

SECOND: Final = 1_000_000_000
LINE_MAX: Final = 1024
TIME_FOLLOWS_NS: Final = 200_000_000
"""So long a move waits for its time on a line of its own."""
SENSING: Final = Sensing(SensingClass.MOVES, SECOND, SHOGI_BOARD)

_WATCHED: Final = re.compile(r"##\[[^]]*\](\[[^]]*\])?\s*")
_MOVE: Final = re.compile(r"([+-])(00|[1-9]{2})([1-9]{2})([A-Z]{2})")
_SPENT: Final = re.compile(r"T(\d{1,9}(?:\.\d{1,6})?)")
_QUIET: Final = re.compile(r"$|/|[V'$N].*|(BEGIN|END) .*|[A-Za-z_]+[+-]?:.*")

SIDES: Final = {"+": "black", "-": "white"}
OF_THE_MOVER: Final = {
    "%TORYO": Ending.RESIGNED,
    "#RESIGN": Ending.RESIGNED,
    "%KACHI": Ending.DECLARED,
    "%TIME_UP": Ending.TIME,
    "#TIME_UP": Ending.TIME,
    "%ILLEGAL_MOVE": Ending.FOUL,
}
"""The word is about the side to move."""
OF_NOBODY: Final = {
    "%SENNICHITE": Ending.REPETITION,
    "#SENNICHITE": Ending.REPETITION,
    "#OUTE_SENNICHITE": Ending.REPETITION,
    "%JISHOGI": Ending.IMPASSE,
    "%HIKIWAKE": Ending.DRAWN,
    "#DRAW": Ending.DRAWN,
    "%TSUMI": Ending.MATE,
    "%CHUDAN": Ending.BROKEN_OFF,
    "#CHUDAN": Ending.BROKEN_OFF,
}


class CsaCodec:
    """One feed on one socket. It may be silent for an hour: silence means nothing."""

    driver = "csa"
    standing = Standing.WRITTEN
    sensing = SENSING

    def __init__(self) -> None:
        self._lines = LineBuffer(LINE_MAX)
        self._board: CsaBoard | None = None
        self._start: str | None = None
        """How the game began; None: none has, empty: as an even game does."""
        self._games = 0
        self._moves: tuple[str, ...] = ()
        self._spent_ms: tuple[int | None, ...] = ()
        self._time = CsaTime()
        self._mover = "+"
        self._we: str | None = None
        """The side that `#WIN` and `#LOSE` are about."""
        self._fouled = False
        self._ended = False
        self._untold_ns: int | None = None
        """When the newest move was read, while its time may still follow."""

    def receive(self, data: bytes, at_ns: int) -> list[DeviceEvent]:
        return self._lines.feed(data, at_ns, self._heard)

    def _heard(self, line: bytes, at_ns: int) -> list[DeviceEvent]:
        text = _WATCHED.sub("", line.decode("utf-8", "replace")).strip()
        events: list[DeviceEvent] = []
        for said in _statements(text):
            if spent := _SPENT.fullmatch(said):
                events += self._took(spent[1], at_ns)
            else:
                events += [*self._told(at_ns), *self._read(said, line, at_ns)]
        return events

    def _read(self, text: str, line: bytes, at_ns: int) -> list[DeviceEvent]:
        if move := _MOVE.fullmatch(text):
            return self._moved(move, line, at_ns)
        if text in SIDES:
            return self._begun(text, at_ns)
        if text[:1] == "P" and text[1:2] in tuple("I123456789+-"):
            return self._placed(text, line, at_ns)
        if text[:1] in ("%", "#"):
            return self._over(text, at_ns)
        if text.startswith("Your_Turn:"):
            self._we = text[-1]
        self._time.hear(text)
        return [] if _QUIET.fullmatch(text) else [Fault(at_ns, Noise.UNKNOWN_MESSAGE, line)]

    # The start.

    def _placed(self, text: str, line: bytes, at_ns: int) -> list[DeviceEvent]:
        if self._start is not None or self._board is None:
            self._board, self._start = CsaBoard(), None
        try:
            self._board.place(text)
        except (KeyError, ValueError):
            return [Fault(at_ns, Noise.RANGE, line)]
        return []

    def _begun(self, sign: str, at_ns: int) -> list[DeviceEvent]:
        if self._board is None or self._start is not None:
            self._board = CsaBoard(EVEN)
        self._start, self._mover = self._board.sfen(sign), sign
        self._moves, self._spent_ms = (), ()
        self._ended = self._fouled = False
        self._games += 1
        # The first of a session may be one that is followed already.
        return [LineReported(at_ns, self._start, ())] if self._games > 1 else []

    # Moves.

    def _moved(self, said: re.Match[str], line: bytes, at_ns: int) -> list[DeviceEvent]:
        if self._board is None and self._games:
            return []  # Said already: this game cannot be followed.
        if self._start is None:
            self._begun("+", at_ns)
        assert self._board is not None, "a game has begun"
        sign, origin, target, code = said.groups()
        text = self._board.move(sign, origin, target, code)
        if text is None or len(self._moves) >= MOVES_MAX:
            self._board = self._start = None
            why = "a move of a piece that is not there" if text is None else "a game without end"
            note = f"{why}; the feed is followed from its next game"
            return [Fault(at_ns, Noise.RANGE, line, note)]
        self._moves, self._spent_ms = (*self._moves, text), (*self._spent_ms, None)
        self._mover = "-" if sign == "+" else "+"
        self._untold_ns = at_ns
        return []

    def _took(self, spent: str, at_ns: int) -> list[DeviceEvent]:
        """The newest move and its time, in the feed's unit. After an end it is no move's."""
        if self._untold_ns is None:
            return []
        ms = min(round(float(spent) * self._time.unit_ms), CLOCK_MAX_MS)
        self._spent_ms = (*self._spent_ms[:-1], ms)
        return self._told(at_ns)

    def _told(self, at_ns: int) -> list[DeviceEvent]:
        if self._untold_ns is None:
            return []
        self._untold_ns = None
        spent = self._spent_ms if any(ms is not None for ms in self._spent_ms) else ()
        start, time = self._start or "", self._time.control
        return [LineReported(at_ns, start, self._moves, spent, time)]

    # Ends.

    def _over(self, word: str, at_ns: int) -> list[DeviceEvent]:
        """Told once a game, by its first word that says enough; other words are no news."""
        self._fouled = self._fouled or word in ("#ILLEGAL_MOVE", "#ILLEGAL_ACTION")
        end = self._end(word, at_ns)
        if end is None or self._ended or self._start is None:
            return []
        self._ended = True
        return [end]

    def _end(self, word: str, at_ns: int) -> EndReported | None:
        if word in OF_THE_MOVER:
            return EndReported(at_ns, OF_THE_MOVER[word], SIDES[self._mover])
        if word in OF_NOBODY:
            return EndReported(at_ns, OF_NOBODY[word])
        if foul := re.fullmatch(r"%([+-])ILLEGAL_ACTION", word):
            return EndReported(at_ns, Ending.FOUL, SIDES[foul[1]])
        if word not in ("#WIN", "#LOSE") or self._we not in SIDES:
            return None
        we_won = word == "#WIN"
        if self._fouled:
            loser = next(sign for sign in SIDES if (sign == self._we) is not we_won)
            return EndReported(at_ns, Ending.FOUL, SIDES[loser])
        winner = next(sign for sign in SIDES if (sign == self._we) is we_won)
        return EndReported(at_ns, Ending.WON, SIDES[winner])

    # Out.

    def send(self, _command: DeviceCommand, _at_ns: int) -> bytes:
        """It is only listened to."""
        return b""

    @property
    def due_at_ns(self) -> int | None:
        """A move that was read without its time is told, whether it still comes or not."""
        return None if self._untold_ns is None else self._untold_ns + TIME_FOLLOWS_NS

    def due(self, at_ns: int) -> tuple[bytes, list[DeviceEvent]]:
        due_ns = self.due_at_ns
        return b"", [] if due_ns is None or at_ns < due_ns else self._told(at_ns)


def _statements(text: str) -> list[str]:
    """A line of moves and ends may hold several, with their times and a remark behind them."""
    if text[:1] not in ("+", "-", "%", "#", "T"):
        return [text]
    return [part.strip() for part in text.partition("'")[0].split(",") if part.strip()]
