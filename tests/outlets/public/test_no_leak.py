"""Nothing about a half-move leaves before its time: two rounds that differ in their end alone.

Every public route is asked every few seconds of a delayed round in virtual time: all answers with
their status, headers and size, all MQTT messages, all files of the folder, all pushes. Its twin is
the same round with another last quarter of an hour. Until the delay after the first difference
nobody can tell them apart.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from aiohttp import web
from aiohttp.test_utils import make_mocked_request

from arbiterd.edges.real import FileStore
from arbiterd.journal.delays import Delays
from arbiterd.journal.journal import Journal
from arbiterd.journal.rows import Batch, InputRow, OutputRow
from arbiterd.messages.payloads import Clock
from arbiterd.outlets.folder.outlet import FolderOutlet
from arbiterd.outlets.http.public import Public, public_app
from arbiterd.outlets.lichess.push import HttpAnswer, LichessOutlet
from arbiterd.outlets.mqtt.delayed import deliver_public
from arbiterd.outlets.pgn.book import Form, ScoreBook
from arbiterd.outlets.pgn.files import PgnFiles
from arbiterd.outlets.pgn.safe import newest_part, safe_pgn
from arbiterd.outlets.public.clocks import ClockSeen, PublicTime
from arbiterd.outlets.public.gate import DelayGate
from arbiterd.outlets.public.mirror import LENGTH, Beat, Mirror, MirrorFeed, framed, read_frame
from arbiterd.simulation.virtual_loop import AtOnce, VirtualClock, run_virtually
from arbiterd.table.inputs import DelaySaid, Input
from arbiterd.table.setup import TableSetup
from broadcast.hands import SECOND, Hands

DELAY_S = 900
APART_S = 1500
"""From here on the twins differ."""
TABLES = ("1", "2", "3")
RUY = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 c2c3 e8g8".split()
ROUTES = (
    "/api/v1/tables",
    *(
        f"/api/v1/tables/{table}/{leaf}"
        for table in TABLES
        for leaf in ("state", "moves", "result", "timeline", "device")
    ),
    *(f"/pgn/{name}.pgn" for name in ("round-1", "round-2", *TABLES)),
    "/live/pgn/round-1.pgn",
    "/overlay/1",
    "/healthz",
    "/metrics",
)


class Watched(Hands):
    """Hands whose clock is seen after every input."""

    def __init__(self, setup: TableSetup) -> None:
        self.clocks: list[tuple[int, str, Clock | None]] = []
        super().__init__(setup)

    def take(self, item: Input) -> None:
        super().take(item)
        state = self.table.state(item.at_ns)
        self.clocks.append((item.at_ns, state.game, state.clock))

    def until(self, second: float) -> None:
        self.wait(max(0.0, second - self.at_ns / SECOND))


def hall(ending: str) -> list[Watched]:
    """Three games; the last quarter of an hour is one of two."""
    tables = [
        Watched(TableSetup(hall="main", table=name, white=f"W{name}", black=f"B{name}", round=1))
        for name in TABLES
    ]
    for number, hands in enumerate(tables):
        for place, move in enumerate(RUY[:10]):
            hands.until(60 + 120 * place + 7 * number)
            hands.play(move)
        hands.until(APART_S + number)
    first, second, third = tables
    if ending == "calm":
        for hands in tables:
            for move in RUY[10:14]:
                hands.wait(120)
                hands.play(move)
    else:
        first.play("d2d4", "e5d4", "f3d4", "c6d4", "d1d4")
        first.act("set-result", result="1-0", reason="resigned")
        second.act("set-result", result="0-1", reason="flag")
        third.carry("a1", "a3")
        third.press()
        third.lose(60)
        third.find()
    return tables


@dataclass
class Seen:
    """All that the public can see, with its time in seconds."""

    answers: list[tuple[int, object]] = field(default_factory=list)
    messages: list[tuple[int, object]] = field(default_factory=list)
    files: list[tuple[int, object]] = field(default_factory=list)
    pushes: list[tuple[int, object]] = field(default_factory=list)
    frames: list[tuple[int, object]] = field(default_factory=list)
    """What the public's own process is told."""
    mirrored: list[tuple[int, object]] = field(default_factory=list)
    """What that process answers."""

    def before(self, second: int) -> dict[str, list[tuple[int, object]]]:
        return {
            kind: [each for each in getattr(self, kind) if each[0] < second]
            for kind in ("answers", "messages", "files", "pushes", "frames", "mirrored")
        }


