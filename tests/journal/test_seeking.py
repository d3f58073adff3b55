"""A table's events are found by their number, however long the journal is."""

from __future__ import annotations

from pathlib import Path

from arbiterd.journal.live import LiveMessages
from arbiterd.journal.rows import Batch, OutputRow

PLAN = "EXPLAIN QUERY PLAN SELECT * FROM output WHERE table_name = ? AND seq > ? ORDER BY seq LIMIT"


async def test_a_timeline_is_read_from_where_it_is_asked_for(tmp_path: Path, opened) -> None:
    async with opened(tmp_path / "journal.db") as journal:
        for seq in range(1, 41):
            number = journal.next_output()
            table, topic = ("1", "moves") if seq % 2 else ("2", "rulings/2-1")
            row = OutputRow(
                number, seq, table, seq, topic, (seq + 1) // 2 if seq % 2 else None, False, 0, b"{}"
            )
            journal.write(Batch(outputs=(row,)))
        await journal.synced()
        live = LiveMessages(journal, ("1", "2"))

        found = await live.timeline("1", 5, 3)
        assert [event.number for event in found] == [11, 13, 15]
        assert await live.timeline("2", 0, 3) == []
        assert [event.number for event in await live.after(36, 10)] == [37, 39]
        (step,) = journal.read._db.execute(f"{PLAN} 3", ("1", 5)).fetchall()
    assert "output_by_seq (table_name=? AND seq>?)" in step[3]


async def test_a_journal_of_before_is_given_the_index(tmp_path: Path, opened) -> None:
    for _ in range(2):
        async with opened(tmp_path / "journal.db") as journal:
            names = [name for (name,) in journal.read._db.execute("SELECT name FROM sqlite_master")]
            assert "output_by_seq" in names
            journal._db.execute("DROP INDEX output_by_seq")
