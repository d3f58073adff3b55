"""Situations whose answer was written down from the Laws, before anything was played.

    # 7.5.5, A.3: the second in rapid play, lost.
    # answer: illegal-second; against white; result 0-1; not clocks
    game chess, rapid supervised 15:00+10
    ...

Each part of an answer has to stand in a line that is told, as situation files have them; `not` must
not. `at last` and `not at last` ask what is open when time has run out, `says` and `says not` the
English text of what is told, `allows` all the moves that are left, or how many. A situation is what
stands below its answer, and nothing rewrites these files.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from arbiterd.cli.laws.situations import SituationTold, read_situations, tell

FILES = sorted((Path(__file__).parent / "answers").glob("*.txt"))
ANSWER = "# answer:"


@dataclass(frozen=True)
class Answered:
    """A situation as text, and what has to be told of it."""

    name: str
    text: str
    answer: tuple[str, ...]


def read(file: Path) -> list[Answered]:
    blocks = re.split(rf"^{ANSWER}", file.read_text("utf-8"), flags=re.MULTILINE)[1:]
    found = []
    for number, block in enumerate(blocks, 1):
        answer, _, text = block.partition("\n")
        parts = tuple(part.strip() for part in answer.split(";"))
        found.append(Answered(f"{file.stem} {number}", text, parts))
    return found


ALL = [one for file in FILES for one in read(file)]


def holds(part: str, told: SituationTold) -> bool:
    lines = [" ".join(line.split()) for lines in told.parts for line in lines]
    if part.startswith("says "):
        said = " ".join(
            f"{one['text']['en']['line']} {one['text']['en']['detail']}" for one in told.rulings
        )
        wanted = part.removeprefix("says ")
        if wanted.startswith("not "):
            return wanted.removeprefix("not ") not in said
        return wanted in said
    if part.startswith("allows "):
        wanted = part.removeprefix("allows ").removesuffix(" moves")
        left = [sorted(one["facts"]["obligation"]) for one in told.rulings]
        return any(wanted in (" ".join(moves), str(len(moves))) for moves in left if moves)
    if part.startswith("not at last "):
        return not holds(part.removeprefix("not "), told)
    if part.startswith("at last "):
        last = {one["id"]: one for one in told.rulings if one["urgency"]}
        left = [one for one in last.values() if one["state"] == "open"]
        return any(part.removeprefix("at last ") in one["kind"] for one in left)
    if part.startswith("not "):
        return not any(part.removeprefix("not ") in line for line in lines)
    return any(part in line for line in lines)


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.name)
def test_it_is_told_as_the_laws_answer(one: Answered) -> None:
    (situation,) = read_situations(one.name, one.text)
    told = tell(situation)
    missed = [part for part in one.answer if not holds(part, told)]
    assert not missed, [line for lines in told.parts for line in lines]


def test_there_are_answers_of_every_rate_and_both_sides() -> None:
    assert len(ALL) >= 150
    texts = " ".join(one.text for one in ALL)
    for rate in ("standard", "rapid supervised", "rapid unsup", "blitz supervised", "blitz unsup"):
        assert f"game chess, {rate}" in texts
    told = [part for one in ALL for part in one.answer]
    assert {"against white", "against black"} <= set(told)
