"""Every command of the README and the docs, taken out of the text and run as it stands there.

In a checkout of its own, without a board, on loopback. A command that goes on until it is stopped
has said what it promises by then; one that needs a board or a file that is not here ends in one
sentence. What is not run at all is listed, with the reason.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

import pytest

PROJECT = Path(__file__).parents[2]
PAGES = [
    PROJECT / "README.md",
    PROJECT / "CONTRIBUTING.md",
    *sorted((PROJECT / "docs").glob("*.md")),
    *sorted((PROJECT / "firmware_notes").glob("*.md")),
]
INSTALLED = {
    "broadcast.md",
    "organisers.md",
    "technicians.md",
    "configuration.md",
    "security.md",
    "certabo.md",
    "cpp.md",
}
"""Pages for who has installed it: there the program is `arbiterd`."""
BEGIN = re.compile(
    r"(\./(run|test|package|arbiterd)|arbiterd [a-z]|\.venv/|python |pytest |curl |mosquitto_|"
    r"systemctl |apt-get |udevadm |usermod |uv |ruff |mypy|lint-imports|deptry|options=)"
)

NOT_RUN = {
    "./test": "runs this test itself",
    "./test --slow": "hours; its slices are what ./test runs",
    "./test --hardware": "a virtual machine; minutes",
    "./test tests/outlets": "runs tests beside themselves",
    "./package": "needs the internet; tests/package builds it",
    "./package arm64": "needs the internet; tests/package builds it",
    "apt-get": "changes the computer",
    "systemctl": "changes the computer",
    "uv pip compile": "needs the internet",
    "options=": "belongs to the two lines below it",
    "pytest --bless": "rewrites what is expected",
    ".venv/bin/python -m arbiterd.cli.compile_mating": "needs a C compiler; tests/rules has it",
    "arbiterd devices --ble": "needs a radio",
    "./arbiterd bench hall --boards 60 --pace 1 --seconds 25 --flame": "needs py-spy",
    "arbiterd top": "needs a terminal; tests/cli has it",
    "ruff": "./test runs it",
    "mypy": "./test runs it",
    "lint-imports": "./test runs it",
    "deptry": "./test runs it",
}
"""By the beginning of the command."""

RUNS_ON = {
    "./run": "page ",
    "arbiterd simulate": "now run: arbiterd run --config",
    "./arbiterd simulate": "now run: ./arbiterd run --config",
    "./arbiterd bench": "",
    "./arbiterd rehearse --seed 1 --seeds 100": "",
    "./arbiterd rehearse --seed 1 --hours 24": "",
    "./arbiterd rehearse --log": "",
    ".venv/bin/python -m pytest": "",
    "curl": "event: hello",
    "mosquitto_sub": "arbiterd/demo/tables/",
}
"""Goes on until it is stopped; what it has said by then. Nothing: it is still at work."""

REFUSED = {
    "arbiterd check /etc/": "cannot be read",
    "arbiterd calibrate": "is not there",
    "arbiterd test-board": "is not there|cannot be read",
    "arbiterd record": "is not there|Missing argument",
    "./arbiterd record": "is not there",
    "arbiterd devices --bus": "is not there",
    "arbiterd doctor": "",
    "arbiterd run": "",
    "arbiterd round": "hall.toml.* cannot be read",
    "arbiterd shogi": "cannot be read",
    "arbiterd pgn": "there is no journal",
    "arbiterd journal": "there is no journal|is no folder",
    "arbiterd trust tablet": "cannot be read",
    "arbiterd trust shut-out": "cannot be read",
    "arbiterd trust broker": "cannot be read",
    "./arbiterd trust broker": "cannot be read",
    "arbiterd trust renew": "cannot be read",
}
"""Ends with 1 or 2 on a computer without boards; the words of its sentence."""

FILLED = {
    "arbiterd trust shut-out": "arbiterd trust shut-out ana --config /etc/arbiterd/arbiterd.toml",
    "arbiterd trust broker": "arbiterd trust broker --config /etc/arbiterd/arbiterd.toml",
    "arbiterd check FILE": "arbiterd check {hall}/arbiterd.toml",
    "arbiterd check": "arbiterd check {hall}/arbiterd.toml",
    "arbiterd devices --root /tmp/hall": "arbiterd devices --root {mixed}",
    "arbiterd simulate --mixed --pty-dir /tmp/hall": (
        "arbiterd simulate --mixed --pty-dir {tmp}/hall"
    ),
    "arbiterd run": "arbiterd run --config /etc/arbiterd/arbiterd.toml",
    "arbiterd calibrate DEVICE": "arbiterd calibrate serial:/dev/nothing",
    "arbiterd record": "arbiterd record serial:/dev/nothing {tmp}/my.log",
    "./arbiterd simulate": "./arbiterd simulate --boards 2",
    "./arbiterd laws show ROW": "./arbiterd laws show illegal-first",
    "./arbiterd replay FILE.scenario.jsonl": "./arbiterd replay {scenario}",
    "./arbiterd replay FILE --explain PLY": "./arbiterd replay {scenario} --explain 3",
    "./arbiterd replay --ruleset NAME FILE": "./arbiterd replay --ruleset chess {scenario}",
    "arbiterd trust init --folder /etc/arbiterd/trust": "arbiterd trust init --folder {tmp}/trust",
    "arbiterd trust person ana --folder /etc/arbiterd/trust": (
        "arbiterd trust person ana --folder {tmp}/trust"
    ),
    "./arbiterd perft --ruleset NAME --depth N": "./arbiterd perft --ruleset guadalete --depth 2",
    "./arbiterd bench boards --kinds NAME": "./arbiterd bench boards --kinds sentio",
    "./arbiterd bench mating --games FOLDER": "./arbiterd bench mating --games {hall}",
    "./arbiterd": "./arbiterd --help",
}
"""Forms with something to fill in, filled in; and folders of the reader's own."""


