"""One table as the public sees it: legal completed moves, clock times, the result.

A move waits until it is completed: by its own press, or because the other side has moved. One
that is withdrawn while it waits was never there. What was shown and is corrected later comes as
a new event that `replaces` the old.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import msgspec
from msgspec import UNSET

from arbiterd.journal.roster import Match
from arbiterd.messages import topics
from arbiterd.messages.payloads import (
    Clock,
    ColourName,
    Move,
    PublicMove,
    PublicResult,
    PublicState,
    Result,
)
from arbiterd.messages.ticking import ticked
from arbiterd.messages.times import from_rfc3339, rfc3339
from arbiterd.outlets.public.clocks import ClockSeen

NS = 1_000_000_000
LEFT_KEPT = 4
"""So many games before the present one can come back as the public knew them."""


def withdraws(move: Move) -> bool:
    """This entry of the record is no more."""
    return move.uci is None and not move.irregular


def _seen(move: Move) -> tuple[object, ...]:
    """What the public sees of it."""
    return move.san, move.irregular, move.fen, move.clock


@dataclass(frozen=True, slots=True)
class PublicMessage:
    """A message for the public; `leaf` is moves or result."""

    leaf: str
    payload: bytes


@dataclass(frozen=True, slots=True)
class _Left:
    """A game that was left for another."""

    shown: dict[int, int]
    record: dict[int, Move]
    waiting: dict[int, Move]
    result: Result | None
    ended_at: str


@dataclass(slots=True)
class _Face:
    """What the clock was seen to show while one game was at the table."""

    game: str = ""
    seen: ClockSeen | None = None
    heard: ClockSeen | None = None
    """The newest of them with times: one that is lost after the end leaves the game its times."""

    def see(self, seen: ClockSeen) -> None:
        if seen.game != self.game:
            self.game, self.heard = seen.game, None
        self.seen = seen
        if seen.clock is not None:
            self.heard = seen


@dataclass(slots=True)
class PublicTable:
    """What the public knows of one table."""

    seq: int = 0
    newest: dict[str, int] = field(default_factory=dict)
    game: str = ""
    shown: dict[int, int] = field(default_factory=dict)
    """By ply, the number of the event that tells it."""
    record: dict[int, Move] = field(default_factory=dict)
    """What was shown, by ply."""
    waiting: dict[int, Move] = field(default_factory=dict)
    """Moves that are not completed yet."""
    result: Result | None = None
    ended_at: str = ""
    """When the game got a result; empty while it has none."""
    clock: Clock | None = None
    """As it was at `clock_at`, at the end of a half-move."""
    clock_at: str = ""
    face: _Face = field(default_factory=_Face)
    """A clock that was seen by itself, perhaps since."""
    since: _Face = field(default_factory=_Face)
    """The same after the end: it runs down unheeded, or is set for the next game, and is shown of
    this one only if it is open again."""
    coming: _Face = field(default_factory=_Face)
    """The same at a game of which nothing is public yet: pieces are set up for it meanwhile."""
    left: dict[str, _Left] = field(default_factory=dict)
    """The newest games before the present one, by name."""

    def move(self, move: Move) -> Iterator[PublicMessage]:
        """A move of the live side, when its time has come."""
        self._begin(move.game)
        if withdraws(move):
            self.waiting.pop(move.ply, None)
            if move.ply in self.shown:
                yield self._show(move)
            return
        if move.ply - 1 in self.waiting:
            yield self._show(self.waiting.pop(move.ply - 1))
        if move.completed_at is None and move.ply not in self.shown:
            self.waiting[move.ply] = move
        elif self._differs(move):
            self.waiting.pop(move.ply, None)
            yield self._show(move)

    def _differs(self, move: Move) -> bool:
        before = self.record.get(move.ply)
        return before is None or _seen(before) != _seen(move)

    def ended(self, result: Result) -> Iterator[PublicMessage]:
        """The result; the last move needs no press any more."""
        self._begin(result.game)
        if result.result is not None:
            for ply in sorted(self.waiting):
                yield self._show(self.waiting.pop(ply))
        if result.result is None:
            self.ended_at = ""
            self._go_on()
        elif not self._over:
            self.ended_at = result.at
        self.result = result
        prev = self._number(topics.RESULT)
        yield PublicMessage(
            topics.RESULT,
            msgspec.json.encode(
                PublicResult(
                    hall=result.hall,
                    at=result.at,
                    simulated=result.simulated,
                    table=result.table,
                    game=result.game,
                    seq=self.seq,
                    prev=prev,
                    result=result.result,
                )
            ),
        )

    def see(self, seen: ClockSeen) -> None:
        """A clock by itself."""
        if seen.game != self.game:
            self.coming.see(seen)
        elif self._over and self.face.heard is not None and rfc3339(seen.at_ns) > self.ended_at:
            self.since.see(seen)
        else:
            self.face.see(seen)

    def _go_on(self) -> None:
        for seen in (self.since.heard, self.since.seen):
            if seen is not None:
                self.face.see(seen)
        self.since = _Face()

    @property
    def _over(self) -> bool:
        return self.result is not None and self.result.result is not None

    def _begin(self, game: str) -> None:
        if game == self.game:
            return
        self.left[self.game] = _Left(
            self.shown, self.record, self.waiting, self.result, self.ended_at
        )
        # A game comes back where the act that began another one was undone: soon, or never.
        now = self.left.pop(game, None) or _Left({}, {}, {}, None, "")
        while len(self.left) > LEFT_KEPT:
            del self.left[next(iter(self.left))]
        self.game, self.result, self.ended_at = game, now.result, now.ended_at
        self.shown, self.record, self.waiting = now.shown, now.record, now.waiting
        self.clock, self.clock_at = None, ""
        self.face, self.since = _Face(), _Face()
        if self.coming.game == game:
            self.face, self.coming = self.coming, _Face()

    def _number(self, leaf: str) -> int | None:
        self.seq += 1
        before = self.newest.get(leaf)
        self.newest[leaf] = self.seq
        return before

    def _show(self, move: Move) -> PublicMessage:
        prev = self._number(topics.MOVES)
        replaces = self.shown.pop(move.ply, None)
        if withdraws(move):
            self.record.pop(move.ply, None)
        else:
            self.shown[move.ply], self.record[move.ply] = self.seq, move
            if move.ply == max(self.record):
                self.clock, self.clock_at = move.clock, move.completed_at or move.made_at
        return PublicMessage(
            topics.MOVES,
            msgspec.json.encode(
                PublicMove(
                    hall=move.hall,
                    at=move.at,
                    simulated=move.simulated,
                    table=move.table,
                    game=move.game,
                    seq=self.seq,
                    prev=prev,
                    replaces=UNSET if replaces is None else replaces,
                    irregular=move.irregular,
                    ply=move.ply,
                    color=move.color,
                    san=move.san,
                    uci=None if move.irregular else move.uci,
                    fen=move.fen,
                    clock=move.clock,
                )
            ),
        )

    def _newest_clock(self, at: str) -> tuple[Clock | None, str]:
        """With its time; `at` where no clock was told. Such times order as text."""
        seen = self.face.heard if self._over else self.face.seen
        if seen is not None and self.record:
            seen_at = rfc3339(seen.at_ns)
            if seen_at >= self.clock_at:
                return seen.clock, seen_at
        return self.clock, self.clock_at or at

    def _stopped(self, clock: Clock, clock_at: str) -> tuple[Clock, str]:
        """One that ran when the game ended stands as it was then, and its time: it had ticked since
        it was told, as far as it was heard until the end."""
        seen, ended_at = self.face.seen, self.ended_at
        heard = seen is not None and (seen.clock is not None or rfc3339(seen.at_ns) >= ended_at)
        if clock.running is not None and heard and clock_at < ended_at:
            passed_ns = from_rfc3339(ended_at) - from_rfc3339(clock_at)
            clock, clock_at = ticked(clock, passed_ns), ended_at
        return msgspec.structs.replace(clock, running=None), clock_at

    def state(self, match: Match, at: str, delay_ns: int) -> bytes:
        """The table as the public sees it now. Its clocks are as of its time."""
        last = self.record[max(self.record)] if self.record else None
        fields = match.fen.split()
        first: ColourName = "white" if len(fields) < 2 or fields[1] == "w" else "black"
        turn: ColourName = first if last is None else "black" if last.color == "white" else "white"
        clock, clock_at = self._newest_clock(at)
        if self._over and clock is not None:
            clock, clock_at = self._stopped(clock, clock_at)
        return msgspec.json.encode(
            PublicState(
                hall=match.hall,
                at=clock_at,
                simulated=match.simulated,
                table=match.table,
                game=self.game,
                seq=self.seq,
                white=match.white,
                black=match.black,
                fen=match.fen if last is None else last.fen,
                ply=0 if last is None else last.ply,
                turn=turn,
                last_move=None if last is None or last.irregular else last.uci,
                clock=clock,
                result=self.result.result if self.result is not None else None,
                delay_s=delay_ns // NS,
                status="ended" if self._over else "playing" if self.record else "waiting",
            )
        )
