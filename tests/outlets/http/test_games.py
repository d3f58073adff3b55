"""What the page is told of the games: enough to ask for every act without knowing one by name."""

from __future__ import annotations

import json

from aiohttp import ClientSession

from arbiterd.rules.registry import RULESETS, ruleset

from .conftest import Hall


async def test_each_game_has_an_example_that_it_reads_and_claims_of_its_own(
    hall: Hall, http: ClientSession
) -> None:
    async with http.get(f"{hall.address}api/v1/games") as answer:
        told = {game["name"]: game for game in json.loads(await answer.read())}

    assert set(told) >= set(RULESETS)
    for name, game in told.items():
        rules = ruleset(name)
        start = rules.start()
        moves = [rules.parse(start, text) for text in game["example"].split(", ")]
        assert set(moves) <= set(rules.legal_moves(start))
        assert "illegal-move" in game["claims"]
    assert "declaration" in told["shogi"]["claims"]
    assert "threefold" in told["chess"]["claims"]
    assert "threefold" not in told["shogi"]["claims"]
