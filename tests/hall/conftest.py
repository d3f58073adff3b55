from __future__ import annotations

from pathlib import Path

import pytest

from .test_seat import DAY, new_seat, outputs, play


@pytest.fixture
async def expected(tmp_path: Path, opened) -> list[tuple[int, str, bytes]]:
    """What leaves on that day where nothing is killed."""
    async with opened(tmp_path / "whole.db") as journal:
        play(new_seat(journal), journal, DAY, timely=True)
        await journal.synced()
        return outputs(journal)
