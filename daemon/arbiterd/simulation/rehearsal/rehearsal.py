"""A script played: one life of the service after another, under one time and one pair of eyes."""

from __future__ import annotations

import asyncio
import heapq
import json
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Final, Protocol

from arbiterd.config import Config
from arbiterd.config.model import HallConfig, Http, Simulation, TableEntry
from arbiterd.edges import Edges
from arbiterd.laws.ruling import GO_NOW, LOOK_SOON
from arbiterd.messages import topics
from arbiterd.simulation.benchmarks.over_the_wire import BRISK
from arbiterd.simulation.benchmarks.score import first_difference
from arbiterd.simulation.devices.clock import STANDARD
from arbiterd.simulation.devices.emulated import EmulatedTable
from arbiterd.simulation.famous import FAMOUS
from arbiterd.simulation.game import follow
from arbiterd.simulation.hands.games_in_a_row import day_of, games_in_a_row
from arbiterd.simulation.hands.play import play
from arbiterd.simulation.profiles import SECOND, Profile
from arbiterd.simulation.rehearsal.arbiters import AGAIN_S, REPORTED, Arbiters, WantedAct
from arbiterd.simulation.rehearsal.broker import SimulatedBroker
from arbiterd.simulation.rehearsal.disk import Disk, KilledError, Lanes, RehearsedStore
from arbiterd.simulation.rehearsal.evidence import RehearsedEvidence, counted
from arbiterd.simulation.rehearsal.findings import BrokenRule, RehearsalReport
from arbiterd.simulation.rehearsal.lines import WEARS, PluggedBoard, RehearsedLinks
from arbiterd.simulation.rehearsal.reader import OF_THE_END, RehearsalReader, TableTold
from arbiterd.simulation.rehearsal.script import DEATHS, OF_A_LINE, Script, Trouble, TroubleKind
from arbiterd.simulation.virtual_loop import VirtualClock, VirtualLoop
from arbiterd.simulation.world import Story
from eboards.dgt.emulator import Badge

HALL: Final = "rehearsal"
BEGIN_NS: Final = 1_790_000_000 * SECOND
FIRST_NS: Final = 20 * SECOND
"""The first game begins so long after the first start."""
SETTLED_NS: Final = 20 * SECOND
"""A half-move is on record so long after its last change, whatever comes."""
LOOK_S: Final = 10.0
"""So often it is looked whether all stays within its bounds."""
ENDED_S: Final = 2.0
"""A service that ended by itself is started again after so long."""
HOPS: Final = 40
"""A kill comes after up to so many turns of the loop."""
TASKS, TASKS_EACH = 60, 12
IN_FLIGHT = 30
CONNECTIONS = 12
"""Bounds: tasks, events in flight, and connections to the journal."""
ON_ITS_WAY: Final = 2
"""So many of the newest events a state may not know of yet when the day ends."""
THERE_WITHIN_NS: Final = SECOND
"""What is younger when the day ends may not have reached the broker yet."""
MID_SEND: Final = 0.7
"""Share of losses of the broker that come while something flies."""
TOLD: Final = 0.7
"""Share of deaths at a commit that wait for one of which somebody will be told."""
SLOW_DISK_S, SLOW_BROKER_S = 0.8, 0.4
CALLS: Final = (GO_NOW, LOOK_SOON)
"""Urgencies that call an arbiter to a table."""
CLOSING: Final = frozenset(("result-missing", "clock-paused-by-player"))
"""What the end of a game may raise by itself, beside what the board itself says."""
LEAST_THINKING_S: Final = 3.0
DAY_OF_A_GAME_S: Final = 4000.0
"""On a longer day one game follows another; nobody's time runs out."""
GAME_PLIES: Final = 80


class Runs(Protocol):
    """The service, as far as whoever starts it needs it."""

    def run(self, started: Callable[[], None]) -> Any: ...
    def ill(self) -> str: ...
    @property
    def stuck(self) -> str: ...


Build = Callable[[Config, Edges], Runs]


class World(VirtualClock):
    """True time, of which the service's clock knows only what it was told at its start."""


