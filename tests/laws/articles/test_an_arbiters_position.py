"""Play goes on from a position that an arbiter entered, with the side to move that had the move
before: from there on the sides do not take turns by the number of the half-move."""

from __future__ import annotations

import pytest

from laws.talk import CONTROL, STANDARD, Line, Said, act, claim, clock, moved, said

SHUFFLE = ["g1f3", "g8f6", "f3g1", "f6g8"]
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 6 4"
ENTERED: list[Line] = [
    act(1000, action="set-position", fen=START),
    *moved(3000, "b1", "c3", "N", "white"),
    *moved(6000, "b8", "c6", "n", "black"),
]


def game(*lines: Line, rate: Line = STANDARD) -> Said:
    return said(*ENTERED, *lines, moves=SHUFFLE, clock=clock(600_000, 600_000), rate=rate)


@pytest.mark.parametrize(("claimant", "of"), [("white", "b8c6"), ("black", "b1c3")])
def test_a_claim_is_about_the_opponents_half_move(claimant: str, of: str) -> None:
    heard = game(claim(12_000, "illegal-move", claimant))
    assert heard.last("claim-illegal-unfounded")["facts"]["move_played"] == of


def test_the_moves_of_a_period_are_those_of_the_side_whose_flag_is_shown() -> None:
    heard = game(
        *moved(13_000, "d2", "d4", "P", "white"),
        {"t": 20_000, "flag": "black", "clock": clock(600_000, 0, "black")},
        rate=CONTROL,
    )
    assert heard.last("flag-period-reached")["facts"]["completed"] == 3


@pytest.mark.parametrize("number", [5, 6], ids=["as on the record", "of another move"])
def test_the_position_of_the_record_entered_again_has_not_appeared_once_more(number: int) -> None:
    """An arbiter says that the board stands as the record has it; with another number of the move
    it is another account of the game."""
    entered = START.replace("6 4", f"8 {number}")
    heard = said(
        act(1000, action="set-position", fen=entered),
        claim(2000, "threefold", "white"),
        moves=SHUFFLE * 2,
        clock=clock(600_000, 600_000),
        rate=STANDARD,
    )
    ruling = heard.last("claim-3-onboard-ok")
    assert ruling["facts"]["plies"] == ([0, 4, 8] if number == 5 else [0, 4, 8, 9])
    assert ruling["certainty"] == ("fact" if number == 5 else "probable")
    assert bool(heard.moves) is (number != 5), "no half-move was made"
