"""The public sees completed moves, clocks and the result, late, and nothing else."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from arbiterd.edges.real import WallClock
from arbiterd.journal.delays import Delays
from arbiterd.journal.rows import Batch, InputRow, OutputRow
from arbiterd.laws.act import Act
from arbiterd.messages.payloads import Clock, PublicMove, PublicResult, PublicState
from arbiterd.messages.times import rfc3339
from arbiterd.outlets.public import released
from arbiterd.outlets.public.clocks import WAITING_MAX, ClockSeen, ClocksWaiting
from arbiterd.outlets.public.gate import DelayGate
from arbiterd.outlets.public.mirror import Mirror, MirrorFeed, Said
from arbiterd.table.inputs import Renamed
from arbiterd.table.setup import TableSetup

SETUP = TableSetup(hall="main", table="1", white="Ana", black="Bob", round=3)
WAITS = {
    "ply": 1, "color": "white", "san": "e4", "uci": "e2e4", "fen": "fen after 1", "how": "settled",
    "made_at": "2026-11-21T14:03:22.118Z", "completed_at": None, "clock": None,
    "certainty": "certain", "alternatives": [],
}  # fmt: skip
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
LATER = "8/8/8/4k3/8/4K3/4P3/8 w - - 0 61"


class Desk:
    """Writes what a table would have said."""

    def __init__(self, journal) -> None:
        self.journal, self.seq = journal, 0
        number = journal.next_input()
        journal.write(Batch((InputRow(number, 1, "1", SETUP),)))

    def put(
        self,
        topic: str,
        at_ns: int = 1,
        *,
        retained: bool = False,
        after: int = 1,
        **said: object,
    ) -> None:
        """`after`: the input that led to it."""
        self.seq += 1
        head = {
            "v": 1, "hall": "main", "at": "2026-11-21T14:03:22.118Z", "simulated": False,
            "table": "1", "game": "1-1", "seq": self.seq, "prev": None,
        }  # fmt: skip
        number = self.journal.next_output()
        body = json.dumps(head | said).encode()
        row = OutputRow(number, at_ns, "1", number, topic, self.seq, retained, after, body)
        self.journal.write(Batch(outputs=(row,)))

    def move(
        self, ply: int, uci: str | None, *, done: bool = True, at_ns: int = 1, ms: int = 0
    ) -> None:
        self.put(
            "moves",
            at_ns,
            ply=ply,
            color="white" if ply % 2 else "black",
            san=uci,
            uci=uci,
            fen=f"fen after {ply}",
            made_at="2026-11-21T14:03:22.118Z",
            completed_at="2026-11-21T14:03:22.118Z" if done else None,
            clock={"white_ms": ms, "black_ms": 1, "running": None, "flag": None},
            how="pressed",
            certainty="certain",
            alternatives=["e2e3"],
        )

    def result(self, result: str | None) -> None:
        self.put(
            "result", retained=True, result=result, reason="x", article="5.1.1", certainty="fact"
        )


@pytest.fixture
async def desk(tmp_path: Path, opened):
    async with opened(tmp_path / "journal.db") as journal:
        yield Desk(journal)


class NoRows:
    def delays(self) -> tuple[()]:
        return ()


def behind(journal, delay_ns: int) -> Delays:
    return Delays(journal.read, ("1",), delay_ns)


async def let_through(desk: Desk, clock: WallClock | None = None, delay_ns: int = 0) -> DelayGate:
    await desk.journal.synced()
    gate = DelayGate(desk.journal, ("1",), clock or WallClock(), behind(desk.journal, delay_ns))
    running = asyncio.create_task(gate.run())
    for _ in range(50):
        await desk.journal.synced()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    return gate


async def moves(gate: DelayGate) -> list[tuple[object, ...]]:
    events = [json.loads(event.payload) for event in await gate.after(0, 100)]
    return [(e["seq"], e.get("replaces"), e.get("ply"), e.get("uci")) for e in events]


async def test_completed_moves_are_shown_with_numbers_of_their_own(desk: Desk) -> None:
    desk.put("rulings", id="secret")
    desk.move(1, "e2e4")
    desk.put("rulings", id="secret")
    desk.move(2, "e7e5")

    gate = await let_through(desk)

    assert await moves(gate) == [(1, None, 1, "e2e4"), (2, None, 2, "e7e5")]
    state = json.loads(gate.retained()["public/tables/1/state"])
    assert (state["ply"], state["turn"], state["last_move"]) == (2, "white", "e7e5")
    assert (state["white"], state["status"], state["fen"]) == ("Ana", "playing", "fen after 2")


async def test_no_more_than_the_contract_allows_is_said(desk: Desk) -> None:
    desk.move(1, "e2e4")
    desk.result("1-0")
    gate = await let_through(desk)

    said = [
        *((event.topic, event.payload) for event in await gate.after(0, 100)),
        *gate.retained().items(),
    ]
    kinds = {"moves": PublicMove, "result": PublicResult, "state": PublicState}
    assert {topic.rpartition("/")[2] for topic, _ in said} == set(kinds)
    for topic, payload in said:
        allowed = set(kinds[topic.rpartition("/")[2]].__struct_fields__)
        assert set(json.loads(payload)) <= allowed
        for secret in (b"ruling", b"attention", b"placement", b"device", b"alternatives", b"how"):
            assert secret not in payload


async def test_a_move_waits_for_its_press_or_for_the_reply(desk: Desk) -> None:
    desk.move(1, "e2e4", done=False)
    assert await moves(await let_through(desk)) == []

    desk.move(2, "e7e5", done=False)
    assert await moves(await let_through(desk)) == [(1, None, 1, "e2e4")]

    desk.move(2, "e7e5")
    assert await moves(await let_through(desk)) == [(1, None, 1, "e2e4"), (2, None, 2, "e7e5")]


async def test_a_move_withdrawn_while_it_waits_was_never_there(desk: Desk) -> None:
    desk.move(1, "e2e4", done=False)
    desk.move(1, None)
    desk.move(1, "d2d4")

    assert await moves(await let_through(desk)) == [(1, None, 1, "d2d4")]


async def test_a_result_brings_up_nothing_that_was_withdrawn_or_is_shown_already(
    desk: Desk,
) -> None:
    desk.move(1, "e2e4", done=False)
    desk.move(1, "e2e4")
    desk.move(2, "e7e5", done=False)
    desk.move(2, None)
    desk.result("1-0")

    assert await moves(await let_through(desk)) == [(1, None, 1, "e2e4"), (2, None, None, None)]


async def test_the_clocks_are_as_of_the_press_and_not_of_when_the_piece_was_put_down(
    desk: Desk,
) -> None:
    """Until then the mover's own clock ran, and the reading is from there (`at` of the state)."""
    shows = {"white_ms": 61_000, "black_ms": 50_000, "running": "black", "flag": None}
    desk.put("moves", **WAITS | {"completed_at": "2026-11-21T14:03:29.000Z", "clock": shows})
    state = json.loads((await let_through(desk)).retained()["public/tables/1/state"])

    assert (state["at"], state["clock"]) == ("2026-11-21T14:03:29.000Z", shows)


