"""A spectator and a stranger try everything: nothing read, nothing changed, the arbiter served.

`python -m pytest tests/containment/test_intruders.py -m slow -s` is the long one.
"""

from __future__ import annotations

import asyncio
import json
import ssl
import statistics
from contextlib import suppress
from pathlib import Path
from random import Random

import aiomqtt
import pytest
from aiohttp import ClientSession, TCPConnector, encode_basic_auth

from arbiterd.cli.journal import opened
from arbiterd.laws.act import Act
from arbiterd.table.inputs import RoundOrdered
from cli.test_commands import arbiterd
from cli.test_trust import PAIR, running, until_up
from conftest import free_port
from containment.intruders import (
    Intrusion,
    Target,
    Who,
    flood,
    guess,
    replay,
    send_too_much,
    slow_readers,
    try_commands,
    try_routes,
    try_topics,
    try_wrong_tls,
)

LOGINS = {"eve": "chief-arbiter", "ana": "arbiter", "screen": "spectator"}
ANSWER_S = 5.0
"""An arbiter waits no longer for an answer, on a machine that has all the attackers too."""


class Arbiter:
    """Ana at work: an act now and then, and how long each took."""

    def __init__(self, target: Target, secret: str) -> None:
        self.target, self.secret = target, secret
        self.took_s: list[float] = []
        self.sent: list[bytes] = []

    async def act(self, **said: object) -> dict[str, object]:
        loop = asyncio.get_running_loop()
        body = json.dumps({"id": f"a-{len(self.sent)}", **said, "by": "ana"}).encode()
        async with ClientSession(
            f"https://127.0.0.1:{self.target.https}",
            connector=TCPConnector(ssl=self.target.trusted),
            headers={
                "Authorization": encode_basic_auth("ana", self.secret),
                "Content-Type": "application/json",
            },
        ) as http:
            begun = loop.time()
            async with http.post("/api/v1/tables/1/commands", data=body) as answer:
                found: dict[str, object] = await answer.json()
            self.took_s.append(loop.time() - begun)
        self.sent.append(body)
        assert found["ok"], found
        return found

    async def work(self) -> None:
        """Until cancelled."""
        while True:
            await self.act(action="mute")
            await asyncio.sleep(0.3)


@pytest.fixture
def hall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, dict[str, str], Target]:
    """A configured hall with logins and TLS, as the commands make it."""
    monkeypatch.chdir(tmp_path)
    arbiterd("trust", "init", "--name", "127.0.0.1")
    told = [arbiterd("trust", "person", name, "--role", LOGINS[name]).stdout for name in LOGINS]
    https, mqtt = free_port(), free_port()
    config = tmp_path / "hall.toml"
    config.write_text(
        f'[journal]\npath = "journal.db"\n[mqtt]\nlisten = "127.0.0.1:{mqtt}"\n'
        f'[http]\nlisten = "127.0.0.1:{https}"\n{PAIR}'
        + "".join(each.rpartition("login")[0] for each in told)
        + '[[tables]]\ntable = "1"\nwhite = "Lasker"\nblack = "kanarie"\n'
        + '[[tables]]\ntable = "2"\n'
    )
    secrets = {n: (tmp_path / f"trust/{n}.password").read_text().strip() for n in LOGINS}
    trusted = ssl.create_default_context(cafile=tmp_path / "trust/authority.pem")
    return config, secrets, Target(https, mqtt, trusted)


