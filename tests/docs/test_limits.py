"""The page of limits is made from the values that hold."""

from __future__ import annotations

from pathlib import Path

from arbiterd.messages.commands import Command
from arbiterd.service.limits import all_limits, page

PAGE = Path(__file__).parents[2] / "docs" / "limits.md"


def test_the_page_is_what_the_code_holds(bless: bool) -> None:
    if bless:
        PAGE.write_text(page(), encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == page()


def test_every_field_of_a_command_is_on_it() -> None:
    told = {limit.value: limit for limit in all_limits()}
    for field in Command.__struct_fields__:
        assert f"`{field}`" in told
    without = [limit.value for limit in told.values() if limit.bound in ("", "any")]
    assert without == ["`send`", "`preview`"], "what is true or false alone has no bound"