async def test_what_was_shown_and_is_corrected_replaces(desk: Desk) -> None:
    desk.move(1, "e2e4")
    desk.move(2, "e7e5")
    desk.move(2, "e7e6")
    desk.move(2, None)
    desk.move(1, "e2e4")

    assert await moves(await let_through(desk)) == [
        (1, None, 1, "e2e4"),
        (2, None, 2, "e7e5"),
        (3, 2, 2, "e7e6"),
        (4, 3, 2, None),
    ], "and what says nothing new is not said again"


async def test_the_last_move_needs_no_press_once_there_is_a_result(desk: Desk) -> None:
    desk.move(1, "e2e4", done=False)
    desk.result("1-0")
    gate = await let_through(desk)

    assert await moves(gate) == [(1, None, 1, "e2e4"), (2, None, None, None)]
    assert json.loads(gate.retained()["public/tables/1/state"])["status"] == "ended"
    assert json.loads(gate.retained()["public/tables/1/result"])["result"] == "1-0"


async def test_nothing_passes_before_its_time(desk: Desk) -> None:
    clock = WallClock()
    now_ns = clock.now_ns()
    desk.move(1, "e2e4", at_ns=now_ns - 901 * 10**9)
    desk.move(2, "e7e5", at_ns=now_ns - 60 * 10**9)
    gate = await let_through(desk, clock, delay_ns=900 * 10**9)

    assert await moves(gate) == [(1, None, 1, "e2e4")]
    assert b"e7e5" not in b"".join(gate.retained().values())
    assert not any("e7e5" in repr(table) for table in gate._tables.values())


