"""The catalogue as data: every row has what a ruling needs, in both languages."""

from __future__ import annotations

import string
from pathlib import Path

import pytest

from arbiterd.cli.laws.pages import PAGES, explain
from arbiterd.cli.laws.situations import packaged, tell
from arbiterd.laws.catalogue import ALIASES, ROWS, SECTIONS
from arbiterd.laws.languages import LANGUAGES
from arbiterd.laws.settings import described, read_settings
from arbiterd.laws.texts import TEXTS
from arbiterd.laws.texts.filling import NOTHING
from kept_beside import kept_beside

DOCS = Path(__file__).parents[3] / "docs"


def test_every_section_has_rows() -> None:
    assert {row.section for row in ROWS.values()} == set(SECTIONS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_row_has_a_line_and_a_paragraph(language: str) -> None:
    assert set(TEXTS[language]) == set(ROWS)
    for line, detail in TEXTS[language].values():
        assert line
        assert detail


@pytest.mark.parametrize("kind", ROWS)
def test_languages_speak_of_the_same_facts(kind: str) -> None:
    named = [
        {
            name[:1].lower() + name[1:]
            for text in TEXTS[language][kind]
            for _, name, _, _ in string.Formatter().parse(text)
            if name
        }
        for language in LANGUAGES
    ]
    # A language may leave out the move's number, or the proof, which is in English.
    free = {"move", "proof", "proof_kind"}
    for language, names in zip(LANGUAGES, named, strict=True):
        assert names - free == named[0] - free, language


def test_no_text_of_a_situation_has_a_gap() -> None:
    """A dash stands for what is not known; a clause about it falls away instead."""
    gaps = [
        (situation.name, situation.number, ruling["kind"])
        for situation in packaged()
        for ruling in tell(situation).rulings
        if NOTHING in str(ruling["text"])
    ]
    assert gaps == []


def test_older_numbers_lead_to_articles_that_are_ruled_on() -> None:
    for old, new in ALIASES.items():
        assert old != new
    asked, meant = explain("9.2.1.1"), explain("9.2.1")
    assert meant is not None
    assert asked == meant.replace("Article 9.2.1\n", "Article 9.2.1 (asked as 9.2.1.1)\n")


def test_an_article_shows_its_rows_and_settings() -> None:
    shown = explain("7.5.5")
    assert shown is not None
    assert "illegal-first" in shown
    assert "increment_back_7_5_1 = true" in shown
    assert "standard block" in shown or "Decided in" in shown


def test_nothing_is_said_of_what_is_no_article() -> None:
    assert explain("99.1") is None
    assert explain("7.5.55") is None


@pytest.mark.parametrize("name", PAGES)
def test_pages_in_docs_are_current(name: str) -> None:
    """`arbiterd laws pages docs` writes them."""
    assert (DOCS / name).read_text(encoding="utf-8") == PAGES[name]()


def test_every_setting_says_its_article_and_meaning() -> None:
    for key, _, article, meaning in described():
        assert article, key
        assert meaning.endswith("."), key


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ({"touch_alert": "made"}, "touch_alert is no setting"),
        ({"touch_alert_at": "later"}, "write one of made, press"),
        ({"release_ms": "1500"}, "write a whole number"),
        ({"unpressed_counts": 1}, "write true or false"),
        ({"release_ms": True}, "write a whole number"),
        ({"release_ms": -1}, "write 0 or more"),
    ],
)
def test_a_wrong_setting_is_named(given: dict[str, object], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        read_settings(given)


def test_every_row_of_the_reference_is_here() -> None:
    """Ids, certainty and urgency as the catalogue that arbiters work from has them."""
    reference = kept_beside("reference/rulings-catalogue.md").read_text()
    missing = [kind for kind in _reference_ids(reference) if kind not in ROWS]
    assert missing == []


def _reference_ids(text: str) -> list[str]:
    ids = []
    for line in text.splitlines():
        first = line.split("|")[1].strip() if line.startswith("|") else ""
        for part in first.split(" / "):
            whole = part.strip()
            if whole and "-" in whole and not whole.startswith(("-", ":")) and " " not in whole:
                ids.append(whole if not whole.startswith("-") else "")
    return [kind for kind in ids if kind and kind[0].isalpha()]
