"""`python -m alarms`: a simulated hall at true speed, and what its arbiters had to bear.

    PYTHONPATH=tests nice python -m alarms --minutes 60 --boards 40 --arbiters 4
    PYTHONPATH=tests nice python -m alarms --virtual --day tried

With `--virtual` whole games are folded in virtual time and the causes are counted (`folded.py`);
`--day` says which day it is (`days.py`). Else boards are played on by restless hands over
pseudo-terminals; `arbiterd run` reads them. Each arbiter has an equal share of the tables, goes to
one alarm after another, the most urgent first, and confirms what really happened there and
dismisses what did not. Every alarm is printed as it comes, the count every ten minutes.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import aiomqtt

from alarms.counting import Alarm, load, report
from alarms.days import DAYS
from alarms.folded import THE_SAME, described, fold
from arbiterd.cli.boards import configuration, plug_in
from arbiterd.edges.real import WallClock
from arbiterd.simulation.famous import FAMOUS
from arbiterd.simulation.hall import SimulatedSeat, hall
from arbiterd.simulation.profiles import Profile
from conftest import free_port

ARBITERD = (sys.executable, "-c", "from arbiterd.cli import main; main()")
AT_THE_BOARD_S = {1: 60.0, 2: 40.0}
"""To go there, look and decide."""
ALWAYS_RIGHT = ("tech-", "clock-", "end-", "result-", "move-next-without-press")
"""Of what is told so no story keeps a note: devices, ends of games, clocks that nobody pressed."""
STANDS = ("touch-", "move-released-")
"""Of these only the breach is confirmed and what was played stands: hands play on by their story
and obey nobody. Told to move another piece they would refuse (`touch-refusal`), time and again."""


@dataclass
class Floor:
    """The alarms of the hall, and who has which tables."""

    seats: Sequence[SimulatedSeat]
    arbiters: int
    http: int
    began_s: float = field(default_factory=time.monotonic)
    alarms: dict[str, Alarm] = field(default_factory=dict)

    def now_s(self) -> float:
        return time.monotonic() - self.began_s

    def arbiter(self, table: str) -> int:
        return (int(table) - 1) * self.arbiters // len(self.seats)

    def take(self, told: dict[str, Any]) -> None:
        """An event of a ruling."""
        ruling, table, kind = told["id"], told["table"], told["kind"]
        if ruling not in self.alarms:
            right = kind.startswith(ALWAYS_RIGHT)
            right = right or THE_SAME.get(kind, kind) in self._may_follow(table)
            alarm = Alarm(ruling, table, kind, told["urgency"], self.now_s(), right=right)
            self.alarms[ruling] = alarm
            line = told["text"]["en"]["line"]
            self._print(alarm, f"{'' if right else 'WRONG '}{kind}: {line}")
        if told["state"] != "open" and self.alarms[ruling].closed_s is None:
            self.alarms[ruling].closed_s = self.now_s()
            by = (told["ack"] or {}).get("by", "itself")
            self._print(self.alarms[ruling], f"{told['state']} by {by}")

    def _print(self, alarm: Alarm, text: str) -> None:
        minutes, seconds = divmod(int(self.now_s()), 60)
        print(f"{minutes:3}:{seconds:02} u{alarm.urgency} {alarm.ruling:9} {text}", flush=True)

    def _may_follow(self, table: str) -> set[str]:
        happened = self.seats[int(table) - 1].story.truth.happened
        return {kind for one in happened for kind in (*one.raises, *one.allows)}

    def waiting(self, number: int) -> Iterator[Alarm]:
        """What waits for this arbiter: the most urgent, then the newest first."""
        own = (one for one in self.alarms.values() if self.arbiter(one.table) == number)
        open_ = (one for one in own if one.closed_s is None and one.urgency < 3)
        yield from sorted(open_, key=lambda one: (one.urgency, -one.at_s))

    def counted(self) -> str:
        """The report up to now."""
        now_s = self.now_s()
        loads = {
            f"arbiter {number + 1}": load(
                (one for one in self.alarms.values() if self.arbiter(one.table) == number), now_s
            )
            for number in range(self.arbiters)
        }
        whole = load(self.alarms.values(), now_s)
        kinds = ", ".join(f"{kind} {count}" for kind, count in whole.kinds)
        return f"{report(loads | {'hall': whole})}\nkinds: {kinds}"

    def decide(self, alarm: Alarm) -> None:
        """At the board it is seen whether it is so."""
        said: dict[str, Any] = {
            "action": "confirm" if alarm.right else "dismiss",
            "ruling": alarm.ruling,
            "by": f"arbiter {self.arbiter(alarm.table) + 1}",
        }
        if alarm.right and alarm.kind.startswith(STANDS):
            said["changes"] = {"actions": ["log"], "restore": None}
        url = f"http://127.0.0.1:{self.http}/api/v1/tables/{alarm.table}/commands"
        head = {"Content-Type": "application/json"}
        with urlopen(Request(url, json.dumps(said).encode(), head)) as answer:
            if not (reply := json.load(answer))["ok"]:
                self._print(alarm, f"refused: {reply['error']}")


async def listen(floor: Floor, port: int) -> None:
    async with aiomqtt.Client("127.0.0.1", port) as client:
        await client.subscribe("arbiterd/simulated/tables/+/rulings", qos=1)
        async for message in client.messages:
            floor.take(json.loads(message.payload))


async def walk(floor: Floor, number: int) -> None:
    """One arbiter's hour."""
    while True:
        alarm = next(floor.waiting(number), None)
        if alarm is None:
            await asyncio.sleep(1)
            continue
        await asyncio.sleep(AT_THE_BOARD_S[alarm.urgency])
        if alarm.closed_s is None:
            await asyncio.to_thread(floor.decide, alarm)
            await asyncio.sleep(1)


