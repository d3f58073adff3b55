"""Known and composed positions: the answer, and its proof by the checker."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arbiterd.rules.mating import can_mate
from arbiterd.rules.mating.checker import fault
from arbiterd.rules.ruleset import Colour
from rules.mating.positions import Case, composed, examples

pytestmark = pytest.mark.timeout(900)
"""The hardest positions take pure Python some seconds, and machines are busy."""

COMPOSED = composed()
CASES = [*examples(), *COMPOSED]


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_the_answer_is_right_and_the_checker_agrees(case: Case) -> None:
    """Lines are played through python-chess, closed sets and fixpoints verified rule by rule."""
    fen, white, black = case
    for side, wanted in ((Colour.WHITE, white), (Colour.BLACK, black)):
        verdict = can_mate(fen, side)

        assert verdict.answer is wanted
        assert fault(fen, verdict) is None


def test_there_are_eighty_composed_positions() -> None:
    assert len({fen for fen, _, _ in COMPOSED}) >= 80


def test_the_checker_finds_what_is_wrong() -> None:
    """A closed set with a hole and a line with another end are refused."""
    found = 0
    for fen, _, _ in COMPOSED:
        for side in Colour:
            verdict = can_mate(fen, side, 3000)
            if verdict.line:
                found += 1
                assert fault(fen, replace(verdict, line=verdict.line[:-1])) is not None
                assert fault(fen, replace(verdict, side=side.other)) is not None
            if verdict.proof and verdict.proof.certificate.regions:
                found += 1
                proof, proven = verdict.proof, verdict.proof.certificate
                first = proven.regions[0]
                shrunk = replace(first, settled=first.start)
                if shrunk == first:
                    continue
                for regions in ((), (shrunk, *proven.regions[1:])):
                    broken = replace(proof, certificate=replace(proven, regions=regions))
                    assert fault(fen, replace(verdict, proof=broken)) is not None
    assert found > 80
