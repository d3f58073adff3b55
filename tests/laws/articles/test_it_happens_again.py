"""What an arbiter has decided is done with; what happens after it is another incident."""

from __future__ import annotations

import pytest

from laws.talk import OPENING, STANDARD, Line, Said, act, clock, moved, said


def game(*lines: Line) -> Said:
    return said(*lines, moves=OPENING, clock=clock(600_000, 600_000), rate=STANDARD)


def read(t: int, white: int, black: int, running: str | None = "white") -> Line:
    return {"t": t, "clock": clock(white, black, running)}


def paused(t: int) -> Line:
    return {"t": t, "pause": True, "clock": clock(590_000, 590_000, None)}


def played(t: int) -> list[Line]:
    """The clocks run again, and each side makes a move."""
    return [
        read(t, 590_000, 590_000),
        *moved(t + 1000, "g1", "f3", "N", "white"),
        *moved(t + 5000, "b8", "c6", "n", "black"),
    ]


def stand(t: int) -> list[Line]:
    """For two and a half minutes."""
    return [read(t + ms, 590_000, 590_000, None) for ms in (30_000, 60_000, 150_000)]


KINGS: list[Line] = [
    *({"t": 100 * n, "lift": square} for n, square in enumerate(("e1", "e8", "e4", "e5"))),
    {"t": 800, "place": "e4", "piece": "K"},
    {"t": 1000, "place": "d5", "piece": "k"},
]
SET_BACK: list[Line] = [
    {"t": 24_000, "scan": "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR"},
    *moved(30_000, "g1", "f3", "N", "white"),
]


def from_(t: int, lines: list[Line]) -> list[Line]:
    return [{**line, "t": line["t"] + t} for line in lines]


PAUSE = (
    "clock-paused-by-player",
    [paused(3000)],
    [*played(20_000), paused(40_000), *stand(40_000)],
)
LONG = (
    "clock-paused-long",
    [paused(3000), *stand(3000)],
    [*played(200_000), paused(220_000), *stand(220_000)],
)
PIECES = (
    "paused-board-changes",
    [paused(3000), {"t": 5000, "lift": "h7"}, read(9000, 590_000, 590_000, None)],
    [{"t": 190_000, "lift": "a7"}, read(195_000, 590_000, 590_000, None)],
)
BOARD = (
    "tech-board-lost",
    [{"t": 3000, "link": "down"}],
    [*({"t": t, "link": up} for t, up in ((200_000, "up"), (203_000, "down"), (290_000, "up")))],
)
JUMP = (
    "clock-time-jump",
    [read(1000, 599_000, 600_000), read(2000, 500_000, 600_000), read(3000, 499_000, 600_000)],
    [
        *(read(180_000 + ms, 322_000 - ms, 600_000) for ms in range(0, 3000, 1000)),
        read(183_000, 200_000, 600_000),
        read(184_000, 199_000, 600_000),
    ],
)


@pytest.mark.parametrize("decision", ["confirm", "dismiss"])
@pytest.mark.parametrize(
    ("kind", "first", "second"),
    [PAUSE, LONG, PIECES, BOARD, JUMP],
    ids=["pause", "long pause", "pieces in a pause", "board lost", "time jump"],
)
def test_an_incident_after_the_decision_is_told_anew(
    kind: str, first: list[Line], second: list[Line], decision: str
) -> None:
    """6.11, 6.10.1, 7.4, 8.5: an arbiter who has answered the first of a game hears of the next."""
    decided = act(first[-1]["t"] + 6000, action=decision, ruling=kind)

    assert game(*first, decided).opened().count(kind) == 1, "and the first is not told twice"
    assert game(*first, decided, *second).opened().count(kind) == 2


def test_kings_in_the_centre_are_a_signal_again_after_one_that_was_dismissed() -> None:
    no = act(15_000, action="dismiss", ruling="result-kings-white")
    after = [*from_(60_000, KINGS), read(80_000, 590_000, 590_000, None)]

    assert game(*from_(3000, KINGS), no, *SET_BACK).opened().count("result-kings-white") == 1
    assert (
        game(*from_(3000, KINGS), no, *SET_BACK, *after).opened().count("result-kings-white") == 2
    )


