"""The worked examples of the wire: every one is held somewhere, and none is left out silently.

Those of devices with a driver are in the tests of their family. Three makers have none, for they
are reached over Bluetooth LE or are bare clocks; what their bytes say is written down here, so that
whoever writes their driver has something to begin with:

- ChessUp feels fingers but refuses illegal moves by itself, and wrong bytes have put one into its
  firmware's mode: nothing is sent to it before somebody has one on the table.
- Square Off Pro tells what is occupied as it lies along the files.
- The clock of a university project sends a letter and two times.
"""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
EXAMPLES = (
    [f"CL-{n:02}" for n in range(1, 17)]
    + [f"CB-{n:02}" for n in range(1, 4)]
    + [f"ST-{n:02}" for n in range(1, 4)]
    + ["SP-01"]
    + [f"CN-{n:02}" for n in range(1, 10)]
    + [f"IC-{n:02}" for n in range(1, 4)]
    + [f"HS-{n:02}" for n in range(1, 5)]
    + [f"CU-{n:02}" for n in range(1, 4)]
    + ["SO-01", "SO-02", "NV-01", "PC-01"]
)
START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - "


def test_every_worked_example_is_held_by_a_test() -> None:
    held = "\n".join(
        file.read_text() for file in TESTS.glob("*/test_*.py") if file != Path(__file__)
    )
    own = Path(__file__).read_text().split("def test_every")[-1]
    named = set(re.findall(r"\b[A-Z]{2}-\d\d\b", held + own))

    assert len(EXAMPLES) == 46
    assert sorted(set(EXAMPLES) - named) == []


# ChessUp: a square is 8 x rank + file, counted from a1.


def chessup_move(report: bytes) -> str:
    """A3 35, then file and rank of both squares."""
    assert report[:2] == b"\xa3\x35"
    from_file, from_rank, to_file, to_rank = report[2:]
    return f"{'abcdefgh'[from_file]}{from_rank + 1}{'abcdefgh'[to_file]}{to_rank + 1}"


def chessup_show(move: str) -> bytes:
    """99, then both squares."""
    squares = ("abcdefgh".index(move[n]) + 8 * (int(move[n + 1]) - 1) for n in (0, 2))
    return bytes((0x99, *squares))


def chessup_load(fen: str, half_moves: int, number: int) -> bytes:
    """66, a count, four fields of a FEN with a space after each, and two counters."""
    body = fen.encode() + bytes([half_moves]) + number.to_bytes(2, "big")
    return bytes((0x66, len(body))) + body


def test_chessup_reports_a_move() -> None:
    """CU-01."""
    assert chessup_move(bytes.fromhex("A3 35 04 01 04 03")) == "e2e4"


def test_chessup_shows_a_move() -> None:
    """CU-02."""
    assert chessup_show("e7e5") == bytes.fromhex("99 34 24")


def test_chessup_takes_a_position() -> None:
    """CU-03."""
    assert chessup_load(START_FEN, 0, 1) == bytes.fromhex(
        "66 38 72 6E 62 71 6B 62 6E 72 2F 70 70 70 70 70 70 70 70 2F 38 2F 38 2F 38 2F 38 2F"
        "50 50 50 50 50 50 50 50 2F 52 4E 42 51 4B 42 4E 52 20 77 20 4B 51 6B 71 20 2D 20 00 00 01"
    )


# Square Off Pro: 30#, sixty-four digits a1 a2 ... a8, b1 ... h8, and a star.


def square_off(occupied: set[str]) -> bytes:
    squares = [f"{file}{rank}" for file in "abcdefgh" for rank in range(1, 9)]
    return f"30#{''.join('01'[square in occupied] for square in squares)}*".encode()


def test_square_off_tells_what_is_occupied() -> None:
    """SO-01 and SO-02."""
    start = {f"{file}{rank}" for file in "abcdefgh" for rank in (1, 2, 7, 8)}
    full = "31 31 30 30 30 30 31 31 "

    assert square_off(start) == bytes.fromhex("33 30 23" + full * 8 + "2A")
    assert square_off(start - {"e2"} | {"e4"}) == bytes.fromhex(
        "33 30 23" + full * 4 + "31 30 30 31 30 30 31 31" + full * 3 + "2A"
    )


def test_a_clock_of_nine_bytes() -> None:
    """PC-01: T for a change of turn, then both times in milliseconds."""
    message = bytes.fromhex("54 00 04 81 20 00 04 93 E0")
    times = [int.from_bytes(message[n : n + 4], "big") for n in (1, 5)]

    assert (message[:1], times) == (b"T", [295_200, 300_000])
