"""Only this service's own pages, by its own names, may ask."""

from __future__ import annotations

import pytest
from aiohttp import ClientSession
from hypothesis import given
from hypothesis import strategies as st

from arbiterd.outlets.http.doors import host_is_ours
from outlets.http.conftest import NAMED


@pytest.mark.parametrize(
    "host", ["127.0.0.1:8480", "localhost", "localhost:1", "[::1]:8480", "hall-laptop:8480"]
)
async def test_the_services_own_names_are_let_in(hall, http: ClientSession, host: str) -> None:
    answer = await http.get(hall.address + "api/v1/tables", headers={"Host": host})

    assert answer.status == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8480", "localhost.evil.example", "127.0.0.1.evil", ""]
)
@pytest.mark.parametrize("path", ["", "api/v1/tables", "api/v1/events", "metrics", "healthz"])
async def test_a_name_pointed_here_reads_nothing(
    hall, http: ClientSession, host: str, path: str
) -> None:
    answer = await http.get(hall.address + path, headers={"Host": host})

    assert answer.status == 403
    assert "Ana Belmonte" not in await answer.text()


@pytest.mark.parametrize(
    ("method", "path", "status", "named"),
    [
        ("GET", "api/v2/tables", 404, "/api/v2/tables"),
        ("GET", "api/v1/tables/", 404, "/api/v1/tables/"),
        ("DELETE", "api/v1/tables", 405, "DELETE"),
        ("POST", "api/v1/events", 405, "GET"),
        ("GET", "pgn/9.pgn", 404, "table 9"),
        ("GET", "pgn/round-9.pgn", 404, "round 9"),
        ("GET", "web/page.htm", 404, "page.htm"),
    ],
)
@pytest.mark.parametrize("side", ["address", "public_address"])
async def test_what_is_no_route_is_answered_as_routes_answer(
    hall, http: ClientSession, side: str, method: str, path: str, status: int, named: str
) -> None:
    answer = await http.request(method, getattr(hall, side) + path)

    assert answer.status == status
    assert named in (await answer.json())["error"]


@pytest.mark.parametrize("side", ["address", "public_address"])
async def test_both_listeners_have_the_same_doorkeeper(
    hall, http: ClientSession, side: str
) -> None:
    answer = await http.get(getattr(hall, side) + "healthz", headers={"Host": "evil.example"})

    assert answer.status == 403


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1", "x:["])
async def test_another_sites_page_cannot_act(hall, http: ClientSession, origin: str) -> None:
    answer = await http.post(
        hall.address + "api/v1/tables/1/commands",
        json={"action": "pause", "by": "Ana", "id": "1"},
        headers={"Origin": origin},
    )

    assert answer.status == 403
    assert hall.desk.commands == []


async def test_the_services_own_page_can_act(hall, http: ClientSession) -> None:
    answer = await http.post(
        hall.address + "api/v1/tables/1/commands",
        json={"action": "pause", "by": "Ana", "id": "1"},
        headers={"Origin": hall.address.rstrip("/")},
    )

    assert answer.status == 200
    assert [table for table, _, _ in hall.desk.commands] == ["1"]


async def test_a_form_of_another_site_is_no_command(hall, http: ClientSession) -> None:
    answer = await http.post(
        hall.address + "api/v1/tables/1/commands", data='{"action":"pause","by":"x"}'
    )

    assert answer.status == 415
    assert hall.desk.commands == []


async def test_pages_may_load_nothing_from_elsewhere_nor_be_framed(
    hall, http: ClientSession
) -> None:
    answer = await http.get(hall.address)

    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy


@given(st.text())
def test_no_host_raises(host: str) -> None:
    assert host_is_ours(host, frozenset()) in (True, False)


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "//", "http://a]b", "\ufffd"])
async def test_an_origin_that_is_none_is_a_foreign_one(
    hall, http: ClientSession, origin: str
) -> None:
    for address in (hall.address, hall.public_address):
        answer = await http.get(address + "api/v1/tables", headers={"Origin": origin})
        assert answer.status == 403


async def test_a_body_that_is_no_gzip_is_refused_in_a_sentence(hall, http: ClientSession) -> None:
    headers = {"Content-Encoding": "gzip", "Content-Type": "application/json"}
    url = hall.address + "api/v1/commands"
    async with http.post(url, data=b"{}", headers=headers) as answer:
        assert answer.status == 400
        assert "without an encoding" in await answer.text()


@pytest.mark.parametrize("side", ["address", "public_address"])
async def test_a_page_of_others_that_is_named_is_told_it_may_read(
    hall, http: ClientSession, side: str
) -> None:
    """As a browser asks: first whether it may, then for the thing; and a stream, and a refusal."""
    address = getattr(hall, side)
    for path, status in (("api/v1/tables", 200), ("pgn/1.pgn", 200), ("api/v1/no", 404)):
        asked = {"Origin": NAMED, "Access-Control-Request-Headers": "authorization"}
        may = await http.options(address + path, headers=asked)
        assert may.status == 204
        assert "Authorization" in may.headers["Access-Control-Allow-Headers"]
        answer = await http.get(address + path, headers={"Origin": NAMED})
        assert answer.status == status
        assert answer.headers["Access-Control-Allow-Origin"] == NAMED
    async with http.get(address + "api/v1/events", headers={"Origin": NAMED}) as stream:
        assert stream.headers["Access-Control-Allow-Origin"] == NAMED
    other = await http.get(address + "api/v1/tables", headers={"Origin": f"{NAMED}.evil"})
    assert other.status == 403
    assert "Access-Control-Allow-Origin" not in other.headers


@pytest.mark.parametrize(
    ("listens", "host", "told"),
    [
        ("http://0.0.0.0:8481/", "hall-laptop:8480", "http://hall-laptop:8481/"),
        ("https://[::]:8481/", "[::1]:8480", "https://[::1]:8481/"),
        ("http://192.0.2.7:8481/", "hall-laptop:8480", "http://192.0.2.7:8481/"),
        ("http://127.0.0.1:8481/", "localhost:8480", "http://127.0.0.1:8481/"),
        ("http://127.0.0.1:8481/", "hall-laptop:8480", None),
        ("", "localhost:8480", None),
    ],
)
async def test_the_publics_side_is_told_as_whoever_asks_can_reach_it(
    hall, http: ClientSession, listens: str, host: str, told: str | None
) -> None:
    hall.listens = listens
    async with http.get(hall.address + "api/v1/me", headers={"Host": host}) as answer:
        assert (await answer.json())["public"] == told