async def test_before_the_first_move_the_start_is_shown(desk: Desk) -> None:
    gate = await let_through(desk)
    state = json.loads(gate.retained()["public/tables/1/state"])
    assert (state["status"], state["fen"], state["turn"], state["seq"]) == (
        "waiting",
        START,
        "white",
        0,
    )


async def test_who_plays_next_is_not_shown_before_its_time_after_a_start(desk: Desk) -> None:
    """Nothing of this table was public yet: it showed the next game's players and its start."""
    clock = WallClock()
    begun = Act(clock.now_ns(), "start-game", "ana", white="Cy", black="Di", fen=LATER)
    number = desk.journal.next_input()
    desk.journal.write(Batch((InputRow(number, begun.at_ns, "1", begun),)))
    gate = await let_through(desk, clock, delay_ns=60 * 10**9)

    state = json.loads(gate.retained()["public/tables/1/state"])
    assert (state["white"], state["fen"]) == ("Ana", START)


async def test_after_a_start_nothing_older_is_shown_than_what_is_public_by_then(
    desk: Desk,
) -> None:
    """A day of games is gone through first; who looks meanwhile is not thrown back to its start."""
    for game in ("1-1", "1-2", "1-3"):
        for ply in range(1, 301):
            fields = {**WAITS, "ply": ply, "completed_at": WAITS["made_at"], "fen": f"after {ply}"}
            desk.put("moves", **fields, game=game)
    await desk.journal.synced()
    gate = DelayGate(desk.journal, ("1",), WallClock(), behind(desk.journal, 0))
    running = asyncio.create_task(gate.run())
    seen: list[tuple[object, object]] = []

    async with asyncio.timeout(30):
        while not seen or seen[-1] != ("1-3", 300):
            for payload in gate.retained().values():
                state = json.loads(payload)
                seen.append((state["game"], state["ply"]))
            await asyncio.sleep(0)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)

    assert set(seen) == {("1-3", 300)}


async def test_a_clock_that_was_stopped_does_not_run_on_before_the_public(desk: Desk) -> None:
    """A pause stands in no half-move. It reaches the public like one, after the delay."""
    clock = WallClock()
    now_ns, second = clock.now_ns(), 10**9
    ran = Clock(white_ms=60_000, black_ms=50_000, running="white", flag=None)
    desk.move(1, "e2e4", at_ns=now_ns - 40 * second)
    await desk.journal.synced()
    gate = DelayGate(desk.journal, ("1",), clock, behind(desk.journal, 10 * second))

    def saw(ago_s: int, **said: object) -> None:
        gate.saw(ClockSeen("1", "1-1", now_ns - ago_s * second, replace(ran, **said)))

    saw(40)
    saw(38, white_ms=58_000)  # It has only ticked: nothing to tell.
    saw(35, white_ms=55_000, running=None)
    saw(5, white_ms=55_000, running="white")
    running = asyncio.create_task(gate.run())
    for _ in range(50):
        await desk.journal.synced()
    state = json.loads(gate.retained()["public/tables/1/state"])
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)

    assert state["clock"] == {
        "white_ms": 55_000, "black_ms": 50_000, "running": None, "flag": None
    }  # fmt: skip
    assert state["at"] == rfc3339(now_ns - 35 * second), "its clocks are as of its time"


