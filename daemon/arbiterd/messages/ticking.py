"""Whether a clock has only ticked between two messages: whoever has the first knows the second."""

from __future__ import annotations

from msgspec.structs import replace

from arbiterd.messages.payloads import Clock
from arbiterd.timing.arithmetic import TICK_MS

MS = 1_000_000


def only_ticked(
    then: Clock | None, now: Clock | None, passed_ns: int, slack_ms: int = TICK_MS
) -> bool:
    """True where `now` is what `then` shows by itself after that time."""
    if then is None or now is None:
        return then == now
    if (then.running, then.flag) != (now.running, now.flag):
        return False
    for side, was_ms, shows_ms in (
        ("white", then.white_ms, now.white_ms),
        ("black", then.black_ms, now.black_ms),
    ):
        if then.running != side or was_ms is None or shows_ms is None:
            if was_ms != shows_ms:
                return False
        elif abs(max(0, was_ms - passed_ns // MS) - shows_ms) > slack_ms:
            return False
    return True


def ticked(then: Clock, passed_ns: int) -> Clock:
    """What it shows by itself after that time; it stands at nought."""
    passed_ms = passed_ns // MS
    if then.running == "white" and then.white_ms is not None:
        return replace(then, white_ms=max(0, then.white_ms - passed_ms))
    if then.running == "black" and then.black_ms is not None:
        return replace(then, black_ms=max(0, then.black_ms - passed_ms))
    return then
