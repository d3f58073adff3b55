"""A real game with incidents, and two arbiters who do something at any moment: for properties.

What a table told is read as other programs read it (events folded, state, PGN, the public), and
after every input all of them have to hold one record: half-moves without a hole, each legal from
the position before it or marked as irregular, events numbered without a gap.
"""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from copy import copy, deepcopy
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, cast

import chess.pgn
import msgspec

from arbiterd.journal.reader import JournalReader
from arbiterd.journal.rows import InputRow, OutputRow
from arbiterd.messages.commands import read_command
from arbiterd.messages.payloads import Move, Result
from arbiterd.messages.step import Output, Step
from arbiterd.outlets.pgn.full import full_pgn
from arbiterd.outlets.pgn.games import scores
from arbiterd.outlets.public.game import PublicTable
from arbiterd.rules.mating import answered
from arbiterd.simulation.benchmarks.recall import day_with
from arbiterd.simulation.devices.board import heard
from arbiterd.simulation.devices.clock import rate_of
from arbiterd.simulation.dice import dice
from arbiterd.simulation.game import GameLine
from arbiterd.simulation.hands.incidents import EPISODES
from arbiterd.simulation.hands.play import play
from arbiterd.table.inputs import Input, MatingAnswered, act_said
from arbiterd.table.setup import TableSetup
from arbiterd.table.table import Table

S = 1_000_000_000
NAMES = tuple(sorted(EPISODES))
ARBITERS = ("Ana", "Bo")


class Rows:
    """A journal of one table, as the PGN reads it."""

    def __init__(self, setup: TableSetup) -> None:
        self.inputs = [InputRow(0, 0, setup.table, setup)]
        self.rows: list[OutputRow] = []

    def outputs(self, _table: str) -> Iterator[OutputRow]:
        return iter(self.rows)

    def last(self, _topic: str) -> int:
        return self.inputs[-1].number

    def setting(self, _table: str, after: int) -> Iterator[InputRow]:
        return iter([row for row in self.inputs if row.number > after or not after])

    def refused(self, _table: str, _after: int) -> frozenset[int]:
        answers = (row for row in self.rows if row.topic.startswith("reply"))
        return frozenset(row.input for row in answers if not json.loads(row.payload)["ok"])


@dataclass
class Readers:
    """Everything that listens to one table."""

    rows: Rows
    seq: int = 0
    newest: dict[str, int] = field(default_factory=dict)
    games: dict[str, dict[int, dict[str, Any]]] = field(default_factory=dict)
    result: str | None = None
    public: PublicTable = field(default_factory=PublicTable)
    public_held: dict[tuple[str, int], dict[str, Any]] = field(default_factory=dict)
    public_seq: int = 0
    rulings: dict[str, dict[str, Any]] = field(default_factory=dict)
    replies: list[dict[str, Any]] = field(default_factory=list)

    def hear(self, number: int, output: Output) -> None:
        self.rows.rows.append(
            OutputRow(len(self.rows.rows) + 1, 0, "1", 0, output.topic, output.seq,
                      output.retained, number, output.payload)
        )  # fmt: skip
        if output.topic.startswith("reply"):
            self.replies.append(json.loads(output.payload))
        if output.seq is None:
            return
        said = json.loads(output.payload)
        self.seq += 1
        assert said["seq"] == self.seq, "numbers have no gap"
        assert said["prev"] == self.newest.get(output.topic), "and each names the one before"
        self.newest[output.topic] = self.seq
        if output.topic == "moves":
            self._move(said)
            self._to_public(self.public.move(msgspec.json.decode(output.payload, type=Move)))
        elif output.topic == "result":
            self.result = said["result"]
            self._to_public(self.public.ended(msgspec.json.decode(output.payload, type=Result)))
        else:
            before = self.rulings.get(said["id"])
            assert before is None or said["revision"] > before["revision"], said
            self.rulings[said["id"]] = said

    def _move(self, said: dict[str, Any]) -> None:
        held = self.games.setdefault(said["game"], {})
        before = held.pop(said["ply"], None)
        assert said.get("replaces") == (None if before is None else before["seq"]), said
        if said["uci"] is not None or said.get("irregular"):
            held[said["ply"]] = said

    def _to_public(self, told: Iterator[Any]) -> None:
        for one in told:
            said = json.loads(one.payload)
            self.public_seq += 1
            assert said["seq"] == self.public_seq
            if one.leaf != "moves":
                continue
            place = (said["game"], said["ply"])
            self.public_held.pop(place, None)
            if said["san"] is not None or said.get("irregular"):
                self.public_held[place] = said

    def agree(self, table: Table) -> None:
        """All hold the record that the table has."""
        state = table.state(table.at_ns)
        held = self.games.get(state.game, {})
        assert sorted(held) == list(range(1, state.ply + 1)), "a hole in the half-moves"
        rules, position = table.view.rules, table.view.rules.start(table.view.tracker.record.start)
        for ply in range(1, state.ply + 1):
            entry = held[ply]
            if entry.get("irregular"):
                assert entry["san"] is None
                position = rules.start(entry["fen"])
            else:
                assert entry["color"] == rules.turn(position).value
                move = rules.parse(position, entry["uci"])
                assert entry["san"] == rules.san(position, move)
                position = rules.play(position, move)
            assert entry["fen"] == rules.fen(position), "each follows from the one before"
        assert state.fen == rules.fen(position)
        last = held.get(state.ply)
        assert state.last_move == (None if last is None or last.get("irregular") else last["uci"])
        assert state.result == table.view.books.result
        open_told = {n for n, one in self.rulings.items() if one["state"] == "open"}
        assert open_told == {n for n in state.open_rulings if self.rulings[n]["state"] == "open"}, (
            "open for all or for nobody"
        )
        assert set(state.open_rulings) == open_told
        self._public_agrees(state.game, held)

    def _public_agrees(self, game: str, held: dict[int, dict[str, Any]]) -> None:
        shown = {ply: one for (name, ply), one in self.public_held.items() if name == game}
        assert sorted(shown) == list(range(1, len(shown) + 1)), "a hole for the public"
        for ply, one in shown.items():
            assert (one["san"], one["fen"]) == (held[ply]["san"], held[ply]["fen"])

    def pgn_agrees(self, table: Table) -> None:
        """A reader of the file gets through it, and finds the longest stretch of legal moves."""
        state = table.state(table.at_ns)
        held = self.games.get(state.game, {})
        found = scores(cast("JournalReader", self.rows), "1")
        text = next((full_pgn(score) for score in found if score.game == state.game), "")
        if not text:
            assert not held
            return
        game = chess.pgn.read_game(io.StringIO(text))
        assert game is not None
        assert not game.errors, (text, game.errors)
        stretches: list[list[str]] = [[]]
        for _, one in sorted(held.items()):
            if one.get("irregular"):
                stretches.append([])
            else:
                stretches[-1].append(one["uci"])
        longest = max(stretches, key=len)
        assert [move.uci() for move in game.mainline_moves()] == longest


