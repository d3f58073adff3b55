"""One client's conversation: text frames in, text frames out. No socket, no clock.

call     {"id": n, "call": name, "param": …}
result   {"response": "call", "id": n, "param": …, "time": ms}
event    {"response": "feed", "id": feed, "param": {…}, "time": ms}
error    {"response": "error", "id": n, "param": {"message", "stacktrace"}, "time": ms}
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import msgspec

from arbiterd.messages.reading import MessageError, read_json
from arbiterd.outlets.livechess.boards import EBoard, listed, plain, sources
from arbiterd.outlets.livechess.feed import LiveChessFeed
from arbiterd.outlets.livechess.reconstruction import SetUpError, played_since

log = logging.getLogger(__name__)

MS = 1_000_000

FEEDS_MAX = 256
"""Boards that one client follows."""

Boards = Mapping[str, EBoard]
PresentGame = Sequence[tuple[str, str]]
"""A table's present game: each half-move in wire form (empty: irregular), and the FEN after it."""
CallTold = tuple[Any, list[tuple[LiveChessFeed, Any]]]
"""A call's result, and the events that must follow at once."""


class CallError(Exception):
    """The call cannot be answered; the connection stays open."""


class LiveChessSession:
    """What one client has asked for."""

    def __init__(
        self, boards: Callable[[], Boards], game_on: Callable[[str], Awaitable[PresentGame]]
    ) -> None:
        """`game_on` gives the present game on the board of this serial number."""
        self._boards, self._game_on = boards, game_on
        self._feeds: dict[str, LiveChessFeed] = {}
        self._methods: Mapping[str, Callable[[Any, int], Awaitable[CallTold]]] = {
            "eboards": self._eboards,
            "sources": self._sources,
            "subscribe": self._subscribe,
            "unsubscribe": self._unsubscribe,
            "call": self._call,
        }

    async def receive(self, text: str, at_ns: int) -> list[str]:
        """The answer, and with it the events that must follow at once."""
        try:
            said = read_json(text.encode())
        except (MessageError, UnicodeEncodeError) as wrong:
            return [_error(None, f"this cannot be read: {wrong}", at_ns)]
        if not isinstance(said, dict):
            return [_error(None, "a call is a JSON object", at_ns)]
        number = said.get("id")
        method = self._methods.get(str(said.get("call")))
        if method is None:
            return [_error(number, f"there is no call {said.get('call')!r:.80}", at_ns)]
        try:
            result, events = await method(said.get("param"), at_ns)
        except CallError as wrong:
            return [_error(number, str(wrong), at_ns)]
        told = [_frame("feed", feed.number, event, at_ns) for feed, event in events]
        return [_frame("call", number, result, at_ns), *told]

    def news(self, at_ns: int) -> list[str]:
        """Events of the feeds that have something to tell."""
        boards, frames = self._boards(), []
        for feed in self._feeds.values():
            board = boards.get(feed.serial)
            if board is not None and feed.there:
                frames += self._news_of(feed, board, at_ns)
            elif board is not None:
                frames.append(_frame("feed", feed.number, feed.whole(board), at_ns))
            elif feed.there:
                sentence = f"the board {feed.serial!r} is at no table any more; ask 'eboards'"
                frames.append(_error(feed.number, sentence, at_ns))
            feed.there = board is not None
        return frames

    def _news_of(self, feed: LiveChessFeed, board: EBoard, at_ns: int) -> list[str]:
        """A feed whose moves cannot be followed says so; its boards and clocks go on."""
        frames = []
        try:
            event = feed.news(board, at_ns)
        except Exception as wrong:
            log.exception("the moves of a LiveChess feed on board %s end here", feed.serial)
            sentence = f"the moves cannot be followed any more ({wrong}); call 'setup' again"
            frames.append(_error(feed.number, sentence, at_ns))
            feed.forget_moves()
            event = feed.news(board, at_ns)
        return frames if event is None else [*frames, _frame("feed", feed.number, event, at_ns)]

    @property
    def due_at_ns(self) -> int | None:
        """When `news` may have something to tell though no board changed."""
        due = [feed.due_at_ns for feed in self._feeds.values()]
        return min((at_ns for at_ns in due if at_ns is not None), default=None)

    @property
    def subscribed(self) -> bool:
        return bool(self._feeds)

    # The calls.

    async def _eboards(self, _param: Any, _at_ns: int) -> CallTold:
        return listed(self._boards()), []

    async def _sources(self, _param: Any, _at_ns: int) -> CallTold:
        return plain(sources(self._boards())), []

    async def _subscribe(self, param: Any, _at_ns: int) -> CallTold:
        param = _object(param)
        if param.get("feed") != "eboardevent":
            raise CallError(f"there is no feed {param.get('feed')!r}; subscribe to 'eboardevent'")
        serial = str(_object(param.get("param")).get("serialnr"))
        board = self._boards().get(serial)
        if board is None:
            raise CallError(f"there is no board {serial!r}; ask 'eboards' for those there are")
        feed = LiveChessFeed(param.get("id"), serial)
        if len(self._feeds) >= FEEDS_MAX and _key(feed.number) not in self._feeds:
            raise CallError(f"{FEEDS_MAX} boards are followed already; unsubscribe from one")
        self._feeds[_key(feed.number)] = feed
        return None, [(feed, feed.whole(board))]

    async def _unsubscribe(self, param: Any, _at_ns: int) -> CallTold:
        feed = self._feed(_object(param))
        del self._feeds[_key(feed.number)]
        return None, []

    async def _call(self, param: Any, at_ns: int) -> CallTold:
        param = _object(param)
        feed = self._feed(param)
        board = self._boards().get(feed.serial)
        if board is None:
            raise CallError(f"the board {feed.serial!r} is gone")
        given = _object(param.get("param"))
        match param.get("method"):
            case "setup":
                return None, await self._set_up(feed, board, given.get("fen"), at_ns)
            case "flip":
                feed.flipped = bool(given.get("flip", given.get("fen", True)))
                return None, [(feed, feed.whole(board))]
            case method:
                raise CallError(f"there is no method {method!r}; there are 'setup' and 'flip'")

    async def _set_up(
        self, feed: LiveChessFeed, board: EBoard, fen: object, at_ns: int
    ) -> list[tuple[LiveChessFeed, Any]]:
        if not isinstance(fen, str):
            raise CallError("'setup' needs a FEN")
        played = played_since(fen, await self._game_on(feed.serial))
        try:
            begun, more = feed.set_up(board, fen, played, at_ns)
        except SetUpError as wrong:
            raise CallError(str(wrong)) from None
        return [(feed, event) for event in (begun, more) if event is not None]

    def _feed(self, param: dict[str, Any]) -> LiveChessFeed:
        feed = self._feeds.get(_key(param.get("id")))
        if feed is None:
            raise CallError(f"there is no feed {param.get('id')!r}; subscribe first")
        return feed


def _key(number: Any) -> str:
    """Feed 1 and feed "1" are two."""
    return msgspec.json.encode(number).decode()


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _frame(response: str, number: Any, param: Any, at_ns: int) -> str:
    frame = {"response": response, "id": number, "param": param, "time": at_ns // MS}
    return msgspec.json.encode(frame).decode()


def _error(number: Any, message: str, at_ns: int) -> str:
    trace = f"LiveChessException: {message}\n\tat arbiterd.livechess(Session)\n"
    return _frame("error", number, {"message": message, "stacktrace": trace}, at_ns)
