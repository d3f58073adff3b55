"""What devices call themselves commands no terminal."""

from __future__ import annotations

import pytest
from rich.console import Console

from arbiterd.cli.devices import _show


def test_what_a_board_calls_itself_is_shown_letter_by_letter(
    capsys: pytest.CaptureFixture[str],
) -> None:
    name = "[red]A[/red][link=http://x]\x1b[2J\x07"
    for columns in (60, 300):
        console = Console(width=columns, force_terminal=True, color_system=None)
        with console.capture() as captured:
            _show([("DGT", name, "", "/dev/a", "usb:1", "written", "nothing")], console)
        shown = captured.get() + capsys.readouterr().out
        assert "[red]A[/red]" in shown
        assert "\\x1b[2J" in shown
        assert "\x1b[2J" not in shown
