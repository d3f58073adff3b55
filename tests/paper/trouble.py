"""What comes beside the moves in the hall on paper: a claim, faults, a busy hour, a calm one."""

from __future__ import annotations

from paper.hall import PaperReader, head, ruling


def claim(reader: PaperReader) -> None:
    """White claims at table 1 that a position stood there three times."""
    _open(reader, "1", 20, "claim-3-onboard-ok", 2, "Threefold claim of White is correct",
          articles=["9.2.2", "9.5.2"], certainty="fact",
          facts={"certainty": "fact", "touched": [], "obligation": [], "occurrences": 3,
                 "plies": [2, 6, 10], "claimant": "white"}, window={"closes_on": "never"},
          proposal={"actions": ["declare-result"], "clock_delta_ms": {}, "restore": None,
                    "result": "1/2-1/2"})  # fmt: skip


def faults(reader: PaperReader) -> None:
    """The clock of table 2 is not heard, and a coil of its board is dead."""
    faults = ["clock not heard since 14:01:12", "coil d4 reads as empty"]
    reader.retain(
        "tables/2/device",
        head("2", 14, driver="dgt", identity="3002", port="/dev/ttyACM1", firmware="1.7",
             battery=None, state="degraded", since="2026-11-21T14:01:12.000Z", faults=faults),
    )  # fmt: skip
    said = reader.decoded("tables/2/state")
    reader.retain("tables/2/state", said | {"device": "degraded", "clock": None})
    _open(reader, "2", 21, "clock-lost", 2, "The clock is not heard any more.", certainty="fact",
          articles=["6.12"], against=None, window={"closes_on": "never"},
          proposal={"actions": ["ask"], "clock_delta_ms": {}, "restore": None,
                    "result": None})  # fmt: skip


def busy(reader: PaperReader) -> None:
    """A hub is gone, one alert is Luis', one is put off, notes come by the dozen."""
    for table in range(21, 33):
        _open(reader, str(table), 40, "tech-board-lost", 2, "The board is not heard any more.",
              certainty="fact", articles=["6.12"])  # fmt: skip
    _open(reader, "12", 41, "flag-last-period", 1, "White’s flag is down", certainty="fact",
          articles=["6.9"], coming={"by": "Luis", "at": "2026-11-21T14:03:00.000Z"})  # fmt: skip
    _open(reader, "14", 42, "illegal-first", 1, "Black completed an illegal move (Rf8-e7)",
          certainty="fact", articles=["7.5.1", "7.5.5"])  # fmt: skip
    _open(reader, "16", 43, "clock-paused-by-player", 2, "A player stopped the clocks",
          shelved_until="2026-11-21T14:20:00.000Z")  # fmt: skip
    for table in range(40, 46):
        _open(reader, str(table), 44, "move-next-without-press", 3, "White never pressed for Nf3")


def calm(reader: PaperReader) -> None:
    """Nothing waits for anybody."""
    for topic in [topic for topic in reader.retained() if "/rulings/" in topic]:
        reader.clear(topic)
        name = f"tables/{topic.split('/')[1]}/state"
        reader.retain(name, reader.decoded(name) | {"attention": False, "open_rulings": []})


def stopped(reader: PaperReader) -> None:
    """Table 2 has failed, for good."""
    _stands(reader, comes_back=False)


def behind(reader: PaperReader) -> None:
    """Table 2 is being made again from the journal."""
    _stands(reader, comes_back=True)


def _stands(reader: PaperReader, *, comes_back: bool) -> None:
    said = reader.decoded("tables/2/state")
    standing = {"attention": True, "standing": "table 2 has stopped", "comes_back": comes_back}
    reader.retain("tables/2/state", said | standing)


def _open(
    reader: PaperReader, table: str, number: int, kind: str, urgency: int, line: str, **said: object
) -> None:
    told = ruling(table, number, kind, urgency, line, **said)
    reader.retain(f"tables/{table}/rulings/{told['id']}", told)
