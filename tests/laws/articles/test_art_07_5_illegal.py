"""An illegal move that is answered by another one (7.5.5)."""

from __future__ import annotations

import pytest

from laws.talk import STANDARD, Line, act, clock, moved, said

RAPID = {"kind": "rapid", "supervised": False, "time": ["15:00+10"]}


def test_a_rook_that_moves_slantwise_in_reply_to_an_illegal_move_is_illegal_too() -> None:
    """Was the rook a pawn once? What it answers is on no record."""
    heard = said(
        *moved(1000, "f1", "g4", "B", "white"),
        *moved(4000, "h8", "a1", "r", "black", taken="a1"),
        moves=["a2a4", "g7g5"],
        clock=clock(600_000, 600_000),
        rate=STANDARD,
    )

    assert heard.opened() == ["illegal-first", "illegal-found-later", "illegal-first"]
    standing = [ruling for ruling in heard.rulings if ruling["state"] == "open"]
    assert [ruling["against"] for ruling in standing] == ["white", "white", "black"]


def test_a_press_of_a_turn_that_is_withdrawn_with_it_is_passed_over() -> None:
    """White goes back to where the king came from, and the presses that follow leave open which
    half-moves were played at all."""
    heard = said(
        {"t": 1100, "lift": "e2"},
        {"t": 1300, "place": "e1", "piece": "K"},
        {"t": 1900, "press": "white"},
        {"t": 2300, "lift": "e8"},
        {"t": 3100, "press": "black"},
        {"t": 3200, "press": "white"},
        fen="4k3/8/8/p2p2p1/P2P2P1/8/8/R3K3 w - - 0 50",
        moves=["e1d1", "e8d8", "d1e2", "d8e8"],
        clock=clock(600_000, 600_000),
        rate=RAPID,
    )

    assert heard.rulings


def test_the_clocks_of_an_illegal_move_are_those_of_its_press() -> None:
    """It is told once the board has rested, and the opponent's clock has run since."""
    heard = said(
        {"t": 1000, "lift": "b1"},
        {"t": 1400, "place": "b3", "piece": "N"},
        {"t": 2000, "press": "white", "clock": clock(630_000, 600_000, "black")},
        clock=clock(600_000, 600_000),
        rate=STANDARD,
    )
    ruling = heard.last("illegal-first")

    assert (ruling["facts"]["white_clock"], ruling["facts"]["black_clock"]) == (630_000, 600_000)
    assert ruling["text"]["en"]["detail"].endswith("Clocks at the press: 10:30, 10:00.")


LONG_PROOF = "8/1p2p1p1/1P2P1P1/Bp2pBp1/1P2P1P1/7k/1P2P3/3K4 b - - 0 60"
"""That White can still mate takes longer to find than a ruling waits."""


def test_a_second_one_is_lost_for_certain_only_once_the_opponent_is_known_to_mate() -> None:
    """7.5.5: lost, or drawn; what nobody has proven is the arbiter's to find."""
    heard = said(
        *moved(1000, "h3", "f3", "k", "black"),
        fen=LONG_PROOF,
        illegal={"white": 0, "black": 1},
        clock=clock(600_000, 600_000, "black"),
        rate=STANDARD,
    )
    first, then = (one for one in heard.rulings if one["kind"] == "illegal-second")

    assert (first["certainty"], first["facts"]["otherwise"]) == ("probable", "1/2-1/2")
    assert first["text"]["en"]["detail"].endswith("If you find that they cannot, it is 1/2-1/2.")
    assert (then["certainty"], then["facts"]["otherwise"]) == ("fact", None)
    assert then["text"]["en"]["detail"].endswith("Can White mate: yes.")
    assert {first["proposal"]["result"], then["proposal"]["result"]} == {"1-0"}


def test_where_it_is_never_proven_it_stays_the_arbiters() -> None:
    """Guadalete, with pieces on both banks: its own rules leave it open."""
    heard = said(
        *moved(1000, "b1", "b3", "N", "white"),
        ruleset="guadalete",
        illegal={"white": 1, "black": 0},
        clock=clock(600_000, 600_000),
        rate=STANDARD,
    )
    ruling = heard.last("illegal-second")

    assert (ruling["certainty"], ruling["facts"]["can_mate"]) == ("probable", "not-proven")
    assert ruling["facts"]["otherwise"] == "1/2-1/2"


@pytest.mark.parametrize("rate", [STANDARD, RAPID], ids=["standard", "A.5"])
def test_the_evidence_of_what_was_replied_to_holds_the_illegal_move(rate: Line) -> None:
    played = [
        *moved(1000, "g1", "e3", "N", "white"),
        *moved(5000, "b8", "c6", "n", "black"),
    ]
    heard = said(*played, moves=["e2e4", "e7e5"], clock=clock(600_000, 600_000), rate=rate)
    told, later = (heard.last(kind) for kind in heard.opened())
    assert later["kind"] == ("illegal-found-later" if rate is STANDARD else "illegal-a5-replied")
    assert later["evidence"]["from"] == told["evidence"]["from"]


LEFT = {"fen": "4k3/P6r/8/8/8/8/8/4K2N w - - 0 50", "clock": clock(600_000, 600_000)}
"""White leaves the pawn on its last rank, Black replies, and later White moves a knight amiss."""
PAWN_LEFT = [*moved(1000, "a7", "a8", "P", "white"), *moved(5000, "e8", "e7", "k", "black")]


