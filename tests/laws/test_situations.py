"""Every situation that comes with the Laws still tells what its file says.

`--bless` rewrites the expected lines; the difference is what we review.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from arbiterd.cli.laws.coverage import coverage_of, judged
from arbiterd.cli.laws.situations import SituationError, blessed, packaged, read_situations, tell
from arbiterd.laws.catalogue import ROWS

FOLDER = Path(__file__).parents[2] / "daemon/arbiterd/laws/situations"
FILES = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_situations_are_told_as_their_file_says(file: Path, bless: bool) -> None:
    if bless:
        file.write_text(blessed(file.stem, file.read_text("utf-8")), encoding="utf-8")
    fires = []
    for situation in read_situations(file.stem, file.read_text(encoding="utf-8")):
        told, expected = tell(situation), tuple(lines for _, lines in situation.parts)
        assert told.parts == expected, f"{file.stem}, situation {situation.number}"
        fires.append(file.stem in told.fired)
    assert file.stem in ROWS
    assert any(fires), "its row must fire"
    assert not all(fires), "and there must be a case where it does not"


def test_every_row_has_a_situation_at_each_rate_it_names() -> None:
    """What `arbiterd laws coverage` prints, and ends with 1 for."""
    lines, incomplete = judged(coverage_of(packaged()))

    assert [line for line in lines if "LACKS" in line] == []
    assert incomplete == 0


def test_blessing_a_file_that_is_right_changes_nothing() -> None:
    file = FOLDER / "touch-own-then-other.txt"
    text = file.read_text(encoding="utf-8")
    assert blessed(file.stem, text) == text


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("jump e4", "nothing known"),
        ("lift e9", "line 2"),
        ("move Ke5", "line 2"),
        ("lift e2 after soon", "is no time"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(line: str, fault: str) -> None:
    with pytest.raises(SituationError, match=fault):
        read_situations("x", f"game chess, standard\n{line}\n")
