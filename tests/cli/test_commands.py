"""The commands as people and systemd call them: real processes, exit status, what is printed."""

from __future__ import annotations

import asyncio
import fcntl
import io
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import pytest

from arbiterd.cli import COMMANDS, CommandGroup, main
from arbiterd.config import read_config
from arbiterd.edges.real import WallClock
from eboards.dgt.codec import DgtCodec
from eboards.dgt.emulator import DgtEmulator
from eboards.events import Scan
from eboards.transport.pty import PtyServer
from eboards.transport.recording import read_log

PROGRAM = (sys.executable, "-c", "from arbiterd.cli import main; main()")


@dataclass(frozen=True)
class Said:
    returncode: int
    stdout: str
    stderr: str


def arbiterd(*words: object) -> Said:
    """A command from its first to its last line, in this process."""
    out, errors = io.TextIOWrapper(io.BytesIO(), write_through=True), io.StringIO()
    before = sys.argv
    sys.argv = ["arbiterd", *map(str, words)]
    try:
        with redirect_stdout(out), redirect_stderr(errors), pytest.raises(SystemExit) as ended:
            main()
    finally:
        sys.argv = before
    status = ended.value.code or 0
    assert isinstance(status, int)
    return Said(status, out.buffer.getvalue().decode(), errors.getvalue())


def arbiterd_process(*words: object) -> Said:
    """The same in a process of its own: it sets up logging, signals, a loop."""
    done = subprocess.run(
        [*PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=150, check=False
    )
    return Said(done.returncode, done.stdout, done.stderr)


@contextmanager
def started(*words: object, **env: str) -> Iterator[subprocess.Popen[str]]:
    """A command that runs on; stopped at the end as systemd would."""
    process = subprocess.Popen(
        [*PROGRAM, *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | env,
    )
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()
            raise


def printed(process: subprocess.Popen[str], word: str) -> str:
    """The first line that begins with this word, without it."""
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith(word):
            return line.removeprefix(word).strip()
    assert process.stderr is not None
    raise AssertionError(f"it ended without {word!r}: {process.stderr.read()}")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_there_and_says_what_it_does(name: str) -> None:
    command = CommandGroup().get_command(click.Context(click.Command("arbiterd")), name)
    assert command is not None
    assert command.get_short_help_str()


def test_every_group_lists_its_commands_and_each_says_what_it_does() -> None:
    for name in COMMANDS:
        group = CommandGroup().get_command(click.Context(click.Command("arbiterd")), name)
        if not isinstance(group, click.Group):
            continue
        said = arbiterd(name, "--help")
        assert said.returncode == 0, said.stderr
        context = click.Context(group)
        for inner in group.list_commands(context):
            command = group.get_command(context, inner)
            assert command is not None
            assert command.hidden or f"  {inner}  " in said.stdout
            assert arbiterd(name, inner, "--help").returncode == 0


def every_command() -> Iterator[tuple[str, click.Command]]:
    context = click.Context(click.Command("arbiterd"))
    for name in COMMANDS:
        command = CommandGroup().get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            for inner in command.list_commands(context):
                below = command.get_command(context, inner)
                assert below is not None
                yield f"{name} {inner}", below
        else:
            yield name, command


def test_help_shows_in_brackets_what_may_be_left_out_and_nothing_else() -> None:
    wrong = [
        (name, part.make_metavar(click.Context(command)))
        for name, command in every_command()
        for part in command.params
        if isinstance(part, click.Argument)
        and part.make_metavar(click.Context(command)).startswith("[") is part.required
    ]
    assert not wrong


def test_help_imports_no_command() -> None:
    said = arbiterd("--help")
    assert said.returncode == 0
    assert all(name in said.stdout for name in COMMANDS)


def test_a_command_that_is_none_is_wrong_use() -> None:
    said = arbiterd("fly")
    assert said.returncode == 2
    assert "No such command 'fly'" in said.stderr
    assert "Traceback" not in said.stderr


# check


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (("perft", "--ruleset", "go"), "'go' is not one of 'chess'"),
        (("perft", "--depht", "3"), "did you mean '--depth'"),
        (("replay", "/nonexistent"), "'/nonexistent' does not exist"),
        (("round", "results"), "'--round'"),
        (("bench", "nonsense"), "'nonsense'"),
    ],
)
def test_a_call_with_wrong_words_is_one_sentence_with_the_way_to_the_right_ones(
    words: tuple[str, ...], names: str
) -> None:
    said = arbiterd(*words)
    assert said.returncode == 2
    assert len(said.stderr.splitlines()) == 1
    assert names in said.stderr
    assert said.stderr.endswith("--help says what it takes\n")


