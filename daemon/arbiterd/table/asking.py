"""What the Laws are asked and told of an arbiter's act."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from arbiterd.laws.act import Act, Answer

if TYPE_CHECKING:
    from arbiterd.table.table import Table


def asked(table: Table, act: Act) -> Answer:
    """Claims, results, yes and no: decided by the Laws."""
    answer, decisions = table.docket.act(replace(act, ruling=_named(table, act)), table.scene())
    table.decide(decisions)
    if answer.ruling:
        answer = replace(answer, ruling=f"{table.setup.table}-{int(answer.ruling):04d}")
    return answer


def noted(table: Table, act: Act) -> None:
    """The Laws hear of what was done at the table itself."""
    _, decisions = table.docket.act(act, table.scene())
    table.decide(decisions)


def corrected(table: Table, changed: int, before: int) -> None:
    """Rulings about half-moves that an arbiter corrected are moot; the record had `before`."""
    now = len(table.tracker.record.plies)
    table.decide(table.docket.record_corrected(changed, before, now))


def meant(table: Table, act: Act) -> tuple[str, str] | None:
    """The kind and the cause of the open ruling that an act names."""
    return table.docket.meant(_named(table, act)) if act.ruling else None


def _named(table: Table, act: Act) -> str:
    """The ruling's number where its whole id is given; a kind as it is."""
    prefix = f"{table.setup.table}-"
    named = act.ruling.removeprefix(prefix)
    given = act.ruling.startswith(prefix) and named.isdigit()
    return str(int(named)) if given else act.ruling