async def test_the_clocks_of_a_finished_game_stand_and_stay(desk: Desk) -> None:
    """At its last half-move one of them ran; after a restart the board is not heard at first."""
    clock = WallClock()
    ran = Clock(white_ms=60_000, black_ms=50_000, running="white", flag=None)
    desk.move(1, "e2e4")
    desk.result("1-0")
    await desk.journal.synced()
    gate = DelayGate(desk.journal, ("1",), clock, behind(desk.journal, 0))
    gate.saw(ClockSeen("1", "1-1", clock.now_ns(), ran))
    gate.saw(ClockSeen("1", "1-1", clock.now_ns(), None))
    running = asyncio.create_task(gate.run())

    async def shown(seen: Clock | None) -> object:
        gate.saw(ClockSeen("1", "1-1", clock.now_ns(), seen))
        for _ in range(50):
            await desk.journal.synced()
        return json.loads(gate.retained()["public/tables/1/state"])["clock"]

    told = [await shown(None), await shown(ran), await shown(None)]
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)

    stands = {"white_ms": 60_000, "black_ms": 50_000, "running": None, "flag": None}
    assert told == [stands, stands, stands]


async def clocks_told(desk: Desk, seen: Sequence[ClockSeen]) -> list[tuple[object, str]]:
    """What the public's clock shows, and as of when, after each of these."""
    await desk.journal.synced()
    gate = DelayGate(desk.journal, ("1",), WallClock(), behind(desk.journal, 0))
    running = asyncio.create_task(gate.run())
    told = []
    for one in seen:
        gate.saw(one)
        for _ in range(50):
            await desk.journal.synced()
        state = json.loads(gate.retained()["public/tables/1/state"])
        assert (state["game"], state["status"]) == ("1-1", "ended")
        told.append((state["clock"], state["at"]))
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    return told


async def test_a_finished_game_keeps_its_clock_while_the_next_one_is_set_up(desk: Desk) -> None:
    """Until the next game had a half-move, the public saw the clock of the last half-move again."""
    stood = Clock(white_ms=40_000, black_ms=50_000, running=None, flag=None)
    desk.move(1, "e2e4")
    desk.result("1-0")
    now_ns = WallClock().now_ns()
    set_back = replace(stood, white_ms=90_000, black_ms=90_000)
    (before, after) = await clocks_told(
        desk,
        [
            ClockSeen("1", "1-1", now_ns - 3_000_000_000, stood),
            ClockSeen("1", "1-2", now_ns - 2_000_000_000, set_back),
        ],
    )
    assert before == after
    assert before == (msgspec.to_builtins(stood), rfc3339(now_ns - 3_000_000_000))


async def test_a_clock_that_ran_when_the_game_ended_shows_the_time_of_then(desk: Desk) -> None:
    """A player who resigns after ten minutes was shown with the time of the last half-move."""
    ended_ns = WallClock().now_ns() - 60_000_000_000
    ran = Clock(white_ms=900_000, black_ms=800_000, running="white", flag=None)
    desk.move(1, "e2e4")
    for late_s, result in ((0, "0-1"), (30, "1/2-1/2")):
        at = rfc3339(ended_ns + late_s * 1_000_000_000)
        said = {"reason": "x", "article": "5.1.2", "certainty": "human", "at": at}
        desk.put("result", retained=True, result=result, **said)
    ten_minutes_ns = 600_000_000_000
    (told,) = await clocks_told(desk, [ClockSeen("1", "1-1", ended_ns - ten_minutes_ns, ran)])
    stands = {"white_ms": 300_000, "black_ms": 800_000, "running": None, "flag": None}
    assert told == (stands, rfc3339(ended_ns))


