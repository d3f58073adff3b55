"""A tablet enrolled over TLS as docs/technicians.md says it, timed, with pictures of the steps.

    PYTHONPATH=tests python -m browser.enrol FOLDER

Each command runs as it stands there. The tablet is a Chromium with nothing in its store of
authorities but what was enrolled, and nothing is told to overlook anything.
"""

from __future__ import annotations

import hashlib
import html
import os
import re
import signal
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import sync_playwright

from browser.chromium import FLAGS, program
from browser.picture import ARBITERD
from conftest import free_port

TABLET = {"width": 820, "height": 640}
NAME = "127.0.0.1"
START_S = 60.0


@dataclass
class Enrolment:
    """What a technician and an arbiter go through, and how long it took."""

    folder: Path
    """For the pictures."""
    took_s: dict[str, float] = field(default_factory=dict)
    seen: str = ""
    """What the tablet's page says at the end."""
    tables: int = 0

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        begun = time.monotonic()
        yield
        self.took_s[name] = time.monotonic() - begun


def said(home: Path, *words: str) -> str:
    done = subprocess.run(
        [*ARBITERD, *words], cwd=home, capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout


def config_of(home: Path, advice: str, login: str, port: int) -> Path:
    """A simulated hall's configuration with what the two commands print, as it is pasted."""
    block = advice[advice.index("[http]") : advice.index("Then, for each")]
    block = block.replace("0.0.0.0:8480", f"{NAME}:{port}")
    people = login[: login.index("login ana")]
    file = home / "hall" / "arbiterd.toml"
    file.write_text(f"{file.read_text()}\n{block}{people}[mqtt]\nlisten = '{NAME}:0'\n")
    return file


def fetched(address: str) -> bytes:
    """The first thing a tablet does: it cannot know yet whom it asks."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    begun = time.monotonic()
    while True:
        try:
            with urllib.request.urlopen(address, context=context, timeout=10) as answer:
                found: bytes = answer.read()
                return found
        except OSError:
            assert time.monotonic() - begun < START_S, "it never answered"
            time.sleep(0.1)


def trust(home: Path, authority: bytes) -> None:
    """The tablet keeps the authority."""
    store = home / ".pki" / "nssdb"
    store.mkdir(parents=True)
    (home / "kept.pem").write_bytes(authority)
    place = ("-d", f"sql:{store}")
    subprocess.run(["certutil", "-N", *place, "--empty-password"], check=True)
    kept = ("-A", "-n", "hall", "-t", "C,,", "-i", str(home / "kept.pem"))
    subprocess.run(["certutil", *kept, *place], check=True)


def enrol(folder: Path) -> Enrolment:
    """From nothing to a tablet that shows the hall."""
    enrolment = Enrolment(folder)
    with tempfile.TemporaryDirectory() as made:
        home, port = Path(made), free_port()
        boards = subprocess.Popen(
            [*ARBITERD, "simulate", "--boards", "4", "--speed", "5", "--pty-dir", "hall"],
            cwd=home, stdout=subprocess.PIPE,
        )  # fmt: skip
        assert boards.stdout is not None
        next(line for line in boards.stdout if b"now run" in line)
        service = None
        try:
            with enrolment.step("arbiterd trust init"):
                advice = said(home, "trust", "init")
            with enrolment.step("arbiterd trust person ana"):
                login = said(home, "trust", "person", "ana")
            config = config_of(home, advice, login, port)
            with enrolment.step("arbiterd run"):
                service = subprocess.Popen(
                    [*ARBITERD, "run", "--config", str(config)],
                    cwd=home, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                )  # fmt: skip
                authority = fetched(f"https://{NAME}:{port}/authority.pem")
            with enrolment.step("arbiterd trust tablet"):
                shown = said(home, "trust", "tablet", "--config", str(config), "--name", NAME)
            with enrolment.step("the tablet keeps the authority"):
                assert fingerprint(authority) in shown, "it is the one that the terminal names"
                trust(home, authority)
            password = login.rpartition(" ")[2].strip()
            look(enrolment, home, f"https://{NAME}:{port}/", password, shown)
        finally:
            for process in filter(None, (service, boards)):
                process.send_signal(signal.SIGTERM)
                process.wait(60)
    return enrolment


def fingerprint(pem: bytes) -> str:
    """As a tablet shows it."""
    return hashlib.sha256(ssl.PEM_cert_to_DER_cert(pem.decode())).digest().hex(":").upper()


def look(enrolment: Enrolment, home: Path, page: str, password: str, shown: str) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program(),
            args=FLAGS,
            env={**os.environ, "HOME": str(home)},
        )
        with enrolment.step("the page over TLS"):
            context = browser.new_context(
                http_credentials={"username": "ana", "password": password}, viewport=TABLET
            )
            tablet = context.new_page()
            tablet.goto(page)
            tablet.wait_for_selector(".card")
            enrolment.seen = tablet.locator(".top .who").text_content() or ""
            enrolment.tables = tablet.locator(".card").count()
        tablet.wait_for_timeout(3000)
        tablet.screenshot(path=enrolment.folder / "tablet-page.png")
        terminal = browser.new_page(viewport={"width": 960, "height": 400})
        terminal.set_content(as_a_terminal(shown))
        terminal.screenshot(path=enrolment.folder / "tablet-codes.png", full_page=True)
        browser.close()


def as_a_terminal(text: str) -> str:
    """What a terminal shows, as a page; an address of this run is the one of the documents."""
    plain = re.sub(r"\x1b\[[0-9;]*m", "", text)
    return (
        "<body style='margin:0;background:#111'><pre style='margin:0;padding:16px;color:#eee;"
        f'font:13px/1 "DejaVu Sans Mono",monospace\'>{html.escape(plain)}</pre>'
    )


if __name__ == "__main__":
    found = enrol(Path(sys.argv[1]))
    for name, took in found.took_s.items():
        print(f"{took:5.1f} s  {name}")
    whole = sum(found.took_s.values())
    print(f"{whole:5.1f} s  in all; {found.tables} tables, signed in: {found.seen}")
