"""A game of shogi comes in as a record and goes out as one: of a table without a board."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from arbiterd.cli.asking import Asker
from arbiterd.cli.shogi import enter
from arbiterd.config import Config
from arbiterd.config.model import Http, TableEntry
from arbiterd.config.values import Listen
from arbiterd.outlets.pgn.files import of_round
from arbiterd.outlets.pgn.shogi_records import csa, kif
from arbiterd.rules.shogi_csa import read_csa
from arbiterd.rules.shogi_kif import read_kif
from rules.test_shogi_records import random_game

POINTS = {"sennichite": "points", "both_reach_24": "more_points"}


@pytest.mark.parametrize(
    ("end", "settings", "result"),
    [
        ("TORYO", {}, "1-0"),
        ("-ILLEGAL_ACTION", {}, "0-1"),
        ("SENNICHITE", {}, "replay"),
        ("JISHOGI", {}, "replay"),
        ("SENNICHITE", POINTS, "0-1"),
        ("JISHOGI", POINTS, "0-1"),
        ("HIKIWAKE", {}, "1/2-1/2"),
    ],
)
async def test_a_record_is_entered_and_printed_again(
    path: Path, running, config: Config, end: str, settings: dict[str, str], result: str
) -> None:
    """A repetition or an impasse was entered as a draw, whatever the event plays by."""
    game = replace(random_game(6, plies=40), black="Black", white="White", end=end)
    shogi = (TableEntry(table="1", device="auto", ruleset="shogi"),)
    wanted = replace(
        config, tables=shogi, http=Http(listen=Listen("127.0.0.1", 0)), settings=settings
    )
    async with running(path, wanted) as house:
        await house.until(lambda: house.broker.last("tables/1/state"))
        port = urlsplit(house.service.addresses.page).port
        asked = replace(wanted, http=Http(listen=Listen("127.0.0.1", port)))
        asker = Asker(asked, path.parent, "ana", None)
        await asyncio.to_thread(enter, asker, "1", game)
        await house.until(lambda: house.broker.last("tables/1/result"))
        assert house.broker.last("tables/1/result")["result"] == result
        read = house.service.journal.read
        for again in (
            read_csa((of_round(read, 1, form=csa) or "").removesuffix("/\n")),
            read_kif(of_round(read, 1, form=kif) or ""),
        ):
            known = end if settings == {} else ""
            assert (again.moves, again.end) == (game.moves, known)
            assert (again.black, again.white) == ("Black", "White")
