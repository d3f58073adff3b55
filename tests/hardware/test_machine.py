"""A hall's day on a machine with real systemd, udev and USB: the package is installed, a board is
plugged in, its cable pulled, the broker killed, the disk filled, the package upgraded, removed.

Each step tells how long it took; the processor is emulated, so that it is no claim of speed.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from hardware.hearing import Hearing
from hardware.image import Image
from hardware.machine import CABLES, MQTT, UP, Machine
from hardware.play import Play, long_games, plays
from hardware.power import JOURNAL, left_on

SEED = 7
THINK_S = 4.0
LEAD_S = 20.0
WAIT_S = 300.0
FILLED = "/var/lib/arbiterd/filled"
ASK = """
import sys, urllib.error, urllib.request
try:
    answer = urllib.request.urlopen("http://127.0.0.1:8480/healthz", timeout=60)
except urllib.error.HTTPError as error:
    answer = error
print(answer.status, answer.read().decode())
"""

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]


class Day:
    """One board and one machine, and who listens outside."""

    play: Play

    def __init__(self, machine: Machine, tell: Callable[[str], None]) -> None:
        self.machine, self._tell = machine, tell
        self.hearing = Hearing()
        self._since = time.monotonic()

    def step(self, what: str) -> None:
        now = time.monotonic()
        self._tell(f"  {now - self._since:6.1f} s  {what}")
        self._since = now

    def wait(self, true: Callable[[], bool], what: str) -> None:
        self.machine.wait(true, f"{what} ({self.hearing.states})", WAIT_S)

    def device(self, state: str) -> None:
        """The board at the table is said to be so."""
        topic = "tables/1/device"
        self.wait(lambda: self.hearing.state(topic).get("state") == state, f"the board {state}")

    def caught_up(self, more: int = 2) -> None:
        """All that was made by now is on the record, and so many half-moves more, as played."""
        count = self.play.made() + more

        def there() -> bool:
            return bool(self.hearing.state("tables/1/state").get("ply", 0) >= count)

        self.wait(there, f"{count} half-moves")
        assert not self.hearing.contradictions

    def health(self) -> str:
        """Status and words of /healthz."""
        return self.machine.order(f"python3 - <<'END'\n{ASK}\nEND").strip()

    def healthy(self, words: str) -> str:
        """Until /healthz says so."""
        said: list[str] = []

        def told() -> bool:
            said.append(self.health())
            return words in said[-1]

        self.wait(told, f"{words!r} of /healthz ({said[-1:]})")
        return said[-1]


@pytest.fixture
def tell(capsys: pytest.CaptureFixture[str]) -> Callable[[str], None]:
    def out(line: str) -> None:
        with capsys.disabled():
            print(line, flush=True)

    return out


def test_a_day_from_the_package_to_its_removal(
    bare_image: Image, package: Path, newer: Path, tmp_path: Path, tell: Callable[[str], None]
) -> None:
    games = long_games(1, SEED)
    with ExitStack() as ends:
        machine = Machine(bare_image, tmp_path / "machine")
        ends.callback(machine.cut)
        tell("\nA day on an emulated machine")
        machine.switch_on()
        machine.wait_for(UP)
        day = Day(machine, tell)
        ends.callback(day.hearing.leave)
        install(day, package)
        (day.play,) = plays(games, SEED, THINK_S, LEAD_S)
        day.play.board.begin()
        ends.callback(day.play.board.end)
        plug(day)
        pull_and_replug(day)
        kill_the_broker(day)
        fill_the_disk(day)
        upgrade(day, newer)
        made = remove(day)
        machine.switch_off()
        kept = left_on(tmp_path / "machine/disk", tmp_path / "left")
    assert kept is not None, "removal leaves the journal"
    assert kept.whole, kept.breaks
    assert not kept.lacks(day.hearing.heard())
    record = kept.record("1")
    assert [said["uci"] for said in record] == list(day.play.moves[: len(record)])
    assert len(record) >= made
    recovered = sum(said["how"] == "recovered" for said in record)
    tell(f"  {len(record)} half-moves as played, {recovered} of them from the board's memory")


def install(day: Day, package: Path) -> None:
    day.machine.send(package, "/root/arbiterd.deb", WAIT_S)
    said = day.machine.order("dpkg -i /root/arbiterd.deb", 2 * WAIT_S)
    assert "arbiterd runs; its page is http://127.0.0.1:8480/" in said
    assert day.machine.order("systemctl is-active arbiterd") == "active"
    assert day.machine.order("systemctl is-enabled arbiterd") == "enabled"
    day.hearing.listen(day.machine.port(MQTT))
    day.wait(lambda: day.hearing.state("status").get("state") == "online", "the service online")
    day.step("installed by dpkg, runs, heard outside")


def plug(day: Day) -> None:
    """The board comes after the service: found by udev, its links and its group by our rules."""
    day.play.board.plug(day.machine.port(CABLES), 1)
    day.device("ok")
    serial = day.play.seat.serial
    day.wait(
        lambda: day.hearing.state("tables/1/device")["identity"] == serial, f"the board {serial}"
    )
    link = f"/dev/chess/board-{day.play.board.badge.serial}"
    assert day.machine.order(f"stat -L -c %G-%a {link}") == "dialout-660"
    assert "usb-0_2_1_0" in day.machine.order("ls /dev/chess")
    day.step("a board plugged in, found, named by udev")
    day.wait(lambda: len(day.hearing.moves("1")) >= 3, "three half-moves")
    assert day.hearing.moves("1") == list(day.play.moves[: len(day.hearing.moves("1"))])
    day.step("three half-moves heard")


def pull_and_replug(day: Day) -> None:
    day.play.board.pull_in_message(day.machine.wait)
    day.device("lost")
    day.step("the cable pulled in the middle of a message, told as lost")
    day.play.board.plug(day.machine.port(CABLES), 5)
    day.device("ok")
    assert "usb-0_6_1_0" in day.machine.order("ls /dev/chess")
    day.caught_up()
    day.step("in another port, known again, nothing missing")


def kill_the_broker(day: Day) -> None:
    day.machine.order("kill -9 $(pidof nats-server)")
    day.wait(lambda: not day.hearing.connected, "the connection to go")
    day.wait(lambda: day.hearing.connected, "the broker to be back")
    day.caught_up()
    day.step("the broker killed, back, the game heard on")


def fill_the_disk(day: Day) -> None:
    day.machine.order(
        f"fallocate -l $(df -B1 --output=avail / | tail -1) {FILLED};"
        f" dd if=/dev/zero of={FILLED}.rest bs=4k 2>/dev/null; sync; df / | tail -1"
    )
    said = day.healthy("503")
    assert "disk" in said or "journal" in said, said
    day.step(f"the disk full: /healthz says {said!r}")
    made = day.play.made()
    day.wait(lambda: day.play.made() >= made + 2, "two half-moves on the board")
    day.machine.order(f"rm {FILLED} {FILLED}.rest")
    day.caught_up()
    day.healthy("200")
    day.step("freed: nothing missing, healthy again")


def upgrade(day: Day, newer: Path) -> None:
    day.machine.send(newer, "/root/newer.deb", WAIT_S)
    day.machine.order("dpkg -i /root/newer.deb", 2 * WAIT_S)
    version = day.machine.order("dpkg-query -W -f '${Version}' arbiterd")
    assert version.endswith("+1")
    assert day.machine.order("systemctl is-active arbiterd") == "active"
    day.caught_up()
    day.step(f"upgraded to {version} in mid-game, nothing missing")


def remove(day: Day) -> int:
    """As docs/technicians.md has it. Returns how many half-moves have to be on the record."""
    made = day.hearing.state("tables/1/state")["ply"]
    verified = day.machine.order(f"arbiterd journal verify {JOURNAL}", WAIT_S)
    day.machine.order("dpkg -r arbiterd", WAIT_S)
    there = "for f in /usr/lib/arbiterd /etc/arbiterd/arbiterd.toml {}; do ls -d $f; done; true"
    left = day.machine.order(there.format(JOURNAL))
    assert "/etc/arbiterd/arbiterd.toml\n/var/lib/arbiterd/journal.db" in left
    assert "cannot access '/usr/lib/arbiterd'" in left
    said = day.machine.order("dpkg -P arbiterd", WAIT_S)
    assert "the journals of past rounds stay in /var/lib/arbiterd" in said
    assert "cannot access '/etc/arbiterd/arbiterd.toml'" in day.machine.order(there.format(JOURNAL))
    assert day.machine.order(f"ls {JOURNAL}") == JOURNAL
    day.step(f"removed and purged; configuration, then journal left ({verified.strip()})")
    return int(made)
