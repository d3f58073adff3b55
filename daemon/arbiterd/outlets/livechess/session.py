"""One client's conversation: text frames in, text frames out. No socket, no clock.

call     {"id": n, "call": name, "param": …}
result   {"response": "call", "id": n, "param": …, "time": ms}
event    {"response": "feed", "id": feed, "param": {…}, "time": ms}
error    {"response": "error", "id": n, "param": {"message", "stacktrace"}, "time": ms}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from arbiterd.outlets.livechess.boards import EBoard, listed, plain, sources
from arbiterd.outlets.livechess.feed import Feed, SetUpError

MS = 1_000_000
EVENT_NS = 1_000_000_000
"""Clients know one event a second; what comes in between is told together."""

Boards = Mapping[str, EBoard]


class CallError(Exception):
    """The call cannot be answered; the connection stays open."""


class Session:
    """What one client has asked for."""

    def __init__(self, boards: Callable[[], Boards]) -> None:
        self._boards = boards
        self._feeds: dict[str, Feed] = {}
        self._event_at_ns: dict[str, int] = {}
        self._methods: Mapping[str, Callable[[Any, int], tuple[Any, list[tuple[Feed, Any]]]]] = {
            "eboards": self._eboards,
            "sources": self._sources,
            "subscribe": self._subscribe,
            "unsubscribe": self._unsubscribe,
            "call": self._call,
        }

    def receive(self, text: str, at_ns: int) -> list[str]:
        """The answer, and with it the events that must follow at once."""
        try:
            said = msgspec.json.decode(text)
        except (msgspec.DecodeError, UnicodeEncodeError) as wrong:
            return [_error(None, f"this is no JSON: {wrong}", at_ns)]
        if not isinstance(said, dict):
            return [_error(None, "a call is a JSON object", at_ns)]
        number = said.get("id")
        method = self._methods.get(str(said.get("call")))
        if method is None:
            return [_error(number, f"there is no call {said.get('call')!r}", at_ns)]
        try:
            result, events = method(said.get("param"), at_ns)
        except CallError as wrong:
            return [_error(number, str(wrong), at_ns)]
        answers = [_frame("call", number, result, at_ns)]
        for feed, event in events:
            answers.append(_frame("feed", feed.number, event, at_ns))
            self._event_at_ns[_key(feed.number)] = at_ns
        return answers

    def news(self, at_ns: int) -> list[str]:
        """Events of feeds that have not had one for a second and have something to tell."""
        boards, frames = self._boards(), []
        for key, feed in self._feeds.items():
            board = boards.get(feed.serial)
            if board is None or at_ns < self._event_at_ns.get(key, 0) + EVENT_NS:
                continue
            event = feed.news(board, at_ns)
            if event is not None:
                self._event_at_ns[key] = at_ns
                frames.append(_frame("feed", feed.number, event, at_ns))
        return frames

    @property
    def subscribed(self) -> bool:
        return bool(self._feeds)

    # The calls.

    def _eboards(self, _param: Any, _at_ns: int) -> tuple[Any, list[tuple[Feed, Any]]]:
        return listed(self._boards()), []

    def _sources(self, _param: Any, _at_ns: int) -> tuple[Any, list[tuple[Feed, Any]]]:
        return plain(sources(self._boards())), []

    def _subscribe(self, param: Any, _at_ns: int) -> tuple[Any, list[tuple[Feed, Any]]]:
        param = _object(param)
        if param.get("feed") != "eboardevent":
            raise CallError(f"there is no feed {param.get('feed')!r}; subscribe to 'eboardevent'")
        serial = str(_object(param.get("param")).get("serialnr"))
        board = self._boards().get(serial)
        if board is None:
            raise CallError(f"there is no board {serial!r}; ask 'eboards' for those there are")
        feed = Feed(param.get("id"), serial)
        self._feeds[_key(feed.number)] = feed
        return None, [(feed, feed.whole(board))]

    def _unsubscribe(self, param: Any, _at_ns: int) -> tuple[Any, list[tuple[Feed, Any]]]:
        feed = self._feed(_object(param))
        del self._feeds[_key(feed.number)]
        return None, []

    def _call(self, param: Any, at_ns: int) -> tuple[Any, list[tuple[Feed, Any]]]:
        param = _object(param)
        feed = self._feed(param)
        board = self._boards().get(feed.serial)
        if board is None:
            raise CallError(f"the board {feed.serial!r} is gone")
        given = _object(param.get("param"))
        match param.get("method"):
            case "setup":
                if not isinstance(given.get("fen"), str):
                    raise CallError("'setup' needs a FEN")
                try:
                    return None, [(feed, feed.set_up(board, given["fen"], at_ns))]
                except SetUpError as wrong:
                    raise CallError(str(wrong)) from None
            case "flip":
                feed.flipped = bool(given.get("flip", given.get("fen", True)))
                return None, [(feed, feed.whole(board))]
            case method:
                raise CallError(f"there is no method {method!r}; there are 'setup' and 'flip'")

    def _feed(self, param: dict[str, Any]) -> Feed:
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
