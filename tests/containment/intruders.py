"""Who may not, trying everything: what they attempt is taken from the code, never from a list.

Each attempt counts, keeps every byte that came back, and says whether it was let through.
"""

from __future__ import annotations

import asyncio
import json
import ssl
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from random import Random

import aiomqtt
from aiohttp import (
    ClientError,
    ClientSession,
    ClientTimeout,
    TCPConnector,
    encode_basic_auth,
)
from prometheus_client import CollectorRegistry
from yarl import URL

from arbiterd.access.rights import ROLES, reads_of_route
from arbiterd.messages.samples import SAMPLES, sample
from arbiterd.messages.schema import CHANNELS, COMMAND_CHANNELS
from arbiterd.outlets.http.live import Live, live_app
from paper.hall import PaperClock, PaperDesk, PaperEvidence, PaperReader, PaperScores

SECRETS = (b"kanarie", b'"placement"', b'"open_rulings"', b'"attention"', b'"evidence"')
"""What stands in live payloads, and in none that is public."""
FILLED = {
    "table": "1", "leaf": "state", "id": "1-0001", "number": "1", "path": "page.css",
    "user": "ana", "hall": "main", "ruling": "1-0001",
}  # fmt: skip
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
BIG = 10 * 1024**2
PATIENCE_S = 10.0
HEARD_MAX = 1000


@dataclass
class Intrusion:
    """What was tried, and what came of it."""

    tried: Counter[str] = field(default_factory=Counter)
    breaches: list[str] = field(default_factory=list)

    def heard(self, what: str, data: bytes) -> None:
        """Bytes that somebody got who may know nothing."""
        found = [secret.decode() for secret in SECRETS if secret in data]
        if found:
            self.breaches.append(f"{what} read {found}: {data[:200]!r}")

    def let_through(self, what: str) -> None:
        self.breaches.append(what)


@dataclass(frozen=True)
class Target:
    """Where the service is, and how a client trusts it."""

    https: int
    mqtt: int
    trusted: ssl.SSLContext


@dataclass(frozen=True)
class Who:
    """One who tries; without a name, nobody."""

    name: str = ""
    secret: str = ""
    role: str = ""


def routes() -> Iterator[tuple[str, str]]:
    """Every route of the arbiter's application: its pattern, and a path that fits it."""
    scores = PaperScores("")
    app = live_app(
        Live(
            PaperReader(), PaperDesk(), PaperEvidence(), scores, scores, scores, PaperClock(),
            CollectorRegistry(), ill=lambda: "", design=True,
        )
    )  # fmt: skip
    patterns = {route.resource.canonical for route in app.router.routes() if route.resource}
    for pattern in sorted(patterns):
        path = pattern
        for name, value in FILLED.items():
            path = path.replace(f"{{{name}}}", value)
        yield pattern, path


async def try_routes(target: Target, who: Who, intrusion: Intrusion) -> None:
    """Every method on every route, and tricks with paths and headers on some."""
    async with _http(target, who) as http:
        for pattern, path in routes():
            reads = reads_of_route(pattern)
            open_to_him = reads is None or (who.role and reads in ROLES[who.role].reads)
            for method in METHODS:
                looked = method in ("GET", "HEAD", "OPTIONS")
                what = f"{who.name or 'nobody'} {method} {path}"
                status = await _ask(http, intrusion, what, method, path)
                if status < 400 and not (open_to_him and looked):
                    intrusion.let_through(f"{what} gave {status}")
            for odd in (f"/{path}", f"{path}/", f"{path}?x=1", path.upper(), f"/./{path}"):
                await _ask(http, intrusion, f"{who.name or 'nobody'} GET {odd}", "GET", odd)