@dataclass
class Public1:
    """The public's side of a broker and of Lichess."""

    clock: VirtualClock
    seen: Seen

    def _now(self) -> int:
        return self.clock.now_ns() // 1_000_000

    def publish(
        self, topic: str, payload: bytes, *, retained: bool = False, **_extras: object
    ) -> asyncio.Future[None]:
        self.seen.messages.append((self._now() // 1000, (self._now(), topic, payload, retained)))
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        done.set_result(None)
        return done

    async def subscribe(self, *_filters: str) -> None: ...

    async def unsubscribe(self, *_filters: str) -> None: ...

    async def messages(self) -> AsyncIterator[object]:
        await asyncio.get_running_loop().create_future()
        yield None

    async def push(self, round_id: str, pgn: str) -> HttpAnswer:
        self.seen.pushes.append((self._now() // 1000, (self._now(), round_id, pgn)))
        return HttpAnswer(200, b'{"games":[]}')


async def played(journal: Journal, gate: DelayGate, clock: VirtualClock, tables: list[Watched]):
    """Writes each row at its own time, as the service would."""
    deeds: list[tuple[int, int, object]] = []
    firsts = {}
    for hands in tables:
        first = journal.next_input()
        firsts[hands.setup.table] = first
        journal.write(Batch((InputRow(first, 0, hands.setup.table, hands.setup),)))
        deeds += [(at, 0, (hands.setup.table, output)) for at, _, output in hands.told]
        deeds += [
            (at, 1, ClockSeen(hands.setup.table, game, at, c)) for at, game, c in hands.clocks
        ]
    places = dict.fromkeys(firsts, 0)
    for at_ns, _, deed in sorted(deeds, key=lambda deed: (deed[0], deed[1])):
        await clock.until(at_ns)
        if isinstance(deed, ClockSeen):
            gate.saw(deed)
            continue
        table, output = deed
        places[table] += 1
        row = OutputRow(
            journal.next_output(), at_ns, table, places[table], output.topic, output.seq,
            output.retained, firsts[table], output.payload,
        )  # fmt: skip
        journal.write(Batch(outputs=(row,)))


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a folder."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*.*")}


async def answers(app: web.Application) -> AsyncIterator[object]:
    """Of every route."""
    request = make_mocked_request("GET", "/", headers={"Host": "127.0.0.1"}, app=app)
    for path in ROUTES:
        try:
            found = await app._handle(request.clone(rel_url=path))
        except web.HTTPException as refusal:
            found = refusal
        body = bytes(found.body) if isinstance(found.body, bytes) else str(found.text).encode()
        headers = sorted((k, v) for k, v in found.headers.items() if k != "Date")
        yield path, found.status, headers, len(body), body


async def asked(
    app: web.Application, clock: VirtualClock, seen: Seen, folder: Path, every_s: int
) -> None:
    while True:
        second = clock.now_ns() // SECOND
        seen.answers += [(second, each) async for each in answers(app)]
        seen.files.append((second, contents(folder)))
        await clock.rest(every_s)


@dataclass(frozen=True)
class Changed:
    """An arbiter says another delay for a table, at some second of the round."""

    second: int
    table: str
    delay_s: int


async def said(journal: Journal, delays: Delays, clock: VirtualClock, changes: list[Changed]):
    for change in changes:
        await clock.until(change.second * SECOND)
        item = DelaySaid(clock.now_ns(), change.delay_s * SECOND)
        delays.hear(change.table, item.at_ns, item)
        row = InputRow(journal.next_input(), item.at_ns, change.table, item)
        await journal.write(Batch((row,)))


async def watched(
    path: Path, ending: str, delay_s: int, every_s: int, changes: list[Changed] | None = None
) -> Seen:
    clock, seen, folder = VirtualClock(), Seen(), path / f"out-{ending}"
    store = FileStore(path / f"{ending}.db")
    journal = await Journal.open(store, clock, AtOnce())
    delays = Delays(journal.read, TABLES, delay_s * SECOND)
    tasks = [asyncio.create_task(journal.run())]
    tables = hall(ending)
    gate = DelayGate(journal, TABLES, clock, delays)
    files = PgnFiles(journal.read, TABLES, clock, delays, safe_pgn)
    app = public_app(Public(gate, files, PublicTime(clock, delays), lambda: ""))
    app.freeze()
    outside = Public1(clock, seen)

    def book(form: Form) -> ScoreBook:
        return ScoreBook(journal.read, clock, delays, form)

    pushing = LichessOutlet(book(newest_part), TABLES, ["abcdefgh"], outside, clock)
    writing = FolderOutlet("main", book(safe_pgn), TABLES, folder, clock, AtOnce())
    for work in (
        played(journal, gate, clock, tables),
        gate.run(),
        deliver_public(gate, journal, outside, "arbiterd/main"),
        pushing.run(),
        writing.run(),
        asked(app, clock, seen, folder, every_s),
        said(journal, delays, clock, changes or []),
        mirrored(gate, book(safe_pgn), clock, seen, delays, every_s),
    ):
        tasks.append(asyncio.create_task(work))
    await clock.until((APART_S + 1200 + DELAY_S + 60) * SECOND)
    for task in tasks:
        task.cancel()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    for result in results:
        assert result is None or isinstance(result, asyncio.CancelledError), repr(result)
    store.close()
    return seen


async def mirrored(
    gate: DelayGate, book: ScoreBook, clock: VirtualClock, seen: Seen, delays: Delays, every_s: int
) -> None:
    """As the public's own process is told, and answers."""
    feed, mirror, time = MirrorFeed(gate), Mirror(), PublicTime(clock, delays)
    app = public_app(Public(mirror, mirror, time, lambda: "ill" if mirror.beat.ill else ""))
    app.freeze()
    while True:
        second = clock.now_ns() // SECOND
        beat = Beat(time.now_ns(), time.speed, ill=False)
        for frame in (*feed.news(), *feed.texts(await book.texts()), beat):
            data = framed(frame)
            seen.frames.append((second, data))
            mirror.take(read_frame(data[LENGTH:]))
        seen.mirrored += [(second, each) async for each in answers(app)]
        await clock.rest(every_s)


@pytest.mark.parametrize("every_s", [60, pytest.param(5, marks=pytest.mark.slow)])
def test_nobody_can_tell_two_rounds_apart_before_their_time(tmp_path: Path, every_s: int) -> None:
    calm = run_virtually(watched(tmp_path, "calm", DELAY_S, every_s))
    wild = run_virtually(watched(tmp_path, "wild", DELAY_S, every_s))
    end_s = APART_S + DELAY_S
    assert calm.mirrored == calm.answers, "the process answers as the service would"
    assert wild.mirrored == wild.answers

    before = calm.before(end_s)
    print({kind: len(seen) for kind, seen in before.items()})
    assert all(len(seen) > 20 for seen in before.values())
    for kind, seen in before.items():
        assert seen == wild.before(end_s)[kind], kind
    after = calm.before(end_s + 960), wild.before(end_s + 960)
    for kind in before:
        assert after[0][kind] != after[1][kind], f"{kind}: the twins differ in the end"


def test_without_a_delay_the_same_watch_tells_them_apart(tmp_path: Path) -> None:
    """So it is the delay that holds, and not the watch that sleeps."""
    calm = run_virtually(watched(tmp_path, "calm", 0, 120))
    wild = run_virtually(watched(tmp_path, "wild", 0, 120))
    early_s = APART_S + DELAY_S // 2
    for kind, seen in calm.before(early_s).items():
        assert seen != wild.before(early_s)[kind], kind


CHANGES = [
    Changed(0, "2", 600),  # A delay of its own, from the beginning.
    Changed(1800, "1", 1200),  # Longer, in mid-round.
    Changed(2000, "3", 300),  # Shorter, in mid-round.
    Changed(2050, "3", 900),  # And longer again.
]
TOLD_S = {"1": APART_S + 1200, "2": APART_S + 600, "3": 2000}
"""When the twins may first differ at a table: the third's first half-moves apart were told 300 s
before the delay was shortened to that."""


def of_table(table: str, seen: Seen) -> dict[str, list[tuple[int, object]]]:
    """What the public saw of one table alone."""
    own = {f"/api/v1/tables/{table}/{leaf}" for leaf in ("state", "moves", "result", "timeline")}
    own |= {f"/pgn/{table}.pgn", f"/overlay/{table}"}
    files = (f"round-1/game-{table}.json", f"round-1/game-{table}.pgn")
    return {
        "answers": [each for each in seen.answers if each[1][0] in own],
        # Virtual time itself is good to a millisecond or two: it counts in parts of a second.
        "messages": [
            (at, (round(at_ms, -1), *message))
            for at, (at_ms, *message) in seen.messages
            if f"/tables/{table}/" in message[0]
        ],
        "files": [(at, [held.get(name) for name in files]) for at, held in seen.files],
    }


def test_a_delay_that_changes_in_mid_round_lets_nothing_out_before_its_time(
    tmp_path: Path,
) -> None:
    calm = run_virtually(watched(tmp_path, "calm", DELAY_S, 100, CHANGES))
    wild = run_virtually(watched(tmp_path, "wild", DELAY_S, 100, CHANGES))

    for table, second in TOLD_S.items():
        ours, theirs = of_table(table, calm), of_table(table, wild)
        for kind, seen in ours.items():
            early = [each for each in seen if each[0] < second]
            assert len(early) > 10
            assert early == [each for each in theirs[kind] if each[0] < second], (table, kind)
            soon = [each for each in seen if second <= each[0] < second + 200]
            others = [each for each in theirs[kind] if second <= each[0] < second + 200]
            assert soon != others, f"table {table}: {kind} are public when their time has come"
    for seen in (calm, wild):
        told = [json.loads(payload) for _, (_, topic, payload, _) in seen.messages
                if topic.endswith(("/moves", "/result"))]  # fmt: skip
        numbers = [(each["table"], each["seq"]) for each in told]
        assert len(set(numbers)) == len(numbers), "nothing is told twice"
        for table in TABLES:
            assert [seq for name, seq in numbers if name == table] == list(
                range(1, 1 + len([name for name, _ in numbers if name == table]))
            )
    plies = {name: [] for name in TABLES}
    for _, (_, topic, payload, _) in calm.messages:
        if topic.endswith("/state"):
            said = json.loads(payload)
            plies[said["table"]].append(said["ply"])
    assert all(seen == sorted(seen) for seen in plies.values()), "what was public stays"
    shown = {
        json.loads(p)["delay_s"] for _, (_, t, p, _) in calm.messages if t.endswith("/3/state")
    }
    assert shown == {900, 300}, "the public is told how far behind it is"
