"""The page that shows other developers how: as it stands in docs/, against a running service."""

from __future__ import annotations

import asyncio
import json
import sys
from asyncio.subprocess import DEVNULL, PIPE
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from aiohttp import web
from playwright.async_api import Browser, expect

from arbiterd.outlets.http.server import serving
from browser.test_other_games import free_port

pytestmark = pytest.mark.asyncio(loop_scope="module")

DOCS = Path(__file__).parents[2] / "docs"
ARBITERD = (sys.executable, "-c", "from arbiterd.cli import main; main()")


@pytest.mark.timeout(120)
async def test_the_tablet_of_the_docs_lists_alerts_and_confirms_one(
    browser: Browser, tmp_path: Path
) -> None:
    mqtt, sockets, http = free_port(), free_port(), free_port()
    app = web.Application()
    app.router.add_static("/", DOCS)
    async with serving(app, "127.0.0.1", 0) as address:
        file = tmp_path / "arbiterd.toml"
        file.write_text(
            f'[journal]\npath = "journal.db"\n[http]\nlisten = "127.0.0.1:{http}"\n'
            f'[mqtt]\nlisten = "127.0.0.1:{mqtt}"\nwebsocket = "127.0.0.1:{sockets}"\n'
            f'origins = ["{address.rstrip("/")}"]\n[[tables]]\ntable = "1"\nruleset = "chess"\n'
        )
        service = await asyncio.create_subprocess_exec(
            *ARBITERD, "run", "--config", str(file), stdout=PIPE, stderr=DEVNULL
        )
        try:
            assert service.stdout is not None
            async for line in service.stdout:
                if line.startswith(b"page"):
                    break
            page = await browser.new_page()
            await page.goto(f"{address}tablet.html?broker=ws://127.0.0.1:{sockets}/mqtt")
            said = {"action": "report", "kind": "conduct-device", "side": "white", "by": "Ana"}
            api = f"http://127.0.0.1:{http}/api/v1/tables/1/commands"
            head = {"Content-Type": "application/json"}
            await asyncio.to_thread(urlopen, Request(api, json.dumps(said).encode(), head))
            alert = page.locator("#alerts li")
            await expect(alert).to_contain_text("Table 1:", timeout=20_000)
            await alert.get_by_role("button").click()
            await expect(alert).to_have_count(0, timeout=20_000)
            await page.close()
        finally:
            service.terminate()
            await service.wait()
