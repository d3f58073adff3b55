"""Ways in which a journal on a disk can be wrong, each drawn by a seed."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random

from arbiterd.edges.store import PAGE
from arbiterd.journal.seal import COLUMNS, seal

Deed = Callable[[Path, Random], str]
"""Damages the journal at a path; says what it did."""


def beside(path: Path, end: str) -> Path:
    return path.with_name(path.name + end)


def rows(path: Path, *statements: tuple[str, tuple[object, ...]]) -> None:
    db = sqlite3.connect(path)
    for statement, values in statements:
        db.execute(statement, values)
    db.commit()
    # Nobody tidies up after the deed: what was in the log stays there.
    db.close()


def last(path: Path, chain: str) -> int:
    db = sqlite3.connect(path)
    (number,) = db.execute(f"SELECT max(number) FROM {chain}").fetchone()
    db.close()
    return int(number)


def alone(path: Path, chain: str, up_to: int) -> int:
    """The newest row up to there that stands in no block."""
    db = sqlite3.connect(path)
    (number,) = db.execute(
        f"SELECT max(number) FROM {chain} WHERE number <= ?", (up_to,)
    ).fetchone()
    db.close()
    return int(number)


def flipped(file: Path, dice: Random, bits: int, begin: int = 0, end: int | None = None) -> str:
    data = bytearray(file.read_bytes())
    if not data:
        return "an empty file"
    places = [dice.randrange(begin, min(end or len(data), len(data))) for _ in range(bits)]
    for place in places:
        data[place] ^= 1 << dice.randrange(8)
    file.write_bytes(data)
    return f"{bits} bits of {file.suffix} at {places[:3]}"


def bits(path: Path, dice: Random) -> str:
    return flipped(path, dice, dice.choice((1, 1, 2, 8, 64)))


def first_page(path: Path, dice: Random) -> str:
    return flipped(path, dice, dice.choice((1, 4, 32)), 0, dice.choice((20, 100, PAGE)))


def page(path: Path, dice: Random) -> str:
    pages = path.stat().st_size // PAGE
    number = dice.randrange(pages)
    with path.open("r+b") as file:
        file.seek(number * PAGE)
        file.write(dice.choice((bytes(PAGE), dice.randbytes(PAGE))))
    return f"page {number + 1} of {pages}"


def truncated(path: Path, dice: Random) -> str:
    size = dice.randrange(path.stat().st_size)
    with path.open("r+b") as file:
        file.truncate(size)
    return f"cut to {size} bytes"


def log_gone(path: Path, dice: Random) -> str:
    beside(path, "-wal").unlink(missing_ok=True)
    beside(path, "-shm").unlink(missing_ok=True)
    return "the write-ahead log is gone"


def log_cut(path: Path, dice: Random) -> str:
    log = beside(path, "-wal")
    size = dice.randrange(max(1, log.stat().st_size))
    with log.open("r+b") as file:
        file.truncate(size)
    return f"the write-ahead log cut to {size} bytes"


def log_bits(path: Path, dice: Random) -> str:
    return flipped(beside(path, "-wal"), dice, dice.choice((1, 8)))


def row_altered(path: Path, dice: Random) -> str:
    chain = dice.choice(("input", "input", "output"))
    number = dice.randint(1, last(path, chain))
    column, value = dice.choice(
        {
            "input": (
                ("body", b'{"at_ns":1'),
                ("body", b'{"at_ns":' + b"9" * 400 + b"}"),
                ("body", b"[" * 50_000),
                ("body", b'{"at_ns":1,"square":99,"piece":"\xed\xa0\x80"}'),
                ("kind", "Tea"),
                ("kind", "Scan"),
                ("table_name", "2"),
                ("table_name", "nobody's"),
                ("seal", bytes(32)),
                ("raw", b"other"),
            ),
            "output": (
                ("payload", b"{"),
                ("payload", b"\xff\xfe"),
                ("topic", "rulings/x"),
                ("seq", 1 << 40),
                ("place", -1),
                ("input", 1 << 40),
                ("table_name", "3"),
            ),
        }[chain]
    )
    rows(path, (f"UPDATE {chain} SET {column} = ? WHERE number = ?", (value, number)))
    return f"{chain} {number}: {column} is {str(value)[:30]}"


def time_stamp(path: Path, dice: Random) -> str:
    chain = dice.choice(("input", "output"))
    newest = last(path, chain)
    number = dice.choice((newest, dice.randint(1, newest)))
    at_ns = dice.choice((0, -(1 << 62), (1 << 63) - 1, 4_102_444_800_000_000_000))
    rows(path, (f"UPDATE {chain} SET at_ns = ? WHERE number = ?", (at_ns, number)))
    return f"{chain} {number} is of {at_ns} ns"


def rows_removed(path: Path, dice: Random) -> str:
    chain = dice.choice(("input", "output"))
    number, sign = dice.randint(1, last(path, chain)), dice.choice(("=", ">=", "<="))
    rows(path, (f"DELETE FROM {chain} WHERE number {sign} ?", (number,)))
    return f"{chain}s {sign} {number} removed"


def chain_altered(path: Path, dice: Random) -> str:
    chain = dice.choice(("input", "output"))
    statement = dice.choice(
        (
            "DELETE FROM chain WHERE name = ?",
            "UPDATE chain SET last = last - 5 WHERE name = ?",
            "UPDATE chain SET last = last + 1000 WHERE name = ?",
            "UPDATE chain SET last = 4611686018427387904 WHERE name = ?",
            "UPDATE chain SET seal = zeroblob(32) WHERE name = ?",
            "UPDATE chain SET first = 3 WHERE name = ?",
        )
    )
    rows(path, (statement, (chain,)))
    return f"{statement} ({chain})"


def tail_forged(path: Path, dice: Random) -> str:
    """The newest rows removed with the end of their chain put right: only the head shows it."""
    chain = dice.choice(("input", "output"))
    number = alone(path, chain, last(path, chain) - dice.randint(1, 5))
    sealed = f"(SELECT seal FROM {chain} WHERE number = ?)"
    rows(
        path,
        (f"DELETE FROM {chain} WHERE number > ?", (number,)),
        (
            f"UPDATE chain SET last = ?, seal = {sealed} WHERE name = ?",
            (number, number, chain),
        ),
    )
    return f"{chain}s > {number} removed, the chain made to fit"


def checkpoint(path: Path, dice: Random) -> str:
    statement = dice.choice(
        (
            "UPDATE checkpoint SET body = zeroblob(40) WHERE table_name = ?",
            "UPDATE checkpoint SET input = input + 3 WHERE table_name = ?",
            "UPDATE checkpoint SET place = 0 WHERE table_name = ?",
            "DELETE FROM checkpoint WHERE table_name = ?",
        )
    )
    rows(path, (statement, (str(dice.randint(1, 4)),)))
    return statement


def cursor(path: Path, dice: Random) -> str:
    value = dice.choice((0, 1 << 60, -5))
    rows(path, ("UPDATE cursor SET number = ?", (value,)))
    return f"cursors at {value}"


def head(path: Path, dice: Random) -> str:
    file = beside(path, ".head")
    deed = dice.choice(("gone", "bits", "empty", "rubbish"))
    if deed == "gone":
        file.unlink()
    elif deed == "bits":
        flipped(file, dice, 8, 0, 400)
    else:
        file.write_bytes(b"" if deed == "empty" else dice.randbytes(9000))
    return f"the noted end: {deed}"


def gone(path: Path, dice: Random) -> str:
    if dice.random() < 0.5:
        path.write_bytes(b"")
        log_gone(path, dice)
        return "the file is empty"
    path.unlink()
    log_gone(path, dice)
    return "the file is gone"


def unknown_value(path: Path, dice: Random) -> str:
    """Written and sealed by a version that knows more, or that looked less closely."""
    number = dice.randint(5, last(path, "input"))
    kind, body = dice.choice(
        (
            ("Telepathy", b"{}"),
            ("SquareChange", b'{"at_ns":1,"square":1e999,"piece":"P"}'),
            ("Act", b'{"at_ns":1,"action":"set-clock","by":"x","white_ms":1' + b"0" * 60 + b"}"),
            (
                "Act",
                b'{"at_ns":1,"action":"x","by":"y","changes":' + b"[" * 9000 + b"]" * 9000 + b"}",
            ),
        )
    )
    db = sqlite3.connect(path)
    db.execute("UPDATE input SET kind = ?, body = ? WHERE number = ?", (kind, body, number))
    (before,) = db.execute("SELECT before FROM chain WHERE name = 'input'").fetchone()
    for *fields, _ in db.execute(
        f"SELECT {COLUMNS['input']}, seal FROM input ORDER BY number"
    ).fetchall():
        before = seal(before, fields)
        db.execute("UPDATE input SET seal = ? WHERE number = ?", (before, fields[0]))
    db.execute("UPDATE chain SET seal = ? WHERE name = 'input'", (before,))
    db.commit()
    db.close()
    head_of_none = beside(path, ".head")
    head_of_none.unlink(missing_ok=True)
    return f"input {number} is a {kind}: {body[:40]!r}"


def block(path: Path, dice: Random) -> str:
    """Where old rows are packed: one of their blocks, or all of a chain's."""
    db = sqlite3.connect(path)
    found = [number for (number,) in db.execute("SELECT number FROM block ORDER BY number")]
    db.close()
    if not found:
        return "there is no block"
    statement = dice.choice(
        (
            "UPDATE block SET body = zeroblob(length(body)) WHERE number = ?",
            "UPDATE block SET body = CAST(substr(body, 2) || x'00' AS BLOB) WHERE number = ?",
            "UPDATE block SET first = first + 1, last = last - 1 WHERE number = ?",
            "UPDATE block SET table_name = '?' WHERE number = ?",
            "UPDATE block SET rows = 1000000 WHERE number = ?",
            "DELETE FROM block WHERE number = ?",
            "DELETE FROM block WHERE number >= ?",
        )
    )
    number = dice.choice(found)
    rows(path, (statement, (number,)))
    return f"{statement} ({number} of {len(found)})"


DEEDS: Mapping[str, Deed] = {
    deed.__name__: deed
    for deed in (
        bits, bits, page, first_page, truncated, log_gone, log_cut, log_bits, row_altered,
        time_stamp, rows_removed, chain_altered, tail_forged, checkpoint, cursor, head, gone,
        unknown_value, block,
    )
}  # fmt: skip


def damage(path: Path, seed: int) -> str:
    """One way for each seed; every kind comes as often."""
    name = list(DEEDS)[seed % len(DEEDS)]
    return f"{name}: {DEEDS[name](path, Random(seed))}"
