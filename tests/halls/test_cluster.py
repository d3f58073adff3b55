"""Two halls at a NATS cluster of three nodes: one node is killed and one hall cut off in mid-round.

`python -m pytest tests/halls -m slow -s` needs root (network namespaces) and nats-server.
"""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import pytest

from arbiterd.cli.journal import opened
from cli.test_commands import PROGRAM
from halls.network import Computer, network, possible

NODES, HALLS = ("node-1", "node-2", "node-3"), ("hall-a", "hall-b")
BROKERS = {
    "debian": shutil.which("nats-server", path="/usr/sbin:/usr/bin"),
    "package": shutil.which("nats-server", path=str(Path(sys.executable).parent)),
}
"""Debian's nats-server, and the newer one that is installed with this package."""
CLUSTER = "".join(f"10.77.0.{number} cluster\n" for number in (1, 2, 3))
"""One name, three addresses: who cannot reach the first tries the next."""
EVENTS = ("moves", "rulings", "result")
WITHIN_S = 120.0
UNDER_WAY = 3
"""The boards play on: so much may have been written just now."""


def configured(node: Computer, folder: Path) -> Path:
    """As docs/technicians.md has it, without the logins."""
    routes = ", ".join(f'"nats://10.77.0.{number}:6222"' for number in (1, 2, 3))
    file = folder / f"{node.name}.conf"
    file.write_text(
        f"""
        server_name: {node.name}
        listen: "{node.address}:4222"
        jetstream {{ store_dir: "{folder / node.name}" }}
        cluster {{ name: event, listen: "{node.address}:6222", routes: [{routes}] }}
        mqtt {{ listen: "{node.address}:1883", stream_replicas: 3, ack_wait: "2s" }}
        """
    )
    return file


