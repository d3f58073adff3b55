"""The broker that the service publishes to: the configured one, else our own beside the journal."""

from __future__ import annotations

import asyncio
import secrets
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

from arbiterd.access.admission import Admission
from arbiterd.access.client_id import client_id
from arbiterd.access.people import People, read_people, read_secret
from arbiterd.cli.holding import broker_folder
from arbiterd.config import Config
from arbiterd.config.values import BrokerUrl, Listen
from arbiterd.edges import ServiceClock
from arbiterd.outlets.mqtt.client import BrokerLogin, MqttBroker
from arbiterd.outlets.mqtt.embedded import EmbeddedBroker
from arbiterd.outlets.mqtt.embedded_config import SERVICE, Wanted


@asynccontextmanager
async def broker_of(
    config: Config, folder: Path, clock: ServiceClock, told: Callable[[str], None]
) -> AsyncIterator[MqttBroker]:
    """The broker of the configuration, else one of our own beside the journal."""
    mqtt = config.mqtt
    identifier = client_id(config.hall.name, broker_folder(config, folder).parent)
    if mqtt.url is not None:
        password = partial(read_secret, folder / mqtt.password_file) if mqtt.password_file else None
        if password is not None:
            password()  # One that cannot be read is said at the start.
        login = BrokerLogin(identifier, mqtt.username, tls=_tls(mqtt.url, folder, mqtt.ca_file))
        told(f"broker    {mqtt.url}")
        yield MqttBroker(mqtt.url, login, password=password)
        return
    people = read_people(config, folder)
    embedded = EmbeddedBroker(_wanted(config, folder, people), clock)
    async with embedded.running(), _minding(Admission.of(config, people, folder), embedded, clock):
        told(f"broker    {embedded.url}")
        if embedded.websocket_url is not None:
            told(f"websocket {embedded.websocket_url}")
        secret = embedded.wanted.own_secret
        login = BrokerLogin(identifier, SERVICE if secret else "", secret)
        login = replace(login, tls=_own_tls(embedded.url))
        yield MqttBroker(embedded.url, login, newest=embedded.newest)


@asynccontextmanager
async def _minding(
    admission: Admission, embedded: EmbeddedBroker, clock: ServiceClock
) -> AsyncIterator[None]:
    """Who loses a password loses the connection to our broker too."""
    minding = asyncio.create_task(admission.keep(clock, embedded.let_in))
    try:
        yield
    finally:
        minding.cancel()


def _wanted(config: Config, folder: Path, people: People) -> Wanted:
    mqtt = config.mqtt
    return Wanted(
        hall=config.hall.name,
        listen=mqtt.listen or Listen("127.0.0.1", 0),
        websocket=mqtt.websocket,
        origins=mqtt.origins,
        folder=broker_folder(config, folder),
        people=people,
        own_secret=secrets.token_hex(16) if people.accounts else "",
        tls_cert=str((folder / mqtt.tls_cert).absolute()) if mqtt.tls_cert else "",
        tls_key=str((folder / mqtt.tls_key).absolute()) if mqtt.tls_key else "",
    )


def _tls(url: BrokerUrl, folder: Path, ca_file: str) -> ssl.SSLContext | None:
    if not url.tls:
        return None
    return ssl.create_default_context(cafile=folder / ca_file if ca_file else None)


def _own_tls(url: BrokerUrl) -> ssl.SSLContext | None:
    """Our own broker on this machine: its certificate names the address others use."""
    if not url.tls:
        return None
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context
