"""A real LiveChess session, where it lies beside the checkout: our server says what it said."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import msgspec

from arbiterd.messages import payloads
from arbiterd.outlets.livechess.boards import EBoards
from arbiterd.outlets.livechess.session import LiveChessSession
from arbiterd.rules.registry import ruleset
from arbiterd.table.setup import TableSetup
from arbiterd.table.table import Table
from eboards.events import DeviceEvent, LinkUp
from eboards.livechess.codec import LiveChessCodec
from kept_beside import kept_beside

TOLD = ("board", "start", "san", "match")


def frames() -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = json.loads(
        kept_beside("recordings/livechess-session.json").read_text()
    )
    return told


def state(board: str, at: str = "2021-02-11T14:00:00.000Z") -> bytes:
    return msgspec.json.encode(
        payloads.State(
            hall="main", at=at, simulated=False, table="1", game="1-1", seq=0, ruleset="chess",
            white="", black="", round=1, fen="", placement=board, ply=0, turn="white",
            last_move=None, clock=None, status="playing", attention=False, device="ok",
            result=None, open_rulings=[],
        )
    )  # fmt: skip


async def no_game(_serial: str) -> list[tuple[str, str]]:
    return []


def test_every_event_of_the_recorded_session_is_told_as_it_was() -> None:
    """The same calls and boards at the same times; 25 half-moves, one of them corrected."""
    shown: dict[str, bytes] = {}
    session = LiveChessSession(EBoards(lambda: shown), no_game)
    ours: list[dict[str, Any]] = []
    theirs: list[dict[str, Any]] = []
    for frame in frames():
        at_ns, said = round(frame["t"] * 1e9), frame["frame"]
        if frame["dir"] == "to":
            text = json.dumps(said).replace("24655", "1")
            ours += [json.loads(f) for f in asyncio.run(session.receive(text, at_ns))]
        elif said["response"] == "feed":
            theirs.append(said)
            shown["tables/1/state"] = state(said["param"]["board"])
            ours += [json.loads(f) for f in session.news(at_ns)]
        else:
            first = said["param"][0]["board"] if said["param"] else None
            shown.setdefault("tables/1/state", state(first or ""))

    events = [
        {k: v for k, v in f["param"].items() if k in TOLD} for f in ours if "feed" in f.values()
    ]
    wanted = [{k: v for k, v in f["param"].items() if k in TOLD} for f in theirs]
    # A pawn goes back to where it came from: LiveChess keeps the half-move, we withdraw it, and so
    # tell it anew when it is played again.
    others = [n for n, event in enumerate(events) if event != wanted[n]]
    assert len(others) == 2
    back, again = others
    assert (events[back]["san"], wanted[back]["match"]) == (events[back - 2]["san"], False)
    assert wanted[again] == events[again] | {"match": True}
    assert len(events[-1]["san"]) == 25


def test_our_source_reads_the_recorded_session_move_for_move() -> None:
    """Through a whole table: 25 half-moves."""
    heard = frames()
    codec, table = LiveChessCodec("24655"), Table(TableSetup())
    out: list[dict[str, Any]] = []

    def take(events: list[DeviceEvent]) -> None:
        for event in events:
            step = table.take(event.at_ns, event)
            out.extend(json.loads(o.payload) | {"topic": o.topic} for o in step.outputs if o.seq)

    take([LinkUp(0, codec.driver, "", codec.sensing)])
    for frame in heard:
        at_ns = round(frame["t"] * 1e9)
        if frame["dir"] == "to" and frame["frame"]["id"] < 3:  # We never send a set-up.
            take(codec.due(at_ns)[1])
        elif frame["frame"].get("id") != 3:
            take(codec.receive(json.dumps(frame["frame"]).encode() + b"\n", at_ns))
    table.due(round(heard[-1]["t"] * 1e9) + 60_000_000_000)

    wanted = [f["frame"]["param"]["san"] for f in heard if "san" in (f["frame"].get("param") or {})]
    assert [ply.move for ply in table.view.tracker.record.plies] == wire(wanted[-1])
    called = {t["kind"] for t in out if t["topic"] == "rulings" and t["urgency"] == 1}
    # A knight lifted before the first move, a bishop that went back: White did touch them.
    assert called <= {"touch-own-then-other", "displaced-on-opp-time"}


def wire(san: list[str]) -> list[str]:
    rules, told = ruleset("chess"), []
    position = rules.start()
    for text in san:
        move = rules.parse(position, text)
        told.append(rules.wire(position, move))
        position = rules.play(position, move)
    return told
