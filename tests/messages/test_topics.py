"""The names of topics, and of the tables in them."""

from __future__ import annotations

from random import Random

from arbiterd.messages.topics import place_of

ORDER = ["", "1", "2", "10", "A", "A1", "A1-2", "A1-10", "A2", "A10", "B1", "board 9", "board 10"]


def test_tables_stand_in_the_order_in_which_people_count() -> None:
    """One order for every list: LiveChess had B2 before A10, and PGN had A10 before A2."""
    mixed = list(ORDER)
    Random(1).shuffle(mixed)

    assert sorted(mixed, key=place_of) == ORDER
