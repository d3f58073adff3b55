"""The river game's own rows, as an arbiter reads them."""

from __future__ import annotations

import pytest

from laws.talk import STANDARD, act, clock, moved, said


def test_a_pawn_left_on_the_river_is_no_pawn_on_its_last_rank() -> None:
    """Programs and pages were told that the pawn on its last rank was not exchanged."""
    heard = said(
        *moved(100, "e2", "e4", "P", press="white"),
        ruleset="guadalete",
        rate=STANDARD,
        clock=clock(5_430_000, 5_400_000, "white"),
    )
    ruling = heard.last("gu-plank-not-replaced")

    assert ruling["facts"]["reason"] == "the pawn on the open river is not replaced by a plank"
    assert ruling["facts"]["square"] == "e4"


@pytest.mark.parametrize(
    ("origin", "target", "kind"),
    [
        ("g2", "g4", "gu-plank-not-replaced"),
        ("b2", "e2", "illegal-first"),
        ("b2", "a5", "illegal-first"),
        ("b2", "a3", "gu-pawn-captured"),
        ("h3", "h5", "illegal-first"),
    ],
)
@pytest.mark.parametrize("sensing", ["identity", "colour", "occupancy"])
def test_a_pawn_that_was_lifted_and_stands_elsewhere_became_no_plank(
    sensing: str, origin: str, target: str, kind: str
) -> None:
    """The board showed its transformation while it was in the hand; where only pieces are counted
    what came then was told as the other side's doing, and h5 as a piece displaced beside h4=T."""
    shown = {"identity": "P", "colour": "w", "occupancy": "?"}[sensing]
    heard = said(
        {"t": 100, "lift": origin},
        {"t": 700, "place": target, "piece": shown},
        {"t": 1500, "press": "white"},
        {"t": 9_000, "clock": clock(5_428_000, 5_392_000, "black")},
        ruleset="guadalete",
        fen="rnbqkbnr/pppp1p1p/8/8/8/7P/PPPP2P1/RNBQKBNR w KQkq - 0 4 e4,f4,e5,g5 2/2",
        sensing=sensing,
        rate=STANDARD,
        clock=clock(5_430_000, 5_400_000, "white"),
    )

    assert heard.opened() == [kind]
    assert heard.moves == []
    assert heard.last(kind)["facts"]["attempt"] == origin + target


@pytest.mark.parametrize("sensing", ["identity", "colour", "occupancy"])
@pytest.mark.parametrize("pressed", [True, False], ids=["pressed", "put right"])
def test_a_pawn_that_was_held_for_long_may_wait_on_the_river_for_its_counter(
    sensing: str, pressed: bool
) -> None:
    """Held for eight seconds it was told as a plank already; then it stood there for nine more, in
    its own side's time, and was called displaced in the other's."""
    heard = said(
        {"t": 50, "clock": clock(5_430_000, 5_400_000, "white")},
        {"t": 100, "lift": "e2"},
        {"t": 8_100, "place": "e4", "piece": {"identity": "P", "colour": "w"}.get(sensing, "?")},
        *([] if pressed else [{"t": 17_100, "lift": "e4"}]),
        {"t": 18_000, "press": "white"},
        {"t": 30_000, "clock": clock(5_412_000, 5_388_000, "black")},
        ruleset="guadalete",
        sensing=sensing,
        rate=STANDARD,
        clock=clock(5_430_000, 5_400_000, "white"),
    )

    calls = [kind for kind in heard.opened() if kind != "gu-obligation"]
    assert calls == (["gu-plank-not-replaced"] if pressed else [])
    assert heard.moves[-1]["uci"] == (None if pressed else "e2e4t")
    assert heard.state("gu-obligation") == ("expired" if pressed else "open")


def test_a_pawn_that_waited_on_the_river_before_any_clock_began_no_other_game() -> None:
    """What stood there for long before the first half-move was taken for the start, without the
    piece of which such a board does not tell what it is: Black's reply was half-move 1."""
    heard = said(
        {"t": 100, "lift": "e2"},
        {"t": 400, "place": "e4", "piece": "?"},
        {"t": 9_400, "lift": "e4"},
        {"t": 10_000, "press": "white"},
        *moved(20_000, "d7", "d5", "?"),
        {"t": 21_000, "lift": "d5"},
        {"t": 22_000, "press": "black"},
        ruleset="guadalete",
        sensing="occupancy",
        rate=STANDARD,
    )

    assert {move["ply"]: move["uci"] for move in heard.moves} == {1: "e2e4t", 2: "d7d5t"}


def test_nobody_owes_a_plank_for_one_that_was_none() -> None:
    """Told while the pawn was in the hand; it went to e3, or the arbiter took it back."""
    hand = [{"t": 100, "lift": "e2"}, {"t": 8_100, "place": "e3", "piece": "P"}]
    arbiter = [
        {"t": 100, "lift": "e2"},
        {"t": 1_000, "press": "white"},
        act(5_000, action="set-move", op="take-back", ply=1),
    ]
    for lines in (hand, arbiter):
        heard = said(*lines, {"t": 15_000, "link": "up"}, ruleset="guadalete", rate=STANDARD)

        assert heard.state("gu-obligation") == "expired"


