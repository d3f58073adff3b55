"""Commands that ask the service on its own machine know it by the certificate it shows."""

from __future__ import annotations

import json
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from cli.test_commands import arbiterd


class _Answering(BaseHTTPRequestHandler):
    """Says of every command that nothing is open."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        body = json.dumps({"ok": True, "findings": []}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None: ...


@contextmanager
def served(certificate: Path, key: Path) -> Iterator[int]:
    """The port of a page with this certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server = HTTPServer(("127.0.0.1", 0), _Answering)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server.server_port
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize("shown", ["hall", "other"])
def test_a_round_is_checked_whatever_names_the_certificate_has(shown: str, tmp_path: Path) -> None:
    """The certificate was for the name that tablets know, and `round begin` on the machine itself
    said to start a service that ran."""
    for folder in ("hall", "other"):
        made = arbiterd("trust", "init", "--folder", tmp_path / folder, "--name", "hall.local")
        assert made.returncode == 0
    config = tmp_path / "main.toml"
    with served(tmp_path / shown / "hall.pem", tmp_path / shown / "hall.key") as port:
        config.write_text(
            f'[http]\nlisten = "127.0.0.1:{port}"\n'
            'tls_cert = "hall/hall.pem"\ntls_key = "hall/hall.key"\n'
        )
        said = arbiterd("round", "check", "--config", config)
        top = arbiterd("top", "--once", "--config", config)
    if shown == "hall":
        assert (said.returncode, said.stderr) == (0, "")
        assert "certificate" not in top.stderr
    else:
        assert said.returncode == 1
        assert "shows another certificate than [http] tls_cert names" in said.stderr
        assert "certificate that is not trusted" in top.stderr