def seated(boards: int, day: Profile, seed: int) -> Sequence[SimulatedSeat]:
    # Without the times they were published with: hands take the day's own.
    return hall(boards, day, seed, games=[replace(game, clock_ms=()) for game in FAMOUS])


async def run(seats: Sequence[SimulatedSeat], arbiters: int, minutes: float, seed: int) -> None:
    mqtt, http = free_port(), free_port()
    with tempfile.TemporaryDirectory() as folder:
        servers = plug_in(seats, WallClock(), Path(folder))
        said = configuration(seats, [f"serial:{one.port}" for one in servers], 1.0, seed)
        doors = f'[mqtt]\nlisten = "127.0.0.1:{mqtt}"\n[http]\nlisten = "127.0.0.1:{http}"\n'
        file = Path(folder) / "arbiterd.toml"
        file.write_text(doors + said)
        service = await asyncio.create_subprocess_exec(
            *ARBITERD, "run", "--config", str(file), stdout=PIPE, stderr=DEVNULL
        )
        assert service.stdout is not None
        async for line in service.stdout:
            if line.startswith(b"page"):
                break
        floor = Floor(seats, arbiters, http)
        print(
            f"{len(seats)} boards, {arbiters} arbiters, {minutes:g} minutes, seed {seed}",
            flush=True,
        )
        async with asyncio.TaskGroup() as tasks:
            work = [tasks.create_task(listen(floor, mqtt))]
            work += [tasks.create_task(walk(floor, number)) for number in range(arbiters)]
            while (left_s := minutes * 60 - floor.now_s()) > 0:
                await asyncio.sleep(min(600.0, left_s))
                print(f"after {floor.now_s() / 60:.1f} minutes\n{floor.counted()}", flush=True)
            for task in work:
                task.cancel()
        service.terminate()
        await service.communicate()
        for server in servers:
            server.close()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m alarms")
    parser.add_argument("--boards", type=int, default=40)
    parser.add_argument("--arbiters", type=int, default=4)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=22)
    parser.add_argument("--day", choices=DAYS, default="counted")
    parser.add_argument("--virtual", action="store_true")
    said = parser.parse_args()
    seats = seated(said.boards, DAYS[said.day], said.seed)
    if said.virtual:
        print(described(fold(seats, DAYS[said.day]), said.boards / said.arbiters))
    else:
        asyncio.run(run(seats, said.arbiters, said.minutes, said.seed))


main()