async def try_commands(target: Target, who: Who, intrusion: Intrusion, forged: str) -> None:
    """Every command at every door of HTTP, in their own name, in another's and in nobody's."""
    async with _http(target, who) as http:
        for number, deed in enumerate(SAMPLES):
            for by in (forged, who.name, None):
                said = {**sample(deed, number), "id": f"x-{number}-{by}"}
                body = json.dumps(said if by is None else {**said, "by": by}).encode()
                doors = [
                    "/api/v1/commands",
                    "/api/v1/tables/1/commands",
                    "/api/v1/tables/9/commands",
                ]
                for path in doors:
                    what = f"{who.name or 'nobody'} {deed} as {by} at {path}"
                    status = await _ask(http, intrusion, what, "POST", path, body)
                    if status < 400 or status == 409:
                        intrusion.let_through(f"{what} gave {status}")


async def try_topics(target: Target, who: Who, intrusion: Intrusion, forged: str) -> None:
    """Every topic to read, every one to write, commands of all, wills; each topic on its own."""
    filters = [_filled(address) for _, address, _, _ in CHANNELS]
    filters += [_filled(address) for _, address, _ in COMMAND_CHANNELS]
    filters += [_opened(address) for _, address, _, _ in CHANNELS]
    filters += ["#", "+/#", "arbiterd/#", "arbiterd/+/+/+/+", "arbiterd/main/#", "$SYS/#"]
    filters += ["$share/all/arbiterd/#", "$MQTT/#", "$MQTT/sub/#", "$JS/#", "$KV/#", "/#"]
    topics = [_filled(address) for _, address, _, _ in CHANNELS]
    topics += [f"arbiterd/main/tables/1/command/{name}" for name in (forged, who.name) if name]
    topics += ["arbiterd/main/command", f"arbiterd/main/command/{forged}", "$SYS/REQ/USER/AUTH"]
    topics += ["arbiterd/main/tables/1/command", "$JS/API/STREAM/NAMES", "$MQTT/sub/x"]
    async with _mqtt(target, who) as client:
        if client is None:
            intrusion.tried[f"{who.name or 'nobody'}: connects to the broker"] += 1
            return
        for each in filters:
            intrusion.tried[f"{who.name}: subscribes"] += 1
            with suppress(aiomqtt.MqttError):
                await client.subscribe(each, qos=1)
        for retained in (False, True):
            for topic in topics:
                intrusion.tried[f"{who.name}: publishes"] += 1
                with suppress(aiomqtt.MqttError):
                    await client.publish(topic, b'{"kind":"forged"}', qos=0, retain=retained)
        for number, deed in enumerate(SAMPLES):
            for to in (forged, who.name):
                said = json.dumps({**sample(deed, number), "by": forged, "id": f"m-{number}"})
                for topic in (f"tables/1/command/{to}", f"command/{to}"):
                    intrusion.tried[f"{who.name}: sends a command"] += 1
                    with suppress(aiomqtt.MqttError):
                        await client.publish(f"arbiterd/main/{topic}", said.encode(), qos=0)
        await _drain(client, who, intrusion)
    for topic in (f"arbiterd/main/tables/1/command/{forged}", "arbiterd/main/status"):
        intrusion.tried[f"{who.name}: leaves a will"] += 1
        await _die(target, who, topic, _pause(forged))


async def _die(target: Target, who: Who, topic: str, will: bytes) -> None:
    """Logs in with a will (retained, QoS 1) and is gone without a word: the broker sends it."""
    fields = (f"dying-{who.name}".encode(), topic.encode(), will, who.name.encode())
    body = b"\0\4MQTT\4\xee\0\x3c"
    for each in (*fields, who.secret.encode()):
        body += len(each).to_bytes(2, "big") + each
    size = bytes([len(body) & 127 | 128, len(body) >> 7])
    with suppress(OSError, TimeoutError):
        reader, writer = await asyncio.open_connection("127.0.0.1", target.mqtt)
        writer.write(b"\x10" + size + body)
        async with asyncio.timeout(PATIENCE_S):
            await reader.read(4)
        writer.transport.abort()


