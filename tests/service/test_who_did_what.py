"""Every act is in the journal with who, from where and when, by whichever door it came."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path

import pytest
from aiohttp import ClientSession, encode_basic_auth

from arbiterd.config import Config
from arbiterd.config.model import Http, Person
from arbiterd.config.values import Listen
from arbiterd.edges import Received
from arbiterd.laws.act import Act
from arbiterd.outlets.mqtt.commands import read_address, read_order
from arbiterd.table.inputs import RoundOrdered
from service.conftest import House

Running = Callable[..., AbstractAsyncContextManager[House]]


@pytest.fixture
def led(config: Config, tmp_path: Path) -> Config:
    """A hall with a chief arbiter, an arbiter and a technician."""
    people = []
    for name, role in (("eve", "chief-arbiter"), ("ana", "arbiter"), ("tom", "technician")):
        file = tmp_path / f"{name}.password"
        file.write_text(f"of-{name}\n")
        file.chmod(0o600)
        people.append(Person(name, str(file), role))
    http = Http(listen=Listen("127.0.0.1", 0))
    return replace(config, http=http, people=tuple(people))


async def sent(house: House, name: str, order: dict[str, object], table: str = "") -> int:
    """The status of an order over HTTP."""
    path = f"api/v1/tables/{table}/commands" if table else "api/v1/commands"
    login = {"Authorization": encode_basic_auth(name, f"of-{name}")}
    address = house.service.addresses.page
    async with (
        ClientSession(headers=login) as http,
        http.post(address + path, json=order) as answer,
    ):
        return answer.status


async def test_an_act_is_kept_with_login_and_door(
    running: Running, path: Path, led: Config
) -> None:
    async with running(path, led) as house:
        await house.ready()
        assert await sent(house, "ana", {"action": "pause", "id": "a"}, "1") == 200
        assert await sent(house, "tom", {"action": "pause", "id": "b"}, "1") == 403

        order = Received(
            "arbiterd/main/tables/1/command/ana", b'{"action":"resume","id":"c"}', False
        )
        address = read_address("arbiterd/main", order.topic)
        assert address is not None
        read = read_order(order, address, ("1", "2"), house.service._admission.refusal)
        assert read.command is not None
        await house.service.journal.submit("1", read.command, "ana")

        acts = [
            row.item for row in house.service.journal.read.inputs("1") if isinstance(row.item, Act)
        ]
        assert [(act.action, act.by, act.user, act.origin) for act in acts] == [
            ("pause", "ana", "ana", "http 127.0.0.1"),
            ("resume", "ana", "ana", "mqtt"),
        ]


async def test_the_door_of_mqtt_refuses_what_the_role_may_not(
    running: Running, path: Path, led: Config
) -> None:
    async with running(path, led) as house:
        may = house.service._admission.refusal
        for user, action, refused in (
            ("tom", "pause", True), ("tom", "mute", False), ("ana", "pause", False),
        ):  # fmt: skip
            body = json.dumps({"action": action, "id": "x"}).encode()
            topic = f"arbiterd/main/tables/1/command/{user}"
            address = read_address("arbiterd/main", topic)
            assert address is not None
            order = read_order(Received(topic, body, False), address, ("1", "2"), may)
            assert (order.command is None) == refused, order.error
            assert ("tom' is technician" in order.error) == refused


async def test_a_round_is_the_chiefs_and_each_table_says_who(
    running: Running, path: Path, led: Config
) -> None:
    begin = {
        "action": "round", "op": "begin", "round": 5, "id": "r5",
        "games": [{"table": "1", "white": "Lasker", "black": "Steinitz"}],
    }  # fmt: skip
    async with running(path, led) as house:
        await house.ready()
        assert await sent(house, "ana", begin) == 403
        assert await sent(house, "eve", begin) == 200
        for table in ("1", "2"):
            (said,) = [
                row.item
                for row in house.service.journal.read.inputs(table)
                if isinstance(row.item, RoundOrdered)
            ]
            assert (said.op, said.by, said.user, said.origin, said.round) == (
                "begin", "eve", "eve", "http 127.0.0.1", 5,
            )  # fmt: skip
        state = house.service.desk.state(house.service.desk.seats["1"])
        assert state is not None
        assert state.white == "Lasker"
