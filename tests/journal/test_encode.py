"""Every value a table can be told survives the way into a row and back, exactly."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbiterd.journal.encode import BYTES, KINDS, EncodeError, decode, encode
from arbiterd.laws.act import Act
from arbiterd.rules.ruleset import Colour
from arbiterd.table.inputs import (
    ActPreviewed,
    ClockSaid,
    DelaySaid,
    GameLeft,
    HandShown,
    Input,
    Labelled,
    MatingAnswered,
    Missed,
    MovePlayed,
    Renamed,
    RoundBegan,
    RoundOrdered,
    ServiceStarted,
)
from arbiterd.table.setup import TableSetup
from arbiterd.timing.control import Rate, read_period
from eboards import events

TIMES = st.integers(0, 2**62)
WORDS = st.text(max_size=20)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=5,
)
PIECES = st.sampled_from([*".?wboPNBRQKpnbrqk", "+P", "+r"])

st.register_type_strategy(
    events.Geometry, st.sampled_from([events.CHESS_BOARD, events.SHOGI_BOARD])
)

ACTS = st.builds(
    Act,
    at_ns=TIMES,
    action=WORDS,
    by=WORDS,
    id=WORDS,
    changes=st.lists(st.tuples(WORDS, JSON), max_size=3).map(tuple),
    side=st.none() | st.sampled_from(Colour),
    ply=st.none() | st.integers(0, 500),
    note=WORDS,
)

BUILT = {
    events.Scan: st.builds(
        events.Scan, TIMES, st.lists(PIECES, min_size=64, max_size=64).map(tuple)
    ),
    events.Battery: st.builds(
        events.Battery,
        TIMES,
        st.none() | st.integers(0, 100),
        st.none() | st.booleans(),
        st.none() | st.floats(0, 100),
    ),
    Act: ACTS,
    ActPreviewed: st.builds(ActPreviewed, TIMES, ACTS),
    TableSetup: st.builds(
        TableSetup,
        white=WORDS,
        black=WORDS,
        rate=st.just(Rate(periods=(read_period("40/90:00+30"), read_period("3:00d2")))),
        rules=st.lists(st.tuples(WORDS, JSON), max_size=2).map(tuple),
        orientation=st.none() | st.sampled_from([0, 180]),
        clock=st.none() | st.builds(ClockSaid, at_ns=TIMES),
    ),
}
ITEMS = st.one_of(
    *(BUILT.get(kind, st.from_type(kind)) for kind in get_args(Input)), BUILT[TableSetup]
)


@given(ITEMS)
@settings(max_examples=300)
def test_what_was_written_is_what_is_read(item: Input | TableSetup) -> None:
    assert decode(*encode(item)) == item


def test_every_input_a_table_knows_has_a_kind() -> None:
    said = {ClockSaid, MovePlayed, HandShown, RoundBegan, ServiceStarted, MatingAnswered, Missed}
    said |= {Renamed, DelaySaid, RoundOrdered, GameLeft, Labelled}
    known = said | {Act, ActPreviewed, TableSetup}
    assert set(KINDS.values()) == known | set(get_args(events.DeviceEvent))


def test_bytes_alone_are_a_row_too() -> None:
    assert encode(None) == (BYTES, b"")
    assert decode(BYTES, b"") is None


@pytest.mark.parametrize(("kind", "body"), [("Scan", b"{"), ("Scan", b"{}"), ("Tea", b"{}")])
def test_a_row_that_cannot_be_read_says_which_kind(kind: str, body: bytes) -> None:
    with pytest.raises(EncodeError, match=kind):
        decode(kind, body)
