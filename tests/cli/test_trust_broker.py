"""`arbiterd trust broker`: a real Mosquitto that includes its files lets in whom it should."""

from __future__ import annotations

import asyncio
import csv
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import aiomqtt
import pytest

from arbiterd.access.rights import ROLES
from cli.test_commands import arbiterd
from cli.test_trust import another_group
from conftest import MOSQUITTO, Mosquitto, free_port, wait_for_port

HALLS = ("main", "side")


def configured(folder: Path, hall: str, port: int) -> Path:
    """A hall with one login of each role, named after it; `main` and `side` share the arbiter."""
    lines = [
        f'[hall]\nname = "{hall}"\n[mqtt]\nurl = "mqtt://127.0.0.1:{port}"',
        f'username = "service-{hall}"\npassword_file = "service.password"',
    ]
    names = {role: role if role == "arbiter" else f"{role}-{hall}" for role in ROLES}
    for role, name in names.items():
        lines.append(f'[[people]]\nname = "{name}"\nrole = "{role}"')
        lines.append(f'password_file = "{name}.password"')
    for name in ("service", *names.values()):
        file = folder / f"{name}.password"
        file.write_text(f"of-{name}\n")
        file.chmod(0o600)
    config = folder / f"{hall}.toml"
    config.write_text("\n".join(lines) + "\n")
    return config


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    """Of a Mosquitto with nothing but a listener and what the command wrote."""
    if MOSQUITTO is None:
        pytest.skip("mosquitto is not installed; ./test installs it")
    port = free_port()
    configs = [configured(tmp_path, hall, port) for hall in HALLS]
    named = [word for config in configs for word in ("--config", str(config))]
    said = arbiterd("trust", "broker", *named, "--folder", str(tmp_path / "broker"))
    assert said.returncode == 0, said.stderr
    broker = Mosquitto(tmp_path, (f"include_dir {tmp_path / 'broker'}",), port)
    broker.start()
    yield port
    broker.stop()


def test_a_broker_that_was_given_the_files_reads_them_when_they_are_written_again(
    tmp_path: Path,
) -> None:
    """By `chgrp mosquitto`, as the command says, and once: a reload would find no passwords."""
    config, folder = configured(tmp_path, "main", 1883), tmp_path / "broker"
    command = ("trust", "broker", "--config", str(config), "--folder", str(folder))
    arbiterd(*command)
    group = another_group()
    for file in folder.iterdir():
        os.chown(file, -1, group)

    arbiterd(*command)

    assert {file.name: file.stat().st_gid for file in folder.iterdir()} == dict.fromkeys(
        ("arbiterd.passwords", "arbiterd.rights", "arbiterd.conf"), group
    )


def client(port: int, name: str, password: str = "") -> aiomqtt.Client:
    secret = password or f"of-{name}"
    return aiomqtt.Client("127.0.0.1", port, username=name, password=secret, timeout=5)


TOLD = [
    "public/tables/1/moves", "status", "tables/1/state", "tables/1/moves", "tables/1/rulings",
    "tables/1/rulings/1-2", "tables/1/reply/arbiter",
]  # fmt: skip
HEARD = {"spectator": 1, "producer": 4, "technician": 4, "viewer": 7, "arbiter": 7}


@pytest.mark.parametrize("role", HEARD)
async def test_each_reads_what_is_his(port: int, role: str) -> None:
    name = role if role == "arbiter" else f"{role}-main"
    async with client(port, "service-main", "of-service") as service, client(port, name) as who:
        await who.subscribe("#", qos=1)
        with suppress(aiomqtt.MqttError):
            await who.subscribe("arbiterd/side/#", qos=1)
        for topic in TOLD:
            await service.publish(f"arbiterd/main/{topic}", topic.encode(), qos=1)
        heard = []
        with suppress(TimeoutError):
            while True:
                message = await asyncio.wait_for(anext(who.messages), 1)
                heard.append(message.topic.value.removeprefix("arbiterd/main/"))
    assert heard == TOLD[: HEARD[role]]


