"""The hall on a terminal's screen: who calls first, then the tables, as many as fit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from rich.console import Group, JustifyMethod, RenderableType
from rich.table import Table
from rich.text import Text

from arbiterd.cli.top.hall import TopHall
from arbiterd.laws.ruling import NOTE
from arbiterd.messages.payloads import Ruling, State
from arbiterd.messages.times import from_rfc3339, rfc3339

MARKS: Final = {1: ("!!", "bold white on red"), 2: ("! ", "bold black on yellow"), 3: ("· ", "dim")}
"""By urgency: a sign as well as a colour."""
TROUBLE_MS: Final = 120_000
"""Less time than this is time trouble, as it is on the page (`web/clocks.js`)."""
DEVICE: Final = {"ok": "", "degraded": "board: look", "lost": "BOARD LOST", "none": "no board"}
ALERTS_SHARE: Final = 3
"""Alerts take a third of the screen at most."""
HEADS: Final = (
    ("", False), ("no", True), ("white", False), ("", True),
    ("black", False), ("", True), ("move", False), ("", False),
)  # fmt: skip
"""Of the tables, and which columns are numbers."""
NAME_MIN, OTHERS = 8, 50
"""Letters that a name has at least, and that all other columns need."""
KEYS: Final = "q quit   ↑ ↓ tables   n notes"
LINKS: Final = {"offline": "its service is gone", "silent": "cut off", "never": "never heard"}


@dataclass(frozen=True, slots=True)
class View:
    """What the person at the terminal has chosen."""

    language: str = "en"
    notes: bool = False
    first: int = 0
    """So many tables are scrolled past."""
    hall: int = 0
    """Which hall: 0 is that of the service, then the others of its event."""


def screen(
    own: TopHall,
    view: View,
    here_ns: int,
    width: int,
    height: int,
    others: Mapping[str, TopHall] = MappingProxyType({}),
) -> RenderableType:
    """All of it, in `height` lines of `width` letters at most: one hall whole, the others a line
    each."""
    names = ["", *others]
    chosen = names[view.hall % len(names)]
    hall = others[chosen] if chosen else own
    beside = [_beside(name, others[name] if name else own, here_ns) for name in names]
    del beside[names.index(chosen)]
    height -= len(beside)
    alerts = [ruling for ruling in hall.alerts() if view.notes or ruling.urgency < NOTE]
    most = max(3, (height - 4) // ALERTS_SHARE)
    shown = _alerts(hall, alerts[:most], view, here_ns)
    left = len(alerts) - most
    more = Text(f"   and {left} more" if left > 0 else "", "dim")
    room = max(1, height - 5 - min(len(alerts), most))
    return Group(
        _head(hall, here_ns, chosen),
        *beside,
        shown,
        more,
        _tables(hall, view, here_ns, width, room),
        Text(f"{KEYS}   h next hall" if others else KEYS, "dim"),
    )


def _beside(name: str, hall: TopHall, here_ns: int) -> Text:
    """A hall that is not shown whole, in a line."""
    name = name or (hall.status.hall if hall.status else "–")
    text = Text(f" {name}  ", "bold", no_wrap=True, overflow="ellipsis")
    if not hall.fresh(here_ns):
        text.append(f"{_old(hall)} ", "bold white on red")
        text.append(" ")
    calls = sorted(ruling.urgency for ruling in hall.rulings.values() if ruling.urgency < NOTE)
    if calls:
        sign, style = MARKS[calls[0]]
        text.append(f"{sign}{len(calls)} call", style)
        text.append("  ")
    lost = sum(state.device == "lost" for state in hall.tables.values())
    if lost:
        text.append(f"{lost} BOARDS LOST" if lost > 1 else "1 BOARD LOST", "bold red")
        text.append("  ")
    short = sum(_short(hall, state, here_ns) for state in hall.tables.values())
    if short:
        text.append(f"{short} in time trouble  ", "red")
    text.append(f"{len(hall.tables)} tables", "dim")
    return text


def _short(hall: TopHall, state: State, here_ns: int) -> bool:
    running = state.clock.running if state.clock else None
    ms = hall.clock_ms(state, running, here_ns) if running else None
    return ms is not None and ms < TROUBLE_MS and state.status == "playing"


def _old(hall: TopHall) -> str:
    """Why another hall is not believed."""
    since = f", last heard {hall.heard[11:19]} UTC" if hall.heard else ""
    return f" {LINKS.get(hall.link, 'nothing heard')}{since}"


def _head(hall: TopHall, here_ns: int, called: str = "") -> Text:
    name = hall.status.hall if hall.status else called or "–"
    text = Text(f" {name}  {rfc3339(hall.now_ns(here_ns))[11:19]} UTC  {len(hall.tables)} tables ")
    text.stylize("reverse")
    if hall.status and hall.status.simulated:
        text.append(" SIMULATED ", "bold black on yellow")
    if hall.link != "live":
        text.append(f"{_old(hall)}: what stands here is old ", "bold white on red")
    elif not hall.fresh(here_ns):
        since = f"for {hall.silent_s(here_ns)} s" if hall.connected else "yet"
        text.append(f" nothing heard {since}: what stands here is old ", "bold white on red")
    notes = sum(ruling.urgency == NOTE for ruling in hall.rulings.values())
    text.append(f"  {notes} notes" if notes else "", "dim")
    return text


def _alerts(hall: TopHall, alerts: list[Ruling], view: View, here_ns: int) -> RenderableType:
    if not alerts:
        return Text("   nobody calls", "dim")
    table = Table.grid(padding=(0, 1))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True, justify="right")
    table.add_column(no_wrap=True, justify="right")
    table.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
    now_ns = hall.now_ns(here_ns)
    for ruling in alerts:
        sign, style = MARKS[ruling.urgency]
        words = ruling.text.get(view.language) or ruling.text["en"]
        coming = f"  ← {ruling.coming.by}" if ruling.coming else ""
        age = _age((now_ns - from_rfc3339(ruling.at)) // 1_000_000_000)
        table.add_row(Text(sign, style), ruling.table, age, words.line + coming)
    return table


def _tables(hall: TopHall, view: View, here_ns: int, width: int, room: int) -> RenderableType:
    table = Table(box=None, padding=(0, 1), header_style="dim", expand=False)
    for head, number in HEADS:
        justify: JustifyMethod = "right" if number else "left"
        # Names give way; clocks, moves and results do not.
        widest = max(NAME_MIN, (width - OTHERS) // 2) if head in ("white", "black") else None
        table.add_column(head, justify=justify, no_wrap=True, overflow="ellipsis", max_width=widest)
    calls = {ruling.table: ruling.urgency for ruling in reversed(hall.alerts())}
    ordered = hall.ordered()
    rows = max(1, room - 1)
    first = min(view.first, max(0, len(ordered) - rows))
    for state in ordered[first : first + rows]:
        sign, style = MARKS.get(calls.get(state.table, 0), ("  ", ""))
        table.add_row(
            Text(sign, style),
            state.table,
            state.white,
            _face(hall, state, "white", here_ns),
            state.black,
            _face(hall, state, "black", here_ns),
            _moved(state),
            _standing(state),
        )
    return table


def _moved(state: State) -> str:
    """`12.e4` after White's twelfth, `12…e5` after Black's."""
    if not state.ply:
        return ""
    full_moves = (state.ply + 1) // 2
    return f"{full_moves}{'.' if state.ply % 2 else '…'}{state.last_move or ''}"


def _standing(state: State) -> Text:
    """What is to be known of a table besides its clocks."""
    if state.standing:
        return Text("catching up" if state.comes_back else "stopped", "bold red")
    words = [state.result or "", "paused" if state.status == "paused" else "", DEVICE[state.device]]
    text = "  ".join(word for word in words if word)
    return Text(
        text, "bold red" if state.device == "lost" else "yellow" if not state.result else ""
    )


def _face(hall: TopHall, state: State, side: str, here_ns: int) -> Text:
    ms = hall.clock_ms(state, side, here_ns)
    if ms is None:
        return Text("–:––", "dim")
    seconds = -(-ms // 1000)
    hours, minutes, rest = seconds // 3600, seconds // 60 % 60, seconds % 60
    face = f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
    clock = state.clock
    if clock is not None and clock.flag in (side, "both"):
        return Text(f"⚑ {face}", "bold white on red")
    running = clock is not None and clock.running == side
    style = "bold" if running else ""
    if ms < TROUBLE_MS and state.status == "playing":
        style = "bold red" if running else "red"
    return Text(f"▸{face}" if running else face, style)


def _age(seconds: int) -> str:
    if seconds < 60:
        return f"{max(0, seconds)} s"
    return f"{seconds // 60} min" if seconds < 3600 else f"{seconds // 3600} h"
