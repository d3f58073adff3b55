"""What systemd is told, by a socket of its own."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from arbiterd.cli.run.systemd import notify


def test_systemd_hears_that_all_is_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        notify("WATCHDOG=1")
        assert systemd.recv(100) == b"WATCHDOG=1"


def test_where_nobody_listens_nothing_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "gone"))
    notify("WATCHDOG=1")
