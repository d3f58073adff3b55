"""Bugs on purpose: one change of the service each, and the bad day that shows it."""

from __future__ import annotations

from dataclasses import dataclass

from arbiterd.simulation.rehearsal.script import TroubleKind

DEATH = (TroubleKind.KILL, TroubleKind.KILL_AT_SEND)
AT_COMMIT = (TroubleKind.KILL_AT_COMMIT, TroubleKind.POWER)
ASKED = (TroubleKind.ACT,)


@dataclass(frozen=True)
class Bug:
    """In `file`, below the package, `before` becomes `after`."""

    name: str
    file: str
    before: str
    after: str
    day: tuple[TroubleKind, ...]
    seed: int = 1
    boards: int = 1


BUGS = (
    Bug(
        "the cursor moves before the broker confirms",
        "outlets/mqtt/outbox.py",
        "return self.flying[0].number - 1",
        "return self.flying[-1].number",
        (TroubleKind.CUT, TroubleKind.KILL_AT_SEND),
        seed=13,
    ),
    Bug(
        "what was not confirmed is not sent again",
        "outlets/mqtt/outbox.py",
        "known = {name: journal.read.cursor(name) for",
        "known = {name: journal.committed_outputs for",
        (TroubleKind.CUT,),
    ),
    Bug(
        "no retained truth after the broker lost its memory",
        "outlets/mqtt/outlet.py",
        "        await self._put_truth(session)\n",
        "",
        (TroubleKind.FORGETS,),
    ),
    Bug(
        "snapshots are not sent again after a reconnect",
        "outlets/mqtt/outbox.py",
        "        self._count = 0\n",
        "        self._count = journal.snapshots.after(0)[0]\n",
        (TroubleKind.FORGETS,),
        seed=10,
    ),
    Bug(
        "the retained copy of a closed ruling stays",
        "outlets/mqtt/outbox.py",
        "            self._send(alerts, row)\n",
        "            if row.payload:\n                self._send(alerts, row)\n",
        ASKED,
    ),
    Bug(
        "no bound on what flies",
        "outlets/mqtt/outbox.py",
        "IN_FLIGHT = 20\n",
        "IN_FLIGHT = 2000\n",
        (TroubleKind.CUT,),
        boards=4,
    ),
    Bug(
        "a disk that refuses is taken for one that has written",
        "journal/journal.py",
        "            self._refused(error, PUT_BACK if away else MAKE_ROOM)\n"
        "            return False\n",
        "            self._done(count, None)\n            return True\n",
        (TroubleKind.FULL, TroubleKind.REFUSED),
    ),
    Bug(
        "what was written though it was refused is written twice",
        "journal/write.py",
        "        if number <= end.last:\n            continue\n",
        "",
        (TroubleKind.UNANSWERED,),
    ),
    Bug(
        "rows are committed one short",
        "journal/journal.py",
        "inputs, outputs = commit(self._db, batches)",
        "inputs, outputs = commit(self._db, batches[:-1] or batches)",
        DEATH,
    ),
    Bug(
        "a reader is left open",
        "journal/journal.py",
        "            finally:\n                other.close()\n",
        "            finally:\n                pass\n",
        (TroubleKind.SLOW_BROKER,),
    ),
    Bug(
        "seq begins again after a start",
        "table/keeping.py",
        "announcer=Announcer(setup, rules, found.numbering)",
        "announcer=Announcer(setup, rules, Numbering())",
        (TroubleKind.STOP,),
    ),
    Bug(
        "a command that comes twice is done twice",
        "table/books.py",
        "return None if kept is None else Output(*kept)",
        "return None",
        ASKED,
    ),
    Bug(
        "an input behind the checkpoint is left out at a start",
        "hall/tables/seat.py",
        "return Checkpoint(self.name, self.input, self.place",
        "return Checkpoint(self.name, self.input + 1, self.place",
        (TroubleKind.STOP, TroubleKind.KILL),
    ),
    Bug(
        "a table's own time depends on when the loop woke",
        "hall/tables/seat.py",
        "        step = self.table.due(due_ns)\n",
        "        self.table.view.at_ns = due_ns + 500_000_000\n"
        "        step = self.table.due(due_ns)\n",
        (TroubleKind.KILL,),
    ),
    Bug(
        "the clock of a new start may be before the journal",
        "hall/tables/seating.py",
        "    clock.not_before(max(newest_ns, journal.found.at_ns) + 1)\n",
        "",
        (TroubleKind.STEP, TroubleKind.STOP),
    ),
    Bug(
        "of a read that leads to much, the last is kept in memory only",
        "hall/tables/desk.py",
        "outputs = tuple(row for part in folded for row in part.outputs)",
        "outputs = tuple(row for part in folded for row in part.outputs[:1])",
        ASKED,
    ),
    Bug(
        "a disk is tried once",
        "journal/journal.py",
        "            await self._clock.rest(RETRY_S)\n",
        "            self._give_up()\n",
        (TroubleKind.FULL, TroubleKind.REFUSED),
    ),
    Bug(
        "outputs leave before they are on the disk",
        "journal/journal.py",
        "        head = await self._workers.run(LANE, work)\n",
        "        self._recent.add(row for batch in batches for row in batch.outputs)\n"
        "        told = [row.number for batch in batches for row in batch.outputs]\n"
        "        self.committed_outputs = max(told, default=self.committed_outputs)\n"
        "        self.pulse.beat()\n"
        "        head = await self._workers.run(LANE, work)\n",
        AT_COMMIT,
        seed=29,
    ),
    Bug(
        "commits are left to the kernel to sync",
        "edges/store.py",
        "PRAGMA synchronous = FULL",
        "PRAGMA synchronous = NORMAL",
        AT_COMMIT,
    ),
)
