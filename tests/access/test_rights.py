"""The one table of roles: it knows every command and every route, and the page shows it."""

from __future__ import annotations

from pathlib import Path

import pytest
from aiohttp import ClientSession, encode_basic_auth
from prometheus_client import CollectorRegistry

from arbiterd.access.login import login_wall
from arbiterd.access.people import Account, People
from arbiterd.access.rights import (
    CHIEF,
    DEEDS,
    ROLES,
    ROUTES,
    TOPICS,
    Reads,
    is_of_rulings,
    page,
    readable,
    refusal,
    role_of,
    writable,
)
from arbiterd.config import model
from arbiterd.edges.real import WallClock
from arbiterd.messages.commands import read_command
from arbiterd.messages.samples import sample
from arbiterd.messages.schema import CHANNELS
from arbiterd.outlets.http.live import Live, live_app
from arbiterd.outlets.http.server import serving
from paper.hall import PaperClock, PaperDesk, PaperEvidence, PaperReader, PaperScores

PAGE = Path(__file__).parents[2] / "docs" / "security.md"
BEGIN, END = "<!-- roles -->\n", "<!-- end of roles -->\n"
EVERYBODY = People(tuple(Account(name, name, f"of-{name}") for name in ROLES))


def hall(desk: PaperDesk | None = None) -> Live:
    scores, games, reader = PaperScores("with rulings"), PaperScores("alone"), PaperReader()
    reader.retain("tables/1/state", {"table": "1"})
    return Live(
        reader, desk or PaperDesk(), PaperEvidence(), scores, games, games, PaperClock(),
        CollectorRegistry(), ill=lambda: "", design=True,
    )  # fmt: skip


def test_the_page_shows_the_table(bless: bool) -> None:
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    if bless:
        PAGE.write_text(before + BEGIN + page() + END + after, encoding="utf-8")

    assert BEGIN + page() + END in PAGE.read_text(encoding="utf-8")


def test_the_configuration_takes_these_roles_and_no_others() -> None:
    assert set(model.ROLES) == set(ROLES)


def test_every_route_stands_in_the_table() -> None:
    paths = [
        route.resource.canonical
        for route in live_app(hall()).router.routes()
        if route.resource is not None and route.method != "POST"
    ]
    assert len(paths) > 20
    for path in paths:
        steps = path.split("/")
        begins = {"/".join(steps[:length]) for length in range(2, len(steps) + 1)}
        assert begins & set(ROUTES), f"{path} is in no line of ROUTES"


@pytest.mark.parametrize("role", ROLES)
async def test_a_role_reads_what_the_table_says(role: str) -> None:
    app = live_app(hall())
    app.middlewares.append(login_wall(EVERYBODY, WallClock()))
    asked = {
        "pgn/1.pgn": Reads.PUBLIC,
        "api/v1/me": Reads.PUBLIC,
        "": Reads.GAMES,
        "overlay/1": Reads.GAMES,
        "live/pgn/1.pgn": Reads.GAMES,
        "api/v1/tables": Reads.GAMES,
        "metrics": Reads.GAMES,
        "api/v1/rulings": Reads.RULINGS,
        "api/v1/tables/1/rulings": Reads.RULINGS,
        "api/v1/tables/1/inputs?from=1&to=2": Reads.RULINGS,
        "api/v1/nothing-yet": Reads.RULINGS,
    }
    async with (
        serving(app, "127.0.0.1", 0) as address,
        ClientSession(headers={"Authorization": encode_basic_auth(role, f"of-{role}")}) as http,
    ):
        for path, reads in asked.items():
            async with http.get(address + path) as answer:
                refused = answer.status == 403
                assert refused == (reads not in ROLES[role].reads), f"{role} {path}"


@pytest.mark.parametrize("role", [r for r in ROLES if Reads.GAMES in ROLES[r].reads])
@pytest.mark.parametrize("path", ["live/pgn/1.pgn", "live/pgn/round-3.pgn"])
async def test_who_reads_no_rulings_reads_none_in_a_pgn(role: str, path: str) -> None:
    """A producer read there who was accused of what, and what was made of it."""
    app = live_app(hall())
    app.middlewares.append(login_wall(EVERYBODY, WallClock()))
    async with (
        serving(app, "127.0.0.1", 0) as address,
        ClientSession(headers={"Authorization": encode_basic_auth(role, f"of-{role}")}) as http,
        http.get(address + path) as answer,
    ):
        told = "with rulings" in await answer.text()
    assert told == (Reads.RULINGS in ROLES[role].reads)


@pytest.mark.parametrize("role", ROLES)
async def test_a_role_does_over_http_what_the_table_says(role: str) -> None:
    desk = PaperDesk()
    app = live_app(hall(desk))
    # With a chief arbiter among the people no arbiter stands in.
    app.middlewares.append(login_wall(EVERYBODY, WallClock()))
    async with (
        serving(app, "127.0.0.1", 0) as address,
        ClientSession(headers={"Authorization": encode_basic_auth(role, f"of-{role}")}) as http,
    ):
        for deed in DEEDS:
            order = sample(deed)
            path = "api/v1/commands" if order["action"] == "round" else "api/v1/tables/1/commands"
            before = len(desk.commands)
            async with http.post(address + path, json=order) as answer:
                refused = answer.status == 403
                words = await answer.text()
            assert refused == (deed not in ROLES[role].does), f"{role} {deed}: {words}"
            assert (len(desk.commands) > before) != refused
    for _, command, user in desk.commands:
        assert command.by == user == role, "who signed in is named without having said it"


@pytest.mark.parametrize("role", ROLES)
def test_the_door_of_mqtt_asks_the_same_table(role: str) -> None:
    for deed in DEEDS:
        command = read_command({**sample(deed), "by": role})
        assert (refusal(role, ROLES[role], command) == "") == (deed in ROLES[role].does)


def test_an_arbiter_stands_in_for_the_chief_where_there_is_none() -> None:
    alone = People((Account("ana", "arbiter", "queen"),))
    led = People((*alone.accounts, Account("eve", "chief-arbiter", "king")))

    assert alone.role("ana") == CHIEF
    assert led.role("ana") == ROLES["arbiter"]
    assert role_of("technician", has_chief=False) == ROLES["technician"]


def test_who_reads_no_rulings_subscribes_to_none() -> None:
    for role in ROLES.values():
        if Reads.RULINGS in role.reads:
            continue
        for topic in readable(role, "ana"):
            assert "rulings" not in topic
            assert "command" not in topic
            assert topic not in ("#", "tables/#", "tables/+/#")
    assert readable(ROLES["spectator"], "ana") == ("public/#",)
    assert writable(ROLES["spectator"], "ana") == writable(ROLES["producer"], "ana") == ()


def test_brokers_and_streams_keep_the_same_topics_from_who_reads_no_rulings() -> None:
    """The broker asks `TOPICS`, streams and pages `is_of_rulings`: a new topic is in both."""
    below = "arbiterd/{hall}/"
    for name, address, _, _ in CHANNELS:
        topic = address.removeprefix(below).replace("{table}", "+")
        if not topic.startswith("public/"):
            assert (topic in TOPICS[Reads.GAMES]) != is_of_rulings(topic), name
