"""The sound for new alerts, as browsers let a page make it: after a tap or a key."""

from __future__ import annotations

import pytest
from playwright.async_api import Page, expect

from paper.hall import ruling

pytestmark = pytest.mark.asyncio(loop_scope="module")

STRICT = """
    localStorage.setItem("arbiterd.sound", "yes");
    window.tones = [];
    let running = false;
    let waiting = [];
    window.AudioContext = class {
        currentTime = 0;
        async resume() {
            running ||= window.event?.isTrusted ?? false;
            if (!running) return new Promise((resolve) => waiting.push(resolve));
            for (const resolve of waiting.splice(0)) resolve();
        }
        createOscillator() {
            const frequency = {};
            const start = () => window.tones.push(`${frequency.value} ${running}`);
            return { frequency, start, stop() {}, connect: (next) => next };
        }
        createGain() {
            const gain = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };
            return { gain, connect: (next) => next };
        }
    };
"""
"""A browser whose sound begins within a tap or a key alone, as an iPad's does. `tones`: in hertz,
and whether they could be heard; what is started before sounds together then."""


async def test_sound_comes_back_with_the_first_tap_after_a_reload(hall, page: Page) -> None:
    """The switch was on and nothing to be heard until it was set off and on again."""
    await page.add_init_script(STRICT)
    await page.reload()
    await page.locator(".link.live").wait_for()
    for number in (51, 52):
        said = ruling("2", number, "illegal-move", 1, f"Alert {number}.")
        hall.live.retain(f"tables/2/rulings/{said['id']}", said)
        await expect(page.locator(".alert", has_text=f"Alert {number}.")).to_be_visible()
    assert await page.evaluate("window.tones") == []

    await page.locator("h2").first.click()
    await page.wait_for_function("window.tones.length > 0")
    assert await page.evaluate("window.tones") == ["880 true", "660 true", "880 true"]
