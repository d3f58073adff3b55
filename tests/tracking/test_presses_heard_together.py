"""Two half-moves and both presses between two messages of a clock: only the times tell of them."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from arbiterd.cli import arbiterd
from arbiterd.rules.ruleset import Colour
from arbiterd.tracking.settings import MS

from .hands import SECOND, Hands

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


def test_of_four_heard_together_one_is_for_a_piece_that_the_next_scan_shows() -> None:
    """The rook stops on h6 while the queen replies, and the queen goes to e3 before the knight that
    it replies to is down on e4. That press is no reason to count the rook's stop as a half-move."""
    fen = "r2qk2r/1pp1pp2/4bnp1/3PQ3/2P1B3/1PN3pP/2n2PP1/2R2RK1 b q - 0 23"
    hands = Hands(fen, scan_ns=225 * MS)
    hands.lift("h8").show("h6", "r", 0.05).lift("e5", 0.02).lift("h6", 0.21)
    hands.show("g3", "Q", 0.08).show("h5", "r", 0.4).wait(0.26).press_of_two("black")
    hands.lift("c2", 0.48).lift("f1", 0.04).show("d1", "R", 0.22).show("d4", "n", 0.14)
    hands.lift("f6", 0.4).lift("g3", 0.31).show("e3", "Q", 0.22).wait(0.19)
    for followed, side in ((3, "black"), (2, "white"), (1, "black"), (0, "white")):
        hands.facts += hands.tracker.pressed(hands.now_ns, Colour(side), SECOND, followed, False)
    hands.show("e4", "n", 0.01).wait(5)

    assert hands.moves == ["h8h5", "e5g3", "c2d4", "f1d1", "f6e4", "g3e3"]
    assert not hands.empty_presses


def test_two_presses_heard_together_late_were_for_both_sides_half_moves_before() -> None:
    """Rxb7, ...Kg8, then Qg3 and ...Kh7 in a moment as the first two are pressed for: each press
    after that was for the half-move before, and none for nothing."""
    hands = Hands("5r1k/1p1R1bp1/2p2p1p/p4q2/5B1Q/7P/6PK/8 w - - 0 39", scan_ns=225 * MS)
    hands.play((2.96, "d7", "."), (3.18, "b7", "R"), (4.53, "h8", "."), (4.75, "g8", "k"))
    hands.play((5.31, "h4", "."), (5.42, "g8", "."), (5.68, "h7", "k"), (5.79, "g3", "Q"))
    hands.play((5.86, "white", "both"), (6.69, "g3", "."), (6.86, "g5", "p"))
    hands.play((6.86, "white", "both"), (7.03, "g7", "."), (7.34, "h4", "Q"))
    hands.play((7.86, "white", "both"), (8.01, "h4", "."), (8.2, "f5", "."), (8.46, "f4", "q"))
    hands.play((8.54, "e1", "Q"), (8.86, "white", "presses")).wait(5)

    expected = ["d7b7", "h8g8", "h4g3", "g8h7", "g3h4", "g7g5", "h4e1", "f5f4"]
    assert hands.moves == expected
    assert hands.quiet


def test_the_first_of_two_waits_for_a_rook_that_another_line_has_in_the_hand() -> None:
    """White's pawn stopped on a3, or was moved twice. As both presses are heard the rook of d5 is
    in the air, and stands on d7 with the next scan: before that nothing is told anew."""
    hands = Hands("8/ppq2n1k/7p/2pRb1pP/4P1P1/5P2/PPQ5/1K6 w - - 2 38", moves=("d5c5", "c7b6"))
    hands.play((0.35, "a2", "."), (0.44, "a7", "."), (0.55, "a3", "P"), (0.69, "a6", "p"))
    hands.play((1.0, "a3", "."), (1.2, "a4", "P"), (1.38, "white", "presses"), (2.1, "a4", "."))
    hands.play((2.27, "b6", "."), (2.51, "e6", "q"), (2.74, "a5", "P"), (3.38, "black", "presses"))
    hands.play((3.65, "c5", "."), (3.84, "h7", "."), (4.06, "g7", "k"), (4.11, "d5", "R"))
    hands.play((4.38, "white", "both"), (5.09, "c2", "."), (5.21, "e6", "."), (5.43, "f6", "q"))
    hands.play((5.45, "c5", "Q"), (6.36, "d5", "."), (6.38, "white", "both"), (6.58, "e5", "."))
    hands.play((6.66, "b2", "b"), (6.86, "c3", "P"), (7.31, "c3", "."), (7.38, "white", "both"))
    hands.play((7.42, "d7", "R")).wait(3)

    assert hands.moves[2:] == [
        "a2a4", "a7a6", "a4a5", "b6e6", "c5d5", "h7g7", "c2c5", "e6f6", "d5d7", "e5b2",
    ]  # fmt: skip