def _deep(readers: Readers) -> Readers:
    """Readers that have heard the same; what they heard is never changed, so it is shared."""
    rows = Rows.__new__(Rows)
    rows.inputs, rows.rows = list(readers.rows.inputs), list(readers.rows.rows)
    public = copy(readers.public)
    for name in ("newest", "shown", "record", "waiting"):
        setattr(public, name, dict(getattr(public, name)))
    public.left = {name: deepcopy(left) for name, left in public.left.items()}
    return replace(
        readers,
        rows=rows,
        public=public,
        newest=dict(readers.newest),
        games={name: dict(held) for name, held in readers.games.items()},
        public_held=dict(readers.public_held),
        rulings=dict(readers.rulings),
        replies=list(readers.replies),
    )


class World:
    """One table, what came in, and who listened."""

    def __init__(self, table: Table, readers: Readers, number: int = 0) -> None:
        self.table, self.readers, self.number = table, readers, number
        self.came: list[Input] = []

    def forked(self) -> World:
        return World(self.table.copied(), _deep(self.readers), self.number)

    def take(self, item: Input) -> None:
        self.number += 1
        self.came.append(item)
        self.readers.rows.inputs.append(InputRow(self.number, item.at_ns, "1", item))
        self._hear(self.table.take(self.number, item))
        while questions := self.table.questions:
            self.number += 1
            said = MatingAnswered(self.table.at_ns, answered(questions[0]))
            self.came.append(said)
            self._hear(self.table.take(self.number, said))

    def _hear(self, step: Step) -> None:
        for output in step.outputs:
            self.readers.hear(self.number, output)

    def act(self, **said: Any) -> dict[str, Any]:
        self.take(act_said(read_command(said), self.table.at_ns))
        self.readers.agree(self.table)
        return self.readers.replies[-1]

    def face(self) -> tuple[Any, ...]:
        """What is to be the same with an act undone and without it."""
        state = msgspec.structs.replace(
            self.table.state(self.table.at_ns), seq=0, game="", open_rulings=[]
        )
        game = self.table.state(0).game
        record = [
            (e["ply"], e["color"], e["san"], e["uci"], e.get("irregular"), e["fen"],
             e["completed_at"], e["clock"], e["certainty"])
            for _, e in sorted(self.readers.games.get(game, {}).items())
        ]  # fmt: skip
        file = self.table.view.docket.file
        rulings = [
            (held.ruling.kind, held.cause, held.ruling.coming, held.ruling.shelved_until_ns)
            for held in sorted(file.open, key=lambda h: (h.ruling.kind, h.cause))
        ]
        return state, record, rulings, file.order, file.illegal, sorted(file.notes)


