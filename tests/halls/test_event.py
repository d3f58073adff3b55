"""Several halls of one event, from any of them: what is seen, what an act does, and what is left
when a hall or the broker is away."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Iterator

import pytest

from cli.test_commands import PROGRAM
from conftest import MOSQUITTO
from halls.event import Event, OneHall, event, until

pytestmark = pytest.mark.timeout(180)
DRAWN_S = 100.0
"""A program may take so long to start on a busy machine."""


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Event]:
    if MOSQUITTO is None:
        pytest.skip("mosquitto is not installed; ./test installs it")
    with event(tmp_path_factory.mktemp("event")) as found:
        yield found


def seen(hall: OneHall, who: str = "ana") -> str:
    """What the stream of the other halls tells whoever comes."""
    import urllib.request
    from base64 import b64encode

    login = b64encode(f"{who}:of-{who}".encode()).decode()
    request = urllib.request.Request(
        f"{hall.page}/api/v1/halls/events", headers={"Authorization": f"Basic {login}"}
    )
    found = ""
    with urllib.request.urlopen(request, timeout=10) as stream:
        for line in stream:
            found += line.decode()
            if line == b"event: ready\n":
                return found
    raise AssertionError("the stream ended before it had told all")


def test_an_alert_of_one_hall_is_decided_from_the_other_and_answered_there(both: Event) -> None:
    main, north = both.halls["main"], both.halls["north"]
    north.reports("2", 1)
    (ruling,) = north.rulings()
    until(lambda: ruling["id"] in seen(main), "the alert did not come over")

    said = {"action": "confirm", "ruling": ruling["id"], "id": "from-main"}
    status, answer = main.ask("halls/north/tables/2/commands", said=said)

    assert (status, answer["ok"], answer["hall"], answer["id"]) == (200, True, "north", "from-main")
    assert north.rulings() == [], "it is decided in its own hall"
    _, told = north.ask("tables/2/timeline")
    closed = [each["payload"] for each in told["events"] if each["topic"].endswith("/rulings")][-1]
    assert closed["ack"]["by"] == "ana"
    until(lambda: ruling["id"] not in seen(main), "the other hall still shows it")

    status, answer = main.ask("halls/north/tables/2/commands", said=said)
    assert (status, answer["ok"]) == (200, True), "the same id again is answered and done once"


def test_the_other_hall_refuses_in_its_own_words(both: Event) -> None:
    said = {"action": "confirm", "ruling": "1-9999", "id": "no-such"}
    status, answer = both.halls["main"].ask("halls/north/tables/1/commands", said=said)

    assert (status, answer["ok"], answer["hall"]) == (409, False, "north")
    assert "no open ruling" in answer["error"]


def test_each_role_sees_and_does_of_the_others_what_it_may_here(both: Event) -> None:
    main, north = both.halls["main"], both.halls["north"]
    north.reports("1", 2)
    (ruling,) = north.rulings()
    until(lambda: ruling["id"] in seen(main), "the alert did not come over")
    for who in ("tom", "live"):
        told = seen(main, who)
        assert "Lasker" in told
        assert ruling["id"] not in told.replace(f'"open_rulings":["{ruling["id"]}"]', "")
    said = {"action": "confirm", "ruling": ruling["id"], "id": "no"}
    for who in ("tom", "live"):
        status, answer = main.ask("halls/north/tables/1/commands", who, said)
        assert status == 403, answer
    said = {"action": "mute", "id": "tom-1"}
    assert main.ask("halls/north/tables/1/commands", "tom", said)[0] == 200
    assert len(north.rulings()) == 1
    north.ask("tables/1/commands", said={"action": "dismiss", "ruling": ruling["id"], "id": "d"})


def test_a_hall_that_is_gone_is_said_to_be_and_nothing_is_sent_to_it(both: Event) -> None:
    main, north = both.halls["main"], both.halls["north"]
    north.stop(signal.SIGKILL)
    try:
        until(lambda: main.heard("north")["link"] == "offline", "its end is not noticed")
        told = main.heard("north")
        assert told["heard"] is not None
        assert told["silent_s"] >= 0
        said = {"action": "mute", "id": "gone-1"}
        status, answer = main.ask("halls/north/tables/1/commands", said=said)
        assert status == 503
        assert "nothing was sent" in answer["error"]
    finally:
        north.start()
    until(lambda: main.heard("north")["link"] == "live", "its return is not noticed")


def test_alone_a_hall_works_on_and_shows_the_rest_as_old(both: Event) -> None:
    main = both.halls["main"]
    both.broker.stop()
    try:
        until(lambda: main.heard("north")["link"] == "silent", "the cut is not noticed")
        main.reports("1", 3)
        (ruling,) = main.rulings()
        said = {"action": "dismiss", "ruling": ruling["id"], "id": "alone"}
        assert main.ask("tables/1/commands", said=said)[0] == 200
        assert "Lasker" in seen(main), "what was known last is still shown"
    finally:
        both.broker.start()
    until(lambda: main.heard("north")["link"] == "live", "the end of the cut is not noticed")


def test_top_shows_the_other_hall_and_goes_there_by_a_key(both: Event) -> None:
    main, north = both.halls["main"], both.halls["north"]
    north.reports("2", 7)
    until(lambda: len(north.rulings()) == 1, "it is not told")
    (ruling,) = north.rulings()
    until(lambda: ruling["id"] in seen(main), "the alert did not come over")
    login = ("--user", "ana", "--password-file", str(main.folder / "ana.password"))
    once = subprocess.run(
        [*PROGRAM, "top", main.page, *login, "--once"],
        capture_output=True,
        text=True,
        timeout=DRAWN_S,
    )
    assert once.returncode == 0, once.stderr
    assert re.search(r"north +! 1 call +2 tables", once.stdout), once.stdout

    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
    top = subprocess.Popen(
        [*PROGRAM, "top", main.page, *login], stdin=slave, stdout=slave, stderr=slave,
        env=os.environ | {"TERM": "xterm"},
    )  # fmt: skip
    try:
        until_drawn(master, "north")
        os.write(master, b"h")
        until_drawn(master, "Disturbance from outside", "h next hall")
        os.write(master, b"q")
        until(lambda: top.poll() == 0, "it does not end")
    finally:
        top.kill()
        os.close(slave)
        os.close(master)
    said = {"action": "dismiss", "ruling": ruling["id"], "id": "top"}
    north.ask("tables/2/commands", said=said)


def until_drawn(terminal: int, *words: str) -> None:
    """Returns once all of these stood on the terminal; a picture may come in several reads."""
    drawn = ""
    until_s = time.monotonic() + DRAWN_S
    while time.monotonic() < until_s:
        if select.select([terminal], [], [], 0.1)[0]:
            drawn += os.read(terminal, 65536).decode("utf-8", "replace")
        if all(each in drawn for each in words):
            return
    raise AssertionError(f"{words!r} was not drawn: {drawn[-2000:]}")
