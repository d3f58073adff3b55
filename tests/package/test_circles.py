"""No two files import each other, by whatever detour: each can be read, and tested, without those
above it. Imports for annotations count, and those inside of functions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = {
    ".".join(file.relative_to(ROOT / top).with_suffix("").parts).removesuffix(".__init__"): file
    for top in ("daemon", "drivers")
    for file in sorted((ROOT / top).rglob("*.py"))
}


def imported(tree: ast.AST) -> Iterator[str]:
    """The files that a file names; of a package's own names, the package."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for name in node.names:
                part = f"{node.module}.{name.name}"
                yield part if part in SOURCES else node.module
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names)


def circle(graph: dict[str, set[str]]) -> list[str]:
    """Names that lead back to the first; empty: there is none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as found:
        return list(found.args[1])
    return []


def test_no_file_imports_itself_by_a_detour() -> None:
    graph = {
        name: {one for one in imported(ast.parse(file.read_text("utf-8"))) if one in SOURCES}
        for name, file in SOURCES.items()
    }

    assert len(graph) > 400
    assert circle(graph) == []


@pytest.mark.parametrize(
    "line",
    ["import table", "from table import Table", "def see():\n    from table import Table"],
)
def test_an_import_anywhere_in_a_file_is_seen(line: str) -> None:
    assert "table" in set(imported(ast.parse(line)))


def test_a_circle_is_named() -> None:
    assert set(circle({"table": {"acts"}, "acts": {"undo"}, "undo": {"table"}})) == {
        "table",
        "acts",
        "undo",
    }
