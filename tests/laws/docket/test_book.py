"""The book of laws: who is asked in which order, and in which games."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest

from arbiterd.laws.articles import art_12_reports
from arbiterd.laws.catalogue import ROWS
from arbiterd.laws.docket.book import CHAPTERS, answered, every, laws_of, reply_of
from arbiterd.laws.register import LAWS, REPLIES
from arbiterd.rules.customs import Custom
from arbiterd.rules.registry import RULESETS, ruleset

NAMES = [chapter.module.__name__ for chapter in CHAPTERS]
CHESS, SHOGI = ruleset("chess").customs, ruleset("shogi").customs


@pytest.mark.parametrize("game", RULESETS)
def test_laws_are_asked_in_the_order_of_the_book(game: str) -> None:
    for fact in LAWS:
        asked = [NAMES.index(law.__module__) for law in laws_of(fact, ruleset(game).customs)]
        assert asked == sorted(asked), fact


def test_who_imports_what_first_changes_nothing() -> None:
    """The last chapter imported before all others, in a process of its own."""
    ask = (
        "import {first}\n"
        "from arbiterd.laws.docket.book import every\n"
        "print([f'{{law.__module__}}.{{law.__name__}}' for law in every()])"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", ask.format(first=first)],
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for first in (art_12_reports.__name__, NAMES[-1])
    }
    assert len(told) == 1
    assert str([f"{law.__module__}.{law.__name__}" for law in every()]) in told.pop()


def test_articles_come_before_what_games_add() -> None:
    stems = [name.rpartition(".")[2] for name in NAMES]
    articles = [stem[4:6] for stem in stems if stem.startswith("art_")]
    assert articles == sorted(articles)
    assert stems[-2:] == ["river", "shogi"]


def test_every_module_that_enters_laws_has_its_line() -> None:
    for asked in (*(law for laws in LAWS.values() for law in laws), *REPLIES.values()):
        assert import_module(asked.__module__) in [chapter.module for chapter in CHAPTERS]


def test_general_rows_hold_in_every_game_and_others_say_whose_they_are() -> None:
    nobody: frozenset[Custom] = frozenset()
    general = {kind for kind, row in ROWS.items() if row.holds(nobody)}
    wanted = "tech-board-lost clock-lost clock-paused-by-player penalty-12-9 draw-offer"
    assert set(wanted.split()) <= general
    for game in RULESETS:
        assert general <= {k for k, row in ROWS.items() if row.holds(ruleset(game).customs)}
    assert not general & {"touch-own-then-other", "castle-ok", "promo-pawn-left", "sh-nifu"}


def test_claims_are_those_of_the_game() -> None:
    assert "threefold" in answered("claim", CHESS)
    assert "declaration" not in answered("claim", CHESS)
    assert set(answered("claim", SHOGI)) == {
        "flag", "illegal-move", "checkmate", "stalemate", "dead-position", "quickplay",
        "declaration",
    }  # fmt: skip
    assert reply_of("claim:touched-piece", SHOGI) is None