def test_a_pawn_left_on_its_last_rank_counts_though_it_is_found_after_the_reply() -> None:
    """7.5.2, 7.5.5: the next illegal move of the same player is the second."""
    confirm = act(8000, action="confirm", ruling="promo-pawn-seen-late")
    again = [
        {"t": 9000, "lift": "a8"},
        {"t": 9500, "place": "a8", "piece": "Q"},
        {"t": 10_000, "lift": "e7"},
        {"t": 10_500, "place": "e8", "piece": "k"},
        {"t": 20_000, "clock": clock(600_000, 720_000, "black")},
        *moved(21_000, "e8", "e7", "k", "black"),
        *moved(25_000, "h1", "h3", "N", "white"),
    ]
    heard = said(*PAWN_LEFT, confirm, *again, rate=STANDARD, **LEFT)
    assert heard.last("illegal-second")["proposal"]["result"] == "0-1"

    heard = said(*PAWN_LEFT, *moved(9000, "h1", "h3", "N", "white"), rate=STANDARD, **LEFT)
    hangs_on = heard.last("illegal-second")["facts"]["hangs_on"]
    assert [one["kind"] for one in hangs_on] == ["promo-pawn-seen-late"]


CHECKED: list[Line] = [
    *moved(1000, "b1", "c3", "N", "white"),
    *moved(3000, "f8", "b4", "b", "black"),
    *moved(5000, "d2", "d3", "P", "white"),
    *moved(7000, "b4", "c3", "b", "black", taken="c3"),
    *moved(11_000, "g1", "f3", "N", "white"),
]
"""White leaves the king in check, and the clock is pressed at 11.9 s."""


@pytest.mark.parametrize("first", ["e1", "c3"], ids=["king first", "bishop first"])
@pytest.mark.parametrize("wait_ms", [200, 500, 900])
@pytest.mark.parametrize(
    ("rate", "row"), [(STANDARD, "illegal-first"), (RAPID, "illegal-a5-open")], ids=["std", "A.5"]
)
def test_a_king_that_is_taken_at_once_shows_both_irregularities(
    rate: Line, row: str, wait_ms: int, first: str
) -> None:
    """1.4.1: however soon after the press the hand is on it, as in blitz."""
    t = 11_900 + wait_ms
    second = {"e1": "c3", "c3": "e1"}[first]
    heard = said(
        *CHECKED,
        {"t": t, "lift": first},
        {"t": t + 200, "lift": second},
        {"t": t + 500, "place": "e1", "piece": "b"},
        {"t": t + 900, "press": "black"},
        moves=["e2e4", "e7e5"],
        clock=clock(600_000, 600_000),
        rate=rate,
    )

    assert heard.opened() == [row, "king-captured"]
    assert heard.last(row)["facts"]["attempt"] == "g1f3"
    assert [heard.last(kind)["against"] for kind in (row, "king-captured")] == ["white", "black"]


@pytest.mark.parametrize(
    ("rate", "row", "gains"),
    [
        (STANDARD, "illegal-found-later", {"white": -30_000, "black": 120_000}),
        (RAPID, "illegal-a5-replied", {}),
    ],
    ids=["std", "A.5"],
)
def test_a_black_queen_that_white_pressed_for_was_pressed_for_after_the_reply_too(
    rate: Line, row: str, gains: dict[str, int]
) -> None:
    """3.7.3.3, 7.5.1: White's pawn shows nowhere since, for it was exchanged."""
    heard = said(
        {"t": 1000, "lift": "a7"},
        {"t": 1500, "place": "a8", "piece": "q"},
        {"t": 2000, "press": "white"},
        *moved(14_000, "e8", "d7", "k", "black"),
        fen="4k3/P6p/8/8/8/8/8/K7 w - - 0 1",
        clock=clock(600_000, 600_000),
        rate=rate,
    )

    assert heard.opened() == ["promo-wrong-colour", row]
    assert heard.last(row)["proposal"]["clock_delta_ms"] == gains


@pytest.mark.parametrize(
    ("fen", "carried"),
    [
        ("4kr2/7p/8/8/8/8/7P/4K2R w K - 0 1", (("e1", "g1"), ("h1", "f1"))),
        ("4k3/7p/8/8/8/8/7P/R3K3 w - - 0 1", (("e1", "c1"), ("a1", "d1"))),
        ("4k3/7p/8/8/8/8/7P/4KBN1 w - - 0 1", (("g1", "g3"), ("f1", "f3"))),
    ],
    ids=["through check", "right lost", "two pieces"],
)
def test_pieces_that_stand_on_other_squares_are_in_no_hand(
    fen: str, carried: tuple[tuple[str, str], ...]
) -> None:
    """A board that counts pieces shows as many as before: none of them is in the air."""
    lines: list[Line] = []
    for number, (origin, target) in enumerate(carried):
        lines += [
            {"t": 3000 + 600 * number, "lift": origin},
            {"t": 3300 + 600 * number, "place": target},
        ]
    heard = said(
        *lines,
        {"t": 4700, "press": "white"},
        fen=fen,
        clock=clock(600_000, 600_000),
        sensing="occupancy",
    )
    assert heard.opened() == ["move-unexplained-press"]
    squares = {square for pair in carried for square in pair}
    assert set(heard.last("move-unexplained-press")["facts"]["squares"]) == squares
