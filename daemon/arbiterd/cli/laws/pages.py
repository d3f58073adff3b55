"""The Laws in words: what `arbiterd laws show` prints, and the pages made from the same data."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

from arbiterd.laws.catalogue import ALIASES, EDITION, ROWS, SECTIONS, Row
from arbiterd.laws.catalogue.unseen import unseen
from arbiterd.laws.docket.book import every
from arbiterd.laws.settings import described
from arbiterd.laws.texts import TEXTS
from arbiterd.rules.guadalete_position import Choices
from arbiterd.rules.shogi_choices import ShogiChoices
from arbiterd.tracking.settings import TrackingSettings
from eboards.events import SensingClass

URGENCY = ("journal only", "go now", "look soon", "note")


def explain(asked: str) -> str | None:
    """What is done under an article (older numbers too) or a row. None: nothing."""
    if asked in ROWS:
        return "\n".join(_row(ROWS[asked]))
    article = ALIASES.get(asked, asked)
    rows = [row for row in ROWS.values() if any(_under(a, article) for a in row.articles)]
    settings = [entry for entry in described() if _under(entry[2], article)]
    # A word is an article only where a row says so: functions have all kinds of words in them.
    named = rows or settings or any(letter.isdigit() for letter in article)
    laws = list(_laws(article)) if named else []
    if not rows and not settings and not laws:
        return None
    lines = [f"Article {article}" + (f" (asked as {asked})" if asked != article else "")]
    lines += [f"Edition {EDITION}", ""]
    for row in rows:
        lines += [*_row(row), ""]
    lines += _settings(settings)
    if laws:
        lines += ["Decided in", *(f"  {where}: {what}" for where, what in laws)]
    return "\n".join(lines).rstrip()


def _under(article: str, asked: str) -> bool:
    """7.5 covers 7.5.1 and 7.5.5, and not 7.51."""
    return article == asked or article.startswith(f"{asked}.")


def _row(row: Row) -> list[str]:
    line, detail = TEXTS["en"][row.id]
    lines = [
        row.id,
        f"  {row.what}",
        f"  articles {', '.join(row.articles)}; {row.certainty}; {_urgency(row)}",
        f"  window {row.window}" + (f", under A.5 {row.window_a5}" if row.window_a5 else ""),
    ]
    if row.counts:
        lines.append("  confirmed, it counts towards the second illegal move (7.5.5)")
    if row.entered:
        lines.append("  can be entered by the arbiter" + (f": {row.blind}" if row.blind else ""))
    lines += [f"  cannot be seen on {board}: {why}" for board, _, why in _unseen(row)]
    lines += [f"  says: {line}", f"  {detail}"]
    named = [entry for entry in described() if any(_under(a, entry[2]) for a in row.articles)]
    return lines + [f"  setting {key} = {default}: {meaning}" for key, default, _, meaning in named]


BOARDS = (
    ("a device that reports moves", "moves", SensingClass.MOVES, True),
    ("an occupancy board without a clock", "no clock", SensingClass.OCCUPANCY, False),
    ("an occupancy board", "occupancy", SensingClass.OCCUPANCY, True),
    ("a board that senses colours", "colours", SensingClass.COLOUR, True),
    ("a board that senses kinds without faces", "kinds", SensingClass.KIND, True),
)
"""What a board may be, in a word, its class, and whether a clock is there."""


def _unseen(row: Row) -> Iterator[tuple[str, str, str]]:
    """Boards that cannot show this row, the same in a word, and why."""
    for board, word, kind, clocked in BOARDS:
        why = unseen(row, kind, clocked=clocked)
        if why and row.urgency and not row.blind:
            yield board, word, why


def _urgency(row: Row) -> str:
    return f"urgency {row.urgency} ({URGENCY[row.urgency]})"


def _settings(entries: list[tuple[str, str, str, str]]) -> list[str]:
    if not entries:
        return []
    lines = ["Settings"]
    for key, default, article, meaning in entries:
        lines.append(f"  {key} = {default} ({article}): {meaning}")
    return [*lines, ""]


def _laws(article: str) -> Iterator[tuple[str, str]]:
    """Functions whose docstring names the article, with its first sentence."""
    number = re.compile(rf"(?<![\d.]){re.escape(article)}(?![\d])")
    seen: set[str] = set()
    for function in every():
        text = " ".join((function.__doc__ or "").split())
        where = f"{function.__module__.removeprefix('arbiterd.laws.')}.{function.__name__}"
        if number.search(text) and where not in seen:
            seen.add(where)
            yield where, text


def catalogue_page() -> str:
    """`docs/catalogue.md`."""
    lines = [
        "# Rulings catalogue",
        "",
        f"Every situation that is ruled on, by the Laws {EDITION}. This page is written from the",
        "code by `./arbiterd laws pages docs`; what a ruling looks like is on the contract's page.",
        "",
        "Certainty: *fact* from the sensors, *probable* a proposal that needs one confirmation,",
        "*human* only a person can know. Urgency: 1 go now, 2 look soon, 3 note, 0 journal only.",
        "",
        "*Not on*: boards on which a row cannot be seen and is not told. *moves*: a device that",
        "reports finished moves only; *occupancy*: a board that only counts pieces; *no clock*:",
        "the same without a clock; *colours*: a board that tells white pieces from black ones, no",
        "more; *kinds*: one that tells kinds of pieces, and not which face they show.",
    ]
    for section, title in SECTIONS.items():
        lines += ["", f"## {section}. {title}", ""]
        lines += ["| row | situation | articles | certainty | urgency | window | not on |"]
        lines += ["|" + "---|" * 7]
        lines += [_line(row) for row in ROWS.values() if row.section == section]
    return "\n".join(lines) + "\n"


def _line(row: Row) -> str:
    window = row.window.value if row.window.value != "never" else "–"
    if row.window_a5:
        window += f" (A.5: {row.window_a5})"
    what = row.what + (f" *Entered by people: {row.blind}*" if row.blind else "")
    where = ", ".join(word for _, word, _ in _unseen(row)) or "–"
    articles = ", ".join(row.articles)
    cells = (f"`{row.id}`", what, articles, row.certainty, row.urgency, window, where)
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def settings_page() -> str:
    """`docs/settings.md`."""
    lines = [
        "# Settings of the Laws",
        "",
        "What the Laws leave to the organiser or the chief arbiter, with the article, and what",
        "tracking waits for. They stand in a configuration under `[settings]`, in a scenario under",
        "`settings`. This page is written from the code by `./arbiterd laws pages docs`.",
        "",
        "| key | default | article | meaning |",
        "|---|---|---|---|",
    ]
    lines += [
        f"| `{key}` | `{d}` | {article} | {meaning} |" for key, d, article, meaning in described()
    ]
    lines += ["", "## Tracking", "", "| key | default | meaning |", "|---|---|---|"]
    lines += _rows_of(TrackingSettings)
    for title, choices in (("Shogi", ShogiChoices), ("Ajedrez del Guadalete", Choices)):
        lines += ["", f"## {title}", "", "| key | default | meaning |", "|---|---|---|"]
        lines += _rows_of(choices)
    return "\n".join(lines) + "\n"


def _rows_of(settings: type[Any]) -> Iterator[str]:
    for key, default, meaning in _explained(settings):
        shown = ",".join(default) if isinstance(default, tuple) else str(default)
        shown = shown.lower() if isinstance(default, bool) else shown
        yield f"| `{key}` | `{shown}` | {meaning} |"


def _explained(settings: type[Any]) -> Iterator[tuple[str, object, str]]:
    """Keys, defaults and the sentences under them, as they stand in the source."""
    defaults = settings()
    (body,) = ast.parse(inspect.getsource(settings)).body
    assert isinstance(body, ast.ClassDef), "it is a class"
    for entry, after in pairwise(body.body):
        if isinstance(entry, ast.AnnAssign) and isinstance(entry.target, ast.Name):
            meaning = ""
            if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
                meaning = " ".join(str(after.value.value).split())
            yield entry.target.id, getattr(defaults, entry.target.id), meaning


PAGES: dict[str, Callable[[], str]] = {
    "catalogue.md": catalogue_page,
    "settings.md": settings_page,
}
"""By their names in `docs/`."""
