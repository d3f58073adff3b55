"""What a ruling about a touched piece lists."""

from __future__ import annotations

import pytest

from laws.talk import STANDARD, Line, Said, clock, moved, said


def test_a_piece_touched_before_the_opponents_hand_was_away_is_in_the_list() -> None:
    """The obligation rests on it: h2 was lifted before Black adjusted b8 and pressed."""
    heard = said(
        {"t": 2500, "press": "black"},
        {"t": 4000, "press": "white"},
        {"t": 4100, "lift": "h2"},
        {"t": 4400, "place": "h2", "piece": "P"},
        {"t": 10_100, "lift": "b8"},
        {"t": 12_100, "place": "b8", "piece": "n"},
        {"t": 16_100, "press": "black"},
        *moved(16_500, "a2", "a3", "P", "white"),
        moves=["b2b3", "d7d5"],
        clock=clock(90_000, 600_000, None),
        rate=STANDARD,
        sensing="occupancy",
    )
    ruling = heard.last("touch-own-then-other")

    assert [touch["square"] for touch in ruling["facts"]["touched"]][:1] == ["h2"]
    assert ruling["facts"]["obligation"] == ["h2h3", "h2h4"]
    assert "touched Ph2" in ruling["text"]["en"]["line"]


# A half-move that is put back before its press, and what is made instead.

TOUCHED_AND_MADE: list[Line] = [
    {"t": 1000, "lift": "g1"},
    {"t": 2500, "place": "g1", "piece": "N"},
    {"t": 4000, "lift": "e2"},
    {"t": 4500, "place": "e4", "piece": "P"},
    {"t": 12_000, "lift": "e4"},
    {"t": 12_500, "place": "e2", "piece": "P"},
]


def put_back(*lines: Line) -> Said:
    begun = {"moves": ["a2a3", "a7a6"], "clock": clock(600_000, 600_000), "rate": STANDARD}
    return said(*TOUCHED_AND_MADE, *lines, **begun)


def test_who_puts_back_the_own_move_is_not_taken_for_the_opponent() -> None:
    """4.8: White's own clock runs, and nothing but White's pawn was touched."""
    heard = put_back()
    assert heard.opened() == ["touch-own-then-other"]
    assert all("4.8" not in ruling["articles"] for ruling in heard.rulings)


@pytest.mark.parametrize(
    ("instead", "told"),
    [
        (moved(17_000, "g1", "f3", "N", "white"), []),
        (moved(17_000, "d2", "d4", "P", "white"), ["d2d4"]),
    ],
    ids=["the touched piece", "another one"],
)
def test_what_is_made_instead_is_judged_by_what_was_touched(
    instead: list[Line], told: list[str]
) -> None:
    newest = {one["id"]: one for one in put_back(*instead).rulings}.values()
    assert [one["facts"]["played"] for one in newest if one["state"] == "open"] == told


# A half-move that was pressed for and taken back, by consent.

TAKEN_BACK: list[Line] = [
    *moved(1000, "g1", "f3", "N", "white"),
    {"t": 6000, "lift": "f3"},
    {"t": 6500, "place": "g1", "piece": "N"},
]
HANDED_BACK: Line = {"t": 7500, "press": "black"}


def taken_back(*lines: Line) -> Said:
    begun = {"moves": ["e2e4", "e7e5"], "clock": clock(600_000, 600_000), "rate": STANDARD}
    return said(*TAKEN_BACK, *lines, **begun)


@pytest.mark.parametrize("handed", [[HANDED_BACK], []], ids=["handed back", "clock left alone"])
@pytest.mark.parametrize(
    "instead",
    [moved(16_000, "g1", "h3", "N", "white"), moved(16_000, "f1", "c4", "B", "white")],
    ids=["the same piece", "another one"],
)
def test_what_is_played_in_place_of_a_move_that_was_taken_back_is_one_incident(
    instead: list[Line], handed: list[Line]
) -> None:
    """The knight's hands are those of a completed move; what is wrong is that it was taken back."""
    assert taken_back(*handed, *instead).opened() == ["takeback-after-press"]


def test_what_is_touched_once_it_was_taken_back_binds() -> None:
    touched: list[Line] = [{"t": 16_000, "lift": "b1"}, {"t": 17_500, "place": "b1", "piece": "N"}]
    heard = taken_back(HANDED_BACK, *touched, *moved(20_000, "f1", "c4", "B", "white"))

    assert heard.opened() == ["takeback-after-press", "touch-own-then-other"]
    assert heard.last("touch-own-then-other")["facts"]["obligation"] == ["b1c3", "b1a3"]
