"""What is pushed to a broadcast round at Lichess, and what its answers mean.

    POST /api/broadcast/round/{id}/push    PGN, 64 games at most; Authorization: Bearer, study:write
    200   {"games": [{"tags": …, "moves": 42} | {"tags": …, "error": "…"}]}, in order
    429   a minute's silence
    401   the token: a person has to mend it
    403, 404    right or round id: a person has to mend it; other rounds go on
    400, 413, 422    something in it is refused: it is sent in halves, until it is one game
    5xx, no answer   later again, whole games: nothing is lost by it

A push holds whole games, each its newest part, and only those that are new since they were taken.
A game that is refused stops no other; it is pushed again once there is more of it.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import msgspec

from arbiterd.edges import ServiceClock
from arbiterd.outlets.pgn.book import RoundBoard, ScoreBook

log = logging.getLogger(__name__)

GAMES_MAX = 64
LOOK_S = 3.0
SECOND = 1_000_000_000
SILENCE_S = 61.0
"""What a 429 asks for, and a second."""
MEND_S = 60.0
BACK_OFF_S = (2.0, 5.0, 10.0, 20.0, 30.0)
NOT_VALID = "its token is not valid; write a new one with study:write into lichess_token_file"
REASONS = {
    403: "its account may not contribute to the broadcast; have it added there",
    404: "there is no such round; mend [broadcast] lichess",
}
"""Why a whole round is refused."""
NOT_TAKEN = (400, 413, 422)
"""Something in a push cannot be read, or it is too long."""


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """What came back; status 0: nothing did, and `body` says why."""

    status: int
    body: bytes = b""


class Sender(Protocol):
    """The way there."""

    async def push(self, round_id: str, pgn: str) -> HttpAnswer:
        """Sends; whatever goes wrong is an answer too."""
        ...


class _Game(msgspec.Struct):
    moves: int = 0
    error: str = ""


class _Taken(msgspec.Struct):
    games: list[_Game] = []
    error: str = ""


class LichessOutlet:
    """`trouble` is a sentence while pushes fail, or a round or a game is refused, else empty.

    `book` has each game's newest part as its text.
    """

    def __init__(
        self,
        book: ScoreBook,
        tables: Sequence[str],
        rounds: Sequence[str],
        sender: Sender,
        clock: ServiceClock,
    ) -> None:
        self._book, self._tables, self._rounds = book, tables, rounds
        self._sender, self._clock = sender, clock
        self._taken: dict[tuple[int, str], str] = {}
        """By round and table, the text that was answered."""
        self._refused: dict[tuple[int, str], str] = {}
        self._troubles: dict[int, str] = {}
        """By round, what keeps all of it from getting there."""
        self._rests_until_ns: dict[int, int] = {}
        """Rounds that are refused and left alone for a while."""
        self._failures = 0
        self.trouble = ""
        self.looks = 0
        """How often it was looked what is new."""

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            wait_s = await self.look()
            self.looks += 1
            await self._clock.until(self._clock.now_ns() + int(wait_s * SECOND))

    async def look(self) -> float:
        """Pushes what is new; says how long to wait."""
        for number, boards in (await self._book.rounds(self._tables)).items():
            if number > len(self._rounds):
                self._troubles[number] = f"[broadcast] lichess has no id of round {number}; add it"
            elif self._clock.now_ns() >= self._rests_until_ns.get(number, 0):
                wait_s = await self._push_all(number, self._news(number, boards))
                if wait_s:
                    return wait_s
        refused = [f"table {t}: {why}" for (_, t), why in sorted(self._refused.items())]
        games = [f"Lichess refuses {'; '.join(refused)}"] if refused else []
        self._say("; ".join([*self._troubles.values(), *games]))
        return LOOK_S

    def _news(self, number: int, boards: Sequence[RoundBoard]) -> Mapping[str, str]:
        texts = {
            board.match.table: self._book.text(board.score)
            for board in boards
            if board.score is not None
        }
        return {t: text for t, text in texts.items() if self._taken.get((number, t)) != text}

    async def _push_all(self, number: int, texts: Mapping[str, str]) -> float:
        """In pushes of a size that is taken. How long to be silent now; 0: go on."""
        names = list(texts)
        for begin in range(0, len(names), GAMES_MAX):
            some = {name: texts[name] for name in names[begin : begin + GAMES_MAX]}
            wait_s = await self._push(number, some)
            if wait_s or number in self._troubles:
                return wait_s
        return 0.0

    async def _push(self, number: int, texts: Mapping[str, str]) -> float:
        """How long to be silent now; 0: go on."""
        answer = await self._sender.push(self._rounds[number - 1], "".join(texts.values()))
        if answer.status == 200:
            self._failures = 0
            self._troubles.pop(number, None)
            self._note(number, texts, [game.error for game in _read(answer.body).games])
            return 0.0
        if answer.status == 429:
            self._say("Lichess asks for a minute's silence")
            return SILENCE_S
        if answer.status == 401:
            self._say(f"Lichess refuses the push (401): {NOT_VALID}")
            return MEND_S
        if answer.status in REASONS:
            refused = f"Lichess refuses round {number} ({answer.status})"
            self._troubles[number] = f"{refused}: {REASONS[answer.status]}"
            self._rests_until_ns[number] = self._clock.now_ns() + int(MEND_S * SECOND)
            return 0.0
        if answer.status in NOT_TAKEN:
            return await self._push_apart(number, texts, answer)
        why = _words(answer.body) or str(answer.status)
        self._say(f"Lichess is not reached ({why}); the games are sent once it answers")
        wait_s = BACK_OFF_S[min(self._failures, len(BACK_OFF_S) - 1)]
        self._failures += 1
        return wait_s

    async def _push_apart(self, number: int, texts: Mapping[str, str], answer: HttpAnswer) -> float:
        """Something in it is refused: halves of it go each on its own, until it is one game."""
        names = list(texts)
        if len(names) == 1:
            why = _read(answer.body).error or _words(answer.body) or str(answer.status)
            self._note(number, texts, [why])
            return 0.0
        middle = len(names) // 2
        for half in (names[:middle], names[middle:]):
            wait_s = await self._push(number, {name: texts[name] for name in half})
            if wait_s or number in self._troubles:
                return wait_s
        return 0.0

    def _note(self, number: int, texts: Mapping[str, str], errors: Sequence[str]) -> None:
        """An answer a game, in order; one that is not there stands for no refusal."""
        for place, (table, text) in enumerate(texts.items()):
            error = errors[place] if place < len(errors) else ""
            self._taken[number, table] = text
            if error:
                self._refused[number, table] = error
            else:
                self._refused.pop((number, table), None)

    def _say(self, trouble: str) -> None:
        if trouble and trouble != self.trouble:
            log.warning("broadcast: %s", trouble)
        self.trouble = trouble


def _read(body: bytes) -> _Taken:
    """What Lichess says of the games; nothing where it cannot be read."""
    try:
        return msgspec.json.decode(body, type=_Taken)
    except msgspec.DecodeError:
        return _Taken()


def _words(body: bytes) -> str:
    return body.decode("utf-8", errors="replace")[:200]