@pytest.mark.parametrize("asked", ["touch", "illegal", "e", "99.9"])
def test_what_is_no_article_and_no_row_is_not_made_one(asked: str) -> None:
    """Half of a row's name was shown as "Article touch", with whatever has that word."""
    said = arbiterd("laws", "show", asked)
    assert (said.returncode, said.stdout) == (2, "")
    assert f"nothing is done under {asked!r}; write an article such as 7.5.5" in said.stderr
    for known in ("7.5.5", "nifu", "touch-own-then-other"):
        assert arbiterd("laws", "show", known).returncode == 0


def test_coverage_names_the_situations_in_which_a_row_fired(tmp_path: Path) -> None:
    ordinary = "game chess, blitz unsupervised 3:00+2\nlift e2\nplace e4 P\npress\n----\n"
    (tmp_path / "illegal-first.txt").write_text(f"{ordinary}\n{ordinary}")
    (tmp_path / "touch-brush.txt").write_text(ordinary.replace("blitz un", "rapid "))
    folder = ("--situations", tmp_path)

    said = arbiterd("laws", "coverage", "move-completed", "end-stalemate", *folder)

    told = [
        "move-completed",
        "  A4   touch-brush 1",
        "  A5   illegal-first 1, 2",
        "end-stalemate",
        "  in none",
    ]
    assert said.stdout.splitlines() == told, said.stderr
    assert said.returncode == 0
    refused = arbiterd("laws", "coverage", "move-complete", *folder)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "'move-complete' is no row of the catalogue" in refused.stderr


def test_check_names_each_fault_and_exits_with_2(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    good.write_text('[[tables]]\ntable = "1"\n')
    bad.write_text('[hall]\nname = 3\n[[tables]]\ntable = "1"\n\ndevice = "x"\n')

    assert arbiterd("check", good).returncode == 0
    said = arbiterd("check", bad)
    assert said.returncode == 2
    lines = said.stderr.splitlines()
    assert [line.split(" ")[0] for line in lines] == [f"{bad}:2:", f"{bad}:6:"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[[tables]]\ntable = "1"\ndriver = "teapot"\n', "teapot"),
        ('[round]\npairings = "nobody.csv"\n', "nobody.csv"),
        ('[round]\npairings = "empty.csv"\n', "the first line is no head"),
        ('[[people]]\nname = "ana"\npassword_file = "empty.csv"\n', "is empty"),
    ],
    ids=["driver", "pairings that are not there", "pairings that are none", "empty password"],
)
def test_check_looks_beyond_the_file_itself(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "empty.csv").touch()
    file = tmp_path / "a.toml"
    file.write_text(text)

    said = arbiterd("check", file)

    assert said.returncode == 2
    assert words in said.stderr


