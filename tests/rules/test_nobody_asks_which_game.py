"""What differs between games is asked of their rule sets: no other room knows one by its name."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from arbiterd.rules.registry import RULESETS

SOURCE = Path(__file__).parents[2] / "daemon" / "arbiterd"
ROOMS = ("laws", "outlets", "table", "hall", "timing", "tracking", "messages", "service", "journal")
GENERAL = ("registry", "ruleset", "customs", "fouls", "mating", "bitboard_text", "sensed")
"""Modules of the rules that are no game's own; the prover of chess is asked where rules say so."""
FIELD = "chess960"
"""What LiveChess calls a field of its files; a key there, and no question."""


def files(*rooms: str) -> Iterator[Path]:
    for room in rooms:
        yield from sorted((SOURCE / room).rglob("*.py"))


def imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{name.name}" for name in node.names)
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names)


def asked(tree: ast.AST) -> Iterator[str]:
    """Names of games that something is compared with or looked up by."""
    for node in ast.walk(tree):
        sides: list[ast.expr | None] = []
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
        elif isinstance(node, ast.Dict):
            sides = [key for key in node.keys if not _is(key, FIELD)]
        elif isinstance(node, ast.Subscript):
            sides = [node.slice]
        elif isinstance(node, ast.MatchValue):
            sides = [node.value]
        for side in sides:
            for part in ast.walk(side) if side is not None else ():
                if isinstance(part, ast.Constant) and part.value in RULESETS:
                    yield str(part.value)


def _is(key: ast.expr | None, text: str) -> bool:
    return isinstance(key, ast.Constant) and key.value == text


@pytest.mark.parametrize("room", ROOMS)
def test_no_room_imports_a_game_or_asks_for_its_name(room: str) -> None:
    found = []
    for file in files(room):
        tree = ast.parse(file.read_text("utf-8"))
        games = re.compile(rf"arbiterd\.rules\.(?!(?:{'|'.join(GENERAL)})\b)")
        found += [f"{file.name}: {name}" for name in imported(tree) if games.match(name)]
        found += [f"{file.name}: {name!r}" for name in asked(tree)]
    assert not found


def test_what_would_be_found() -> None:
    """Each way of asking that is looked for."""
    for text in (
        "if state.ruleset == 'shogi': pass",
        "ONES = {'guadalete': 1}",
        "x = TABLE['chess960']",
        "if name in ('shogi', 'chess'): pass",
    ):
        assert list(asked(ast.parse(text)))
    assert not list(asked(ast.parse("def f(name: str = 'chess') -> None: ...")))


@pytest.mark.parametrize("page", sorted((SOURCE / "web").glob("*.js")), ids=lambda page: page.name)
def test_no_page_asks_for_a_game_by_its_name(page: Path) -> None:
    """A class of a style sheet is a look; a game's name in quotes by itself would be a question."""
    text = re.sub(r'class=\$\{[^}]*\}|class="[^"]*"', "", page.read_text(encoding="utf-8"))
    text = text if page.name != "design.js" else ""  # It draws one made-up hall.
    assert not [name for name in RULESETS if re.search(rf"\b{name}:|[\"']{name}[\"']", text)]