async def test_only_who_acts_writes_and_under_his_own_name(port: int) -> None:
    own = []
    async with client(port, "service-main", "of-service") as service:
        await service.subscribe("arbiterd/main/tables/+/command/+", qos=1)
        for role, spec in ROLES.items():
            name = role if role == "arbiter" else f"{role}-main"
            own += [f"arbiterd/main/tables/1/command/{name}"] * bool(spec.does)
            async with client(port, name) as who:
                for topic in ("arbiter", "technician-main", "spectator-main", "producer-main"):
                    if topic != name:
                        await who.publish(f"arbiterd/main/tables/1/command/{topic}", b"{}", qos=1)
                await who.publish(f"arbiterd/main/tables/1/command/{name}", b"{}", qos=1)
                await who.publish("arbiterd/main/tables/1/moves", b"{}", qos=1)
        heard = []
        with suppress(TimeoutError):
            while True:
                heard.append((await asyncio.wait_for(anext(service.messages), 1)).topic.value)
    assert heard == own


@pytest.mark.parametrize("name", ["", "nobody", "arbiter"])
async def test_nobody_else_comes_in(port: int, name: str) -> None:
    with pytest.raises(aiomqtt.MqttError):
        async with client(port, name, "guessed") if name else aiomqtt.Client("127.0.0.1", port):
            pass


def test_configurations_and_passwords_are_all_that_is_brought_to_one_computer(
    tmp_path: Path,
) -> None:
    """Certificates, pairings and the rest that a hall names are on its own computer."""
    command = ["trust", "broker", "--folder", str(tmp_path / "broker")]
    for hall in HALLS:
        config = configured(tmp_path, hall, 1883)
        command += ["--config", str(config)]
        named = 'ca_file = "trust/authority.pem"\n[[people]]'
        more = (
            '[http]\nlisten = "0.0.0.0:8480"\ntls_cert = "trust/hall.pem"\n'
            'tls_key = "trust/hall.key"\n[round]\npairings = "round3.trf"\n'
            '[broadcast]\nlichess = ["AbCdEfGh"]\nlichess_token_file = "lichess.token"\n'
        )
        config.write_text(config.read_text().replace("[[people]]", named, 1) + more)

    said = arbiterd(*command)

    assert said.returncode == 0, said.stderr
    assert "service-side:" in (tmp_path / "broker" / "arbiterd.passwords").read_text()
    refused = arbiterd("check", str(tmp_path / "main.toml")).stderr
    for missing in ("mqtt.ca_file", "http.tls_cert", "round.pairings", "lichess_token_file"):
        assert missing in refused, "the hall's own computer has to have it"

    (tmp_path / "viewer-side.password").unlink()
    refused = arbiterd(*command).stderr
    assert "side.toml" in refused
    assert "viewer-side.password cannot be read" in refused


def test_one_name_with_two_passwords_is_named(tmp_path: Path) -> None:
    configs = []
    for hall in HALLS:
        (tmp_path / hall).mkdir()
        configs.append(configured(tmp_path / hall, hall, 1883))
    (tmp_path / "side" / "arbiter.password").write_text("another\n")

    said = arbiterd("trust", "broker", *(f"--config={config}" for config in configs))

    assert said.returncode == 2
    assert "login 'arbiter' has two passwords" in said.stderr


@pytest.fixture
def nats() -> str:
    """The program that comes with this one where there is one for the platform."""
    program = shutil.which("nats-server", path=str(Path(sys.executable).parent))
    if program is None:
        pytest.skip("nats-server is not installed")
    return program


def test_nats_reads_what_is_written_for_it(nats: str, tmp_path: Path) -> None:
    config = configured(tmp_path, "main", 1883)
    folder = tmp_path / "broker"
    said = arbiterd("trust", "broker", "--config", config, "--for", "nats", "--folder", folder)
    assert said.returncode == 0, said.stderr
    file = tmp_path / "nats.conf"
    file.write_text('include "broker/arbiterd.conf"\n')

    checked = subprocess.run([nats, "-t", "-c", file], capture_output=True, text=True)

    assert checked.returncode == 0, checked.stderr


