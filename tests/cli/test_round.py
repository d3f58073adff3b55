"""`arbiterd round`, as an organiser calls it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from arbiterd.cli.round import group as command
from arbiterd.edges.real import FileStore
from arbiterd.journal.rows import Batch, InputRow
from arbiterd.journal.schema import prepare
from arbiterd.table.setup import TableSetup
from broadcast.hands import Hands, write
from hall.test_trf import report


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "hall.toml").write_text(
        '[http]\nlisten = "127.0.0.1:9"\n[journal]\npath = "journal.db"\n'
        '[[tables]]\ntable = "1"\ndevice = "serial:/dev/none"\n'
    )
    return tmp_path


def with_empty_journal(folder: Path) -> None:
    store = FileStore(folder / "journal.db")
    db = store.connect()
    prepare(db)
    db.close()
    store.close()


def said(folder: Path, *words: str) -> tuple[int, str]:
    found = CliRunner().invoke(
        command, [words[0], "--config", str(folder / "hall.toml"), *words[1:]]
    )
    return found.exit_code, found.output


def test_a_service_that_is_not_there_is_said_in_one_sentence(folder: Path) -> None:
    code, words = said(folder, "end")
    assert code == 1
    assert "does not answer at http://127.0.0.1:9" in words

    of_ipv6 = (folder / "hall.toml").read_text().replace("127.0.0.1:9", "[::1]:9")
    (folder / "hall.toml").write_text(of_ipv6)
    assert "does not answer at http://[::1]:9 (" in said(folder, "end")[1]


def test_a_malformed_report_is_named_with_its_line(folder: Path) -> None:
    file = folder / "open.trf"
    file.write_text(report(6, 2).replace("001    3", "001   x3"), "utf-8")
    code, words = said(folder, "begin", "--round", "1", "--pairings", str(file))
    assert code == 2
    assert "open.trf:15: this is no player line" in words


def test_a_round_needs_its_number(folder: Path) -> None:
    assert said(folder, "begin") == (2, "Error: say which round begins, with --round\n")


def test_a_password_file_that_is_not_there_is_named(folder: Path) -> None:
    code, words = said(folder, "end", "--password-file", str(folder / "none"))
    assert code == 2
    assert words.startswith(f"Error: the password file {folder / 'none'} cannot be read")


def test_a_report_that_is_not_there_is_named_once(folder: Path) -> None:
    with_empty_journal(folder)
    code, words = said(folder, "results", "--round", "1", "--trf", "--pairings", "none.trf")
    assert (code, words.count("none.trf")) == (1, 1)


@pytest.mark.parametrize(
    ("encoding", "end"), [("utf-8", "\r\n"), ("utf-8-sig", "\n"), ("cp1252", "\r\n")]
)
async def test_a_filled_report_is_in_the_encoding_it_came_in(
    folder: Path, opened, encoding: str, end: str
) -> None:
    """A pairing program that writes Windows-1252 reads Windows-1252, and finds its columns so."""
    async with opened(folder / "journal.db") as journal:
        setup = TableSetup(table="1", white="Ada Adams", black="Bob Brown", round=2)
        number = journal.next_input()
        journal.write(Batch((InputRow(number, number, "1", setup),)))
    file = folder / "open.trf"
    file.write_bytes(report(6, 2, end).encode(encoding))
    if encoding == "cp1252":
        # Of a Windows of another country: no letter in this one.
        file.write_bytes(file.read_bytes().replace("Ñ".encode(encoding), b"\x8f"))

    words = ["results", "--round", "2", "--trf", "--pairings", str(file)]
    found = CliRunner().invoke(command, [*words, str(folder / "journal.db")])

    assert found.exit_code == 0
    assert found.stdout_bytes == file.read_bytes()
    assert found.stderr == "table 1: no result yet\n"


async def test_a_result_is_of_those_who_are_paired_now(folder: Path, opened) -> None:
    """The round was begun again for others: whom the file pairs had the result of who sat there
    before."""
    past = TableSetup(table="1", white="Ada", black="Bob", round=2, round_started_ns=1)
    before = Hands(past)
    before.play("e2e4")
    before.act("set-result", result="1-0", reason="resigned")
    async with opened(folder / "journal.db") as journal:
        write(journal, [before])
        again = replace(past, white="Cy", black="Di", round_started_ns=10**12)
        journal.write(Batch((InputRow(journal.next_input(), 10**12, "1", again),)))
        await journal.synced()
    code, words = said(folder, "results", "--round", "2")
    assert (code, words.splitlines()[1:]) == (0, ["1,Cy,Di,*,"])


async def test_a_hand_at_the_board_takes_no_result_out_of_the_round(folder: Path, opened) -> None:
    """The pieces stood there again, and somebody moved one."""
    hands = Hands(TableSetup(table="1", white="Ada", black="Bob", round=2))
    start = list(hands.pieces)
    hands.play("e2e4", "e7e5")
    hands.act("set-result", result="1-0", reason="resigned")
    hands.wait(30)
    hands.pieces = start
    hands.show()
    hands.wait(10)
    hands.carry("d2", "d4")
    hands.wait(60)
    async with opened(folder / "journal.db") as journal:
        write(journal, [hands])
        await journal.synced()
    code, words = said(folder, "results", "--round", "2")
    assert (code, words.splitlines()[1:]) == (0, ["1,Ada,Bob,1-0,resigned"])


def test_results_of_a_round_that_is_not_there_are_not_an_empty_list(folder: Path) -> None:
    with_empty_journal(folder)
    report_file = folder / "open.trf"
    report_file.write_text(report(6, 2), "utf-8")
    for more in ((), ("--trf", "--pairings", str(report_file))):
        code, words = said(folder, "results", "--round", "9", *more)
        assert code == 1
        assert words == "Error: the journal has no games of round 9; name another --round\n"
