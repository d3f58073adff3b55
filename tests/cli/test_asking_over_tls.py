"""Commands that ask the service on its own machine know it by the certificate it shows."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from cli.test_commands import Said, arbiterd, printed, started

CONFIG = """\
[http]
listen = "127.0.0.1:{port}"
tls_cert = "{names}/hall.pem"
tls_key = "{names}/hall.key"
[mqtt]
listen = "127.0.0.1:0"
[journal]
path = "journal.db"
[[tables]]
table = "1"
device = "serial:/dev/nothing"
"""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


@pytest.mark.parametrize("shown", ["hall", "other"])
def test_a_round_is_checked_whatever_names_the_certificate_has(shown: str, tmp_path: Path) -> None:
    """The certificate was for the name that tablets know, and `round begin` on the machine itself
    said to start a service that ran."""
    for folder in ("hall", "other"):
        made = arbiterd("trust", "init", "--folder", tmp_path / folder, "--name", "hall.local")
        assert made.returncode == 0
    port, running, asking = free_port(), tmp_path / "running.toml", tmp_path / "asking.toml"
    running.write_text(CONFIG.format(port=port, names=shown))
    asking.write_text(CONFIG.format(port=port, names="hall"))
    with started("run", "--config", running) as service:
        printed(service, "page")
        said = arbiterd("round", "check", "--config", asking)
        top = arbiterd("top", "--once", "--config", asking)
    if shown == "hall":
        assert said == Said(0, "all is well\n", "")
        assert "certificate" not in top.stderr
    else:
        assert said.returncode == 1
        assert "shows another certificate than [http] tls_cert names" in said.stderr
        assert "certificate that is not trusted" in top.stderr
