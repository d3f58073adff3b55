"""./run on machines of every kind: what it installs, what it says, what it leaves alone.

Python, uv, apt-get and sudo are stand-ins that write down how they were called; the shell and its
tools are real. The real installation is what ./test itself has just been through.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
TOOLS = ["sh", "dirname", "cat", "sha256sum", "cut", "rm", "mkdir", "env", "grep", "tail"]

# A Python that can be told what it lacks; `-m venv` makes one more of it in the environment.
PYTHON = """#!/bin/sh
echo "python $*" >>"$CALLS"
case "$*" in
*version_info*) exit "${OLD:-0}" ;;
*ensurepip*) [ ! -e "$NO_VENV" ] ;;
"-m venv --clear .venv") rm -rf .venv; mkdir -p .venv/bin; cat "$0" >.venv/bin/python
    chmod +x .venv/bin/python ;;
*"pip --version") [ ! -e "$NO_PIP" ] ;;
*--require-hashes*) [ -z "$SAYS" ] || { echo "$SAYS"; exit 1; } ;;
*"install --no-deps"*) [ -z "$FAIL" ] || exit 1
    printf '#!/bin/sh\\necho "arbiterd $*" >>"$CALLS"\\n' >.venv/bin/arbiterd
    chmod +x .venv/bin/arbiterd ;;
esac
"""


@dataclass
class Machine:
    """A checkout and a PATH, and all that was called."""

    checkout: Path
    path: Path
    calls: Path
    env: dict[str, str]

    def add(self, name: str, script: str) -> None:
        program = self.path / name
        program.write_text(f'#!/bin/sh\necho "{name} $*" >>"$CALLS"\n{script}\n')
        program.chmod(0o755)

    def start(self, *options: str, **env: str) -> subprocess.CompletedProcess[str]:
        self.calls.write_text("")
        return subprocess.run(
            ["sh", self.checkout / "run", *options],
            env=self.env | env,
            capture_output=True,
            text=True,
        )

    def called(self, beginning: str = "") -> list[str]:
        return [line for line in self.calls.read_text().splitlines() if beginning in line]


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    checkout, path = tmp_path / "a checkout", tmp_path / "bin"
    path.mkdir()
    (checkout / ".ci").mkdir(parents=True)
    for name in ("run", "arbiterd", ".ci/environment", "pyproject.toml", "requirements.txt"):
        shutil.copy(PROJECT / name, checkout / name)
    (checkout / "requirements-dev.txt").write_text("everything\n")
    for tool in (*TOOLS, "chmod"):
        (path / tool).symlink_to(shutil.which(tool) or tool)
    env = {
        "PATH": str(path),
        "CALLS": str(tmp_path / "calls"),
        "NO_VENV": "",
        "NO_PIP": "",
        "SAYS": "",
    }
    machine = Machine(checkout, path, tmp_path / "calls", env)
    (path / "python3").write_text(PYTHON)
    (path / "python3").chmod(0o755)
    machine.add("id", "echo 0")
    return machine


def test_it_installs_what_is_locked_and_starts(machine: Machine) -> None:
    done = machine.start("--speed", "20")

    assert done.returncode == 0, done.stderr
    assert machine.called("--require-hashes -r requirements.txt")
    assert machine.calls.read_text().splitlines()[-1] == "arbiterd run --speed 20"


def test_the_second_start_installs_nothing(machine: Machine) -> None:
    machine.start()

    done = machine.start()

    assert machine.called("install") == []
    assert machine.called("arbiterd") == ["arbiterd run"]
    assert done.stderr == ""


def test_of_two_starts_at_once_one_installs_and_both_start(machine: Machine) -> None:
    """The second one waits: both wrote into one environment, and one said that it had failed."""
    for tool in ("flock", "sleep"):
        (machine.path / tool).symlink_to(shutil.which(tool) or tool)
    slow = PYTHON.replace("*--require-hashes*)", "*--require-hashes*) sleep 1;")
    (machine.path / "python3").write_text(slow)
    machine.calls.write_text("")
    start = ["sh", machine.checkout / "run"]

    def begun() -> subprocess.Popen[str]:
        return subprocess.Popen(start, env=machine.env, stderr=subprocess.PIPE, text=True)

    both = [begun(), begun()]
    said = [one.communicate(timeout=30)[1] for one in both]

    assert [one.returncode for one in both] == [0, 0], said
    assert len(machine.called("--require-hashes")) == 1
    assert machine.called("arbiterd run") == ["arbiterd run"] * 2


@pytest.mark.parametrize("file", ["requirements.txt", "pyproject.toml"])
def test_a_changed_lock_is_installed(machine: Machine, file: str) -> None:
    machine.start()
    with (machine.checkout / file).open("a") as lock:
        lock.write("# changed\n")

    machine.start()

    assert machine.called("--require-hashes -r requirements.txt")


def test_a_moved_checkout_is_installed_anew(machine: Machine) -> None:
    machine.start()
    machine.checkout = machine.checkout.rename(machine.checkout.with_name("elsewhere"))

    machine.start()

    assert machine.called("install --no-deps -e .")


def test_an_installation_cut_off_is_done_again(machine: Machine) -> None:
    cut = machine.start(FAIL="yes")
    assert cut.returncode == 1
    assert machine.called("arbiterd") == []

    machine.start()

    assert machine.called("--require-hashes -r requirements.txt")
    assert machine.called("arbiterd") == ["arbiterd run"]


def test_the_environment_of_the_tests_serves_as_well(machine: Machine) -> None:
    """Else ./run and ./test would take turns in undoing each other's work."""
    subprocess.run(
        ["sh", machine.checkout / ".ci/environment", "requirements-dev.txt"],
        env=machine.env,
        check=True,
        capture_output=True,
    )

    machine.start()

    assert machine.called("install") == []


