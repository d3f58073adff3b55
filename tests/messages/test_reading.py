"""What clients send is read within limits: nothing of it ends, blocks or fills anything."""

from __future__ import annotations

import json
from contextlib import suppress
from time import perf_counter

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbiterd.messages.commands import Command, CommandError, read_command
from arbiterd.messages.reading import (
    BRACKETS_MAX,
    BYTES_MAX,
    DEPTH_MAX,
    INTEGER_MAX,
    MessageError,
    on_one_line,
    read_json,
)

ABYSS = [b'{"id":' + b"[" * depth + b"]" * depth + b"}" for depth in (9, 900, 20_000)] + [
    b'{"a":' * 9 + b"1" + b"}" * 9,
    b"[" * 60_000,
]
HOSTILE = [
    *ABYSS,
    b"x" * (BYTES_MAX + 1),
    b'"' + b"a" * 10_000_000 + b'"',
    b"[" + b"[]," * 15_000 + b"1]",
    b'{"id": 1' + b"0" * 29 + b"}",
    b'{"id": 1' + b"0" * 5_000 + b"}",
    b'{"id": -1e300}',
    b'{"id": "\\ud800"}',
    b'{"id": "a\\u0000b"}',
    b'{"id": "a\\u001b[2J"}',
    b'{"id": "\\u202eabc"}',
    b'{"id\\u0007": 1}',
    b'{"id": "' + b"a" * 2001 + b'"}',
    b'{"id": "\xff"}',
    b'{"id": "\xed\xa0\x80"}',
    b"{",
    b"",
]


@pytest.mark.parametrize("data", HOSTILE, ids=lambda data: repr(data[:20]))
def test_what_is_beyond_is_refused_in_a_sentence(data: bytes) -> None:
    began = perf_counter()
    with pytest.raises(MessageError) as refused:
        read_json(data)
    assert len(str(refused.value)) < 300
    assert perf_counter() - began < 5, "and soon"


def test_brackets_within_a_text_are_text() -> None:
    assert read_json(b'{"note": "' + b"[{" * 900 + b'"}') == {"note": "[{" * 900}


@pytest.mark.parametrize(
    "fields",
    [
        {"white_ms": 10**29},
        {"white_ms": -1},
        {"clock_delta_ms": 10**12},
        {"ply": 10**9},
        {"id": "i" * 65},
        {"by": "A" * 101},
        {"device": "serial:/" + "x" * 300},
        {"fen": "8/" * 200},
        {"changes": {str(n): n for n in range(21)}},
        {"changes": {"a": {"b": {"c": {"d": {"e": {"f": {"g": {"h": {"i": 1}}}}}}}}}},
        {"changes": {"ply": 10**29}},
        {"tables": ["1"] * 1001},
        {"white": 'Ana\n[Event "forged"]'},
        {"white": "Ana\ud800"},
        {"white": "\x1b[31mAna"},
        {"by": "Ana\nBoris"},
        {"reason": "\x00"},
    ],
    ids=lambda fields: next(iter(fields)),
)
def test_a_command_beyond_a_limit_names_it_and_changes_nothing(fields: dict[str, object]) -> None:
    said = {"action": "pause", "by": "Ana", **fields}
    with pytest.raises(CommandError) as from_object:
        read_command(said)
    with pytest.raises(CommandError) as from_bytes:
        read_command(json.dumps(said).encode())
    assert max(len(str(from_object.value)), len(str(from_bytes.value))) < 300


def test_a_round_is_not_begun_by_asking_what_it_would_do() -> None:
    """Such a preview was carried out: the round ended."""
    said = {"action": "round", "by": "Ana", "op": "end", "round": 3, "preview": True}
    with pytest.raises(CommandError, match="no preview"):
        read_command(said)


@pytest.mark.parametrize("gap", ["\n", "\t"])
@pytest.mark.parametrize(
    "game",
    [
        {"white": "Ana#[Event]"},
        {"black": "Bob#[Event]"},
        {"table": "1#2"},
        *(
            {player: {field: "a#b"}}
            for player in ("white_player", "black_player")
            for field in ("title", "federation", "team")
        ),
    ],
    ids=lambda game: " ".join(
        f"{k} {list(v) if isinstance(v, dict) else ''}" for k, v in game.items()
    ),
)
def test_whoever_plays_a_round_has_a_name_of_one_line(game: dict[str, object], gap: str) -> None:
    """They become tags of a record, which is read line by line."""
    said = {"action": "round", "op": "begin", "round": 1, "by": "Ana"}
    whole = {"white": "Ana", "black": "Bob", **game}
    for text, refused in ((gap, True), (" ", False)):
        games = json.loads(json.dumps([whole]).replace("#", json.dumps(text)[1:-1]))
        if refused:
            with pytest.raises(CommandError, match="more than one line"):
                read_command({**said, "games": games})
        else:
            assert read_command({**said, "games": games}).games


@pytest.mark.parametrize("gap", ["\n", "\t"])
@pytest.mark.parametrize("field", ["by", "ruling", "white", "device", "fen"])
def test_what_is_no_remark_has_one_line(field: str, gap: str) -> None:
    said = {"action": "pause", "by": "Ana", field: f"a{gap}b"}
    with pytest.raises(CommandError, match=f"'{field}' has more than one line"):
        read_command(said)


@pytest.mark.parametrize(
    "data",
    [
        b'"' + b" " * 2_000 + b'"',
        b"1" + b" " * (BYTES_MAX - 1),
        b"[" * DEPTH_MAX + b"]" * DEPTH_MAX,
        b'{"a":' * DEPTH_MAX + b"1" + b"}" * DEPTH_MAX,
        b"[" + b",".join([b"[]"] * (BRACKETS_MAX // 2 - 1)) + b"]",
        str(INTEGER_MAX).encode(),
        str(-INTEGER_MAX).encode(),
        b'"two\\nlines\\tand a tab"',
        b'"[[[[[[[[[[ in a text"',
    ],
    ids=["text", "bytes", "lists", "objects", "brackets", "most", "least", "layout", "in a text"],
)
def test_what_is_just_within_is_read(data: bytes) -> None:
    assert read_json(data) == json.loads(data)


def test_a_remark_may_have_lines() -> None:
    command = read_command({"action": "dismiss", "by": "Ana", "ruling": "1-1", "reason": "a\nb\tc"})
    assert command.reason == "a\nb\tc"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(st.dictionaries(st.sampled_from(Command.__struct_fields__), JSON) | JSON)
def test_whatever_is_sent_is_a_command_or_a_sentence(said: object) -> None:
    try:
        command = read_command(json.dumps(said).encode())
    except CommandError:
        return
    assert msgspec.json.decode(msgspec.json.encode(command), type=Command) == command


@given(st.binary(max_size=200))
def test_whatever_bytes_are_sent_too(data: bytes) -> None:
    with suppress(CommandError):
        read_command(data)


@given(st.text())
def test_a_name_on_one_line_is_one_line(name: str) -> None:
    told = on_one_line(name)
    assert len(told) == len(name)
    assert len(told.splitlines()) <= 1
    told.encode()
