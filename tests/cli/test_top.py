"""`arbiterd top`: what a technician sees of the hall over SSH."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from threading import Thread
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner
from rich.console import Console

from arbiterd.cli import arbiterd
from arbiterd.cli.top.hall import EventLines, TopHall
from arbiterd.cli.top.screen import View, screen
from arbiterd.table.setup import TableSetup
from arbiterd.table.table import Table
from table.hands import OPERA, numbered, played

SECOND = 1_000_000_000
AT = "1970-01-01T00:01:00.000Z"
MINUTE = 60 * SECOND


def told(table: Table, topic: str, payload: bytes) -> str:
    kind = topic.rpartition("/")[2] if "rulings/" not in topic else "ruling"
    return f"event: {kind}\ndata: {payload.decode()}\n\n"


def hall_of(stream: str, here_ns: int = 0) -> TopHall:
    """As the terminal hears it, line by line."""
    hall, lines = TopHall(), EventLines()
    hello = f"event: hello\ndata: {json.dumps({'at': AT, 'speed': 1.0})}\n\n"
    for line in (hello + stream).split("\n"):
        message = lines.line(line)
        if message is not None:
            hall.take(*message, here_ns)
    return hall


def drawn(hall: TopHall, width: int = 80, height: int = 24, here_ns: int = 0, **view: Any) -> str:
    console = Console(file=io.StringIO(), width=width, height=height)
    console.print(screen(hall, View(**view), here_ns, width, height))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def stream(tables: int = 1, **changed: Any) -> str:
    """What the service sends of so many tables on which a game is played."""
    said = ""
    for number in range(1, tables + 1):
        setup = TableSetup(
            table=str(number), white=f"Surname-of-White-{number}, First", black=f"Black {number}"
        )
        table = Table(setup)
        for row, item in numbered(played(OPERA[:6])):
            table.take(row, item)
        state = msgspec.structs.replace(table.state(MINUTE), **changed)
        said += told(table, "tables/1/state", msgspec.json.encode(state))
    return said


@pytest.mark.parametrize("width", [80, 120])
def test_clocks_and_moves_are_never_cut_off_for_a_long_name(width: int) -> None:
    text = drawn(hall_of(stream(12)), width, 40)

    rows = [line for line in text.splitlines() if "Surname" in line]
    assert len(rows) == 12
    assert all(re.search(r"▸9:10 .*9:54 +3…c8g4", row) for row in rows), text
    assert max(map(len, text.splitlines())) <= width


def test_no_more_lines_are_drawn_than_the_terminal_has() -> None:
    for height in (10, 24, 60):
        assert len(drawn(hall_of(stream(64)), 80, height).splitlines()) <= height
    assert "Black 64" in drawn(hall_of(stream(64)), 80, 24, first=60)


def test_a_running_clock_stands_still_once_nothing_is_heard() -> None:
    hall = hall_of(stream())
    state = hall.tables["1"]
    shown = [hall.clock_ms(state, "white", here_ns * SECOND) for here_ns in (0, 3, 6, 7, 60)]

    assert shown[0] is not None
    assert shown == [shown[0], shown[0] - 3000, shown[0] - 6000, shown[0], shown[0]]
    assert "nothing heard for 60 s" in drawn(hall, here_ns=60 * SECOND)
    assert "nothing heard" not in drawn(hall, here_ns=3 * SECOND)


def test_a_lost_board_and_a_fallen_flag_stand_beside_the_table() -> None:
    assert "BOARD LOST" in drawn(hall_of(stream(device="lost")))
    state = hall_of(stream()).tables["1"]
    assert state.clock is not None
    flagged = {"white_ms": 0, "black_ms": 5000, "running": None, "flag": "white"}
    assert "⚑ 0:00" in drawn(hall_of(stream(clock=flagged)))


def test_time_trouble_begins_where_it_begins_on_the_page() -> None:
    page = (files("arbiterd.web") / "clocks.js").read_text("utf-8")
    low = re.search(r"LOW_MS = (\d+);", page)
    assert low is not None

    def of_another_hall(left_ms: int) -> str:
        clock = {"white_ms": left_ms, "black_ms": 600_000, "running": "white", "flag": None}
        south = hall_of(stream(clock=clock, at=AT))
        console = Console(file=io.StringIO(), width=80, height=24)
        console.print(screen(hall_of(stream()), View(), 0, 80, 24, {"south": south}))
        assert isinstance(console.file, io.StringIO)
        return console.file.getvalue()

    assert "1 in time trouble" in of_another_hall(int(low[1]) - 1)
    assert "time trouble" not in of_another_hall(int(low[1]))


def test_what_is_cleared_goes() -> None:
    gone = f"event: cleared\ndata: {json.dumps({'topic': 'tables/1/state'})}\n\n"

    assert hall_of(stream(2) + gone).ordered()[0].table == "2"


def test_nobody_at_the_address_is_one_sentence() -> None:
    done = CliRunner().invoke(arbiterd, ["top", "http://127.0.0.1:9", "--once"])

    assert done.exit_code == 1
    assert "nothing answers at http://127.0.0.1:9; name the address" in done.output
    bare = CliRunner().invoke(arbiterd, ["top", "127.0.0.1:9", "--once"])
    assert bare.output == done.output, "an address without http:// is one of a page"


@pytest.mark.parametrize(
    ("login", "status", "words"),
    [
        ((), 401, "asks for a login: --user NAME"),
        (("--user", "ana"), 401, "does not take the login 'ana' with this password; see that"),
        (("--user", "ana"), 403, "(403): Log in as an arbiter."),
        (("--user", "ana"), 503, "(503): Too many streams are open"),
    ],
)
def test_a_page_that_refuses_us_is_no_page_that_is_not_there(
    tmp_path: Path, login: tuple[str, ...], status: int, words: str
) -> None:
    """`nothing answers` sends a technician to cables; what is to be mended stands in the answer."""
    secret = tmp_path / "ana.password"
    secret.write_text("secret")
    said = {403: b"Log in as an arbiter.\n", 503: b"Too many streams are open.\n"}.get(status, b"")
    with refusing(status, said) as url:
        asked = ["top", url, "--once", *login, *(("--password-file", str(secret)) if login else ())]
        done = CliRunner().invoke(arbiterd, asked)

    assert done.exit_code == 1
    assert words in done.output
    assert "nothing answers" not in done.output


@contextmanager
def refusing(status: int, body: bytes) -> Iterator[str]:
    """A server on loopback that answers everything so."""

    class Refusing(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_words: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Refusing) as server:
        serving = Thread(target=server.serve_forever)
        serving.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        serving.join()
