"""A whole table as bytes, and back: folding on from them equals folding from the start.

Nothing of a table may be outside of them, and what was kept years ago can still be taken up: a
field that comes new has a value for where it is missing.
"""

from __future__ import annotations

import msgspec
from msgspec import Struct

from arbiterd.laws.docket.docket import Docket
from arbiterd.rules.registry import chosen
from arbiterd.table.announcer import Announcer, Numbering
from arbiterd.table.board import Board
from arbiterd.table.books import Books
from arbiterd.table.recent import RecentActs
from arbiterd.table.setup import TableSetup
from arbiterd.table.state import TableState
from arbiterd.timing.clock import ClockModel
from arbiterd.tracking.tracker import Tracker
from eboards.events import Sensing


class KeptTable(Struct, kw_only=True):
    """What the bytes hold."""

    setup: TableSetup
    tracker: bytes
    docket: bytes
    clock: bytes
    board: Board
    numbering: Numbering
    books: Books
    at_ns: int
    sensing: Sensing
    recent: RecentActs | None = None


def kept(view: TableState, *, bare: bool = False) -> bytes:
    """The table as bytes. `bare`: without what it remembers of inputs and answers, to fold
    again from it."""
    books = view.books
    if bare:
        books = msgspec.structs.replace(
            books, input_blocks=[], input_times=[], input_numbers=[], answered={}
        )
    return msgspec.msgpack.encode(
        KeptTable(
            setup=view.setup,
            tracker=view.tracker.checkpoint(),
            docket=view.docket.checkpoint(),
            clock=view.clock.checkpoint(),
            board=view.board,
            numbering=view.announcer.numbering,
            books=books,
            at_ns=view.at_ns,
            sensing=view.sensing,
            recent=None if bare else view.recent,
        )
    )


class KeptSetup(Struct):
    """The little that is read where only the set-up is asked for."""

    setup: TableSetup


def kept_setup(data: bytes) -> TableSetup:
    """What the table that `kept` wrote was set up with, acts included. Raises as `restored`."""
    return msgspec.msgpack.decode(data, type=KeptSetup).setup


def restored(data: bytes) -> TableState:
    """The table that `kept` wrote. Raises msgspec.MsgspecError for what it never wrote."""
    found = msgspec.msgpack.decode(data, type=KeptTable)
    setup = found.setup
    rules = chosen(setup.ruleset, dict(setup.rules))
    tracker = Tracker.restored(rules, setup.tracking, found.tracker)
    tracker.distrust(found.board.weak(rules))
    return TableState(
        setup=setup,
        rules=rules,
        sensing=found.sensing,
        board=found.board,
        books=found.books,
        recent=found.recent or RecentActs(),
        announcer=Announcer(setup, rules, found.numbering),
        clock=ClockModel.restored(setup.rate, found.clock),
        docket=Docket.restored(found.docket),
        tracker=tracker,
        at_ns=found.at_ns,
    )