@contextmanager
def started(folder: Path, name: str, command: list[str]) -> Iterator[subprocess.Popen[bytes]]:
    with (folder / f"{name}.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder)
        try:
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()


@dataclass
class Heard:
    """What a client of the cluster heard, in order, with when."""

    events: list[tuple[float, str, dict[str, object]]] = field(default_factory=list)

    def read(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            topic, _, payload = line.decode().partition(" ")
            if payload.strip() and topic.split("/")[-1] in EVENTS:
                self.events.append((time.monotonic(), topic, json.loads(payload)))

    def of(self, hall: str) -> list[tuple[float, str, int]]:
        return [
            (at, "/".join(topic.split("/")[-2:]), int(str(said["seq"])))
            for at, topic, said in list(self.events)
            if said["hall"] == hall
        ]

    def order(self, hall: str) -> dict[str, list[int]]:
        """Of each topic of a table, the numbers in the order in which they came first."""
        found: dict[str, list[int]] = {}
        for _, table, seq in self.of(hall):
            if seq not in found.setdefault(table, []):
                found[table].append(seq)
        return found


def until(enough: Callable[[], bool], what: str) -> float:
    begun = time.monotonic()
    while not enough():
        assert time.monotonic() - begun < WITHIN_S, what
        time.sleep(0.05)
    return time.monotonic() - begun


def written(folder: Path) -> dict[str, list[int]]:
    """What the hall's journal says was to be told, by table and topic."""
    with opened(folder / "journal.db") as read:
        rows = [row for table in read.tables() for row in read.in_order(table)]
    found: dict[str, list[int]] = {}
    for row in rows:
        topic = getattr(row, "topic", "").split("/")[-1]
        if topic in EVENTS and row.seq:
            found.setdefault(f"{row.table}/{topic}", []).append(row.seq)
    return found


def rule(hall: Computer, page: int, number: int) -> None:
    """An arbiter of the hall reports something: a ruling."""
    said = {"action": "report", "kind": "disturbance-external", "by": "Ana", "id": f"r{number}"}
    url = f"http://127.0.0.1:{page}/api/v1/tables/{number % 2 + 1}/commands"
    words = ("curl", "-s", "-m", "5", "-H", "Content-Type: application/json", "-d")
    subprocess.run(hall.command(*words, json.dumps(said), url), capture_output=True, check=True)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("source", BROKERS)
def test_one_node_is_killed_and_one_hall_cut_off(tmp_path: Path, source: str) -> None:
    nats = BROKERS[source]
    if nats is None or shutil.which("mosquitto_sub") is None:
        pytest.skip("apt-get install nats-server mosquitto-clients")
    if not possible():
        pytest.skip("network namespaces need root")
    version = subprocess.run([nats, "--version"], capture_output=True, text=True).stdout.strip()
    with network([*NODES, *HALLS], f"127.0.0.1 localhost\n{CLUSTER}") as at, ExitStack() as stack:
        nodes = {
            name: stack.enter_context(
                started(
                    tmp_path, name, at[name].command(nats, "-c", configured(at[name], tmp_path))
                )
            )
            for name in NODES
        }
        heard = Heard()
        listen = ("mosquitto_sub", "-h", at["node-3"].address, "-q", "1", "-c", "-i", "observer")
        topics = ("-t", "arbiterd/+/tables/+/+")
        ready = until(lambda: is_up(at["node-3"], listen), "the cluster did not come up")
        ear = subprocess.Popen(
            at["node-3"].command(*listen, *topics, "-F", "%t %p"), stdout=subprocess.PIPE
        )
        stack.callback(ear.terminate)
        threading.Thread(target=heard.read, args=(ear,), daemon=True).start()
        for number, hall in enumerate(HALLS):
            folder = tmp_path / hall
            simulate = (*PROGRAM, "simulate", "--boards", 2, "--speed", 5, "--seed", 24 + number)
            stack.enter_context(
                started(tmp_path, f"{hall}-boards", [*map(str, simulate), "--pty-dir", str(folder)])
            )
            config = folder / "arbiterd.toml"
            until(config.exists, "the boards did not come up")
            text = config.read_text().replace('name = "simulated"', f'name = "{hall}"')
            config.write_text(
                f'{text}\n[mqtt]\nurl = "mqtt://cluster:1883"\n[http]\nlisten = "127.0.0.1:8480"\n'
            )
            run = at[hall].command(*PROGRAM, "run", "--config", config)
            stack.enter_context(started(tmp_path, hall, run))
        for hall in HALLS:
            until(lambda hall=hall: len(heard.of(hall)) > 3, f"{hall} is not heard")

        number = 0

        def play(seconds: float) -> None:
            nonlocal number
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                for hall in HALLS:
                    rule(at[hall], 8480, number)
                number += 1
                time.sleep(0.2)

        play(5)
        nodes["node-1"].kill()  # Both halls are connected to it: it is the first by that name.
        killed = time.monotonic()
        play(3)
        for hall in HALLS:
            until(
                lambda hall=hall: (
                    written(tmp_path / hall) == heard.order(hall)
                    or bool([1 for moment, _, _ in heard.of(hall) if moment > killed + 0.5])
                ),
                f"{hall} is not heard after a node was killed",
            )
        after_kill = {
            hall: next(m for m, _, _ in heard.of(hall) if m > killed + 0.5) - killed
            for hall in HALLS
        }
        play(5)
        at["hall-b"].pull()
        play(15)
        silent = len(heard.of("hall-b"))
        play(2)
        assert len(heard.of("hall-b")) == silent, "it is cut off"
        behind = sum(map(len, written(tmp_path / "hall-b").values()))
        behind -= sum(map(len, heard.order("hall-b").values()))
        at["hall-b"].plug()
        plugged = time.monotonic()

        def caught_up() -> bool:
            told = heard.order("hall-b")
            return sum(map(len, told.values())) >= silent + behind

        caught_s = until(caught_up, "the hall that was cut off did not catch up")
        assert time.monotonic() - plugged >= caught_s
        play(3)
        until(
            lambda: all(behind_by(tmp_path / hall, heard, hall) <= UNDER_WAY for hall in HALLS),
            "something was not told",
        )
        for hall in HALLS:
            told, said = heard.order(hall), written(tmp_path / hall)
            for topic, numbers in told.items():
                missing = set(said[topic][: len(numbers)]) - set(numbers)
                late = [n for n, m in pairwise(numbers) if n > m]
                assert numbers == said[topic][: len(numbers)], (
                    f"{hall} {topic}: missing {sorted(missing)}, overtook {late}"
                )
            count, repeats = sum(map(len, told.values())), len(heard.of(hall))
            rulings = sum(1 for _, t, p in heard.events if p["hall"] == hall and "/rulings" in t)
            print(
                f"\n{hall}: {count} events of {len(told)} topics ({rulings} rulings heard), none"
                f" lost, in order, {repeats - count} repeats"
            )
        print(
            f"{version}, three nodes, up after {ready:.1f} s; a node killed: heard again after"
            f" {', '.join(f'{hall} {took:.1f} s' for hall, took in after_kill.items())};"
            f" cut off for 17 s: {behind} events behind, caught up {caught_s:.1f} s after the cable"
        )


def behind_by(folder: Path, heard: Heard, hall: str) -> int:
    return sum(map(len, written(folder).values())) - sum(map(len, heard.order(hall).values()))


def is_up(node: Computer, listen: tuple[str, ...]) -> bool:
    """A client's session is kept, which takes two nodes at least."""
    words = (*listen[:-1], "probe", "-t", "probe", "-E", "-W", "3")
    return subprocess.run(node.command(*words), capture_output=True).returncode == 0