@pytest.mark.parametrize("decision", ["confirm", "dismiss"])
def test_every_order_is_watched(decision: str) -> None:
    """7.1: that the first was not followed has been decided; the second is not followed either."""
    heard = game(
        *moved(500, "b1", "b3", "N", "white"),
        act(5000, action="confirm", ruling="illegal-first"),
        paused(6000),
        read(10_000, 500_000, 500_000),
        act(12_000, action=decision, ruling="order-not-followed"),
        {"t": 13_000, "lift": "b3"},
        {"t": 13_500, "place": "b1", "piece": "N"},
        {"t": 14_000, "pause": True, "clock": clock(496_000, 500_000, None)},
        act(15_000, action="set-clock", white_ms=400_000, black_ms=400_000),
        read(30_000, 496_000, 500_000, None),
        read(31_000, 496_000, 500_000),
    )

    assert heard.opened().count("order-not-followed") == 2


def test_a_pause_is_told_after_one_that_a_king_laid_down_had_explained() -> None:
    """5.1.2: the question was another then, and nobody had to answer it."""
    king = [{"t": 5000, "lift": "e1"}, {"t": 50_000, "place": "e1", "piece": "K"}]
    heard = game(paused(3000), *king, *played(60_000), paused(80_000), *stand(80_000))

    assert "resign-signal" in heard.opened()
    assert heard.opened().count("clock-paused-by-player") == 2


KNOCKED: list[Line] = [
    {"t": 1000, "lift": "a8"},
    {"t": 1100, "place": "a6", "piece": "r"},
    {"t": 1200, "lift": "b8"},
    {"t": 1300, "place": "b6", "piece": "n"},
]
RIGHT_AGAIN: list[Line] = [
    {"t": 12_000, "lift": "a6"},
    {"t": 12_300, "place": "a8", "piece": "r"},
    {"t": 12_400, "lift": "b6"},
    {"t": 12_700, "place": "b8", "piece": "n"},
]
AWRY = ("displaced-two", KNOCKED, RIGHT_AGAIN)
OUT_OF_TURN = (
    "move-out-of-turn",
    moved(1000, "b8", "c6", "n"),
    [{"t": 12_000, "lift": "c6"}, {"t": 12_400, "place": "b8", "piece": "n"}],
)


@pytest.mark.parametrize("decision", ["confirm", "dismiss"])
@pytest.mark.parametrize(
    ("kind", "hands", "put_right"), [AWRY, OUT_OF_TURN], ids=["displaced", "out of turn"]
)
def test_the_same_hands_once_more_while_one_side_thinks(
    kind: str, hands: list[Line], put_right: list[Line], decision: str
) -> None:
    """7.4, 1.2: one half-move may last an hour. What stays where it was decided to be is no second
    one, whatever else is touched."""
    first = [*hands, read(9000, 591_000, 600_000), act(10_000, action=decision, ruling=kind)]
    touched = [{"t": 14_000, "lift": "h2"}, {"t": 14_600, "place": "h2", "piece": "P"}]
    later = read(60_000, 540_000, 600_000)

    assert game(*first, *touched, later).opened().count(kind) == 1
    assert game(*first, *put_right, *from_(20_000, hands), later).opened().count(kind) == 2


# What people enter.

BARE = "4k2q/8/8/8/8/8/8/4K3 w - - 0 1"


@pytest.mark.parametrize(
    ("entered", "kind", "fen"),
    [
        ({"action": "claim", "claim": "flag", "side": "white"}, "flag-claimed-without", ""),
        ({"action": "claim", "claim": "checkmate", "side": "white"}, "end-false-mate", ""),
        ({"action": "report", "kind": "result-handshake-unclear"}, "result-handshake-unclear", ""),
        ({"action": "resign", "side": "black"}, "resign-unwinnable", BARE),
    ],
    ids=["a flag", "a mate", "a handshake", "a resignation"],
)
def test_what_people_enter_again_later_in_the_game_is_answered_again(
    entered: Line, kind: str, fen: str
) -> None:
    """6.8, 5.1.2: an arbiter dismissed the first; it may be one half an hour later."""
    heard = said(
        act(1000, **entered),
        act(9000, action="dismiss", ruling=kind),
        *moved(20_000, "e1", "e2", "K", "white") * bool(fen),
        act(60_000, **entered),
        moves=[] if fen else OPENING,
        fen=fen,
        clock=clock(600_000, 600_000),
        rate=STANDARD,
    )

    assert heard.replies[-1]["ok"] is True
    assert heard.opened().count(kind) == 2
    assert heard.replies[-1]["ruling"] != heard.replies[0]["ruling"]
