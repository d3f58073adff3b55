"""`arbiterd trust`: from nothing to a tablet that reads the page over TLS, by commands alone."""

from __future__ import annotations

import json
import os
import signal
import ssl
import stat
import subprocess
import time
import urllib.error
import urllib.request
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from arbiterd.access.authority import Pair, service_certificate
from cli.test_commands import PROGRAM, arbiterd, arbiterd_process
from conftest import free_port

PAIR = 'tls_cert = "trust/hall.pem"\ntls_key = "trust/hall.key"\n'
START_S = 60.0


@pytest.fixture
def hall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def mode(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


def test_init_makes_what_is_needed_and_keeps_it_the_second_time(hall: Path) -> None:
    first = arbiterd_process("trust", "init")
    made = {file.name: file.read_bytes() for file in (hall / "trust").iterdir()}
    second = arbiterd_process("trust", "init")

    assert first.returncode == 0, first.stderr
    assert set(made) == {"authority.pem", "authority.key", "hall.pem", "hall.key"}
    assert mode(hall / "trust/authority.key") == 0o600, "the service needs it for nothing"
    assert mode(hall / "trust/hall.key") == 0o640
    assert "tls_cert" in first.stdout
    assert second.stdout.count(": kept") == 2
    assert {file.name: file.read_bytes() for file in (hall / "trust").iterdir()} == made


def test_another_name_makes_another_certificate_of_the_same_authority(hall: Path) -> None:
    arbiterd("trust", "init", "--name", "10.0.0.5")
    authority = (hall / "trust/authority.pem").read_bytes()

    said = arbiterd("trust", "init", "--name", "10.0.0.6")

    assert (hall / "trust/authority.pem").read_bytes() == authority
    assert "made for 10.0.0.6" in said.stdout


def test_a_name_the_authority_was_not_made_for_needs_another_and_the_old_one_is_kept(
    hall: Path,
) -> None:
    arbiterd("trust", "init", "--name", "10.0.0.5")

    refused = arbiterd("trust", "init", "--name", "hall.example")
    anew = arbiterd("trust", "init", "--name", "hall.example", "--anew")

    assert refused.returncode == 2
    assert "hall.example: the authority cannot vouch for it" in refused.stderr
    assert anew.returncode == 0, anew.stderr
    assert (hall / "trust/authority-1.pem").exists()
    assert "authority-1.pem is the authority of before" in anew.stdout


def test_a_login_is_made_once(hall: Path) -> None:
    said = arbiterd("trust", "person", "ana")
    again = arbiterd("trust", "person", "ana")
    odd = arbiterd("trust", "person", "a b")

    secret = (hall / "trust/ana.password").read_text().strip()
    assert f"login ana, password {secret}" in said.stdout
    assert len(secret) >= 12
    assert mode(hall / "trust/ana.password") == 0o640
    assert again.returncode == 2
    assert "is there already" in again.stderr
    assert odd.returncode == 2
    config = hall / "hall.toml"
    config.write_text(said.stdout.rpartition("login")[0])
    assert arbiterd("check", config).returncode == 0


@pytest.mark.parametrize("name", ["josé", "ana", "x_1-y", "a" * 41, "arbiterd"])
def test_a_login_that_is_made_is_one_that_the_configuration_takes(hall: Path, name: str) -> None:
    """A password that was given to its owner, and then `check` wants another name."""
    said = arbiterd("trust", "person", name)

    (hall / "hall.toml").write_text(said.stdout.rpartition("login")[0])
    assert arbiterd("check", hall / "hall.toml").returncode == 0
    assert (said.returncode == 0) is (name in ("ana", "x_1-y")), said.stderr
    assert (hall / f"trust/{name}.password").exists() is (said.returncode == 0)


def test_a_mend_that_is_typed_as_it_stands_helps(
    hall: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From wherever it is typed, as the configuration is rarely in the folder of the passwords."""
    block = arbiterd("trust", "person", "ana", "--folder", "trust of ours").stdout
    config = hall / "hall.toml"
    config.write_text(block.rpartition("login")[0])
    (hall / "trust of ours/ana.password").chmod(0o644)
    (hall / "elsewhere").mkdir()
    monkeypatch.chdir(hall / "elsewhere")

    refused = arbiterd("check", config)
    subprocess.run(refused.stderr.rpartition("run: ")[2], shell=True, check=True)
    again = arbiterd("trust", "person", "ana", "--folder", hall / "trust of ours")
    mend = again.stderr.rpartition("arbiterd ")[2].strip().replace("FILE", str(config))

    assert arbiterd("check", config).returncode == 0
    assert arbiterd(*mend.split()).returncode == 0


def another_group() -> int:
    """One that is not our own, and to which we may give our files."""
    ours = [1] if os.geteuid() == 0 else [group for group in os.getgroups() if group != os.getgid()]
    if not ours:
        pytest.skip("needs a second group, or root")
    return ours[0]


def test_a_service_in_the_folders_group_reads_what_comes_later(hall: Path) -> None:
    """Another login, a lost tablet, a certificate made again: each is a start that is refused."""
    arbiterd("trust", "init", "--name", "10.0.0.5")
    arbiterd("trust", "person", "ana")
    group = another_group()
    for file in [hall / "trust", *(hall / "trust").iterdir()]:
        os.chown(file, -1, group)

    arbiterd("trust", "person", "bob")
    arbiterd("trust", "init", "--name", "10.0.0.6")

    for name in ("ana.password", "bob.password", "hall.key", "hall.pem"):
        assert (hall / "trust" / name).stat().st_gid == group, name


@contextmanager
def running(config: Path) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen([*PROGRAM, "run", "--config", str(config)], cwd=config.parent)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(60)


def asked(address: str, trusted: bytes, password: str = "") -> tuple[int, bytes]:
    """What a tablet gets that trusts this authority alone."""
    context = ssl.create_default_context(cadata=trusted.decode())
    request = urllib.request.Request(address)
    if password:
        request.add_header("Authorization", f"Basic {b64encode(password.encode()).decode()}")
    try:
        with urllib.request.urlopen(request, context=context, timeout=20) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def until_up(address: str, trusted: bytes) -> tuple[int, bytes]:
    deadline = time.monotonic() + START_S
    while True:
        try:
            return asked(address, trusted)
        except OSError:
            assert time.monotonic() < deadline, "it never answered"
            time.sleep(0.1)


def test_a_tablet_is_enrolled_and_a_certificate_renewed_while_the_service_runs(
    hall: Path,
) -> None:
    arbiterd("trust", "init", "--name", "127.0.0.1")
    login = arbiterd("trust", "person", "ana")
    port = free_port()
    config = hall / "hall.toml"
    config.write_text(
        '[journal]\npath = "journal.db"\n[mqtt]\nlisten = "127.0.0.1:0"\n'
        f'[http]\nlisten = "127.0.0.1:{port}"\n{PAIR}'
        f"{login.stdout.rpartition('login')[0]}"
    )
    authority = (hall / "trust/authority.pem").read_bytes()
    page = f"https://127.0.0.1:{port}"
    secret = (hall / "trust/ana.password").read_text().strip()

    said = arbiterd("doctor", "--config", config).stdout
    assert "ok    certificate    trust/hall.pem ends 20" in said
    shown = arbiterd("trust", "tablet", "--config", config, "--name", "127.0.0.1")
    with running(config) as service:
        assert until_up(f"{page}/authority.pem", authority) == (200, authority)
        assert asked(f"{page}/", authority)[0] == 401
        status, body = asked(f"{page}/", authority, f"ana:{secret}")
        top = ("top", "--once", "--user", "ana", "--password-file", "trust/ana.password")
        stranger = arbiterd(*top, page)
        known = arbiterd(*top, page, "--authority", "trust/authority.pem")
        own = arbiterd(*top, "--config", config)
        before = ssl.get_server_certificate(("127.0.0.1", port))
        arbiterd("trust", "init", "--name", "127.0.0.1", "--name", "10.0.0.9")
        os.kill(service.pid, signal.SIGHUP)
        deadline = time.monotonic() + START_S
        while ssl.get_server_certificate(("127.0.0.1", port)) == before:
            assert time.monotonic() < deadline, "the old certificate is shown on"
            time.sleep(0.1)
        assert asked(f"{page}/healthz", authority)[0] == 200

    assert status == 200
    assert b"<html" in body.lower()
    assert f"{page}/authority.pem" in shown.stdout
    assert stranger.returncode == 1
    assert "shows a certificate that is not trusted" in stranger.stderr
    assert "name the hall's authority.pem by --authority" in stranger.stderr
    for terminal in (known, own):
        assert "nobody calls" in terminal.stdout, terminal.stderr
    assert shown.stdout.count("█") > 200


def test_a_tablet_without_a_certificate_is_told_where_to_begin(hall: Path) -> None:
    config = hall / "hall.toml"
    config.write_text("")

    said = arbiterd("trust", "tablet", "--config", config)

    assert said.returncode == 2
    assert "begin with: arbiterd trust init" in said.stderr


def test_a_certificate_that_ends_soon_is_named_in_time_and_renewed_without_a_stop(
    hall: Path,
) -> None:
    arbiterd("trust", "init", "--name", "127.0.0.1")
    trust, port = hall / "trust", free_port()
    authority = Pair(*((trust / f"authority.{end}").read_bytes() for end in ("pem", "key")))
    old = service_certificate(authority, ["127.0.0.1"], datetime.now(UTC) - timedelta(days=369.5))
    (trust / "hall.pem").write_bytes(old.certificate)
    (trust / "hall.key").write_bytes(old.key)
    config = hall / "hall.toml"
    config.write_text(
        '[journal]\npath = "journal.db"\n[mqtt]\nlisten = "127.0.0.1:0"\n'
        f'[http]\nlisten = "127.0.0.1:{port}"\n{PAIR}'
    )
    page = f"https://127.0.0.1:{port}"

    assert "in 26 days; run arbiterd trust renew" in arbiterd("check", config).stderr
    with running(config):
        until_up(f"{page}/healthz", authority.certificate)
        (note,) = json.loads(asked(f"{page}/api/v1/status", authority.certificate)[1])["notes"]
        assert "in 26 days" in note
        before = ssl.get_server_certificate(("127.0.0.1", port))
        assert "made for 127.0.0.1" in arbiterd("trust", "renew", "--config", config).stdout
        deadline = time.monotonic() + START_S
        while ssl.get_server_certificate(("127.0.0.1", port)) == before:
            assert time.monotonic() < deadline, "the old certificate is shown on"
            time.sleep(0.1)
        assert asked(f"{page}/healthz", authority.certificate)[0] == 200
    assert "trust renew" not in arbiterd("check", config).stderr
    assert "kept" in arbiterd("trust", "renew", "--config", config).stdout
