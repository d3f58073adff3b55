"""Two half-moves and both presses between two messages of a clock: only the times tell of them."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from arbiterd.cli import arbiterd

PRESSED_UNSEEN = (
    {"clock": {"white_ms": 90_000, "black_ms": 90_000, "running": "white"}, "t": 0},
    {"t": 1_500, "lift": "e2"},
    {"t": 1_900, "place": "e4", "piece": "P"},
    {"t": 2_000, "clock": {"white_ms": 88_000, "black_ms": 90_000, "running": "black"}},
    {"t": 2_080, "lift": "e7"},
    {"t": 2_140, "place": "e5", "piece": "p"},
)
AND_RUNS_ON = (
    {"t": 3_000, "clock": {"white_ms": 87_000, "black_ms": 90_000, "running": "black"}},
    {"t": 4_000, "clock": {"white_ms": 87_000, "black_ms": 89_000, "running": "black"}},
    {"t": 9_000, "clock": {"white_ms": 87_000, "black_ms": 84_000, "running": "black"}},
)


def told(folder: Path, *hands: dict[str, object]) -> tuple[list[str], list[str]]:
    """The half-moves, and what the arbiter is called for."""
    file = folder / "quick.scenario.jsonl"
    rate = {"kind": "standard", "supervised": True, "time": ["1:30"]}
    scene = {"scenario": "quick", "rate": rate, "scan_ms": 250, "press_ms": 1_000}
    lines = (scene, *PRESSED_UNSEEN, *hands, *AND_RUNS_ON)
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    done = CliRunner().invoke(arbiterd, ["replay", str(file)])
    assert done.exit_code == 0, done.output
    events = [json.loads(line) for line in done.stdout.splitlines()]
    moves = {said["ply"]: said["uci"] for said in events if "uci" in said}
    return list(moves.values()), [said["kind"] for said in events if "kind" in said]


def test_an_illegal_move_pressed_for_unseen_is_ruled_on(tmp_path: Path) -> None:
    hands = {"t": 2_700, "lift": "f1"}, {"t": 2_810, "place": "f5", "piece": "B"}
    assert told(tmp_path, *hands) == (["e2e4", "e7e5"], ["illegal-first"])


def test_a_legal_one_is_only_a_move(tmp_path: Path) -> None:
    hands = {"t": 2_700, "lift": "f1"}, {"t": 2_810, "place": "c4", "piece": "B"}
    assert told(tmp_path, *hands) == (["e2e4", "e7e5", "f1c4"], [])