def test_check_and_run_say_the_same_of_a_journal_that_cannot_be_written(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text('[journal]\npath = "/proc/nowhere/journal.db"\n')

    said, tried = arbiterd("check", file), arbiterd("run", "--config", file)

    assert said.returncode == 2
    assert "give [journal] path in a folder the service may write to" in said.stderr
    assert said.stderr == f"{file}:2: journal.path: {tried.stderr}"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root reads what the service may not")
def test_check_sees_what_the_service_may_not_read_or_write(tmp_path: Path) -> None:
    """The folder of the journal is the service's; the files are as root made them."""
    with TemporaryDirectory(dir="/tmp") as open_to_all:
        folder = Path(open_to_all)
        config, secret, state = folder / "hall.toml", folder / "ana.password", folder / "state"
        config.write_text(
            '[journal]\npath = "state/journal.db"\n'
            '[[people]]\nname = "ana"\npassword_file = "ana.password"\n'
        )
        secret.write_text("of ana\n")
        secret.chmod(0o640)
        state.mkdir()
        for place in (folder, config):
            place.chmod(0o755)
        os.chown(state, 1, 1)

        unread = arbiterd("check", config)
        doctor = arbiterd("doctor", "--config", config, "--root", tmp_path)
        os.chown(secret, 0, 1)
        fine = arbiterd("check", config)
        (state / "journal.db").touch(0o644)
        unwritten = arbiterd("check", config)
        config.chmod(0o600)
        draft = arbiterd("check", config)

    assert unread.returncode == 2
    assert "ana.password cannot be read (Permission denied)" in unread.stderr
    assert "ana.password cannot be read" in doctor.stdout
    assert fine.returncode == 0, fine.stderr
    assert unwritten.returncode == 2
    assert "journal.db cannot be written: Permission denied" in unwritten.stderr
    assert "cannot be read" not in draft.stderr, "not yet the service's"


def test_check_makes_no_journal(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text('[journal]\npath = "new/folder/journal.db"\n')

    assert arbiterd("check", file).returncode == 0
    assert list(tmp_path.iterdir()) == [file]


def test_run_refuses_what_check_refuses(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text("[hall]\nname = 3\n")

    said = arbiterd_process("run", "--config", file)

    assert said.returncode == 2
    assert said.stderr == f"{file}:2: hall.name: is the number 3; write text in quotes\n"


# run, simulate, record


def config_text(tmp_path: Path, extra: str = "") -> Path:
    file = tmp_path / "arbiterd.toml"
    file.write_text(
        '[mqtt]\nlisten = "127.0.0.1:0"\n[http]\nlisten = "127.0.0.1:0"\n'
        '[journal]\npath = "journal.db"\n'
        f'[[tables]]\ntable = "1"\ndevice = "serial:/dev/nothing"\nwhite = "Ada Adams"\n{extra}'
    )
    return file


def test_run_tells_systemd_and_stops_with_everything_it_started(tmp_path: Path) -> None:
    door = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(door))
        systemd.settimeout(100)
        watched = {"NOTIFY_SOCKET": str(door), "WATCHDOG_USEC": "400000"}
        with started("run", "--config", config_text(tmp_path), **watched) as service:
            page = printed(service, "page")
            assert systemd.recv(100) in {b"READY=1", b"WATCHDOG=1"}
            assert urllib.request.urlopen(page + "healthz").status == 200
            while systemd.recv(100) != b"WATCHDOG=1":
                pass
            broker = int((tmp_path / "broker" / "broker.pid").read_text())
            os.kill(broker, 0)
        assert service.returncode == 0
        while systemd.recv(100) != b"STOPPING=1":
            pass
    with pytest.raises(ProcessLookupError):
        os.kill(broker, 0)
    assert service.stderr is not None
    log = service.stderr.read()
    assert "/dev/nothing is not there" in log
    assert log.count("/dev/nothing is not there") == 1
    assert "Adams" not in log, "names are never logged"
    assert all(json.loads(line.partition(">")[2]) for line in log.splitlines())


def test_a_journal_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    config = config_text(tmp_path)
    config.write_text(config.read_text().replace('"journal.db"', '"/proc/none/journal.db"'))

    said = arbiterd_process("run", "--config", config)

    assert said.returncode == 1
    assert "[journal] path" in said.stderr
    assert "Traceback" not in said.stderr


def test_simulate_writes_the_configuration_that_run_needs(tmp_path: Path) -> None:
    with started(
        "simulate", "--boards", 3, "--speed", 30, "--seed", 7, "--pty-dir", tmp_path / "hall"
    ) as simulation:
        file = Path(printed(simulation, "now run: arbiterd run --config"))
        config = read_config(file)
        assert config.simulation is not None
        assert config.simulation.speed == 30
        assert [entry.device for entry in config.tables] == [
            f"serial:{tmp_path}/hall/board-{number}" for number in (1, 2, 3)
        ]
        assert all((tmp_path / "hall" / f"board-{number}").exists() for number in (1, 2, 3))
        assert arbiterd("check", file).returncode == 0
    assert simulation.returncode == 0


def test_simulate_puts_all_boards_on_one_bus_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path.parent)
    wanted = ("--boards", 3, "--bus", "--line-errors", 0.02, "--pty-dir", tmp_path.name)
    with started("simulate", *wanted) as simulation:
        file = Path(printed(simulation, "now run: arbiterd run --config"))
        assert file == tmp_path / "arbiterd.toml", "wherever the service is started"
        devices = [entry.device for entry in read_config(file).tables]
        lines, addresses = zip(*(device.split("#") for device in devices), strict=True)
        assert set(lines) == {f"dgt-bus:{tmp_path}/bus"}
        assert len(set(addresses)) == 3
        assert (tmp_path / "bus").exists()
        assert arbiterd("check", file).returncode == 0
    assert simulation.returncode == 0


def test_simulate_takes_neither_boards_nor_configuration_from_another_hall(tmp_path: Path) -> None:
    words = ("simulate", "--boards", 1, "--pty-dir", tmp_path / "hall")
    for _ in range(2):  # Its own of before it writes anew.
        with started(*words) as simulation:
            printed(simulation, "now run: arbiterd run --config")
            board = (tmp_path / "hall" / "board-1").resolve()

            said = arbiterd_process(*words)

            assert said.returncode == 1
            assert said.stderr == (
                f"a simulated hall plays in {tmp_path}/hall already; stop it first, or name another"
                " --pty-dir\n"
            )
            assert (tmp_path / "hall" / "board-1").resolve() == board

    file = config_text(tmp_path)
    before = file.read_text()
    said = arbiterd_process("simulate", "--pty-dir", tmp_path)
    assert said.returncode == 2
    assert said.stderr.startswith(f"{file} was not written by arbiterd simulate")
    assert file.read_text() == before
    said = arbiterd_process("simulate", "--pty-dir", "/proc/none")
    assert said.returncode == 1
    assert said.stderr.startswith("/proc/none cannot be made (No such file or directory); name")


@pytest.mark.parametrize("command", ["devices", "doctor"])
def test_a_machine_that_is_not_there_has_no_boards_to_list(command: str, tmp_path: Path) -> None:
    said = arbiterd_process(command, "--root", tmp_path / "hal")

    assert said.returncode == 2
    assert f"'{tmp_path}/hal' does not exist; arbiterd {command} --help" in said.stderr
    assert said.stdout == ""


def test_line_errors_belong_to_a_bus(tmp_path: Path) -> None:
    said = arbiterd("simulate", "--line-errors", 0.02)

    assert said.returncode == 2
    assert "add --bus" in said.stderr


def test_run_without_boards_says_that_its_hall_is_simulated(tmp_path: Path) -> None:
    with started("run", "--speed", "30", XDG_STATE_HOME=str(tmp_path)) as service:
        said = printed(service, "No board is plugged in")
        assert "SIMULATED" in said
        page = printed(service, "page")
        deadline = time.monotonic() + 100
        plies: list[int] = []
        while not any(plies):
            assert time.monotonic() < deadline
            with urllib.request.urlopen(page + "api/v1/tables") as answer:
                tables = json.load(answer)["tables"]
            plies = [table["ply"] for table in tables]
            time.sleep(0.2)
        assert len(tables) == 8
        assert all(table["simulated"] for table in tables)
        assert {table["hall"] for table in tables} == {"demo"}
        with urllib.request.urlopen(page + "healthz") as answer:
            assert answer.read() == b"ok\n", "nobody calls a technician to a simulated hall"
    assert service.returncode == 0
    said = arbiterd("pgn", "--round", "1", tmp_path / "arbiterd" / "demo" / "journal.db")
    assert said.stdout.count("[Event ") >= 1


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
async def test_record_writes_what_the_codec_reads_again(
    stop: signal.Signals, tmp_path: Path
) -> None:
    """However it is stopped; a terminal that is closed hangs up."""
    board = PtyServer(DgtEmulator(), WallClock().now_ns)
    file = tmp_path / "board.log"
    process = await asyncio.create_subprocess_exec(
        *PROGRAM, "record", f"serial:{board.port}", str(file), "--driver", "dgt",
        stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    async with asyncio.timeout(100):
        while not file.exists() or "< 86" not in file.read_text():
            await WallClock().rest(0.1)
    process.send_signal(stop)
    assert await process.wait() == 0
    board.close()

    recording = read_log(file.read_text())
    codec = DgtCodec()
    events = [event for at_ns, data in recording.heard for event in codec.receive(data, at_ns)]
    assert any(isinstance(event, Scan) for event in events)
    assert any(said.direction == ">" for said in recording.said)
    again = arbiterd("record", f"serial:{board.port}", file)
    assert again.returncode == 2
    assert "is there already" in again.stderr


def test_record_leaves_no_file_where_nothing_could_be_recorded(tmp_path: Path) -> None:
    """It would be in the way of the next try."""
    file = tmp_path / "board.log"
    board, port = os.openpty()
    fcntl.flock(port, fcntl.LOCK_EX)
    for device in (os.ttyname(port), "/dev/nothing"):
        said = arbiterd_process("record", f"serial:{device}", file)
        assert said.returncode == 1
        assert not file.exists()
        assert len(said.stderr.splitlines()) == 1
    os.close(port)
    os.close(board)


def test_a_file_that_is_no_pgn_is_one_sentence(tmp_path: Path) -> None:
    """The library's own line on what it could not read stood before it."""
    file = tmp_path / "board.log"
    file.write_text("b6 is what this line seems to begin with\n")
    said = arbiterd_process("simulate", "--boards", "1", "--pgn", file)
    assert said.returncode == 2
    assert said.stderr == f"{file} has no games with moves; name a PGN file that has\n"


def test_nobody_puts_pieces_up_for_a_port_that_is_not_there() -> None:
    said = arbiterd_process("calibrate", "serial:/dev/ttyUSB77")
    assert said.returncode == 1
    assert said.stdout == ""
    assert said.stderr == "/dev/ttyUSB77 is not there; plug the board in\n"


@pytest.mark.parametrize("command", ["laws show 7.5.5", "perft --ruleset chess --depth 1"])
def test_a_full_disk_behind_the_output_is_one_sentence(command: str) -> None:
    """Before, it was called an error of the program itself."""
    with Path("/dev/full").open("w") as full:
        said = subprocess.run(
            [*PROGRAM, *command.split()], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert said.returncode == 1
    assert said.stderr == (
        "what it prints cannot be written (No space left on device);"
        " make room, or name another place\n"
    )
