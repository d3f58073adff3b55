"""Which ruling an act means: by its whole id, its number or its kind."""

from __future__ import annotations

from arbiterd.laws.act import Act
from arbiterd.table.state import TableState


def meant(view: TableState, act: Act) -> tuple[str, str] | None:
    """The kind and the cause of the open ruling that an act names."""
    return view.docket.meant(named(view, act)) if act.ruling else None


def named(view: TableState, act: Act) -> str:
    """The ruling's number where its whole id is given; a kind as it is."""
    prefix = f"{view.setup.table}-"
    named = act.ruling.removeprefix(prefix)
    given = act.ruling.startswith(prefix) and named.isascii() and named.isdigit()
    return str(int(named)) if given else act.ruling
