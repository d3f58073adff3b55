"""Who gets in, and what he may do there."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import ClientSession, encode_basic_auth, web

from arbiterd.access.login import login_wall
from arbiterd.access.people import Account, People, SecretError, read_people
from arbiterd.config import read_text
from arbiterd.outlets.http.server import serving

PEOPLE = People((Account("ana", "arbiter", "queen"), Account("tv", "viewer", "päwn")))
ANA, TV = encode_basic_auth("ana", "queen"), encode_basic_auth("tv", "päwn")


async def fine(request: web.Request) -> web.Response:
    return web.Response(text=(await request.read()).decode())


async def served(people: People) -> AsyncIterator[str]:
    app = web.Application(middlewares=[login_wall(people)])
    app.add_routes([web.route("*", "/{path:.*}", fine)])
    async with serving(app, "127.0.0.1", 0) as address:
        yield address


@pytest.fixture
async def guarded() -> AsyncIterator[str]:
    async for address in served(PEOPLE):
        yield address


CASES = [
    ("GET", "", None, None, 401),
    ("GET", "", encode_basic_auth("ana", "pawn"), None, 401),
    ("GET", "", encode_basic_auth("bob", "queen"), None, 401),
    ("GET", "", ANA, None, 200),
    ("GET", "", TV, None, 200),
    ("GET", "healthz", None, None, 200),
    ("POST", "healthz/../x", None, {"by": "ana"}, 401),
    ("POST", "x", ANA, {"by": "ana"}, 200),
    ("POST", "x", ANA, {"by": "bob"}, 403),
    ("POST", "x", ANA, {}, 403),
    ("POST", "x", TV, {"by": "tv"}, 403),
    ("DELETE", "x", TV, None, 403),
]


@pytest.mark.parametrize(("method", "path", "login", "body", "status"), CASES)
async def test_everyone_does_what_he_may(
    guarded: str, method: str, path: str, login: str | None, body: object, status: int
) -> None:
    async with (
        ClientSession(headers={"Authorization": login} if login else None) as http,
        http.request(method, guarded + path, json=body) as answer,
    ):
        assert answer.status == status
        if status == 401:
            assert answer.headers["WWW-Authenticate"].startswith("Basic")


async def test_what_was_looked_at_is_handed_on_whole(guarded: str) -> None:
    async with (
        ClientSession(headers={"Authorization": ANA}) as http,
        http.post(guarded + "x", data=b'{"by":"ana"}') as answer,
    ):
        assert await answer.text() == '{"by":"ana"}'


async def test_without_accounts_nobody_is_asked() -> None:
    async for address in served(People()):
        async with ClientSession() as http, http.post(address, json={"by": "x"}) as answer:
            assert answer.status == 200


def test_people_come_from_the_configuration_and_their_files(tmp_path: Path) -> None:
    (tmp_path / "ana").write_text("queen\nnot this line\n")
    text = '[[people]]\nname = "ana"\npassword_file = "ana"\n'
    config = read_text(text, str(tmp_path / "a.toml"))

    assert read_people(config, tmp_path) == People((Account("ana", "arbiter", "queen"),))
    assert "queen" not in repr(read_people(config, tmp_path))
    (tmp_path / "ana").write_text("\n")
    with pytest.raises(SecretError, match="is empty"):
        read_people(config, tmp_path)
