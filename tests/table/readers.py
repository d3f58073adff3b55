"""Readers of a table's events, as other programs are written."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def folded(said: Iterable[dict[str, Any]], game: str) -> list[tuple[Any, ...]]:
    """The record of one game as a reader of `moves` holds it: by ply, what stands there."""
    held: dict[int, dict[str, Any]] = {}
    for event in said:
        if event["topic"] != "moves" or event["game"] != game:
            continue
        before = held.pop(event["ply"], None)
        assert event.get("replaces") == (None if before is None else before["seq"]), event
        if event["uci"] is not None or event.get("irregular"):
            held[event["ply"]] = event
    assert sorted(held) == list(range(min(held, default=1), max(held, default=0) + 1)), "a hole"
    return [
        (e["ply"], e["color"], e["san"], e["uci"], bool(e.get("irregular")), e["fen"])
        for _, e in sorted(held.items())
    ]
