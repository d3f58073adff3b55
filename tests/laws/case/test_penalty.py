"""How much a fault costs, by which articles, and who has lost by a result."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arbiterd.laws.case.penalty import loser_of, lost_by, penalty_articles, penalty_ms, sides_of
from arbiterd.laws.settings import LawSettings
from arbiterd.rules.ruleset import Colour
from arbiterd.timing.control import Kind, Rate

SETTINGS = replace(LawSettings(), b2_penalty_s=90)


@pytest.mark.parametrize(
    ("kind", "supervised", "ms", "articles"),
    [
        (Kind.STANDARD, True, 120_000, ()),
        (Kind.STANDARD, False, 120_000, ()),
        (Kind.RAPID, True, 60_000, ("A.3",)),
        (Kind.RAPID, False, 60_000, ("A.3",)),
        (Kind.BLITZ, True, 90_000, ("B.2",)),
        (Kind.BLITZ, False, 60_000, ("A.3",)),
    ],
)
def test_the_rate_of_play_says_how_much_time_and_by_which_article(
    kind: Kind, supervised: bool, ms: int, articles: tuple[str, ...]
) -> None:
    rate = Rate(kind, supervised)
    assert penalty_ms(rate, SETTINGS) == ms
    assert penalty_articles(rate) == articles


@pytest.mark.parametrize("side", list(Colour))
def test_who_lost_by_a_result_is_whom_it_was_declared_against(side: Colour) -> None:
    result = lost_by(side)
    assert result == ("0-1" if side is Colour.WHITE else "1-0")
    for told in (result, result + "F"):
        assert loser_of(told) is side
        assert sides_of(told) == {"winner": side.other.value, "loser": side.value}


@pytest.mark.parametrize("result", [None, "", "*", "1/2-1/2", "0-0"])
def test_nobody_alone_has_lost_by_other_results(result: str | None) -> None:
    assert loser_of(result) is None
    assert sides_of(result) == {"winner": None, "loser": None}
