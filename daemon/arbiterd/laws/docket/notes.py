"""How long a note stays open: urgency 3 is told, calls nobody, and is not to fill the list.

A note about a state (a low clock, a piece that cannot be read, an offer) is open as long as the
state holds, and the law that told it closes it. A note about a moment ends `note_s` after it.
"""

from __future__ import annotations

from collections.abc import Iterator

from arbiterd.laws.case.casefile import OpenRuling
from arbiterd.laws.case.scene import Scene
from arbiterd.laws.catalogue import row
from arbiterd.laws.register import Close, Looked, Opinion, Wake, Woken, law
from arbiterd.laws.ruling import NOTE

WAKE = "notes"
SECOND_NS = 1_000_000_000


@law(Looked)
def notes_are_kept_in_view(_: Looked, scene: Scene) -> Iterator[Opinion]:
    """Ask again when the oldest has been there for long enough."""
    momentary = _of_a_moment(scene)
    if momentary and all(name != WAKE for _, name in scene.file.wakes):
        yield Wake(WAKE, min(_ends_ns(held, scene) for held in momentary))


@law(Woken)
def notes_end(fact: Woken, scene: Scene) -> Iterator[Opinion]:
    """What has been there for so long is past: it stays in the journal."""
    if fact.name != WAKE:
        return
    momentary = _of_a_moment(scene)
    for held in momentary:
        if _ends_ns(held, scene) <= fact.at_ns:
            yield Close(held.cause, (held.ruling.kind,))
    later = [_ends_ns(held, scene) for held in momentary]
    later = [ends_ns for ends_ns in later if ends_ns > fact.at_ns]
    if later:
        yield Wake(WAKE, min(later))


def _of_a_moment(scene: Scene) -> list[OpenRuling]:
    return [
        held
        for held in scene.file.open
        if held.ruling.urgency == NOTE and not row(held.ruling.kind).stays
    ]


def _ends_ns(held: OpenRuling, scene: Scene) -> int:
    return held.ruling.cause_to_ns + scene.settings.note_s * SECOND_NS