async def test_what_is_done_to_the_clock_after_the_end_is_of_no_game(desk: Desk) -> None:
    """It runs down unheeded, or is set for the next round while the pieces still stand."""
    second = 1_000_000_000
    ended_ns = WallClock().now_ns() - 3600 * second
    ran = Clock(white_ms=900_000, black_ms=800_000, running="white", flag=None)
    desk.move(1, "e2e4")
    said = {"reason": "x", "article": "5.1.2", "certainty": "human", "at": rfc3339(ended_ns)}
    desk.put("result", retained=True, result="0-1", **said)
    fallen = replace(ran, white_ms=0, running=None, flag="white")
    set_anew = Clock(white_ms=5_400_000, black_ms=5_400_000, running=None, flag=None)
    seen = [
        ClockSeen("1", "1-1", ended_ns - 600 * second, ran),
        ClockSeen("1", "1-1", ended_ns + 300 * second, fallen),
        ClockSeen("1", "1-1", ended_ns + 400 * second, None),
        ClockSeen("1", "1-1", ended_ns + 500 * second, set_anew),
    ]
    stands = {"white_ms": 300_000, "black_ms": 800_000, "running": None, "flag": None}
    assert await clocks_told(desk, seen) == [(stands, rfc3339(ended_ns))] * 4


async def test_a_game_that_is_open_again_has_the_clock_that_is_seen_now(desk: Desk) -> None:
    """The result was entered at the wrong table."""
    second = 1_000_000_000
    ended_ns = WallClock().now_ns() - 3600 * second
    ran = Clock(white_ms=900_000, black_ms=800_000, running="white", flag=None)
    desk.move(1, "e2e4")
    said = {"reason": "x", "article": "5.1.2", "certainty": "human"}
    desk.put("result", retained=True, result="0-1", at=rfc3339(ended_ns), **said)
    await desk.journal.synced()
    gate = DelayGate(desk.journal, ("1",), WallClock(), behind(desk.journal, 0))
    running = asyncio.create_task(gate.run())

    async def shown() -> object:
        for _ in range(50):
            await desk.journal.synced()
        return json.loads(gate.retained()["public/tables/1/state"])["clock"]

    gate.saw(ClockSeen("1", "1-1", ended_ns - 600 * second, ran))
    gate.saw(ClockSeen("1", "1-1", ended_ns + second, replace(ran, white_ms=290_000)))
    frozen = await shown()
    desk.put("result", retained=True, result=None, at=rfc3339(ended_ns + 9 * second), **said)
    opened = await shown()
    desk.put("result", retained=True, result="1-0", at=rfc3339(ended_ns + 91 * second), **said)
    again = await shown()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    times = [(told["white_ms"], told["running"]) for told in (frozen, opened, again)]
    assert times == [(300_000, None), (290_000, "white"), (200_000, None)]


async def test_a_clock_that_was_lost_before_the_end_is_not_said_to_have_ticked(desk: Desk) -> None:
    ended_ns = WallClock().now_ns() - 60_000_000_000
    ran = Clock(white_ms=900_000, black_ms=800_000, running="white", flag=None)
    desk.move(1, "e2e4")
    said = {"reason": "x", "article": "5.1.2", "certainty": "human", "at": rfc3339(ended_ns)}
    desk.put("result", retained=True, result="0-1", **said)
    heard_ns = ended_ns - 600_000_000_000
    seen = [
        ClockSeen("1", "1-1", heard_ns, ran),
        ClockSeen("1", "1-1", heard_ns + 1_000_000_000, None),
    ]
    told = await clocks_told(desk, seen)
    stands = {"white_ms": 900_000, "black_ms": 800_000, "running": None, "flag": None}
    assert told[-1] == (stands, rfc3339(heard_ns))


async def test_a_name_that_is_put_right_is_shown_though_no_half_move_follows(desk: Desk) -> None:
    """It was shown with the next half-move, so after the last one never."""
    clock = WallClock()
    desk.result("1-0")
    await desk.journal.synced()
    gate = DelayGate(desk.journal, ("1",), clock, behind(desk.journal, 0))
    running = asyncio.create_task(gate.run())

    async def shown(names: tuple[str, str]) -> str:
        gate.saw(ClockSeen("1", "1-1", clock.now_ns(), None, names))
        for _ in range(50):
            await desk.journal.synced()
        return str(json.loads(gate.retained()["public/tables/1/state"])["white"])

    before = await shown(("Ana", "Bob"))
    row = InputRow(desk.journal.next_input(), clock.now_ns(), "1", Renamed(1, "Anna", "Bob"))
    desk.journal.write(Batch((row,)))
    await desk.journal.synced()
    after = await shown(("Anna", "Bob"))
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)

    assert (before, after) == ("Ana", "Anna")


