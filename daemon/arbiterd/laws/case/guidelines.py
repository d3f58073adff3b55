"""Guidelines III, games without increment and quickplay finishes: where they apply (III.2)."""

from __future__ import annotations

from arbiterd.laws.case.scene import Scene
from arbiterd.timing.control import Kind


def why_not_guided(scene: Scene) -> str | None:
    """Why Guidelines III are not used in this game; None where they are. They are announced, and
    about standard and rapid play without increment, never about blitz."""
    if not scene.settings.guidelines_iii or scene.rate.kind is Kind.BLITZ:
        return "Guidelines III do not apply here; see the setting guidelines_iii"
    if any(period.increment_ms or period.delay_ms for period in scene.rate.periods):
        return "Guidelines III are for play without increment or delay only"
    return None
