"""Boards find their tables, and find them again."""

from __future__ import annotations

from arbiterd.config.model import TableEntry
from arbiterd.edges import Plugged
from arbiterd.hall.links.assignment import Assignment

A = Plugged("usb:045b:8111:A", "dgt", "30001")
B = Plugged("usb:045b:8111:B", "dgt", "30002")
AUTO = [TableEntry(table=name) for name in ("1", "2", "3")]


def devices(assignment: Assignment) -> dict[str, str]:
    return {table: device for table, (device, _) in assignment.bound.items()}


def test_boards_go_to_the_first_tables_that_have_none() -> None:
    assignment = Assignment([TableEntry(table="0", device="serial:/dev/x"), *AUTO], {})
    assignment.plugged([A, B])

    assert devices(assignment) == {"0": "serial:/dev/x", "1": A.device, "2": B.device}
    assert assignment.bound["1"] == (A.device, "dgt")
    assert assignment.waiting, "table 3 has none"


def test_a_board_goes_back_to_its_table_under_whatever_port() -> None:
    assignment = Assignment(AUTO, {"2": "30001"})
    assignment.plugged([B, A])
    assert devices(assignment) == {"2": A.device, "1": B.device}

    assignment.knows("1", "30002")
    assignment.lost("1")
    assignment.lost("2")
    assignment.plugged([Plugged("serial:/dev/ttyACM7", "dgt", "30002")])

    assert devices(assignment) == {"1": "serial:/dev/ttyACM7"}


def test_a_table_that_names_its_device_keeps_it_when_it_is_gone() -> None:
    assignment = Assignment([TableEntry(table="1", device="serial:/dev/x", driver="dgt")], {})
    assignment.lost("1")
    assignment.plugged([A])

    assert assignment.bound == {"1": ("serial:/dev/x", "dgt")}
    assert not assignment.waiting


def test_an_arbiter_gives_a_table_another_tables_board() -> None:
    assignment = Assignment(AUTO, {})
    assignment.plugged([A, B])
    assignment.rebind("2", A.device)

    assert devices(assignment) == {"2": A.device}
    assignment.plugged([B])
    assert devices(assignment) == {"2": A.device, "1": B.device}

    assignment.rebind("2", "auto")
    assignment.plugged([A])
    assert devices(assignment) == {"1": B.device, "2": A.device}


def test_two_tables_that_change_boards_keep_the_drivers_that_are_configured() -> None:
    entries = [
        TableEntry(table="1", device="tcp:192.168.1.20:4000", driver="certabo"),
        TableEntry(table="2", device="tcp:192.168.1.21:4000", driver="dgt"),
    ]
    assignment = Assignment(entries, {})
    assignment.rebind("1", entries[1].device)
    assignment.rebind("2", entries[0].device)

    assert assignment.bound == {
        "1": (entries[1].device, "dgt"),
        "2": (entries[0].device, "certabo"),
    }
