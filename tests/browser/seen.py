"""What tests of the page look for and do time and again."""

from __future__ import annotations

from playwright.async_api import Locator, Page


def card(page: Page, table: str) -> Locator:
    return page.locator(f'a.card[href="#/table/{table}"]')


def first_alert(page: Page) -> Locator:
    return page.locator(".alert").first


async def signed(page: Page, name: str = "Ana") -> None:
    """The name that the page asks for once."""
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Your name").fill(name)
    await dialog.get_by_role("button", name="Go on").click()


async def known(page: Page, name: str = "Ana") -> None:
    """The tablet remembers who has it in hand."""
    await page.evaluate("name => localStorage.setItem('arbiterd.name', name)", name)