IN_CHECK = "4k3/4p3/8/8/8/R6R/4P3/r3K3 w - - 0 9 c4,c5,d4,d5 2/2"
PINNED = "4k3/4p3/8/8/8/R6R/r3P1K1/8 w - - 0 9 c4,c5,d4,d5 2/2"


@pytest.mark.parametrize("board", ["identity", "colour", "occupancy", "counters"])
@pytest.mark.parametrize(
    ("fen", "reason"), [(IN_CHECK, "the king is left in check"), (PINNED, "the piece is pinned")]
)
@pytest.mark.parametrize("answered", [False, True])
def test_a_plank_that_was_not_allowed_is_an_illegal_move_and_counts_once_answered(
    board: str, fen: str, reason: str, answered: bool
) -> None:
    """Pressed with a piece in the hand, it was said, seven seconds later, while the counter lay
    there. Answered, nobody knew of the plank, or of the pawn: what then stood on it was illegal."""
    sensed = board == "counters"
    shown, pawn = {"colour": ("b", "w"), "occupancy": ("?", "?")}.get(board, ("k", "P"))
    before = fen.split()[0].replace("/8/8/8/R", "/8/2oo4/2oo4/R") if sensed else fen.split()[0]
    waits = [{"t": 300, "place": "e4", "piece": pawn}, {"t": 900, "lift": "e4"}]
    counter = [{"t": 900, "place": "e4", "piece": "o"}]
    seen = {"colour": "4b3/4b3/8/8/8/w6w/4w3/b3w3", "occupancy": "4?3/4?3/8/8/8/?6?/4?3/?3?3"}
    if fen == PINNED:
        seen = {"colour": "4b3/4b3/8/8/8/w6w/b3w1w1/8", "occupancy": "4?3/4?3/8/8/8/?6?/?3?1?1/8"}
    heard = said(
        {"t": 0, "scan": seen.get(board, before)},
        {"t": 100, "lift": "e2"},
        *(counter if sensed else waits),
        {"t": 1_500, "press": "white"},
        *([*moved(6_000, "e8", "d8", shown, press="black")] if answered else []),
        {"t": 14_000, "link": "up"},
        ruleset="guadalete",
        fen=fen,
        sensing="identity" if sensed else board,
        settings={"counters_sensed": sensed},
        rate=STANDARD,
        clock=clock(5_430_000, 5_400_000, "white"),
    )

    kinds = ["illegal-first", "illegal-found-later"] if answered else ["illegal-first"]
    assert [kind for kind in heard.opened() if kind != "gu-obligation"] == kinds
    facts = heard.last(kinds[-1])["facts"]
    assert (facts["attempt"], facts["reason"]) == ("e2e4t", reason)
    if answered:
        assert [(move["uci"], move.get("irregular", False)) for move in heard.moves] == [
            ("e2e4t", True),
            ("e8d8", False),
        ]
        assert heard.moves[-1]["fen"].endswith(" c4,c5,d4,d5,e4 3/2")


def test_clocks_that_a_player_stops_wait_for_no_counter() -> None:
    """A pawn that can become a plank needs none that is not at hand: the arbiter was told that a
    piece to promote to is missing."""
    heard = said(
        {"t": 9_000, "pause": True},
        {"t": 20_000, "link": "up"},
        ruleset="guadalete",
        rate=STANDARD,
        settings={"counters_sensed": True},
        clock=clock(5_430_000, 5_400_000, "white"),
    )

    assert heard.opened() == ["clock-paused-by-player"]


def test_a_plank_that_was_pressed_for_is_no_pawn_in_the_hand_during_unlawful_castling() -> None:
    """White owes a transformation and castles: Black's plank, pressed for, was taken back for it,
    as if White had replied while the pawn was in the air."""
    fen = "rnbqkbnr/ppppppp1/8/8/8/2N5/PPPP1PPP/R3KBNR w KQkq - 0 5 e4,h5 1/2"
    heard = said(
        {"t": 1_000, "lift": "g7"},
        {"t": 1_500, "press": "black"},
        {"t": 4_000, "lift": "e1"},
        {"t": 4_500, "place": "c1", "piece": "K"},
        {"t": 4_600, "lift": "a1"},
        {"t": 5_400, "place": "d1", "piece": "R"},
        {"t": 5_800, "press": "white"},
        {"t": 20_000, "link": "up"},
        ruleset="guadalete",
        rate=STANDARD,
        clock=clock(5_430_000, 5_400_000, "black"),
        fen=fen.replace(" w ", " b ").replace("e4,h5 1/2", "e4,h5 1/1"),
    )

    assert heard.opened()[-1] == "castle-illegal-pressed"
