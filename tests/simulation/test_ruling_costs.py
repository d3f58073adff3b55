"""What rulings cost is told for each half-move of a game."""

from __future__ import annotations

from arbiterd.simulation.benchmarks.ruling_costs import costs_of
from arbiterd.simulation.famous import FAMOUS
from arbiterd.simulation.game import follow


def test_every_half_move_has_its_costs_and_scenes_are_a_part_of_the_rulings() -> None:
    line = follow(FAMOUS[2])
    costs = costs_of(line, "costs")
    assert len(costs.tracking) == len(costs.rulings) == len(costs.scenes) >= len(line.steps)
    assert all(0 < scene < whole for scene, whole in zip(costs.scenes, costs.rulings, strict=True))