@dataclass(frozen=True)
class Shown:
    page: str
    line: int
    command: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line} {self.command}"


def shown(page: Path) -> Iterator[Shown]:
    """Lines of blocks, and code in sentences, that begin as commands do."""
    fenced = False
    for number, line in enumerate(page.read_text().splitlines(), start=1):
        if line.strip().startswith("```"):
            fenced = not fenced
        elif fenced or line.startswith("    "):
            # What stands behind two spaces explains.
            command = re.split(r"\s{2,}", line.strip())[0]
            if BEGIN.match(command):
                yield Shown(page.name, number, command)
        else:
            for code in re.findall(r"`([^`]+)`", line):
                if BEGIN.match(code):
                    yield Shown(page.name, number, code)


def each_once(commands: Iterable[Shown]) -> list[Shown]:
    """Where it is shown first, of those that are one command of one program."""
    found: dict[tuple[bool, str], Shown] = {}
    for command in commands:
        found.setdefault((command.page in INSTALLED, command.command), command)
    return list(found.values())


COMMANDS = [command for page in PAGES for command in shown(page)]
TRIED = each_once(one for one in COMMANDS if not any(map(one.command.startswith, NOT_RUN)))


def found(table: dict[str, str], command: str) -> str | None:
    """Of the longest beginning that fits."""
    fitting = [begin for begin in table if command.startswith(begin)]
    return table[max(fitting, key=len)] if fitting else None


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """This one, in a folder where a command may write: docs are copied, all else is linked."""
    if not (PROJECT / ".venv/bin/arbiterd").exists():
        pytest.skip("./test makes the environment of the checkout")
    folder = tmp_path_factory.mktemp("checkout")
    for entry in PROJECT.iterdir():
        if entry.name == "docs":
            shutil.copytree(entry, folder / "docs")
        elif entry.name not in {".venv", ".git", ".venv.log"}:
            (folder / entry.name).symlink_to(entry)
    (folder / ".venv").mkdir()
    for entry in (PROJECT / ".venv").iterdir():
        if entry.name != "made-from":
            (folder / ".venv" / entry.name).symlink_to(entry)
    stamp = "{ pwd; cat pyproject.toml requirements.txt; } | sha256sum | cut -d' ' -f1"
    subprocess.run(["sh", "-c", f"{stamp} >.venv/made-from"], cwd=folder, check=True)
    (folder / "installed").mkdir()
    (folder / "installed" / "arbiterd").symlink_to(PROJECT / ".venv/bin/arbiterd")
    return folder


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hall")
    (folder / "arbiterd.toml").write_text('[[tables]]\ntable = "1"\n')
    (folder / "games.pgn").write_text('[White "A"]\n[Black "B"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n')
    return folder


@pytest.fixture
def environment(checkout: Path, tmp_path: Path) -> dict[str, str]:
    ours = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    return ours | {"XDG_STATE_HOME": str(tmp_path / "state"), "PYTHONUNBUFFERED": "1"}


LONG_S = 100.0
"""For a command to end, or to say what it promises: many times what it takes."""
AT_WORK_S, WORKED_S = 6.0, 3.0
"""What promises nothing is still at work after so long; or after so much work of its processor: to
start takes one second of it."""


