"""A situation as scenario lines, played through a whole table, and what was said of it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from arbiterd.laws.catalogue import ROWS
from arbiterd.table.playback import play
from arbiterd.table.scenario import read_scenario
from arbiterd.table.table import Table

Line = dict[str, Any]

STANDARD = {"kind": "standard", "supervised": True, "time": ["90:00+30"]}
CONTROL = {"kind": "standard", "supervised": True, "time": ["3/90:00+30", "30:00+30"]}
RAPID = {"kind": "rapid", "supervised": False, "time": ["15:00+10"]}
RAPID_WATCHED = {"kind": "rapid", "supervised": True, "time": ["15:00+10"]}
BLITZ = {"kind": "blitz", "supervised": False, "time": ["3:00+2"]}
BLITZ_WATCHED = {"kind": "blitz", "supervised": True, "time": ["3:00+2"]}

OPENING = ["e2e4", "e7e5"]


def clock(white: int, black: int, running: str | None = "white") -> Line:
    return {"white_ms": white, "black_ms": black, "running": running}


def moved(
    t: int, origin: str, target: str, piece: str, press: str = "", taken: str = ""
) -> list[Line]:
    """A piece lifted at `t` and placed 400 ms later; pressed 500 ms after that."""
    lines: list[Line] = [{"t": t, "lift": target}] if taken else []
    lines += [{"t": t + 100, "lift": origin}, {"t": t + 400, "place": target, "piece": piece}]
    return [*lines, {"t": t + 900, "press": press}] if press else lines


def act(t: int, **fields: Any) -> Line:
    return {"t": t, "act": {"by": "An arbiter", **fields}}


def claim(t: int, what: str, side: str, move: str = "") -> Line:
    return act(t, action="claim", claim=what, side=side, **({"move": move} if move else {}))


@dataclass
class Said:
    """All that left the table, in order."""

    rulings: list[dict[str, Any]] = field(default_factory=list)
    log: list[dict[str, Any]] = field(default_factory=list)
    results: list[dict[str, Any]] = field(default_factory=list)
    replies: list[dict[str, Any]] = field(default_factory=list)
    moves: list[dict[str, Any]] = field(default_factory=list)

    def opened(self, *sections: int) -> list[str]:
        """Kinds that were opened, in order; of these sections of the catalogue, or of all."""
        return [
            ruling["kind"]
            for ruling in self.rulings
            if ruling["state"] == "open"
            and ruling["revision"] == 1
            and (not sections or ROWS[ruling["kind"]].section in sections)
        ]

    def logged(self, *sections: int) -> list[str]:
        return [one["kind"] for one in self.log if ROWS[one["kind"]].section in sections]

    def last(self, kind: str) -> dict[str, Any]:
        """The newest revision of the newest ruling of this kind."""
        return next(one for one in reversed([*self.rulings, *self.log]) if one["kind"] == kind)

    def state(self, kind: str) -> str:
        return str(self.last(kind)["state"])

    @property
    def result(self) -> tuple[str | None, str, str, str] | None:
        if not self.results:
            return None
        last = self.results[-1]
        return last["result"], last["reason"], last["article"], last["certainty"]


def said(*lines: Line, **head: Any) -> Said:
    """Plays the situation; whatever is due within a minute after the last line is said too."""
    scene = {"scenario": "a situation", **head}
    scenario = read_scenario("\n".join(json.dumps(line) for line in (scene, *lines)))
    table = Table(scenario.setup)
    heard = Said()
    for _, step in play(table, enumerate(scenario.inputs, 1)):
        for output in step.outputs:
            if not output.payload:
                continue
            body = json.loads(output.payload)
            if output.topic == "rulings":
                heard.rulings.append(body)
            elif output.topic == "log":
                heard.log.append(body)
            elif output.topic == "result":
                heard.results.append(body)
            elif output.topic == "moves":
                heard.moves.append(body)
            elif output.topic.startswith("reply"):
                heard.replies.append(body)
    return heard


def said_on(sensing: str, *lines: Line) -> Said:
    """A standard game that has opened, on a board of this sensing class."""
    time = clock(600_000, 600_000)
    return said(*lines, moves=OPENING, clock=time, rate=STANDARD, sensing=sensing)
