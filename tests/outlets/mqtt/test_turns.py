"""One login's flood is its own: others are next, and what waits is bounded."""

from __future__ import annotations

import asyncio
import json

from hypothesis import given
from hypothesis import strategies as st

from arbiterd.access.pace import SECOND_NS, RateLimit
from arbiterd.edges import Received
from arbiterd.messages.reading import BYTES_MAX
from arbiterd.outlets.mqtt.client import BrokerLogin, MqttBroker
from arbiterd.outlets.mqtt.outlet import COMMANDS_AT_ONCE
from arbiterd.outlets.mqtt.turns import Turns

from .test_outlet import House, house

__all__ = ["house"]
FLOOD = 1_000


async def test_lines_take_turns() -> None:
    turns: Turns[str] = Turns(5, 3)
    for item in ("a1", "a2", "a3", "b1", "c1", "c2"):
        assert turns.put(item[0], item)
    assert not turns.put("d", "d1"), "three lines are enough"

    assert [await turns.next() for _ in range(6)] == ["a1", "b1", "c1", "a2", "c2", "a3"]
    assert turns.put("d", "d1"), "and there is room again"


@given(st.lists(st.sampled_from("ab"), max_size=60), st.integers(1, 8))
def test_a_line_has_its_bound_and_loses_nothing_below_it(names: list[str], most: int) -> None:
    async def run() -> None:
        turns: Turns[int] = Turns(most, 2)
        taken = [number for number, name in enumerate(names) if turns.put(name, number)]
        expected = [
            number for number, name in enumerate(names) if names[:number].count(name) < most
        ]
        assert taken == expected
        assert sorted([await turns.next() for _ in taken]) == taken

    asyncio.run(run())


@given(st.lists(st.integers(0, SECOND_NS), max_size=200))
def test_nobody_is_faster_than_the_pace(waits_ns: list[int]) -> None:
    pace, at_ns, done = RateLimit(2, 5), 0, 0
    for wait_ns in waits_ns:
        at_ns += wait_ns
        done += pace.allows("ana", at_ns)
    assert done <= 5 + 2 * at_ns / SECOND_NS
    assert done >= min(len(waits_ns), 5)


async def test_a_flood_of_one_login_does_not_hold_up_another(
    house: House, broker: MqttBroker, listening
) -> None:
    async with listening(broker.url, "arbiterd/main/status") as other:
        # The service says that it is there once it hears commands: nobody keeps those of QoS 0.
        await other.until(lambda heard: bool(heard) and b"online" in heard[-1][1])
    async with listening(broker.url, "arbiterd/main/tables/+/reply/#") as flooding:
        said = json.dumps({"action": "pause", "by": "ana", "id": "x"}).encode()
        topic = "arbiterd/main/tables/1/command/ana"
        flood = asyncio.gather(*(flooding.client.publish(topic, said, qos=0) for _ in range(FLOOD)))
        await flooding.until(lambda heard: len(heard) >= 5)
        other = json.dumps({"action": "pause", "by": "boris", "id": "b"}).encode()
        await flooding.client.publish("arbiterd/main/tables/2/command/boris", other, qos=1)
        await flooding.until(lambda _: any(c.by == "boris" for _, c, _ in house.commands))
        await flood
        # A broker on a busy machine may itself drop what is sent at QoS 0: then it comes again.
        async with asyncio.timeout(60):
            while not any(b"too many commands" in payload for _, payload, _ in flooding.heard):
                await asyncio.gather(
                    *(flooding.client.publish(topic, said, qos=0) for _ in range(FLOOD))
                )
                await asyncio.sleep(0.2)

    before = [command.by for _, command, _ in house.commands]
    carried_out = before[: before.index("boris")].count("ana")
    assert carried_out <= 3 * COMMANDS_AT_ONCE, "and what was too much was refused"


async def test_a_message_of_ten_megabytes_is_cut_off_as_it_comes(mosquitto, listening) -> None:
    broker = MqttBroker(mosquitto.url, BrokerLogin("arbiterd-main"))
    async with broker.connect("arbiterd/main/status", b"") as us, listening(broker.url) as other:
        await us.subscribe("arbiterd/main/tables/+/command/+")
        topic = "arbiterd/main/tables/1/command/ana"
        await other.client.publish(topic, b"[" * 10_000_000, qos=1)

        assert await anext(us.messages()) == Received(topic, b"[" * (BYTES_MAX + 1), retained=False)


async def test_ten_megabytes_do_not_pass_our_own_broker(embedded, listening) -> None:
    broker = MqttBroker(embedded.url, BrokerLogin("arbiterd-main"))
    async with broker.connect("arbiterd/main/status", b"") as us, listening(broker.url) as other:
        await us.subscribe("arbiterd/main/tables/+/command/+")
        topic = "arbiterd/main/tables/1/command/ana"
        sending = asyncio.ensure_future(other.client.publish(topic, b"[" * 10_000_000, qos=1))
        async with listening(broker.url) as third:
            await third.client.publish(topic, b"{}", qos=1)
            heard = await anext(us.messages())
            assert heard.payload == b"{}" or len(heard.payload) <= BYTES_MAX + 1
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)