class Life:
    """What one start of the service is given, and how it came out."""

    def __init__(self, rehearsal: Rehearsal, clock: VirtualClock) -> None:
        self.clock = clock
        self.store = RehearsedStore(rehearsal.disk)
        self.lanes = Lanes(clock, rehearsal.disk)
        self.ready = False
        self.began_s = rehearsal.now_s
        self.edges = Edges(
            clock,
            RehearsedLinks(rehearsal.lines, clock, rehearsal.world),
            self.store,
            rehearsal.broker,
            self.lanes,
        )


class Rehearsal:
    """One day of one hall."""

    def __init__(self, script: Script, build: Build, folder: Path) -> None:
        self.script = script
        self._build = build
        self.report = RehearsalReport()
        self.now_s = 0.0
        self._loop: VirtualLoop | None = None
        """Of the newest life."""
        self.world = World(BEGIN_NS, self._true_s)
        self.disk = Disk(folder, script.dice("disk"))
        self.reader = RehearsalReader(HALL, self._wrong)
        self.broker = SimulatedBroker(script.dice("broker"), self.reader.hear, self.world)
        self.evidence = RehearsedEvidence(self.disk, self.reader, self._wrong)
        self.arbiters = Arbiters(HALL, self.broker, self.reader)
        self.tables = [str(number + 1) for number in range(script.boards)]
        self.stories = {table: tuple(self._stories(table)) for table in self.tables}
        self.lines = {f"serial:/dev/{table}": self._line(table) for table in self.tables}
        self._stepped_s = 0.0
        self._present: set[Trouble] = set()
        self._agenda: list[tuple[float, int, Callable[[], None]]] = []
        self._order = count()
        self._stop: tuple[str, float] | None = None
        """How this life is to end cleanly, and how long the service stays away."""
        self._away_s = ENDED_S
        self._life: Life | None = None
        self._ended_ns = BEGIN_NS
        """When the last life ended, by the service's own clock."""
        self._troubled = {trouble.table for trouble in script.troubles if trouble.kind in OF_A_LINE}
        self._worn = {trouble.table for trouble in script.troubles if trouble.kind in WEARS}
        """Tables where a byte may have become another: a clock may have said anything."""
        self._died = any(trouble.kind in (*DEATHS, TroubleKind.FULL) for trouble in script.troubles)
        for trouble in script.troubles:
            self._at(trouble.at_s, partial(self._begin, trouble))

    # The hall.

    def _stories(self, table: str) -> Iterator[Story]:
        """The game of a short day, the games of a long one."""
        dice = self.script.dice(f"table {table}")
        begin_ns = BEGIN_NS + FIRST_NS + int(table) * SECOND // 3
        if self.script.end_s <= DAY_OF_A_GAME_S:
            yield play(follow(dice.choice(FAMOUS)), _paced(self.script.end_s), dice, begin_ns)
            return
        games = (follow(dice.choice(FAMOUS)) for _ in count())
        until_ns = BEGIN_NS + round(self.script.end_s * SECOND)
        yield from games_in_a_row(games, _paced(DAY_OF_A_GAME_S), dice, begin_ns, until_ns)

    def _line(self, table: str) -> PluggedBoard:
        badge = Badge(serial=str(30_000 + int(table)))
        story = day_of(self.stories[table], STANDARD)
        return PluggedBoard(EmulatedTable(story, STANDARD, badge, on_ns=BEGIN_NS))

    @property
    def config(self) -> Config:
        return Config(
            hall=HallConfig(HALL),
            http=Http(listen=None),
            simulation=Simulation(),
            tables=tuple(TableEntry(table=t, device=f"serial:/dev/{t}") for t in self.tables),
        )

    def _wrong(self, rule: str, words: str) -> None:
        self.report.findings.append(BrokenRule(rule, self.now_s, words))

    # Life after life.

    def run(self) -> RehearsalReport:
        """To the end, or to the first life that something was found in."""
        with _quietly():
            while self.now_s < self.script.end_s and not self.report.findings:
                self._live()
                self.evidence.between()
            if not self.report.findings:
                self._at_the_end()
        report = self.report
        report.seconds = self.now_s
        report.messages = self.reader.count
        report.digest = self.reader.digest
        return report

    def _live(self) -> None:
        loop = self._loop = VirtualLoop(self.now_s)
        loop.set_exception_handler(lambda _loop, _what: None)
        self.report.lives += 1
        self._stop, self._away_s = None, ENDED_S
        try:
            loop.run_until_complete(self._life_of_one())
            self.now_s = loop.time()
        except KilledError:
            self.now_s = loop.time()
            self.disk.crash()
        finally:
            assert self._life is not None, "it began"
            self._life.lanes.over = True
            _dropped(loop)
            loop.close()
        self.broker.cut()
        self.disk.stores.clear()
        self.now_s += self._away_s

    def _true_s(self) -> float:
        return self.now_s if self._loop is None else self._loop.time()

    async def _life_of_one(self) -> None:
        clock = VirtualClock(BEGIN_NS + round(self._stepped_s * SECOND), self._true_s)
        life = self._life = Life(self, clock)
        service = self._build(self.config, life.edges)
        work = asyncio.create_task(service.run(partial(setattr, life, "ready", True)))
        events = asyncio.create_task(self._keep_agenda())
        looking = asyncio.create_task(self._keep_looking(life, service))
        await asyncio.wait({work, events}, return_when=asyncio.FIRST_COMPLETED)
        ended_by_itself, self._ended_ns = work.done(), clock.now_ns()
        looking.cancel()
        if not ended_by_itself and self._stop is None and not self.report.findings:
            self._judge_health(service)
        for task in (events, work):
            task.cancel()
            await asyncio.wait({task})
        if not work.cancelled() and (ended_by_itself or work.exception() is not None):
            self._wrong("the service ended by itself", repr(work.exception()))
        life.store.close()

    async def _keep_agenda(self) -> None:
        """What happens, in its order; returns at the end of the day or of this life."""
        loop = asyncio.get_running_loop()
        while self._stop is None and not self.report.findings:
            at_s = self._agenda[0][0] if self._agenda else self.script.end_s
            await self.world.rest(max(0.0, min(at_s, self.script.end_s) - loop.time()))
            self.now_s = loop.time()
            if self.now_s >= self.script.end_s:
                return
            while self._agenda and self._agenda[0][0] <= self.now_s:
                heapq.heappop(self._agenda)[2]()

    def each_hour(self, tell: Callable[[int], None]) -> None:
        """Has it told which hour is over, once all that was published in it is proved."""
        for hour in range(1, int(self.script.hours) + 1):
            self._at(hour * 3600 - 1.0, partial(self._hour, tell, hour))

    def _hour(self, tell: Callable[[int], None], hour: int) -> None:
        self.evidence.between()
        tell(hour)

    def _at(self, at_s: float, deed: Callable[[], None]) -> None:
        heapq.heappush(self._agenda, (at_s, next(self._order), deed))

    # Troubles.

    def _begin(self, trouble: Trouble) -> None:
        until_s = trouble.at_s + trouble.lasts_s
        if trouble.kind in DEATHS:
            self._end_life(trouble)
        elif trouble.kind is TroubleKind.STEP:
            self._stepped_s += trouble.amount
        elif trouble.kind is TroubleKind.ACT:
            wanted = self.arbiters.want(trouble, self.script.dice(trouble.number))
            self._ask(wanted)
        elif until_s > self.now_s:
            self._set(trouble, on=True)
            self._at(until_s, partial(self._set, trouble, on=False))

    def _end_life(self, trouble: Trouble) -> None:
        self._away_s = trouble.lasts_s
        dice = self.script.dice(trouble.number)
        # Most commits hold a second of a clock, of which nobody is told.
        self.disk.spares = dice.random() < TOLD
        if trouble.kind is TroubleKind.STOP:
            self._stop = ("stop", trouble.lasts_s)
        elif trouble.kind is TroubleKind.KILL_AT_COMMIT:
            self.disk.deadly = dice.choice(("before", "after"))
        elif trouble.kind is TroubleKind.POWER:
            self.disk.deadly = "power"
        elif trouble.kind is TroubleKind.KILL_AT_SEND:
            self.broker.deadly = dice.choice(("before", "after"))
        else:
            _kill_after(dice.randrange(HOPS))

    def _set(self, trouble: Trouble, *, on: bool) -> None:
        (self._present.add if on else self._present.discard)(trouble)
        kinds = {each.kind for each in self._present}
        disk, broker = self.disk, self.broker
        disk.full = TroubleKind.FULL in kinds
        disk.refuses = TroubleKind.REFUSED in kinds
        disk.unanswered = TroubleKind.UNANSWERED in kinds
        disk.slow_s = SLOW_DISK_S if TroubleKind.SLOW_DISK in kinds else 0.0
        broker.away = bool(kinds & {TroubleKind.CUT, TroubleKind.FORGETS})
        broker.slow_s = SLOW_BROKER_S if TroubleKind.SLOW_BROKER in kinds else 0.0
        if broker.deaf and TroubleKind.DEAF not in kinds and broker.session is not None:
            broker.session.hears_again()
        broker.deaf = TroubleKind.DEAF in kinds
        if trouble.table:
            line = self.lines[f"serial:/dev/{trouble.table}"]
            if on:
                line.troubles[trouble] = self.script.dice(trouble.number)
            else:
                line.troubles.pop(trouble, None)
        elif on and trouble.kind in (TroubleKind.CUT, TroubleKind.FORGETS):
            self._lose(broker.cut if trouble.kind is TroubleKind.CUT else broker.forget, trouble)

    def _lose(self, broker_goes: Callable[[], None], trouble: Trouble) -> None:
        """Mostly in the middle of a message."""
        if self.script.dice(trouble.number).random() < MID_SEND:
            self.broker.breaking = broker_goes
        else:
            broker_goes()

    def _ask(self, wanted: WantedAct) -> None:
        if not self.arbiters.answered(wanted):
            self.arbiters.send(wanted)
            self._at(self.now_s + AGAIN_S, partial(self._ask, wanted))
        elif wanted.late_s:
            self._at(self.now_s + wanted.late_s, partial(self.arbiters.send, wanted))

    # What is looked at.

    async def _keep_looking(self, life: Life, service: Runs) -> None:
        boards = self.script.boards
        while True:
            await self.world.rest(LOOK_S)
            self.now_s = asyncio.get_running_loop().time()
            if not life.ready and not self.disk.refusal and not self.disk.slow_s:
                self._wrong("no start", f"not ready {self.now_s - life.began_s:.0f} s after it")
            if service.stuck:
                self._wrong("stuck", service.stuck)
            tasks = len(asyncio.all_tasks())
            if tasks > TASKS + TASKS_EACH * boards:
                self._wrong("out of bounds", f"{tasks} tasks")
            if life.store.connections > CONNECTIONS:
                self._wrong("out of bounds", f"{life.store.connections} connections")
            session = self.broker.session
            if session is not None and session.most > IN_FLIGHT:
                self._wrong("out of bounds", f"{session.most} events in flight")

    def _at_the_end(self) -> None:
        self.evidence.at_the_end()
        self.reader.whole()
        for table in self.tables:
            self._judge(self.reader.told(table), self.stories[table])
            self._judge_rulings(self.reader.told(table))
        self._judge_acts()
        self._judge_retained()

    def _judge_health(self, service: Runs) -> None:
        """After the calm all is well, and everybody can read so."""
        if ill := service.ill():
            self._wrong("ill at the end", ill)
        said = json.loads(self.broker.retained.get(f"{topics.hall(HALL)}/{topics.STATUS}", b"{}"))
        if said.get("state") != "online" or said.get("ill"):
            self._wrong("the status is not so", str(said))

    def _judge(self, told: TableTold, stories: Sequence[Story]) -> None:
        """The records against the hands, game by game."""
        now_ns = BEGIN_NS + round(self.now_s * SECOND)
        begun = [story for story in stories if story.truth.plies[0].made_ns <= now_ns - SETTLED_NS]
        if len(told.games) < len(begun):
            words = f"table {told.table}: {len(told.games)} games of {len(begun)}"
            self._wrong("a game was not told", words)
        for name, story in zip(told.games, stories, strict=False):
            self._judge_game(told, name, story)
        if len(told.games) > len(stories):
            self._wrong("a game that nobody played", f"table {told.table}: {list(told.games)}")

    def _judge_game(self, told: TableTold, name: str, story: Story) -> None:
        """One record against the hands: nothing in it is wrong in silence."""
        game = told.games[name]
        now_ns = BEGIN_NS + round(self.now_s * SECOND)
        plies = story.truth.plies
        made = tuple(ply.move for ply in plies if ply.made_ns <= now_ns)
        surely = sum(ply.made_ns <= now_ns - SETTLED_NS for ply in plies)
        record = tuple(move or "" for move in game.moves)
        self.report.half_moves += len(record)
        same = made[: len(record)] == record and len(record) >= surely
        wrong = 0 if same else first_difference(made, record) or 0
        doubted = not same and (
            any(ply >= wrong - 2 for ply in game.doubts) or "tech-gap" in told.kinds
        )
        self.report.exact += same
        self.report.doubted += doubted
        if not same and not doubted:
            near = (
                f"{record[max(0, wrong - 3) : wrong + 2]} of {made[max(0, wrong - 3) : wrong + 2]}"
            )
            self._wrong("wrong in silence", f"game {name}, half-move {wrong}: {near}")
        elif doubted and told.table not in self._troubled and not self._died:
            self._wrong("a table that nothing befell is wrong", f"game {name}, {wrong}")

    def _judge_rulings(self, told: TableTold) -> None:
        """Nobody did anything: nobody is accused."""
        for ruling in filter(_accuses, told.rulings.values()):
            words = f"table {told.table}: {ruling['text']['en']['line']} ({ruling['kind']})"
            if told.table in self._worn:
                self.report.accused += 1
            else:
                self._wrong("a ruling without a cause", words)

    def _judge_acts(self) -> None:
        reports = counted(self.reader, REPORTED)
        for wanted in self.arbiters.wanted:
            answers = self.reader.replies.get(wanted.id, [])
            if not answers:
                self._wrong("an act was never answered", f"{wanted.id} at table {wanted.table}")
            if len({answer["ok"] for answer in answers}) > 1:
                continue  # Refused while the table or the disk could not, then done.
            done = reports[wanted.id]
            if answers and answers[0]["ok"] and answers[0]["action"] == "report" and done != 1:
                words = f"{wanted.id} at table {wanted.table} led to {done} rulings"
                self._wrong("an act was not done once", words)

    def _judge_retained(self) -> None:
        """A reader that comes now is told how things are."""
        root = topics.hall(HALL)
        held = {t.removeprefix(f"{root}/"): said for t, said in self.broker.retained.items()}
        truth = self.evidence.retained()
        states = {topics.table(table, topics.STATE): table for table in self.tables}
        ours = {topic for topic in held if topic.startswith("tables/")}
        there_ns = self._ended_ns - THERE_WITHIN_NS
        for topic in sorted((ours | set(truth)) - set(states)):
            since_ns, payload = truth.get(topic, (0, None))
            if held.get(topic) != payload and since_ns <= there_ns:
                words = f"{topic} is {_short(held.get(topic))}, and not {_short(payload)}"
                self._wrong("what is retained is not so", words)
        for topic, table in states.items():
            said = json.loads(held.get(topic, b"{}"))
            newest = self.reader.told(table).newest
            if said.get("seq", -1) < newest - ON_ITS_WAY:
                words = f"{topic} is {_short(held.get(topic))}, and {newest} was told"
                self._wrong("what is retained is not so", words)


