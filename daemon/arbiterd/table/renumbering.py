"""Two accounts of the same rulings made one: those that were told keep their numbers.

A ruling that was raised in both accounts is the same if its kind and its cause are, in order. One
that only the new account has takes the next number; no number is ever used for two rulings.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

import msgspec
from msgspec.structs import replace

from arbiterd.laws.case.casefile import CaseFile, Closed, OpenRuling
from arbiterd.laws.docket.attending import SHELVED
from arbiterd.laws.ruling import Ruling, RulingState

UNDONE = (RulingState.OPEN, RulingState.CONFIRMED, RulingState.DISMISSED)
"""What readers must hear of where the ruling would not have been."""


def merged(
    told: CaseFile, new: CaseFile, first: int, heard: Mapping[int, Ruling]
) -> tuple[CaseFile, tuple[Ruling, ...]]:
    """The new account with the numbers of what was told, and what is to be told of it.

    Rulings with numbers before `first` are the same in both. `heard`: as readers have each, by
    number; of those that are not in it nobody has heard, or nothing can be new.
    """
    numbers, following = _numbers(told, new, first)
    known = dict(heard)
    news: list[Ruling] = []

    def renumbered(ruling: Ruling) -> Ruling:
        ruling = replace(ruling, number=numbers[ruling.number])
        before = known.pop(ruling.number, None)
        if before is not None:
            same = _bytes(replace(ruling, revision=before.revision)) == _bytes(before)
            revision = before.revision if same else max(before.revision, ruling.revision) + 1
            ruling = replace(ruling, revision=revision)
            if same:
                return ruling
        news.append(ruling)
        return ruling

    closed = tuple(replace(one, ruling=renumbered(one.ruling)) for one in new.closed)
    open_ = tuple(replace(one, ruling=renumbered(one.ruling)) for one in new.open)
    gone = [
        replace(ruling, state=RulingState.SUPERSEDED, revision=ruling.revision + 1)
        for number, ruling in known.items()
        if number >= first and ruling.state in UNDONE
    ]
    file = replace(
        new, open=open_, closed=closed, next_number=following, wakes=_wakes(new, numbers)
    )
    return file, (*gone, *news)


def _all(file: CaseFile) -> Iterator[OpenRuling | Closed]:
    every: list[OpenRuling | Closed] = [*file.closed, *file.open]
    yield from sorted(every, key=lambda one: one.ruling.number)


def _bytes(ruling: Ruling) -> bytes:
    return msgspec.json.encode(ruling)


def _numbers(told: CaseFile, new: CaseFile, first: int) -> tuple[dict[int, int], int]:
    """The number of each ruling of the new account, and the next that is free."""
    free: dict[tuple[str, str], list[int]] = defaultdict(list)
    for one in _all(told):
        if one.ruling.number >= first:
            free[one.ruling.kind, one.cause].append(one.ruling.number)
    following, numbers = max(told.next_number, new.next_number), {}
    for one in _all(new):
        number = one.ruling.number
        same = free[one.ruling.kind, one.cause] if number >= first else [number]
        if same:
            numbers[number] = same.pop(0)
        else:
            numbers[number], following = following, following + 1
    return numbers, following


def _wakes(file: CaseFile, numbers: dict[int, int]) -> tuple[tuple[int, str], ...]:
    """A ruling that is shelved is woken by its number."""

    def renamed(name: str) -> str:
        number = name.removeprefix(SHELVED)
        if not name.startswith(SHELVED) or int(number) not in numbers:
            return name
        return f"{SHELVED}{numbers[int(number)]}"

    return tuple(sorted((at_ns, renamed(name)) for at_ns, name in file.wakes))
