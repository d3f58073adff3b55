"""Situations in the arbiter's words: translated to scenario lines, played, and told.

    # touch-own-then-other.txt
    game chess, standard 90:00+30
    play e4 e5 Nf3 Nc6
    lift f1   after 4s
    place f1  after 2s
    move d4
    ----
    touch-own-then-other  4.3.1  probable  urgency 1  against white
      must play f1e2 f1d3 f1c4 f1b5 f1a6

A file holds any number of situations, each from its `game` on; hands and clock, four dashes, what
is told. A line is one line of a scenario file (`docs/scenarios.md`), half a second after the one
before unless it says `after`:

    game RULES, RATE [supervised|unsupervised] TIME…    fen FEN    play MOVES    illegal white 1
    clock 12:02 46:09 white    no clock (later: lost)    set KEY VALUE    sensing CLASS
    round 0s    scan 200ms
    lift SQ    place SQ [PIECE]    move MOVE    press [SIDE]    flag SIDE    pause    run SIDE
    times 12:02 46:09 [SIDE]    board FIELD    confirm KIND    dismiss KIND    act KEY=VALUE …
    link down|up
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, TypeAlias

from arbiterd.laws.ruling import RulingState
from arbiterd.messages import topics
from arbiterd.rules.registry import ruleset
from arbiterd.rules.ruleset import Colour
from arbiterd.table.playback import play
from arbiterd.table.scenario import read_scenario
from arbiterd.table.table import Table
from arbiterd.timing.control import read_period
from eboards.events import BLACK_PIECE, EMPTY, UNKNOWN, WHITE_PIECE

PayloadRead: TypeAlias = dict[str, Any]

LOG = "log"
"""The topic of rulings that only the journal has."""
DASHES = "----"
VERBS = frozenset(
    "game fen play illegal clock no set sensing round scan lift place move press flag pause run"
    " times board confirm dismiss act link".split()
)
"""What a line of hands, clock or scene begins with; all others are what is told."""
STEP_MS = 500
HAND_MS = 400
START_CLOCK_MS = 3_600_000
_TIME = re.compile(r"(\d+)(ms|s|m)")


class SituationError(ValueError):
    """The writer can put this right: the message names the line and says what to write."""


@dataclass(frozen=True, slots=True)
class Situation:
    """One game's worth of hands, and what must be told after each part."""

    name: str
    """The file's stem: the row it is about."""
    number: int
    """From 1, within its file."""
    head: dict[str, Any]
    parts: tuple[tuple[tuple[dict[str, Any], ...], tuple[str, ...]], ...]
    """Scenario lines, and what is expected after them."""

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [line for lines, _ in self.parts for line in lines]

    def scenario(self) -> str:
        """The same as a scenario file."""
        return "".join(json.dumps(line) + "\n" for line in (self.head, *self.lines))

    @property
    def rate(self) -> str:
        """std, A4 or A5."""
        rate = self.head.get("rate", {})
        if rate.get("kind", "standard") == "standard":
            return "std"
        return "A4" if rate.get("supervised") else "A5"


@dataclass(frozen=True, slots=True)
class SituationTold:
    """What one situation led to."""

    parts: tuple[tuple[str, ...], ...]
    """As lines of a situation file."""
    rulings: tuple[PayloadRead, ...]
    """Every ruling's payload, urgency 0 included, in order."""

    @property
    def fired(self) -> tuple[str, ...]:
        """Every kind that was told, in order."""
        return tuple(ruling["kind"] for ruling in self.rulings if ruling["revision"] == 1)


