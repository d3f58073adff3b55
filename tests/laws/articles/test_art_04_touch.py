"""What a ruling about a touched piece lists."""

from __future__ import annotations

from laws.talk import STANDARD, clock, moved, said


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