def run(
    command: str, checkout: Path, environment: dict[str, str], promised: str | None
) -> tuple[int | None, str, str]:
    """Exit status (None: it was stopped, once it had said what it promises), and both outputs."""
    with TemporaryFile("w+") as out, TemporaryFile("w+") as errors:
        process = subprocess.Popen(
            ["bash", "-c", command],
            cwd=checkout,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=errors,
            start_new_session=True,
        )
        begun = time.monotonic()
        limit_s = AT_WORK_S if promised == "" else LONG_S
        while process.poll() is None and time.monotonic() < begun + limit_s:
            if promised and promised in text_of(out):
                break
            if promised == "" and worked_s(process.pid) > WORKED_S:
                break
            time.sleep(0.05)
        status = process.poll()
        if status is None:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(60)
        return status, text_of(out), text_of(errors)


def worked_s(pid: int) -> float:
    """Processor time of a process."""
    try:
        times = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    except FileNotFoundError:
        return 0.0
    return sum(map(int, times)) / os.sysconf("SC_CLK_TCK")


def text_of(file: IO[str]) -> str:
    """All that was written so far."""
    return os.pread(file.fileno(), 1 << 24, 0).decode(errors="replace")


@pytest.fixture
def ports(checkout: Path, environment: dict[str, str]) -> Iterator[dict[str, str]]:
    """Of a demonstration that runs: another program may have those that the docs name."""
    process = subprocess.Popen(
        ["./run", "--speed", "20"],
        cwd=checkout,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    said: dict[str, str] = {}
    for line in process.stdout:
        word, _, rest = line.partition(" ")
        said[word] = rest.strip().strip("/").rpartition(":")[2]
        if word == "tables":
            break
    yield said
    process.terminate()
    process.wait(60)


@pytest.fixture
def mixed(checkout: Path, environment: dict[str, str], tmp_path: Path) -> Iterator[Path]:
    """The machine that the line before in the text has laid out."""
    words = ["./arbiterd", "simulate", "--mixed", "--pty-dir", str(tmp_path / "mixed")]
    process = subprocess.Popen(
        words, cwd=checkout, env=environment, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("now run"):
            break
    yield tmp_path / "mixed"
    process.terminate()
    process.wait(60)


@pytest.mark.parametrize("command", TRIED, ids=str)
def test_it_works_as_it_stands_there(
    command: Shown,
    checkout: Path,
    hall: Path,
    tmp_path: Path,
    environment: dict[str, str],
    request: pytest.FixtureRequest,
) -> None:
    scenario = PROJECT / "tests" / "docs" / "touched.scenario.jsonl"
    form = FILLED.get(command.command, command.command).replace("\\|", "|")
    mixed = request.getfixturevalue("mixed") if "{mixed}" in form else ""
    text = form
    if form is not command.command:
        text = form.format(hall=hall, tmp=tmp_path, scenario=scenario, mixed=mixed)
    if command.page in INSTALLED:
        environment["PATH"] = f"{checkout}/installed:{environment['PATH']}"
    else:
        venv = f"{PROJECT}/.venv/bin"
        paths = environment["PATH"].split(":")
        environment["PATH"] = ":".join(path for path in paths if path != venv)
    if text.startswith(("curl", "mosquitto_sub")):
        if shutil.which(text.split()[0]) is None:
            pytest.skip(f"{text.split()[0]} is not installed")
        ports = request.getfixturevalue("ports")
        text = text.replace(":8480", f":{ports['page']}")
        text = text.replace("mosquitto_sub", f"mosquitto_sub -p {ports['broker']}")

    promised = found(RUNS_ON, text)
    status, out, errors = run(text, checkout, environment, promised)

    refused = found(REFUSED, text)
    if promised is not None:
        assert status in (None, 0), errors
        assert promised in out, out + errors
    elif refused is not None:
        assert status in (1, 2), out + errors
        assert re.search(refused, errors), errors
    else:
        assert status == 0, errors
    assert "Traceback" not in errors
    if "{mixed}" in form:
        assert len(out.splitlines()) > 5, "every family is plugged in"


def test_what_is_not_run_has_its_reason_and_is_still_there() -> None:
    for begin, reason in NOT_RUN.items():
        assert reason
        assert any(command.command.startswith(begin) for command in COMMANDS), begin


def test_every_page_was_read() -> None:
    print(f"{len(COMMANDS)} commands in {len(PAGES)} pages, {len(TRIED)} of them run")
    assert len(TRIED) >= 40
