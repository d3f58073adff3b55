"""systemd's inhibitor lock: while it is held the machine neither sleeps nor minds its lid.

The lock is held by a child, `systemd-inhibit … cat`, for as long as its standard input is open.
So it goes with this process however that ends, and `cat` answers a line only once the lock is ours.
"""

from __future__ import annotations

import asyncio
import shutil
from asyncio.subprocess import PIPE, Process

PROGRAM = "systemd-inhibit"
WHAT = "sleep:idle:handle-lid-switch"
PATIENCE_S = 10.0


class Inhibitor:
    """One lock, held or not."""

    def __init__(self, program: str = PROGRAM) -> None:
        self._program = program
        self._holder: Process | None = None

    @property
    def held(self) -> bool:
        return self._holder is not None and self._holder.returncode is None

    async def hold(self, why: str, /) -> str:
        """What hinders it, in a sentence with the mend; empty: nothing does."""
        if self.held:
            return ""
        program = shutil.which(self._program)
        if program is None:
            return _sentence(f"there is no {self._program} on it")
        self._holder = await asyncio.create_subprocess_exec(
            *(program, f"--what={WHAT}", "--who=arbiterd", f"--why={why}", "--mode=block", "cat"),
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
        )
        trouble = await _answered(self._holder)
        if trouble:
            await self.release()
        return trouble

    async def release(self) -> None:
        """The machine may sleep again."""
        holder, self._holder = self._holder, None
        if holder is None:
            return
        assert holder.stdin is not None, "it was begun with a pipe"
        holder.stdin.close()
        try:
            async with asyncio.timeout(PATIENCE_S):
                await holder.wait()
        except TimeoutError:
            holder.kill()
            await holder.wait()


async def _answered(holder: Process) -> str:
    """Waits until the lock is held; else what systemd said."""
    assert holder.stdin is not None
    assert holder.stdout is not None
    assert holder.stderr is not None
    holder.stdin.write(b"\n")
    try:
        async with asyncio.timeout(PATIENCE_S):
            if await holder.stdout.readline():
                return ""
            said = (await holder.stderr.read()).decode(errors="replace")
    except TimeoutError:
        return _sentence("systemd does not answer")
    return _sentence(said.strip().splitlines()[0] if said.strip() else "systemd said no")


def _sentence(why: str) -> str:
    return (
        f"nothing keeps this computer awake during the round ({why}); switch its sleep off, lid"
        " and all, or see docs/technicians.md"
    )
