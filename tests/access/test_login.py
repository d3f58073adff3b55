"""Who gets in, and what they may do there."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession, encode_basic_auth, web
from prometheus_client import CollectorRegistry

from arbiterd.access.brake import GUESSES_AT_ONCE, SAID_MAX, Brake, TooManyGuessesError
from arbiterd.access.login import login_wall
from arbiterd.access.people import Account, People, SecretError, read_people
from arbiterd.access.rights import CHIEF, DEEDS
from arbiterd.config import read_text
from arbiterd.edges.real import WallClock
from arbiterd.outlets.http.live import Live, live_app
from arbiterd.outlets.http.server import serving
from paper.hall import PaperClock, PaperDesk, PaperEvidence, PaperReader, PaperScores

PEOPLE = People((Account("ana", "arbiter", "queen"), Account("tv", "viewer", "päwn")))
ANA, TV = encode_basic_auth("ana", "queen"), encode_basic_auth("tv", "päwn")


async def fine(request: web.Request) -> web.Response:
    return web.Response(text=(await request.read()).decode())


async def served(people: People) -> AsyncIterator[str]:
    app = web.Application(middlewares=[login_wall(people, WallClock())])
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
    ("POST", "x", ANA, {}, 200),
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
    (tmp_path / "ana").chmod(0o600)
    text = '[[people]]\nname = "ana"\npassword_file = "ana"\n'
    config = read_text(text, str(tmp_path / "a.toml"))

    assert read_people(config, tmp_path) == People((Account("ana", "arbiter", "queen"),))
    assert "queen" not in repr(read_people(config, tmp_path))
    (tmp_path / "ana").write_text("\n")
    with pytest.raises(SecretError, match="is empty"):
        read_people(config, tmp_path)


@pytest.mark.parametrize("depth", [9, 30_000])
async def test_no_depth_brings_the_wall_down(guarded: str, depth: int) -> None:
    async with ClientSession(headers={"Authorization": ANA}) as http:
        answer = await http.post(guarded + "x", data="[" * depth + "]" * depth)
    assert answer.status == 200, "whoever reads the command says what is wrong with it"


class Stopped(WallClock):
    """Its time is set by hand."""

    at_ns = 0

    def now_ns(self) -> int:
        return self.at_ns


def test_guessing_is_slow_and_locks_nobody_out(caplog: pytest.LogCaptureFixture) -> None:
    clock = Stopped()
    brake = Brake(PEOPLE, clock)
    assert brake.find("10.0.0.7", "ana", "queen") is not None
    for guess in range(GUESSES_AT_ONCE):
        assert brake.find("10.0.0.7", "tv", f"guess-{guess}") is None

    with pytest.raises(TooManyGuessesError):
        brake.find("10.0.0.7", "tv", "päwn")
    assert brake.find("10.0.0.7", "ana", "queen") is not None, "who was in stays in"
    assert brake.find("10.0.0.8", "tv", "päwn") is not None, "others never notice"
    clock.at_ns += 2_000_000_000
    assert brake.find("10.0.0.7", "tv", "päwn") is not None
    assert "a wrong password for login 'tv' from 10.0.0.7" in caplog.text
    assert "guess-0" not in caplog.text


def test_guesses_at_a_login_do_not_lock_out_whoever_was_in_from_there() -> None:
    brake = Brake(PEOPLE, Stopped())
    assert brake.find("10.0.0.7", "ana", "queen") is not None
    for address in ("10.0.0.7", "10.0.0.8"):
        for guess in range(GUESSES_AT_ONCE):
            assert brake.find(address, "ana", f"guess-{guess}") is None

    assert brake.find("10.0.0.7", "ana", "queen") is not None
    with pytest.raises(TooManyGuessesError):
        brake.find("10.0.0.8", "ana", "queen")


def test_names_that_are_nobodys_count_as_one_login() -> None:
    brake = Brake(PEOPLE, Stopped())
    for guess in range(GUESSES_AT_ONCE):
        assert brake.find("10.0.0.7", f"name-{guess}", "queen") is None

    with pytest.raises(TooManyGuessesError):
        brake.find("10.0.0.7", "another", "queen")


def test_guesses_beside_whoever_was_in_do_not_fill_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Each was a line that said that further ones are looked at every two seconds."""
    clock = Stopped()
    brake = Brake(PEOPLE, clock)
    assert brake.find("10.0.0.7", "ana", "queen") is not None

    refused = 0
    for number in range(200):
        try:
            assert brake.find("10.0.0.7", "ana", f"guess-{number}") is None
        except TooManyGuessesError:
            refused += 1

    assert len(caplog.records) == GUESSES_AT_ONCE == 200 - refused
    assert brake.find("10.0.0.7", "ana", "queen") is not None


def test_a_password_that_only_begins_with_the_right_one_is_wrong() -> None:
    longest = "q" * SAID_MAX
    brake = Brake(People((Account("ana", "arbiter", longest),)), Stopped())

    assert brake.find("10.0.0.7", "ana", longest + "q") is None
    assert brake.find("10.0.0.7", "ana", longest) is not None


def test_a_password_in_the_field_of_the_name_is_not_written_down(
    caplog: pytest.LogCaptureFixture,
) -> None:
    Brake(PEOPLE, Stopped()).find("10.0.0.7", "queen", "")
    assert "queen" not in caplog.text
    assert "a wrong password" in caplog.text


@pytest.mark.parametrize(
    ("login", "said"),
    [
        (ANA, {"login": "ana", "role": "arbiter", "acts": True, "does": sorted(CHIEF.does)}),
        (TV, {"login": "tv", "role": "viewer", "acts": False, "does": []}),
        (None, {"login": None, "role": None, "acts": True, "does": sorted(DEEDS)}),
    ],
)
async def test_the_page_is_told_who_is_signed_in(login: str | None, said: dict[str, Any]) -> None:
    scores = PaperScores("")
    live = Live(
        PaperReader(), PaperDesk(), PaperEvidence(), scores, scores, scores, PaperClock(),
        CollectorRegistry(), ill=lambda: "",
    )  # fmt: skip
    app = live_app(live)
    app.middlewares.append(login_wall(PEOPLE if login else People(), WallClock()))
    async with (
        serving(app, "127.0.0.1", 0) as address,
        ClientSession(headers={"Authorization": login} if login else None) as http,
        http.get(address + "api/v1/me") as answer,
    ):
        everything = {"reads": ["public", "games", "rulings"], "halls": [], "public": None}
        assert await answer.json() == said | everything
