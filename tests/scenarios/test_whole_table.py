"""Scenario files through the whole table: the moves that are published, and who is called.

Each is a text that `arbiterd replay` takes, one line a thing that happens. What is listed as
rulings are those of urgency 1 and 2: for most of what hands do, none.
"""

from __future__ import annotations

import json
import re

import pytest

from arbiterd.table.playback import play
from arbiterd.table.scenario import read_scenario
from arbiterd.table.table import Table

SCENARIOS: dict[str, tuple[str, list[str], list[str]]] = {
    "a rook slides over several squares": (
        """{"scenario":"slide","fen":"4k3/7p/8/8/8/8/8/R3K3 w - - 0 1",
          "clock":{"running":"white"}}
        {"t":1000,"lift":"a1"}
        {"t":1500,"place":"b1","piece":"R"}
        {"t":1900,"lift":"b1"}
        {"t":2200,"place":"c1","piece":"R"}
        {"t":2600,"lift":"c1"}
        {"t":2900,"place":"d1","piece":"R"}
        {"t":3400,"press":"white"}""",
        ["a1d1"],
        [],
    ),
    "a captured piece is dragged over a neighbour": (
        """{"scenario":"drag","fen":"4k3/p7/2n5/4p3/8/5N2/P7/4K3 w - - 0 1",
          "clock":{"running":"white"}}
        {"t":1000,"lift":"f3"}
        {"t":1800,"place":"e5","piece":"N"}
        {"t":1900,"place":"e6","piece":"p"}
        {"t":2300,"lift":"e6"}
        {"t":2800,"press":"white"}
        {"t":9000,"lift":"c6"}
        {"t":9700,"place":"e5","piece":"n"}
        {"t":9900,"press":"black"}""",
        ["f3e5", "c6e5"],
        [],
    ),
    "a third queen whose tag nobody taught": (
        """{"scenario":"stranger","fen":"8/8/8/8/8/6k1/p7/4K3 b - - 0 1",
          "clock":{"running":"black"},"sensing":"identity-noisy","scan_ms":400}
        {"t":1000,"lift":"a2"}
        {"t":2000,"place":"a1","piece":"?"}
        {"t":3000,"press":"black"}
        {"t":9000,"lift":"e1"}
        {"t":9600,"place":"e2","piece":"K"}
        {"t":10600,"press":"white"}
        {"t":14000,"lift":"a1"}
        {"t":14500,"place":"a5","piece":"?"}
        {"t":15000,"press":"black"}""",
        ["a2a1q", "e1e2", "a1a5"],
        [],
    ),
    "castling, king first": (
        """{"scenario":"castle","moves":["e2e4","e7e5","g1f3","b8c6","f1c4","f8c5"],
          "clock":{"running":"white"}}
        {"t":1000,"lift":"e1"}
        {"t":1600,"place":"g1","piece":"K"}
        {"t":2200,"lift":"h1"}
        {"t":2900,"place":"f1","piece":"R"}
        {"t":3300,"press":"white"}""",
        ["e1g1"],
        [],
    ),
    "en passant, the passed pawn last": (
        """{"scenario":"ep","fen":"4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1",
          "clock":{"running":"black"}}
        {"t":1000,"lift":"d7"}
        {"t":1600,"place":"d5","piece":"p"}
        {"t":2000,"press":"black"}
        {"t":8000,"lift":"e5"}
        {"t":8600,"place":"d6","piece":"P"}
        {"t":9300,"lift":"d5"}
        {"t":9900,"press":"white"}""",
        ["d7d5", "e5d6"],
        [],
    ),
    "promotion, the pawn placed and exchanged": (
        """{"scenario":"promotion","fen":"8/P5k1/8/8/8/8/8/4K3 w - - 0 1",
          "clock":{"running":"white"}}
        {"t":1000,"lift":"a7"}
        {"t":1600,"place":"a8","piece":"P"}
        {"t":2500,"lift":"a8"}
        {"t":3900,"place":"a8","piece":"Q"}
        {"t":4400,"press":"white"}""",
        ["a7a8q"],
        [],
    ),
    "the reply is made before the press": (
        """{"scenario":"reply","clock":{"running":"white"}}
        {"t":1000,"lift":"e2"}
        {"t":1500,"place":"e4","piece":"P"}
        {"t":1700,"lift":"e7"}
        {"t":2100,"place":"e5","piece":"p"}
        {"t":2300,"press":"white"}
        {"t":2700,"press":"black"}""",
        ["e2e4", "e7e5"],
        [],
    ),
    "a half-move is lost and a dump shows it": (
        """{"scenario":"lost","moves":["e2e4","e7e5"],"clock":{"running":"white"}}
        {"t":5000,"press":"white"}
        {"t":5080,"scan":"rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R"}
        {"t":9000,"lift":"b8"}
        {"t":9700,"place":"c6","piece":"n"}
        {"t":9900,"press":"black"}""",
        ["g1f3", "b8c6"],
        [],
    ),
    "a coil drops a piece for one scan": (
        """{"scenario":"flicker","moves":["e2e4","e7e5"],"clock":{"running":"white"},"scan_ms":250}
        {"t":3000,"lift":"d1"}
        {"t":3250,"place":"d1","piece":"Q"}
        {"t":6000,"lift":"g1"}
        {"t":6600,"place":"f3","piece":"N"}
        {"t":7000,"press":"white"}""",
        ["g1f3"],
        [],
    ),
    "a rank of coils fails for two seconds": (
        """{"scenario":"rank","moves":["e2e4","e7e5"],"clock":{"running":"white"},"scan_ms":250}
        {"t":3000,"scan":"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/8"}
        {"t":5000,"scan":"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR"}
        {"t":9000,"lift":"d2"}
        {"t":9600,"place":"d4","piece":"P"}
        {"t":10000,"press":"white"}""",
        ["d2d4"],
        [],
    ),
    "three coils fail one after the other within a scan": (
        """{"scenario":"three","moves":["e2e4","e7e5"],"clock":{"running":"white"},"scan_ms":250}
        {"t":3000,"lift":"b1"}
        {"t":3060,"lift":"c1"}
        {"t":3120,"lift":"d1"}
        {"t":6000,"place":"b1","piece":"N"}
        {"t":6060,"place":"c1","piece":"B"}
        {"t":6120,"place":"d1","piece":"Q"}
        {"t":9000,"lift":"d2"}
        {"t":9600,"place":"d4","piece":"P"}
        {"t":10000,"press":"white"}""",
        ["d2d4"],
        [],
    ),
    "both hands take up a piece each, and another one is moved": (
        """{"scenario":"two","moves":["e2e4","e7e5"],"clock":{"running":"white"},"scan_ms":250}
        {"t":3000,"lift":"d1"}
        {"t":3060,"lift":"f1"}
        {"t":6000,"place":"d1","piece":"Q"}
        {"t":6060,"place":"f1","piece":"B"}
        {"t":9000,"lift":"d2"}
        {"t":9600,"place":"d4","piece":"P"}
        {"t":10000,"press":"white"}""",
        ["d2d4"],
        ["touch-own-several"],
    ),
    "something that cannot be read lies on the board": (
        """{"scenario":"stranger","moves":["e2e4","e7e5"],"clock":{"running":"white"}}
        {"t":3000,"place":"d5","piece":"?"}
        {"t":9000,"lift":"g1"}
        {"t":9700,"place":"f3","piece":"N"}
        {"t":10200,"press":"white"}
        {"t":18000,"lift":"b8"}
        {"t":18700,"place":"c6","piece":"n"}
        {"t":19200,"press":"black"}""",
        ["g1f3", "b8c6"],
        [],
    ),
    "something that cannot be read is put down during a half-move": (
        """{"scenario":"stranger","moves":["e2e4","e7e5"],"clock":{"running":"white"}}
        {"t":9000,"lift":"g1"}
        {"t":9300,"place":"d5","piece":"?"}
        {"t":9700,"place":"f3","piece":"N"}
        {"t":10200,"press":"white"}
        {"t":18000,"lift":"b8"}
        {"t":18700,"place":"c6","piece":"n"}
        {"t":19200,"press":"black"}""",
        ["g1f3", "b8c6"],
        [],
    ),
    "a piece is touched, and another one moved": (
        """{"scenario":"touch","moves":["e2e4","e7e5"],"clock":{"running":"white"}}
        {"t":3000,"lift":"f1"}
        {"t":4500,"place":"f1","piece":"B"}
        {"t":6000,"lift":"g1"}
        {"t":6600,"place":"f3","piece":"N"}
        {"t":7000,"press":"white"}""",
        ["g1f3"],
        ["touch-own-then-other"],
    ),
    "an illegal move is pressed": (
        """{"scenario":"illegal","moves":["e2e4","e7e5"],"clock":{"running":"white"}}
        {"t":3000,"lift":"f1"}
        {"t":3800,"place":"f3","piece":"B"}
        {"t":4300,"press":"white"}""",
        [],
        ["illegal-first"],
    ),
    "a clock is pressed and nothing was moved": (
        """{"scenario":"no move","moves":["e2e4","e7e5"],"clock":{"running":"white"}}
        {"t":5000,"press":"white"}""",
        [],
        ["press-no-move"],
    ),
    "the kings are put in the centre": (
        """{"scenario":"kings","fen":"8/5k2/3p4/8/8/4P3/3K4/8 w - - 0 1",
          "clock":{"running":"white"}}
        {"t":2000,"lift":"e3"}
        {"t":2600,"place":"e4","piece":"P"}
        {"t":3000,"press":"white"}
        {"t":8000,"clock":{"white_ms":60000,"black_ms":60000,"running":null}}
        {"t":9000,"lift":"e4"}
        {"t":10000,"lift":"d2"}
        {"t":10800,"place":"e4","piece":"K"}
        {"t":12000,"lift":"f7"}
        {"t":12800,"place":"d5","piece":"k"}""",
        ["e3e4"],
        ["result-kings-white"],
    ),
}


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_moves_are_told_and_nobody_is_called_in_vain(name: str) -> None:
    text, moves, rulings = SCENARIOS[name]
    scenario = read_scenario(re.sub(r",\n\s+\"clock\"", ',"clock"', text))
    told: list[str] = []
    called: list[str] = []
    for _, step in play(Table(scenario.setup), enumerate(scenario.inputs, 1)):
        for output in step.outputs:
            if output.seq is None or not output.payload:
                continue
            said = json.loads(output.payload)
            if output.topic == "moves":
                number = said["ply"] - len(scenario.setup.moves)
                told[number - 1 :] = [said["uci"]] if said["uci"] else []
            elif output.topic == "rulings" and said["urgency"] in (1, 2):
                called += [said["kind"]] if said["state"] == "open" else []
    assert told == moves
    assert list(dict.fromkeys(called)) == rulings