def test_where_venv_is_missing_it_is_installed(machine: Machine, tmp_path: Path) -> None:
    gap = tmp_path / "no venv"
    gap.touch()
    machine.add("apt-get", f'case "$*" in *-s*) ;; *python3-venv*) rm -f "{gap}" ;; esac')

    done = machine.start(NO_VENV=str(gap))

    assert done.returncode == 0, done.stderr
    assert [line.split()[-1] for line in machine.called("apt-get") if " -s " not in line] == [
        "update",
        "python3-venv",
    ]
    assert machine.called("arbiterd") == ["arbiterd run"]


def test_as_a_user_it_is_installed_through_sudo(machine: Machine, tmp_path: Path) -> None:
    gap = tmp_path / "no venv"
    gap.touch()
    machine.add("id", "echo 1000")
    machine.add("sudo", 'shift; "$@"')
    machine.add("true", "")
    machine.add("apt-get", f'case "$*" in *-s*) ;; *python3-venv*) rm -f "{gap}" ;; esac')

    machine.start(NO_VENV=str(gap))

    assert [line.split()[:3] for line in machine.called("sudo -n apt-get")] == [
        ["sudo", "-n", "apt-get"]
    ] * 3
    assert machine.called("arbiterd") == ["arbiterd run"]


@pytest.mark.parametrize("apt", [True, False])
def test_where_it_may_not_install_it_says_the_one_line(
    machine: Machine, tmp_path: Path, apt: bool
) -> None:
    gap = tmp_path / "no venv"
    gap.touch()
    machine.add("id", "echo 1000")
    machine.add("sudo", "exit 1")
    if apt:
        machine.add("apt-get", "exit 100")

    done = machine.start(NO_VENV=str(gap))

    assert done.returncode == 1
    assert "apt-get install python3-venv" in done.stderr.splitlines()[-1]
    assert machine.called("arbiterd") == []