async def test_a_game_that_begins_with_a_half_move_that_waits_has_its_own_players(
    desk: Desk,
) -> None:
    """Its state had the new game's id, and the names and the start of the game before."""
    desk.move(1, "e2e4")
    begun = Act(1, "start-game", "ana", white="Cy", black="Di", fen=LATER)
    number = desk.journal.next_input()
    desk.journal.write(Batch((InputRow(number, 1, "1", begun),)))
    desk.put("moves", after=number, game="1-2", **WAITS)
    gate = await let_through(desk)

    state = json.loads(gate.retained()["public/tables/1/state"])
    said = state["game"], state["white"], state["fen"], state["ply"], state["status"]
    assert said == ("1-2", "Cy", LATER, 0, "waiting")


async def test_a_game_that_comes_back_is_there_whole(desk: Desk) -> None:
    """The act that began another was undone, and the public had only what followed."""
    desk.move(1, "e2e4")
    desk.put("moves", game="1-2", **{**WAITS, "completed_at": WAITS["made_at"]})
    withdrawn = {**WAITS, "uci": None, "san": None}
    desk.put("moves", game="1-2", **withdrawn)
    desk.move(2, "e7e5")
    gate = await let_through(desk)
    mirror, later = Mirror(), Mirror()
    for frame in MirrorFeed(gate).news():
        mirror.take(frame)
    for number, event in enumerate(await gate.after(0, 100)):
        later.take(Said(((number, "1", event.topic, event.payload),)))

    for reader in (gate, mirror, later):
        told = [json.loads(event.payload) for event in await reader.timeline("1", 0, 100)]
        assert [(e["game"], e["seq"], e["uci"]) for e in told] == [
            ("1-1", 1, "e2e4"),
            ("1-1", 4, "e7e5"),
        ]
        assert len(await reader.timeline("1", 1, 100)) == 1


async def test_clocks_of_another_game_are_not_shown_at_this_one(desk: Desk) -> None:
    clock = WallClock()
    desk.move(1, "e2e4", at_ns=clock.now_ns())
    gate = DelayGate(desk.journal, ("1",), clock, behind(desk.journal, 0))
    later = Clock(white_ms=1, black_ms=1, running="white", flag=None)
    gate.saw(ClockSeen("1", "1-2", clock.now_ns(), later))
    running = asyncio.create_task(gate.run())
    for _ in range(50):
        await desk.journal.synced()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)

    assert json.loads(gate.retained()["public/tables/1/state"])["clock"]["white_ms"] == 0


def test_of_clocks_that_wait_the_oldest_goes_first() -> None:
    waiting = ClocksWaiting(Delays(NoRows(), ("1",), 0))
    for number in range(WAITING_MAX + 5):
        flag = "white" if number % 2 else None
        said = Clock(white_ms=number, black_ms=1, running=None, flag=flag)
        waiting.put(ClockSeen("1", "1-1", number, said))

    assert asyncio.run(waiting.next(WallClock())).at_ns == 5


async def test_it_holds_a_bounded_number_and_makes_the_rest_again(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A row that cannot be read any more costs itself."""
    for ply in range(1, 61):
        desk.move(ply, "e2e4" if ply % 2 else "e7e5")
        if ply == 30:
            desk.put("moves", rubbish=True)
    whole = await let_through(desk)
    everything = list(await whole.after(0, 1000))
    assert len(everything) == 60

    monkeypatch.setattr(released, "EVENTS_KEPT", 8)
    monkeypatch.setattr(released, "GAME_KEPT", 10)
    gate = await let_through(desk)

    assert len(gate._released._newest) == 8
    number, again = 0, []
    while page := await gate.after(number, 7):
        again += page
        number = page[-1].number
    assert again == everything
    assert list(await gate.after(everything[-4].number, 100)) == everything[-3:]
    assert list(await gate.timeline("1", 0, 100)) == everything[-10:]
    assert list(await gate.timeline("1", 58, 100)) == everything[-2:]
