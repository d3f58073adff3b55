"""Pages lead where they say, and every page is led to."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from build import DOCS

PROJECT = Path(__file__).parents[2]
PAGES = sorted(
    [*PROJECT.glob("*.md"), *PROJECT.glob("docs/*.md"), *PROJECT.glob("firmware_notes/*.md")]
)
HOMES = [PROJECT / room for room in (".", "daemon/arbiterd", "drivers", "tests", "docs")]
NAMES = {path.name for home in HOMES[1:] for path in home.rglob("*.py")}
OF_ONE_ROOM = {
    "tracking.md": "daemon/arbiterd/tracking",
    "tracking-in-depth.md": "daemon/arbiterd/tracking",
    "simulation.md": "daemon/arbiterd/simulation",
}
"""Pages that name files as they stand in one room."""
STATION = re.compile(r"^\| (\d+) \| `([a-z_/.]+)` \| (.+?) \|", re.MULTILINE)
"""Of the way of a press: its number, its file, its functions."""
ANCHOR = re.compile(r"\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(PROJECT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text()):
        assert (page.parent / target).exists(), f"{page.name} leads to {target}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(PROJECT)))
def test_every_page_that_a_page_leads_to_is_in_the_package_with_it(page: Path) -> None:
    for target in LINK.findall(page.read_text()):
        room = (page.parent / target).resolve().relative_to(PROJECT).parts[0]
        assert room in {*DOCS, "tests", "daemon", "drivers"}, f"{page.name} leads to {target}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(PROJECT)))
def test_every_link_into_a_page_leads_to_a_heading(page: Path) -> None:
    for target, anchor in ANCHOR.findall(page.read_text()):
        headings = HEADING.findall((page.parent / target if target else page).read_text())
        names = {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in headings}
        assert anchor in names, f"{page.name} leads to {target}#{anchor}"


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


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(PROJECT)))
def test_every_file_that_a_page_names_is_there(page: Path) -> None:
    """By its path in the project or in a package of it; by its name alone, anywhere."""
    rooms = [PROJECT / OF_ONE_ROOM[page.name]] if page.name in OF_ONE_ROOM else []
    known = {path.name for room in rooms for path in room.glob("*.py")} or NAMES

    for name in re.findall(r"`([a-z_][a-z_0-9/]*\.(?:py|js|html|svg))`", page.read_text()):
        there = any((home / name).exists() for home in [*HOMES, *rooms])
        assert there or name in known, f"there is no {name}"


def test_the_way_of_a_press_leads_through_functions_that_are_there() -> None:
    stations = STATION.findall((PROJECT / "docs" / "architecture.md").read_text())

    assert [int(number) for number, _, _ in stations] == list(range(1, len(stations) + 1))
    assert len(stations) > 20
    for _, file, names in stations:
        home = PROJECT / ("drivers" if file.startswith("eboards/") else "daemon/arbiterd")
        code = (home / file).read_text()
        for name in re.findall(r"`([A-Za-z_.]+)`", names):
            holder, _, function = name.rpartition(".")
            assert not holder or f"class {holder}" in code, f"{file} has no {holder}"
            assert re.search(rf"def {function}\b", code), f"{file} has no {function}"


def test_the_picture_can_be_read() -> None:
    picture = ET.parse(PROJECT / "docs" / "architecture.svg").getroot()

    assert picture.find("{http://www.w3.org/2000/svg}title") is not None