def _short(payload: bytes | None) -> str:
    return "nothing" if payload is None else payload.decode()[:200]


def _accuses(ruling: Mapping[str, Any]) -> bool:
    """It says as a fact what a player did, and calls somebody for it."""
    kind = ruling["kind"]
    return bool(
        ruling["against"]
        and ruling["state"] == "open"
        and ruling["urgency"] in CALLS
        and "fact" in (ruling["certainty"], ruling["facts"]["certainty"])
        and kind not in {*CLOSING, REPORTED}
        and not kind.startswith(OF_THE_END)
    )


def _paced(game_s: float) -> Profile:
    """Hands whose games last about so long."""
    think_s = max(game_s / GAME_PLIES, LEAST_THINKING_S)
    return replace(BRISK, pace=replace(BRISK.pace, think_ns=round(think_s * SECOND)))


def _kill_after(hops: int) -> None:
    """Somewhere in the middle of what the loop does now."""
    if not hops:
        raise KilledError
    asyncio.get_running_loop().call_soon(_kill_after, hops - 1)


def _dropped(loop: asyncio.AbstractEventLoop) -> None:
    """What a process that is gone was about to do is never done."""
    for task in asyncio.all_tasks(loop):
        coroutine = task.get_coro()
        with suppress(BaseException):
            coroutine.close()


@contextmanager
def _quietly() -> Iterator[None]:
    """The service is told to be quiet: what it says of its troubles is known."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before)
