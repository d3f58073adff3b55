"""Lines out of bytes: however they are cut, and whatever comes between."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from eboards.events import Fault, Noise
from eboards.lines import LineBuffer

LONGEST = 8


def _said(line: bytes, _at_ns: int) -> list[bytes]:
    return [line]


def read(pieces: list[bytes], ends: bytes = b"\r\n") -> list[bytes | Fault]:
    lines = LineBuffer(LONGEST, ends)
    return [found for piece in pieces for found in lines.feed(piece, 7, _said)]


def test_carriage_return_line_feed_and_both_end_a_line() -> None:
    assert read([b"one\rtwo\nthree\r\n\r\n four \nfi"]) == [b"one", b"two", b"three", b"four"]


def test_where_only_a_line_feed_ends_a_line_a_carriage_return_stays_in_it() -> None:
    assert read([b"a\rb\r\nc\n"], b"\n") == [b"a\rb", b"c"]


def test_a_line_that_never_ends_is_told_once_and_the_next_is_read() -> None:
    found = read([b"x" * LONGEST + b"\n" + b"y" * 50, b"y" * 50 + b"\ngood\n"])
    assert found == [b"x" * LONGEST, Fault(7, Noise.LENGTH, b"y" * LONGEST), b"good"]


@given(st.lists(st.sampled_from([b"ab", b"\r", b"\n", b"cdefg", b" "]), max_size=30), st.data())
def test_how_the_bytes_are_cut_changes_no_line(parts: list[bytes], data: st.DataObject) -> None:
    whole = b"".join(parts)
    cut = data.draw(st.integers(0, len(whole)))
    found = read([whole])
    assert read([whole[:cut], whole[cut:]]) == found
    assert read([bytes([byte]) for byte in whole]) == found
    ended = re.split(b"[\r\n]", whole)
    kept = [line.strip() for line in ended[:-1] if line.strip() and len(line) <= LONGEST]
    assert [line for line in found if isinstance(line, bytes)] == kept
    assert len(found) - len(kept) == sum(len(line) > LONGEST for line in ended)
