"""One command of each kind, as it is sent: for the documents, and for tests that try them all.

`by` is left out where a login says who it is; `id` is the sender's own, and a command is sent again
under the same `id` until it is answered.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

SAMPLES: Mapping[str, Mapping[str, Any]] = {
    "confirm": {"ruling": "12-0812", "changes": {"clock_delta_ms": {"black": 60000}}},
    "dismiss": {"ruling": "12-0812", "reason": "it was adjusted, and said so"},
    "claim": {"claim": "threefold", "side": "white", "move": "g4d1"},
    "draw-offer": {"side": "black"},
    "resign": {"side": "black"},
    "set-move": {"op": "replace", "ply": 31, "move": "Nf3"},
    "set-position": {"fen": "8/8/8/4k3/8/4K3/4P3/8 w - - 0 61"},
    "set-clock": {"white_ms": 722000, "black_ms": 2769000, "running": "white", "send": True},
    "set-result": {"result": "1-0", "reason": "agreed by both players"},
    "penalty": {"side": "white", "kind": "warning", "clock_delta_ms": 120000},
    "report": {"kind": "conduct-device", "side": "white", "note": "rang at move 20"},
    "assign-device": {"device": "serial:/dev/ttyACM0"},
    "start-game": {"white": "Lasker", "black": "Steinitz", "ruleset": "chess"},
    "pause": {},
    "resume": {},
    "mute": {},
    "unmute": {},
    "undo": {"of": "t-17"},
    "coming": {"ruling": "12-0812"},
    "shelve": {"ruling": "12-0812", "minutes": 5},
    "round check": {"round": 3, "file": "round3.trf"},
    "round begin": {
        "round": 3,
        "games": [{"table": "1", "white": "Lasker", "black": "Steinitz"}],
        "rate": "classical",
        "delay_s": 900,
    },
    "round end": {"round": 3, "reason": "table 4 is adjourned"},
    "round swap": {"tables": ["1", "2"]},
    "round move": {"tables": ["1", "2"]},
    "round rename": {
        "tables": ["1"],
        "games": [{"white": "Lasker", "black": "Tarrasch", "black_player": {"title": "GM"}}],
    },
    "round bye": {"tables": ["2"]},
    "round delay": {"delay_s": 900, "tables": ["1"]},
}
"""By what is asked for; `round OP` for a command about a round."""


def sample(deed: str, number: int = 1) -> dict[str, Any]:
    """A whole command but for `by`."""
    action, _, op = deed.partition(" ")
    said = {"action": action, **({"op": op} if op else {}), **SAMPLES[deed]}
    return {**said, "id": f"t-{number}"}


def page() -> str:
    """The samples as docs/integrators.md shows them, in Markdown."""
    return "".join(
        f"{json.dumps(sample(deed, number))}\n" for number, deed in enumerate(SAMPLES, start=1)
    )
