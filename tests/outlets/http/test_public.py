"""The public side shows what the gate let through, and has no way to anything else."""

from __future__ import annotations

import gc
import re
from importlib.resources import files
from pathlib import Path
from types import FunctionType, MethodType, ModuleType
from typing import Any

import pytest
from aiohttp import ClientSession, web

from arbiterd.outlets.http.public import FILES, Public, public_app
from paper.hall import START, PaperClock, PaperReader, PaperScores, move, ruling, state


async def test_the_public_reads_the_gate_and_not_the_hall(hall, http: ClientSession) -> None:
    hall.live.retain("tables/1/state", state("1", 40, ply=40))
    early = hall.gate.retain("public/tables/1/state", state("1", 3, ply=2))
    hall.gate.tell("public/tables/1/moves", move("1", 3, 2, "e5", "e7e5", START))

    shown = await http.get(hall.public_address + "api/v1/tables/1/state")
    moves = await (await http.get(hall.public_address + "api/v1/tables/1/moves")).json()

    assert await shown.read() == early
    assert [m["san"] for m in moves["moves"]] == ["e5"]


async def test_the_public_is_told_a_game_from_its_beginning(hall, http: ClientSession) -> None:
    """Its timeline is of the present game alone; what was asked before may have been another."""

    async def shown() -> list[str]:
        told = await (await http.get(hall.public_address + "api/v1/tables/1/moves")).json()
        return [m["san"] for m in told["moves"]]

    hall.gate.retain("public/tables/1/state", state("1", game="3-2"))
    hall.gate.tell("public/tables/1/moves", move("1", 4, 1, "d4", "d2d4", START, game="3-2"))
    assert await shown() == ["d4"]

    hall.gate.retain("public/tables/1/state", state("1"))
    hall.gate.tell("public/tables/1/moves", move("1", 1, 1, "e4", "e2e4", START))
    hall.gate.tell("public/tables/1/moves", move("1", 5, 2, "e5", "e7e5", START))
    assert await shown() == ["e4", "e5"]


@pytest.mark.parametrize(
    "path",
    [
        "metrics",
        "api/v1/status",
        "api/v1/rulings",
        "api/v1/tables/1/rulings",
        "api/v1/tables/1/rulings/1-0004",
        "api/v1/tables/1/inputs?from=1&to=2",
        "api/v1/tables/1/device",
        "live/pgn/1.pgn",
        "live/pgn/round-3.pgn",
    ],
)
async def test_what_is_for_arbiters_is_not_there(hall, http: ClientSession, path: str) -> None:
    hall.gate.retain("public/tables/1/state", state("1"))
    hall.live.retain("tables/1/device", state("1"))
    hall.live.retain("tables/1/rulings/1-0004", ruling("1", 4, "illegal-move", 1, "Illegal."))

    assert (await http.get(hall.public_address + path)).status == 404


async def test_the_bare_address_makes_addresses_of_overlays(hall, http: ClientSession) -> None:
    """A producer types the host alone; what comes is the public's page, and not the arbiters'."""
    bare = await http.get(hall.public_address)
    named = await http.get(hall.public_address + "web/overlays.html")

    assert bare.status == named.status == 200
    assert await bare.text() == await named.text()


async def test_the_public_cannot_act(hall, http: ClientSession) -> None:
    hall.gate.retain("public/tables/1/state", state("1"))

    for path in ("api/v1/tables/1/commands", "api/v1/commands"):
        command = {"action": "pause", "by": "x", "tables": "all"}
        assert (await http.post(hall.public_address + path, json=command)).status in (404, 405)

    assert hall.desk.commands == []


async def test_the_public_is_not_told_why_the_service_is_ill(hall, http: ClientSession) -> None:
    hall.ill = "table 3: the reducer stopped"

    answer = await http.get(hall.public_address + "healthz")

    assert (answer.status, await answer.text()) == (503, "ill\n")


async def test_no_reference_leads_from_the_public_application_to_live_state() -> None:
    """Walked over everything the application holds on to, modules and classes apart."""

    class LiveState(PaperReader):
        pass

    live, gate = LiveState(), PaperReader()
    live.retain("tables/1/state", state("1"))
    app = public_app(Public(gate, PaperScores(""), PaperClock(), ill=lambda: ""))

    assert any(held is gate for held in _reachable(app)), "the walk sees what is held"
    assert not any(isinstance(held, LiveState) for held in _reachable(app))
    del live


def _reachable(app: web.Application) -> list[Any]:
    seen: dict[int, Any] = {}
    waiting: list[Any] = [app]
    while waiting:
        held = waiting.pop()
        if id(held) in seen or isinstance(held, ModuleType | type):
            continue
        seen[id(held)] = held
        if isinstance(held, FunctionType):
            waiting += [cell.cell_contents for cell in held.__closure__ or ()]
        elif isinstance(held, MethodType):
            waiting.append(held.__self__)
        else:
            waiting += gc.get_referents(held)
    return list(seen.values())


FOLDER = Path(str(files("arbiterd") / "web"))
WEB = {file.relative_to(FOLDER).as_posix() for file in FOLDER.rglob("*") if file.is_file()}


async def test_the_public_gets_the_overlay_and_no_page_of_the_arbiters(
    hall, http: ClientSession
) -> None:
    """An allow list: whatever else lies in `web/`, and whatever comes to lie there."""
    served = set()
    for name in WEB:
        if (await http.get(hall.public_address + "web/" + name)).status == 200:
            served.add(name)

    assert served == FILES | {name for name in WEB if name.startswith("languages/")}
    assert {"page.html", "app.js", "decide.js", "alerts.js", "evidence.js"} & served == set()


async def test_the_overlay_asks_for_nothing_that_is_not_served() -> None:
    reached, ahead = set(), {"overlay.html", "overlays.html"}
    while ahead:
        name = ahead.pop()
        reached.add(name)
        if Path(name).suffix in {".html", ".css", ".js"} and not name.startswith("vendor"):
            wanted = re.findall(r'"(?:\./|/web/)([^"#]+)"', (FOLDER / name).read_text())
            ahead |= set(wanted) - reached

    assert reached == FILES
