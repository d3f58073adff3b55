"""An event of two halls: two services, each with its configuration, at one Mosquitto whose logins
and access lists are those that `arbiterd trust broker` writes."""

from __future__ import annotations

import json
import signal
import subprocess
import time
import urllib.error
import urllib.request
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cli.test_commands import PROGRAM, arbiterd
from conftest import Mosquitto, free_port

NAMES = ("main", "north")
PEOPLE = {"ana": "arbiter", "tom": "technician", "live": "producer"}
WITHIN_S = 90.0


@dataclass
class OneHall:
    name: str
    folder: Path
    port: int
    process: subprocess.Popen[bytes] | None = None

    @property
    def page(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def config(self) -> Path:
        return self.folder / f"{self.name}.toml"

    def start(self) -> None:
        log = (self.folder / f"{self.name}.log").open("ab")
        command = [*PROGRAM, "run", "--config", str(self.config)]
        self.process = subprocess.Popen(command, stdout=log, stderr=log)
        log.close()

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(20)
            self.process = None

    def ask(self, path: str, who: str = "ana", said: object = None) -> tuple[int, Any]:
        """The status, and what was answered."""
        login = b64encode(f"{who}:of-{who}".encode()).decode()
        headers = {"Authorization": f"Basic {login}", "Content-Type": "application/json"}
        body = None if said is None else json.dumps(said).encode()
        request = urllib.request.Request(f"{self.page}/api/v1/{path}", body, headers)
        try:
            with urllib.request.urlopen(request, timeout=15) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as refused:
            return refused.code, json.load(refused)

    def rulings(self) -> list[Mapping[str, Any]]:
        found: list[Mapping[str, Any]] = self.ask("rulings")[1]["rulings"]
        return found

    def heard(self, of: str) -> Mapping[str, Any]:
        """How this hall hears the other."""
        found = {hall["hall"]: hall for hall in self.ask("halls")[1]["halls"]}
        said: Mapping[str, Any] = found[of]
        return said

    def reports(self, table: str, number: int) -> None:
        """Somebody there reports a disturbance: a ruling."""
        said = {"action": "report", "kind": "disturbance-external", "id": f"{self.name}-{number}"}
        status, answer = self.ask(f"tables/{table}/commands", said=said)
        assert status == 200, answer


@dataclass
class Event:
    broker: Mosquitto
    halls: Mapping[str, OneHall] = field(default_factory=dict)


def until(enough: Callable[[], Any], what: str) -> float:
    """Seconds that it took."""
    begun = time.monotonic()
    while True:
        try:
            if enough():
                return time.monotonic() - begun
        except OSError:
            pass  # It is not up yet.
        assert time.monotonic() - begun < WITHIN_S, what
        time.sleep(0.1)


def configured(hall: OneHall, broker: int, ports: Mapping[str, int]) -> None:
    lines = [
        f'[hall]\nname = "{hall.name}"\n[mqtt]\nurl = "mqtt://127.0.0.1:{broker}"',
        f'username = "service-{hall.name}"\npassword_file = "service.password"',
        f'[http]\nlisten = "127.0.0.1:{hall.port}"',
        f'[journal]\npath = "{hall.name}/journal.db"',
    ]
    for name, port in ports.items():
        if name != hall.name:
            lines.append(f'[[halls]]\nname = "{name}"\npage = "http://127.0.0.1:{port}"')
    for name, role in PEOPLE.items():
        lines.append(f'[[people]]\nname = "{name}"\nrole = "{role}"')
        lines.append(f'password_file = "{name}.password"')
    games = (("1", "Lasker", "Steinitz"), ("2", "Tarrasch", "Blackburne"))
    for table, white, black in games:
        lines.append(f'[[tables]]\ntable = "{table}"\nwhite = "{white}"\nblack = "{black}"')
    hall.config.write_text("\n".join(lines) + "\n")


@contextmanager
def event(folder: Path) -> Iterator[Event]:
    """Both halls run, and hear each other."""
    port = free_port()
    ports = {name: free_port() for name in NAMES}
    halls = {name: OneHall(name, folder, ports[name]) for name in NAMES}
    for name in ("service", *PEOPLE):
        file = folder / f"{name}.password"
        file.write_text(f"of-{name}\n")
        file.chmod(0o600)
    for hall in halls.values():
        configured(hall, port, ports)
    named = [word for hall in halls.values() for word in ("--config", str(hall.config))]
    said = arbiterd("trust", "broker", *named, "--folder", str(folder / "broker"))
    assert said.returncode == 0, said.stderr
    broker = Mosquitto(folder, (f"include_dir {folder / 'broker'}",), port)
    with ExitStack() as stack:
        broker.start()
        stack.callback(broker.stop)
        for hall in halls.values():
            hall.start()
            stack.callback(hall.stop)
        for one, other in (NAMES, reversed(NAMES)):
            until(
                lambda one=one, other=other: halls[one].heard(other)["link"] == "live",
                f"{one} does not hear {other}",
            )
        yield Event(broker, halls)
