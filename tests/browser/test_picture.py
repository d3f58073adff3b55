"""The README's picture is one of the product as it runs, and can be taken again at any time."""

from __future__ import annotations

import shutil
import struct
from pathlib import Path

import pytest

from browser.picture import HEIGHT, WIDTH, take

DOCS = Path(__file__).parents[2] / "docs"


def size(picture: Path) -> tuple[int, int]:
    head = picture.read_bytes()[:24]
    assert head.startswith(b"\x89PNG")
    return struct.unpack(">II", head[16:24])


@pytest.mark.timeout(600)
async def test_the_picture_is_taken_of_the_product(tmp_path: Path, bless: bool) -> None:
    taken = tmp_path / "page.png"

    lines = await take(str(taken))

    assert len(lines) >= 3
    assert all(lines)
    assert size(taken) == size(DOCS / "page.png") == (WIDTH, HEIGHT)
    if bless:
        shutil.copy(taken, DOCS / "page.png")