async def replay(target: Target, who: Who, intrusion: Intrusion, recorded: list[bytes]) -> None:
    """Commands that were overheard, sent again word by word over both doors."""
    async with _http(target, who) as http:
        for body in recorded:
            what = f"{who.name or 'nobody'} replays"
            status = await _ask(http, intrusion, what, "POST", "/api/v1/tables/1/commands", body)
            if status < 400:
                intrusion.let_through(f"{what} {body!r}: {status}")
    async with _mqtt(target, who) as client:
        for body in recorded if client is not None else ():
            intrusion.tried[f"{who.name}: replays"] += 1
            with suppress(aiomqtt.MqttError):
                await client.publish("arbiterd/main/tables/1/command/ana", body, qos=0)


async def flood(target: Target, who: Who, intrusion: Intrusion, seconds: float) -> None:
    """As fast as one connection each takes it: requests, commands, messages."""
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    async with _http(target, who) as http, _mqtt(target, who) as client:
        while loop.time() < end:
            await _ask(http, intrusion, f"{who.name or 'nobody'} floods", "GET", "/api/v1/tables")
            await _ask(
                http, intrusion, f"{who.name or 'nobody'} floods", "POST",
                "/api/v1/tables/1/commands", _pause("ana"),
            )  # fmt: skip
            for _ in range(20 if client is not None else 0):
                intrusion.tried[f"{who.name}: floods the broker"] += 1
                with suppress(aiomqtt.MqttError):
                    assert client is not None
                    await client.publish("arbiterd/main/tables/1/command/ana", _pause("ana"), qos=0)


async def guess(target: Target, intrusion: Intrusion, names: list[str], dice: Random) -> None:
    """Passwords that are none, for logins that are some."""
    for name in names:
        for _ in range(15):
            who = Who(name, f"{dice.getrandbits(64):x}")
            async with _http(target, who) as http:
                status = await _ask(http, intrusion, "guesses", "GET", "/api/v1/rulings")
            if status < 400:
                intrusion.let_through(f"a guess let {name} in")


async def send_too_much(target: Target, who: Who, intrusion: Intrusion) -> None:
    """Ten megabytes in one request and in one message."""
    body = b'{"action":"report","kind":"' + b"x" * BIG + b'"}'
    async with _http(target, who) as http:
        for path in ("/api/v1/tables/1/commands", "/api/v1/commands", "/"):
            what = f"{who.name or 'nobody'} sends 10 MB"
            status = await _ask(http, intrusion, what, "POST", path, body)
            if 0 < status < 400:
                intrusion.let_through(f"{what} to {path}: {status}")
    async with _mqtt(target, who) as client:
        if client is not None:
            intrusion.tried[f"{who.name}: publishes 10 MB"] += 1
            with suppress(aiomqtt.MqttError, TimeoutError):
                await client.publish("arbiterd/main/tables/1/command/ana", body, qos=1, timeout=3)


@asynccontextmanager
async def slow_readers(
    target: Target, who: Who, intrusion: Intrusion, count: int
) -> AsyncIterator[None]:
    """Connections that ask and then read nothing, and some that never finish asking."""
    login = f"Authorization: {encode_basic_auth(who.name, who.secret)}\r\n" if who.name else ""
    ask = f"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:{target.https}\r\n{login}\r\n".encode()
    writers = []
    for number in range(count):
        intrusion.tried[f"{who.name or 'nobody'}: reads slowly"] += 1
        with suppress(OSError):
            _, writer = await asyncio.open_connection(
                "127.0.0.1", target.https, ssl=target.trusted, limit=1
            )
            writer.write(ask if number % 2 else ask[:-5])
            writers.append(writer)
        intrusion.tried[f"{who.name or 'nobody'}: half a packet"] += 1
        with suppress(OSError):
            _, writer = await asyncio.open_connection("127.0.0.1", target.mqtt)
            writer.write(b"\x10\xff\xff\x7f\x00")
            writers.append(writer)
    try:
        yield
    finally:
        for writer in writers:
            writer.transport.abort()


