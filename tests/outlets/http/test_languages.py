"""The page speaks each of its languages whole."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from arbiterd.laws.catalogue import ROWS
from arbiterd.laws.texts import WORDS
from outlets.http.refusals import of_devices, sentences, told
from outlets.http.test_web import WEB

LANGUAGES = [path for path in sorted((WEB / "languages").iterdir()) if path.stem != "en"]
LITERAL = r'"((?:[^"\\]|\\.)*)"'
PARTS = {
    "white", "black", "confirmed", "dismissed", "expired", "superseded", "insert", "replace",
    "take-back",
}  # fmt: skip
"""Words that refusals have in them."""
PARTS_TOLD = {
    "Black", "White", "degraded", "lost", "the connection to the broker is lost",
    "us", "{1} ({2})", "{1} minute", "{1} minute {2}", "{1} minutes", "{1} minutes {2}",
    "{1} second", "{1} seconds",
    ("{1}, again and again: does another program use our client id, or is one of our messages too"
    " large for the broker? Its log says which"),
}  # fmt: skip
"""Words that stand in what a technician or a round is told."""
PARTS_OF_DEVICES = {"input", "output"}
"""Of which chain of the journal rows are missing."""
ONE_OF = rf"\bsay\(\s*[^\"()]*\?\s*{LITERAL}\s*:\s*{LITERAL}"


def texts() -> set[str]:
    """Every text that the page's own code says in English."""
    found = {row.what for row in ROWS.values() if row.entered}
    for path in sorted(WEB.glob("*.js")):
        code = path.read_text()
        found |= {
            json.loads(f'"{text}"') for text in re.findall(rf"\b(?:say|word)\(\s*{LITERAL}", code)
        }
        found |= {text for two in re.findall(ONE_OF, code) for text in two}
    return found


def places(text: str) -> list[str]:
    return sorted(re.findall(r"\{\w+\}", text))


@pytest.mark.parametrize("path", LANGUAGES, ids=lambda path: path.stem)
def test_a_language_has_every_text_and_no_other(path: Path) -> None:
    said = json.loads(path.read_text())

    assert said["name"]
    assert said["direction"] in ("ltr", "rtl")
    assert texts() - said["words"].keys() == set()
    assert said["words"].keys() - texts() == set()


@pytest.mark.parametrize("path", LANGUAGES, ids=lambda path: path.stem)
def test_a_language_has_every_refusal_of_an_act_and_no_other(path: Path) -> None:
    """An arbiter of a Spanish page was refused in English."""
    refusals = json.loads(path.read_text())["refusals"]

    assert sentences() - refusals.keys() == set()
    assert refusals.keys() - sentences() == PARTS
    assert {text for text in refusals if places(text) != places(refusals[text])} == set()


@pytest.mark.parametrize("path", LANGUAGES, ids=lambda path: path.stem)
def test_a_language_has_what_a_technician_and_a_round_are_told_and_no_more(path: Path) -> None:
    """A Spanish page called the technician, and said what a round lacks, in English."""
    said = json.loads(path.read_text())

    assert told() - said["told"].keys() - said["refusals"].keys() == set()
    assert said["told"].keys() - told() == PARTS_TOLD
    assert {text for text in said["told"] if places(text) != places(said["told"][text])} == set()


@pytest.mark.parametrize("path", LANGUAGES, ids=lambda path: path.stem)
def test_a_language_has_what_is_wrong_with_a_device_and_no_more(path: Path) -> None:
    """A Spanish page named the faults of a board, its coils and the journal's notes in English."""
    said = json.loads(path.read_text())
    known = said["told"].keys() | said["refusals"].keys()

    assert of_devices() - said["devices"].keys() - known == set()
    assert said["devices"].keys() - of_devices() == PARTS_OF_DEVICES
    assert said["devices"].keys() & known == set()
    assert {t for t in said["devices"] if places(t) != places(said["devices"][t])} == set()


@pytest.mark.parametrize("path", LANGUAGES, ids=lambda path: path.stem)
def test_a_translated_text_has_the_same_places(path: Path) -> None:
    words = json.loads(path.read_text())["words"]

    assert {text for text in words if places(text) != places(words[text])} == set()


@pytest.mark.parametrize("path", LANGUAGES, ids=lambda path: path.stem)
def test_each_piece_has_a_letter_of_its_own(path: Path) -> None:
    """One of two letters, or one for two pieces, could not be read back; rulings have the same."""
    letters = json.loads(path.read_text())["words"]["KQRBN"]

    assert len(letters) == len(set(letters)) == 5
    if path.stem in WORDS:
        assert WORDS[path.stem]["letters of pieces"][:5] == letters


def test_there_is_english_and_spanish() -> None:
    assert {path.stem for path in (WEB / "languages").iterdir()} >= {"en", "es"}
