"""The compiled twin gives the same answers, node for node."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from importlib.util import find_spec
from pathlib import Path
from random import Random

import pytest

from arbiterd.cli.compile_mating import compiled, copied
from arbiterd.rules.mating import can_mate
from arbiterd.rules.ruleset import Colour
from rules.mating.positions import composed, random_play, walled

HEADERS = Path(sysconfig.get_path("include")) / "Python.h"
ASK = """
import json, sys
from arbiterd.rules import bitboard
from arbiterd.rules.mating import can_mate
from arbiterd.rules.ruleset import Colour
assert not bitboard.__file__.endswith(".py"), bitboard.__file__
for fen in sys.stdin:
    for side in Colour:
        verdict = can_mate(fen, side, 4000)
        print(json.dumps([verdict.answer, verdict.nodes, verdict.line]))
"""


@pytest.mark.timeout(600)
@pytest.mark.skipif(find_spec("Cython") is None, reason="Cython is not installed")
@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
@pytest.mark.skipif(not HEADERS.is_file(), reason="there are no headers of Python")
def test_the_compiled_twin_answers_node_for_node(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CFLAGS", "-O0")  # It is to answer the same, not to be fast.
    compiled(copied(tmp_path))
    dice = Random(1)
    fens = [fen for fen, _, _ in composed()]
    fens += [board.fen() for board in random_play(dice, 40)]
    fens += [walled(dice).fen() for _ in range(15)]
    twin = subprocess.run(
        [sys.executable, "-c", ASK],
        input="\n".join(fens),
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )

    told = [json.loads(line) for line in twin.stdout.splitlines()]

    for number, fen in enumerate(fens):
        for place, side in enumerate(Colour):
            verdict = can_mate(fen, side, 4000)
            line = None if verdict.line is None else list(verdict.line)
            assert told[2 * number + place] == [verdict.answer, verdict.nodes, line], fen
