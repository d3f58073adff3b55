"""One command of each kind stands in the documents, and is one that the service takes."""

from __future__ import annotations

from pathlib import Path

import pytest

from arbiterd.access.rights import DEEDS, deed_of
from arbiterd.messages.commands import Command, read_command
from arbiterd.messages.samples import SAMPLES, page, sample

PAGE = Path(__file__).parents[2] / "docs" / "integrators.md"
BEGIN, END = "<!-- commands -->\n", "<!-- end of commands -->\n"


def test_there_is_one_of_each() -> None:
    assert set(SAMPLES) == set(DEEDS)


def test_every_field_is_in_some_sample() -> None:
    shown = {field for deed in SAMPLES for field in sample(deed)}
    assert set(Command.__struct_fields__) - shown == {"by", "v", "preview"}


@pytest.mark.parametrize("deed", SAMPLES)
def test_each_is_read(deed: str) -> None:
    assert deed_of(read_command({**sample(deed), "by": "ana"})) == deed


def test_the_page_shows_them(bless: bool) -> None:
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    shown = f"{BEGIN}```json\n{page()}```\n{END}"
    if bless:
        PAGE.write_text(before + shown + after, encoding="utf-8")

    assert shown in PAGE.read_text(encoding="utf-8")
