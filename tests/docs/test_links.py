"""Pages lead where they say, and every page is led to."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

PROJECT = Path(__file__).parents[2]
PAGES = sorted(
    [*PROJECT.glob("*.md"), *PROJECT.glob("docs/*.md"), *PROJECT.glob("firmware_notes/*.md")]
)
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(PROJECT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text()):
        assert (page.parent / target).exists(), f"{page.name} leads to {target}"


def test_every_page_of_the_docs_is_in_the_index() -> None:
    index = set(LINK.findall((PROJECT / "docs" / "README.md").read_text()))

    assert {path.name for path in PROJECT.glob("docs/*.md")} - {"README.md"} <= index


@pytest.mark.parametrize("page", ["glossary.md", "developers.md"])
def test_every_room_that_a_page_names_is_there(page: str) -> None:
    rooms = re.findall(r"`([a-z_]+/[a-z_/.]*)`", (PROJECT / "docs" / page).read_text())

    assert len(rooms) > 30
    for room in rooms:
        homes = (PROJECT, PROJECT / "daemon" / "arbiterd", PROJECT / "drivers")
        assert any((home / room).exists() for home in homes), f"there is no {room}"


def test_the_picture_can_be_read() -> None:
    picture = ET.parse(PROJECT / "docs" / "architecture.svg").getroot()

    assert picture.find("{http://www.w3.org/2000/svg}title") is not None
