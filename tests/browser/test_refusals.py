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


async def test_the_technician_is_called_in_the_language_of_the_page(hall, browser: Browser) -> None:
    """Also for two things at once, in which other sentences stand."""
    hall.ill = (
        "the journal cannot be written (disk full); make room on its disk, or see that it may be"
        " written – until then no move and no alert is shown, and nothing of them is lost\n"
        "the way to the broker stands still; it is begun again"
    )
    page = await browser.new_page(locale="es-ES")
    await page.goto(hall.address)
    await expect(page.locator(".ill")).to_have_text(
        "Llame al técnico: no se puede escribir el diario (disk full); haga sitio en su disco, o"
        " vea que se pueda escribir en él – hasta entonces no se muestra ninguna jugada ni ningún"
        " aviso, y nada de ello se pierde; se ha parado el camino al bróker; se inicia otra vez"
    )
    hall.ill = ""
    await page.close()


async def test_what_a_round_lacks_is_read_in_the_language_of_the_page(
    hall, browser: Browser
) -> None:
    found = {
        "table 4: 2 alerts are not decided": "mesa 4: 2 avisos sin decidir",
        "table 4: the clock of White shows 0:59:00, the rate says 1:30:00":
            "mesa 4: el reloj de las blancas muestra 0:59:00, el ritmo dice 1:30:00",
        "table 4: its board is lost; look at its cable and its battery":
            "mesa 4: su tablero está perdido; mire su cable y su batería",
        "tables 1, 2: what is public is 1 minute 30 seconds behind":
            "mesas 1, 2: lo público va 1 minuto 30 segundos por detrás",
        "table 4: Ana – nobody: no game is played there now":
            "mesa 4: Ana – nadie: ahí ya no se juega ninguna partida",
    }  # fmt: skip
    page = await browser.new_page(locale="es-ES")
    await page.goto(hall.address)
    told = await page.evaluate(
        """async (sentences) => {
            const { speak, translated } = await import("/web/language.js");
            await speak("es");
            return sentences.map(translated);
        }""",
        list(found),
    )
    assert told == list(found.values())
    await page.close()


async def test_what_is_wrong_with_a_board_is_read_in_the_language_of_the_page(
    hall, browser: Browser
) -> None:
    """Its faults, its coils, and what the service found in its journal were told in English."""
    said = hall.live.decoded("tables/2/device")
    sensors = [
        {"square": "e4", "piece": None, "times": 6, "hours": 2.5, "weak": True,
         "words": "lost its piece 5 times, showed its piece late once"},
        {"square": None, "piece": "N", "times": 4, "hours": 2.5, "weak": False,
         "words": "read wrongly on several squares: its chip"},
    ]  # fmt: skip
    faults = ["serial:/dev/ttyACM1: no answer for 3 s", "/dev/ttyACM1 was unplugged (I/O error)"]
    hall.live.retain("tables/2/device", said | {"faults": faults, "sensors": sensors})
    note = (
        "inputs 7, 9–12 of the journal are missing; numbers go on behind them;"
        " arbiterd journal verify names each row"
    )
    hall.live.retain("status", hall.live.decoded("status") | {"notes": [note]})

    page = await browser.new_page(locale="es-ES")
    await page.goto(f"{hall.address}#/table/2")
    seen = page.locator("footer.device")
    away = "serial:/dev/ttyACM1: sin respuesta desde hace 3 s"
    await expect(seen).to_contain_text(f"{away}; se desconectó /dev/ttyACM1 (I/O error)")
    await expect(seen).to_contain_text(
        "e4 perdió su pieza 5 veces, mostró tarde su pieza una vez en 2.5 h;"
        " un caballo blanco se lee mal en varias casillas: su chip en 2.5 h"
    )
    await page.goto(f"{hall.address}#/devices")
    await expect(page.locator("tr.ok").filter(has_text="ttyACM1")).to_contain_text(away)
    await page.goto(f"{hall.address}#/round")
    await expect(page.locator(".note.odd").first).to_have_text(
        "faltan las entradas 7, 9–12 del diario; la numeración sigue tras ellas;"
        " arbiterd journal verify nombra cada fila"
    )
    await page.close()


async def test_no_refusal_is_taken_for_another(hall, browser: Browser) -> None:
    spanish = json.loads((WEB / "languages/es.json").read_text())
    refusals = spanish["refusals"] | spanish["told"] | spanish["devices"]
    page = await browser.new_page(locale="es-ES")
    await page.goto(hall.address)

    def filled(text: str) -> str:
        return re.sub(r"\{(\d)\}", r"«\1»", text)

    told = await page.evaluate(
        """async (sentences) => {
            const { speak, translated } = await import("/web/language.js");
            await speak("es");
            const spanish = sentences.map(translated);
            await speak("en");
            return [spanish, sentences.map(translated)];
        }""",
        [filled(text) for text in refusals],
    )
    assert told == [[*map(filled, refusals.values())], [*map(filled, refusals)]]
    await page.close()
