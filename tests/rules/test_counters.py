"""Counts in a position's text: within bounds, and what is written is read again."""

from __future__ import annotations

import pytest

from arbiterd.rules.registry import ruleset
from arbiterd.rules.ruleset import COUNTER_MAX

TEXTS = {
    "chess": ["4k3/8/8/8/8/8/8/4K2R w - - # 1", "4k3/8/8/8/8/8/8/4K2R w - - 0 #"],
    "chess960": ["4k3/8/8/8/8/8/8/4K2R w - - 0 #"],
    "guadalete": [
        "4k3/8/8/8/8/8/8/4K2R w - - 0 # - 0/0",
        "4k3/8/8/8/8/8/8/4K2R w - - 0 1 - #/0",
        "4k3/8/8/8/8/8/8/4K2R w - - 0 1 - 0/#",
    ],
    "shogi": ["4k4/9/9/9/9/9/9/9/4K4 b - #", "4k4/9/9/9/9/9/9/9/4K4 b #P 1"],
}
"""`#` is where the count stands."""
EACH = [(name, text) for name, texts in TEXTS.items() for text in texts]


@pytest.mark.parametrize(("name", "text"), EACH)
def test_the_largest_count_is_taken_and_one_more_is_refused(name: str, text: str) -> None:
    rules = ruleset(name)
    largest = text.replace("#", str(COUNTER_MAX))

    assert rules.fen(rules.start(largest)) == largest
    for count in (str(COUNTER_MAX + 1), "9" * 30, "²", "٣", "-1"):
        with pytest.raises(ValueError, match="write"):
            rules.start(text.replace("#", count))


@pytest.mark.parametrize(("name", "text"), EACH)
def test_play_from_the_largest_count_is_written_so_that_it_is_read_again(
    name: str, text: str
) -> None:
    rules = ruleset(name)
    position = rules.start(text.replace("#", str(COUNTER_MAX)))
    for _ in range(4):
        position = rules.play(position, rules.legal_moves(position)[0])
        assert rules.fen(rules.start(rules.fen(position))) == rules.fen(position)