@pytest.mark.parametrize(
    ("flood_s", "slow"),
    [
        pytest.param(2.0, 10, id="slice"),
        pytest.param(60.0, 60, id="whole", marks=[pytest.mark.slow, pytest.mark.timeout(900)]),
    ],
)
async def test_nothing_is_read_and_nothing_changed(
    hall: tuple[Path, dict[str, str], Target], flood_s: float, slow: int
) -> None:
    config, secrets, target = hall
    intrusion, dice = Intrusion(), Random(24)
    nobody, liar = Who(), Who("ana", "not-hers")
    screen = Who("screen", secrets["screen"], "spectator")
    authority = (config.parent / "trust/authority.pem").read_bytes()
    with running(config):
        await asyncio.to_thread(until_up, f"https://127.0.0.1:{target.https}/healthz", authority)
        ana = Arbiter(target, secrets["ana"])
        await ana.act(action="report", kind="conduct-device", side="white", note="kanarie")
        for _ in range(5):
            await ana.act(action="mute")
        quiet_s = ana.took_s[1:]
        overheard, ana.took_s = list(ana.sent), []
        working = asyncio.create_task(ana.work())

        for who in (nobody, liar, screen):
            await try_routes(target, who, intrusion)
            await try_commands(target, who, intrusion, forged="eve")
            await try_topics(target, who, intrusion, forged="ana")
            await replay(target, who, intrusion, overheard)
            await send_too_much(target, who, intrusion)
        await try_wrong_tls(target, intrusion, dice)
        await guess(target, intrusion, ["ana", "eve", "screen", "root"], dice)
        async with slow_readers(target, nobody, intrusion, slow):
            await asyncio.gather(
                *(flood(target, who, intrusion, flood_s) for who in (nobody, screen, screen))
            )
        working.cancel()
        busy_s = ana.took_s
        # An arbiter who forges another's name, and one who sends her own words again.
        forger = Who("ana", secrets["ana"], "arbiter")
        before = len(ana.sent)
        await ana.act(
            action="report", kind="conduct-device", side="white", note="kanarie", id="a-0"
        )
        assert before + 1 == len(ana.sent)
        await try_forging(target, forger, intrusion)
        kept = await retained(target, secrets["ana"])

    with opened(config.parent / "journal.db") as read:
        items = [row.item for table in read.tables() for row in read.inputs(table)]
        told = [row for row in read.in_order("1") if getattr(row, "topic", "") == "rulings"]
    acts = [item for item in items if isinstance(item, Act)]
    tried = sum(intrusion.tried.values())
    print(
        f"\n{tried} attempts, {len(intrusion.breaches)} let through; an answer to the arbiter took"
        f" {statistics.median(quiet_s) * 1000:.0f} ms before and"
        f" {statistics.median(busy_s) * 1000:.0f} ms under attack, {max(busy_s) * 1000:.0f} at most"
    )
    for what, count in sorted(intrusion.tried.items()):
        print(f"  {count:6} {what}")
    assert intrusion.breaches == []
    assert {act.by for act in acts} == {act.user for act in acts} == {"ana"}
    assert {act.action for act in acts} == {"report", "mute"}
    assert not any(isinstance(item, RoundOrdered) for item in items)
    assert len(told) == 1, "what was sent again under its id was done once"
    assert {"status", "tables/1/state", "tables/2/state"} <= set(kept), "it is looked at"
    assert not [topic for topic, said in kept.items() if "forged" in said or "flood" in said]
    assert not [topic for topic in kept if "command" in topic]
    assert max(busy_s) < ANSWER_S
    assert tried > 1500


async def retained(target: Target, secret: str) -> dict[str, str]:
    """What the broker keeps, read by an arbiter from where nobody has guessed."""
    found = {}
    async with aiomqtt.Client(
        "127.0.0.1", target.mqtt, username="ana", password=secret, bind_address="127.0.0.2"
    ) as ana:
        await ana.subscribe("arbiterd/main/#", qos=1)
        with suppress(TimeoutError):
            while True:
                message = await asyncio.wait_for(anext(ana.messages), 1)
                assert isinstance(message.payload, bytes)
                found[message.topic.value.removeprefix("arbiterd/main/")] = message.payload.decode()
    return found


async def try_forging(target: Target, who: Who, intrusion: Intrusion) -> None:
    async with ClientSession(
        f"https://127.0.0.1:{target.https}",
        headers={"Authorization": encode_basic_auth(who.name, who.secret)},
        connector=TCPConnector(ssl=target.trusted),
    ) as http:
        for by in ("eve", "ANA", "ana ", "", "arbiterd", None, ["ana"], {"by": "ana"}):
            intrusion.tried["ana: forges 'by'"] += 1
            said = {"action": "pause", "id": "forged", "by": by}
            async with http.post("/api/v1/tables/1/commands", json=said) as answer:
                if answer.status not in (400, 403):
                    intrusion.let_through(f"ana signs as {by!r}: {answer.status}")
