"""Why an act is not done, in the language of the page."""

from __future__ import annotations

import json
import re

import pytest
from playwright.async_api import Browser, expect

from browser.seen import first_alert, known
from outlets.http.test_web import WEB

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_refusal_is_read_in_the_language_of_the_page(hall, browser: Browser) -> None:
    """Also where one sentence of it stands within another."""
    hall.desk.refusal = (
        "half-move 3, 'e9e5', does not fit there: "
        "'e9e5' is no move; write UCI or SAN, as e2e4 or e4"
    )
    page = await browser.new_page(locale="es-ES")
    await page.add_init_script("localStorage.setItem('arbiterd.name', 'Ana')")
    await page.goto(hall.address)
    await known(page)
    await first_alert(page).get_by_role("button", name="Confirmar").click()
    said = "La jugada 3, 'e9e5', no encaja ahí: 'e9e5' no es una jugada; escriba como e2e4 o e4."
    await expect(page.locator(".undo.wrong")).to_contain_text(said)
    await page.close()


async def test_no_refusal_is_taken_for_another(hall, browser: Browser) -> None:
    refusals = json.loads((WEB / "languages/es.json").read_text())["refusals"]
    page = await browser.new_page(locale="es-ES")
    await page.goto(hall.address)

    def filled(text: str) -> str:
        return re.sub(r"\{(\d)\}", r"«\1»", text)

    told = await page.evaluate(
        """async (sentences) => {
            const { refused, speak } = await import("/web/language.js");
            await speak("es");
            const spanish = sentences.map(refused);
            await speak("en");
            return [spanish, sentences.map(refused)];
        }""",
        [filled(text) for text in refusals],
    )
    assert told == [[*map(filled, refusals.values())], [*map(filled, refusals)]]
    await page.close()
