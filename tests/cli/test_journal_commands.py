"""`arbiterd journal`: what it proves, shows and hands on."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from arbiterd.journal.export import export
from arbiterd.journal.rows import Batch, InputRow, OutputRow
from arbiterd.laws.act import Act
from arbiterd.table.inputs import ServiceStarted
from arbiterd.table.player import Player
from arbiterd.table.setup import TableSetup
from broadcast.hands import Hands, write
from cli.test_commands import arbiterd


@pytest.fixture
async def journal(tmp_path: Path, opened) -> Path:
    """A journal with players and arbiters in it."""
    path = tmp_path / "journal.db"
    items = (
        TableSetup(
            table="1",
            white="Ada Adams",
            black="Bob Brown",
            white_player=Player("WGM", 2345, 1234567, "UTO", "Gambit Club"),
        ),
        ServiceStarted(2, "0"),
        Act(3, "start-game", "Cy Clark", user="cyclark", white="Di Davis", black="Ed Evans"),
        Act(4, "report", "Cy Clark", note="Ada Adams shouted"),
    )
    async with opened(path) as written:
        for item in items:
            number = written.next_input()
            payload = json.dumps({"by": "Cy Clark", "white": "Ada Adams", "color": "white"})
            row = OutputRow(
                number, number, "1", number, "reply/cyclark", None, False, number, payload.encode()
            )
            written.next_output()
            written.write(Batch((InputRow(number, number, "1", item),), (row,)))
    return path


def test_verify_says_whole_or_names_the_row(journal: Path) -> None:
    whole = arbiterd("journal", "verify", journal)
    assert whole.returncode == 0
    assert "whole, 4 inputs and 4 outputs" in whole.stdout
    seal = whole.stdout.split()[-1]
    assert arbiterd("journal", "verify", journal, "--seal", seal).returncode == 0

    with sqlite3.connect(journal) as db:
        (body,) = db.execute("SELECT body FROM input WHERE number = 1").fetchone()
        db.execute("UPDATE input SET body = ? WHERE number = 1", (body.replace(b"Ada", b"Eve"),))
    broken = arbiterd("journal", "verify", journal)
    assert broken.returncode == 1
    assert "input 1: it is not as it was written" in broken.stderr


def test_a_tail_that_was_cut_off_with_its_seal_is_proven_by_the_noted_one(journal: Path) -> None:
    noted = arbiterd("journal", "verify", journal).stdout.split()[-1]
    with sqlite3.connect(journal) as db:
        db.execute("DELETE FROM output WHERE number = 4")
        db.execute(
            "UPDATE chain SET last = 3, seal = (SELECT seal FROM output WHERE number = 3)"
            " WHERE name = 'output'"
        )

    said = arbiterd("journal", "verify", journal)
    assert said.returncode == 1
    assert "output 4: it was published, and the journal ends at 3" in said.stderr
    journal.with_name(f"{journal.name}.head").unlink()
    assert arbiterd("journal", "verify", journal).returncode == 0
    assert arbiterd("journal", "verify", journal, "--seal", noted).returncode == 1


async def test_a_journal_that_has_grown_since_still_has_the_noted_seal(
    journal: Path, opened
) -> None:
    """A technician noted the seal at night; after the next round the journal was accused."""
    noted = arbiterd("journal", "verify", journal).stdout.split()[-1]
    async with opened(journal) as written:
        number = written.next_input()
        written.write(Batch((InputRow(number, number, "1", ServiceStarted(9, "0")),)))

    said = arbiterd("journal", "verify", journal, "--seal", noted)
    assert said.returncode == 0
    assert "whole, 5 inputs and 4 outputs" in said.stdout
    assert "it goes on from the noted seal: input 4, output 4" in said.stdout
    other = arbiterd("journal", "verify", journal, "--seal", "1" * 64)
    assert other.returncode == 1
    assert "it never had the noted seal" in other.stderr
    misread = arbiterd("journal", "verify", journal, "--seal", noted[:-1])
    assert misread.returncode == 2
    assert "is no seal; write the 64 letters and digits" in misread.stderr


def test_show_tells_what_came_in_and_what_was_made_of_it(journal: Path) -> None:
    said = arbiterd("journal", "show", journal, "--table", "1").stdout.splitlines()
    assert len(said) == 8
    assert "1 TableSetup" in said[0]
    assert "> reply/cyclark" in said[1]
    unknown = arbiterd("journal", "show", journal, "--table", "9")
    assert unknown.returncode == 2
    assert "it has 1" in unknown.stderr


def test_export_without_names_has_none(journal: Path) -> None:
    whole = arbiterd("journal", "export", journal).stdout
    bare = arbiterd("journal", "export", journal, "--without-names").stdout

    assert len(whole.splitlines()) == len(bare.splitlines()) == 8
    assert all(json.loads(line) for line in whole.splitlines())
    people = ("Ada", "Bob", "Cy", "Di Davis", "Ed Evans", "cyclark", "shouted")
    for name in (*people, "WGM", "2345", "1234567", "UTO", "Gambit"):
        assert name in whole
        assert name not in bare
    assert '"color":"white"' in bare
    first = json.loads(bare.splitlines()[0])["said"]
    assert (first["white"], first["black"]) == ("player 1", "player 2")


async def test_who_decided_first_is_no_name_in_an_export_without_names(
    tmp_path: Path, opened
) -> None:
    """Who came second was told "Ada confirmed it at 10:31:07 UTC", and that answer is a row."""
    hands = Hands(TableSetup(table="1"))
    hands.play("e2e4", "e7e5")
    hands.carry("h1", "h5")
    hands.press()
    hands.wait(20)
    for client in ("one", "two"):
        hands.act("confirm", ruling="illegal-first", id=client)
    async with opened(tmp_path / "journal.db") as journal:
        write(journal, [hands])
        await journal.synced()
        whole, bare = (b"".join(export(journal.read, names=names)) for names in (True, False))

    assert b"Ada confirmed it at" in whole
    assert b"Ada" not in bare


def test_a_journal_that_is_not_there_is_wrong_use(tmp_path: Path) -> None:
    for words in (("journal", "verify"), ("journal", "show"), ("journal", "export")):
        said = arbiterd(*words, tmp_path / "none.db")
        assert said.returncode == 2
        assert "there is no journal at" in said.stderr
        said = arbiterd(*words, tmp_path)
        assert (said.returncode, "is a folder; name the journal in it" in said.stderr) == (2, True)
    said = arbiterd("pgn", "--round", "1", tmp_path / "none.db")
    assert said.returncode == 2
