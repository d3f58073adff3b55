"""`arbiterd can-mate`, as other programs call it."""

from __future__ import annotations

import json

import chess
from click.testing import CliRunner

from arbiterd.cli.can_mate import can_mate

WALL = "4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - -"


def run(*args: str, given: str = "") -> tuple[int, list[dict[str, object]]]:
    result = CliRunner().invoke(can_mate, args, input=given)
    return result.exit_code, [json.loads(line) for line in result.stdout.splitlines()]


def test_one_line_out_for_each_line_in_and_in_order() -> None:
    lines = [WALL, "", "no fen", chess.STARTING_FEN, "8/8/8/8/8/8/8/8 w - - 0 1"]
    status, told = run(given="\n".join(lines) + "\n")

    assert status == 1
    assert [line["fen"] for line in told] == lines
    assert ["error" in line for line in told] == [False, True, True, False, False]
    assert ["unreachable" in line for line in told] == [False, False, False, False, True]


def test_arguments_are_asked_like_lines() -> None:
    status, told = run(WALL, "7k/8/7K/2Bb4/8/8/8/8 b - - 0 1")

    assert status == 0
    assert told[0]["white"] == {
        "verdict": "impossible",
        "line": None,
        "proof": {
            "kind": "mobility",
            "text": "The pawns are blocked for ever, and no piece of White can ever attack a "
            "square that Black's king can reach.",
        },
        "nodes": 16,
    }
    assert isinstance(told[1]["white"], dict)
    board = chess.Board("7k/8/7K/2Bb4/8/8/8/8 b - - 0 1")
    for move in told[1]["white"]["line"]:
        board.push_uci(move)
    assert board.is_checkmate()


def test_a_tiny_budget_is_kept() -> None:
    status, told = run("--nodes", "1", chess.STARTING_FEN)

    assert status == 0
    assert told[0]["white"] == {"verdict": "not-proven", "line": None, "proof": None, "nodes": 1}


def test_bytes_that_are_no_text_are_a_line_like_others() -> None:
    result = CliRunner().invoke(can_mate, [], input=b"\xff\xfe\n" + WALL.encode() + b"\n")

    assert result.exit_code == 1
    assert len(result.stdout.splitlines()) == 2