@pytest.mark.parametrize(
    "plan", ["Inst python3.11 [3.11.2-6] (3.11.2-6+deb12u6 Debian [amd64])", "Remv python3.9 [3.9]"]
)
def test_nothing_that_is_installed_is_changed_unasked(
    machine: Machine, tmp_path: Path, plan: str
) -> None:
    """Debian's venv goes with one Python: to install it may be to upgrade the system's."""
    gap = tmp_path / "no venv"
    gap.touch()
    plan = f"Inst python3-venv (3.11.2-1 Debian [amd64])\n{plan}\n"
    (tmp_path / "plan").write_text(plan)
    machine.add("apt-get", f'case "$*" in *-s*) cat "{tmp_path}/plan" ;; esac')

    done = machine.start(NO_VENV=str(gap))

    assert done.returncode == 1
    assert "do it yourself: apt-get install python3-venv" in done.stderr.splitlines()[-1]
    assert machine.called("apt-get -q install") == []
    assert machine.called("arbiterd") == []


@pytest.mark.parametrize(
    "said",
    [
        "WARNING: Retrying: [Errno -3] Temporary failure in name resolution",
        "error: Failed to fetch\n  Caused by: dns error: failed to lookup address",
        "ERROR: Could not find a version that satisfies x (from versions: none)",
        "OSError: [Errno 101] Network is unreachable",
    ],
)
@pytest.mark.parametrize("uv", [False, True])
def test_a_first_start_without_network_ends_in_a_sentence(
    machine: Machine, said: str, uv: bool
) -> None:
    if uv:
        machine.add(
            "uv",
            'case "$*" in "venv "*) python3 -m venv --clear .venv ;; "pip "*) shift 4;'
            ' .venv/bin/python "$@" ;; esac',
        )

    done = machine.start(SAYS=said)

    assert done.returncode == 1
    assert "the first start needs the internet" in done.stderr.splitlines()[-1]
    assert len(done.stderr.splitlines()) == 2
    assert said in (machine.checkout / ".venv.log").read_text()
    assert machine.called("arbiterd") == []


def test_another_failure_says_its_last_line_and_where_the_rest_is(machine: Machine) -> None:
    done = machine.start(SAYS="some story\nERROR: no space left on device")

    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert "ERROR: no space left on device (all that was said: .venv.log)" in last


def test_the_program_of_the_checkout_can_be_called_from_anywhere(
    machine: Machine, tmp_path: Path
) -> None:
    machine.start()

    done = subprocess.run(
        [machine.checkout / "arbiterd", "check", "hall.toml"],
        env=machine.env | {"PATH": f"{machine.path}"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )

    assert done.returncode == 0, done.stderr
    assert machine.called("arbiterd")[-1] == "arbiterd check hall.toml"


def test_without_a_python_it_says_which(machine: Machine) -> None:
    done = machine.start(OLD="1")

    assert done.returncode == 1
    assert "no Python 3.11, 3.12 or 3.13 found" in done.stderr.splitlines()[-1]


def test_where_there_is_uv_it_does_the_work(machine: Machine) -> None:
    machine.add(
        "uv",
        'case "$*" in "venv "*) python3 -m venv --clear .venv ;;'
        " *--no-deps*) .venv/bin/python -m pip install --no-deps -e . ;; esac",
    )

    machine.start()

    assert machine.called("uv pip install --python .venv/bin/python --require-hashes")
    assert machine.called("python -m pip --disable-pip-version-check install --require") == []
    assert machine.called("arbiterd") == ["arbiterd run"]


def test_a_uv_that_does_not_run_is_none(machine: Machine) -> None:
    machine.add("uv", "exit 127")

    machine.start()

    assert machine.called("arbiterd") == ["arbiterd run"]


@pytest.mark.parametrize("script", ["run", "arbiterd", "test", ".ci/run", ".ci/environment"])
def test_the_scripts_are_plain_shell_and_can_be_run(script: str) -> None:
    assert os.access(PROJECT / script, os.X_OK)
    assert (PROJECT / script).read_text().startswith("#!/bin/sh\n")
    subprocess.run(["sh", "-n", PROJECT / script], check=True)