async def try_wrong_tls(target: Target, intrusion: Intrusion, dice: Random) -> None:
    """No TLS, an old one, another host's, one that is noise; and TLS where there is none."""
    plain = b"GET /api/v1/rulings HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    for data in (plain, dice.randbytes(400), b"\x16\x03\x01\x02\x00" + dice.randbytes(512), b""):
        for port in (target.https, target.mqtt):
            intrusion.tried["wrong TLS"] += 1
            with suppress(OSError, TimeoutError):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(data)
                writer.write_eof()
                async with asyncio.timeout(PATIENCE_S):
                    intrusion.heard("wrong TLS", await reader.read(100_000))
                writer.close()
    strangers = ssl.create_default_context()
    old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    old.check_hostname, old.verify_mode = False, ssl.CERT_NONE
    old.minimum_version, old.maximum_version = ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1
    for what, context in (("trusts others", strangers), ("TLS 1.1", old)):
        for port in (target.https, target.mqtt):
            intrusion.tried["wrong TLS"] += 1
            try:
                async with asyncio.timeout(PATIENCE_S):
                    _, writer = await asyncio.open_connection("127.0.0.1", port, ssl=context)
                writer.close()
                intrusion.let_through(f"{what}: a connection was made")
            except (OSError, TimeoutError):
                pass


def _pause(by: str) -> bytes:
    return json.dumps({"action": "pause", "by": by, "id": "flood"}).encode()


def _filled(address: str) -> str:
    for name, value in FILLED.items():
        address = address.replace(f"{{{name}}}", value)
    return address


def _opened(address: str) -> str:
    for name in FILLED:
        address = address.replace(f"{{{name}}}", "+")
    return address


@dataclass(frozen=True)
class Asker:
    """A session with the page's address; a path goes out as it is written."""

    session: ClientSession
    address: str

    def url(self, path: str) -> URL:
        return URL(self.address + path, encoded=True)


@asynccontextmanager
async def _http(target: Target, who: Who) -> AsyncIterator[Asker]:
    login = {"Authorization": encode_basic_auth(who.name, who.secret)} if who.name else {}
    async with ClientSession(
        headers=login,
        connector=TCPConnector(ssl=target.trusted),
        timeout=ClientTimeout(total=PATIENCE_S),
    ) as session:
        yield Asker(session, f"https://127.0.0.1:{target.https}")


async def _ask(
    http: Asker, intrusion: Intrusion, what: str, method: str, path: str, body: bytes = b""
) -> int:
    """The status; 0: none, it was hung up on. A stream is read for a moment."""
    intrusion.tried[" ".join(what.split(" ")[:2])] += 1
    kind = {"Content-Type": "application/json"}
    data = b""
    try:
        async with http.session.request(
            method, http.url(path), data=body or None, headers=kind
        ) as answer:
            with suppress(TimeoutError, ClientError):
                async with asyncio.timeout(0.5):
                    async for piece in answer.content.iter_any():
                        data += piece
            return answer.status
    except (ClientError, TimeoutError, OSError):
        return 0
    finally:
        intrusion.heard(what, data)


@asynccontextmanager
async def _mqtt(target: Target, who: Who) -> AsyncIterator[aiomqtt.Client | None]:
    """None: the intruder was not let in."""
    client = aiomqtt.Client(
        "127.0.0.1", target.mqtt, username=who.name or None, password=who.secret or None,
        timeout=5,
    )  # fmt: skip
    try:
        await client.__aenter__()
    except aiomqtt.MqttError:
        yield None
        return
    try:
        yield client
    finally:
        with suppress(aiomqtt.MqttError, ValueError, OSError):
            await client.__aexit__(None, None, None)


async def _drain(client: aiomqtt.Client, who: Who, intrusion: Intrusion) -> None:
    """All that came, until nothing comes for a second."""
    with suppress(TimeoutError, aiomqtt.MqttError):
        for _ in range(HEARD_MAX):
            message = await asyncio.wait_for(anext(client.messages), 1)
            topic = message.topic.value
            payload = message.payload if isinstance(message.payload, bytes) else b""
            intrusion.heard(f"{who.name} on {topic}", payload)
            if not topic.startswith("arbiterd/main/public/"):
                intrusion.let_through(f"{who.name} heard {topic}: {payload[:80]!r}")
