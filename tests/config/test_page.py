"""The page about the configuration names every key there is."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from arbiterd.config.model import LISTS, SECTIONS, RateOfPlay

PAGE = Path(__file__).parents[2] / "docs" / "configuration.md"
KINDS = {**SECTIONS, **LISTS, "rates.NAME": RateOfPlay}


@pytest.mark.parametrize("section", KINDS)
def test_every_key_is_on_the_page(section: str) -> None:
    text = PAGE.read_text()
    head = f"[[{section}]]" if section in LISTS else f"[{section}]"
    part = text[text.index(f"| `{head}`") :]
    rows = [part.splitlines()[0]]
    for row in part.splitlines()[1:]:
        if not row.startswith("| |"):
            break
        rows.append(row)

    for spec in fields(KINDS[section]):
        assert any(f"`{spec.name}`" in row for row in rows), f"{head} {spec.name}"