def started(line: GameLine, seed: str) -> tuple[World, list[Input]]:
    """A table before the game, and all that its board and clock will say."""
    rolls = dice(seed)
    names = rolls.sample(NAMES, 6)
    profile = replace(day_with(names, 1.5), kings_signal=rolls.choice((0.0, 1.0)))
    story = play(line, profile, rolls)
    rate = rate_of(profile)
    events = heard(story, profile, rate, rolls, geometry=line.rules.geometry, ticking=True)
    setup = TableSetup(rate=rate, orientation=0, table="1")
    return World(Table(setup), Readers(Rows(setup))), list(events)


Doing = dict[str, Any]


class Arbiters:
    """What two of them may think of; some of it makes no sense, and is to be refused."""

    def __init__(self, rolls: Random) -> None:
        self.rolls, self.ids = rolls, 0

    def next_id(self) -> str:
        self.ids += 1
        return f"c{self.ids}"

    def doing(self, world: World) -> Doing:
        table, rolls = world.table, self.rolls
        kinds: list[tuple[Callable[[Table], Doing], int]] = [
            (self._decision, 30 if table.view.docket.open else 0),
            (self._set_move, 25),
            (self._small, 20),
            (self._result, 8),
            (self._position, 8),
            (self._attend, 6 if table.view.docket.open else 0),
            (self._game, 2),
        ]
        (made,) = rolls.choices([kind for kind, _ in kinds], [weight for _, weight in kinds])
        return made(table) | {"by": rolls.choice(ARBITERS)}

    def _ruling(self, table: Table) -> str:
        return table.view.announcer.ruling_id(self.rolls.choice(table.view.docket.open))

    def _decision(self, table: Table) -> Doing:
        said: Doing = {"action": self.rolls.choice(["confirm", "confirm", "dismiss"])}
        if self.rolls.random() < 0.15:
            said["changes"] = self.rolls.choice(
                [{"clock_delta_ms": {"white": 60_000}}, {"count": False}, {"restore": None},
                 {"restore": table.state(0).fen}, {"actions": ["log"]}]
            )  # fmt: skip
        return said | {"ruling": self._ruling(table)}

    def _set_move(self, table: Table) -> Doing:
        rolls, plies = self.rolls, len(table.moves)
        op = rolls.choice(["insert", "replace", "take-back", "take-back"])
        said: Doing = {"action": "set-move", "op": op}
        at = max(1, plies - rolls.choice([0, 0, 0, 1, 2, 5, 40]))
        if rolls.random() < 0.7:
            said["ply"] = at if op != "insert" else plies + 1
        number = said.get("ply", plies if op == "replace" else plies + 1)
        positions = table.view.tracker.record.positions(table.view.rules)
        position = positions[min(max(0, number - 1), plies)]
        legal = table.view.rules.legal_moves(position)
        if op != "take-back":
            said["move"] = table.view.rules.wire(position, rolls.choice(legal)) if legal else "e2e4"
        return said

    def _small(self, table: Table) -> Doing:
        side = self.rolls.choice(["white", "black"])
        return self.rolls.choice([
            {"action": "pause"}, {"action": "resume"}, {"action": "mute"},
            {"action": "draw-offer", "side": side}, {"action": "resign", "side": side},
            {"action": "claim", "claim": "threefold", "side": side},
            {"action": "claim", "claim": "illegal-move", "side": side},
            {"action": "claim", "claim": "touched-piece", "side": side},
            {"action": "penalty", "side": side, "kind": "warning"},
            {"action": "set-clock", "white_ms": 600_000, "black_ms": 500_000, "running": side},
            {"action": "set-clock", "white_ms": 9000, "black_ms": 9000, "send": True},
        ])  # fmt: skip

    def _result(self, table: Table) -> Doing:
        result = self.rolls.choice(["1-0", "0-1", "1/2-1/2", None, None])
        return {"action": "set-result", "result": result, "reason": "arbiter"}

    def _position(self, table: Table) -> Doing:
        positions = table.view.tracker.record.positions(table.view.rules)
        return {"action": "set-position", "fen": table.view.rules.fen(self.rolls.choice(positions))}

    def _attend(self, table: Table) -> Doing:
        said = self.rolls.choice([{"action": "coming"}, {"action": "shelve", "minutes": 3}])
        return said | {"ruling": self._ruling(table)}

    def _game(self, table: Table) -> Doing:
        return {"action": "start-game", "white": "A", "black": "B"}


