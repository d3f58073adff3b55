"""The page's own files: complete, untouched where they are others', and content to be offline."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

WEB = Path(str(files("arbiterd") / "web"))
VENDOR = WEB / "vendor"
MODULES = json.loads((VENDOR / "manifest.json").read_text())["modules"]
OWN = sorted(path for path in WEB.iterdir() if path.is_file())


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module["file"])
def test_a_vendored_module_is_as_it_was_published(module) -> None:
    assert hashlib.sha256((VENDOR / module["file"]).read_bytes()).hexdigest() == module["sha256"]
    assert module["version"]
    assert module["licence"]


def test_everything_vendored_is_accounted_for() -> None:
    named = {"manifest.json"} | {module["file"] for module in MODULES}
    named |= {text for module in MODULES for text in module["licence_files"]}

    assert {path.name for path in VENDOR.iterdir()} == named


def test_no_licence_forbids_use() -> None:
    for module in MODULES:
        assert "NC" not in module["licence"].split("-"), f"{module['file']}: not free for all use"


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.name)
def test_the_page_loads_only_what_is_there(path: Path) -> None:
    """Halls are offline: each import, link and sprite is a file of the same folder."""
    text = path.read_text()
    wanted = re.findall(r'(?:from|href=|src=|url\()\s*"(\./|/web/)([^"#]+)"', text)

    for _, name in wanted:
        assert (WEB / name).is_file(), f"{path.name} asks for {name}"
    assert not re.search(r"(?:from|src=|url\()\s*[\"']https?:", text)


def modules(name: str, found: set[str]) -> set[str]:
    """All that a module of the page imports, and what these import."""
    wanted = [] if "/" in name else re.findall(r'from "\./([^"]+)"', (WEB / name).read_text())
    for each in wanted:
        if each not in found:
            found.add(each)
            modules(each, found)
    return found


def test_the_page_asks_for_all_its_modules_at_once() -> None:
    """Else each level of imports waits for the one before, on a phone at the edge of the Wi-Fi."""
    page = (WEB / "page.html").read_text()

    asked = re.findall(r'rel="modulepreload" href="/web/([^"]+)"', page)

    assert set(asked) == modules("app.js", set())


def test_the_package_carries_the_page() -> None:
    """The wheel takes whole packages, so the page travels with the code that serves it."""
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text())
    packages = project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]

    assert "daemon/arbiterd" in packages
    assert WEB.parent.name == "arbiterd"
