"""Nobody is said to have forgotten the clock who pressed it between two of its messages."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from arbiterd.simulation.devices.board import heard
from arbiterd.simulation.devices.clock import rate_of
from arbiterd.simulation.dice import dice
from arbiterd.simulation.famous import FAMOUS
from arbiterd.simulation.game import GameLine, follow
from arbiterd.simulation.hands.play import play
from arbiterd.simulation.profiles import BLITZ_SCRAMBLE
from arbiterd.simulation.world import Story
from arbiterd.table.playback import play as playback
from arbiterd.table.setup import TableSetup
from arbiterd.table.table import Table


def never_pressed(line: GameLine, story: Story, seed: str) -> Iterator[int]:
    """Half-moves that were told not to have been pressed."""
    rate = rate_of(BLITZ_SCRAMBLE)
    events = heard(
        story, BLITZ_SCRAMBLE, rate, dice(seed), geometry=line.rules.geometry, ticking=True
    )
    for _, step in playback(Table(TableSetup(rate=rate, orientation=0)), enumerate(events, 1)):
        for output in step.outputs:
            if output.topic == "rulings" and output.payload:
                said = msgspec.json.decode(output.payload)
                if said["kind"] == "move-next-without-press":
                    yield said["ply"]


@pytest.mark.parametrize("number", range(6))
def test_who_is_told_not_to_have_pressed_did_not(number: int) -> None:
    line, seed = follow(FAMOUS[9]), f"unpressed/{number}"
    story = play(line, BLITZ_SCRAMBLE, dice(seed))
    pressed = {ply.ply for ply in story.truth.plies if ply.pressed_ns is not None}
    assert not pressed.intersection(never_pressed(line, story, seed))