@dataclass
class Figures:
    """What was tried."""

    games: int = 0
    acts: int = 0
    done: int = 0
    by_action: Counter[str] = field(default_factory=Counter)
    finished: int = 0
    """Acts on games that were over."""
    second: int = 0
    """Decisions on what another arbiter had decided at that moment."""
    changed: int = 0
    """Acts that changed the record."""
    undone: int = 0
    previews: int = 0
    irregular: int = 0
    events: int = 0


def acted_upon(line: GameLine, seed: str, acts: int, figures: Figures) -> None:
    """One game with so many acts at random moments; raises where anything disagrees."""
    rolls = dice(f"{seed}/acts")
    world, events = started(line, seed)
    arbiters = Arbiters(rolls)
    late = len(events) * 9 // 10
    moments = Counter(
        rolls.randrange(late if rolls.random() < 0.2 else 0, len(events)) for _ in range(acts)
    )
    for place, item in enumerate(events):
        world.take(item)
        for _ in range(moments[place]):
            _one_act(world, arbiters, events[place + 1 :], figures)
        if place % 50 == 0:
            world.readers.agree(world.table)
    world.readers.agree(world.table)
    world.readers.pgn_agrees(world.table)
    figures.games += 1
    figures.events += world.readers.seq
    figures.irregular += sum(
        bool(one.get("irregular")) for held in world.readers.games.values() for one in held.values()
    )
    _replayed(world)


def _one_act(
    world: World, arbiters: Arbiters, following: Sequence[Input], figures: Figures
) -> None:
    rolls = arbiters.rolls
    doing = arbiters.doing(world) | {"id": arbiters.next_id()}
    figures.acts += 1
    figures.by_action[doing["action"]] += 1
    figures.finished += world.table.view.books.result is not None
    if rolls.random() < 0.3:
        _preview_leaves_no_trace(world, doing)
        figures.previews += 1
    undone = world.forked()
    without = world.forked()
    before = world.table.view.line
    reply = world.act(**doing)
    figures.done += reply["ok"]
    figures.changed += world.table.view.line != before
    if reply["ok"] and doing["action"] in ("confirm", "dismiss"):
        other = next(name for name in ARBITERS if name != doing["by"])
        again = world.act(**doing | {"by": other, "id": arbiters.next_id()})
        assert not again["ok"]
        assert doing["by"] in again["error"], "it says who decided"
        figures.acts += 1
        figures.second += 1
    if reply["ok"] and not doing.get("send"):
        _undone_is_as_without(undone, without, doing, following, rolls)
        figures.undone += 1
        if rolls.random() < 0.5:
            assert world.act(action="undo", by="Ana", of=doing["id"], id=arbiters.next_id())["ok"]
            world.readers.pgn_agrees(world.table)


def _preview_leaves_no_trace(world: World, doing: Doing) -> None:
    face = world.face()
    said = world.act(**doing, preview=True)
    assert world.face() == face
    other = world.forked()
    done = other.act(**doing)
    assert said["ok"] == done["ok"]
    assert said.get("error") == done.get("error")
    game = world.table.state(0).game
    if said["ok"] and said["preview"]["game"] == other.table.state(0).game == game:
        gone = [one["ply"] for one in said["preview"]["withdrawn"]]
        kept = len(world.table.view.line) - len(gone)
        assert gone == list(range(kept + 1, len(world.table.view.line) + 1))
        assert other.table.view.line[:kept] == world.table.view.line[:kept]
        assert len(other.table.view.line) == kept + len(said["preview"]["entered"])


def _undone_is_as_without(
    undone: World, without: World, doing: Doing, following: Sequence[Input], rolls: Random
) -> None:
    """The act, what comes after it for a while, its undoing; beside the same without the act."""
    until_ns = undone.table.at_ns + rolls.choice([0, 1, 5, 20, 55]) * S
    assert undone.act(**doing)["ok"]
    for item in following:
        if item.at_ns > until_ns:
            break
        undone.take(item)
        without.take(item)
    if rolls.random() < 0.3:
        undone.table = undone.table.copied()
    reply = undone.act(action="undo", by="Ana", of=doing["id"], id="undo")
    assert reply["ok"], reply
    # Both are asked for something that changes nothing, so that both have come as far.
    for world in (undone, without):
        world.act(action="mute", by="Ana", preview=True)
    for a, b in zip(undone.face(), without.face(), strict=True):
        assert a == b, (doing, a, b)


def _replayed(world: World) -> None:
    """The same inputs give the same bytes."""
    setup = world.readers.rows.inputs[0].item
    assert isinstance(setup, TableSetup)
    table = Table(setup)
    rows = [
        (output.topic, output.payload)
        for number, item in enumerate(world.came, 1)
        for output in table.take(number, item).outputs
    ]
    assert rows == [(row.topic, row.payload) for row in world.readers.rows.rows]
