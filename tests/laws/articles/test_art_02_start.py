"""What the first picture of a board may be, if it is not the start array."""

from __future__ import annotations

import pytest

from laws.talk import BLITZ, STANDARD, Line, clock, moved, said

IN_HAND = "rnbqkbnr/pppppppp/8/8/8/8/PPP1PPPP/RNBQKBNR"
IN_PLAY = "rn1qkbnr/ppp2ppp/3p4/4p3/3PP1b1/5N2/PPP2PPP/RNBQKB1R"
MISSING = "rnbqkbnr/pppppppp/8/8/8/8/1PPPPPPP/RNBQKBNR"


def test_a_piece_in_the_air_when_the_board_is_first_heard_is_no_wrong_set_up() -> None:
    heard = said({"t": 0, "scan": IN_HAND}, {"t": 3000, "place": "d4", "piece": "P"})

    assert [move["uci"] for move in heard.moves] == ["d2d4"]
    assert heard.opened() == ["start-piece-extra-or-missing"]
    assert heard.state("start-piece-extra-or-missing") == "expired"


def test_a_service_that_comes_into_a_game_says_that_it_missed_its_beginning() -> None:
    heard = said(
        {"t": 0, "scan": IN_PLAY},
        {"t": 9000, "lift": "c2"},
        {"t": 9400, "place": "c3", "piece": "P"},
    )

    assert heard.opened() == ["tech-gap"]


@pytest.mark.parametrize("kind", ["start-piece-extra-or-missing", "start-setup-wrong-std"])
def test_a_piece_that_is_missing_is_missed_when_another_one_moves(kind: str) -> None:
    heard = said(
        {"t": 0, "scan": MISSING},
        {"t": 9000, "lift": "e2"},
        {"t": 9400, "place": "e4", "piece": "P"},
    )

    assert kind in heard.opened()


READY = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
JUMPED = "rnbqkbnr/pppppppp/8/7R/8/8/PPPPPPPP/RNBQKBN1"
AWAY = [{"t": 8000, "link": "down"}, {"t": 30_000, "link": "up"}]


@pytest.mark.parametrize("touched", [False, True])
def test_play_from_where_no_move_led_is_no_game_that_begins_there(touched: bool) -> None:
    """The pieces stood ready, the board fell silent, and comes back as no play leaves it."""
    hand = [{"t": 3000, "lift": "d2"}, {"t": 3500, "place": "d2", "piece": "P"}]
    heard = said(
        {"t": 0, "scan": READY},
        *(hand if touched else []),
        *AWAY,
        {"t": 31_000, "scan": JUMPED},
        {"t": 40_000, "lift": "b8"},
        {"t": 40_400, "place": "c6", "piece": "n"},
        {"t": 50_000, "lift": "d2"},
        {"t": 50_400, "place": "d4", "piece": "P"},
    )

    assert heard.opened() == ["tech-gap"]
    ruling = heard.last("tech-gap")
    assert (ruling["ply"], ruling["position"].split()[0]) == (1, READY)


def test_a_piece_in_the_air_before_the_board_falls_silent_is_no_wrong_set_up() -> None:
    heard = said(
        {"t": 0, "scan": IN_HAND},
        *AWAY,
        {"t": 31_000, "scan": "rnbqkbnr/pppp1ppp/8/4p3/3P4/5N2/PPP1PPPP/RNBQKB1R"},
    )

    assert [move["uci"] for move in heard.moves][:3] == ["d2d4", "e7e5", "g1f3"]
    assert "start-setup-wrong-std" not in heard.opened()


@pytest.mark.parametrize(
    ("target", "kind", "against"),
    [("c6", "move-out-of-turn", "black"), ("a5", "displaced-on-opp-time", None)],
)
@pytest.mark.parametrize(
    "fen", ["", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"]
)
def test_while_the_first_clock_runs_a_piece_of_the_other_side_is_told_of(
    fen: str, target: str, kind: str, against: str | None
) -> None:
    """Nothing more is heard of the clock than that it runs when the board is first seen."""
    heard = said(
        *moved(3000, "b8", target, "n"),
        fen=fen,
        clock=clock(5_430_000, 5_430_000),
        rate=STANDARD,
    )

    assert [(one["kind"], one["against"]) for one in heard.rulings] == [(kind, against)]


SWAPPED_BISHOP = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKNBR"
TEN_EACH = [
    *("a2a3", "a7a6", "b2b3", "b7b6", "c2c3", "c7c6", "d2d3", "d7d6", "e2e3", "e7e6"),
    *("f2f3", "f7f6", "g2g3", "g7g6", "h2h3", "h7h6", "a3a4", "a6a5", "b3b4", "b6b5"),
]


def _pawns(pressed: set[int]) -> list[Line]:
    """Ten moves by each side and one more by White, four seconds each; those of these numbers are
    pressed."""
    lines: list[Line] = []
    for number, uci in enumerate([*TEN_EACH, "c3c4"], 1):
        side, piece = ("white", "P") if number % 2 else ("black", "p")
        press = side if number in pressed else ""
        lines += moved(number * 4000, uci[:2], uci[2:], piece, press)
    return lines


ALL = set(range(1, 22))


@pytest.mark.parametrize(
    "pressed", [ALL, ALL - {7}, set()], ids=["all pressed", "one not", "no clock is heard"]
)
def test_ten_moves_each_are_completed_though_not_all_were_pressed(pressed: set[int]) -> None:
    """6.2.1.2, A.5.1.2: a move is completed by the player's next one too. Where no press is heard
    Black's tenth is not completed yet, and the wrong set-up can still be claimed."""
    told = [
        (one["kind"], one["facts"]["white_moves"], one["facts"]["black_moves"])
        for one in said(
            {"t": 0, "scan": SWAPPED_BISHOP}, *_pawns(pressed), fen="", rate=BLITZ
        ).rulings
        if one["state"] == "open" and one["kind"].startswith("start-setup-wrong")
    ]

    if pressed:
        assert told[-1] == ("start-setup-wrong-late", 10, 10)
    else:
        assert told[-1] == ("start-setup-wrong-std", 10, 9)