def read_situations(name: str, text: str) -> list[Situation]:
    """All situations of one file. Raises SituationError."""
    blocks: list[list[tuple[int, str]]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("#"):
            continue
        if line.startswith("game "):
            blocks.append([])
        if not line.strip():
            continue
        if not blocks:
            raise SituationError(f"{name}, line {number}: begin with `game chess, standard`")
        blocks[-1].append((number, line))
    return [_Writer(name, count).read(block) for count, block in enumerate(blocks, 1)]


def blessed(name: str, text: str) -> str:
    """The same file with what is told now after each part, for people to review."""
    told = iter([part for one in read_situations(name, text) for part in tell(one).parts])
    lines: list[str] = []
    expecting = begun = False
    for line in text.splitlines():
        if line == DASHES:
            expecting = True
            lines += [DASHES, *next(told), ""]
            continue
        starts = line.split(" ")[0] in VERBS
        if expecting and not starts:
            continue
        if line.startswith("game ") and begun and not expecting:
            lines += [DASHES, *next(told), ""]
        begun = begun or line.startswith("game ")
        expecting = False
        lines += [line] if line.strip() else []
    if not expecting:
        lines += [DASHES, *next(told)]
    return "\n".join(lines).rstrip() + "\n"


def packaged() -> Iterator[Situation]:
    """The situations that come with the Laws, in the order of their names."""
    folder = files("arbiterd.laws") / "situations"
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.name.endswith(".txt"):
            yield from read_situations(entry.name.removesuffix(".txt"), entry.read_text("utf-8"))


class _Writer:
    """Translates the lines of one situation; keeps the pieces on the board and in the hand."""

    def __init__(self, name: str, number: int) -> None:
        self._name, self._number = name, number
        self._head: dict[str, Any] = {"scenario": f"{name} {number}"}
        self._parts: list[tuple[tuple[dict[str, Any], ...], tuple[str, ...]]] = []
        self._lines: list[dict[str, Any]] = []
        self._t = 0
        self._begun = False
        self._hand: list[str] = []
        self._clock = True
        self._doers: dict[str, Callable[[list[str]], None]] = {
            "game": self._game, "fen": self._fen, "play": self._play, "illegal": self._illegal,
            "clock": self._head_clock, "no": self._no_clock, "set": self._set,
            "sensing": self._sensing, "round": self._round, "scan": self._scan,
            "lift": self._lift, "place": self._place, "move": self._move, "press": self._press,
            "flag": self._flag, "pause": self._pause, "run": self._run, "times": self._times,
            "board": self._board_line, "confirm": self._yes_no, "dismiss": self._yes_no,
            "act": self._act,
            "link": self._link,
        }  # fmt: skip

    def read(self, block: list[tuple[int, str]]) -> Situation:
        expected: list[str] | None = None
        for number, line in block:
            if line == DASHES:
                expected = []
                continue
            if expected is not None and line.split(" ")[0] in VERBS:
                self._close(expected)
                expected = None
            if expected is not None:
                expected.append(line)
                continue
            try:
                self._line(line)
            except (ValueError, KeyError, IndexError) as wrong:
                raise SituationError(f"{self._name}, line {number}: {line!r}: {wrong}") from None
        self._close(expected or [])
        return Situation(self._name, self._number, self._head, tuple(self._parts))

    def _close(self, expected: list[str]) -> None:
        self._parts.append((tuple(self._lines), tuple(expected)))
        self._lines = []

    def _line(self, line: str) -> None:
        words, after = line.split(), STEP_MS
        if "after" in words[1:]:
            at = words.index("after")
            after = _ms(words[at + 1])
            words = words[:at] + words[at + 2 :]
        if words[0] not in self._doers:
            raise SituationError(f"nothing known; use one of {', '.join(self._doers)}")
        self._word, self._after = words[0], after
        self._doers[words[0]](words[1:])

    def _tell(self, after: int | None = None, **line: Any) -> None:
        if not self._begun:
            self._begin()
        self._t += self._after if after is None else after
        if "piece" in line:
            line["piece"] = self._sensed(line["piece"])
        self._lines.append({"t": self._t, **line})

    def _sensed(self, piece: str) -> str:
        """What the board's sensors make of a piece."""
        kind = self._head.get("sensing", "identity")
        if kind == "occupancy":
            return UNKNOWN
        if kind != "colour":
            return piece
        return WHITE_PIECE if piece.isupper() else BLACK_PIECE

    def _begin(self) -> None:
        """The head is complete: the pieces stand."""
        self._begun = True
        rules = ruleset(self._head.get("ruleset", "chess"))
        self._rules = rules
        position = rules.start(self._head.get("fen", ""))
        wires = []
        for text in self._head.get("moves", ()):
            move = rules.parse(position, text)
            wires.append(rules.wire(position, move))
            position = rules.play(position, move)
        if wires:
            self._head["moves"] = wires
        self._position = position
        self._pieces = list(rules.placement(position))
        self._runs = rules.turn(position)
        if self._clock and "clock" not in self._head:
            shown = self._start_ms()
            self._head["clock"] = {
                "white_ms": shown,
                "black_ms": shown,
                "running": self._runs.value,
            }

    def _start_ms(self) -> int:
        """What the clock shows at first: the first increment is credited before the game."""
        time = self._head["rate"]["time"]
        first = read_period(time[0]) if time else None
        return first.base_ms + first.increment_ms if first else START_CLOCK_MS

    # The scene.

    def _game(self, words: list[str]) -> None:
        rules, *rest = " ".join(words).split(",")
        self._head["ruleset"] = rules.strip()
        kind, *said = (rest[0] if rest else "standard").split()
        supervised = kind == "standard"
        if said and said[0] in ("supervised", "unsupervised"):
            supervised = said.pop(0) == "supervised"
        self._head["rate"] = {"kind": kind, "supervised": supervised, "time": said}

    def _fen(self, words: list[str]) -> None:
        self._head["fen"] = " ".join(words)

    def _play(self, words: list[str]) -> None:
        self._head["moves"] = words

    def _illegal(self, words: list[str]) -> None:
        self._head.setdefault("illegal", {})[words[0]] = int(words[1])

    def _head_clock(self, words: list[str]) -> None:
        running = words[2] if len(words) > 2 else None
        self._head["clock"] = {
            "white_ms": _clock_ms(words[0]), "black_ms": _clock_ms(words[1]), "running": running
        }  # fmt: skip

    def _no_clock(self, _: list[str]) -> None:
        if self._begun:
            self._tell(clock=None)
        self._clock = False

    def _set(self, words: list[str]) -> None:
        value: Any = " ".join(words[1:])
        known = {"true": True, "false": False}
        value = known.get(value, int(value) if value.isdigit() else value)
        self._head.setdefault("settings", {})[words[0]] = value

    def _sensing(self, words: list[str]) -> None:
        self._head["sensing"] = words[0]

    def _round(self, words: list[str]) -> None:
        self._head["round_started_t"] = _ms(words[0])

    def _scan(self, words: list[str]) -> None:
        self._head["scan_ms"] = _ms(words[0])

    # Hands and clock.

    def _square(self, name: str) -> int:
        return self._rules.geometry.square(name)

    def _lift(self, words: list[str]) -> None:
        self._tell(lift=words[0])
        square = self._square(words[0])
        self._hand.append(self._pieces[square])
        self._pieces[square] = EMPTY

    def _place(self, words: list[str]) -> None:
        if not self._begun:
            self._begin()
        square = self._square(words[0])
        piece = words[1] if len(words) > 1 else self._hand[-1]
        if piece in self._hand:
            self._hand.remove(piece)
        self._tell(place=words[0], piece=piece)
        self._pieces[square] = piece

    def _move(self, words: list[str]) -> None:
        """A whole legal move by hand; `press` after it presses too."""
        if not self._begun:
            self._begin()
        move = self._rules.parse(self._position, words[0])
        squares = self._rules.touched(self._position, move)
        footprint = self._rules.footprint(self._position, move)
        names, after = self._rules.geometry.names, self._after
        enemies = [s for s in squares[1:] if self._pieces[s] != EMPTY and s != squares[0]]
        own = [
            s
            for s in enemies
            if self._rules.owner(self._pieces[s]) is self._rules.turn(self._position)
        ]
        for square in [s for s in enemies if s not in own] + [squares[0], *own]:
            self._tell(after, lift=names[square])
            after = HAND_MS
            for target, piece in footprint:
                if piece != EMPTY and square in (squares[0], *own):
                    same = piece == self._pieces[square] or (square == squares[0] and not own)
                    if same:
                        self._tell(HAND_MS, place=names[target], piece=piece)
        for target, piece in footprint:
            self._pieces[target] = piece
        self._position = self._rules.play(self._position, move)
        if "press" in words[1:]:
            self._after = STEP_MS
            self._press([])

    def _press(self, words: list[str]) -> None:
        if not self._begun:
            self._begin()
        side = Colour(words[0]) if words else self._runs
        self._tell(press=side.value)
        self._runs = side.other

    def _flag(self, words: list[str]) -> None:
        self._tell(flag=words[0])

    def _pause(self, _: list[str]) -> None:
        self._tell(pause=True)

    def _run(self, words: list[str]) -> None:
        self._tell(clock={"running": words[0]})
        self._runs = Colour(words[0])

    def _times(self, words: list[str]) -> None:
        clock: dict[str, Any] = {"white_ms": _clock_ms(words[0]), "black_ms": _clock_ms(words[1])}
        clock["running"] = words[2] if len(words) > 2 else None
        if clock["running"]:
            self._runs = Colour(clock["running"])
        self._tell(clock=clock)

    def _board_line(self, words: list[str]) -> None:
        if not self._begun:
            self._begin()
            self._after = 0 if self._after == STEP_MS else self._after
        self._tell(scan=words[0])

    def _yes_no(self, words: list[str]) -> None:
        changes = {"changes": json.loads(" ".join(words[1:]))} if len(words) > 1 else {}
        self._tell(act={"action": self._word, "by": "arbiter", "ruling": words[0], **changes})

    def _link(self, words: list[str]) -> None:
        self._tell(link=words[0])

    def _act(self, words: list[str]) -> None:
        act: dict[str, Any] = {"by": "arbiter"}
        for word in words:
            key, _, value = word.partition("=")
            act[key] = int(value) if value.lstrip("-").isdigit() else value.replace("_", " ")
            if key in ("action", "kind", "claim", "fen"):
                act[key] = value
        self._tell(act=act)


def _ms(text: str) -> int:
    match = _TIME.fullmatch(text)
    if match is None:
        raise SituationError(f"{text!r} is no time; write 4s, 300ms or 2m")
    return int(match[1]) * {"ms": 1, "s": 1000, "m": 60_000}[match[2]]


def _clock_ms(text: str) -> int:
    seconds = 0
    for part in text.split(":"):
        seconds = seconds * 60 + int(part)
    return seconds * 1000


def tell(situation: Situation) -> SituationTold:
    """Plays it through a table; what is told after each part, as the file would have it."""
    scenario = read_scenario(situation.scenario())
    ends_ns = [lines[-1]["t"] * 1_000_000 if lines else 0 for lines, _ in situation.parts]
    parts: list[list[str]] = [[] for _ in ends_ns]
    rulings: list[PayloadRead] = []
    for at_ns, step in play(Table(scenario.setup), enumerate(scenario.inputs, 1)):
        part = next((n for n, end_ns in enumerate(ends_ns) if at_ns <= end_ns), -1)
        for output in step.outputs:
            if output.topic == topics.RESULT:
                parts[part] += _result(json.loads(output.payload))
            if output.topic in (topics.RULINGS, LOG):
                ruling = json.loads(output.payload)
                if output.topic == LOG:
                    ruling["urgency"] = 0
                rulings.append(ruling)
                parts[part] += _ruling(ruling, situation.name)
    return SituationTold(tuple(tuple(part) for part in parts), tuple(rulings))


def _result(result: PayloadRead) -> list[str]:
    return [f"result {result['result']}  {result['reason']}  {result['article']}"]


def _ruling(ruling: PayloadRead, about: str) -> list[str]:
    """A ruling as a situation file has it; urgency 0 only in the file about its row."""
    if ruling["urgency"] == 0:
        return [f"log {ruling['kind']}"] if ruling["kind"] == about else []
    if ruling["state"] != RulingState.OPEN:
        return [f"{ruling['state']} {ruling['kind']}"]
    head = [ruling["kind"], " ".join(ruling["articles"]), ruling["certainty"]]
    head.append(f"urgency {ruling['urgency']}")
    if ruling["against"]:
        head.append(f"against {ruling['against']}")
    if ruling["revision"] > 1:
        head.append(f"revision {ruling['revision']}")
    return ["  ".join(head), *_proposal(ruling)]


def _proposal(ruling: PayloadRead) -> list[str]:
    proposal = ruling["proposal"]
    lines = []
    if ruling["facts"]["obligation"] and not ruling["facts"].get("any_move"):
        lines.append(f"  must play {' '.join(ruling['facts']['obligation'])}")
    if proposal["clock_delta_ms"]:
        gains = (f"{side} {ms // 1000:+d} s" for side, ms in proposal["clock_delta_ms"].items())
        lines.append(f"  clocks {', '.join(gains)}")
    if proposal["restore"]:
        lines.append(f"  restore {proposal['restore']}")
    if proposal["result"]:
        lines.append(f"  result {proposal['result']}")
    closes_on = ruling["window"]["closes_on"]
    return lines if closes_on == "never" else [*lines, f"  until {closes_on}"]