async def test_nats_lets_a_login_in_by_mqtt_alone(nats: str, tmp_path: Path) -> None:
    """By its own protocol a screen could listen in on what arbiters' tablets are sent at QoS 1."""
    port, own_port = free_port(), free_port()
    config, folder = configured(tmp_path, "main", port), tmp_path / "broker"
    arbiterd("trust", "broker", "--config", config, "--for", "nats", "--folder", folder)
    (tmp_path / "nats.conf").write_text(
        f'server_name: one\nlisten: "127.0.0.1:{own_port}"\n'
        f'jetstream {{ store_dir: "{tmp_path}" }}\nmqtt {{ listen: "127.0.0.1:{port}" }}\n'
        'include "broker/arbiterd.conf"\n'
    )
    broker = await asyncio.create_subprocess_exec(
        nats, "-c", tmp_path / "nats.conf", stderr=subprocess.DEVNULL
    )
    try:
        wait_for_port(port)
        reader, writer = await asyncio.open_connection("127.0.0.1", own_port)
        writer.write(
            b'CONNECT {"user":"spectator-main","pass":"of-spectator-main"}\r\nSUB $MQTT.sub.> 1\r\n'
        )
        async with (
            client(port, "service-main", "of-service") as service,
            client(port, "arbiter") as arbiter,
            client(port, "spectator-main"),
        ):
            await arbiter.subscribe("arbiterd/main/#", qos=1)
            await service.publish("arbiterd/main/tables/1/rulings", b"for arbiters", qos=1)
            told = await asyncio.wait_for(anext(arbiter.messages), 60)
            assert told.payload == b"for arbiters"
            heard = await asyncio.wait_for(reader.read(), 60)
        writer.close()
    finally:
        broker.terminate()
        await broker.wait()
    assert b"Authorization Violation" in heard
    assert b"for arbiters" not in heard


TERM = re.compile(r'{allow, {username, "([^"\\]+)"}, (subscribe|publish), (\[.*\])}\.')


def test_emqx_is_told_the_same_as_mosquitto_and_denies_the_rest(tmp_path: Path) -> None:
    """By the documents of EMQX, which has not been run with it."""
    configs = [word for hall in HALLS for word in ("--config", configured(tmp_path, hall, 1883))]
    for kind in ("emqx", "mosquitto"):
        said = arbiterd("trust", "broker", *configs, "--for", kind, "--folder", tmp_path / kind)
        assert said.returncode == 0, said.stderr
    head, *terms, last = (tmp_path / "emqx" / "arbiterd.acl").read_text().splitlines()
    assert head.startswith("%%")
    assert last == "{deny, all}."
    told = set()
    for term in terms:
        who, act, topics = TERM.fullmatch(term).groups()
        told |= {(who, act, topic) for topic in json.loads(topics)}
    wanted, who = set(), ""
    for line in (tmp_path / "mosquitto" / "arbiterd.rights").read_text().splitlines():
        match line.split():
            case ["user", name]:
                who = name
            case ["topic", act, topic]:
                wanted.add((who, {"read": "subscribe", "write": "publish"}[act], topic))
    assert told == wanted
    assert len(wanted) > 30

    with (tmp_path / "emqx" / "arbiterd.users.csv").open() as file:
        users = {row["user_id"]: row for row in csv.DictReader(file)}
    assert set(users) == {who for who, _, _ in wanted}
    arbiter = users["arbiter"]
    digest = hashlib.pbkdf2_hmac("sha512", b"of-arbiter", arbiter["salt"].encode(), 20_000)
    assert arbiter["password_hash"] == digest.hex()
    assert {row["is_superuser"] for row in users.values()} == {"false"}
