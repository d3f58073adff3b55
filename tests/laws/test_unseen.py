"""What a board cannot know is never alleged from it; that it is lost is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from arbiterd.cli.laws.pages import catalogue_page, explain
from laws.talk import Line, said

JUMP: list[Line] = [{"t": 1000, "lift": "b8"}, {"t": 1400, "place": "b5"}]
"""A piece goes where no legal move takes one, and stays."""
BACK: list[Line] = [{"t": 9000, "lift": "b5"}, {"t": 9400, "place": "b8"}]


def test_where_pieces_are_only_counted_and_no_clock_runs_nobody_is_accused() -> None:
    heard = said(*JUMP, sensing="occupancy", moves=["e2e4"])

    assert heard.opened() == ["tech-gap"]
    assert heard.last("tech-gap")["certainty"] == "probable"
    assert heard.last("tech-gap")["against"] is None


def test_with_a_clock_the_same_board_tells_whose_turn_it_was() -> None:
    clock = {"white_ms": 60_000, "black_ms": 60_000, "running": "black"}
    heard = said(
        *JUMP, {"t": 1900, "press": "black"}, sensing="occupancy", moves=["e2e4"], clock=clock
    )

    assert "tech-gap" not in heard.opened()
    assert heard.last(heard.opened()[0])["against"] == "black"


def test_a_board_that_was_lost_is_found_again() -> None:
    heard = said(*JUMP, *BACK, sensing="occupancy", moves=["e2e4"])

    assert heard.opened() == ["tech-gap"]
    assert heard.state("tech-gap") == "expired"


def test_pieces_lifted_for_long_are_captures_for_all_that_board_knows() -> None:
    heard = said(
        {"t": 1000, "lift": "e4"}, {"t": 3000, "lift": "c3"},
        sensing="occupancy", fen="4k3/8/8/3p1p2/4P3/2n5/8/4K3 w - - 0 1",
    )  # fmt: skip

    assert heard.opened(2, 3, 7, 11) == []


def test_an_arbiter_enters_what_the_board_cannot_show() -> None:
    report = {
        "action": "report",
        "kind": "conduct-distraction",
        "side": "white",
        "by": "An arbiter",
    }
    heard = said({"t": 1000, "act": report}, sensing="occupancy", moves=["e2e4"])

    assert heard.opened() == ["conduct-distraction"]


@pytest.mark.parametrize(
    ("row", "board", "cell"),
    [
        ("touch-own-then-other", "a device that reports moves", "moves, no clock"),
        ("touch-own-then-other", "an occupancy board without a clock", "moves, no clock"),
        (
            "promo-inverted-rook",
            "a board that senses colours",
            "moves, no clock, occupancy, colours",
        ),
        ("promo-wrong-colour", "an occupancy board", "moves, no clock, occupancy"),
        ("sh-nifu", "an occupancy board", "no clock, occupancy, colours"),
        (
            "sh-must-promote",
            "a board that senses kinds without faces",
            "no clock, occupancy, colours, kinds",
        ),
    ],
)
def test_the_catalogue_says_on_which_boards_a_row_cannot_be_seen(
    row: str, board: str, cell: str
) -> None:
    told = explain(row)

    assert told is not None
    assert f"cannot be seen on {board}: it " in told
    (line,) = (line for line in catalogue_page().splitlines() if line.startswith(f"| `{row}` |"))
    assert line.endswith(f" {cell} |")


def test_the_catalogue_page_is_the_one_the_code_writes() -> None:
    page = Path(__file__).parents[2] / "docs/catalogue.md"

    assert page.read_text("utf-8") == catalogue_page()
